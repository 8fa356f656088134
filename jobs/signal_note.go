package jobs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"interai/antiabuse/similar"
	"interai/store"
)

const (
	// voicesLeast is how many parties must say the same to be taken for one voice.
	voicesLeast = 5
	// shortWords is how long a note must be for its being equal to say something.
	shortWords = 8
	// noteLeast is the length in bytes below which no note has so many words.
	noteLeast = 2*shortWords - 1
	// noteTargets is for how many targets notes are compared.
	noteTargets = 500
)

// voice is what one party said about a target.
type voice struct {
	record    *store.SignalRecord
	text      string
	exact     [16]byte
	signature similar.Signature
	long      bool
}

// nearIdentical are the signals of targets of which several parties say the same in the same words.
func nearIdentical(ctx context.Context, v *store.Snapshot, records []store.SignalRecord) ([]store.Signal, error) {
	noted := notedTargets(records)
	var out []store.Signal
	for _, target := range mostNoted(noted) {
		ids := make([]uuid.UUID, 0, len(noted[target]))
		for _, r := range noted[target] {
			ids = append(ids, r.ID)
		}
		// The newest ones, should there be too many.
		slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(b[:], a[:]) })
		notes, err := v.SignalNotes(ctx, ids)
		if err != nil {
			return nil, err
		}
		group := sameVoice(voicesOf(noted[target], notes))
		if len(group) < voicesLeast {
			continue
		}
		made, err := noteSignal(target, group)
		if err != nil {
			return nil, err
		}
		if out = append(out, made); len(out) == signalMost {
			break
		}
	}
	return out, nil
}

// notedTargets are the last noted records of each party on each target.
func notedTargets(records []store.SignalRecord) map[store.ID]map[store.ID]*store.SignalRecord {
	noted := map[store.ID]map[store.ID]*store.SignalRecord{}
	for i := range records {
		r := &records[i]
		if r.NoteBytes < noteLeast {
			continue
		}
		if noted[r.Target] == nil {
			noted[r.Target] = map[store.ID]*store.SignalRecord{}
		}
		if noted[r.Target][r.Root] == nil {
			noted[r.Target][r.Root] = r
		}
	}
	return noted
}

func mostNoted(noted map[store.ID]map[store.ID]*store.SignalRecord) []store.ID {
	targets := slices.DeleteFunc(sortedIDs(noted), func(target store.ID) bool { return len(noted[target]) < voicesLeast })
	slices.SortStableFunc(targets, func(a, b store.ID) int { return cmp.Compare(len(noted[b]), len(noted[a])) })
	return targets[:min(len(targets), noteTargets)]
}

func voicesOf(records map[store.ID]*store.SignalRecord, notes map[uuid.UUID]string) []voice {
	out := make([]voice, 0, len(notes))
	for _, root := range sortedIDs(records) {
		text := notes[records[root].ID]
		if similar.Words(text, shortWords) < shortWords {
			continue
		}
		one := voice{record: records[root], text: text, exact: similar.Exact(text)}
		one.signature, one.long = similar.Of(text)
		out = append(out, one)
	}
	return out
}

// sameVoice is the largest group of voices of which all are like one of them.
func sameVoice(voices []voice) []voice {
	var best []voice
	for i := range voices {
		var near []voice
		for k := range voices {
			if i == k || alike(&voices[i], &voices[k]) {
				near = append(near, voices[k])
			}
		}
		if len(near) <= len(best) || len(near) < voicesLeast {
			continue
		}
		// The signature estimates; the texts decide.
		near = slices.DeleteFunc(near, func(v voice) bool {
			return v.long && similar.Compare(voices[i].text, v.text) < similar.Duplicate
		})
		if len(near) > len(best) {
			best = near
		}
	}
	return best
}

func alike(a, b *voice) bool {
	if a.exact == b.exact {
		return true
	}
	const error2 = 0.12 // two standard errors of the estimate
	return a.long && b.long && similar.Jaccard(a.signature, b.signature) >= similar.Duplicate-error2
}

// noteSignal is about the first who said it.
func noteSignal(target store.ID, group []voice) (store.Signal, error) {
	slices.SortFunc(group, func(a, b voice) int {
		return cmp.Or(a.record.At.Compare(b.record.At), compareIDs(a.record.Root, b.record.Root))
	})
	parties, evidence, exact, good := make([]store.ID, len(group)), make([]string, 0, factIDs), 0, 0
	for i := range group {
		parties[i] = group[i].record.Root
		if len(evidence) < factIDs {
			evidence = append(evidence, group[i].record.ID.String())
		}
		if group[i].exact == group[0].exact {
			exact++
		}
		if group[i].record.Good {
			good++
		}
	}
	sentence := fmt.Sprintf("%d parties say the same about %s in nearly the same words (%d of them in the same).", len(group), target, exact)
	return signal(SignalNearIdentical, parties[0], parties, float64(len(group)), []string{target.String()}, map[string]any{
		"sentence": sentence, "target": target.String(), "author": group[0].record.Author.String(), "evidence": evidence,
		"same_words": exact, "favourable": good,
	})
}
