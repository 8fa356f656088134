package trustmodel

// EpochTarget is all evidence about one target, as an epoch reads it.
type EpochTarget struct {
	Kind        TargetKind
	Author      PartyKey     // the party that wrote it; zero where nobody did, as with entities
	AuthorActor PartyKey     // the actor that wrote it; zero where nobody did
	Value       float64      // value published under the sealed epoch, share in [0, 1]
	Parties     []EpochParty // each party once, in any order
}

// EpochParty is what one party says about a target, with what the sealed epoch
// knows of the party.
type EpochParty struct {
	Key     PartyKey
	Weights Weights // of the sealed epoch; V decides whether it is established
	Track   Track   // of the sealed epoch
	Author  bool    // as in [Party]
	Actors  []EpochActor
}

// EpochActor is what one actor of a party says about the target.
type EpochActor struct {
	Key  PartyKey
	Bins []Bin // in any order; an index may come several times
}

// author returns the party that wrote the target, false if nobody did: then the
// target stands for itself. An entity is never anybody's work.
func (t *EpochTarget) author() (PartyKey, bool) {
	return t.Author, t.Kind != KindEntity && t.Author != PartyKey{}
}

// isBy tells whether p is the party that wrote the target.
func (t *EpochTarget) isBy(p *EpochParty) bool {
	author, written := t.author()
	return p.Author || written && p.Key == author
}
