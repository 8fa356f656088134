package openmcp

import (
	"slices"

	"interai/api/ops"
)

// An example of a call, in the form of the envelope.
const (
	exampleID    = "req-0001"
	exampleKey   = "usage-0001"
	exampleTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	// exampleTarget is a valid ID of nothing.
	exampleTarget = "cnt_01h2xcejqtf2nbrexx3vqjhp41"
)

// maxEnvelopeBytes and maxDeadlineMS are the bounds that the server holds envelopes to.
const (
	maxEnvelopeBytes = 256
	maxDeadlineMS    = 3_600_000
)

// envelopes say how section 4 is carried in MCP. Chunks of streams are not used: an answer comes in one piece.
func envelopes(operations []ops.Operation) *Envelopes {
	at := "_meta[\"" + ops.EnvelopeMember + "\"]."
	intent, parameters := exampleCall(operations)
	return &Envelopes{
		Request: RequestEnvelope{
			ID: exampleID, Intent: intent, Parameters: parameters,
			DeadlineMS: int(ops.DefaultReadDeadline.Milliseconds()), IdempotencyKey: exampleKey, TraceID: exampleTrace,
		},
		Response: ResponseEnvelope{ID: exampleID, Status: ops.StatusSuccess, Data: map[string]any{}, TraceID: exampleTrace},
		Binding: map[string]string{
			"request.id":              "params." + at + "id",
			"request.intent":          "params.name",
			"request.parameters":      "params.arguments",
			"request.deadline_ms":     "params." + at + "deadline_ms; it shortens the server's own deadline and never extends it",
			"request.idempotency_key": "params.arguments.idempotency_key or params." + at + "idempotency_key; two different ones are refused",
			"request.trace_id":        "params." + at + "trace_id, or a W3C traceparent in params._meta.traceparent",
			"response.id":             "result." + at + "id",
			"response.status":         "result." + at + "status; partial means that a body was cut and next_cursor goes on",
			"response.data":           "result.structuredContent",
			"response.error":          "result.structuredContent.error, with result.isError",
			"response.trace_id":       "result." + at + "trace_id",
		},
		Schemas: map[string]any{"request": requestSchema(), "response": responseSchema()},
	}
}

// exampleCall is report_usage where it is offered, else the first operation without arguments.
func exampleCall(operations []ops.Operation) (string, map[string]any) {
	for _, op := range operations {
		if op.Spec().Name == "report_usage" {
			return "report_usage", map[string]any{"target": exampleTarget, "result": "success"}
		}
	}
	if len(operations) == 0 {
		return "none", map[string]any{}
	}
	return operations[0].Spec().Name, map[string]any{}
}

// requestSchema is what is read of an envelope; members that it does not name are ignored.
func requestSchema() *ops.Schema {
	one, longest, bytes, key := 1.0, float64(maxDeadlineMS), 1, maxEnvelopeBytes
	return &ops.Schema{Type: "object", Properties: []ops.Property{
		{Name: "id", Schema: &ops.Schema{Type: "string", MinLength: &bytes, MaxLength: &key, Description: "Kept in the audit row and repeated in the answer; printable characters, at most 256 bytes."}},
		{Name: "deadline_ms", Schema: &ops.Schema{Type: "integer", Minimum: &one, Maximum: &longest, Description: "Milliseconds from the call's arrival to its answer."}},
		{Name: "idempotency_key", Schema: &ops.Schema{Type: "string", MinLength: &bytes, Description: "As the argument idempotency_key of writes."}},
		{Name: "trace_id", Schema: &ops.Schema{Type: "string", MinLength: &bytes, MaxLength: &key, Description: "Kept and repeated like id; a W3C traceparent is also the call's own, if it has no other."}},
	}}
}

// responseSchema is what answers an envelope.
func responseSchema() any {
	type members struct {
		ID     *ops.Schema `json:"id"`
		Status *ops.Schema `json:"status"`
		Trace  *ops.Schema `json:"trace_id"`
		Error  reference   `json:"error"`
	}
	return struct {
		Type       string   `json:"type"`
		Properties members  `json:"properties"`
		Required   []string `json:"required"`
	}{"object", members{
		&ops.Schema{Type: "string"}, &ops.Schema{Type: "string", Enum: []string{ops.StatusSuccess, ops.StatusError, ops.StatusPartial}},
		&ops.Schema{Type: "string"},
		reference{envelopeRef},
	}, []string{"status"}}
}

func enumerationOf(operations []ops.Operation) Enumeration {
	e := Enumeration{
		Enabled: true, Filters: &Filters{Categories: []string{}, Roles: roles()},
		Pagination: &Pagination{Limit: len(operations)},
		Versioning: &Versioning{SchemaVersion: Version, Compatibility: "extensions begin with x_; everything else is of 0.4.1", MigrationPaths: []string{
			"v1 find_entities, get_best_content, get_alternatives -> search", "v1 submit_feedback -> report_usage, review, rate or publish with a relation",
		}},
		Tags:    []string{"mcp", "shared-experience", "knowledge", "trust", "provenance", "search"},
		Groups:  []string{string(ops.Read), string(ops.Write)},
		Members: map[string][]string{},
	}
	for _, op := range operations {
		spec := op.Spec()
		e.Members[string(spec.Effect)] = append(e.Members[string(spec.Effect)], spec.Name)
		if c := categoryOf(spec); !slices.Contains(e.Filters.Categories, c) {
			e.Filters.Categories = append(e.Filters.Categories, c)
		}
	}
	slices.Sort(e.Filters.Categories)
	return e
}

// Changelog lists the headings of the program's changelog; a test compares.
func Changelog() []string { return []string{"Unreleased"} }

func lifecycleOf(site Site) *Lifecycle {
	l := &Lifecycle{Changelog: Changelog(), Compatibility: "MCP over Streamable HTTP and stdio"}
	if n := len(site.Revisions); n > 0 {
		l.Compatibility += ", revisions " + site.Revisions[n-1] + " to " + site.Revisions[0]
	}
	return l
}

// testing names tests of the program; a test looks whether all of them are there.
func testing() *Testing {
	return &Testing{
		MockData: map[string]any{"command": "interai demo", "description": "Plays a small world through MCP, and removes it again with --remove."},
		ValidationCases: []string{
			"TestBoundaryValuesAreJudgedAsTheExecutorDoes", "TestEveryCodeIsSentAsItIsDescribed", "TestAWrongEnvelopeIsRefusedAtItsPlace",
			"TestEveryErrorIsInBand", "TestDecodeListsAllProblemsAtOnce",
		},
		BDDCases: []string{"TestTheWholeWorkflowOnTwoNodes", "TestPublishUseAndGetMoveTrust", "TestAKilledServerLosesNothingAndCountsNothingTwice"},
		ConformanceTests: []string{
			"TestTheDocumentIsValid", "TestPublishedExamplesHaveTheKnownErrors", "TestEveryOperationWithEveryScopeAndEveryCredential",
			"TestACallGoesThroughInBothEras",
		},
	}
}

func analyticsOf(site Site) *Analytics {
	return &Analytics{
		Logging: true, Metrics: append([]string{}, site.Metrics...), MonitoringHooks: []string{"prometheus", "audit rows in mcp_calls"},
		TraceIDs: true, UsageQuota: site.WritesPerHour, QuotaUnit: "writes of a party in an hour",
		ReadDeadline: ops.DefaultReadDeadline.Milliseconds(), WriteDeadline: ops.DefaultWriteDeadline.Milliseconds(),
	}
}
