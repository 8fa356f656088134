package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"interai/api/auth"
	"interai/api/node"
	"interai/store"
)

// checkLocalKey looks whether the key that `interai clients` hands out is still good: no start replaces one that is not.
func checkLocalKey(ctx context.Context, db *database) finding {
	f := finding{Check: "local key", Advice: "make another with interai key create, and write it into " + node.CredentialsFile}
	local, err := node.ReadCredentials(db.config.DataDir)
	if errors.Is(err, fs.ErrNotExist) {
		return finding{Check: f.Check, OK: true, Detail: "none in this data directory"}
	}
	var key auth.Key
	if err == nil {
		key, err = auth.Parse(local.Key)
	}
	var stored []store.Key
	if err == nil {
		stored, err = db.Keys(ctx, store.ID{})
	}
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	at := slices.IndexFunc(stored, func(k store.Key) bool { return k.ID == key.ID() && key.Matches(k.Hash[:]) })
	switch {
	case at < 0:
		f.Detail = fmt.Sprintf("%s is not in this database", key)
	case stored[at].RevokedAt != nil:
		f.Detail = fmt.Sprintf("%s was revoked at %s", key, stored[at].RevokedAt.UTC().Format(time.RFC3339))
	case stored[at].ExpiresAt != nil && !stored[at].ExpiresAt.After(time.Now()):
		f.Detail = fmt.Sprintf("%s expired at %s", key, stored[at].ExpiresAt.UTC().Format(time.RFC3339))
	default:
		return finding{Check: f.Check, OK: true, Detail: fmt.Sprintf("%s of %s", key, stored[at].Actor)}
	}
	return f
}
