package secret

var watchFamilies = []family{
	{
		name: "grafana_token", placeholder: "GRAFANA_TOKEN", tier: Structural,
		patterns: []string{"glsa_{alnum:32}_{Hex:8}", "glc_{b64:32-400}", "eyJrIjoi{b64:60-400}"},
	},
	{
		name: "sentry_token", placeholder: "SENTRY_AUTH_TOKEN", tier: Structural,
		patterns: []string{"sntryu_{hex:64}", "sntrys_{b64dot:40-600}", "sntrys_eyJ{b64:40-400}_{b64:43}"},
	},
	{
		name: "newrelic_key", placeholder: "NEW_RELIC_KEY", tier: Structural,
		patterns: []string{
			"NRAK-{alnum:27}", "NRII-{b64url:32}", "NRJS-{hex:19}", "NRAA-{hex:27}", "NRRA-{hex:42}",
			"NRIQ-{b64url:32}", "{hex:32}FFFFNRAL", "{hex:36}NRAL",
		},
	},
	{
		name: "dynatrace_token", placeholder: "DYNATRACE_TOKEN", tier: Structural,
		patterns: []string{
			"dt0c01.{alnum:24}.{alnum:64}", "dt0s01.{alnum:8-24}.{alnum:64}", "dt0s02.{alnum:8-24}.{alnum:64}",
			"dt0s16.{alnum:8-24}.{alnum:64}",
		},
	},
	{
		name: "honeycomb_key", placeholder: "HONEYCOMB_API_KEY", tier: Structural,
		patterns: []string{
			"hcaik_{lownum:58}", "hcaik_{lownum:26-64}", "hcamk_{lownum:26-64}", "hcbik_{lownum:26-64}",
		},
	},
	{
		name: "axiom_token", placeholder: "AXIOM_TOKEN", tier: Structural,
		patterns: []string{
			"xaat-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}", "xapt-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
		},
	},
	{
		name: "pagerduty_or_incident_key", placeholder: "INCIDENT_API_KEY", tier: Structural,
		patterns: []string{"inc_{hex:64}", "pdus+_0{b64url:30-60}", "pdeu+_0{b64url:30-60}"},
	},
	{name: "rootly_key", placeholder: "ROOTLY_API_KEY", tier: Structural, patterns: []string{"rootly_{hex:64}"}},
	{
		name: "logfire_token", placeholder: "LOGFIRE_TOKEN", tier: Structural,
		patterns: []string{"pylf_v1_{lower:2}_{alnum:36-60}", "pylf_v2_{lower:2}_{word:36-80}"},
	},
	{
		name: "lightstep_or_coralogix_key", placeholder: "CORALOGIX_KEY", tier: Structural,
		patterns: []string{"cxtp_{alnum:30}", "cxup_{alnum:30}"},
	},
	{name: "nightfall_key", placeholder: "NIGHTFALL_API_KEY", tier: Structural, patterns: []string{"NF-{alnum:32}"}},
	{
		name: "sumo_like_collector", placeholder: "COLLECTOR_URL", tier: Structural,
		patterns: []string{"sumologic.com/receiver/v1/http/{b64:60-120}"},
	},
	{
		name: "sentry_dsn", placeholder: "SENTRY_DSN", tier: Weak,
		patterns: []string{
			"https://{hex:32}@{lownum:1-20}.ingest.", "https://{hex:32}@sentry.", "https://{hex:32}:{hex:32}@",
		},
	},
	{
		name: "highlight_or_langwatch_key", placeholder: "API_KEY", tier: Structural,
		patterns: []string{"sk-lw-{alnum:40-64}"},
	},
	{name: "shodan_like_tines_key", placeholder: "API_KEY", tier: Weak, patterns: []string{"sk-user-{b64url:30-60}"}},
}
