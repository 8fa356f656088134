package moderation

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"interai/antiabuse"
	"interai/store"
)

// fieldsOf are the strings of stored texts, each with its place in its object.
func fieldsOf(texts []store.StoredText) []antiabuse.Field {
	var out []antiabuse.Field
	for _, text := range texts {
		switch {
		case text.Path == fileText:
			out = append(out, antiabuse.Field{Path: text.Path, Text: text.Text, Format: antiabuse.FormatBase64})
		case !text.JSON:
			out = append(out, antiabuse.Field{Path: text.Path, Text: text.Text})
		default:
			decoder := json.NewDecoder(strings.NewReader(text.Text))
			decoder.UseNumber()
			var value any
			if decoder.Decode(&value) == nil { // the database stores nothing else
				out = valueFields(out, text.Path, "", value)
				out = append(out, antiabuse.Field{Path: text.Path, Text: text.Text, Format: antiabuse.FormatObject})
			}
		}
	}
	return out
}

// valueFields adds the strings, the numbers and the names of a JSON value.
func valueFields(out []antiabuse.Field, path, name string, value any) []antiabuse.Field {
	switch v := value.(type) {
	case string:
		return append(out, antiabuse.Field{Path: path, Name: name, Text: v, Free: name != ""})
	case json.Number:
		return append(out, antiabuse.Field{Path: path, Name: name, Text: v.String(), Free: name != ""})
	case []any:
		for i, item := range v {
			out = valueFields(out, path+"/"+strconv.Itoa(i), name, item)
		}
	case map[string]any:
		for _, member := range slices.Sorted(maps.Keys(v)) {
			at := path + "/" + antiabuse.EscapeName(member)
			out = append(out, antiabuse.Field{Path: at, Text: member})
			out = valueFields(out, at, member, v[member])
		}
	}
	return out
}
