package secret

var talkFamilies = []family{
	{name: "slack_token", placeholder: "SLACK_TOKEN", tier: Structural, patterns: []string{
		"xoxb-{digits:8-14}-{digits:8-14}-{alnum:16-34}", "xoxb-{digits:8-14}-{alnum:18-34}",
		"xoxp-{digits:8-14}-{digits:8-14}-{digits:8-14}-{alnum:24-40}",
		"xoxp-{digits:8-14}-{digits:8-14}-{alnum:24-40}", "xoxe-{digits:1}-{alnum:60-200}",
		"xoxe.xoxp-{digits:1}-{alnum:60-200}", "xoxe.xoxb-{digits:1}-{alnum:60-200}",
		"xoxe-{digits:8-14}-{digits:8-14}-{digits:8-14}-{alnum:24-40}",
		"xapp-{digits:1}-{UPNUM:8-14}-{digits:8-14}-{hex:64}",
		"xapp-{digits:1}-{alnum:8-14}-{digits:8-14}-{alnum:6-80}",
		"xoxs-{digits:6-14}-{digits:6-14}-{digits:6-14}-{alnum:8-80}",
		"xoxo-{digits:6-14}-{digits:6-14}-{digits:6-14}-{alnum:8-80}", "xoxa-{b64url:12-80}", "xoxr-{b64url:12-80}",
		"xoxc-{b64url:20-200}", "xoxd-{b64dot:20-300}",
		"xoxb-{digits:8-14}-{digits:10-13}{alnum:1-40}",
	}},
	{
		name: "slack_webhook", placeholder: "SLACK_WEBHOOK_URL", tier: Structural,
		patterns: []string{
			"hooks.slack.com/services/{UPNUM:8-13}/{UPNUM:8-13}/{alnum:20-28}",
			"hooks.slack.com/services/{b64:40-56}", "hooks.slack.com/workflows/{b64:40-90}",
			"hooks.slack.com/triggers/{b64:30-90}",
		},
	},
	{
		name: "discord_webhook", placeholder: "DISCORD_WEBHOOK_URL", tier: Structural,
		patterns: []string{
			"discord.com/api/webhooks/{digits:16-20}/{b64url:60-80}",
			"discordapp.com/api/webhooks/{digits:16-20}/{b64url:60-80}",
			"discord.com/api/v10/webhooks/{digits:16-20}/{b64url:60-80}",
		},
	},
	{
		name: "discord_bot_token", placeholder: "DISCORD_TOKEN", tier: Structural,
		patterns: []string{"mfa.{b64url:80-95}"},
	},
	{
		name: "teams_webhook", placeholder: "TEAMS_WEBHOOK_URL", tier: Structural,
		patterns: []string{
			"webhook.office.com/webhookb2/{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}@{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}/IncomingWebhook/{lownum:32}", "outlook.office.com/webhook/{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}@{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}/IncomingWebhook/{lownum:32}",
		},
	},
	{
		name: "telegram_bot_token", placeholder: "TELEGRAM_BOT_TOKEN", tier: Structural,
		patterns: []string{"{digits:8-10}:AA{b64url:32-34}"},
	},
	{name: "twilio_key", placeholder: "TWILIO_API_KEY", tier: Structural, patterns: twilioKeys()},
	{
		name: "sendgrid_key", placeholder: "SENDGRID_API_KEY", tier: Structural,
		patterns: []string{"SG.{b64url:20-24}.{b64url:40-50}", "SG.{b64dot:66}"},
	},
	{name: "mailgun_key", placeholder: "MAILGUN_API_KEY", tier: Structural, patterns: []string{"key-{hex:32}"}},
	{
		name: "mailchimp_key", placeholder: "MAILCHIMP_API_KEY", tier: Structural,
		patterns: []string{"{hex:32}-us{digits:1-2}"},
	},
	{name: "mandrill_key", placeholder: "MANDRILL_API_KEY", tier: Structural, patterns: []string{"md-{b64url:22}"}},
	{
		name: "brevo_key", placeholder: "BREVO_API_KEY", tier: Structural,
		patterns: []string{"xkeysib-{hex:64}-{alnum:16}", "xsmtpsib-{hex:64}-{alnum:16}"},
	},
	{
		name: "resend_key", placeholder: "RESEND_API_KEY", tier: Structural,
		patterns: []string{"re_{alnum:8}_{alnum:24}", "re_{alnum:8}_{word:20-28}"},
	},
	{
		name: "mailersend_token", placeholder: "MAILERSEND_TOKEN", tier: Structural,
		patterns: []string{"mlsn.{hex:64}"},
	},
	{
		name: "loops_or_courier_key", placeholder: "COURIER_AUTH_TOKEN", tier: Structural,
		patterns: []string{"pk_prod_{UPNUM:28}"},
	},
	{
		name: "telnyx_key", placeholder: "TELNYX_API_KEY", tier: Structural,
		patterns: []string{"KEY0{UPNUM:31}_{alnum:22}"},
	},
	{
		name: "facebook_token", placeholder: "FACEBOOK_ACCESS_TOKEN", tier: Structural,
		patterns: []string{
			"EAAC{alnum:60-600}", "EAAM{alnum:60-600}", "EAAG{alnum:60-600}", "EAAB{alnum:60-600}",
			"EAAJ{alnum:60-600}", "EAAD{alnum:60-600}", "EAAF{alnum:60-600}", "IGQV{b64url:60-400}",
			"EAAE{alnum:60-600}",
		},
	},
	{
		name: "twitter_bearer_token", placeholder: "TWITTER_BEARER_TOKEN", tier: Structural,
		patterns: []string{"AAAAAAAAAAAAAAAAAAAAA{b64pct:60-200}"},
	},
	{
		name: "linkedin_token", placeholder: "LINKEDIN_TOKEN", tier: Structural,
		patterns: []string{"WPL_AP1.{alnum:16}.{b64dot:6-10}", "WPL_AP0.{alnum:16}.{b64dot:6-10}"},
	},
	{
		name: "google_chat_webhook", placeholder: "WEBHOOK_URL", tier: Structural,
		patterns: []string{
			"chat.googleapis.com/v1/spaces/{b64url:8-20}/messages?key={b64url:30-45}&token={b64url:30-60}",
		},
	},
	{
		name: "zapier_webhook", placeholder: "WEBHOOK_URL", tier: Structural,
		patterns: []string{"hooks.zapier.com/hooks/catch/{digits:5-10}/{lownum:6-10}"},
	},
	{
		name: "power_automate_webhook", placeholder: "WEBHOOK_URL", tier: Structural,
		patterns: []string{"&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig={b64url:43}"},
	},
	{
		name: "ifttt_key", placeholder: "IFTTT_KEY", tier: Structural,
		patterns: []string{
			"maker.ifttt.com/trigger/{word:1-40}/with/key/{b64url:20-50}", "maker.ifttt.com/use/{b64url:20-50}",
		},
	},
}

// twilioKeys spells out the first digit behind "SK", since a literal of two bytes is in every text.
func twilioKeys() []string {
	var out []string
	for _, first := range classes["hex"] {
		out = append(out, "SK"+string(first)+"{hex:31}")
	}
	return out
}
