package trustmodel

// V1Name is the name of the version whose parameters V1 returns.
const V1Name = "trust-v1"

// Params are all constants of a model version, each with its unit and source.
// "Measured" means compared with alternatives on open data or in simulation;
// "judgement" means set by reasoning, to be examined first when real data
// exists. Params are comparable, and JSON keeps every bit of them.
type Params struct { //nolint:recvcheck // Params are a value; only Set and Apply change one in place
	Prior        PriorParams        `json:"prior"`
	Level        float64            `json:"level"` // probability inside the interval; .90, convention
	Caps         CapParams          `json:"caps"`
	Strength     StrengthParams     `json:"strength"`
	Verdicts     VerdictParams      `json:"verdicts"`
	Recency      RecencyParams      `json:"recency"`
	Identity     IdentityParams     `json:"identity"`
	Counting     CountingParams     `json:"counting"`
	Status       StatusParams       `json:"status"`
	Hysteresis   HysteresisParams   `json:"hysteresis"`
	Carry        CarryParams        `json:"carry"`
	Reputation   ReputationParams   `json:"reputation"`
	Independence IndependenceParams `json:"independence"`
	Ratings      RatingParams       `json:"ratings"`
}

// PriorParams are the belief before any evidence.
type PriorParams struct {
	Strength float64 `json:"strength"` // W, parties; measured: 1 beats 2 on error and on coverage
	Mean     float64 `json:"mean"`     // a0, share; Jeffreys prior Beta(.5, .5)
}

// CapParams bound how much correlated evidence can amount to. A cap of rho
// limits its evidence to 1/rho parties.
type CapParams struct {
	All        float64 `json:"all"`        // rhoG, per party; measured: pays for drift and shared context
	Ungrounded float64 `json:"ungrounded"` // rhoR, per party; measured: errors of reviewers correlate (phi .15 to .53)
	Fresh      float64 `json:"fresh"`      // rhoU, per party; all newcomers together are at most half a party; measured
	Family     float64 `json:"family"`     // parties; all ungrounded reviews that rest on one source family; judgement
}

// StrengthParams are the strengths of single records. A record of strength s
// alone has the mass s/(1+s).
type StrengthParams struct {
	UsageReal         float64 `json:"usage_real"`         // strength; mass .90
	UsageTest         float64 `json:"usage_test"`         // strength; mass .67
	PartialOutcome    float64 `json:"partial_outcome"`    // share of a partial success that supports; judgement
	ReviewGrounded    float64 `json:"review_grounded"`    // strength at full confidence; mass .67
	ReviewUngrounded  float64 `json:"review_ungrounded"`  // strength at full confidence; mass .50
	Assertion         float64 `json:"assertion"`          // strength; mass .20; judgement
	ConfidenceMin     float64 `json:"confidence_min"`     // factor; the least a stated confidence counts; judgement
	ConfidenceMissing float64 `json:"confidence_missing"` // factor; where none is stated; judgement
}

// Judgement is what a verdict says about the value.
type Judgement struct {
	Outcome   float64 `json:"outcome"`   // share that supports
	Intensity float64 `json:"intensity"` // factor on the strength
}

// VerdictParams hold the six verdicts that say something about the value; the
// numbers are judgement.
type VerdictParams struct {
	Confirmed     Judgement `json:"confirmed"`
	MostlyCorrect Judgement `json:"mostly_correct"`
	Questionable  Judgement `json:"questionable"`
	Misleading    Judgement `json:"misleading"`
	Contradicted  Judgement `json:"contradicted"`
	False         Judgement `json:"false"`
}

// RecencyParams say how fast evidence ages; the half-lives are judgement.
type RecencyParams struct {
	UsageHalfLifeDays  float64 `json:"usage_half_life_days"`  // days; usage of content and entities
	ReviewHalfLifeDays float64 `json:"review_half_life_days"` // days; reviews of content and entities
	ClaimHalfLifeDays  float64 `json:"claim_half_life_days"`  // days; all evidence about claims
	Floor              float64 `json:"floor"`                 // factor; the oldest evidence still counts this
}

// IdentityParams give a party without track record its weights.
type IdentityParams struct {
	None          float64 `json:"none"`           // v0, nothing verified; judgement
	Email         float64 `json:"email"`          // v0, e-mail verified; judgement
	Domain        float64 `json:"domain"`         // v0, domain verified, or vouched for by the operator; judgement
	Established   float64 `json:"established"`    // v from which a party is established
	AccuracyPrior float64 `json:"accuracy_prior"` // share; how often anyone is assumed to be right
	OddsCap       float64 `json:"odds_cap"`       // odds at which a weight is full; measured: those assumed of anyone
	WeightFloor   float64 `json:"weight_floor"`   // factor; the least weight, times v
}

// CountingParams say which parties the counters count.
type CountingParams struct {
	MinMass         float64 `json:"min_mass"`         // mass of its opinion
	MinWeightSum    float64 `json:"min_weight_sum"`   // w+ plus w-
	SupportShare    float64 `json:"support_share"`    // belief share from which it supports
	ContradictShare float64 `json:"contradict_share"` // belief share up to which it contradicts
}

// StatusParams are the thresholds of the raw status. "Identity" is a sum of v
// over counted parties: 1.4 is two e-mail-verified parties' worth.
type StatusParams struct {
	OutdatedIdentity   float64 `json:"outdated_identity"`    // parties with an outdated verdict; judgement
	OutdatedWindowDays float64 `json:"outdated_window_days"` // days, counted in whole bins; judgement
	OutdatedRecentDays float64 `json:"outdated_recent_days"` // days that are "lately", counted in whole bins; judgement
	OutdatedUpper      float64 `json:"outdated_upper"`       // greatest upper bound of late evidence alone; judgement
	OutdatedOlderValue float64 `json:"outdated_older_value"` // least value of older evidence alone; judgement

	IncorrectUpper          float64 `json:"incorrect_upper"`          // greatest upper bound
	IncorrectIdentity       float64 `json:"incorrect_identity"`       // least I-
	IncorrectContradictions int     `json:"incorrect_contradictions"` // least contradictions

	DisputedIdentity float64 `json:"disputed_identity"` // least I+ and I-
	DisputedShare    float64 `json:"disputed_share"`    // least share of the weaker side in X+Y
	DisputedMass     float64 `json:"disputed_mass"`     // least X+Y, parties

	HighLower         float64 `json:"high_lower"`          // least lower bound
	HighIdentity      float64 `json:"high_identity"`       // least I+, content and entities
	HighRealWorld     int     `json:"high_real_world"`     // least real-world confirmations, content and entities
	HighClaimIdentity float64 `json:"high_claim_identity"` // least I+, claims

	SupportedLower    float64 `json:"supported_lower"`    // least lower bound; measured
	SupportedIdentity float64 `json:"supported_identity"` // least I+

	// Anchors are for supported and high_confidence.
	Anchors int `json:"anchors"` // least number of verified parties that confirm beyond those that contradict; measured
}

// HysteresisParams say when a published status is kept although the raw status
// has changed. Thresholds are easier to keep than to reach; all are judgement.
type HysteresisParams struct {
	SupportedLower float64 `json:"supported_lower"` // lower bound down to which supported is kept
	HighLower      float64 `json:"high_lower"`      // lower bound down to which high_confidence is kept
	IncorrectUpper float64 `json:"incorrect_upper"` // upper bound up to which incorrect is kept
	DisputedShare  float64 `json:"disputed_share"`  // share of the weaker side down to which disputed is kept
	HoldRecords    int     `json:"hold_records"`    // further records over which an upgrade must hold
	HoldMinutes    float64 `json:"hold_minutes"`    // or minutes, whichever comes first
}

// CarryParams say what a revision inherits from the one before it.
type CarryParams struct {
	Factor       float64 `json:"factor"`        // share of the excess over the prior; measured
	Max          float64 `json:"max"`           // parties, both sides together; measured
	OwnSupported int     `json:"own_supported"` // least own confirmations by established parties for supported
	OwnHigh      int     `json:"own_high"`      // the same for high_confidence
	OwnHighReal  int     `json:"own_high_real"` // of them in real use
}

// ReputationParams say how a party's record becomes its weights, and what is
// shown as an actor's reputation.
type ReputationParams struct {
	AccuracyStrength   float64 `json:"accuracy_strength"`   // credits; strength of the assumed accuracy
	PairCredits        float64 `json:"pair_credits"`        // credits; the most that one author's targets give one party
	HalfCredits        float64 `json:"half_credits"`        // credits at which distinctness is half way to 1
	GraceDays          float64 `json:"grace_days"`          // days after which credits begin to age; judgement
	HalfLifeDays       float64 `json:"half_life_days"`      // days; judgement
	DisplayStrength    float64 `json:"display_strength"`    // credits; strength of the shown prior; judgement
	ControllerStrength float64 `json:"controller_strength"` // credits; strength of the controller's mean for its agents; judgement
}

// IndependenceParams say which parties act in lockstep and count as one.
type IndependenceParams struct {
	MinCommon     int     `json:"min_common"`     // targets that both support
	Overlap       float64 `json:"overlap"`        // share of the smaller one's support that is enough alone
	WeakOverlap   float64 `json:"weak_overlap"`   // the same, if it is far more than the larger one's activity explains
	ActivityGain  float64 `json:"activity_gain"`  // how many times more than the larger one's share of all support
	Mutual        float64 `json:"mutual"`         // share of the larger one's support that must be passed; measured
	BeyondChance  float64 `json:"beyond_chance"`  // overlap beyond chance, as a share of what chance leaves (Cohen's kappa); measured
	MaxSupporters int     `json:"max_supporters"` // targets with more supporters say nothing about pairs
}

// RatingParams say how scores from 0 to 100 are combined.
type RatingParams struct {
	ContextStrength float64 `json:"context_strength"` // raters; strength of all contexts as the prior of one
	PoolStrength    float64 `json:"pool_strength"`    // raters; strength of the dimension's pool mean
	PoolMin         float64 `json:"pool_min"`         // score; least pool mean
	PoolMax         float64 `json:"pool_max"`         // score; greatest pool mean
	SpreadStrength  float64 `json:"spread_strength"`  // raters; strength of the assumed spread
	Spread          float64 `json:"spread"`           // score; assumed standard deviation
	ConfidenceBase  float64 `json:"confidence_base"`  // factor of a score of no confidence; judgement
	Ungrounded      float64 `json:"ungrounded"`       // factor of a score without own use; judgement
	NoContext       float64 `json:"no_context"`       // factor of a score without context; judgement
	Winsor          float64 `json:"winsor"`           // standard deviations beyond which scores are pulled in
	WinsorRaters    int     `json:"winsor_raters"`    // raters from which they are
	ExactWeight     float64 `json:"exact_weight"`     // weight from which one context stands for itself
}

// V1 returns the parameters of trust-v1.
func V1() Params {
	return Params{
		Prior: PriorParams{Strength: 1, Mean: .5},
		Level: .90,
		Caps:  CapParams{All: .05, Ungrounded: .20, Fresh: 2, Family: 2},
		Strength: StrengthParams{
			UsageReal: 9, UsageTest: 2, PartialOutcome: .6,
			ReviewGrounded: 2, ReviewUngrounded: 1, Assertion: .25,
			ConfidenceMin: .05, ConfidenceMissing: .7,
		},
		Verdicts: VerdictParams{
			Confirmed:     Judgement{Outcome: 1, Intensity: 1},
			MostlyCorrect: Judgement{Outcome: .8, Intensity: .8},
			Questionable:  Judgement{Outcome: .35, Intensity: .5},
			Misleading:    Judgement{Outcome: .15, Intensity: .9},
			Contradicted:  Judgement{Outcome: 0, Intensity: 1},
			False:         Judgement{Outcome: 0, Intensity: 1},
		},
		Recency: RecencyParams{
			UsageHalfLifeDays: 180, ReviewHalfLifeDays: 365, ClaimHalfLifeDays: 1460, Floor: .05,
		},
		Identity: IdentityParams{
			None: .3, Email: .7, Domain: 1, Established: .8,
			AccuracyPrior: .8, OddsCap: 4, WeightFloor: .02,
		},
		Counting: CountingParams{
			MinMass: .3, MinWeightSum: .5, SupportShare: 2.0 / 3, ContradictShare: 1.0 / 3,
		},
		Status: StatusParams{
			OutdatedIdentity: 1.4, OutdatedWindowDays: 365,
			OutdatedRecentDays: 90, OutdatedUpper: .45, OutdatedOlderValue: .6,
			IncorrectUpper: .45, IncorrectIdentity: 1.4, IncorrectContradictions: 2,
			DisputedIdentity: .7, DisputedShare: .25, DisputedMass: 1.5,
			HighLower: .65, HighIdentity: 4, HighRealWorld: 2, HighClaimIdentity: 6,
			SupportedLower: .40, SupportedIdentity: 1.4, Anchors: 2,
		},
		Hysteresis: HysteresisParams{
			SupportedLower: .36, HighLower: .60, IncorrectUpper: .55, DisputedShare: .20,
			HoldRecords: 2, HoldMinutes: 60,
		},
		Carry: CarryParams{Factor: .6, Max: 2, OwnSupported: 1, OwnHigh: 2, OwnHighReal: 1},
		Reputation: ReputationParams{
			AccuracyStrength: 4, PairCredits: 2, HalfCredits: 5, GraceDays: 365, HalfLifeDays: 365,
			DisplayStrength: 4, ControllerStrength: 4,
		},
		Independence: IndependenceParams{
			MinCommon: 10, Overlap: .8, WeakOverlap: .5, ActivityGain: 3, Mutual: .5, BeyondChance: .5, MaxSupporters: 200,
		},
		Ratings: RatingParams{
			ContextStrength: 2, PoolStrength: 1, PoolMin: 30, PoolMax: 70, SpreadStrength: 2, Spread: 10,
			ConfidenceBase: .5, Ungrounded: .6, NoContext: .7, Winsor: 3, WinsorRaters: 5, ExactWeight: 1.5,
		},
	}
}
