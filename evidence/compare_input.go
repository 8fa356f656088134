package evidence

import (
	"encoding/json"
	"fmt"
	"strings"

	"interai/store"
)

// CompareInput is the input of compare.
type CompareInput struct {
	IDs        []string        `json:"ids" validate:"required,min=2,max=10,dive,max=100" doc:"ent_, cnt_ or rev_ IDs." pii:"none"`
	Context    json.RawMessage `json:"context" schema:"object" doc:"Your situation as scalar facets." pii:"none"`
	Dimensions []string        `json:"dimensions" validate:"max=20,unique,dive,max=60,snake_case" doc:"Absent: the 20 with the most raters." pii:"none"`
}

// maxDimensions is how many dimensions are compared when none are named.
const maxDimensions = 20

// comparison is a checked CompareInput.
type comparison struct {
	ids        []store.ID
	dimensions []string
	contextKey string
}

func newComparison(in *CompareInput) (comparison, error) {
	var p problems
	_, key := p.facets(in.Context)
	c := comparison{dimensions: in.Dimensions, contextKey: key}
	if err := p.err(); err != nil {
		return comparison{}, err
	}
	for i, text := range in.IDs {
		id, err := store.ParseID(text)
		if err != nil || id.Kind != store.KindEntity && id.Kind != store.KindContent && id.Kind != store.KindRevision {
			return comparison{}, invalidTarget(fmt.Sprintf("ids/%d", i), "one of these kinds: ent_, cnt_, rev_")
		}
		c.ids = append(c.ids, id)
	}
	return c, nil
}

// check refuses objects that are not there, and one that is there twice.
func (c *comparison) check(objects []store.Compared) error {
	var p problems
	seen := map[store.ID]bool{}
	for i, o := range objects {
		if o.Target.IsZero() {
			return notFound(fmt.Sprintf("ids/%d", i))
		}
		if seen[o.Target] {
			p.addf(fmt.Sprintf("/ids/%d", i), "duplicate", "is compared with itself")
		}
		seen[o.Target] = true
	}
	return p.err()
}

// facetPairs are the facets of a context one by one, as its key has them.
func facetPairs(key string) []string {
	if key == "" {
		return nil
	}
	return strings.Split(key, facetPairSeparator)
}
