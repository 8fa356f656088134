package openmcp

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// direction says who sends what a schema describes: clients the input, the server the output.
type direction int

const (
	input direction = iota
	output
)

// narrowed and widened are the classes of schemas that allow less, or more, than before.
func (dir direction) narrowed() Class {
	if dir == input {
		return Breaking
	}
	return Compatible
}

func (dir direction) widened() Class {
	if dir == input {
		return Compatible
	}
	return Breaking
}

// schemas compares what a schema allows before and after.
func (d *differ) schemas(p both, a, b any, dir direction) {
	c := comparer{differ: d, dir: dir, roots: [2]any{a, b}, seen: map[[2]uintptr]bool{}}
	old, now := object(a), object(b)
	if a == nil && b == nil {
		return
	}
	c.compare(p, old, now, 0)
}

// comparer compares the schemas of one place.
type comparer struct {
	*differ

	dir   direction
	roots [2]any
	// seen are the pairs of schemas that were compared: references may lead in circles.
	seen map[[2]uintptr]bool
}

// resolve follows a local reference: inside the schema itself, else in the document.
func (c *comparer) resolve(side int, s map[string]any) map[string]any {
	document := c.old
	if side == 1 {
		document = c.new
	}
	for range maxDepth {
		path, ok := strings.CutPrefix(text(s["$ref"]), "#/")
		if !ok {
			return s
		}
		target := lookup(c.roots[side], path)
		if target == nil {
			target = lookup(any(document), path)
		}
		if target == nil {
			return s
		}
		s = target
	}
	return s
}

// lookup finds an object by its JSON pointer.
func lookup(root any, path string) map[string]any {
	for name := range strings.SplitSeq(path, "/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		root = object(root)[name]
	}
	return object(root)
}

func (c *comparer) compare(p both, a, b map[string]any, depth int) {
	a, b = c.resolve(0, a), c.resolve(1, b)
	pair := [2]uintptr{reflect.ValueOf(a).Pointer(), reflect.ValueOf(b).Pointer()}
	if c.seen[pair] {
		return
	}
	c.seen[pair] = true
	if depth > maxDepth || same(anyOrEmpty(a), anyOrEmpty(b)) && !hasReference(a) {
		return
	}
	c.wording(p.at("description"), a["description"], b["description"])
	c.wording(p.at("title"), a["title"], b["title"])
	if depth > 0 && !same(a["default"], b["default"]) {
		c.add(Compatible, "default-changed", p.at("default"), "what is left out means something else")
	}
	switch {
	case scalar(a) && scalar(b):
		c.scalars(p, a, b)
	case !same(a["type"], b["type"]):
		c.typeChanged(p, a, b)
	default:
		c.sizes(p, a, b)
		c.members(p, a, b, depth)
		c.items(p, a, b, depth)
	}
	c.others(p, a, b)
}

func anyOrEmpty(m map[string]any) any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// hasReference reports whether a schema refers to something that may have changed although the reference has not.
func hasReference(value any) bool {
	for name, member := range object(value) {
		if name == "$ref" || hasReference(member) {
			return true
		}
	}
	return slices.ContainsFunc(list(value), hasReference)
}

// scalars compares sets of values, and names each keyword that made the difference.
func (c *comparer) scalars(p both, a, b map[string]any) {
	narrowed, widened := !within(a, b), !within(b, a)
	var changed []string
	for _, keyword := range scalarKeywords() {
		if !same(a[keyword], b[keyword]) {
			changed = append(changed, keyword)
		}
	}
	classes := make([]Class, len(changed))
	for i, keyword := range changed {
		alone := maps.Clone(a)
		if delete(alone, keyword); b[keyword] != nil {
			alone[keyword] = b[keyword]
		}
		classes[i] = c.classOf(narrowed && !within(a, alone), widened && !within(alone, a))
	}
	overall := c.classOf(narrowed, widened)
	if overall == Breaking && !slices.Contains(classes, Breaking) { // only together do they make the difference
		for i := range classes {
			classes[i] = Breaking
		}
	}
	for i, keyword := range changed {
		c.add(classes[i], keyword+"-changed", p.at(keyword), describeChange(classes[i], c.dir))
	}
}

// classOf is the class of a change that takes values away, or adds some.
func (c *comparer) classOf(narrowed, widened bool) Class {
	switch {
	case narrowed && c.dir.narrowed() == Breaking, widened && c.dir.widened() == Breaking:
		return Breaking
	case narrowed || widened:
		return Compatible
	default:
		return Wording
	}
}

func describeChange(class Class, dir direction) string {
	switch {
	case class == Breaking && dir == input:
		return "values that were accepted are refused"
	case class == Breaking:
		return "answers may be what they could not be before"
	case class == Compatible:
		return "all that worked before works"
	default:
		return "the values that are allowed are the same"
	}
}

// typeChanged compares schemas of different types; one without a type allows all.
func (c *comparer) typeChanged(p both, a, b map[string]any) {
	old, now := typesOf(a), typesOf(b)
	narrowed := slices.ContainsFunc(old, func(t string) bool {
		return !slices.Contains(now, t) && (t != "integer" || !slices.Contains(now, "number"))
	})
	widened := slices.ContainsFunc(now, func(t string) bool {
		return !slices.Contains(old, t) && (t != "integer" || !slices.Contains(old, "number"))
	})
	if scalarRules(a) || scalarRules(b) { // what else they ask is not compared type by type
		narrowed, widened = true, true
	}
	class := c.classOf(narrowed, widened)
	c.add(class, "type-changed", p.at("type"), describeChange(class, c.dir))
}

// scalarRules reports whether a schema of several types asks for more than its types.
func scalarRules(s map[string]any) bool {
	return slices.ContainsFunc(scalarKeywords(), func(k string) bool { return k != "type" && s[k] != nil })
}

func typesOf(s map[string]any) []string {
	if one := text(s["type"]); one != "" {
		return []string{one}
	}
	if some := texts(s["type"]); len(some) > 0 {
		return some
	}
	return jsonTypes()
}

// sizes compares the bounds of lists and of objects without listed members.
func (c *comparer) sizes(p both, a, b map[string]any) {
	for _, keyword := range []string{"minItems", "minProperties", "maxItems", "maxProperties", "x_max_bytes"} {
		tighter := atMost
		if strings.HasPrefix(keyword, "min") {
			tighter = atLeast
		}
		if narrowed, widened := !tighter(a[keyword], b[keyword]), !tighter(b[keyword], a[keyword]); narrowed || widened {
			class := c.classOf(narrowed, widened)
			c.add(class, keyword+"-changed", p.at(keyword), describeChange(class, c.dir))
		}
	}
	if old, now := a["uniqueItems"] == true, b["uniqueItems"] == true; old != now {
		class := c.classOf(now, old)
		c.add(class, "uniqueItems-changed", p.at("uniqueItems"), describeChange(class, c.dir))
	}
}

func (c *comparer) items(p both, a, b map[string]any, depth int) {
	if a["items"] != nil || b["items"] != nil {
		c.compare(p.at("items"), object(a["items"]), object(b["items"]), depth+1)
	}
}

// members compares the members of objects.
func (c *comparer) members(p both, a, b map[string]any, depth int) {
	old, now := object(a["properties"]), object(b["properties"])
	for _, name := range names(old, now) {
		at := p.at("properties", name)
		switch {
		case now[name] == nil:
			c.removed(at.onlyOld(), closed(b))
		case old[name] == nil:
			c.appeared(at.onlyNew(), closed(a))
		default:
			c.compare(at, object(old[name]), object(now[name]), depth+1)
		}
	}
	before, after := texts(a["required"]), texts(b["required"])
	for _, name := range before {
		if !slices.Contains(after, name) {
			c.add(c.dir.widened(), "required-removed", p.at("required"), describeChange(c.dir.widened(), c.dir))
		}
	}
	for _, name := range after {
		if !slices.Contains(before, name) {
			c.add(c.dir.narrowed(), "required-added", p.at("required"), describeChange(c.dir.narrowed(), c.dir))
		}
	}
	c.further(p.at("additionalProperties"), a, b, depth)
}

// removed: clients that send it are refused if only listed members are allowed; clients that read it find nothing.
func (c *comparer) removed(p both, closed bool) {
	class := Breaking
	if c.dir == input && !closed {
		class = Compatible
	}
	c.add(class, "member-removed", p, "the member is not described any more")
}

// appeared: what was free before has rules now; answers may always have more members.
func (c *comparer) appeared(p both, closed bool) {
	class := Compatible
	if c.dir == input && !closed {
		class = Breaking
	}
	c.add(class, "member-added", p, "the member was not described before")
}

func closed(s map[string]any) bool { return s["additionalProperties"] == false }

// further compares what members that are not listed may be.
func (c *comparer) further(p both, a, b map[string]any, depth int) {
	old, now := a["additionalProperties"], b["additionalProperties"]
	switch {
	case same(old, now), old == nil && now == true, old == true && now == nil:
	case now == false:
		c.add(c.dir.narrowed(), "members-closed", p, "only listed members are allowed now")
	case old == false:
		class := Compatible // answers may always have more members
		c.add(class, "members-opened", p, "members that are not listed are allowed now")
	default:
		c.compare(p, object(old), object(now), depth+1)
	}
}

// others compares keywords whose meaning is not weighed here: any change of them may break.
func (c *comparer) others(p both, a, b map[string]any) {
	known := slices.Concat(scalarKeywords(), []string{
		"description", "title", "default", "examples", "$comment", "$schema", "$id", "$defs", "definitions", "$ref", "items", "properties", "required",
		"additionalProperties", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "x_max_bytes", "deprecated", "readOnly", "writeOnly",
	})
	for _, name := range names(a, b) {
		if !slices.Contains(known, name) && !same(a[name], b[name]) {
			c.add(Breaking, "keyword-changed", p.at(name), "the keyword is not weighed: it may refuse what was accepted")
		}
	}
	if scalar(a) && scalar(b) || !same(a["type"], b["type"]) {
		return
	}
	for _, name := range scalarKeywords() { // on lists, objects and values of any type
		if !same(a[name], b[name]) && name != "format" {
			c.add(Breaking, name+"-changed", p.at(name), "the keyword is not weighed here: it may refuse what was accepted")
		}
	}
}
