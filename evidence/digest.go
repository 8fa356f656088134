package evidence

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// digest names a request: the same tool and the same normalised input give the same 32 bytes. The key itself is
// not part of it.
func digest(tool string, normalised any) ([32]byte, error) {
	encoded, err := json.Marshal(normalised)
	if err != nil {
		return [32]byte{}, fmt.Errorf("encode the request: %w", err)
	}
	hash := sha256.New()
	hash.Write([]byte(tool))
	hash.Write([]byte{0})
	hash.Write(encoded)
	return [32]byte(hash.Sum(nil)), nil
}
