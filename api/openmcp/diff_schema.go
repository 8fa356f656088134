package openmcp

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
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
	c := comparer{differ: d, dir: dir, roots: [2]any{a, b}, seen: map[[2]uintptr]bool{}, alike: map[[2]uintptr]bool{}}
	if a == nil && b == nil {
		return
	}
	c.compare(p, a, b, 0)
}

// comparer compares the schemas of one place.
type comparer struct {
	*differ

	dir   direction
	roots [2]any
	// seen are the pairs of schemas that were compared: references may lead in circles.
	seen map[[2]uintptr]bool
	// alike says of pairs whether they mean the same; of those that are being looked at, that they do.
	alike map[[2]uintptr]bool
}

// referent is what a chain of local references leads to.
type referent struct {
	schema any
	// beside are the keywords beside the references, in their order, which ask for more; of those that ask for nothing
	// the first one counts.
	beside map[string][]any
	words  map[string]any
	// missing is a reference that leads nowhere, or by a name instead of a pointer.
	missing string
}

// resolve follows a local reference: inside the schema itself, else in the document.
func (c *comparer) resolve(side int, schema any) referent {
	document := c.old
	if side == 1 {
		document = c.new
	}
	out := referent{schema: schema, beside: map[string][]any{}, words: map[string]any{}}
	for range maxDepth {
		s := object(out.schema)
		ref, ok := s["$ref"].(string)
		if !ok {
			break
		}
		for name, value := range s {
			switch _, had := out.words[name]; {
			case name == "$ref":
			case !passive(name):
				out.beside[name] = append(out.beside[name], value)
			case !had:
				out.words[name] = value
			}
		}
		target := found(c.roots[side], ref)
		if target == nil {
			target = found(any(document), ref)
		}
		if target == nil {
			out.schema, out.missing = nil, ref
			return out
		}
		out.schema = target
	}
	return out
}

// passive reports whether a keyword asks for nothing where it stands.
func passive(name string) bool {
	return slices.Contains([]string{
		"description", "title", "default", "examples", "$comment", "$schema", "$id", "$defs", "definitions", "deprecated", "readOnly", "writeOnly",
	}, name)
}

// found is what a pointer in a reference leads to; nil for nothing.
func found(root any, ref string) any {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		if ref == "#" && object(root) != nil {
			return root
		}
		return nil
	}
	for name := range strings.SplitSeq(path, "/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		if items := list(root); items != nil {
			n, err := strconv.Atoi(name)
			if err != nil || n < 0 || n >= len(items) {
				return nil
			}
			root = items[n]
			continue
		}
		root = object(root)[name]
	}
	return root
}

// lookup finds an object by its JSON pointer.
func lookup(root any, path string) map[string]any {
	for name := range strings.SplitSeq(path, "/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		root = object(root)[name]
	}
	return object(root)
}

// What a comparison may take: references may pair every schema of one document with every one of the other.
const (
	maxPairs     = 20_000
	maxPairDepth = 2 * maxDepth
)

// compare compares two schemas; a boolean is one that allows all or nothing, nil allows all.
func (c *comparer) compare(p both, before, after any, depth int) {
	if c.pairs >= maxPairs { // nothing more is looked at
		c.unknown(p)
		return
	}
	left, right := c.resolve(0, before), c.resolve(1, after)
	c.besides(p, before, after, left, right, depth)
	if left.missing != "" || right.missing != "" {
		return
	}
	if left.schema == false || right.schema == false {
		if narrowed, widened := left.schema != false, right.schema != false; narrowed != widened {
			c.add(c.classOf(narrowed, widened), "values-changed", p, describeChange(c.classOf(narrowed, widened), c.dir))
		}
		return
	}
	if !schemaOrAll(left.schema) || !schemaOrAll(right.schema) { // such as a list of schemas
		if !c.equivalent(left.schema, right.schema, depth) {
			c.add(Breaking, "keyword-changed", p, "the keyword is not weighed: it may refuse what was accepted")
		}
		return
	}
	a, b := object(left.schema), object(right.schema)
	pair := [2]uintptr{reflect.ValueOf(a).Pointer(), reflect.ValueOf(b).Pointer()}
	if c.seen[pair] {
		return
	}
	c.seen[pair] = true
	if c.pairs++; depth > maxPairDepth {
		c.unknown(p)
		return
	}
	if same(anyOrEmpty(a), anyOrEmpty(b)) && !hasReference(a) {
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
	c.others(p, a, b, depth)
}

// schemaOrAll reports whether a value is a schema with keywords, or one that allows everything.
func schemaOrAll(v any) bool { return v == nil || v == true || object(v) != nil }

// unknown notes, once, that schemas were not compared.
func (c *comparer) unknown(p both) {
	if !c.cut {
		c.add(Breaking, "not-compared", p, "the schemas lead to one another over too many ways to be compared: any may refuse what was accepted")
	}
	c.cut = true
}

// besides compares what stands beside references, and references that lead nowhere.
func (c *comparer) besides(p both, before, after any, left, right referent, depth int) {
	for _, name := range names(left.beside, right.beside) {
		if !c.equivalent(anyList(left.beside[name]), anyList(right.beside[name]), depth) {
			c.add(Breaking, "keyword-changed", p.at(name), "the keyword stands beside a reference and is not weighed: it may refuse what was accepted")
		}
	}
	if object(before)["$ref"] != nil || object(after)["$ref"] != nil {
		for _, name := range []string{"description", "title"} {
			if left.words[name] != nil && right.words[name] != nil {
				c.wording(p.at(name), left.words[name], right.words[name])
			}
		}
		if depth > 0 && !same(left.words["default"], right.words["default"]) {
			c.add(Compatible, "default-changed", p.at("default"), "what is left out means something else")
		}
	}
	// What a name leads to may stand anywhere.
	if (left.missing != "" || right.missing != "") && (left.missing != right.missing || !same(c.roots[0], c.roots[1]) || !same(c.old["definitions"], c.new["definitions"])) {
		c.add(Breaking, "keyword-changed", p.at("$ref"), "the reference is not followed: it may refuse what was accepted")
	}
}

func anyList(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values
}

// equivalent reports whether two values of a keyword that is not weighed say the same, and whatever they refer to.
func (c *comparer) equivalent(a, b any, depth int) bool { return same(a, b) && c.referents(a, depth) }

// referents reports whether what a value refers to means the same before and after.
func (c *comparer) referents(value any, depth int) bool {
	s := object(value)
	if ref, ok := s["$ref"].(string); ok && !c.means(map[string]any{"$ref": ref}, depth) {
		return false
	}
	for _, member := range s {
		if !c.referents(member, depth) {
			return false
		}
	}
	return !slices.ContainsFunc(list(value), func(item any) bool { return !c.referents(item, depth) })
}

// means reports whether a reference leads to schemas between which nothing but words has changed.
func (c *comparer) means(ref map[string]any, depth int) bool {
	left, right := c.resolve(0, ref), c.resolve(1, ref)
	pair := [2]uintptr{reflect.ValueOf(object(left.schema)).Pointer(), reflect.ValueOf(object(right.schema)).Pointer()}
	named := object(left.schema) != nil && object(right.schema) != nil
	if alike, looked := c.alike[pair]; looked && named {
		return alike
	}
	c.alike[pair] = true // until it is known better: references may lead in circles
	aside := comparer{
		differ: &differ{old: c.old, new: c.new, pairs: c.pairs, cut: c.cut}, dir: c.dir, roots: c.roots, seen: map[[2]uintptr]bool{}, alike: c.alike,
	}
	aside.compare(both{}, ref, ref, depth+1)
	c.pairs = aside.pairs
	c.alike[pair] = !aside.cut && !slices.ContainsFunc(aside.changes, func(change Change) bool { return change.Class != Wording })
	return c.alike[pair]
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
		c.compare(p.at("items"), a["items"], b["items"], depth+1)
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
			c.compare(at, old[name], now[name], depth+1)
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
	case old == nil && now == true, old == true && now == nil:
	case old == false && now == false:
	case now == false:
		c.add(c.dir.narrowed(), "members-closed", p, "only listed members are allowed now")
	case old == false:
		class := Compatible // answers may always have more members
		c.add(class, "members-opened", p, "members that are not listed are allowed now")
	default:
		c.compare(p, old, now, depth+1)
	}
}

// others compares keywords whose meaning is not weighed here: any change of them may break.
func (c *comparer) others(p both, a, b map[string]any, depth int) {
	weighed := slices.Concat(scalarKeywords(), []string{
		"$ref", "items", "properties", "required", "additionalProperties", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "x_max_bytes",
	})
	for _, name := range names(a, b) {
		if !passive(name) && !slices.Contains(weighed, name) && !c.equivalent(a[name], b[name], depth) {
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
