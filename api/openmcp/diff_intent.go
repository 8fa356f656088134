package openmcp

import (
	"maps"
	"slices"
	"strconv"
)

// byName finds the items of a list by their name; the last one of a name counts.
func byName(items any) map[string]int {
	out := map[string]int{}
	for i, item := range list(items) {
		out[text(object(item)["name"])] = i
	}
	return out
}

// intents compares intents by name.
func (d *differ) intents() {
	old, now := byName(d.old["intents"]), byName(d.new["intents"])
	for _, name := range names(old, now) {
		i, inOld := old[name]
		j, inNew := now[name]
		p := both{{"intents", strconv.Itoa(i)}, {"intents", strconv.Itoa(j)}}
		switch {
		case !inNew:
			d.add(Breaking, "intent-removed", p.onlyOld(), "the intent is not there any more")
		case !inOld:
			d.add(Compatible, "intent-added", p.onlyNew(), "the intent is new")
		default:
			d.intent(p, object(list(d.old["intents"])[i]), object(list(d.new["intents"])[j]))
		}
	}
}

func (d *differ) intent(p both, a, b map[string]any) {
	for _, name := range names(a, b) {
		switch name {
		case "parameters":
			d.parameters(p.at(name), list(a[name]), list(b[name]))
		case "responses":
			d.responses(p.at(name), object(a[name]), object(b[name]))
		case "metadata":
			d.metadata(p.at(name), object(a[name]), object(b[name]))
		case "x_max_input_bytes":
			d.limit(p.at(name), a[name], b[name])
		case "x_null_is_absent":
			if !same(a[name], b[name]) {
				d.add(looser(a[name] != true), "null-changed", p.at(name), "what null means has changed")
			}
		default:
			d.wording(p.at(name), a[name], b[name])
		}
	}
}

// looser is compatible where a change only allows more.
func looser(more bool) Class {
	if more {
		return Compatible
	}
	return Breaking
}

// limit compares an upper bound of what is sent; none is infinite.
func (d *differ) limit(p both, a, b any) {
	old, now := number(a), number(b)
	if old == nil && now == nil || old != nil && now != nil && old.Cmp(now) == 0 {
		return
	}
	d.add(looser(now == nil || old != nil && old.Cmp(now) < 0), "limit-changed", p, "the size that is allowed has changed")
}

func (d *differ) responses(p both, a, b map[string]any) {
	d.schemas(p.at("success", "schema"), object(a["success"])["schema"], object(b["success"])["schema"], output)
	d.wording(p.at("success", "examples"), object(a["success"])["examples"], object(b["success"])["examples"])
	d.failure(p.at("error"), object(a["error"]), object(b["error"]))
}

func (d *differ) metadata(p both, a, b map[string]any) {
	for _, name := range names(a, b) {
		switch name {
		case "rbac_scopes":
			d.lists(p.at(name), "scope", a[name], b[name], Compatible, Breaking)
		case "roles":
			added := Compatible
			if len(list(a[name])) == 0 {
				added = Breaking // everybody was allowed
			}
			d.lists(p.at(name), "role", a[name], b[name], Breaking, added)
		case "deprecated", "sunset_date", "x_mcp_annotations", "data_residency":
			if !same(a[name], b[name]) {
				d.add(Compatible, name+"-changed", p.at(name), "a promise about the intent has changed")
			}
		default:
			d.wording(p.at(name), a[name], b[name])
		}
	}
}

// parameters compares what calls may carry. Where no call was valid before, nothing can break.
func (d *differ) parameters(p both, a, b []any) {
	impossible := slices.ContainsFunc(a, func(v any) bool {
		old := object(v)
		return old["required"] == true && empty(effective(old))
	})
	before := len(d.changes)
	old, now := byName(a), byName(b)
	for _, name := range names(old, now) {
		i, inOld := old[name]
		j, inNew := now[name]
		at := p.at()
		at[0], at[1] = append(at[0], strconv.Itoa(i)), append(at[1], strconv.Itoa(j))
		switch {
		case !inNew:
			d.add(looser(empty(effective(object(a[i])))), "parameter-removed", at.onlyOld(), "a call that gives the parameter is refused")
		case !inOld:
			required := object(b[j])["required"] == true || len(list(object(b[j])["x_required_without"])) > 0
			d.add(looser(!required), "parameter-added", at.onlyNew(), "the parameter is new")
		default:
			d.parameter(at, object(a[i]), object(b[j]))
		}
	}
	if !impossible {
		return
	}
	for i := range d.changes[before:] {
		if c := &d.changes[before+i]; c.Class == Breaking {
			c.Class = Compatible
		}
	}
}

// flatKeywords are the rules of a parameter that are keywords of JSON Schema.
func flatKeywords() []string {
	return []string{"type", "enum", "pattern", "format", "minimum", "maximum"}
}

// effective is the schema of a parameter: its flat rules, and those of x_schema.
func effective(p map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, object(p["x_schema"]))
	for _, keyword := range flatKeywords() {
		if rule, ok := p[keyword]; ok && (keyword != "type" || flatTypeCounts(p)) {
			out[keyword] = rule
		}
	}
	delete(out, "description")
	delete(out, "default")
	return out
}

func (d *differ) parameter(p both, a, b map[string]any) {
	for _, name := range names(a, b) {
		switch name {
		case "required":
			d.required(p, a, b)
		case "default":
			if !same(a[name], b[name]) {
				d.add(Compatible, "default-changed", p.at(name), "calls without the parameter mean something else")
			}
		case "pii", "gdpr_sensitive":
			if !same(a[name], b[name]) {
				d.add(Compatible, "sensitivity-changed", p.at(name), "what may be sent there is told otherwise")
			}
		case "dependencies", "x_required_without", "x_excluded_with":
			d.relations(p.at(name), name, a[name], b[name])
		case "x_max_bytes":
			d.limit(p.at(name), a[name], b[name])
		case "type", "enum", "pattern", "format", "minimum", "maximum", "x_schema":
		default:
			d.wording(p.at(name), a[name], b[name])
		}
	}
	old, now := effective(a), effective(b)
	if !slices.Contains(jsonTypes(), text(a["type"])) || !slices.Contains(jsonTypes(), text(b["type"])) {
		if !same(a["type"], b["type"]) {
			d.add(Breaking, "type-changed", p.at("type"), "the type is another one, and cannot be compared")
		}
	}
	d.schemas(p, old, now, input)
}

func (d *differ) required(p both, a, b map[string]any) {
	if old, now := a["required"] == true, b["required"] == true; old != now {
		d.add(looser(old), "required-changed", p.at("required"), "whether the parameter must be given has changed")
	}
}

// relations compares rules between parameters. With x_required_without, more names are more ways to do without.
func (d *differ) relations(p both, name string, a, b any) {
	removed, added := Compatible, Breaking
	if name == "x_required_without" && len(list(a)) > 0 && len(list(b)) > 0 {
		removed, added = Breaking, Compatible
	}
	d.lists(p, "dependency", a, b, removed, added)
}
