// Package console owns the pages for moderators at /console: signing in with an API key, the queue of cases, one case
// with its decision, and the figures of the queue.
//
// It decides nothing itself, shows texts only as plain text, and never logs or stores a key or what a cookie holds.
// Start reading at [New].
package console

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"interai/api/auth"
	"interai/evidence"
	"interai/evidence/moderation"
	"interai/store"
)

const (
	// Path is where the console is mounted.
	Path = "/console"
	// Adapter names the console in audit rows.
	Adapter = "console"
	// scope is what a key needs to sign in.
	scope = "moderate"
)

// Config is what the console is made of. All of it is required but Jobs and Logger.
type Config struct {
	Queue    *moderation.Service
	Sessions *store.Store
	Door     *auth.Door
	Audit    *evidence.AuditLog
	// Secure says that browsers reach the console over TLS only, so that cookies never go without it.
	Secure bool
	// Jobs is mounted at /console/jobs behind the sign-in; nil leaves it out.
	Jobs   *Jobs
	Logger *slog.Logger
}

// Console serves the pages. It is safe for concurrent use.
type Console struct {
	queue     *moderation.Service
	sessions  *store.Store
	door      *auth.Door
	audit     *evidence.AuditLog
	secure    bool
	jobs      *Jobs
	logger    *slog.Logger
	templates *template.Template
	assets    map[string]asset
	rules     map[string]string
	foreign   *http.CrossOriginProtection
	now       func() time.Time
}

// New makes the console.
func New(cfg Config) (*Console, error) {
	if cfg.Queue == nil || cfg.Sessions == nil || cfg.Door == nil || cfg.Audit == nil {
		return nil, errors.New("build the console: Queue, Sessions, Door and Audit are required")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	assets, err := loadAssets()
	if err != nil {
		return nil, fmt.Errorf("build the console: %w", err)
	}
	templates, err := parseTemplates()
	if err != nil {
		return nil, fmt.Errorf("build the console: %w", err)
	}
	return &Console{
		queue: cfg.Queue, sessions: cfg.Sessions, door: cfg.Door, audit: cfg.Audit, secure: cfg.Secure, jobs: cfg.Jobs,
		logger: cfg.Logger, templates: templates, assets: assets, rules: ruleTexts(),
		foreign: http.NewCrossOriginProtection(), now: time.Now,
	}, nil
}

// Mount adds the console's routes.
func (s *Console) Mount(router gin.IRouter) {
	for path, a := range s.assets {
		both(router, path, a.serve)
	}
	pages := router.Group(Path, s.guard)
	both(pages, "/sign-in", s.signInPage)
	pages.POST("/sign-in", s.signIn)

	inside := pages.Group("", s.session)
	both(inside, "", s.queuePage)
	both(inside, "/cases/:case", s.casePage)
	both(inside, "/statistics", s.statisticsPage)
	forms := inside.Group("", s.form)
	forms.POST("/cases/:case", s.decide)
	forms.POST("/decide", s.decideMany)
	forms.POST("/sign-out", s.signOut)
	if s.jobs != nil {
		inside.Any("/jobs", s.jobsPage)
		inside.Any("/jobs/*path", s.jobsPage)
	}
}

// both answers GET and HEAD.
func both(router gin.IRoutes, path string, handler gin.HandlerFunc) {
	router.GET(path, handler)
	router.HEAD(path, handler)
}

// caseID is the case of a request, or an answer that there is none.
func (s *Console) caseID(c *gin.Context) (store.ID, bool) {
	id, err := store.ParseID(c.Param("case"))
	if err != nil || id.Kind != store.KindCase {
		s.missing(c)
		return store.ID{}, false
	}
	return id, true
}

// read is a dossier, or an answer why it cannot be shown.
func (s *Console) read(ctx context.Context, c *gin.Context, id store.ID) (moderation.Dossier, bool) {
	dossier, err := s.queue.Dossier(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		s.missing(c)
	case err != nil:
		s.fail(c, err)
	default:
		return dossier, true
	}
	return dossier, false
}
