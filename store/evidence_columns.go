package store

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// columns are the parallel arrays that one append statement takes: one element for each request. Nil is null.
type columns struct {
	target, id, actor, experience, basedOn, statedIn, retracts, call          []*uuid.UUID
	targetKind, kind, usageType, result, contextKey, verdict, dimension, note []*string
	tool, key, adapter, client, traceParent, summary                          []*string
	realWorld                                                                 []*bool
	metrics, context, answer, run, request                                    []json.RawMessage
	digest                                                                    [][]byte
	score, confidence                                                         []*float64
	duration                                                                  []*int64
	startedAt                                                                 []*time.Time
	// Sources have arrays of their own: one element for each source of each request.
	citing, source []uuid.UUID
	position       []int16
	title          []string
}

func columnsOf(appends []Append) []any {
	var c columns
	for i := range appends {
		c.addEvidence(&appends[i].Evidence)
		c.addClaim(&appends[i])
		c.addCall(&appends[i])
		c.addSources(&appends[i])
	}
	return []any{
		flat(c.target), flat(c.targetKind), flat(c.id), flat(c.kind), flat(c.actor),
		flat(c.usageType), flat(c.result), flat(c.realWorld), flat(c.metrics), flat(c.experience), flat(c.context), flat(c.contextKey),
		flat(c.verdict), flat(c.dimension), flat(c.score), flat(c.confidence), flat(c.basedOn), flat(c.note), flat(c.statedIn), flat(c.retracts),
		flat(c.tool), flat(c.key), flat(c.digest), flat(c.answer),
		flat(c.call), flat(c.adapter), flat(c.client), flat(c.run), flat(c.traceParent), flat(c.request), flat(c.summary), flat(c.duration), flat(c.startedAt),
		flat(c.citing), flat(c.position), flat(c.source), flat(c.title),
	}
}

func (c *columns) addEvidence(e *Evidence) {
	usage, rating := e.Kind == EvidenceUsage, e.Kind == EvidenceRating
	c.target = append(c.target, &e.Target.UUID)
	c.targetKind = append(c.targetKind, text(string(e.Target.Kind)))
	c.id = append(c.id, &e.ID)
	c.kind = append(c.kind, text(string(e.Kind)))
	c.actor = append(c.actor, &e.Actor.UUID)
	c.usageType = append(c.usageType, text(e.UsageType))
	c.result = append(c.result, text(e.Result))
	c.realWorld = append(c.realWorld, only(usage, &e.RealWorld))
	c.metrics = append(c.metrics, e.Metrics)
	c.experience = append(c.experience, nullable(e.Experience))
	c.context = append(c.context, e.Context)
	c.contextKey = append(c.contextKey, only(e.Context != nil, &e.ContextKey))
	c.verdict = append(c.verdict, text(e.Verdict))
	c.dimension = append(c.dimension, text(e.Dimension))
	c.score = append(c.score, only(rating, &e.Score))
	c.confidence = append(c.confidence, e.Confidence)
	c.basedOn = append(c.basedOn, nullable(e.BasedOn))
	c.note = append(c.note, text(e.Note))
	c.statedIn = append(c.statedIn, nullable(e.StatedIn))
	c.retracts = append(c.retracts, only(e.Kind == EvidenceRetraction, &e.Retracts))
}

func (c *columns) addClaim(a *Append) {
	var digest []byte
	var answer json.RawMessage
	var tool, key *string
	if a.Call != nil {
		tool = &a.Call.Tool
	}
	if a.Claim != nil {
		digest, answer = a.Claim.Digest[:], a.Claim.Answer
		tool, key = &a.Claim.Tool, &a.Claim.Key
	}
	c.digest = append(c.digest, digest)
	c.answer = append(c.answer, answer)
	c.tool = append(c.tool, tool)
	c.key = append(c.key, key)
}

// addCall adds the audit row. Without one the claim's correlation ID stands alone: a key is always tied to a call.
func (c *columns) addCall(a *Append) {
	call := a.Call
	if call == nil {
		call = &Call{}
		if a.Claim != nil {
			call.ID = a.Claim.CorrelationID
		}
	}
	micros := call.Duration.Microseconds()
	present := call.Adapter != ""
	c.call = append(c.call, only(call.ID != uuid.Nil, &call.ID))
	c.adapter = append(c.adapter, text(call.Adapter))
	c.client = append(c.client, only(present, &call.Client))
	c.run = append(c.run, call.Run)
	c.traceParent = append(c.traceParent, only(present, &call.TraceParent))
	c.request = append(c.request, call.Request)
	c.summary = append(c.summary, only(present, &call.Result))
	c.duration = append(c.duration, only(present, &micros))
	c.startedAt = append(c.startedAt, only(present, &call.StartedAt))
}

func (c *columns) addSources(a *Append) {
	for i, source := range a.Sources {
		c.citing = append(c.citing, a.Evidence.ID)
		c.position = append(c.position, int16(i))
		c.source = append(c.source, source.ID.UUID)
		c.title = append(c.title, source.Title)
	}
}

// text is null for the empty string.
func text(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}

// only is null unless the condition holds.
func only[T any](condition bool, value *T) *T {
	if !condition {
		return nil
	}
	return value
}

// flat lets the driver walk a column without reflection.
func flat[T any](column []T) pgtype.FlatArray[T] { return column }
