//go:build !conformance

package mcp

import sdk "github.com/modelcontextprotocol/go-sdk/mcp"

// addFixtures adds nothing: what the conformance suite calls is not in a server that people run.
func (*Server) addFixtures(*sdk.Server) {}
