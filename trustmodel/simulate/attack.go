package simulate

import (
	"fmt"
	"slices"
	"strings"

	"interai/trustmodel"
)

// attack is one way to cheat, in several variants.
type attack struct {
	name     string
	about    string
	variants []variant
}

// variant is an attack of a given size against a given number of honest parties.
type variant struct {
	label  string
	honest int // parties that try each promoted target honestly

	// plant makes the targets of the attack, before anything is cheated; nil
	// where the attack goes against the best of what is there.
	plant func(d draw, w *world, honest int) []int
	// strike adds the attackers and what they do to the targets.
	strike func(d draw, w *world, targets []int) Cost
	// smears tells that the attack wants values lower, not higher.
	smears bool
}

// Cost is what an attack takes.
type Cost struct {
	Accounts int `json:"accounts"` // actors: agents and controllers without agents
	Verified int `json:"verified"` // verified identities: e-mail addresses and domains
	Jobs     int `json:"jobs"`     // honest jobs done to earn weight
	Records  int `json:"records"`  // evidence records in all
}

// focusTargets is how many targets one attack is after: too few for the
// independence job to see.
const focusTargets = 5

// Kind is one attack that can be asked for.
type Kind struct{ Name, About string }

// Kinds lists all attacks, in the order of reports.
func Kinds() []Kind {
	var kinds []Kind
	for _, a := range attacks() {
		kinds = append(kinds, Kind{Name: a.name, About: a.about})
	}
	return kinds
}

// Attacks lists the names of all attacks, in the order of reports.
func Attacks() []string {
	var names []string
	for _, a := range attacks() {
		names = append(names, a.name)
	}
	return names
}

// attacks are all attacks.
func attacks() []attack {
	return []attack{operators(), sybils(), rings(), launderers(), smears(), whitewashes()}
}

// chosen returns the attacks with the given names, all for none; an unknown name
// is an error.
func chosen(names []string) ([]attack, error) {
	var out []attack
	for _, a := range attacks() {
		if len(names) == 0 || slices.Contains(names, a.name) {
			out = append(out, a)
		}
	}
	for _, name := range names {
		if !slices.Contains(Attacks(), name) {
			return nil, fmt.Errorf("attack %q: not one of %s", name, strings.Join(Attacks(), ", "))
		}
	}
	return out, nil
}

// junk makes the targets of an attack: honest parties wrote them (so that no
// support is discarded as the author's own), they hardly work, and as many
// honest parties as given have tried them.
func junk(n int) func(d draw, w *world, honest int) []int {
	return func(d draw, w *world, honest int) []int {
		targets := make([]int, n)
		for i := range targets {
			targets[i] = w.addTarget(d, badTruth, honest)
		}
		return targets
	}
}

// addAttackers adds n controllers that try nothing by themselves.
func (w *world) addAttackers(n int, id trustmodel.Identity) []int {
	added := make([]int, n)
	for i := range added {
		added[i] = w.addParty(party{agents: 1, identity: id})
	}
	return added
}

// say adds what a party claims about a target: n agents report real use.
func (w *world) say(by, target int, result trustmodel.Result, agents int, bin int32) int {
	r := trustmodel.Record{Kind: trustmodel.RecordUsage, Result: result, RealWorld: true}
	t := &w.targets[target]
	at := slices.IndexFunc(t.opinions, func(o opinion) bool { return o.party == by })
	if at < 0 {
		at = len(t.opinions)
		t.opinions = append(t.opinions, opinion{party: by})
	}
	t.opinions[at].addMany(w.model, bin, r, result == trustmodel.ResultSuccess, agents)
	return agents
}

// promote makes every party report success about every target.
func (w *world) promote(parties, targets []int) (records int) {
	for _, p := range parties {
		for _, t := range targets {
			records += w.say(p, t, trustmodel.ResultSuccess, 1, asOf)
		}
	}
	return records
}

// work makes a party do n honest jobs on random targets of the world that it has
// not tried, and returns the number of its records.
func (w *world) work(d draw, by, n int) (records int) {
	for _, t := range d.Perm(w.setting.targets)[:min(n, w.setting.targets)] {
		target := &w.targets[t]
		o := w.try(d, by, target.truth, 0)
		target.opinions = append(target.opinions, o)
		records += o.total
	}
	return records
}

// verified is how many identities n controllers have verified.
func verified(n int, id trustmodel.Identity) int {
	if id == (trustmodel.Identity{}) {
		return 0
	}
	return n
}

// identityName names an identity in labels.
func identityName(id trustmodel.Identity) string {
	switch {
	case id.Domain:
		return "domain"
	case id.Email:
		return "e-mail"
	default:
		return "unverified"
	}
}

// the identities that are cheap enough for attackers.
var (
	unverified = trustmodel.Identity{}
	mailed     = trustmodel.Identity{Email: true}
	domained   = trustmodel.Identity{Domain: true}
)
