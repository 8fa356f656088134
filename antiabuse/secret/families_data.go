package secret

var dataFamilies = []family{
	{
		name: "databricks_token", placeholder: "DATABRICKS_TOKEN", tier: Structural,
		patterns: []string{"dapi{hex:32}", "dapi{hex:32}-{digits:1-2}", "dose{hex:32}", "dkea{hex:32}"},
	},
	{
		name: "supabase_key", placeholder: "SUPABASE_KEY", tier: Structural,
		patterns: []string{"sbp_{hex:40}", "sbp_v0_{hex:40}", "sb_secret_{b64url:22-40}", "sbp_oauth_{hex:40}"},
	},
	{
		name: "planetscale_token", placeholder: "PLANETSCALE_TOKEN", tier: Structural,
		patterns: []string{
			"pscale_tkn_{b64dot:32-64}", "pscale_oauth_{b64dot:32-64}", "pscale_pw_{b64dot:32-64}",
			"pscale_api_{b64dot:32-64}",
		},
	},
	{
		name: "neon_token", placeholder: "NEON_API_KEY", tier: Structural,
		patterns: []string{"napi_{lownum:60-70}", "npg_{alnum:12-24}"},
	},
	{
		name: "turso_or_xata_key", placeholder: "XATA_API_KEY", tier: Structural,
		patterns: []string{"xau_{alnum:26-40}"},
	},
	{
		name: "mongodb_atlas_secret", placeholder: "ATLAS_CLIENT_SECRET", tier: Structural,
		patterns: []string{"mdb_sa_sk_{b64url:30-60}"},
	},
	{
		name: "clickhouse_key", placeholder: "CLICKHOUSE_KEY_SECRET", tier: Structural,
		patterns: []string{"4b1d{alnum:38}"},
	},
	{name: "confluent_secret", placeholder: "CONFLUENT_SECRET", tier: Structural, patterns: []string{"cflt{b64:60}"}},
	{
		name: "elastic_key", placeholder: "ELASTIC_API_KEY", tier: Structural,
		patterns: []string{"essu_{b64:40-120}", "AAEAAWVsYXN0aWM{b64:30-120}"},
	},
	{
		name: "dbt_token", placeholder: "DBT_TOKEN", tier: Structural,
		patterns: []string{"dbtc_{b64url:36-60}", "dbtu_{b64url:36-60}", "dbts_{b64url:36-60}"},
	},
	{
		name: "materialize_password", placeholder: "MZ_APP_PASSWORD", tier: Structural,
		patterns: []string{"mzp_{hex:64}"},
	},
	{
		name: "motherduck_or_hightouch_token", placeholder: "DATA_TOKEN", tier: Structural,
		patterns: []string{"fauna_{b64url:36-60}", "fnAE{b64url:36}", "fnAD{b64url:36}"},
	},
	{
		name: "convex_key", placeholder: "CONVEX_DEPLOY_KEY", tier: Structural,
		patterns: []string{"prod:{lownum:3-20}-{lownum:3-20}-{digits:1-4}|{b64:40-300}"},
	},
	{
		name: "upstash_or_trigger_key", placeholder: "TRIGGER_SECRET_KEY", tier: Structural,
		patterns: []string{"tr_prod_{alnum:20-24}", "tr_pat_{lownum:40}", "tr_dev_{alnum:20-24}"},
	},
	{
		name: "inngest_key", placeholder: "INNGEST_SIGNING_KEY", tier: Structural,
		patterns: []string{"signkey-prod-{hex:32-64}", "signkey-test-{hex:32-64}", "signkey-branch-{hex:32-64}"},
	},
	{
		name: "temporal_or_cockroach_key", placeholder: "COCKROACH_API_KEY", tier: Structural,
		patterns: []string{"CCDB1_{alnum:22}_{alnum:40}"},
	},
	{
		name: "algolia_or_meili_key", placeholder: "ALGOLIA_ADMIN_KEY", tier: Weak,
		patterns: []string{"algolia_{hex:32}"},
	},
	{name: "influx_token", placeholder: "INFLUX_TOKEN", tier: Structural, patterns: []string{"apiv3_{b64url:86}"}},
	{name: "segment_token", placeholder: "SEGMENT_TOKEN", tier: Structural, patterns: []string{"sgp_{alnum:64}"}},
	{
		name: "totp_seed", placeholder: "TOTP_SECRET", tier: Structural,
		patterns: []string{"secret={b32:16-128}&issuer=", "?secret={b32:16-128}"},
	},
}
