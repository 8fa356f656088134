package guide

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The prompt that teaches the workflow.
const (
	// PromptName is its name.
	PromptName = "use_inter_ai"
	// PromptArgument is its only argument, which is optional.
	PromptArgument = "task"
	// PromptTitle and PromptDescription are for lists.
	PromptTitle       = "Work with Inter-AI"
	PromptDescription = "How to find, judge, use and report shared knowledge for a task."
	// PromptArgumentDescription explains the argument.
	PromptArgumentDescription = "What you want to do, in a sentence or two."

	// maxTaskRunes bounds what is repeated of the task.
	maxTaskRunes = 2000
)

// Prompt teaches the recommended workflow for a task; "" means whatever the conversation is about.
func (g *Guide) Prompt(task string) string {
	var b strings.Builder
	if task = strings.TrimSpace(strings.ToValidUTF8(task, "")); task == "" {
		b.WriteString("Use Inter-AI for the task of this conversation.\n\n")
	} else {
		fmt.Fprintf(&b, "Use Inter-AI for this task:\n\n%s\n\n", cut(task, maxTaskRunes))
	}
	b.WriteString(purpose + "\n\nWork in this order:\n\n")
	steps := append([]string{"understand the problem: say in one sentence what would solve it, and in which context"}, g.steps()...)
	for i, s := range steps {
		fmt.Fprintf(&b, "%d. %s.\n", i+1, upper(s))
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n", reading, untrusted, writing)
	return b.String()
}

// upper begins a step like a sentence, but leaves the name of an operation as it is.
func upper(say string) string {
	name, rest, _ := strings.Cut(say, " ")
	for _, s := range workflow() {
		if s.operation == name {
			return "`" + name + "` " + rest
		}
	}
	return strings.ToUpper(say[:1]) + say[1:]
}

func cut(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	return string([]rune(text)[:runes]) + "…"
}
