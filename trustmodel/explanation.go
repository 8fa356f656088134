package trustmodel

import (
	"cmp"
	"math"
	"slices"
)

// Explanation says what a snapshot is made of. Support and contradiction are in
// parties after all caps, so they add up: the prior and all signals give Alpha and
// Beta, and so do the prior and all parties. Effects add up to Value minus the
// mean of the prior: with a and b of a part, and a0 the prior's mean,
//
//	effect = (a·(1-a0) - b·a0) / (alpha+beta)
type Explanation struct {
	Kind     string        `json:"kind"`
	AsOfBin  int32         `json:"as_of_bin"` // whole 30-day bins since the Unix epoch
	Snapshot Snapshot      `json:"figures"`
	Prior    PriorShare    `json:"prior"`
	Signals  []SignalShare `json:"signals"`
	Parties  []PartyShare  `json:"parties"` // those of the greatest effect, without names
	Others   GroupShare    `json:"other_parties"`
	Caps     []CapShare    `json:"caps"`
	Decay    DecayShare    `json:"decay"`
	Rules    []Rule        `json:"rules"`
	Next     *Rule         `json:"next,omitempty"` // what is missing for the next better status
}

// PriorShare is the belief before any evidence.
type PriorShare struct {
	Mean  float64 `json:"mean"`
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// SignalShare is what one sort of evidence gives.
type SignalShare struct {
	Signal        string  `json:"signal"`
	Standing      string  `json:"standing"`      // established, newcomers or carried
	Parties       int     `json:"parties"`       // that have any of it
	Support       float64 `json:"support"`       // parties
	Contradiction float64 `json:"contradiction"` // parties
	Effect        float64 `json:"effect"`
}

// PartyShare is what one party gives.
type PartyShare struct {
	No          int     `json:"no"`
	Standing    string  `json:"standing"`               // established or newcomer
	Role        string  `json:"role,omitempty"`         // author or stater: its support counts nothing, or only as an assertion
	Controllers int     `json:"controllers"`            // root controllers that count as one
	Agents      int     `json:"agents"`                 // actors with records
	Records     int64   `json:"records"`                // active records
	Identity    float64 `json:"identity"`               // v0
	V           float64 `json:"distinctness"`           // v
	Plus        float64 `json:"weight_support"`         // w+
	Minus       float64 `json:"weight_contradiction"`   // w-
	Credits     float64 `json:"credits"`                // n, of its track
	Belief      float64 `json:"belief"`                 // mass
	Disbelief   float64 `json:"disbelief"`              // mass
	Stance      string  `json:"stance"`                 // supports, contradicts, mixed or not_counted
	Kept        float64 `json:"strength_kept_with_age"` // share of its strength that age has left
	GroupShare
}

// GroupShare is what several parties, or one, give together.
type GroupShare struct {
	Parties       int     `json:"parties,omitempty"`
	Support       float64 `json:"support"`       // parties
	Contradiction float64 `json:"contradiction"` // parties
	Effect        float64 `json:"effect"`
}

// CapShare is one cap: what went in, what came out.
type CapShare struct {
	Cap    string  `json:"cap"`
	Limit  float64 `json:"limit"`  // parties
	Before float64 `json:"before"` // parties
	After  float64 `json:"after"`  // parties
	Why    string  `json:"why"`
}

// DecayShare is how much strength age has left.
type DecayShare struct {
	Made float64 `json:"made"` // strength of all records when they were made
	Kept float64 `json:"kept"` // strength of them now
}

// ExplainedParty is a party with what is told about it beside its evidence.
type ExplainedParty struct {
	Party

	Controllers, Agents int
	Credits             float64
}

// Explained is what an explanation is made of: the input of a snapshot, with what
// is known of its parties.
type Explained struct {
	Kind    TargetKind
	AsOfBin int32
	Parties []ExplainedParty
	Carry   Carry
	Flags   Flags // Outdated is the model's to set
	Shown   int   // parties to list, the others are summed up
}

// Explain computes a snapshot anew and says what it is made of.
func (m *Model) Explain(in Explained) Explanation {
	var t Tally
	for i := range in.Parties {
		m.Add(&t, in.Kind, in.AsOfBin, &in.Parties[i].Party)
	}
	s := m.Evaluate(in.Kind, &t, in.Carry, in.Flags)
	p := &m.params.Prior
	e := Explanation{
		Kind: in.Kind.String(), AsOfBin: in.AsOfBin, Snapshot: s,
		Prior: PriorShare{Mean: p.Mean, Alpha: float64(p.Strength * p.Mean), Beta: float64(p.Strength * (1 - p.Mean))},
		Caps:  m.caps(&t.All, &s),
		Rules: m.Rules(in.Kind, &s),
	}
	e.Next = m.nextRule(in.Kind, &s)
	x := explaining{
		model: m, in: &in, snapshot: &s,
		established: m.familyFactors(&t.All, true), newcomers: m.familyFactors(&t.All, false),
	}
	for i := range in.Parties {
		x.add(&in.Parties[i])
	}
	x.addCarry()
	e.Signals, e.Decay = x.signals(), x.decay
	e.Parties, e.Others = x.listed()
	return e
}

// explaining adds up shares party by party.
type explaining struct {
	model    *Model
	in       *Explained
	snapshot *Snapshot
	// factors of source families
	established, newcomers map[string]float64
	shares                 map[signalKey]*SignalShare
	parties                []keyedShare
	decay                  DecayShare
}

type signalKey struct{ signal, standing string }

type keyedShare struct {
	key   PartyKey
	share PartyShare
}

// The signals, in the order in which they are listed.
const (
	signalUsage      = "use"
	signalGrounded   = "reviews that rest on own use"
	signalUngrounded = "other reviews"
	signalAsserted   = "statements of the claim elsewhere"
	signalCarried    = "the revision before"
)

var signalOrder = []string{signalUsage, signalGrounded, signalUngrounded, signalAsserted, signalCarried}

// sides are support and contradiction.
type sides struct{ plus, minus float64 }

func (s sides) scaled(plus, minus float64) sides {
	return sides{float64(s.plus * plus), float64(s.minus * minus)}
}

func (s sides) joined(o sides) sides { return sides{s.plus + o.plus, s.minus + o.minus} }

// add enters one party: what it gives by signal, after its weights and all caps.
func (x *explaining) add(p *ExplainedParty) {
	m := x.model
	raw := m.rawStrengths(&p.Party, x.in.Kind, x.in.AsOfBin)
	x.decay.Made += raw.made
	x.decay.Kept += raw.kept
	s := p.strengthsOf(m.classesOf(x.in.Kind), x.in.AsOfBin)
	w := p.Weights
	established := w.V >= m.params.Identity.Established
	share := PartyShare{
		Standing: "newcomer", Role: p.role().String(), Controllers: p.Controllers, Agents: p.Agents, Records: raw.records,
		Identity: w.Identity, V: w.V, Plus: w.Plus, Minus: w.Minus, Credits: p.Credits, Stance: notCounted.String(),
	}
	if established {
		share.Standing = "established"
	}
	if raw.made > 0 {
		share.Kept = raw.kept / raw.made
	}
	if s.isEmpty() {
		if raw.records > 0 {
			x.parties = append(x.parties, keyedShare{p.Key, share})
		}
		return
	}
	o := s.opinion()
	share.Belief, share.Disbelief = o.plus(), o.minus()
	channel := x.snapshot.Totals.CapU
	ungrounded, families := channel, x.newcomers
	if established {
		families = x.established
		channel, ungrounded = 1, x.snapshot.Totals.CapR
		share.Stance = m.stance(&o, w).String()
	}
	var sum sides
	for signal, part := range x.split(&s, &o, raw, families) {
		k := channel
		if signal == signalUngrounded || signal == signalAsserted {
			k = ungrounded
		}
		part = part.scaled(w.Plus, w.Minus).scaled(k, k).scaled(x.snapshot.Totals.CapG, x.snapshot.Totals.CapG)
		x.enter(signal, share.Standing, part)
		sum = sum.joined(part)
	}
	share.GroupShare = x.group(sum)
	x.parties = append(x.parties, keyedShare{p.Key, share})
}

// split divides an opinion by signal, as the strengths behind it divide, and
// applies the caps of source families.
func (x *explaining) split(s *strengths, o *opinion, raw rawStrengths, families map[string]float64) map[string]sides {
	out := map[string]sides{}
	use := sides{ratio(raw.usagePos, raw.usagePos+raw.reviewPos), ratio(raw.usageNeg, raw.usageNeg+raw.reviewNeg)}
	grounded := sides{o.groundedPlus, o.groundedMinus}
	out[signalUsage] = grounded.scaled(use.plus, use.minus)
	out[signalGrounded] = grounded.scaled(1-use.plus, 1-use.minus)
	asserted := float64(o.perUngrounded * float64(s.asserted))
	rest := sides{o.ungroundedPlus - asserted, o.ungroundedMinus}
	for _, f := range s.families {
		k := families[f.family]
		part := sides{float64(o.perUngrounded * float64(f.pos)), float64(o.perUngrounded * float64(f.neg))}
		rest = rest.joined(part.scaled(k-1, k-1))
	}
	out[signalUngrounded], out[signalAsserted] = rest, sides{plus: asserted}
	for signal, part := range out {
		if part == (sides{}) {
			delete(out, signal)
		}
	}
	return out
}

func (x *explaining) addCarry() {
	t := &x.snapshot.Totals
	if part := (sides{t.CarryPlus, t.CarryMinus}); part != (sides{}) {
		x.enter(signalCarried, "carried", part)
	}
}

func (x *explaining) enter(signal, standing string, part sides) {
	if x.shares == nil {
		x.shares = map[signalKey]*SignalShare{}
	}
	key := signalKey{signal, standing}
	share := x.shares[key]
	if share == nil {
		share = &SignalShare{Signal: signal, Standing: standing}
		x.shares[key] = share
	}
	share.Parties++
	share.Support += part.plus
	share.Contradiction += part.minus
}

func (x *explaining) signals() []SignalShare {
	out := []SignalShare{}
	for _, share := range x.shares {
		share.Effect = x.effect(sides{share.Support, share.Contradiction})
		out = append(out, *share)
	}
	slices.SortFunc(out, func(a, b SignalShare) int {
		return cmp.Or(
			cmp.Compare(slices.Index(signalOrder, a.Signal), slices.Index(signalOrder, b.Signal)),
			cmp.Compare(a.Standing, b.Standing))
	})
	return out
}

// listed are the parties of the greatest effect, and the others summed up.
func (x *explaining) listed() ([]PartyShare, GroupShare) {
	slices.SortFunc(x.parties, func(a, b keyedShare) int {
		return cmp.Or(cmp.Compare(math.Abs(b.share.Effect), math.Abs(a.share.Effect)), slices.Compare(a.key[:], b.key[:]))
	})
	shown := min(max(x.in.Shown, 0), len(x.parties))
	out := make([]PartyShare, shown)
	for i := range out {
		out[i] = x.parties[i].share
		out[i].No = i + 1
	}
	var rest sides
	for _, p := range x.parties[shown:] {
		rest = rest.joined(sides{p.share.Support, p.share.Contradiction})
	}
	others := x.group(rest)
	others.Parties = len(x.parties) - shown
	return out, others
}

func (x *explaining) group(part sides) GroupShare {
	return GroupShare{Support: part.plus, Contradiction: part.minus, Effect: x.effect(part)}
}

func (x *explaining) effect(part sides) float64 {
	mean := x.model.params.Prior.Mean
	return (float64(part.plus*(1-mean)) - float64(part.minus*mean)) / (x.snapshot.Alpha + x.snapshot.Beta)
}

// ratio is part of whole, and 0 of nothing.
func ratio(part, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return part / whole
}
