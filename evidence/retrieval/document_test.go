package retrieval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval"
)

// parseVector reads the text of a tsvector as PostgreSQL's documentation describes it (section 8.11.1).
func parseVector(text string) ([]retrieval.Lexeme, error) {
	var out []retrieval.Lexeme
	for text != "" {
		word, rest, err := unquote(strings.TrimPrefix(text, " "))
		if err != nil {
			return nil, err
		}
		places, next, _ := strings.Cut(rest, " ")
		lexeme := retrieval.Lexeme{Text: word}
		for place := range strings.SplitSeq(strings.TrimPrefix(places, ":"), ",") {
			position := retrieval.Position{Weight: 'D'}
			if last := place[len(place)-1]; last >= 'A' && last <= 'D' {
				position.Weight, place = retrieval.Weight(last), place[:len(place)-1]
			}
			if _, err := fmt.Sscanf(place, "%d", &position.At); err != nil {
				return nil, err
			}
			lexeme.Positions = append(lexeme.Positions, position)
		}
		out, text = append(out, lexeme), next
	}
	return out, nil
}

// unquote reads one quoted lexeme at the start of a text.
func unquote(text string) (word, rest string, err error) {
	if !strings.HasPrefix(text, "'") {
		return "", "", fmt.Errorf("no quote at %.20q", text)
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\'':
			if !strings.HasPrefix(text[i+1:], "'") {
				return b.String(), text[i+1:], nil
			}
			i++
		}
		if i == len(text) {
			break
		}
		b.WriteByte(text[i])
	}
	return "", "", errors.New("the quote does not end")
}

func TestVectorsAreWrittenAsPostgreSQLReadsThem(t *testing.T) {
	t.Parallel()
	at := func(places ...uint16) []retrieval.Position {
		var out []retrieval.Position
		for _, place := range places {
			out = append(out, retrieval.Position{At: place, Weight: 'D'})
		}
		return out
	}
	for name, c := range map[string]struct {
		lexemes []retrieval.Lexeme
		want    string
	}{
		"nothing":             {nil, ""},
		"two places":          {[]retrieval.Lexeme{{Text: "a", Positions: at(1, 7)}}, "'a':1,7"},
		"weights":             {[]retrieval.Lexeme{{Text: "a", Positions: []retrieval.Position{{At: 1, Weight: 'A'}, {At: 2, Weight: 'C'}}}}, "'a':1A,2C"},
		"quotes, backslashes": {[]retrieval.Lexeme{{Text: `o'b\c`, Positions: at(1)}, {Text: `x`, Positions: at(2)}}, `'o''b\\c':1 'x':2`},
		"blanks and colons":   {[]retrieval.Lexeme{{Text: "a b:c,d", Positions: at(1)}}, "'a b:c,d':1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, retrieval.Document{Lexemes: c.lexemes}.TSVector())
			again, err := parseVector(c.want)
			require.NoError(t, err)
			require.Equal(t, c.lexemes, again)
		})
	}
}
