package openmcp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/api/openmcp"
)

// with is a document with one intent of given parameters and answer.
func with(t require.TestingT, parameters []fields, success any) []byte {
	intent := fields{"name": "do", "description": "Does.", "parameters": parameters, "responses": fields{}}
	if success != nil {
		intent["responses"] = fields{"success": fields{"schema": success}}
	}
	raw, err := json.Marshal(fields{
		"openmcpspec": "v0.4.1", "info": fields{"title": "T", "version": "1"}, "enumeration": fields{},
		"server":  fields{"name": "n", "hostname": "h.test", "port": 443, "protocol": "https", "auth": fields{"methods": []string{"jwt"}}},
		"intents": []fields{intent},
	})
	require.NoError(t, err)
	return raw
}

// changed is a document after an edit.
func changed(t *testing.T, document []byte, edit func(d fields)) []byte {
	t.Helper()
	var d fields
	require.NoError(t, json.Unmarshal(document, &d))
	edit(d)
	raw, err := json.Marshal(d)
	require.NoError(t, err)
	return raw
}

func TestADocumentDoesNotDifferFromItself(t *testing.T) {
	t.Parallel()
	doc := document(t, site())
	c, err := openmcp.Diff(doc, doc)
	require.NoError(t, err)
	require.Empty(t, c.Changes)
	rapid.Check(t, func(t *rapid.T) {
		doc := with(t, parameters(t, "a"), nil)
		c, err := openmcp.Diff(doc, doc)
		require.NoError(t, err)
		require.Empty(t, c.Changes)
	})
}

func TestChangesOfADocumentAreClassed(t *testing.T) {
	t.Parallel()
	server := func(d fields) fields { return d["server"].(fields) }
	intent := func(d fields) fields { return d["intents"].([]any)[0].(fields) }
	one := []fields{{"name": "p", "type": "string", "description": "P."}}
	for _, tt := range []struct {
		rule  string
		edit  func(d fields)
		class openmcp.Class
		kind  string
		old   string
		new   string
	}{
		{"an intent is removed", func(d fields) { d["intents"] = []any{} }, openmcp.Breaking, "intent-removed", "/intents/0", ""},
		{"an intent is added", func(d fields) {
			d["intents"] = append([]any{fields{"name": "new", "parameters": []any{}, "responses": fields{}}}, d["intents"].([]any)...)
		}, openmcp.Compatible, "intent-added", "", "/intents/0"},
		{"the server moves", func(d fields) { server(d)["hostname"] = "other.test" }, openmcp.Breaking, "server-moved", "/server/hostname", "/server/hostname"},
		{"the port changes", func(d fields) { server(d)["port"] = 8443 }, openmcp.Breaking, "server-moved", "/server/port", "/server/port"},
		{"a way to authenticate goes", func(d fields) { server(d)["auth"] = fields{"methods": []string{}} }, openmcp.Breaking, "auth-method-removed", "/server/auth/methods/0", ""},
		{"a way to authenticate comes", func(d fields) { server(d)["auth"] = fields{"methods": []string{"jwt", "mtls"}} }, openmcp.Compatible, "auth-method-added", "", "/server/auth/methods/1"},
		{"a scope is needed", func(d fields) { server(d)["auth"] = fields{"methods": []string{"jwt"}, "token_scopes": []string{"x"}} }, openmcp.Breaking, "token-scope-added", "", "/server/auth/token_scopes/0"},
		{"words change", func(d fields) { intent(d)["description"] = "Does it." }, openmcp.Wording, "words", "/intents/0/description", "/intents/0/description"},
		{"the title changes", func(d fields) { d["info"].(fields)["title"] = "U" }, openmcp.Wording, "words", "/info", "/info"},
		{"an error gets another code", func(d fields) {
			intent(d)["responses"] = fields{"error": fields{"code": "MCP-ERR-TIMEOUT", "message": "m"}}
		}, openmcp.Breaking, "error-code-changed", "/intents/0/responses/error/code", "/intents/0/responses/error/code"},
		{"a role may not call any more", func(d fields) { intent(d)["metadata"] = fields{"roles": []string{"admin"}} }, openmcp.Breaking, "role-added", "", "/intents/0/metadata/roles/0"},
		{"a parameter is removed", func(d fields) { intent(d)["parameters"] = []any{} }, openmcp.Breaking, "parameter-removed", "/intents/0/parameters/0", ""},
		{"a parameter is added", func(d fields) {
			intent(d)["parameters"] = append(intent(d)["parameters"].([]any), fields{"name": "q", "type": "string"})
		}, openmcp.Compatible, "parameter-added", "", "/intents/0/parameters/1"},
		{"a required parameter is added", func(d fields) {
			intent(d)["parameters"] = append(intent(d)["parameters"].([]any), fields{"name": "q", "type": "string", "required": true})
		}, openmcp.Breaking, "parameter-added", "", "/intents/0/parameters/1"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			a := with(t, one, nil)
			c, err := openmcp.Diff(a, changed(t, a, tt.edit))
			require.NoError(t, err)
			found := false
			for _, change := range c.Changes {
				found = found || change.Class == tt.class && change.Kind == tt.kind && change.Old == tt.old && change.New == tt.new
			}
			require.True(t, found, "%+v", c.Changes)
			require.Equal(t, tt.class == openmcp.Breaking, c.Breaking > 0, "%+v", c.Changes)
		})
	}
}

func TestChangesOfAParameterAreClassed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, old, new string
		class          openmcp.Class // "" for none
		kind           string
	}{
		{"the type changes", `{"type":"string"}`, `{"type":"boolean"}`, openmcp.Breaking, "type-changed"},
		{"integer becomes number", `{"type":"integer"}`, `{"type":"number"}`, openmcp.Compatible, "type-changed"},
		{"number becomes integer", `{"type":"number"}`, `{"type":"integer"}`, openmcp.Breaking, "type-changed"},
		{"an unknown type changes", `{"type":"file"}`, `{"type":"blob"}`, openmcp.Breaking, "type-changed"},
		{"an enum is narrowed", `{"type":"string","enum":["a","b"]}`, `{"type":"string","enum":["a"]}`, openmcp.Breaking, "enum-changed"},
		{"an enum is widened", `{"type":"string","enum":["a"]}`, `{"type":"string","enum":["a","b"]}`, openmcp.Compatible, "enum-changed"},
		{"an enum is reordered", `{"type":"string","enum":["a","b"]}`, `{"type":"string","enum":["b","a"]}`, openmcp.Wording, "enum-changed"},
		{"an enum goes", `{"type":"string","enum":["a"]}`, `{"type":"string"}`, openmcp.Compatible, "enum-changed"},
		{"a minimum rises", `{"type":"integer","minimum":1}`, `{"type":"integer","minimum":2}`, openmcp.Breaking, "minimum-changed"},
		{"a minimum falls", `{"type":"integer","minimum":2}`, `{"type":"integer","minimum":1}`, openmcp.Compatible, "minimum-changed"},
		{"a minimum of integers says the same", `{"type":"integer","minimum":0.5}`, `{"type":"integer","minimum":1}`, openmcp.Wording, "minimum-changed"},
		{"a maximum comes", `{"type":"number"}`, `{"type":"number","maximum":5}`, openmcp.Breaking, "maximum-changed"},
		{"a bound of texts says nothing", `{"type":"string"}`, `{"type":"string","maximum":5}`, openmcp.Wording, "maximum-changed"},
		{"a pattern changes", `{"type":"string","pattern":"^a"}`, `{"type":"string","pattern":"^b"}`, openmcp.Breaking, "pattern-changed"},
		{"a pattern goes", `{"type":"string","pattern":"^a"}`, `{"type":"string"}`, openmcp.Compatible, "pattern-changed"},
		{"a pattern that the enum has anyway", `{"type":"string","enum":["a"]}`, `{"type":"string","enum":["a"],"pattern":"^a$"}`, openmcp.Wording, "pattern-changed"},
		{"a format comes", `{"type":"string"}`, `{"type":"string","format":"uri"}`, openmcp.Breaking, "format-changed"},
		{"a default changes", `{"type":"integer","default":1}`, `{"type":"integer","default":2}`, openmcp.Compatible, "default-changed"},
		{"it becomes required", `{"type":"string"}`, `{"type":"string","required":true}`, openmcp.Breaking, "required-changed"},
		{"it becomes optional", `{"type":"string","required":true}`, `{"type":"string"}`, openmcp.Compatible, "required-changed"},
		{"it becomes personal", `{"type":"string"}`, `{"type":"string","pii":true}`, openmcp.Compatible, "sensitivity-changed"},
		{"it depends on another", `{"type":"string"}`, `{"type":"string","dependencies":["q"]}`, openmcp.Breaking, "dependency-added"},
		{"a text gets shorter", `{"type":"string","x_schema":{"type":"string","maxLength":9}}`, `{"type":"string","x_schema":{"type":"string","maxLength":8}}`, openmcp.Breaking, "maxLength-changed"},
		{"a list gets longer", `{"type":"array","x_schema":{"type":"array","maxItems":8}}`, `{"type":"array","x_schema":{"type":"array","maxItems":9}}`, openmcp.Compatible, "maxItems-changed"},
		{"items are bound", `{"type":"array","x_schema":{"type":"array","items":{"type":"string"}}}`, `{"type":"array","x_schema":{"type":"array","items":{"type":"string","enum":["a"]}}}`, openmcp.Breaking, "enum-changed"},
		{"a member is needed", `{"type":"object","x_schema":{"type":"object","properties":{"x":{}}}}`, `{"type":"object","x_schema":{"type":"object","properties":{"x":{}},"required":["x"]}}`, openmcp.Breaking, "required-added"},
		{"a member goes", `{"type":"object","x_schema":{"type":"object","properties":{"x":{}},"additionalProperties":false}}`, `{"type":"object","x_schema":{"type":"object","properties":{},"additionalProperties":false}}`, openmcp.Breaking, "member-removed"},
		{"a member comes", `{"type":"object","x_schema":{"type":"object","properties":{},"additionalProperties":false}}`, `{"type":"object","x_schema":{"type":"object","properties":{"x":{}},"additionalProperties":false}}`, openmcp.Compatible, "member-added"},
		{"only listed members", `{"type":"object","x_schema":{"type":"object"}}`, `{"type":"object","x_schema":{"type":"object","additionalProperties":false}}`, openmcp.Breaking, "members-closed"},
		{"what is not weighed", `{"type":"object","x_schema":{"type":"object"}}`, `{"type":"object","x_schema":{"type":"object","anyOf":[{"required":["x"]}]}}`, openmcp.Breaking, "keyword-changed"},
		{"behind a reference", `{"type":"object","x_schema":{"type":"object","properties":{"x":{"$ref":"#/$defs/d"}},"$defs":{"d":{"type":"integer"}}}}`, `{"type":"object","x_schema":{"type":"object","properties":{"x":{"$ref":"#/$defs/d"}},"$defs":{"d":{"type":"string"}}}}`, openmcp.Breaking, "type-changed"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			parse := func(text string) []fields {
				p := fields{"name": "p", "description": "P."}
				require.NoError(t, json.Unmarshal([]byte(text), &p))
				return []fields{p, {"name": "q", "type": "string"}}
			}
			c, err := openmcp.Diff(with(t, parse(tt.old), nil), with(t, parse(tt.new), nil))
			require.NoError(t, err)
			require.Len(t, c.Changes, 1, "%+v", c.Changes)
			require.Equal(t, tt.class, c.Changes[0].Class, "%+v", c.Changes)
			require.Equal(t, tt.kind, c.Changes[0].Kind)
		})
	}
}

func TestAnswersAreComparedTheOtherWayRound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, old, new string
		class          openmcp.Class // "" for none
	}{
		{"a member goes", `{"type":"object","properties":{"x":{"type":"string"}}}`, `{"type":"object","properties":{}}`, openmcp.Breaking},
		{"a member comes", `{"type":"object","properties":{}}`, `{"type":"object","properties":{"x":{"type":"string"}}}`, openmcp.Compatible},
		{"a member comes where none may be", `{"type":"object","properties":{},"additionalProperties":false}`, `{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`, openmcp.Compatible},
		{"an enum gets longer", `{"type":"object","properties":{"x":{"type":"string","enum":["a"]}}}`, `{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]}}}`, openmcp.Breaking},
		{"an enum gets shorter", `{"type":"object","properties":{"x":{"type":"string","enum":["a","b"]}}}`, `{"type":"object","properties":{"x":{"type":"string","enum":["a"]}}}`, openmcp.Compatible},
		{"a member is not certain any more", `{"type":"object","required":["x"]}`, `{"type":"object"}`, openmcp.Breaking},
		{"a member is certain now", `{"type":"object"}`, `{"type":"object","required":["x"]}`, openmcp.Compatible},
		{"the type changes", `{"type":"object","properties":{"x":{"type":"string"}}}`, `{"type":"object","properties":{"x":{"type":"integer"}}}`, openmcp.Breaking},
		{"a number becomes an integer", `{"type":"object","properties":{"x":{"type":"number"}}}`, `{"type":"object","properties":{"x":{"type":"integer"}}}`, openmcp.Compatible},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			c, err := openmcp.Diff(with(t, []fields{}, json.RawMessage(tt.old)), with(t, []fields{}, json.RawMessage(tt.new)))
			require.NoError(t, err)
			require.Len(t, c.Changes, 1, "%+v", c.Changes)
			require.Equal(t, tt.class, c.Changes[0].Class)
		})
	}
}

// parameters draws parameters with every flat rule.
func parameters(t *rapid.T, label string) []fields {
	bounds := []float64{0, 0.5, 1, 1.5, 2, 2.5, 3}
	out := []fields{}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"p", "q", "r"}), 0, 3, rapid.ID[string]).Draw(t, label+" names") {
		p := fields{"name": name, "type": rapid.SampledFrom([]string{"string", "integer", "number", "boolean"}).Draw(t, label+" type")}
		if rapid.Bool().Draw(t, label+" required") {
			p["required"] = true
		}
		draw := func(keyword string, value any) {
			if rapid.IntRange(0, 2).Draw(t, label+" "+keyword) == 0 {
				p[keyword] = value
			}
		}
		draw("enum", rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "ab", "7"}), 1, 4, rapid.ID[string]).Draw(t, label+" enum values"))
		draw("pattern", rapid.SampledFrom([]string{"^a", "b$", "^[0-9]+$"}).Draw(t, label+" pattern value"))
		draw("minimum", rapid.SampledFrom(bounds).Draw(t, label+" minimum value"))
		draw("maximum", rapid.SampledFrom(bounds).Draw(t, label+" maximum value"))
		out = append(out, p)
	}
	return out
}

// values are enough to tell any two of the drawn rules apart.
func values() []string {
	out := []string{`""`, `"a"`, `"b"`, `"ab"`, `"ba"`, `"7"`, `"77"`, `"c"`, `"xb"`, `"ac"`, `"axb"`, "true", "false", "-1000", "1000"}
	for quarter := -4; quarter <= 20; quarter++ {
		out = append(out, fmt.Sprint(float64(quarter)/4))
	}
	return out
}

// breaks looks for a call that is valid in a and not in b: the shortest call, and that call with one more value.
func breaks(t require.TestingT, a, b []byte, params []fields) bool {
	old, err := openmcp.NewChecker(a)
	require.NoError(t, err)
	now, err := openmcp.NewChecker(b)
	require.NoError(t, err)
	differ := func(arguments map[string]json.RawMessage) (valid, differs bool) {
		raw, err := json.Marshal(map[string]any{"intent": "do", "parameters": arguments})
		require.NoError(t, err)
		before, err := old.Check(raw)
		require.NoError(t, err)
		after, err := now.Check(raw)
		require.NoError(t, err)
		return before.Valid, before.Valid && !after.Valid
	}
	shortest := map[string]json.RawMessage{}
	for _, p := range params {
		if p["required"] != true {
			continue
		}
		name, found := p["name"].(string), false
		for _, v := range values() { // the others are missing still, which is another finding
			raw := []byte(`{"intent":"do","parameters":{"` + name + `":` + v + `}}`)
			r, err := old.Check(raw)
			require.NoError(t, err)
			fits := true
			for _, f := range r.Findings {
				fits = fits && f.Rule == "parameter-missing"
			}
			if fits {
				shortest[name], found = json.RawMessage(v), true
				break
			}
		}
		if !found {
			return false // no call is valid
		}
	}
	if _, differs := differ(shortest); differs {
		return true
	}
	for _, p := range params {
		name := p["name"].(string)
		for _, v := range values() {
			arguments := map[string]json.RawMessage{}
			maps.Copy(arguments, shortest)
			arguments[name] = json.RawMessage(v)
			if _, differs := differ(arguments); differs {
				return true
			}
		}
	}
	return false
}

func TestAChangeIsBreakingExactlyIfSomeCallBreaks(t *testing.T) {
	t.Parallel()
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		before, after := parameters(t, "a"), parameters(t, "b")
		a, b := with(t, before, nil), with(t, after, nil)
		c, err := openmcp.Diff(a, b)
		require.NoError(t, err)
		want := breaks(t, a, b, before)
		seen[want]++
		require.Equal(t, want, c.Breaking > 0, "%+v", c.Changes)
	})
	require.Positive(t, seen[true])
	require.Positive(t, seen[false])
}

func TestOnlyValidDocumentsAreCompared(t *testing.T) {
	t.Parallel()
	_, err := openmcp.Diff([]byte(`{}`), document(t, site()))
	require.ErrorIs(t, err, openmcp.ErrInvalidDocument)
	_, err = openmcp.Diff(document(t, site()), []byte(`{`))
	require.ErrorIs(t, err, openmcp.ErrNotJSON)
}

func TestReferencesInCirclesEnd(t *testing.T) {
	t.Parallel()
	knot := `{"openmcpspec":"0.4.1","info":{"title":"T","version":"1"},"server":{"name":"n","hostname":"h.test","port":1,"protocol":"http"},"enumeration":{},
	"intents":[{"name":"i","parameters":[{"name":"p","type":"object","x_schema":{"$ref":"#/definitions/a"}}],"responses":{}}],
	"definitions":{"a":{"type":"object","properties":{"x":{"$ref":"#/definitions/a"},"y":{"$ref":"#/definitions/a"}},"items":{"$ref":"#/definitions/a"},"additionalProperties":{"$ref":"#/definitions/a"}},"b":{"$ref":"#/definitions/c"},"c":{"$ref":"#/definitions/b"}}}`
	c, err := openmcp.Diff([]byte(knot), []byte(knot))
	require.NoError(t, err)
	require.Empty(t, c.Changes)
	other := strings.Replace(knot, `"items":{"$ref":"#/definitions/a"},`, ``, 1)
	_, err = openmcp.Diff([]byte(knot), []byte(other))
	require.NoError(t, err)
	_, err = openmcp.Validate([]byte(strings.Replace(knot, "definitions/a\"}}]", "definitions/b\"}}]", 1)), openmcp.Options{})
	require.NoError(t, err)
}

// chain is a document's definitions that each have a member of the next one's, to the last.
func chain(n int, last any) fields {
	out := fields{fmt.Sprint("d", n): last}
	for i := range n {
		out[fmt.Sprint("d", i)] = fields{"type": "object", "properties": fields{"a": fields{"$ref": fmt.Sprint("#/definitions/d", i+1)}}}
	}
	return out
}

// tangle are definitions whose members lead to one another in a way of their own.
func tangle(n, step int) fields {
	out := fields{}
	for i := range n {
		members := fields{}
		for j := range 6 {
			members[fmt.Sprint("p", j)] = fields{"$ref": fmt.Sprint("#/definitions/d", (i*(step+j)+j*j+1)%n)}
		}
		out[fmt.Sprint("d", i)] = fields{"type": "object", "properties": members}
	}
	return out
}

func TestAChangeIsFoundWhereverASchemaHidesIt(t *testing.T) {
	t.Parallel()
	type list = []any
	text, number := fields{"type": "string"}, fields{"type": "integer"}
	defs := func(schema, a any) fields { return fields{"x": schema, "a": a} }
	ref, named := fields{"$ref": "#/definitions/a"}, fields{"$ref": "#name"}
	recursive := func(last any) fields {
		return fields{"anyOf": list{fields{"type": "null"}, last, fields{"type": "array", "items": ref}}}
	}
	for _, tt := range []struct {
		name           string
		before, after  fields        // definitions, of which x is the schema
		class          openmcp.Class // "" for none
		kind, mentions string
	}{
		{"behind a reference in a choice", defs(fields{"anyOf": list{ref, fields{"type": "null"}}}, text), defs(fields{"anyOf": list{ref, fields{"type": "null"}}}, number), openmcp.Breaking, "keyword-changed", "/anyOf"},
		{"behind a reference in a negation", defs(fields{"not": ref}, text), defs(fields{"not": ref}, fields{}), openmcp.Breaking, "keyword-changed", "/not"},
		{"behind two references", defs(fields{"oneOf": list{ref}}, fields{"properties": fields{"p": fields{"allOf": list{fields{"$ref": "#/definitions/b"}}}}}), defs(fields{"oneOf": list{ref}}, fields{"properties": fields{"p": fields{"allOf": list{fields{"$ref": "#/definitions/c"}}}}}), openmcp.Breaking, "keyword-changed", "/oneOf"},
		{"beside a reference", defs(fields{"$ref": "#/definitions/a", "maxLength": 9}, text), defs(fields{"$ref": "#/definitions/a", "maxLength": 3}, text), openmcp.Breaking, "keyword-changed", "/maxLength"},
		{"beside a reference that another one leads to", defs(ref, fields{"$ref": "#/definitions/b", "minLength": 1}), defs(ref, fields{"$ref": "#/definitions/b"}), openmcp.Breaking, "keyword-changed", "/minLength"},
		{"a default beside a reference", defs(fields{"properties": fields{"p": fields{"$ref": "#/definitions/a", "default": "x"}}}, text), defs(fields{"properties": fields{"p": fields{"$ref": "#/definitions/a", "default": "y"}}}, text), openmcp.Compatible, "default-changed", "/p/default"},
		{"words beside a reference", defs(fields{"$ref": "#/definitions/a", "title": "X"}, text), defs(fields{"$ref": "#/definitions/a", "title": "Y"}, text), openmcp.Wording, "words", "/title"},
		{"a reference by a name", defs(named, fields{"$anchor": "name"}), defs(fields{"$ref": "#other"}, fields{"$anchor": "name"}), openmcp.Breaking, "keyword-changed", "/$ref"},
		{"behind a reference by a name", defs(named, fields{"$anchor": "name", "type": "string"}), defs(named, fields{"$anchor": "name", "type": "integer"}), openmcp.Breaking, "keyword-changed", "/$ref"},
		{"items that nothing is any more", defs(fields{"type": "array"}, text), defs(fields{"type": "array", "items": false}, text), openmcp.Breaking, "values-changed", "/items"},
		{"items that may be something now", defs(fields{"type": "array", "items": false}, text), defs(fields{"type": "array", "items": text}, text), openmcp.Compatible, "values-changed", "/items"},
		{"a member that nothing is any more", defs(fields{"type": "object", "properties": fields{"p": true}}, text), defs(fields{"type": "object", "properties": fields{"p": false}}, text), openmcp.Breaking, "values-changed", "/p"},
		{"a definition that nothing is any more", defs(ref, true), defs(ref, false), openmcp.Breaking, "values-changed", ""},
		{"items in their order", defs(fields{"type": "array", "items": list{text}}, text), defs(fields{"type": "array", "items": list{number}}, text), openmcp.Breaking, "keyword-changed", "/items"},
		{"what further members refer to", defs(fields{"type": "object", "additionalProperties": ref}, text), defs(fields{"type": "object", "additionalProperties": ref}, number), openmcp.Breaking, "type-changed", "/additionalProperties/type"},
		{"far down", chain(200, text), chain(200, number), openmcp.Breaking, "type-changed", "/type"},
		{"further down than is looked", chain(600, text), chain(600, text), openmcp.Breaking, "not-compared", ""},
		{"over too many ways", tangle(400, 7), tangle(400, 11), openmcp.Breaking, "not-compared", ""},

		{"only words behind a reference in a choice", defs(fields{"anyOf": list{ref}}, fields{"description": "X"}), defs(fields{"anyOf": list{ref}}, fields{"description": "Y"}), "", "", ""},
		{"a circle through a choice", defs(ref, recursive(text)), defs(ref, recursive(text)), "", "", ""},
		{"a change in a circle", defs(ref, recursive(text)), defs(ref, recursive(number)), openmcp.Breaking, "keyword-changed", "/anyOf"},
		{"everything, in two ways", defs(fields{"type": "array"}, text), defs(fields{"type": "array", "items": true}, text), "", "", ""},
		{"nothing, twice", defs(fields{"type": "array", "items": false}, text), defs(fields{"type": "array", "items": false}, text), "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			document := func(definitions fields) []byte {
				definitions["b"], definitions["c"] = text, number
				schema := definitions["x"]
				if schema == nil {
					schema = fields{"$ref": "#/definitions/d0"}
				}
				return changed(t, with(t, []fields{{"name": "p", "type": "object", "description": "P.", "x_schema": schema}}, nil), func(d fields) {
					d["definitions"] = definitions
				})
			}
			c, err := openmcp.Diff(document(tt.before), document(tt.after))
			require.NoError(t, err)
			if tt.class == "" {
				require.Empty(t, c.Changes)
				return
			}
			require.NotEmpty(t, c.Changes)
			require.Equal(t, []any{tt.class, tt.kind}, []any{c.Changes[0].Class, c.Changes[0].Kind}, "%v", c.Changes)
			require.True(t, strings.HasSuffix(c.Changes[0].Old, tt.mentions), c.Changes[0].Old)
		})
	}
}
