package claimkey

import "strings"

// spellings are short forms and names that mean the same in every claim about software.
var spellings = map[string]string{
	"postgres": "postgresql", "k8s": "kubernetes", "js": "javascript", "golang": "go", "repo": "repository",
	"repos": "repositories", "config": "configuration", "configs": "configurations", "db": "database", "dbs": "databases",
	"docs": "documentation", "params": "parameters", "param": "parameter", "args": "arguments", "arg": "argument",
	"dir": "directory", "dirs": "directories", "utilize": "use", "utilizes": "uses", "utilized": "used", "utilizing": "using",
	"utilise": "use", "utilises": "uses", "utilised": "used", "utilising": "using",
	"grey": "gray", "licence": "license", "licences": "licenses", "programme": "program", "centre": "center",
	"centres": "centers", "catalogue": "catalog", "catalogues": "catalogs", "dialogue": "dialog", "whilst": "while",
	"colour": "color", "colours": "colors", "behaviour": "behavior", "behaviours": "behaviors", "favour": "favor",
	"favourite": "favorite", "honour": "honor", "neighbour": "neighbor", "neighbours": "neighbors", "labour": "labor",
	"tumour": "tumor", "tumours": "tumors", "defence": "defense", "cancelled": "canceled", "cancelling": "canceling",
	"labelled": "labeled", "labelling": "labeling", "modelled": "modeled", "modelling": "modeling", "travelled": "traveled",
	"travelling": "traveling", "signalled": "signaled", "signalling": "signaling", "fulfil": "fulfill", "analyse": "analyze",
	"analysed": "analyzed", "analysing": "analyzing", "artefact": "artifact", "artefacts": "artifacts",
}

// izing are verbs that British English may write with an s.
var izing = set(`authori capitali categori customi initiali locali maximi minimi normali optimi organi parallei paralleli
	prioriti randomi recogni reali seriali standardi summari synchroni tokeni virtuali visuali generali speciali
	deseriali finali memori moderni neutrali penali stabili utili`)

// respell writes -ise as -ize in the verbs that have both.
func respell(word string) string {
	for _, ending := range []string{"se", "ses", "sed", "sing", "sation", "sations", "ser", "sers"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && izing[stem] {
			return stem + "z" + ending[1:]
		}
	}
	return word
}

func set(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[word] = true
	}
	return out
}
