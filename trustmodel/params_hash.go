package trustmodel

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Hash identifies the parameter set: the SHA-256 of its canonical JSON, in
// hexadecimal. Published trust carries it, so that it can be told which
// constants made a number. It panics on numbers that JSON cannot hold, which
// Validate refuses.
func (p Params) Hash() string {
	canonical, err := p.canonical()
	if err != nil {
		panic(fmt.Sprintf("trustmodel: hash of invalid parameters: %v", err))
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

// canonical returns p as JSON with sorted keys and no space, so that moving a
// field in the source does not change the hash.
func (p Params) canonical() ([]byte, error) {
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encode parameters: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // keeps each number as it was written
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		return nil, fmt.Errorf("decode parameters: %w", err)
	}
	sorted, err := json.Marshal(tree) // maps are written in key order
	if err != nil {
		return nil, fmt.Errorf("encode sorted parameters: %w", err)
	}
	return sorted, nil
}
