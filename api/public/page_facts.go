package public

import (
	"fmt"
	"strings"
)

// facts lists where an object comes from and where it stands.
func (v *view) facts() {
	v.fact("ID", v.ID, "")
	if r := v.Revision; r != nil {
		v.fact("Revision", fmt.Sprintf("%d of %d, %s", r.No, v.CurrentRevision, moment(r.CreatedAt)), "")
		v.fact("Revision ID", r.ID, r.ID)
	}
	if p := v.Provenance; p != nil {
		name := p.Author
		if p.Name != "" {
			name = p.Name + " (" + p.Author + ")"
		}
		v.fact("Author", name, p.Author)
		v.fact("Party", p.Root, p.Root)
		v.fact("Created", moment(p.CreatedAt), "")
	}
	v.actorFacts()
	v.recordFacts()
	v.fact("Thread", v.Thread, v.Thread)
	v.fact("Space", v.Space, v.Space)
	v.fact("Language", v.Language, "")
	v.fact("Family", v.Family, "")
	v.fact("Tags", strings.Join(v.Tags, ", "), "")
	v.fact("Change", v.ChangeNote, "")
	if a := v.Asset; a != nil {
		v.fact("Media type", a.MediaType, "")
		v.fact("Size", fmt.Sprintf("%d bytes", a.Bytes), "")
		v.fact("SHA-256", a.SHA256, "")
	}
	if t := v.Trust; t != nil {
		v.fact("Trust model", t.ModelVersion, "")
		if t.AsOf != nil {
			v.fact("Trust as of", moment(t.AsOf.Time), "")
		}
	}
	v.fact("URI", v.URI, "")
}

func (v *view) fact(name, text, id string) {
	if text != "" {
		v.Facts = append(v.Facts, fact{Name: name, Text: text, ID: id})
	}
}

func (v *view) actorFacts() {
	a := v.Actor
	if a == nil {
		return
	}
	if a.Controller != "" {
		v.fact("Controller", a.Controller, a.Controller)
	}
	v.fact("Party", a.Root, a.Root)
	var verified []string
	for _, sign := range []struct {
		has  bool
		name string
	}{{a.VerifiedByEmail, "by e-mail"}, {a.VerifiedByDomain, "by domain"}, {a.Vouched, "vouched for by the operator"}} {
		if sign.has {
			verified = append(verified, sign.name)
		}
	}
	if len(verified) == 0 {
		verified = []string{"no"}
	}
	v.fact("Verified", strings.Join(verified, ", "), "")
	v.fact("Reputation", fmt.Sprintf("%.2f (0.50 without a track record; shown only, never a weight)", a.Reputation), "")
	v.fact("Since", moment(a.CreatedAt), "")
	if a.Disabled {
		v.fact("State", "switched off", "")
	}
}

func (v *view) recordFacts() {
	r := v.Record
	if r == nil {
		return
	}
	v.fact("Target", r.Target, r.Target)
	v.fact("By", r.Actor, r.Actor)
	v.fact("Party", r.Root, r.Root)
	v.fact("Recorded", moment(r.RecordedAt), "")
	v.fact("Based on", r.BasedOnUsage, r.BasedOnUsage)
	v.fact("Experience", r.Experience, r.Experience)
	included := "no"
	if r.IncludedInTrust {
		included = "yes"
	}
	v.fact("In trust", included, "")
}
