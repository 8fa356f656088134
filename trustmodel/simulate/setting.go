package simulate

// setting describes how a world of honest parties is drawn: activity and size are
// heavy-tailed, errors of reviewers are shared, and the records of one party hang
// together, as public studies of reviewers and of language models have found.
type setting struct {
	parties, targets int

	exposure float64 // mean number of parties that try a target

	optimists   float64 // share of parties that report success whatever happens
	noise       float64 // share of records that say the opposite of what happened
	activity    float64 // sigma of the log-normal activity of parties
	agentsTail  float64 // Pareto exponent of the number of agents of a party
	maxAgents   int
	popularity  float64 // shape of the gamma distribution of how popular targets are
	coherence   float64 // concentration of a party's own rate of success around the target's: less is more alike
	reviewError float64 // standard deviation of the error that all reviewers of a target share, as a share
	reviewOnly  float64 // share of triers that only read and review
	alsoReview  float64 // share of users that review what they used
	realWorld   float64 // share of users whose use is real
	maxAgeBins  int     // records are up to this many bins old
	domain      float64 // share of parties with a verified domain
	email       float64 // share of parties with a verified e-mail address only; the rest has nothing
}

// standard is the world that the goals are measured in. Its numbers were set once,
// by judgement, so that trust-v1 does in it about what it did in the simulation
// that its goals come from; they are not for tuning.
func standard(exposure float64) setting {
	return setting{
		parties: 200, targets: 600, exposure: exposure,
		optimists: .10, noise: .05,
		activity: .8, agentsTail: 1.2, maxAgents: 200, popularity: 1,
		coherence: .5, reviewError: .2, reviewOnly: .2, alsoReview: .3, realWorld: .8,
		maxAgeBins: 3, domain: .6, email: .3,
	}
}

// quality is the mixture of Beta distributions that the truth of targets is drawn
// from: many that work nearly everywhere, and many that may do anything.
var quality = []struct{ share, alpha, beta float64 }{
	{.45, 8, 1.2}, // nearly all work
	{.55, 1, 1},   // anything
}

// goodTruth is the truth from which a target is good, and rankedTruth the one
// from which a ranked target is a hit.
const (
	goodTruth   = .6
	rankedTruth = .7
	badTruth    = .1 // of what attackers push
)
