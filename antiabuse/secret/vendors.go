package secret

import "strings"

// vendor is a name beside which a value of a certain form is a credential.
type vendor struct {
	words  []string // in lower case
	shapes []string // classes with lengths, as in patterns
	weak   bool     // the values are identifiers
}

// vendors says which values stand beside which names. The names and forms are facts taken from the default rules of
// gitleaks (MIT licence, Copyright (c) 2019 Zachary Rice; see NOTICE), rewritten for this table.
var vendors = []vendor{
	{words: []string{"adafruit"}, shapes: []string{"b64url:32"}},
	{words: []string{"adobe"}, shapes: []string{"hex:32"}},
	{words: []string{"airtable"}, shapes: []string{"alnum:17"}},
	{words: []string{"algolia"}, shapes: []string{"lownum:32", "alnum:32"}},
	{words: []string{"alibaba", "aliyun"}, shapes: []string{"alnum:30"}},
	{words: []string{"asana"}, shapes: []string{"digits:16", "lownum:32", "asana"}},
	{words: []string{"atlassian", "confluence", "jira"}, shapes: []string{"alnum:24"}},
	{words: []string{"beamer"}, shapes: []string{"b64dot:46"}},
	{words: []string{"bitbucket"}, shapes: []string{"alnum:32", "b64dot:64"}},
	{words: []string{"bittrex"}, shapes: []string{"alnum:32"}},
	{words: []string{"meraki"}, shapes: []string{"hex:40"}},
	{words: []string{"cloudflare"}, shapes: []string{"b64url:40", "hex:37"}},
	{words: []string{"codecov"}, shapes: []string{"alnum:32", "uuid"}},
	{words: []string{"cohere", "co_api_key"}, shapes: []string{"alnum:40"}},
	{words: []string{"coinbase"}, shapes: []string{"b64url:64"}},
	{words: []string{"confluent"}, shapes: []string{"alnum:16", "alnum:64"}},
	{words: []string{"contentful"}, shapes: []string{"b64dot:43"}},
	{words: []string{"datadog", "dd_api", "dd_app", "dd-api", "dd-app"}, shapes: []string{"alnum:40", "hex:32"}},
	{words: []string{"discord"}, shapes: []string{"hex:64", "digits:18", "b64dot:32", "discord"}},
	{words: []string{"droneci", "drone_"}, shapes: []string{"alnum:32"}},
	{words: []string{"dropbox"}, shapes: []string{"alnum:15", "b64dot:64", "b64dot:138"}},
	{words: []string{"etsy"}, shapes: []string{"alnum:24"}},
	{words: []string{"facebook", "fb_app", "meta_app"}, shapes: []string{"hex:32", "facebook"}},
	{words: []string{"fastly"}, shapes: []string{"b64dot:32"}},
	{words: []string{"finicity"}, shapes: []string{"hex:32", "alnum:20"}},
	{words: []string{"finnhub"}, shapes: []string{"alnum:20"}},
	{words: []string{"flickr"}, shapes: []string{"alnum:32"}},
	{words: []string{"freshbooks"}, shapes: []string{"alnum:64"}},
	{words: []string{"gitter"}, shapes: []string{"b64url:40"}},
	{words: []string{"gocardless"}, shapes: []string{"b64dot:45"}},
	{words: []string{"heroku"}, shapes: []string{"uuid"}},
	{words: []string{"hubspot"}, shapes: []string{"uuid"}},
	{words: []string{"intercom"}, shapes: []string{"b64dot:60"}},
	{words: []string{"jfrog", "artifactory", "bintray", "xray"}, shapes: []string{"alnum:64", "alnum:73"}},
	{words: []string{"kraken"}, shapes: []string{"b64any:80-90"}},
	{words: []string{"kucoin"}, shapes: []string{"hex:24", "uuid"}},
	{words: []string{"launchdarkly"}, shapes: []string{"b64dot:40"}},
	{words: []string{"linear"}, shapes: []string{"hex:32"}},
	{words: []string{"linkedin", "linked_in", "linked-in"}, shapes: []string{"alnum:14", "alnum:16"}},
	{words: []string{"looker"}, shapes: []string{"alnum:20", "alnum:24"}},
	{words: []string{"mailchimp"}, shapes: []string{"hex:32"}},
	{words: []string{"mailgun"}, shapes: []string{"mailgun", "b64url:39", "b64url:50", "hex:32"}},
	{words: []string{"mattermost"}, shapes: []string{"alnum:26"}},
	{words: []string{"messagebird", "message-bird", "message_bird"}, shapes: []string{"alnum:25", "uuid"}},
	{words: []string{"netlify"}, shapes: []string{"b64dot:40-46"}},
	{words: []string{"new-relic", "newrelic", "new_relic"}, shapes: []string{"alnum:64", "alnum:40"}},
	{words: []string{"nytimes", "new-york-times", "newyorktimes"}, shapes: []string{"b64dot:32"}},
	{words: []string{"okta"}, shapes: []string{"b64dot:42"}},
	{words: []string{"plaid"}, shapes: []string{"alnum:24", "alnum:30"}},
	{words: []string{"privateai", "private_ai", "private-ai"}, shapes: []string{"alnum:32"}},
	{words: []string{"rapidapi"}, shapes: []string{"b64url:50"}},
	{words: []string{"sendbird"}, shapes: []string{"hex:40", "uuid"}},
	{words: []string{"sentry"}, shapes: []string{"hex:64"}},
	{words: []string{"contribsys"}, shapes: []string{"sidekiq"}},
	{words: []string{"snyk"}, shapes: []string{"uuid"}},
	{words: []string{"sonar"}, shapes: []string{"b64dot:40-44"}},
	{words: []string{"sourcegraph"}, shapes: []string{"hex:40"}},
	{words: []string{"squarespace"}, shapes: []string{"uuid"}},
	{words: []string{"sumo"}, shapes: []string{"alnum:14", "alnum:64"}},
	{words: []string{"telegr"}, shapes: []string{"telegram"}},
	{words: []string{"travis"}, shapes: []string{"alnum:22"}},
	{words: []string{"twitch"}, shapes: []string{"alnum:30"}},
	{words: []string{"twitter"}, shapes: []string{"alnum:25", "alnum:45", "alnum:50", "b64pct:102-122", "twitter"}},
	{words: []string{"yandex"}, shapes: []string{"b64url:40"}},
	{words: []string{"zendesk"}, shapes: []string{"alnum:40"}},
	// Further names, by the public documentation of the vendors.
	{words: []string{"twilio"}, shapes: []string{"hex:32"}},
	{words: []string{"azure", "cognitive", "ocp-apim", "openai"}, shapes: []string{"hex:32", "alnum:84"}},
	{words: []string{"hcloud", "hetzner"}, shapes: []string{"alnum:64"}},
	{words: []string{"linode", "vultr", "ovh", "scaleway"}, shapes: []string{
		"hex:64", "UPNUM:36", "alnum:32",
		"uuid",
	}},
	{words: []string{"pagerduty", "opsgenie"}, shapes: []string{"b64url:20", "b64url:32", "uuid"}},
	{words: []string{
		"mistral", "elevenlabs", "assemblyai", "deepgram", "gladia", "cartesia", "serpapi", "serper",
		"exa_api", "brave_",
	}, shapes: []string{"alnum:32", "hex:32", "hex:40", "hex:64", "uuid", "b64url:31"}},
	{words: []string{"wandb", "weights"}, shapes: []string{"hex:40"}},
	{words: []string{"circleci", "circle_"}, shapes: []string{"hex:40"}},
	{words: []string{"jenkins", "gitea", "forgejo"}, shapes: []string{"hex:32", "hex:34", "hex:40"}},
	{words: []string{"abuseipdb"}, shapes: []string{"hex:80"}},
	{words: []string{"virustotal", "vt_api"}, shapes: []string{"hex:64"}},
	{words: []string{"shodan"}, shapes: []string{"alnum:32"}},
	{words: []string{"etherscan", "bscscan", "polygonscan"}, shapes: []string{"UPNUM:34"}},
	{words: []string{"infura"}, shapes: []string{"hex:32"}},
	{words: []string{"pusher", "ably", "pubnub"}, shapes: []string{"hex:20"}},
	{words: []string{
		"amplitude", "mixpanel", "segment", "rollbar", "bugsnag", "honeybadger", "logdna", "loggly",
		"papertrail",
	}, shapes: []string{"hex:32", "alnum:32", "uuid"}},
	{words: []string{"postmark", "sparkpost", "mailjet", "mandrill"}, shapes: []string{
		"uuid", "hex:40", "hex:32",
		"b64url:22",
	}},
	{words: []string{"trello"}, shapes: []string{"hex:32", "hex:64"}},
	{words: []string{"spotify", "soundcloud"}, shapes: []string{"hex:32"}},
	{words: []string{"openweather", "weatherapi", "ipinfo", "ipstack", "fixer"}, shapes: []string{
		"hex:32",
		"hex:14",
	}},
	{words: []string{"zoom"}, shapes: []string{"alnum:22", "alnum:32"}},
	{words: []string{"braintree"}, shapes: []string{"hex:32", "lownum:16"}},
	{words: []string{"binance"}, shapes: []string{"alnum:64"}},
	{words: []string{"bitfinex", "bitmex", "bybit"}, shapes: []string{
		"alnum:43", "alnum:48", "alnum:18",
		"alnum:36",
	}},
	{words: []string{"cloudinary"}, shapes: []string{"b64url:27", "digits:15"}},
	{words: []string{"strapi", "directus", "ghost_"}, shapes: []string{"hex:256", "b64url:32", "ghost"}},
	{words: []string{"nexmo", "vonage", "plivo", "clicksend", "bandwidth"}, shapes: []string{
		"alnum:16", "hex:8",
		"b64url:40",
	}},
	{words: []string{"bws_access", "bitwarden"}, shapes: []string{"bitwarden"}},
}

// special forms that are no run of one class.
var specialShapes = map[string]func(string) bool{
	"uuid":      uuidLike,
	"asana":     func(v string) bool { return asanaShape(v[strings.LastIndexByte(v, '/')+1:]) },
	"discord":   discordLike,
	"sidekiq":   pairOf(":", "hex:8", "hex:8"),
	"telegram":  pairOf(":", "digits:5-16", "b64url:35"),
	"facebook":  pairOf("|", "digits:15-16", "b64url:27-40"),
	"twitter":   pairOf("-", "digits:15-25", "alnum:20-40"),
	"mailgun":   func(v string) bool { return len(v) == 50 && strings.Count(v, "-") == 2 },
	"ghost":     pairOf(":", "hex:24", "hex:64"),
	"bitwarden": func(v string) bool { return strings.HasPrefix(v, "0.") && len(v) > 90 && strings.Contains(v, ":") },
}

var asanaShape = pairOf(":", "digits:14-19", "hex:32")

// pairOf is the form of two runs with a sign between.
func pairOf(sep, left, right string) func(string) bool {
	l, r := mustSegment(left), mustSegment(right)
	return func(v string) bool {
		a, b, ok := strings.Cut(v, sep)
		return ok && fits(l, a) && fits(r, b)
	}
}

func fits(s segment, v string) bool {
	return len(v) >= s.least && len(v) <= s.most && s.set.run(v, 0, len(v)) == len(v)
}

// discordLike is the form of a bot's token: the base64 of its number, a time and a signature.
func discordLike(v string) bool {
	parts := strings.Split(v, ".")
	return len(parts) == 3 && len(parts[0]) >= 23 && len(parts[0]) <= 28 && len(parts[1]) >= 5 &&
		len(parts[1]) <= 7 && len(parts[2]) >= 27 && len(parts[2]) <= 42 && nameSet.run(v, 0, len(v)) == len(v) &&
		entropy(v) > 3.5
}

// vendorSeen is the vendor whose name the pass has come by last.
type vendorSeen struct {
	id, start, end int
	known          bool
}
