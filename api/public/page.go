package public

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"unicode"

	"github.com/gin-gonic/gin"

	"interai/api/ops"
	"interai/api/refusal"
	"interai/api/tools"
	"interai/evidence"
)

//go:embed templates/*.html
var templateFiles embed.FS

// AdapterPages is the adapter name of public pages in audit rows.
const AdapterPages = "public"

const (
	// pageRoute names the pages in the access log.
	pageRoute = "/{id}"
	// pagePolicy lets a page have its stylesheet and its icon, and nothing else: no script, no frame, no form.
	pagePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	// pageCache is short for all pages, those of revisions as well: each shows trust, which evidence changes, and
	// moderators may take a page away.
	pageCache = "public, max-age=30, stale-while-revalidate=60"
	// maxUserAgentBytes bounds what is kept of a reader's own words.
	maxUserAgentBytes = 256
)

// pagePath is the path of a page, or of its Markdown.
var pagePath = regexp.MustCompile(`^/([a-z]{2,3}_[0-9a-z]{26})(\.md)?$`)

// pages serves public objects to anybody who has their address, as HTML and as Markdown. It reads them through the
// executor as a caller that is nobody; what such a caller may not see does not exist here.
type pages struct {
	exec      *ops.Executor
	publicURL string
	templates *template.Template
	markdown  *markdown
	logger    *slog.Logger
	// slots bounds how many pages are made at once: a long text costs more than reading it.
	slots chan struct{}
}

func newPages(cfg *Config) (*pages, error) {
	templates, err := template.New("").ParseFS(templateFiles, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse the templates of pages: %w", err)
	}
	return &pages{
		exec: cfg.Pages, publicURL: cfg.PublicURL, templates: templates, markdown: newMarkdown(), logger: cfg.Logger,
		slots: make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
	}, nil
}

// serve answers a request for a page, and reports whether the path is one.
func (p *pages) serve(c *gin.Context) bool {
	found := pagePath.FindStringSubmatch(c.Request.URL.Path)
	if found == nil || c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
		return false
	}
	if route, ok := c.Request.Context().Value(routeKey{}).(*string); ok {
		*route = pageRoute
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-c.Request.Context().Done():
		return true // the reader is gone
	}
	id, asMarkdown := found[1], found[2] != ""
	document, refused := p.read(c.Request, id)
	switch {
	case refused != nil:
		p.refuse(c, refused, asMarkdown)
	case asMarkdown:
		form := evidence.MarkdownForm{Site: siteOf(c.Request, p.publicURL)}
		send(c, http.StatusOK, "text/markdown; charset=utf-8", pageCache, []byte(document.Markdown(form)))
	default:
		p.show(c, document)
	}
	return true
}

// show answers with the page of an object.
func (p *pages) show(c *gin.Context, document *evidence.DocumentOutput) {
	shown, err := newView(document, siteOf(c.Request, p.publicURL), p.markdown)
	if err != nil {
		p.logger.ErrorContext(c.Request.Context(), "text of an object does not render", "id", document.ID, "error", err.Error())
		p.refuse(c, ops.Internal(err), false)
		return
	}
	p.page(c, http.StatusOK, "page.html", shown)
}

// read reads an object through the executor, which authorises the read and audits it.
func (p *pages) read(r *http.Request, id string) (*evidence.DocumentOutput, *ops.Error) {
	arguments, err := json.Marshal(evidence.DocumentInput{ID: id})
	if err != nil {
		return nil, ops.Internal(err)
	}
	result := p.exec.Execute(r.Context(), ops.Call{
		Operation: "get", Arguments: arguments, Caller: tools.Anonymous(),
		Meta: ops.Meta{Adapter: AdapterPages, UserAgent: printable(r.UserAgent(), maxUserAgentBytes)},
	})
	if result.Err != nil {
		return nil, result.Err
	}
	document := &evidence.DocumentOutput{}
	if err := json.Unmarshal(result.Structured, document); err != nil {
		p.logger.ErrorContext(r.Context(), "answer of a read does not decode", "error", err.Error())
		return nil, ops.Internal(err)
	}
	return document, nil
}

// failure is what a page says that shows no object.
type failure struct{ Title, Text, Style, Icon string }

// refuse answers a request that has no object to show. What is private, held back, unknown or no ID at all has the
// same answer, to the byte.
func (p *pages) refuse(c *gin.Context, e *ops.Error, asMarkdown bool) {
	status := http.StatusNotFound
	says := failure{Title: "Nothing here", Text: "There is no such object, or it is not public."}
	if e.Code == ops.InternalError || e.Code == ops.RateLimited {
		status = http.StatusInternalServerError
		says = failure{Title: "This page cannot be made", Text: "Something failed on the server. Its operator finds it in the log."}
		if e.Details.Retryable {
			status = http.StatusServiceUnavailable
			says = failure{Title: "Not just now", Text: "The server cannot read its database at the moment. Try again in a few seconds."}
			c.Header("Retry-After", strconv.Itoa(max(1, e.Details.RetryAfter)))
		}
	}
	says.Style, says.Icon = assetPath("page.css"), assetPath("icon.svg")
	if asMarkdown {
		send(c, status, "text/markdown; charset=utf-8", "no-store", []byte("# "+says.Title+"\n\n"+says.Text+"\n"))
		return
	}
	p.page(c, status, "failure.html", says)
}

// page renders a template. Nothing is sent before all of it is there.
func (p *pages) page(c *gin.Context, status int, name string, data any) {
	cache := pageCache
	if status != http.StatusOK {
		cache = "no-store"
	}
	p.render(c, status, name, pagePolicy, cache, data)
}

// render answers with a page under its own policy.
func (p *pages) render(c *gin.Context, status int, name, policy, cache string, data any) {
	var body bytes.Buffer
	if err := p.templates.ExecuteTemplate(&body, name, data); err != nil {
		p.logger.ErrorContext(c.Request.Context(), "page does not render", "template", name, "error", err.Error())
		refusal.Write(c.Writer, http.StatusInternalServerError, ops.Internal(nil))
		return
	}
	c.Header("Content-Security-Policy", policy)
	send(c, status, "text/html; charset=utf-8", cache, body.Bytes())
}

// printable is a reader's text as it may be stored: valid, without signs that nobody sees, bounded.
func printable(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

var errNoGuide = errors.New("build HTTP handler: Pages needs Guide")

// mountPages adds documents, assets, the home page and pages, and answers what serves pages at paths without a route,
// and tells browsers that there is none: functions that do nothing when there are no pages.
func mountPages(router gin.IRoutes, cfg *Config) (serve, unknown func(*gin.Context) bool, err error) {
	if cfg.Guide != nil {
		(&documents{guide: cfg.Guide, publicURL: cfg.PublicURL}).mount(router)
	}
	if cfg.Pages == nil {
		none := func(*gin.Context) bool { return false }
		return none, none, nil
	}
	if cfg.Guide == nil {
		return nil, nil, errNoGuide
	}
	p, err := newPages(cfg)
	if err != nil {
		return nil, nil, err
	}
	router.GET("/", p.home)
	router.HEAD("/", p.home)
	if cfg.Prover != nil {
		p.mountVerification(router, cfg.Prover)
	}
	return p.serve, p.unknown, mountAssets(router)
}
