package trustmodel

// rawStrengths are what the records of a party were worth when they were made and
// what age has left of it, in strength.
type rawStrengths struct {
	usagePos, usageNeg, reviewPos, reviewNeg float64 // grounded, aged
	made, kept                               float64
	records                                  int64
}

// rawStrengths adds up the bins of p without the rules of authors and statements.
func (m *Model) rawStrengths(p *Party, kind TargetKind, asOf int32) rawStrengths {
	c := m.classesOf(kind)
	var r rawStrengths
	for i := range p.Bins {
		s := &p.Bins[i].Sums
		age := ageOf(p.Bins[i].Index, asOf)
		usage, review := float64(c.usage.factor(age))/recencyScale, float64(c.review.factor(age))/recencyScale
		used, judged := float64(s.UsagePos+s.UsageNeg)/1000, float64(s.ReviewPos+s.ReviewNeg)/1000
		said := float64(s.UngroundedPos+s.UngroundedNeg+s.Asserted) / 1000
		r.usagePos += float64(float64(s.UsagePos) * usage)
		r.usageNeg += float64(float64(s.UsageNeg) * usage)
		r.reviewPos += float64(float64(s.ReviewPos) * review)
		r.reviewNeg += float64(float64(s.ReviewNeg) * review)
		r.made += used + judged + said
		r.kept += float64(used*usage) + float64((judged+said)*review)
		r.records += s.Records
	}
	return r
}

// familyFactors are the factors of all source families of a part, for established
// parties or for newcomers.
func (m *Model) familyFactors(t *Part, established bool) map[string]float64 {
	out := make(map[string]float64, len(t.Families))
	for i := range t.Families {
		f := &t.Families[i]
		if out[f.Family], _ = f.factors(m.params.Caps.Family); !established {
			_, out[f.Family] = f.factors(m.params.Caps.Family)
		}
	}
	return out
}

// caps lists the caps that a snapshot went through, those that took nothing left out.
func (m *Model) caps(all *Part, s *Snapshot) []CapShare {
	p, t := &m.params.Caps, &s.Totals
	out := []CapShare{}
	add := func(name, why string, limit, before, after float64) {
		if before-after > 5e-7 {
			out = append(out, CapShare{Cap: name, Limit: limit, Before: before, After: after, Why: why})
		}
	}
	for i := range all.Families {
		f := &all.Families[i]
		established, newcomers := f.factors(p.Family)
		for _, of := range []struct {
			who    string
			mass   float64
			factor float64
		}{{"source family", fromNano(f.RPlus + f.RMinus), established}, {"source family, newcomers", fromNano(f.UPlus + f.UMinus), newcomers}} {
			add(of.who, "ungrounded reviews that rest on one source family are one voice: "+f.Family,
				p.Family, of.mass, float64(of.mass*of.factor))
		}
	}
	r, u := fromNano(t.RPlus+t.RMinus), fromNano(t.UPlus+t.UMinus)
	add("ungrounded reviews", "judges who have not used it tend to make the same mistakes", limitOf(p.Ungrounded), r, float64(r*t.CapR))
	add("newcomers", "accounts without a track record cost little, so all of them together count little",
		limitOf(p.Fresh), u, float64(u*t.CapU))
	add("all evidence", "shared circumstances and change limit what any number of reports can tell",
		limitOf(p.All), t.X+t.Y, float64((t.X+t.Y)*t.CapG))
	return out
}

// limitOf is the number of parties that a cap allows, 0 for a cap that never binds.
func limitOf(rho float64) float64 {
	if rho == 0 {
		return 0
	}
	return 1 / rho
}
