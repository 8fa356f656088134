package personal

import (
	"slices"

	"interai/antiabuse/finding"
)

// What belongs together.
const (
	// bulk is from how many different addresses or numbers on a text is a list of contacts.
	bulk = 8
	// aboutOne is how near to each other two findings are about one person.
	aboutOne = 300
)

// settle makes one verdict of all hits: contacts in bulk, homes with a way to reach who lives there, and nothing twice.
func settle(hits []hit) []finding.Finding {
	slices.SortStableFunc(hits, func(a, b hit) int { return finding.Order(a.Finding, b.Finding) })
	hits = withoutOverlaps(hits)
	inBulk(hits)
	doxxing(hits)
	out := make([]finding.Finding, 0, len(hits))
	for _, h := range hits {
		out = append(out, h.Finding)
	}
	return out
}

// withoutOverlaps keeps the severest of the hits at one place.
func withoutOverlaps(hits []hit) []hit {
	var out []hit
	for _, h := range hits {
		if n := len(out); n > 0 && h.Start < out[n-1].End {
			if h.Action > out[n-1].Action {
				out[n-1] = h
			}
			continue
		}
		out = append(out, h)
	}
	return out
}

// inBulk refuses a list of contacts.
func inBulk(hits []hit) {
	different := map[string]bool{}
	for _, h := range hits {
		if h.Rule == ruleMail || h.Rule == rulePhone {
			different[h.Rule+h.key] = true
		}
	}
	if len(different) < bulk {
		return
	}
	for i := range hits {
		if hits[i].Rule == ruleMail || hits[i].Rule == rulePhone {
			hits[i].Rule, hits[i].Action, hits[i].Replacement = ruleBulk, finding.Reject, ""
			hits[i].Hint = "leave the list of contacts out; describe its form with one invented row"
		}
	}
}

// doxxing refuses where somebody lives when how to reach them, or when they were born, stands beside it.
func doxxing(hits []hit) {
	for i := range hits {
		if hits[i].Rule != ruleAddress {
			continue
		}
		for k := range hits {
			distance := max(hits[k].Start-hits[i].End, hits[i].Start-hits[k].End)
			switch hits[k].Rule {
			case ruleMail, rulePhone, ruleBirth, ruleBulk, "home_coordinates", "obfuscated_email":
				if distance <= aboutOne {
					hits[i].Rule, hits[i].Action = ruleDoxxing, finding.Reject
					hits[i].Hint = "leave out where a person lives and how to reach them"
				}
			}
		}
	}
}
