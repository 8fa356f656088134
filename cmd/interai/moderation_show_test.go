package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFactsReadAsSentencesAndNumbers(t *testing.T) {
	for name, c := range map[string]struct{ facts, want string }{
		"the sentence comes first": {
			`{"shared":12,"sentence":"a and b agreed.","probability":1.5e-9}`,
			"  | a and b agreed.\n  probability  1.5e-09\n  shared       12\n",
		},
		"lists and tables": {
			`{"parties":["usr_a","usr_b"],"share_of":{"usr_b":0.25,"usr_a":0.5},"reciprocal":true,"author":""}`,
			"  author      -\n  parties     usr_a, usr_b\n  reciprocal  true\n  share_of    usr_a 0.5, usr_b 0.25\n",
		},
		"nothing that a terminal obeys": {`{"hour":"x\u001b[31m"}`, "  hour  x [31m\n"},
		"what is no object":             {`[1]`, "  | [1]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			writeFacts(&b, json.RawMessage(c.facts))
			require.Equal(t, c.want, b.String())
		})
	}
}
