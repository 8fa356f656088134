package trustmodel

// TargetKind says what is being trusted; half-lives and one status rule depend
// on it.
type TargetKind uint8

// The three kinds of target. A revision is content.
const (
	KindContent TargetKind = iota
	KindClaim
	KindEntity
)

var kindNames = [...]string{KindContent: "content", KindClaim: "claim", KindEntity: "entity"}

// String returns the name of k, or "TargetKind(n)" for a value that is none of
// the three.
func (k TargetKind) String() string { return nameOf(kindNames[:], uint8(k), "TargetKind") }

// PartyKey identifies a party to the caller. The model never looks into it.
type PartyKey [16]byte

// Party is all evidence of one party, that is one root controller with all its
// actors, about one target. An [Input] has each party once: the model counts
// what it is given as distinct.
type Party struct {
	Key     PartyKey
	Weights Weights
	Author  bool  // wrote the target: of what it says only failed uses count
	Bins    []Bin // of all its actors, in any order; an index may come several times
}

// Input is everything that the trust of one target depends on.
type Input struct {
	Kind           TargetKind
	AsOfBin        int32 // the bin of the moment of evaluation, see BinOf; later bins have age 0
	Parties        []Party
	Carry          Carry
	Superseded     bool // a relation that is in effect says that something replaces the target
	IncorrectClaim bool // the target states a claim whose status is incorrect
}
