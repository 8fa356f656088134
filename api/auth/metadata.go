package auth

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// MetadataPath is where the metadata of the resource at the root is (RFC 9728, section 3.1); that of /mcp is below it.
const MetadataPath = "/.well-known/oauth-protected-resource"

// ResourceMetadata says to OAuth clients which authorization server protects this resource (RFC 9728, section 2).
type ResourceMetadata struct {
	Resource      string   `json:"resource"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []string `json:"scopes_supported"`
	Methods       []string `json:"bearer_methods_supported"`
	Name          string   `json:"resource_name"`
	Documentation string   `json:"resource_documentation,omitempty"`
}

// NewResourceMetadata describes a resource that takes tokens in the Authorization header alone.
func NewResourceMetadata(resource, issuer, documentation string, scopes []string) ResourceMetadata {
	return ResourceMetadata{
		Resource: resource, Servers: []string{issuer}, Scopes: scopes, Methods: []string{"header"}, Name: "Inter-AI",
		Documentation: documentation,
	}
}

// Handler serves the document, to scripts of any origin as well: it is public and the same for everybody.
func (m ResourceMetadata) Handler() (http.Handler, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode the metadata of the resource: %w", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(body) // the client may be gone; there is nobody else to tell
	}), nil
}
