package antiabuse

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Identifiers of works: the same work on two hosts is one family.
var (
	doiPath   = regexp.MustCompile(`(?i)^/(?:doi/(?:abs/|full/|pdf/)?)?(10\.[0-9]{4,9}/[^\s?#]{1,200})$`)
	arxivPath = regexp.MustCompile(`(?i)^/(?:abs|pdf|html)/([a-z-]{0,20}/?[0-9]{4}\.?[0-9]{3,5})(?:v[0-9]{1,3})?(?:\.pdf)?$`)
	rfcPath   = regexp.MustCompile(`(?i)/rfc([0-9]{1,5})(?:\.[a-z]{2,4})?$`)
	cvePath   = regexp.MustCompile(`(?i)(cve-[0-9]{4}-[0-9]{4,7})`)
	pmidPath  = regexp.MustCompile(`^/(?:pubmed/)?([0-9]{1,9})$`)
)

// family is the voice that a place speaks with.
func family(host, path string) string {
	if id := identifier(host, path); id != "" {
		return id
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		domain = host
	}
	if account := account(domain, host, path); account != "" {
		return account
	}
	if isStackExchange(domain) {
		return "stackexchange.com"
	}
	return domain
}

// RegisteredDomain is the part of a host name that somebody has registered, such as example.co.uk; "" for what is none.
func RegisteredDomain(host string) string {
	domain, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(strings.TrimSuffix(host, ".")))
	if err != nil {
		return ""
	}
	return domain
}

func identifier(host, path string) string {
	switch {
	case host == "arxiv.org" || host == "export.arxiv.org":
		return labelled("arxiv:", arxivPath.FindStringSubmatch(path))
	case host == "pubmed.ncbi.nlm.nih.gov" || strings.HasPrefix(path, "/pubmed/"):
		return labelled("pmid:", pmidPath.FindStringSubmatch(path))
	case host == "rfc-editor.org" || host == "datatracker.ietf.org" || host == "tools.ietf.org":
		return labelled("rfc:", rfcPath.FindStringSubmatch(path))
	case host == "nvd.nist.gov" || host == "cve.org" || host == "cve.mitre.org":
		return labelled("", cvePath.FindStringSubmatch(path))
	case strings.Contains(path, "10."):
		return labelled("doi:", doiPath.FindStringSubmatch(path))
	}
	return ""
}

func labelled(label string, match []string) string {
	if len(match) < 2 {
		return ""
	}
	return label + strings.ToLower(match[1])
}

// account is the family on a host where each account is a voice of its own: the first part of the path, or the
// sub-domain where accounts have one.
func account(domain, host, path string) string {
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	depth, byPath := accountDepth(domain)
	switch {
	case byPath && len(segments) >= depth:
		return domain + "/" + strings.ToLower(strings.Join(segments[:depth], "/"))
	case host != domain && (domain == "medium.com" || domain == "substack.com"):
		return host
	}
	return ""
}

// accountDepth is how many parts of the path name the account on a shared host.
func accountDepth(domain string) (depth int, known bool) {
	switch domain {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "medium.com", "dev.to", "huggingface.co":
		return 1, true
	case "npmjs.com", "pypi.org", "crates.io", "youtube.com":
		return 2, true
	}
	return 0, false
}

// isStackExchange knows the sites of one operator under many names.
func isStackExchange(domain string) bool {
	return slices.Contains([]string{
		"stackexchange.com", "stackoverflow.com", "serverfault.com", "superuser.com", "askubuntu.com", "mathoverflow.net",
	}, domain)
}
