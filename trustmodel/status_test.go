package trustmodel

import "testing"

// TestRawStatusThresholds moves one figure at a time from the last value that
// misses a rule to the first that meets it.
func TestRawStatusThresholds(t *testing.T) {
	m := newModel(t)
	incorrect := Snapshot{Upper: .45, IdentityMinus: 1.4, Contradictions: 2, Totals: Totals{Y: 2}}
	disputed := Snapshot{Upper: 1, IdentityPlus: .7, IdentityMinus: .7, Totals: Totals{X: 1.125, Y: .375}}
	high := Snapshot{Upper: 1, Lower: .65, IdentityPlus: 4, Supporting: 4, Anchors: 2, RealWorldConfirmations: 2, Totals: Totals{X: 5}}
	claim := Snapshot{Upper: 1, Lower: .65, IdentityPlus: 6, Supporting: 6, Anchors: 2, Totals: Totals{X: 5}}
	supported := Snapshot{Upper: 1, Lower: .40, IdentityPlus: 1.4, Supporting: 2, Anchors: 2, Totals: Totals{X: 3}}
	with := func(s Snapshot, change func(*Snapshot)) Snapshot {
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		kind  TargetKind
		given Snapshot
		flags Flags
		want  Status
	}{
		"nothing is unverified": {KindContent, Snapshot{Upper: 1}, Flags{}, Unverified},

		"superseded comes first":         {KindContent, incorrect, Flags{Superseded: true, Outdated: true}, Superseded},
		"outdated comes before the rest": {KindContent, incorrect, Flags{Outdated: true}, Outdated},
		"superseded needs no evidence":   {KindContent, Snapshot{Upper: 1}, Flags{Superseded: true}, Superseded},

		"incorrect, all met exactly":              {KindContent, incorrect, Flags{}, Incorrect},
		"incorrect, upper too great":              {KindContent, with(incorrect, func(s *Snapshot) { s.Upper = .450001 }), Flags{}, Unverified},
		"incorrect, identity too small":           {KindContent, with(incorrect, func(s *Snapshot) { s.IdentityMinus = 1.399999 }), Flags{}, Unverified},
		"incorrect, one contradiction":            {KindContent, with(incorrect, func(s *Snapshot) { s.Contradictions = 1 }), Flags{}, Unverified},
		"incorrect comes before disputed":         {KindContent, with(disputed, func(s *Snapshot) { s.Upper, s.IdentityMinus, s.Contradictions = .45, 1.4, 2 }), Flags{}, Incorrect},
		"disputed, all met exactly":               {KindContent, disputed, Flags{}, Disputed},
		"disputed, too little support":            {KindContent, with(disputed, func(s *Snapshot) { s.IdentityPlus = .699999 }), Flags{}, Unverified},
		"disputed, too little identity-":          {KindContent, with(disputed, func(s *Snapshot) { s.IdentityMinus = .699999 }), Flags{}, Unverified},
		"disputed, too one-sided":                 {KindContent, with(disputed, func(s *Snapshot) { s.Totals.X = 1.126 }), Flags{}, Unverified},
		"disputed, one-sided against":             {KindContent, with(disputed, func(s *Snapshot) { s.Totals.X, s.Totals.Y = .375, 1.126 }), Flags{}, Unverified},
		"disputed, weaker side supports":          {KindContent, with(disputed, func(s *Snapshot) { s.Totals.X, s.Totals.Y = .375, 1.125 }), Flags{}, Disputed},
		"disputed, too little evidence":           {KindContent, with(disputed, func(s *Snapshot) { s.Totals.X, s.Totals.Y = .7499, .75 }), Flags{}, Unverified},
		"disputed, just enough evidence":          {KindContent, with(disputed, func(s *Snapshot) { s.Totals.X, s.Totals.Y = .75, .75 }), Flags{}, Disputed},
		"disputed comes before high":              {KindContent, with(high, func(s *Snapshot) { s.IdentityMinus, s.Totals.Y = .7, 5 }), Flags{}, Disputed},
		"high confidence, all met exactly":        {KindContent, high, Flags{}, HighConfidence},
		"high confidence of an entity":            {KindEntity, high, Flags{}, HighConfidence},
		"high, lower too small":                   {KindContent, with(high, func(s *Snapshot) { s.Lower = .649999 }), Flags{}, Supported},
		"high, identity too small":                {KindContent, with(high, func(s *Snapshot) { s.IdentityPlus = 3.999999 }), Flags{}, Supported},
		"high, one real use":                      {KindContent, with(high, func(s *Snapshot) { s.RealWorldConfirmations = 1 }), Flags{}, Supported},
		"high claim without any use":              {KindClaim, claim, Flags{}, HighConfidence},
		"high claim, identity too small":          {KindClaim, with(claim, func(s *Snapshot) { s.IdentityPlus = 5.999999 }), Flags{}, Supported},
		"high claim, lower too small":             {KindClaim, with(claim, func(s *Snapshot) { s.Lower = .649999 }), Flags{}, Supported},
		"what makes content high":                 {KindClaim, high, Flags{}, Supported},
		"what makes a claim high":                 {KindContent, claim, Flags{}, Supported},
		"supported, all met exactly":              {KindContent, supported, Flags{}, Supported},
		"supported, one verified party":           {KindContent, with(supported, func(s *Snapshot) { s.Anchors = 1 }), Flags{}, Unverified},
		"high, one verified party":                {KindContent, with(high, func(s *Snapshot) { s.Anchors = 1 }), Flags{}, Unverified},
		"high claim, one verified party":          {KindClaim, with(claim, func(s *Snapshot) { s.Anchors = 1 }), Flags{}, Unverified},
		"one verified party may be carried":       {KindContent, with(high, func(s *Snapshot) { s.Anchors, s.Totals.CarryAnchors = 1, 1 }), Flags{}, HighConfidence},
		"supported, lower too small":              {KindContent, with(supported, func(s *Snapshot) { s.Lower = .399999 }), Flags{}, Unverified},
		"an incorrect claim disputes support":     {KindContent, high, Flags{IncorrectClaim: true}, Disputed},
		"an incorrect claim disputes the untried": {KindContent, Snapshot{Upper: 1}, Flags{IncorrectClaim: true}, Disputed},
		"incorrect comes before its claims":       {KindContent, incorrect, Flags{IncorrectClaim: true}, Incorrect},
		"carried support needs one of its own":    {KindContent, with(supported, func(s *Snapshot) { s.IdentityPlus, s.Supporting, s.Totals.CarryIdentity = 0, 0, 2 }), Flags{}, Unverified},
		"carried support and one of its own":      {KindContent, with(supported, func(s *Snapshot) { s.IdentityPlus, s.Supporting, s.Totals.CarryIdentity = 1, 1, .4 }), Flags{}, Supported},
		"carried support a little too small":      {KindContent, with(supported, func(s *Snapshot) { s.IdentityPlus, s.Supporting, s.Totals.CarryIdentity = 1, 1, .399999 }), Flags{}, Unverified},
		"high by two of its own, one in real use": {KindContent, with(high, func(s *Snapshot) {
			s.IdentityPlus, s.Supporting, s.RealWorldConfirmations, s.Totals.CarryIdentity, s.Totals.CarryRealWorld = 2, 2, 1, 2, 1
		}), Flags{}, HighConfidence},
		"carried, one of its own is not high": {KindContent, with(high, func(s *Snapshot) {
			s.IdentityPlus, s.Supporting, s.RealWorldConfirmations, s.Totals.CarryIdentity, s.Totals.CarryRealWorld = 2, 1, 1, 2, 1
		}), Flags{}, Supported},
		"carried, none of its own in real use": {KindContent, with(high, func(s *Snapshot) {
			s.IdentityPlus, s.Supporting, s.RealWorldConfirmations, s.Totals.CarryIdentity, s.Totals.CarryRealWorld = 2, 2, 0, 2, 1
		}), Flags{}, Supported},
		"supported, identity too small": {KindContent, with(supported, func(s *Snapshot) { s.IdentityPlus = 1.399999 }), Flags{}, Unverified},
	} {
		t.Run(name, func(t *testing.T) {
			if got := m.RawStatus(c.kind, with(c.given, func(s *Snapshot) { s.Flags = c.flags })); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestStatusOfEvidence takes evidence the whole way to a status.
func TestStatusOfEvidence(t *testing.T) {
	m := newModel(t)
	id := identities(m)
	domain := id["domain"]
	// An e-mail party of so long a record that it weighs nearly as much as a verified one.
	earned := m.Weights(.7, Track{Credits: 100, LogPlus: 9, LogMinus: 9})
	for name, c := range map[string]struct {
		kind    TargetKind
		parties []Party
		want    Status
	}{
		"nothing known":                         {KindContent, nil, Unverified},
		"two domains used it":                   {KindContent, crowd(m, 2, domain, realSuccess), Unverified},
		"three domains used it":                 {KindContent, crowd(m, 3, domain, realSuccess), Supported},
		"one domain and a crowd of newcomers":   {KindContent, join(crowd(m, 1, domain, realSuccess), crowd(m, 1000, id["email"], realSuccess)), Unverified},
		"two domains and a crowd of newcomers":  {KindContent, join(crowd(m, 2, domain, realSuccess), crowd(m, 1000, id["email"], realSuccess)), Supported},
		"five domains and a crowd of newcomers": {KindContent, join(crowd(m, 5, domain, realSuccess), crowd(m, 1000, id["email"], realSuccess)), Supported},
		"six domains and a crowd of newcomers":  {KindContent, join(crowd(m, 6, domain, realSuccess), crowd(m, 1000, id["email"], realSuccess)), HighConfidence},
		"five domains used it":                  {KindContent, crowd(m, 5, domain, realSuccess), Supported},
		"six domains used it":                   {KindContent, crowd(m, 6, domain, realSuccess), HighConfidence},
		"twenty domains only tested it":         {KindContent, crowd(m, 20, domain, testSuccess), Supported},
		"twenty domains tested a claim":         {KindClaim, crowd(m, 20, domain, testSuccess), HighConfidence},
		"two domains against two":               {KindContent, join(crowd(m, 2, domain, realSuccess), crowd(m, 2, domain, realFailure)), Disputed},
		"one against eleven is no dispute":      {KindContent, join(crowd(m, 11, domain, realSuccess), crowd(m, 1, domain, realFailure)), Supported},
		"three domains failed with it":          {KindContent, crowd(m, 3, domain, realFailure), Unverified},
		"four domains failed with it":           {KindContent, crowd(m, 4, domain, realFailure), Incorrect},
		"any number of newcomers is no support": {KindContent, crowd(m, 3000, id["email"], realSuccess), Unverified},
		"any number of newcomers is no verdict": {KindContent, crowd(m, 3000, id["email"], realFailure), Unverified},
		"newcomers alone cannot make a dispute": {KindContent, join(crowd(m, 4, domain, realSuccess), crowd(m, 500, id["email"], realFailure)), Supported},
		"nor any record but a verified party's": {KindContent, crowd(m, 50, earned, realSuccess), Unverified},
		"one verified party among them":         {KindContent, join(crowd(m, 50, earned, realSuccess), crowd(m, 1, domain, realSuccess)), Unverified},
		"two verified parties among them":       {KindContent, join(crowd(m, 50, earned, realSuccess), crowd(m, 2, domain, realSuccess)), HighConfidence},
		"two of three verified parties":         {KindContent, join(crowd(m, 50, earned, realSuccess), crowd(m, 2, domain, realSuccess), crowd(m, 1, domain, realFailure)), Unverified},
		"three of four verified parties":        {KindContent, join(crowd(m, 50, earned, realSuccess), crowd(m, 3, domain, realSuccess), crowd(m, 1, domain, realFailure)), HighConfidence},
		"no verified party is needed to refute": {KindContent, crowd(m, 4, earned, realFailure), Incorrect},
		"one operator with a thousand agents":   {KindContent, []Party{partyOf(m, domain, 0, repeat(realSuccess, 1000)...)}, Unverified},
	} {
		t.Run(name, func(t *testing.T) {
			s := m.Compute(Input{Kind: c.kind, AsOfBin: asOf, Parties: c.parties})
			if s.RawStatus != c.want {
				t.Errorf("got %v, want %v: %+v", s.RawStatus, c.want, s)
			}
		})
	}
}

func TestSupersededChangesNothingButTheStatus(t *testing.T) {
	m := newModel(t)
	in := Input{AsOfBin: asOf, Parties: crowd(m, 8, proven, realSuccess)}
	want := m.Compute(in)
	in.Superseded = true
	got := m.Compute(in)
	if got.RawStatus != Superseded {
		t.Errorf("status %v", got.RawStatus)
	}
	got.RawStatus, got.Flags = want.RawStatus, want.Flags
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
