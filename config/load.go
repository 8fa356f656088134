package config

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
)

const (
	envPrefix = "INTERAI_"
	// fileEnv names the file when no flag does.
	fileEnv = envPrefix + "CONFIG"
	// defaultFile is read from the working directory when it is there.
	defaultFile = "interai.yaml"

	sourceFlag    = "flag"
	sourceEnv     = "environment"
	sourceDefault = "default"
)

// surroundings are what defaults depend on beside the options themselves.
type surroundings struct {
	uid   int
	cores int
	env   map[string]string
}

func (s surroundings) lookup(name string) string { return s.env[name] }

// Load builds the configuration: flags (option name to value; only those that
// were given) over environ (as os.Environ) over the file over the defaults. An
// empty file means the one that INTERAI_CONFIG names, or interai.yaml of the
// working directory if there is one. An empty variable counts as not set.
//
// The error is an *Error that lists all problems at once.
func Load(flags map[string]string, environ []string, file string) (Config, error) {
	around := surroundings{uid: os.Geteuid(), cores: runtime.NumCPU(), env: environMap(environ)}
	return load(flags, around, file)
}

func load(flags map[string]string, around surroundings, file string) (Config, error) {
	l := &loader{around: around, options: Options(), given: map[string]value{}}
	// The weakest source first: each overwrites what the one before gave.
	l.readFile(file)
	l.readEnv()
	l.readFlags(flags)
	c := l.apply()
	l.check(&c)
	if len(l.problems) > 0 {
		return Config{}, &Error{Problems: l.problems}
	}
	return c, nil
}

// value is a text with where it came from.
type value struct{ text, source string }

// loader collects values and problems.
type loader struct {
	around   surroundings
	options  []Option
	given    map[string]value
	problems []Problem
}

func (l *loader) add(option, source, rule, message string) {
	l.problems = append(l.problems, Problem{Option: option, Source: source, Rule: rule, Message: message})
}

// fail adds an error of a parser or a check.
func (l *loader) fail(option, source string, err error) {
	rule := RuleFormat
	if v, ok := errors.AsType[*violation](err); ok {
		rule = v.rule
	}
	l.add(option, source, rule, err.Error())
}

func (l *loader) known(name string) bool {
	return slices.ContainsFunc(l.options, func(o Option) bool { return o.Name == name })
}

func (l *loader) readFlags(flags map[string]string) {
	for _, name := range sortedKeys(flags) {
		if !l.known(name) {
			l.add("--"+name, sourceFlag, RuleUnknown, "there is no such option"+l.hint("--", name, Option.flag))
			continue
		}
		l.given[name] = value{flags[name], sourceFlag}
	}
}

func (l *loader) readEnv() {
	names := map[string]string{}
	for _, o := range l.options {
		names[o.Env()] = o.Name
	}
	for _, env := range sortedKeys(l.around.env) {
		text := l.around.env[env]
		name, known := names[env]
		switch {
		case !strings.HasPrefix(env, envPrefix) || reserved(env):
		case !known:
			l.add(env, sourceEnv, RuleUnknown, "there is no such option"+l.hint("", env, Option.Env))
		case text != "":
			l.given[name] = value{text, sourceEnv}
		}
	}
}

// reserved are variables of the same prefix that are not options: the data for
// demos and tests (DECISIONS 32), the key of stdio (MCP 7.13), the file's name.
func reserved(env string) bool {
	switch env {
	case envPrefix + "DATA", envPrefix + "API_KEY", fileEnv:
		return true
	}
	return strings.HasPrefix(env, envPrefix+"TEST_")
}

// apply parses every option in the table's order, on which computed defaults
// rely.
func (l *loader) apply() Config {
	c := Config{sources: make(map[string]string, len(l.options))}
	for _, o := range l.options {
		v, given := l.given[o.Name]
		if !given {
			text, err := o.fallback(&c, l.around)
			if err != nil {
				l.fail(o.Name, sourceDefault, err)
				continue
			}
			v = value{text, sourceDefault}
		}
		c.sources[o.Name] = v.source
		if err := o.parse(&c, strings.TrimSpace(v.text)); err != nil {
			l.fail(o.Name, v.source, err)
		}
	}
	return c
}

// environMap reads "name=value" lines; of two the later wins, as for exec.
func environMap(environ []string) map[string]string {
	env := make(map[string]string, len(environ))
	for _, kv := range environ {
		if name, text, ok := strings.Cut(kv, "="); ok {
			env[name] = text
		}
	}
	return env
}
