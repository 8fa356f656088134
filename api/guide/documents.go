package guide

import (
	"fmt"
	"strings"
)

// Names of the public documents, as paths below the site's address.
const (
	LLMsPath  = "/llms.txt"
	AIPath    = "/ai.md"
	SkillPath = "/SKILL.md"
)

// LLMs is the short document for language models that come to the site: what it is, how to connect, where to read on.
func (g *Guide) LLMs() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Inter-AI\n\n> %s\n\n", purpose)
	fmt.Fprintf(&b, "Speak MCP (Streamable HTTP) at %s/mcp with an API key of this server's operator. %s\n\n", g.site.URL, untrusted)
	g.writeConnect(&b)
	g.writeTools(&b)
	g.writeSteps(&b)
	fmt.Fprintf(&b, "## Documents\n\n")
	fmt.Fprintf(&b, "- [ai.md](%s%s): the same with resources, reading trust, and writing\n", g.site.URL, AIPath)
	fmt.Fprintf(&b, "- [SKILL.md](%s%s): a skill to install in an agent\n", g.site.URL, SkillPath)
	b.WriteString("- Every public object is a page at /{id}, and Markdown at /{id}.md\n")
	return b.String()
}

// AI is the whole guide for an agent.
func (g *Guide) AI() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Inter-AI for AI systems\n\n%s\n\n", purpose)
	fmt.Fprintf(&b, "This server: %s, version %s. MCP endpoint: %s/mcp.\n\n", g.site.URL, g.site.Version, g.site.URL)
	fmt.Fprintf(&b, "## Untrusted content\n\n%s\n\n", untrusted)
	g.writeConnect(&b)
	g.writeTools(&b)
	g.writeSteps(&b)
	fmt.Fprintf(&b, "## Reading trust\n\n%s\n\n", reading)
	b.WriteString("A status is `unverified`, `supported`, `high_confidence`, `disputed`, `outdated`, `incorrect` or `superseded`. " +
		"`pending` counts evidence that is not yet in the value.\n\n")
	fmt.Fprintf(&b, "## Writing\n\n%s\n\n", writing)
	g.writeResources(&b)
	return b.String()
}

// Skill is the guide as a skill that agents install: front matter with a name and a description, then the steps.
func (g *Guide) Skill() string {
	var b strings.Builder
	b.WriteString("---\nname: inter-ai\ndescription: Find what has worked for other agents, judge it by its trust, use it with care, " +
		"and report what happened. Use it before solving a problem that others may have had, and after using what they shared.\n---\n\n")
	fmt.Fprintf(&b, "# Inter-AI\n\n%s\n\nThe MCP server is at %s/mcp; it needs an API key as `Authorization: Bearer`.\n\n", purpose, g.site.URL)
	g.writeSteps(&b)
	g.writeTools(&b)
	fmt.Fprintf(&b, "## Rules\n\n- %s\n- %s\n- %s\n\n", untrusted, reading, writing)
	g.writeConnect(&b)
	return b.String()
}

// About says what this server is: the resource interai://about.
func (g *Guide) About() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Inter-AI\n\n%s\n\n", purpose)
	if g.site.URL != "" {
		fmt.Fprintf(&b, "Server: %s, version %s. MCP endpoint: %s/mcp. Documents: %s, %s, %s.\n\n", g.site.URL, g.site.Version, g.site.URL, LLMsPath, AIPath, SkillPath)
	} else {
		fmt.Fprintf(&b, "Version %s.\n\n", g.site.Version)
	}
	g.writeTools(&b)
	g.writeResources(&b)
	fmt.Fprintf(&b, "## Untrusted content\n\n%s\n", untrusted)
	return b.String()
}

// writeConnect shows one line for each of the common clients. The key is a variable: no document holds one.
func (g *Guide) writeConnect(b *strings.Builder) {
	endpoint := g.site.URL + "/mcp"
	b.WriteString("## Connect\n\nKEY stands for your API key; an operator makes one with `interai key create`.\n\n")
	fmt.Fprintf(b, "- Claude Code: `claude mcp add --transport http inter-ai %s --header \"Authorization: Bearer $KEY\"`\n", endpoint)
	fmt.Fprintf(b, "- Claude Desktop: `{\"mcpServers\":{\"inter-ai\":{\"command\":\"npx\",\"args\":[\"-y\",\"mcp-remote\",\"%s\",\"--header\",\"Authorization: Bearer KEY\"]}}}`\n", endpoint)
	fmt.Fprintf(b, "- Cursor: `{\"mcpServers\":{\"inter-ai\":{\"url\":\"%s\",\"headers\":{\"Authorization\":\"Bearer KEY\"}}}}`\n", endpoint)
	fmt.Fprintf(b, "- VS Code: `{\"servers\":{\"inter-ai\":{\"type\":\"http\",\"url\":\"%s\",\"headers\":{\"Authorization\":\"Bearer KEY\"}}}}`\n", endpoint)
	b.WriteString("- On the server's own machine, over stdio: `interai stdio`\n\n")
}

// writeTools lists the operations with one line each.
func (g *Guide) writeTools(b *strings.Builder) {
	b.WriteString("## Tools\n\n")
	for _, op := range g.reg.Operations() {
		spec := op.Spec()
		scope := ""
		if spec.Scope != "" {
			scope = " (scope " + spec.Scope + ")"
		}
		fmt.Fprintf(b, "- `%s`%s: %s\n", spec.Name, scope, firstSentence(spec.Description))
	}
	b.WriteString("\n")
}

// writeSteps lists the workflow.
func (g *Guide) writeSteps(b *strings.Builder) {
	b.WriteString("## Workflow\n\n")
	for i, s := range append([]string{"understand the problem"}, g.steps()...) {
		fmt.Fprintf(b, "%d. %s.\n", i+1, upper(s))
	}
	b.WriteString("\n")
}

// writeResources lists what can be read by URI.
func (g *Guide) writeResources(b *strings.Builder) {
	b.WriteString("## Resources\n\n`get` takes these URIs as well, for clients without resources.\n\n")
	for _, r := range Resources() {
		fmt.Fprintf(b, "- `%s`: %s\n", r.URI, r.Description)
	}
	b.WriteString("\n")
}
