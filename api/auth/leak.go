package auth

import (
	"context"
	"fmt"

	"interai/store"
)

// RevokeLeaked revokes a key of ours that was found in content. What has not a key's form and checksum, or is not a
// live key, changes nothing. It answers whose key it was.
func RevokeLeaked(ctx context.Context, db *store.Store, text string) (owner store.ID, revoked bool, err error) {
	key, err := Parse(text)
	if err != nil {
		return store.ID{}, false, nil //nolint:nilerr // what is no key of ours concerns nobody here
	}
	owner, revoked, err = db.RevokeLeaked(ctx, key.ID(), key.Hash())
	if err != nil {
		return store.ID{}, false, fmt.Errorf("revoke a leaked key: %w", err)
	}
	return owner, revoked, nil
}
