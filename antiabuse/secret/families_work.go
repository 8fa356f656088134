package secret

var workFamilies = []family{
	{
		name: "linear_key", placeholder: "LINEAR_API_KEY", tier: Structural,
		patterns: []string{"lin_api_{alnum:32-48}", "lin_oauth_{alnum:32-64}", "lin_wh_{alnum:32-64}"},
	},
	{
		name: "notion_token", placeholder: "NOTION_TOKEN", tier: Structural,
		patterns: []string{"ntn_{digits:11}{alnum:35}", "ntn_{alnum:40-50}", "secret_{alnum:43}"},
	},
	{name: "airtable_token", placeholder: "AIRTABLE_TOKEN", tier: Structural, patterns: airtableTokens()},
	{
		name: "atlassian_token", placeholder: "ATLASSIAN_API_TOKEN", tier: Structural,
		patterns: []string{"ATATT3{b64dot:100-400}", "ATSTT3{b64dot:60-400}", "ATOA{b64dot:60-400}"},
	},
	{
		name: "postman_key", placeholder: "POSTMAN_API_KEY", tier: Structural,
		patterns: []string{"PMAK-{Hex:24}-{Hex:34}", "PMAT-{UPNUM:26}"},
	},
	{
		name: "figma_token", placeholder: "FIGMA_TOKEN", tier: Structural,
		patterns: []string{
			"figd_{b64url:38-48}", "figu_{b64url:38-48}", "figo_{b64url:38-48}", "figoh_{b64url:38-48}",
			"figor_{b64url:38-48}",
		},
	},
	{
		name: "clickup_token", placeholder: "CLICKUP_TOKEN", tier: Structural,
		patterns: []string{"pk_{digits:6-10}_{UPNUM:32}"},
	},
	{
		name: "monday_or_typeform_token", placeholder: "TYPEFORM_TOKEN", tier: Structural,
		patterns: []string{"tfp_{b64dot:40-70}"},
	},
	{
		name: "dropbox_token", placeholder: "DROPBOX_TOKEN", tier: Structural,
		patterns: []string{"sl.{b64url:130-400}", "sl.u.{b64url:130-600}", "{alnum:11}AAAAAAAAAA{b64url:43}"},
	},
	{
		name: "hubspot_token", placeholder: "HUBSPOT_TOKEN", tier: Structural,
		patterns: []string{
			"pat-na1-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}", "pat-na2-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
			"pat-eu1-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}", "pat-ap1-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
		},
	},
	{
		name: "contentful_token", placeholder: "CONTENTFUL_TOKEN", tier: Structural,
		patterns: []string{"CFPAT-{b64url:40-50}"},
	},
	{
		name: "sanity_or_storyblok_token", placeholder: "SANITY_TOKEN", tier: Structural,
		patterns: []string{"skAI{alnum:80-180}"},
	},
	{
		name: "shortcut_or_coda_token", placeholder: "API_TOKEN", tier: Structural,
		patterns: []string{"coda_{alnum:36}", "pat_{alnum:64}"},
	},
	{name: "intercom_token", placeholder: "INTERCOM_TOKEN", tier: Structural, patterns: []string{"dG9rO{b64:40-80}"}},
	{name: "okta_token", placeholder: "OKTA_TOKEN", tier: Structural, patterns: []string{"SSWS 00{b64url:40}"}},
	{
		name: "workato_or_frame_token", placeholder: "FRAMEIO_TOKEN", tier: Structural,
		patterns: []string{"fio-u-{b64dot:64}"},
	},
	{name: "n8n_key", placeholder: "N8N_API_KEY", tier: Structural, patterns: []string{"n8n_api_{b64url:40-400}"}},
	{
		name: "retool_token", placeholder: "RETOOL_TOKEN", tier: Structural,
		patterns: []string{"retool_{word:26-60}"},
		no:       []string{"retool_organization_configuration_defaults"},
	},
	{
		name: "maxmind_key", placeholder: "MAXMIND_LICENSE_KEY", tier: Structural,
		patterns: []string{"{alnum:6}_{alnum:29}_mmk"},
	},
	{
		name: "adobe_client_secret", placeholder: "ADOBE_CLIENT_SECRET", tier: Structural,
		patterns: []string{"p8e-{alnum:32}"},
	},
	{
		name: "mapbox_secret_token", placeholder: "MAPBOX_TOKEN", tier: Structural,
		patterns: []string{"sk.eyJ{b64url:60-200}.{b64url:20-24}"},
	},
	{
		name: "mapbox_public_token", placeholder: "MAPBOX_TOKEN", tier: Weak,
		patterns: []string{"pk.eyJ{b64url:60-200}.{b64url:20-24}", "pk.{lownum:60}.{lownum:22}"},
	},
	{
		name: "launchdarkly_key", placeholder: "LAUNCHDARKLY_SDK_KEY", tier: Structural,
		patterns: []string{
			"sdk-{hex:8}-{hex:4}-4{hex:3}-{hex:4}-{hex:12}", "api-{hex:8}-{hex:4}-4{hex:3}-{hex:4}-{hex:12}",
		},
	},
	{
		name: "statsig_key", placeholder: "STATSIG_SECRET", tier: Structural,
		patterns: []string{"secret-{alnum:40-50}"},
	},
	{
		name: "posthog_key", placeholder: "POSTHOG_API_KEY", tier: Structural,
		patterns: []string{"phx_{alnum:40-60}", "phs_{alnum:40-60}"},
	},
	{
		name: "unkey_or_svix_key", placeholder: "API_KEY", tier: Structural,
		patterns: []string{"unkey_{alnum:16-40}", "sk_{alnum:24}.{lower:2}", "testsk_{alnum:24}.{lower:2}"},
	},
	{
		name: "descope_or_workos_key", placeholder: "WORKOS_API_KEY", tier: Structural,
		patterns: []string{"sk_live_a2V5X{b64:40-120}", "sk_test_a2V5X{b64:40-120}"},
	},
	{
		name: "knock_or_liveblocks_key", placeholder: "API_KEY", tier: Structural,
		patterns: []string{"sk_prod_{b64url:40-64}", "sk_dev_{b64url:40-64}"},
	},
	{name: "webflow_or_ably_key", placeholder: "ABLY_API_KEY", tier: Weak, patterns: []string{"ably_{b64url:20-60}"}},
}

// airtableTokens spells out the first characters behind "pat", which alone begins too many words.
func airtableTokens() []string { return []string{"pat{alnum:14}.{hex:64}"} }
