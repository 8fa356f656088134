package validate

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/errors"
)

// exchangesEnv names the file that the tests of api/actions write.
const exchangesEnv = "INTERAI_TEST_EXCHANGES"

// exchange is one request with its answer; Valid says that the document allows the request.
type exchange struct {
	Method, Path, Body, Answer string
	Header, Answered           http.Header
	Status                     int
	Valid                      bool
}

func load(t *testing.T, raw []byte) validator.Validator {
	t.Helper()
	doc, err := libopenapi.NewDocument(raw)
	if err != nil {
		t.Fatal("read the document: ", err)
	}
	v, errs := validator.NewValidator(doc)
	if len(errs) > 0 {
		t.Fatal("build the validator: ", errs)
	}
	return v
}

func describe(problems []*errors.ValidationError) string {
	var out strings.Builder
	for _, p := range problems {
		out.WriteString(p.Message + ": " + p.Reason + "\n")
		for _, s := range p.SchemaValidationErrors {
			out.WriteString("  " + s.FieldPath + " " + s.Reason + "\n")
		}
	}
	return out.String()
}

func TestTheGoldenDocumentIsValid(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	if ok, problems := load(t, raw).ValidateDocument(); !ok {
		t.Fatal(describe(problems))
	}
}

// TestANodeSaysWhatItsDocumentSays holds each request and each answer against the document that the node served.
func TestANodeSaysWhatItsDocumentSays(t *testing.T) {
	path := os.Getenv(exchangesEnv)
	if path == "" {
		t.Skip("what a node said was not recorded: make check-openapi-go does both")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Document  json.RawMessage
		Exchanges []exchange
	}
	if err := json.Unmarshal(raw, &recorded); err != nil {
		t.Fatal(err)
	}
	v := load(t, recorded.Document)
	if ok, problems := v.ValidateDocument(); !ok {
		t.Fatal(describe(problems))
	}
	seen := map[int]bool{}
	for _, e := range recorded.Exchanges {
		check(t, v, &e)
		seen[e.Status] = true
	}
	for _, status := range []int{200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 503} {
		if !seen[status] {
			t.Errorf("nothing was answered with %d", status)
		}
	}
}

func check(t *testing.T, v validator.Validator, e *exchange) {
	t.Helper()
	request := func() *http.Request {
		r, err := http.NewRequest(e.Method, "https://inter-ai.invalid"+e.Path, strings.NewReader(e.Body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = e.Header
		return r
	}
	if ok, problems := v.ValidateHttpRequest(request()); ok != e.Valid && e.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("%s: the request is valid: %t, to the document: %t\n%s", e.Path, e.Valid, ok, describe(problems))
	}
	response := &http.Response{StatusCode: e.Status, Header: e.Answered, Body: io.NopCloser(bytes.NewReader([]byte(e.Answer)))}
	if ok, problems := v.ValidateHttpResponse(request(), response); !ok {
		t.Errorf("%s: %d is not what the document says: %s\n%.500s", e.Path, e.Status, describe(problems), e.Answer)
	}
	// A validator that lets everything pass would prove nothing.
	response.Body = io.NopCloser(strings.NewReader(`{"error":{"code":"no_code"},"no_member":1}`))
	if ok, _ := v.ValidateHttpResponse(request(), response); ok {
		t.Errorf("%s: %d: an answer with members that nobody knows passes", e.Path, e.Status)
	}
}
