package store_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/trustmodel"
)

// Stored statistics are sums of strengths. A database of earlier constants is computed anew from its statistics, not
// from its evidence: whoever changes what a record's strength is must also see to it that statistics are made again,
// where the first version is renewed.
func TestTheStrengthsThatStatisticsAreMadeOfAreThoseOfOlderDatabases(t *testing.T) {
	t.Parallel()
	params := trustmodel.V1()
	made, err := json.Marshal(map[string]any{"strength": params.Strength, "verdicts": params.Verdicts})
	require.NoError(t, err)
	require.JSONEq(t, `{
		"strength": {"usage_real": 9, "usage_test": 2, "partial_outcome": 0.6, "review_grounded": 2, "review_ungrounded": 1,
			"assertion": 0.25, "confidence_min": 0.05, "confidence_missing": 0.7},
		"verdicts": {"confirmed": {"outcome": 1, "intensity": 1}, "mostly_correct": {"outcome": 0.8, "intensity": 0.8},
			"questionable": {"outcome": 0.35, "intensity": 0.5}, "misleading": {"outcome": 0.15, "intensity": 0.9},
			"contradicted": {"outcome": 0, "intensity": 1}, "false": {"outcome": 0, "intensity": 1}}}`, string(made))
}
