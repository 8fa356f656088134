package ops

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"
)

// checker runs validator/v10 over decoded inputs. The decoder has checked every
// rule that a schema can say; what remains are the rules between fields.
type checker struct {
	validate *validator.Validate
	root     *node
	names    map[string]string // Go field name → JSON name, for messages
	rules    map[string]Rule
}

// newChecker makes the validator of one input type.
func newChecker(root *node, rules []Rule) (*checker, error) {
	c := &checker{
		validate: validator.New(validator.WithRequiredStructEnabled()),
		root:     root,
		names:    map[string]string{},
		rules:    map[string]Rule{},
	}
	c.validate.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	if err := c.validate.RegisterValidation("maxbytes", maxBytes); err != nil {
		return nil, fmt.Errorf("register maxbytes: %w", err)
	}
	for _, rule := range append(BuiltinRules(), rules...) {
		re, err := regexp.Compile(rule.Pattern)
		if err != nil {
			return nil, fmt.Errorf("compile rule %q: %w", rule.Name, err)
		}
		match := func(fl validator.FieldLevel) bool { return re.MatchString(fl.Field().String()) }
		if err := c.validate.RegisterValidation(rule.Name, match); err != nil {
			return nil, fmt.Errorf("register rule %q: %w", rule.Name, err)
		}
		c.rules[rule.Name] = rule
	}
	c.collectNames(root)
	return c, nil
}

// maxBytes is the rule "maxbytes": bytes of a string or of a raw value.
func maxBytes(fl validator.FieldLevel) bool {
	limit, err := strconv.Atoi(fl.Param())
	return err == nil && fl.Field().Len() <= limit
}

func (c *checker) collectNames(n *node) {
	for _, f := range n.fields {
		goName := n.typ.FieldByIndex(f.index).Name
		if _, taken := c.names[goName]; !taken {
			c.names[goName] = f.name
		}
		c.collectNames(f.node)
	}
	if n.elem != nil {
		c.collectNames(n.elem)
	}
}

// check appends the violations at places which have no problem yet.
func (c *checker) check(input any, p *problems) error {
	err := c.validate.Struct(input)
	var violations validator.ValidationErrors
	if err != nil && !errors.As(err, &violations) {
		return fmt.Errorf("validate input: %w", err)
	}
	known := problems{list: p.list}
	for _, v := range violations {
		path := c.pointerOf(v.Namespace())
		if known.covers(path) || p.full() {
			continue
		}
		p.list = append(p.list, Problem{Path: path, Rule: v.Tag(), Message: c.message(v)})
	}
	return nil
}

var namespaceIndex = regexp.MustCompile(`\[([^\]]*)\]`)

// pointerOf turns validator's "In.used[0].id" into "/used/0/id". Embedded structs
// occur in validator's form and not in JSON.
func (c *checker) pointerOf(namespace string) string {
	_, rest, _ := strings.Cut(namespace, ".")
	rest = namespaceIndex.ReplaceAllString(rest, ".$1")
	place := problems{}
	at := c.root
	for segment := range strings.SplitSeq(rest, ".") {
		switch i := at.fieldIndex(segment); {
		case i >= 0:
			at = at.fields[i].node
		case at.elem != nil:
			at = at.elem
		default:
			continue
		}
		place.push(segment)
	}
	return place.pointer()
}

// message says in a sentence what a violated rule expects.
func (c *checker) message(v validator.FieldError) string {
	if rule, ok := c.rules[v.Tag()]; ok {
		return rule.Message
	}
	others := c.others(v.Param())
	switch v.Tag() {
	case "required":
		return "is required"
	case "required_without", "required_without_all":
		return "is required unless " + others + " is given"
	case "required_with", "required_with_all":
		return "is required together with " + others
	case "required_if":
		return "is required for the given " + others
	case "required_unless":
		return "is required for the given " + others
	case "excluded_with", "excluded_with_all":
		return "must not be given together with " + others
	case "excluded_without", "excluded_without_all":
		return "must not be given without " + others
	case "excluded_if", "excluded_unless":
		return "must not be given for the given " + others
	case "unique":
		return "must not contain equal items"
	case "url", "uri", "http_url":
		return "must be an absolute URL"
	case "uuid":
		return "must be a UUID"
	case "email":
		return "must be an e-mail address"
	default:
		return "breaks the rule " + v.Tag()
	}
}

// others names the fields of a parameter such as "Retract" or "Kind ai".
func (c *checker) others(param string) string {
	var names []string
	for word := range strings.FieldsSeq(param) {
		if name, ok := c.names[word]; ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}
