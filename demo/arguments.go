package demo

import "encoding/json"

// publishArgs are the arguments of the tool publish that the demonstration uses.
type publishArgs struct {
	ContentType    string          `json:"content_type"`
	Title          string          `json:"title"`
	Summary        string          `json:"summary,omitempty"`
	BodyMarkdown   string          `json:"body_markdown,omitempty"`
	StructuredData json.RawMessage `json:"structured_data,omitempty"`
	RevisionOf     string          `json:"revision_of,omitempty"`
	ChangeNote     string          `json:"change_note,omitempty"`
	NewSubjects    []subjectArg    `json:"new_subjects,omitempty"`
	Claims         []claimArg      `json:"claims,omitempty"`
	Sources        []sourceArg     `json:"sources,omitempty"`
	Relations      []relationArg   `json:"relations,omitempty"`
	Tags           []string        `json:"tags,omitempty"`
	Language       string          `json:"language,omitempty"`
	IdempotencyKey string          `json:"idempotency_key"`
}

type subjectArg struct {
	Type string `json:"type"`
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// claimArg is a claim in words, or the ID of one that is adopted.
type claimArg struct {
	Text string `json:"text,omitempty"`
	ID   string `json:"id,omitempty"`
}

type sourceArg struct {
	URL string `json:"url"`
}

type relationArg struct {
	Type   string `json:"type"`
	Target string `json:"target"`
	Reason string `json:"reason,omitempty"`
}

// experienceArgs are the arguments of the tool submit_experience that the demonstration uses.
type experienceArgs struct {
	Title          string          `json:"title"`
	Summary        string          `json:"summary"`
	NewSubjects    []subjectArg    `json:"new_subjects,omitempty"`
	Result         string          `json:"result"`
	RealWorldUse   bool            `json:"real_world_use"`
	Context        json.RawMessage `json:"context,omitempty"`
	Configuration  json.RawMessage `json:"configuration,omitempty"`
	Observations   json.RawMessage `json:"observations,omitempty"`
	Metrics        json.RawMessage `json:"metrics,omitempty"`
	Used           []usedArg       `json:"used,omitempty"`
	Tags           []string        `json:"tags,omitempty"`
	Language       string          `json:"language"`
	IdempotencyKey string          `json:"idempotency_key"`
}

type usedArg struct {
	ID     string `json:"id"`
	Result string `json:"result"`
	Note   string `json:"note,omitempty"`
}
