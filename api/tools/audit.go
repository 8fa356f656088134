package tools

import (
	"context"

	"interai/api/ops"
	"interai/evidence"
)

// Auditor records the calls that no transaction has audited, through the domain's audit log.
type Auditor struct{ log *evidence.AuditLog }

// NewAuditor makes the auditor.
func NewAuditor(log *evidence.AuditLog) Auditor { return Auditor{log: log} }

// Audit hands an entry over. It waits while the log's buffer is full, and never drops one.
func (a Auditor) Audit(ctx context.Context, entry ops.Entry) { a.log.Record(ctx, row(entry)) }
