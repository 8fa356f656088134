package migrations

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServersBefore15AreRefused(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]string{
		90624:  "PostgreSQL 15 or newer is required: this one is 9",
		140022: "PostgreSQL 15 or newer is required: this one is 14",
		149999: "PostgreSQL 15 or newer is required: this one is 14",
	} {
		err := supported(version)
		require.ErrorIs(t, err, ErrOldServer)
		require.EqualError(t, err, want)
	}
	for _, version := range []int{150000, 150020, 180004, 200000} {
		require.NoError(t, supported(version))
	}
}
