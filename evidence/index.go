package evidence

import (
	"interai/jobs"
	"interai/store"
)

// documents are what a publication makes findable: the item with its new revision, and the claims and entities that are
// new. They are stored with it, so that whoever has an answer can find what it names.
func (d *draft) documents(pub *store.Publication, facts *store.PublishFacts, entities []store.Named) []store.SearchDoc {
	item := store.Indexable{
		SearchDoc: store.SearchDoc{
			Kind: store.FoundContent, Object: pub.Content, Target: pub.Revision, Type: pub.Type, Space: pub.Space,
			Author: pub.Author, Language: pub.Language, Tags: pub.Tags,
		},
		Title: pub.Title, Summary: pub.Summary, Body: pub.Body, Data: pub.StructuredData, Experience: pub.Experience,
		Names: d.subjectNames(facts),
	}
	var docs []store.SearchDoc
	for i := range pub.Claims {
		claim := &pub.Claims[i]
		item.Claims = append(item.Claims, claim.Wording)
		if claim.Matched {
			continue
		}
		docs = append(docs, jobs.Document(&store.Indexable{
			SearchDoc: store.SearchDoc{
				Kind: store.FoundClaim, Object: claim.ID, Target: claim.ID, Space: pub.Space, Author: pub.Author, Language: pub.Language,
			},
			Title: claim.Wording, Names: item.Names,
		}))
	}
	for i, entity := range entities {
		if entity.Made {
			docs = append(docs, jobs.Document(&store.Indexable{
				SearchDoc: store.SearchDoc{
					Kind: store.FoundEntity, Object: entity.ID, Target: entity.ID, Type: d.entities[i].Type, Space: pub.Space,
					Author: pub.Author, Language: undetermined,
				},
				Title: d.entities[i].Name,
			}))
		}
	}
	return append(docs, jobs.Document(&item))
}

func (d *draft) subjectNames(facts *store.PublishFacts) []string {
	var names []string
	for _, id := range d.Subjects {
		names = append(names, facts.Subjects[id].Name)
	}
	for _, entity := range d.entities {
		names = append(names, entity.Name)
	}
	return names
}
