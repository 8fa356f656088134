package secret

import "strings"

// awsExample reports whether an AWS key ID is one of the documentation's.
func awsExample(match string) bool { return strings.HasSuffix(match, "EXAMPLE") }

var cloudFamilies = []family{
	{
		name: "aws_access_key_id", placeholder: "AWS_ACCESS_KEY_ID", tier: Weak,
		patterns: []string{"AKIA{b32:16}", "ASIA{b32:16}", "ABIA{b32:16}", "ACCA{b32:16}", "A3T{UPNUM:1}{b32:16}"},
		check:    func(m string) bool { return !awsExample(m) },
	},
	{
		name: "aws_bedrock_key", placeholder: "AWS_BEARER_TOKEN_BEDROCK", tier: Structural,
		patterns: []string{
			"ABSK{b64:109-269}", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{b64:20-600}",
			"bedrock-api-key-{b64:60-600}",
		},
	},
	{
		name: "aws_mws_token", placeholder: "MWS_AUTH_TOKEN", tier: Structural,
		patterns: []string{"amzn.mws.{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}", "amzn1.oa2-cs.v1.{hex:64}"},
	},
	{
		name: "aws_session_token", placeholder: "AWS_SESSION_TOKEN", tier: Structural,
		patterns: []string{"IQoJb3JpZ2luX2{b64:100-600}", "FwoGZXIvYXdzE{b64:100-600}", "FQoGZXIvYXdzE{b64:100-600}"},
	},
	{
		name: "google_api_key", placeholder: "GOOGLE_API_KEY", tier: Weak,
		patterns: []string{"AIzaSy{b64url:33}", "AIza{b64url:35}"},
	},
	{
		name: "google_client_secret", placeholder: "GOOGLE_CLIENT_SECRET", tier: Structural,
		patterns: []string{"GOCSPX-{b64url:28}"},
	},
	{
		name: "google_access_token", placeholder: "GOOGLE_ACCESS_TOKEN", tier: Structural,
		patterns: []string{"ya29.{b64url:30-600}", "ya29.{alnum:1}.{b64url:30-600}"},
	},
	{
		name: "google_refresh_token", placeholder: "GOOGLE_REFRESH_TOKEN", tier: Structural,
		patterns: []string{"1//0{b64url:40-120}"},
	},
	{name: "azure_client_secret", placeholder: "AZURE_CLIENT_SECRET", tier: Structural, patterns: azureSecrets()},
	{
		name: "azure_storage_key", placeholder: "AZURE_STORAGE_KEY", tier: Structural,
		patterns: []string{"AccountKey={b64:86}==", "SharedAccessKey={b64:43}=", "accountkey={b64:86}=="},
	},
	{name: "azure_service_key", placeholder: "AZURE_KEY", tier: Structural, patterns: []string{
		"{b64:74-78}AzFu{b64:6-8}", "{alnum:40-44}AzSe{alnum:5-8}", "{alnum:40-44}+ACR{alnum:6-10}",
		"{b64:32-34}AIoT{b64:5-7}", "{b64:33-76}+ASt{b64:6-8}", "{b64:32-70}ACDb{b64:5-8}",
		"{b64:32-34}+AEh{b64:5-8}", "{b64:32-34}+ASb{b64:5-8}", "{b64:40-80}AAAYLAzE{b64:1-6}",
	}},
	{
		name: "azure_devops_token", placeholder: "AZURE_DEVOPS_PAT", tier: Structural,
		patterns: []string{"{alnum:70-76}AZDO{alnum:4}"},
	},
	{
		name: "alibaba_access_key", placeholder: "ALIBABA_ACCESS_KEY_ID", tier: Structural,
		patterns: []string{"LTAI{alnum:20}", "LTAI{alnum:12-16}"},
	},
	{
		name: "tencent_secret_id", placeholder: "TENCENT_SECRET_ID", tier: Structural,
		patterns: []string{"AKID{alnum:32}"},
	},
	{
		name: "volcengine_access_key", placeholder: "VOLC_ACCESS_KEY", tier: Structural,
		patterns: []string{"AKLT{b64url:40-48}"},
	},
	{
		name: "yandex_token", placeholder: "YANDEX_TOKEN", tier: Structural,
		patterns: []string{
			"t1.{b64url:20-400}.{b64url:86}", "AQVN{b64url:35-38}", "y0_{b64url:50-60}", "YCAJE{b64url:20}",
			"YCM{b64url:37}",
		},
	},
	{
		name: "digitalocean_token", placeholder: "DIGITALOCEAN_TOKEN", tier: Structural,
		patterns: []string{"dop_v1_{hex:64}", "doo_v1_{hex:64}", "dor_v1_{hex:64}"},
	},
	{
		name: "digitalocean_spaces_key", placeholder: "SPACES_ACCESS_KEY", tier: Weak,
		patterns: []string{"DO00{UPNUM:16}", "DO801{UPNUM:15}"},
	},
	{
		name: "cloudflare_token", placeholder: "CLOUDFLARE_API_TOKEN", tier: Structural,
		patterns: []string{
			"v1.0-{hex:24}-{hex:146}", "cfut_{alnum:40-64}", "cfat_{alnum:40-64}", "cfk_{alnum:40-64}",
		},
	},
	{name: "scaleway_key", placeholder: "SCW_SECRET_KEY", tier: Weak, patterns: []string{"SCW{UPNUM:17}"}},
	{
		name: "exoscale_key", placeholder: "EXOSCALE_API_KEY", tier: Weak,
		patterns: []string{"EXO{hex:24}", "EXO{alnum:24-30}"},
	},
	{name: "upcloud_token", placeholder: "UPCLOUD_TOKEN", tier: Structural, patterns: []string{"ucat_{alnum:26-40}"}},
	{
		name: "fly_token", placeholder: "FLY_API_TOKEN", tier: Structural,
		patterns: []string{"fo1_{b64url:43}", "fm1r_{b64:100-600}", "fm1a_{b64:100-600}", "fm2_{b64:60-600}"},
	},
	{
		name: "heroku_key", placeholder: "HEROKU_API_KEY", tier: Structural,
		patterns: []string{"HRKU-AA{b64url:58}", "HRKU-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"},
	},
	{name: "render_key", placeholder: "RENDER_API_KEY", tier: Structural, patterns: []string{"rnd_{alnum:28-40}"}},
	{
		name: "vercel_token", placeholder: "VERCEL_TOKEN", tier: Structural,
		patterns: []string{
			"vcp_{alnum:24-64}", "vci_{alnum:24-64}", "vca_{alnum:24-64}", "vcr_{alnum:24-64}", "vck_{alnum:24-64}",
			"vercel_blob_rw_{alnum:16}_{alnum:30}",
		},
	},
	{
		name: "netlify_token", placeholder: "NETLIFY_AUTH_TOKEN", tier: Structural,
		patterns: []string{
			"nfp_{alnum:36-40}", "nfc_{alnum:36-40}", "nfb_{alnum:36-40}", "nfo_{alnum:36-40}", "nfu_{alnum:36-40}",
		},
	},
	{
		name: "tailscale_key", placeholder: "TAILSCALE_AUTHKEY", tier: Structural,
		patterns: []string{
			"tskey-{lower:3-12}-{alnum:8-24}-{alnum:24-40}", "tskey-{alnum:20-60}",
			"tskey-{lower:3-12}-{alnum:16-40}",
		},
	},
	{
		name: "ngrok_token", placeholder: "NGROK_AUTHTOKEN", tier: Structural,
		patterns: []string{"ngrok_{alnum:30-60}", "cr_{alnum:27}_{alnum:20-24}"},
	},
	{
		name: "terraform_cloud_token", placeholder: "TFE_TOKEN", tier: Structural,
		patterns: []string{"{alnum:14}.atlasv1.{b64dot:60-70}"},
	},
	{
		name: "vault_token", placeholder: "VAULT_TOKEN", tier: Structural,
		patterns: []string{"hvs.{b64url:24-300}", "hvb.{b64url:100-500}", "hvr.{b64url:24-300}"},
	},
	{
		name: "doppler_token", placeholder: "DOPPLER_TOKEN", tier: Structural,
		patterns: []string{
			"dp.pt.{alnum:40-44}", "dp.ct.{alnum:40-44}", "dp.sa.{alnum:40-44}", "dp.st.{b64dot:40-90}",
			"dp.scim.{alnum:40-44}", "dp.audit.{alnum:40-44}",
		},
	},
	{name: "pulumi_token", placeholder: "PULUMI_ACCESS_TOKEN", tier: Structural, patterns: []string{"pul-{hex:40}"}},
	{
		name: "onepassword_token", placeholder: "OP_SERVICE_ACCOUNT_TOKEN", tier: Structural,
		patterns: []string{
			"ops_eyJ{b64:100-600}", "A3-{UPNUM:6}-{UPNUM:11}-{UPNUM:5}-{UPNUM:5}-{UPNUM:5}",
			"A3-{UPNUM:6}-{UPNUM:6}-{UPNUM:5}-{UPNUM:5}-{UPNUM:5}-{UPNUM:5}",
		},
	},
	{
		name: "age_secret_key", placeholder: "AGE_SECRET_KEY", tier: Structural,
		patterns: []string{"AGE-SECRET-KEY-1{bech32:58}", "AGE-SECRET-KEY-PQ-1{bech32:58-120}"},
	},
	{
		name: "openshift_token", placeholder: "OPENSHIFT_TOKEN", tier: Structural,
		patterns: []string{"sha256~{b64url:43}"},
	},
	{
		name: "kubernetes_bootstrap_token", placeholder: "BOOTSTRAP_TOKEN", tier: Structural,
		patterns: []string{
			"--token {lownum:6}.{lownum:16}", "token: {lownum:6}.{lownum:16}", "token={lownum:6}.{lownum:16}",
		},
	},
	{
		name: "rancher_token", placeholder: "RANCHER_TOKEN", tier: Structural,
		patterns: []string{"token-{lownum:5}:{lownum:54}", "kubeconfig-{lownum:5-20}:{lownum:54}"},
	},
	{
		name: "teleport_or_boundary_token", placeholder: "BOUNDARY_TOKEN", tier: Structural,
		patterns: []string{"at_{alnum:10}_s1{alnum:40-300}"},
	},
	{
		name: "authress_key", placeholder: "AUTHRESS_KEY", tier: Structural,
		patterns: []string{
			"sc_{alnum:5-30}.{alnum:4-6}.acc_{b64url:10-32}.{b64dot:30-120}",
			"ext_{alnum:5-30}.{alnum:4-6}.acc_{b64url:10-32}.{b64dot:30-120}",
			"scauth_{alnum:5-30}.{alnum:4-6}.acc_{b64url:10-32}.{b64dot:30-120}",
			"authress_{alnum:5-30}.{alnum:4-6}.acc_{b64url:10-32}.{b64dot:30-120}",
		},
	},
	{
		name: "ibm_or_aiven_token", placeholder: "AIVEN_TOKEN", tier: Structural,
		patterns: []string{"AVNS_{b64url:19}", "aivenv1{b64:60-400}"},
	},
	{
		name: "wireguard_private_key", placeholder: "WIREGUARD_PRIVATE_KEY", tier: Structural,
		patterns: []string{
			"PrivateKey = {b64:43}=", "PrivateKey={b64:43}=", "PresharedKey = {b64:43}=", "PresharedKey={b64:43}=",
		},
	},
	{name: "laravel_app_key", placeholder: "APP_KEY", tier: Structural, patterns: []string{"base64:{b64:43}="}},
	{
		name: "defined_networking_key", placeholder: "DN_API_KEY", tier: Structural,
		patterns: []string{"dnkey-{b64dot:26}-{b64dot:52}"},
	},
}

// azureSecrets spells out the ten version digits in front of "Q~", since a literal of two bytes is in every text.
func azureSecrets() []string {
	var out []string
	for _, version := range digitChars {
		out = append(out, "{b64tilde:3}"+string(version)+"Q~{b64tilde:31-34}")
	}
	return out
}
