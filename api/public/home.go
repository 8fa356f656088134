package public

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"interai/api/guide"
)

// MCPPath is where the protocol is spoken.
const MCPPath = "/mcp"

// FetchPath is where it is spoken with hosts that expect exactly two tools, search and fetch.
const FetchPath = MCPPath + "/fetch"

// home is the page at the server's root.
type home struct {
	Site, Endpoint string
	Style, Icon    string
	// LLMs, AI and Skill are the paths of the documents for agents.
	LLMs, AI, Skill string
}

func newHome(site string) home {
	return home{
		Site: site, Endpoint: site + MCPPath, Style: assetPath("page.css"), Icon: assetPath("icon.svg"),
		LLMs: guide.LLMsPath, AI: guide.AIPath, Skill: guide.SkillPath,
	}
}

// text is the page for those who do not read HTML.
func (h *home) text() string {
	return fmt.Sprintf(`Inter-AI: a shared, traceable experience layer for agents.
MCP (Streamable HTTP) is at %s, with an API key of this server's operator: Authorization: Bearer KEY
For agents that do not know it yet: %s%s
The whole guide: %s%s
`, h.Endpoint, h.Site, h.LLMs, h.Site, h.AI)
}

// home answers at the root: a page for browsers, some lines for everybody else.
func (p *pages) home(c *gin.Context) {
	c.Header("Vary", "Accept")
	shown := newHome(siteOf(c.Request, p.publicURL))
	if wantsHTML(c.Request) {
		p.page(c, http.StatusOK, "home.html", shown)
		return
	}
	send(c, http.StatusOK, "text/plain; charset=utf-8", pageCache, []byte(shown.text()))
}

// unknown answers a browser that asks for something that is not there, and reports whether the reader is one.
func (p *pages) unknown(c *gin.Context) bool {
	if c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead || !wantsHTML(c.Request) {
		return false
	}
	p.page(c, http.StatusNotFound, "failure.html", failure{
		Title: "Nothing here", Text: "There is no page at this address.", Style: assetPath("page.css"), Icon: assetPath("icon.svg"),
	})
	return true
}

// wantsHTML reports whether a reader names HTML among what it accepts, as browsers do; */* alone is what programs send.
func wantsHTML(r *http.Request) bool {
	accepted := strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",")
	return slices.ContainsFunc(accepted, func(part string) bool {
		media, parameters, err := mime.ParseMediaType(part)
		if err != nil || media != "text/html" && media != "application/xhtml+xml" {
			return false
		}
		quality, given := parameters["q"]
		weight, err := strconv.ParseFloat(quality, 64)
		return !given || err == nil && weight > 0
	})
}
