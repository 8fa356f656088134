package public

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"interai/api/guide"
)

// documentCache lets documents be kept for as long as a new version of the server may take to be noticed.
const documentCache = "public, max-age=300"

// documents serves what explains the server to those who do not know it: llms.txt, ai.md and SKILL.md.
type documents struct {
	guide *guide.Guide
	// publicURL is the address that the world uses, "" for the one by which each reader came.
	publicURL string
}

// mount adds the routes.
func (d *documents) mount(router gin.IRoutes) {
	for path, write := range map[string]func(*guide.Guide) string{
		guide.LLMsPath: (*guide.Guide).LLMs, guide.AIPath: (*guide.Guide).AI, guide.SkillPath: (*guide.Guide).Skill,
	} {
		media := "text/markdown; charset=utf-8"
		if strings.HasSuffix(path, ".txt") {
			media = "text/plain; charset=utf-8"
		}
		handler := func(c *gin.Context) {
			text := write(d.guide.At(siteOf(c.Request, d.publicURL)))
			send(c, http.StatusOK, media, documentCache, []byte(text))
		}
		router.GET(path, handler)
		router.HEAD(path, handler)
	}
}

// siteOf is the server's address for a reader: the configured one, or the one by which the reader came. The Host header
// has passed the allow-list.
func siteOf(r *http.Request, publicURL string) string {
	switch {
	case publicURL != "":
		return publicURL
	case r.TLS != nil:
		return "https://" + r.Host
	default:
		return "http://" + r.Host
	}
}

// send answers with a body whose strong ETag is its digest, or with 304 when the reader has it. The router has no
// routes for other methods than GET and HEAD.
func send(c *gin.Context, status int, media, cache string, body []byte) {
	h := c.Writer.Header()
	h.Set("Content-Type", media)
	h.Set("Cache-Control", cache)
	if status == http.StatusOK {
		sum := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(sum[:16]) + `"`
		h.Set("ETag", tag)
		if matches(c.Request.Header.Values("If-None-Match"), tag) {
			c.Writer.WriteHeader(http.StatusNotModified)
			c.Writer.WriteHeaderNow()
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.Writer.WriteHeader(status)
	c.Writer.WriteHeaderNow()
	if c.Request.Method != http.MethodHead {
		_, _ = c.Writer.Write(body) // the reader may be gone; there is nobody else to tell
	}
}

// matches compares an entity tag with the lists of If-None-Match, weakly (RFC 9110, section 13.1.2). Our tags have no
// comma in them, so that lists can be cut at commas.
func matches(lists []string, tag string) bool {
	for _, list := range lists {
		for candidate := range strings.SplitSeq(list, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
				return true
			}
		}
	}
	return false
}
