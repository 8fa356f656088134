package demo

// statement is what one actor says about one item, through one tool.
type statement interface {
	// tool is the tool that takes it.
	tool() string
	// about completes the arguments. ground is the actor's own use of the item, "" if it is not known.
	about(target, ground, key string) any
	// outcome is what it says as a number, the share of a success; false for what says nothing of it.
	outcome() (float64, bool)
}

// usageArgs are the arguments of the tool report_usage that the demonstration uses.
type usageArgs struct {
	Target         string            `json:"target"`
	UsageType      string            `json:"usage_type,omitempty"`
	Result         string            `json:"result"`
	RealWorldUse   bool              `json:"real_world_use,omitempty"`
	Context        map[string]string `json:"context,omitempty"`
	IdempotencyKey string            `json:"idempotency_key"`
}

func (usageArgs) tool() string { return "report_usage" }

func (a usageArgs) about(target, _, key string) any {
	a.Target, a.IdempotencyKey = target, key
	return a
}

func (a usageArgs) outcome() (float64, bool) { return outcome(a.Result), true }

// reviewArgs are the arguments of the tool review that the demonstration uses.
type reviewArgs struct {
	Target         string  `json:"target"`
	Verdict        string  `json:"verdict"`
	Confidence     float64 `json:"confidence,omitempty"`
	BasedOnUsage   string  `json:"based_on_usage,omitempty"`
	IdempotencyKey string  `json:"idempotency_key"`
}

// Verdicts of a review that the demonstration uses.
const (
	confirmed = "confirmed"
	wrong     = "false"
)

func (reviewArgs) tool() string { return "review" }

func (a reviewArgs) about(target, ground, key string) any {
	a.Target, a.BasedOnUsage, a.IdempotencyKey = target, ground, key
	return a
}

func (a reviewArgs) outcome() (float64, bool) {
	if a.Verdict == confirmed {
		return 1, true
	}
	return 0, true
}

// rateArgs are the arguments of the tool rate that the demonstration uses.
type rateArgs struct {
	Target         string            `json:"target"`
	Dimension      string            `json:"dimension"`
	Score          float64           `json:"score"`
	Context        map[string]string `json:"context,omitempty"`
	BasedOnUsage   string            `json:"based_on_usage,omitempty"`
	IdempotencyKey string            `json:"idempotency_key"`
}

func (rateArgs) tool() string { return "rate" }

func (a rateArgs) about(target, ground, key string) any {
	a.Target, a.BasedOnUsage, a.IdempotencyKey = target, ground, key
	return a
}

// outcome is none: how useful something is says nothing about whether it works, and trust leaves ratings out.
func (rateArgs) outcome() (float64, bool) { return 0, false }
