package finding

// Bounds of one call, all of its fields together.
const (
	// MaxVerifierCalls bounds how often a candidate is looked at closely.
	MaxVerifierCalls = 20_000
	// MaxDecodedBytes bounds what is decoded out of base64, hex and the like.
	MaxDecodedBytes = 256 << 10
	// MaxFindings is where a scan stops: enough to refuse.
	MaxFindings = 16
)

// Budget is what the scan of one call may still spend. A scan that would need more is refused, never cut short
// unnoticed. It is not safe for concurrent use.
type Budget struct {
	// Calls, Bytes and Findings are what is left.
	Calls, Bytes, Findings int
	// Work counts bytes looked at and verifiers called: tests hold it to be linear in the input.
	Work int

	exceeded bool
}

// NewBudget is the budget of one call.
func NewBudget() *Budget {
	return &Budget{Calls: MaxVerifierCalls, Bytes: MaxDecodedBytes, Findings: MaxFindings}
}

// Call pays for one verifier that looks at up to n bytes; false when nothing is left.
func (b *Budget) Call(n int) bool {
	if b.Calls <= 0 {
		b.exceeded = true
		return false
	}
	b.Calls--
	b.Work += n
	return true
}

// Decode pays for n decoded bytes; false when nothing is left.
func (b *Budget) Decode(n int) bool {
	if b.Bytes < n {
		b.exceeded = true
		return false
	}
	b.Bytes -= n
	b.Work += n
	return true
}

// Found pays for one finding that blocks; false when there are enough of them to stop.
func (b *Budget) Found() bool {
	b.Findings--
	return b.Findings > 0
}

// Full reports whether there are enough findings to stop.
func (b *Budget) Full() bool { return b.Findings <= 0 }

// Exceeded reports whether something was left out: the text must be refused with the reason scan_budget.
func (b *Budget) Exceeded() bool { return b.exceeded }
