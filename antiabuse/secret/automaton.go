package secret

import "fmt"

// automaton finds all literals of a dictionary in one pass over a text (Aho and Corasick, 1975), without regard to
// ASCII case. It is immutable.
type automaton struct {
	class   [256]uint8 // bytes by what the dictionary tells apart; 0 is every other byte
	classes int
	next    []uint16   // transitions, by state and class
	out     [][]uint16 // literals that end in a state
	lengths []int
}

// minLiteral keeps the dictionary selective: shorter literals are in every text.
const minLiteral = 3

// newAutomaton compiles literals in lower case.
func newAutomaton(literals []string) (*automaton, error) {
	a := &automaton{classes: 1}
	for _, literal := range literals {
		if len(literal) < minLiteral {
			return nil, fmt.Errorf("compile literals: %q is shorter than %d bytes", literal, minLiteral)
		}
		a.lengths = append(a.lengths, len(literal))
		for i := range len(literal) {
			c := literal[i]
			if c >= 'A' && c <= 'Z' {
				return nil, fmt.Errorf("compile literals: %q is not in lower case", literal)
			}
			if a.class[c] == 0 {
				a.class[c] = uint8(a.classes) // at most 230 bytes are in lower case
				a.classes++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	if err := a.build(literals); err != nil {
		return nil, err
	}
	return a, nil
}

// build makes the trie and turns it into a complete automaton, breadth first.
func (a *automaton) build(literals []string) error {
	a.grow()
	for id, literal := range literals {
		state := 0
		for i := range len(literal) {
			at := state*a.classes + int(a.class[literal[i]])
			if a.next[at] == 0 {
				if len(a.out) > 0xFFFF {
					return fmt.Errorf("compile literals: more than %d states", 0xFFFF)
				}
				a.next[at] = uint16(len(a.out))
				a.grow()
			}
			state = int(a.next[at])
		}
		a.out[state] = append(a.out[state], uint16(id)) // fewer literals than states
	}
	fail := make([]uint16, len(a.out))
	queue := make([]uint16, 0, len(a.out))
	for class := range a.classes {
		if to := a.next[class]; to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		state := int(queue[0])
		queue = queue[1:]
		a.out[state] = append(a.out[state], a.out[fail[state]]...)
		for class := range a.classes {
			at, other := state*a.classes+class, a.next[int(fail[state])*a.classes+class]
			if to := a.next[at]; to != 0 {
				fail[to] = other
				queue = append(queue, to)
			} else {
				a.next[at] = other
			}
		}
	}
	return nil
}

func (a *automaton) grow() {
	a.next = append(a.next, make([]uint16, a.classes)...)
	a.out = append(a.out, nil)
}

// find calls hit for every literal of the text with its place, in the order of their ends, until hit returns false.
func (a *automaton) find(text string, hit func(literal, start, end int) bool) {
	state := 0
	for i := range len(text) {
		state = int(a.next[state*a.classes+int(a.class[text[i]])])
		for _, id := range a.out[state] {
			if !hit(int(id), i+1-a.lengths[id], i+1) {
				return
			}
		}
	}
}
