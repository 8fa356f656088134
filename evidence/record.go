package evidence

import (
	"context"
	"encoding/json"
	"errors"

	"interai/store"
)

// record appends one evidence row to a target through the group commit, and answers its ID. judgment is nil for a use.
func (s *Service) record(ctx context.Context, call *Call, target store.ID, evidence store.Evidence, judgment *judgment) (*RecordOutput, error) {
	id, err := store.NewID(evidence.Kind.IDKind())
	if err != nil {
		return nil, err
	}
	named := evidence
	named.Target = target
	requestDigest, err := digest(call.Tool, judgment.digestOf(named))
	if err != nil {
		return nil, err
	}
	evidence.ID, evidence.Actor = id.UUID, call.Actor
	request := &request{
		call: call, digest: requestDigest, target: target, judgment: judgment, evidence: evidence,
		answer: func(resolved store.ID) *RecordOutput {
			out := &RecordOutput{ID: id.String()}
			if resolved.Kind == store.KindRevision {
				out.TargetRevision = resolved.String()
			}
			return out
		},
	}
	return s.submit(ctx, request)
}

// retract appends the retraction of one of the caller's own records.
func (s *Service) retract(ctx context.Context, call *Call, kind store.EvidenceKind, text string) (*RecordOutput, error) {
	record, err := store.ParseID(text)
	if err != nil || record.Kind != kind.IDKind() {
		return nil, invalidTarget("retract", "a "+string(kind.IDKind())+"_ record")
	}
	requestDigest, err := digest(call.Tool, struct{ Retract string }{record.String()})
	if err != nil {
		return nil, err
	}
	id, err := store.NewID(kind.IDKind())
	if err != nil {
		return nil, err
	}
	return s.submit(ctx, &request{
		call: call, digest: requestDigest, retracts: record,
		evidence: store.Evidence{Kind: store.EvidenceRetraction, ID: id.UUID, Actor: call.Actor, Retracts: record.UUID},
		answer: func(resolved store.ID) *RecordOutput {
			out := &RecordOutput{ID: record.String(), Status: statusRetracted}
			if resolved.Kind == store.KindRevision {
				out.TargetRevision = resolved.String()
			}
			return out
		},
	})
}

// statusRetracted is the status of a record that its author took back.
const statusRetracted = "retracted"

// submit hands a request to the committer, waits for what became of it, and for trust if the caller wants that.
func (s *Service) submit(ctx context.Context, r *request) (*RecordOutput, error) {
	if r.call.ReplayOnly {
		replay, err := s.stored(ctx, r.call)
		if err != nil {
			return nil, err
		}
		return s.replayed(ctx, r, replay)
	}
	result, err := s.settle(ctx, r)
	if errors.Is(err, store.ErrOutcomeUnknown) {
		result.replay, err = s.resolveOutcome(ctx, r.call, store.Claim{
			IdempotencyKey: r.key(), Digest: r.digest, CorrelationID: r.call.ID, Answer: json.RawMessage("{}"),
		})
	}
	if err != nil {
		return nil, readable(err)
	}
	if result.replay != nil {
		return s.replayed(ctx, r, result.replay)
	}
	if result.written {
		r.call.Committed()
	}
	s.await(ctx, r.call, result.target, result.seq)
	return result.output, nil
}

// replayed answers what the first write under the key answered, and waits for trust if the caller wants that.
func (s *Service) replayed(ctx context.Context, r *request, replay *store.Replay) (*RecordOutput, error) {
	out, err := decodeReplay[RecordOutput](r.call, replay, r.digest)
	if err != nil {
		return nil, err
	}
	if r.call.Wait > 0 {
		if target, seq, err := s.db.EvidencePosition(ctx, out.ID, out.Status == statusRetracted); err == nil {
			s.await(ctx, r.call, target, seq)
		}
	}
	return out, nil
}
