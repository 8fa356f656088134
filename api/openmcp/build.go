package openmcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"interai/api/ops"
)

// Site says what a document cannot learn of the registry.
type Site struct {
	// URL is the server's address without a path, such as https://inter-ai.example.
	URL string
	// Version is that of the program.
	Version string
	// Issuer is the OpenID issuer whose access tokens are accepted, "" for none. Audience is what they must be for.
	Issuer, Audience string
	// Scopes are all scopes of credentials.
	Scopes []string
	// Documents are the paths of what else explains the server, each of which is served.
	Documents []string
	// Revisions are the revisions of MCP that are negotiated.
	Revisions []string
	// Metrics are the names of metrics that /metrics shows.
	Metrics []string
	// WritesPerHour is how many writes a party may make in an hour.
	WritesPerHour int
}

// endpoint is the path of the MCP endpoint.
const endpoint = "/mcp"

// description is what the server is for.
const description = "Inter-AI is a shared, traceable experience layer: what works gains trust, what fails loses trust, contradictions stay visible."

// Build writes the document of a server: what its registry offers at a site. The same registry and site give the same bytes.
func Build(registry *ops.Registry, site Site) ([]byte, error) {
	if registry == nil {
		return nil, errors.New("build the OpenMCPSpec document: the registry is missing")
	}
	kinds, err := ops.ErrorKinds()
	if err != nil {
		return nil, fmt.Errorf("build the OpenMCPSpec document: %w", err)
	}
	failure, err := ops.ErrorSchema()
	if err != nil {
		return nil, fmt.Errorf("build the OpenMCPSpec document: %w", err)
	}
	server, err := serverOf(site)
	if err != nil {
		return nil, fmt.Errorf("build the OpenMCPSpec document: %w", err)
	}
	operations := registry.Operations()
	d := Document{
		OpenMCPSpec: Version,
		Info:        Info{Title: "Inter-AI", Version: site.Version, Description: description},
		Server:      *server, Envelope: envelopes(operations), Intents: []Intent{},
		Enumeration: enumerationOf(operations), Lifecycle: lifecycleOf(site), Testing: testing(), Analytics: analyticsOf(site),
		Errors: failures(kinds), Definitions: definitionsOf(failure),
	}
	for _, op := range operations {
		intent, err := intentOf(op, site)
		if err != nil {
			return nil, fmt.Errorf("build the OpenMCPSpec document: %s: %w", op.Spec().Name, err)
		}
		d.Intents = append(d.Intents, intent)
	}
	return d.encode()
}

// encode writes a document with its members in the order of the specification.
func (d *Document) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("encode the OpenMCPSpec document: %w", err)
	}
	return b.Bytes(), nil
}

func serverOf(site Site) (*Server, error) {
	s, err := located(site.URL)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(site.URL, "/")
	s.Name, s.BasePath, s.Transport, s.Revisions = "inter-ai", endpoint, "streamable-http", site.Revisions
	s.Endpoints = []string{base + endpoint}
	for _, path := range append(slices.Clone(site.Documents), Path) {
		s.Endpoints = append(s.Endpoints, base+path)
	}
	s.Auth = &Auth{Methods: []string{}, TokenScopes: site.Scopes, Ours: []string{"bearer_api_key"}}
	if site.Issuer != "" {
		s.Auth.Methods, s.Auth.Audience, s.Auth.Issuer = []string{"jwt"}, site.Audience, site.Issuer
	}
	return s, nil
}

// located reads the place of a server out of its address.
func located(address string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("the address is not an absolute URL")
	}
	s := &Server{Hostname: u.Hostname(), Protocol: u.Scheme}
	switch {
	case u.Port() != "":
		if s.Port, err = strconv.Atoi(u.Port()); err != nil || s.Port > 65535 {
			return nil, errors.New("the port of the address is not a number up to 65535")
		}
	case u.Scheme == "https":
		s.Port = 443
	case u.Scheme == "http":
		s.Port = 80
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the address is neither http nor https")
	}
	return s, nil
}
