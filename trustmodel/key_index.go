package trustmodel

import "bytes"

// keyIndex numbers keys in the order in which they are met, so that what is
// kept about each of them can lie in slices.
type keyIndex struct {
	numbers map[PartyKey]int32
	keys    []PartyKey
}

func newKeyIndex() keyIndex { return keyIndex{numbers: map[PartyKey]int32{}} }

// number returns the number of key, the next one if key is new.
func (x *keyIndex) number(key PartyKey) int32 {
	if n, known := x.numbers[key]; known {
		return n
	}
	n := int32(len(x.keys))
	x.numbers[key] = n
	x.keys = append(x.keys, key)
	return n
}

func compareKeys(a, b PartyKey) int { return bytes.Compare(a[:], b[:]) }
