package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxFileBytes bounds the file; a real one has a few dozen lines.
const maxFileBytes = 1 << 20

// readFile reads the options of a YAML file. A file that was asked for has to
// exist, the default one may be missing.
func (l *loader) readFile(path string) {
	optional := false
	if path == "" {
		path = l.around.lookup(fileEnv)
	}
	if path == "" {
		path, optional = defaultFile, true
	}
	raw, err := readBounded(path)
	if optional && errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.add("config", path, RuleFile, err.Error())
		return
	}
	l.readYAML(path, raw)
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err == nil && len(raw) > maxFileBytes {
		err = fmt.Errorf("%s is larger than %s", path, showBytes(maxFileBytes))
	}
	return raw, err
}

func (l *loader) readYAML(path string, raw []byte) {
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	var doc yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return // empty, or comments only
	case err != nil:
		l.add("config", path, RuleFormat, err.Error())
		return
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		l.add("config", path, RuleFormat, "it must hold a single YAML document")
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return
	}
	if root.Kind != yaml.MappingNode {
		l.add("config", path, RuleFormat, "it must be a list of \"option: value\" lines")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		l.readEntry(path, root.Content[i], root.Content[i+1], seen)
	}
}

func (l *loader) readEntry(path string, key, node *yaml.Node, seen map[string]bool) {
	source := fmt.Sprintf("%s:%d", path, key.Line)
	name := key.Value
	switch {
	case !l.known(name):
		l.add(name, source, RuleUnknown, "there is no such option"+l.hint("", name, func(o Option) string { return o.Name }))
		return
	case seen[name]:
		l.add(name, source, RuleFormat, "it stands in the file twice")
		return
	}
	seen[name] = true
	text, ok := scalarText(node)
	if !ok {
		l.add(name, source, RuleFormat, "its value must be a single value or a list of them")
		return
	}
	l.given[name] = value{text, path}
}

// scalarText is a value as it was written, so that the same parser reads all
// sources; a list becomes comma separated.
func scalarText(node *yaml.Node) (string, bool) {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	switch node.Kind {
	case yaml.ScalarNode:
		if node.Tag == "!!null" {
			return "", true
		}
		return node.Value, true
	case yaml.SequenceNode:
		parts := make([]string, 0, len(node.Content))
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return "", false
			}
			parts = append(parts, item.Value)
		}
		return strings.Join(parts, ","), true
	default:
		return "", false
	}
}
