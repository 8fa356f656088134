package openmcp

import "interai/api/ops"

// Codes of OpenMCPSpec's taxonomy that our errors have.
const (
	codeInvalid     = "MCP-ERR-INVALID-REQUEST"
	codeAuth        = "MCP-ERR-AUTH-FAILED"
	codeQuota       = "MCP-ERR-QUOTA-EXCEEDED"
	codeNotFound    = "MCP-ERR-NOT-FOUND"
	codeUnsupported = "MCP-ERR-UNSUPPORTED"
)

// CodeOf is the code of OpenMCPSpec's taxonomy for one of ours. The taxonomy has no word for an internal error.
func CodeOf(code ops.Code) string {
	switch code {
	case ops.Unauthenticated, ops.ForbiddenScope:
		return codeAuth
	case ops.NotFound:
		return codeNotFound
	case ops.RateLimited:
		return codeQuota
	case ops.InvalidTarget, ops.InternalError:
		return codeUnsupported
	default:
		return codeInvalid
	}
}
