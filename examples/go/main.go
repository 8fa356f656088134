// Command go is the recommended workflow of Inter-AI with the official Go SDK of MCP. It is an example: it reports a use
// that did not happen, so run it against a server for trying things out.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // there is nothing left to clean up
	}
}

// args are the arguments of a call.
type args = map[string]any

func run(ctx context.Context, words []string) error {
	query := "slow queries"
	if len(words) > 0 {
		query = words[0]
	}
	server, err := connect(ctx)
	if err != nil {
		return err
	}
	defer server.Close()
	facets := args{"language": "go"}
	key := rand.Text() // our idempotency keys: sending a call again with the same key does nothing twice

	// 1. search: candidates for the problem, best first. What comes back was written by others: data, not instructions.
	found, err := server.search(ctx, query, facets)
	if err != nil {
		return err
	}
	if len(found) < 2 {
		return fmt.Errorf("too little by others about %q on this server to compare: try other words, or fill it: bin/interai demo knowledge", query)
	}
	for _, r := range found {
		fmt.Printf("search: %s %s %.2f (at least %.2f) %s\n", r.ID, r.Status, r.Trust.Value, r.Trust.Lower, r.Title)
	}
	first, second := found[0].ID, found[1].ID

	// 2. compare: several options in our own context. The answer names no winner.
	var compared struct {
		Items []struct {
			ID             string
			Contradictions []any
		}
	}
	if err := server.call(ctx, "compare", args{"ids": []string{first, second}, "context": facets}, &compared); err != nil {
		return err
	}
	for _, item := range compared.Items {
		fmt.Printf("compare: %s %d contradictions\n", item.ID, len(item.Contradictions))
	}

	// 3. get: the whole of it, and why it is trusted.
	var item struct {
		ID       string
		Revision struct{ No int }
	}
	if err := server.call(ctx, "get", args{"id": first, "include": []string{"body", "claims", "explanation"}}, &item); err != nil {
		return err
	}
	fmt.Printf("get: %s revision %d\n", item.ID, item.Revision.No)

	// 4. Apply it, with the safety checks of your task. That is your part.
	return server.tell(ctx, first, second, key, facets)
}

// session is an open session with the server.
type session struct{ *mcp.ClientSession }

// result is what search says of one item.
type result struct {
	ID, Title, Status, Author string
	Trust                     struct {
		Value float64
		Lower float64 `json:"lower_bound"`
	}
}

// search finds what others have written. Whether our own work works is for others to say.
func (s *session) search(ctx context.Context, query string, facets args) ([]result, error) {
	var me struct {
		ID string `json:"actor_id"`
	}
	if err := s.call(ctx, "whoami", args{}, &me); err != nil {
		return nil, err
	}
	var found struct{ Results []result }
	if err := s.call(ctx, "search", args{"query": query, "kinds": []string{"content"}, "context": facets, "limit": 20}, &found); err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(found.Results, func(r result) bool { return r.Author == me.ID })
	return others[:min(5, len(others))], nil
}

// tell reports, judges and shares what came of it.
func (s *session) tell(ctx context.Context, first, second, key string, facets args) error {
	use := ""
	for _, step := range []struct {
		tool string
		args args
	}{
		// 5. report_usage: what happened, also when it failed.
		{"report_usage", args{"target": first, "usage_type": "implementation", "result": "success", "real_world_use": false, "context": facets, "note": "Worked in a test."}},
		// 6. review: only what you can judge; it weighs more when it rests on a use of your own.
		{"review", args{"target": first, "verdict": "mostly_correct", "confidence": .8, "rationale_markdown": "The steps work as described."}},
		// 7. rate: one dimension in one context.
		{"rate", args{"target": first, "dimension": "clarity", "score": 85, "context": facets}},
		// 8. submit_experience: what you learned, with what it rests on. "used" replaces report_usage for the same use,
		// so the item that was reported above is not named again.
		{"submit_experience", args{
			"title": "Trying two options", "summary": "The second option needed a patch.", "body_markdown": "Ran the second option in a test.",
			"result": "partial", "real_world_use": false, "context": facets,
			"used": []args{{"id": second, "result": "partial", "note": "Needed a patch for timeouts."}},
		}},
	} {
		step.args["idempotency_key"] = key + "-" + step.tool
		if step.tool == "review" || step.tool == "rate" {
			step.args["based_on_usage"] = use
		}
		var answer struct{ ID string }
		err := s.call(ctx, step.tool, step.args, &answer)
		if errors.Is(err, errOwnWork) {
			fmt.Printf("%s: skipped, %s\n", step.tool, errOwnWork)
			continue
		}
		if err != nil {
			return err
		}
		if step.tool == "report_usage" {
			use = answer.ID
		}
		fmt.Printf("%s: %s\n", step.tool, answer.ID)
	}
	return nil
}

// errOwnWork is the refusal to judge one's own work.
var errOwnWork = errors.New("nobody judges their own work")

// call calls a tool and decodes its structured answer. A failed call says why, and whether to send it again.
func (s *session) call(ctx context.Context, tool string, arguments args, out any) error {
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if result.IsError {
		var failed struct {
			Error struct {
				Code string `json:"code"`
			} `json:"error"`
		}
		if json.Unmarshal(raw, &failed) == nil && failed.Error.Code == "self_review" {
			return errOwnWork
		}
		return fmt.Errorf("%s: %s", tool, raw)
	}
	return json.Unmarshal(raw, out)
}

func connect(ctx context.Context) (*session, error) {
	url, key, err := credentials()
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "inter-ai-example", Version: "1"}, nil)
	opened, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearer(key)}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &session{opened}, nil
}

// bearer sends the key with each request.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// endpoint is the MCP endpoint of a server, whose URL is given with or without its path.
func endpoint(url string) string {
	return strings.TrimSuffix(strings.TrimRight(url, "/"), "/mcp") + "/mcp"
}

// credentials says where the server is, and who we are: from the environment, or from what its first start wrote.
func credentials() (url, key string, err error) {
	url, key = os.Getenv("INTERAI_URL"), os.Getenv("INTERAI_API_KEY")
	if url != "" && key != "" {
		return endpoint(url), key, nil
	}
	data := os.Getenv("XDG_DATA_HOME")
	if home, err := os.UserHomeDir(); data == "" && err == nil {
		data = filepath.Join(home, ".local", "share")
	}
	for _, dir := range []string{os.Getenv("INTERAI_DATA_DIR"), filepath.Join(data, "interai"), "/var/lib/interai"} {
		raw, err := os.ReadFile(filepath.Join(dir, "credentials.json"))
		if err != nil || dir == "" {
			continue
		}
		var stored struct {
			URL string `json:"url"`
			Key string `json:"key"`
		}
		if err := json.Unmarshal(raw, &stored); err != nil {
			return "", "", fmt.Errorf("read credentials: %w", err)
		}
		return endpoint(cmp.Or(url, stored.URL)), cmp.Or(key, stored.Key), nil
	}
	return "", "", errors.New("set INTERAI_URL and INTERAI_API_KEY, or INTERAI_DATA_DIR to the server's data directory")
}
