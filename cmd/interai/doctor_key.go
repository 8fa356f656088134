package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	var found store.Credential
	if err == nil {
		found, err = db.Credential(ctx, key.ID())
	}
	stored := found.Key
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && !key.Matches(stored.Hash[:]):
		f.Detail = fmt.Sprintf("%s is not in this database", key)
	case err != nil:
		f.Detail = err.Error()
	case stored.RevokedAt != nil:
		f.Detail = fmt.Sprintf("%s was revoked at %s", key, stored.RevokedAt.UTC().Format(time.RFC3339))
	case stored.ExpiresAt != nil && !stored.ExpiresAt.After(time.Now()):
		f.Detail = fmt.Sprintf("%s expired at %s", key, stored.ExpiresAt.UTC().Format(time.RFC3339))
	default:
		return finding{Check: f.Check, OK: true, Detail: fmt.Sprintf("%s of %s", key, stored.Actor)}
	}
	return f
}
