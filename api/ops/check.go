package ops

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkString holds a string against its schema.
func (n *node) checkString(p *problems, text string) {
	s := n.schema
	length := utf8.RuneCountInString(text)
	if s.MinLength != nil && length < *s.MinLength {
		p.add("min", tooFew(*s.MinLength, "character"))
	}
	if s.MaxLength != nil && length > *s.MaxLength {
		p.add("max", tooMany(*s.MaxLength, "character"))
	}
	if s.MaxBytes > 0 && len(text) > s.MaxBytes {
		p.add("maxbytes", tooMany(s.MaxBytes, "byte")+" of UTF-8")
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, text) {
		p.add("oneof", "must be one of: "+strings.Join(s.Enum, ", "))
	}
	if n.pattern != nil && !n.pattern.MatchString(text) {
		p.add(n.rule.Name, n.rule.Message)
	}
}

// checkNumber holds a number against its schema.
func (n *node) checkNumber(p *problems, value float64) {
	s := n.schema
	if s.Minimum != nil && value < *s.Minimum {
		p.add("min", "must be at least "+plain(*s.Minimum))
	}
	if s.Maximum != nil && value > *s.Maximum {
		p.add("max", "must be at most "+plain(*s.Maximum))
	}
	if s.ExclusiveMinimum != nil && value <= *s.ExclusiveMinimum {
		p.add("gt", "must be greater than "+plain(*s.ExclusiveMinimum))
	}
	if s.ExclusiveMaximum != nil && value >= *s.ExclusiveMaximum {
		p.add("lt", "must be less than "+plain(*s.ExclusiveMaximum))
	}
}

// checkList holds a list's length against its schema.
func (n *node) checkList(p *problems, length int) {
	s := n.schema
	if s.MinItems != nil && length < *s.MinItems {
		p.add("min", tooFew(*s.MinItems, "item"))
	}
	if s.MaxItems != nil && length > *s.MaxItems {
		p.add("max", tooMany(*s.MaxItems, "item"))
	}
}

func tooFew(n int, unit string) string  { return "must have at least " + plural(n, unit) }
func tooMany(n int, unit string) string { return "must have at most " + plural(n, unit) }

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func plain(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
