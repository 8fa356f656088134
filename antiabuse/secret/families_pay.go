package secret

var payFamilies = []family{
	{
		name: "stripe_live_key", placeholder: "STRIPE_SECRET_KEY", tier: Structural,
		patterns: []string{
			"sk_live_{alnum:10-247}", "rk_live_{alnum:10-247}", "sk_prod_{alnum:10-247}", "rk_prod_{alnum:10-247}",
			"sk_org_live_{alnum:20-247}",
		},
	},
	{
		name: "stripe_test_key", placeholder: "STRIPE_TEST_KEY", tier: Weak,
		patterns: []string{"sk_test_{alnum:10-247}", "rk_test_{alnum:10-247}"},
	},
	{
		name: "stripe_webhook_secret", placeholder: "STRIPE_WEBHOOK_SECRET", tier: Structural,
		patterns: []string{"whsec_{b64:24-64}"},
	},
	{
		name: "square_token", placeholder: "SQUARE_ACCESS_TOKEN", tier: Structural,
		patterns: []string{
			"sq0atp-{b64url:22}", "sq0csp-{b64url:43}", "EAAA{b64url:60}", "EAAAE{b64url:59}", "EAAAl{b64url:59}",
		},
	},
	{
		name: "paypal_token", placeholder: "PAYPAL_TOKEN", tier: Structural,
		patterns: []string{"access_token$production${lownum:16}${hex:32}", "A21AA{b64url:80-100}"},
	},
	{
		name: "braintree_sandbox_token", placeholder: "BRAINTREE_TOKEN", tier: Weak,
		patterns: []string{"access_token$sandbox${lownum:16}${hex:32}"},
	},
	{
		name: "plaid_token", placeholder: "PLAID_ACCESS_TOKEN", tier: Structural,
		patterns: []string{
			"access-production-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
			"access-development-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
			"access-sandbox-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
		},
	},
	{
		name: "adyen_key", placeholder: "ADYEN_API_KEY", tier: Structural,
		patterns: []string{"AQE{lower:1}hm{b64:40-400}"},
	},
	{
		name: "razorpay_key", placeholder: "RAZORPAY_KEY", tier: Structural,
		patterns: []string{"rzp_live_{alnum:14}", "rzp_live_{alnum:24}"},
	},
	{
		name: "mollie_key", placeholder: "MOLLIE_API_KEY", tier: Structural,
		patterns: []string{"live_{alnum:30-35}", "live_{b64url:40}", "access_{alnum:40}"},
	},
	{
		name: "lob_key", placeholder: "LOB_API_KEY", tier: Structural,
		patterns: []string{"live_{hex:35}", "live_pub_{hex:31}"},
	},
	{
		name: "lob_test_key", placeholder: "LOB_API_KEY", tier: Weak,
		patterns: []string{"test_{hex:35}", "test_pub_{hex:31}"},
	},
	{
		name: "checkout_key", placeholder: "CHECKOUT_SECRET_KEY", tier: Structural,
		patterns: []string{"sk_{low58:31}", "sk_{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"},
	},
	{
		name: "paddle_key", placeholder: "PADDLE_API_KEY", tier: Structural,
		patterns: []string{
			"pdl_live_apikey_{lownum:26}_{alnum:22}_{alnum:3}", "pdl_ntfset_{lownum:26}_{b64:32}",
			"pdl_sdbx_apikey_{lownum:26}_{alnum:22}_{alnum:3}",
		},
	},
	{
		name: "flutterwave_key", placeholder: "FLW_SECRET_KEY", tier: Structural,
		patterns: []string{
			"FLWSECK-{alnum:32-60}-X", "FLWSECK_LIVE-{alnum:12-60}", "FLWSECK_TEST-{alnum:12}",
			"FLWSECK_TEST-{alnum:32}-X", "FLWPUBK_TEST-{alnum:32}-X",
		},
	},
	{
		name: "paystack_or_clerk_key", placeholder: "SECRET_KEY", tier: Structural,
		patterns: []string{"sk_live_{hex:40}"},
	},
	{
		name: "duffel_token", placeholder: "DUFFEL_TOKEN", tier: Structural,
		patterns: []string{"duffel_live_{b64dot:43}", "duffel_test_{b64dot:43}"},
	},
	{
		name: "easypost_key", placeholder: "EASYPOST_API_KEY", tier: Structural,
		patterns: []string{"EZAK{alnum:54}", "EZTK{alnum:54}"},
	},
	{
		name: "shippo_token", placeholder: "SHIPPO_TOKEN", tier: Structural,
		patterns: []string{"shippo_live_{Hex:40}", "shippo_test_{Hex:40}"},
	},
	{
		name: "shopify_token", placeholder: "SHOPIFY_ACCESS_TOKEN", tier: Structural,
		patterns: []string{
			"shpat_{Hex:32}", "shpca_{Hex:32}", "shppa_{Hex:32}", "shpss_{Hex:32}", "shptka_{Hex:32}",
			"shpua_{Hex:32}", "shprt_{Hex:32}",
		},
	},
	{
		name: "woocommerce_key", placeholder: "WOOCOMMERCE_KEY", tier: Structural,
		patterns: []string{"cs_{hex:40}", "ck_{hex:40}"},
	},
	{
		name: "revenuecat_or_freemius_key", placeholder: "SECRET_KEY", tier: Weak,
		patterns: []string{"sk_{alnum:28-32}"},
	},
	{
		name: "extended_private_key", placeholder: "EXTENDED_PRIVATE_KEY", tier: Structural,
		patterns: []string{"xprv{b58:107-108}", "zprv{b58:107-108}", "yprv{b58:107-108}", "tprv{b58:107-108}"},
	},
	{
		name: "alchemy_token", placeholder: "ALCHEMY_API_KEY", tier: Structural,
		patterns: []string{"alcht_{alnum:30}", "g.alchemy.com/v2/{b64url:32}"},
	},
	{
		name: "infura_key", placeholder: "INFURA_API_KEY", tier: Structural,
		patterns: []string{"infura.io/v3/{hex:32}", "infura.io/ws/v3/{hex:32}"},
	},
	{
		name: "stytch_secret", placeholder: "STYTCH_SECRET", tier: Structural,
		patterns: []string{"secret-live-{b64dot:36}", "secret-test-{b64dot:36}"},
	},
}
