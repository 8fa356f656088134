package secret

import (
	"hash/crc32"
	"strings"
)

// family is one kind of credential that is recognised by its own form. Positive samples are expanded from its
// patterns, or from yes where a checksum is needed; no holds look-alikes that must pass.
type family struct {
	name        string // the rule
	placeholder string // what to write instead
	tier        Tier
	patterns    []string
	check       func(match string) bool
	yes, no     []string
}

// allFamilies are the rows of all tables.
func allFamilies() []family {
	var all []family
	for _, table := range [][]family{
		ownFamilies, codeFamilies, cloudFamilies, modelFamilies, payFamilies,
		talkFamilies, workFamilies, watchFamilies, dataFamilies,
	} {
		all = append(all, table...)
	}
	return all
}

// genuine reports whether the variable part of a match looks drawn by chance, not written as an example.
func genuine(match, anchor string) bool {
	before, after, _ := strings.Cut(match, anchor)
	body := before + after
	floor := 2.0
	switch n := len(body); {
	case n < 8:
		return true // a host, a version: the literal says it all
	case n >= 28:
		floor = 2.8
	case n >= 16:
		floor = 2.5
	}
	return entropy(body) >= floor && !exampleLike(body) && (digitsIn(body) > 0 || !wordy(body))
}

const base62 = digitChars + upperChars + lowerChars

// checksum62 is the CRC-32 (IEEE) of s in six base62 digits, as GitHub, npm and this server put it behind their tokens.
func checksum62(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	var digits [6]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = base62[sum%62]
		sum /= 62
	}
	return string(digits[:])
}

// githubChecked reports whether a token such as ghp_… ends in the checksum of the part behind its prefix.
func githubChecked(match string) bool {
	body := match[strings.IndexByte(match, '_')+1:]
	return len(body) > 6 && checksum62(body[:len(body)-6]) == body[len(body)-6:]
}

// interaiChecked is the rule of this server's own keys.
func interaiChecked(match string) bool {
	body := match[len("iai_"):]
	return checksum62(body[:len(body)-6]) == body[len(body)-6:]
}

var ownFamilies = []family{
	{
		name: "interai_key", placeholder: "INTERAI_API_KEY", tier: Structural,
		patterns: []string{"iai_{alnum:12}_{alnum:49}"},
		check:    interaiChecked,
		yes:      []string{"iai_{interai}"},
	},
}

var codeFamilies = []family{
	{
		name: "github_token", placeholder: "GITHUB_TOKEN", tier: Structural,
		patterns: []string{
			"ghp_{alnum:36-255}", "gho_{alnum:36-255}", "ghu_{alnum:36-255}", "ghs_{alnum:36-255}",
			"ghr_{alnum:36-255}",
		},
		check: githubChecked,
		yes:   []string{"ghp_{ghcrc:30}", "gho_{ghcrc:30}", "ghu_{ghcrc:30}", "ghs_{ghcrc:30}", "ghr_{ghcrc:70}"},
	},
	{
		name: "github_token_unchecked", placeholder: "GITHUB_TOKEN", tier: Weak,
		patterns: []string{
			"ghp_{alnum:36}", "gho_{alnum:36}", "ghu_{alnum:36}", "ghs_{alnum:36}", "ghr_{alnum:36-76}",
		},
	},
	{
		name: "github_fine_grained_token", placeholder: "GITHUB_TOKEN", tier: Structural,
		patterns: []string{"github_pat_{alnum:22}_{alnum:59}", "github_pat_{word:82}"},
	},
	{name: "gitlab_token", placeholder: "GITLAB_TOKEN", tier: Structural, patterns: []string{
		"glpat-{b64url:20-300}", "gldt-{b64url:20-64}", "glrt-{b64url:20-300}", "glrtr-{b64url:20-64}",
		"glptt-{hex:40}", "glcbt-{alnum:1-5}_{b64url:20-64}", "glft-{b64url:20-64}", "glffct-{b64url:20-64}",
		"glimt-{b64url:25-64}", "glagent-{b64url:50-64}", "gloas-{b64url:64}", "glsoat-{b64url:20-64}",
		"glwt-{b64url:20-64}", "GR1348941{b64url:20}", "glpat-{b64url:27-300}.{lownum:9}",
		"glrt-t{digits:1}_{b64url:27-300}.{lownum:9}", "glcbt-{alnum:1-5}_{b64url:20-300}.{lownum:9}",
	}},
	{
		name: "gitlab_session", placeholder: "SESSION_COOKIE", tier: Structural,
		patterns: []string{"_gitlab_session={hex:32}"},
	},
	{
		name: "bitbucket_token", placeholder: "BITBUCKET_TOKEN", tier: Structural,
		patterns: []string{"ATBB{alnum:32-48}", "ATCTT3xFf{b64dot:60-400}"},
	},
	{name: "npm_token", placeholder: "NPM_TOKEN", tier: Structural, patterns: []string{"npm_{alnum:36}"}},
	{
		name: "pypi_token", placeholder: "PYPI_TOKEN", tier: Structural,
		patterns: []string{"pypi-AgEIcHlwaS5vcmc{b64url:50-500}", "pypi-AgENdGVzdC5weXBpLm9yZw{b64url:50-500}"},
	},
	{
		name: "crates_token", placeholder: "CARGO_REGISTRY_TOKEN", tier: Structural,
		patterns: []string{"cio{alnum:32}", "crates_io_{alnum:32-64}"},
	},
	{
		name: "rubygems_token", placeholder: "RUBYGEMS_API_KEY", tier: Structural,
		patterns: []string{"rubygems_{hex:48}"},
	},
	{name: "nuget_key", placeholder: "NUGET_API_KEY", tier: Structural, patterns: []string{"oy2{lownum:43}"}},
	{
		name: "clojars_token", placeholder: "CLOJARS_TOKEN", tier: Structural,
		patterns: []string{"CLOJARS_{hex:60}", "CLOJARS_{lownum:60}"},
	},
	{name: "hex_pm_key", placeholder: "HEX_API_KEY", tier: Structural, patterns: []string{"hex_{Hex:32-64}"}},
	{
		name: "docker_hub_token", placeholder: "DOCKER_TOKEN", tier: Structural,
		patterns: []string{"dckr_pat_{b64url:27}", "dckr_oat_{b64url:27-32}"},
	},
	{
		name: "artifactory_token", placeholder: "ARTIFACTORY_TOKEN", tier: Structural,
		patterns: []string{"AKCp{alnum:69}", "cmVmdGtuOj{alnum:54}", "cmVmd{alnum:59}"},
	},
	{
		name: "buildkite_token", placeholder: "BUILDKITE_TOKEN", tier: Structural,
		patterns: []string{"bkua_{hex:40}", "bkaj_{b64url:20-200}", "bkat_{b64url:20-200}"},
	},
	{
		name: "circleci_token", placeholder: "CIRCLECI_TOKEN", tier: Structural,
		patterns: []string{"CCIPAT_{alnum:22}_{hex:40}", "CCIPRJ_{alnum:22}_{hex:40}"},
	},
	{
		name: "sonar_token", placeholder: "SONAR_TOKEN", tier: Structural,
		patterns: []string{"squ_{hex:40}", "sqp_{hex:40}", "sqa_{hex:40}"},
	},
	{
		name: "sourcegraph_token", placeholder: "SOURCEGRAPH_TOKEN", tier: Structural,
		patterns: []string{"sgp_{Hex:40}", "sgp_{Hex:16}_{Hex:40}", "sgp_local_{Hex:40}", "slk_{hex:64}"},
	},
	{
		name: "jetbrains_token", placeholder: "JETBRAINS_TOKEN", tier: Structural,
		patterns: []string{"perm:{b64dot:20-200}", "perm-{b64url:10-60}.{b64url:10-60}.{b64url:10-60}"},
	},
	{
		name: "octopus_key", placeholder: "OCTOPUS_API_KEY", tier: Structural,
		patterns: []string{"API-{UPNUM:26-32}"},
		no:       []string{"API-REFERENCE-AND-DOCUMENTATION"},
	},
	{
		name: "harness_token", placeholder: "HARNESS_TOKEN", tier: Structural,
		patterns: []string{"pat.{b64url:22}.{alnum:24}.{alnum:20}", "sat.{b64url:22}.{alnum:24}.{alnum:20}"},
	},
	{name: "infracost_key", placeholder: "INFRACOST_API_KEY", tier: Structural, patterns: []string{"ico-{alnum:32}"}},
	{
		name: "scalingo_token", placeholder: "SCALINGO_TOKEN", tier: Structural,
		patterns: []string{"tk-us-{b64url:48}", "tk-eu-{b64url:48}"},
	},
	{
		name: "settlemint_token", placeholder: "SETTLEMINT_TOKEN", tier: Structural,
		patterns: []string{"sm_aat_{alnum:16}", "sm_pat_{alnum:16}", "sm_sat_{alnum:16}"},
	},
	{
		name: "prefect_key", placeholder: "PREFECT_API_KEY", tier: Structural,
		patterns: []string{"pnu_{alnum:36}", "pnb_{alnum:36}"},
	},
	{name: "readme_key", placeholder: "README_API_KEY", tier: Structural, patterns: []string{"rdme_{lownum:70}"}},
	{name: "cloudsmith_key", placeholder: "CLOUDSMITH_API_KEY", tier: Structural, patterns: []string{"csa_{hex:40}"}},
	{
		name: "expo_token", placeholder: "EXPO_TOKEN", tier: Weak,
		patterns: []string{"ExponentPushToken[{b64url:20-30}]"},
	},
	{
		name: "snyk_token", placeholder: "SNYK_TOKEN", tier: Structural,
		patterns: []string{"snyk_uat.{hex:8}.{b64url:20-400}", "snyk_sat.{hex:8}.{b64url:20-400}"},
	},
	{
		name: "intra42_secret", placeholder: "CLIENT_SECRET", tier: Structural,
		patterns: []string{"s-s4t2ud-{hex:64}", "s-s4t2af-{hex:64}"},
	},
	{
		name: "mergify_key", placeholder: "MERGIFY_TOKEN", tier: Weak,
		patterns: []string{"mergify_application_key_{b64url:30-80}"},
	},
	{
		name: "semaphore_dagster_token", placeholder: "DAGSTER_TOKEN", tier: Structural,
		patterns: []string{"user:{hex:32}:{b64url:20-60}"},
	},
}
