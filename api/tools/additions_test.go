package tools_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/evidence"
)

// The fields of the specification v2, section 6, by operation and direction. Parts that include names are fields too.
var specified = map[string]string{
	"compare.input": "ids context dimensions",
	"compare.output": `items items.id items.dimensions items.dimensions.score items.dimensions.lower items.dimensions.upper
		items.dimensions.raters items.dimensions.basis items.trade_offs items.contradictions items.experiences`,
	"get.input": "id revision include",
	"get.output": `id kind type status revision revision.id revision.no revision.created_at revision.author title summary body_markdown
		structured_data claims claims.id claims.text claims.status relations relations.type relations.target trust trust.value
		trust.lower_bound trust.upper_bound trust.independent_confirmations trust.contradictions trust.real_world_confirmations
		trust.model_version untrusted_content evidence_summary evidence revisions explanation`,
	"publish.input": `content_type title summary body_markdown structured_data revision_of change_note subjects claims claims.text
		sources sources.url sources.title relations relations.type relations.target tags space language idempotency_key`,
	"publish.output":      "id revision_id claims claims.id claims.matched_existing",
	"report_usage.input":  "target usage_type result real_world_use context metrics note idempotency_key retract",
	"report_usage.output": "id target_revision",
	"review.input":        "target verdict confidence rationale_markdown sources sources.url based_on_usage idempotency_key retract",
	"review.output":       "id target_revision",
	"rate.input":          "target context dimension score confidence based_on_usage rationale_markdown idempotency_key retract",
	"rate.output":         "id",
	"search.input": `query kinds content_types entity_types context alternatives_to alternatives_to.id alternatives_to.reason space tags
		min_status include_disputed sort limit cursor`,
	"search.output": `results results.id results.kind results.type results.title results.summary results.status results.trust
		results.trust.value results.trust.lower_bound results.trust.independent_confirmations results.trust.contradictions
		results.trust.real_world_confirmations results.author results.updated_at results.resource_uri`,
	"submit_experience.input": `title summary body_markdown subjects result real_world_use context configuration observations metrics used used.id
		used.result used.note idempotency_key`,
	"submit_experience.output": "id revision_id usage_ids",
	"whoami.input":             "",
	"whoami.output": `actor_id actor_type display_name controller verified_by_email verified_by_domain reputation scopes rate_limits
		rate_limits.writes_per_hour rate_limits.remaining`,
}

var types = map[string]reflect.Type{
	"compare.input": reflect.TypeFor[evidence.CompareInput](), "compare.output": reflect.TypeFor[evidence.CompareOutput](),
	"get.input": reflect.TypeFor[evidence.GetInput](), "get.output": reflect.TypeFor[evidence.GetOutput](),
	"publish.input": reflect.TypeFor[evidence.PublishInput](), "publish.output": reflect.TypeFor[evidence.PublishOutput](),
	"report_usage.input": reflect.TypeFor[evidence.ReportUsageInput](), "report_usage.output": reflect.TypeFor[evidence.RecordOutput](),
	"review.input": reflect.TypeFor[evidence.ReviewInput](), "review.output": reflect.TypeFor[evidence.RecordOutput](),
	"rate.input": reflect.TypeFor[evidence.RateInput](), "rate.output": reflect.TypeFor[evidence.RecordOutput](),
	"search.input": reflect.TypeFor[evidence.SearchInput](), "search.output": reflect.TypeFor[evidence.SearchOutput](),
	"submit_experience.input":  reflect.TypeFor[evidence.SubmitExperienceInput](),
	"submit_experience.output": reflect.TypeFor[evidence.SubmitExperienceOutput](),
	"whoami.input":             reflect.TypeFor[evidence.WhoamiInput](), "whoami.output": reflect.TypeFor[evidence.WhoamiOutput](),
}

// members lists the members of a type by their path, those of lists and of nested objects included.
func members(prefix string, typ reflect.Type) []string {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[time.Time]() || typ == reflect.TypeFor[json.RawMessage]() {
		return nil
	}
	var out []string
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			out = append(out, members(prefix, field.Type)...)
			continue
		}
		out = append(out, prefix+name)
		out = append(out, members(prefix+name+".", field.Type)...)
	}
	return out
}

// TestAdditionsToTheSpecificationHaveAReason holds the fields against the specification: each of its fields is there,
// and each other one is in the golden file with a reason. A reason of an object is that of its members too.
func TestAdditionsToTheSpecificationHaveAReason(t *testing.T) {
	t.Parallel()
	reasons := readReasons(t)
	used := map[string]bool{}
	for where, typ := range types {
		got := members("", typ)
		want := strings.Fields(specified[where])
		for _, field := range want {
			require.Contains(t, got, field, "%s lacks a field of the specification", where)
		}
		for _, field := range got {
			if slices.Contains(want, field) || partOf(field) {
				continue
			}
			key := where + " " + field
			for reasons[key] == "" && strings.Contains(key, ".") && key != where {
				key = key[:strings.LastIndex(key, ".")]
			}
			require.NotEmpty(t, reasons[key], "%s %s is an addition without a reason in testdata/additions.txt", where, field)
			used[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(reasons)) {
		require.True(t, used[key], "testdata/additions.txt has a reason for %s, which is no addition", key)
	}
}

// partOf reports whether a field lies in a part that the specification names in include without saying its members.
func partOf(field string) bool {
	part, _, nested := strings.Cut(field, ".")
	return nested && slices.Contains([]string{"evidence_summary", "evidence", "revisions", "explanation"}, part)
}

func readReasons(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("testdata/additions.txt")
	require.NoError(t, err)
	out := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		field, reason, _ := strings.Cut(line, ": ")
		require.GreaterOrEqual(t, len(strings.Fields(reason)), 3, "%s has no reason", field)
		require.Empty(t, out[field], "%s is listed twice", field)
		out[field] = reason
	}
	return out
}
