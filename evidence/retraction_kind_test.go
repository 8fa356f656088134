package evidence

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/store"
)

// TestARecordIsRetractedUnderItsOwnPrefixOnly: the prefix of an ID says which tool may retract it, so it must be the
// record's own.
func TestARecordIsRetractedUnderItsOwnPrefixOnly(t *testing.T) {
	t.Parallel()
	record, err := store.NewID(store.KindUsage)
	require.NoError(t, err)
	actor, err := store.NewID(store.KindAgent)
	require.NoError(t, err)
	target, err := store.NewID(store.KindRevision)
	require.NoError(t, err)
	r := &request{call: &Call{Actor: actor}, retracts: record}
	owner := store.RecordOwner{Target: target, Actor: actor.UUID, Kind: store.EvidenceUsage}
	require.Equal(t, outcome{}, retractionOutcome(r, owner))
	for _, kind := range []store.EvidenceKind{
		store.EvidenceReview, store.EvidenceRating, store.EvidenceAssertion, store.EvidenceRetraction,
	} {
		owner.Kind = kind
		var refusal *Error
		require.ErrorAs(t, retractionOutcome(r, owner).err, &refusal, "%s", kind)
		require.Equal(t, CodeNotFound, refusal.Code)
	}
}
