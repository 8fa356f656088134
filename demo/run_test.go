package demo

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
)

func TestTheBuiltInWorldIsPlayedAndTrustSeesThroughPromoters(t *testing.T) {
	s := stack.Start(t)
	var out bytes.Buffer
	report, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Out: &out})
	require.NoError(t, err)
	t.Log(out.String())
	require.Positive(t, report.Seconds)
	t.Log(report.Seconds)
}
