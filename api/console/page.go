package console

import (
	"bytes"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"interai/store"
)

//go:embed templates/*.html
var templateFiles embed.FS

func parseTemplates() (*template.Template, error) {
	t, err := template.New("").Funcs(template.FuncMap{"exact": exact}).ParseFS(templateFiles, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse templates: %w", err)
	}
	return t, nil
}

// exact is a moment as machines read it.
func exact(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// frame is what all pages have.
type frame struct {
	Title               string
	Style, Script, Icon string
	// Name is who has signed in, "" for nobody; CSRF is the secret of their forms.
	Name, CSRF string
	// Here names the page in the navigation.
	Here string
	Jobs bool
	// Page tells the script which keys there are: queue, case or none.
	Page string
}

func (s *Console) frame(c *gin.Context, title string) frame {
	f := frame{
		Title: title, Style: assetPath(styleFile), Script: assetPath(scriptFile), Icon: assetPath(iconFile), Jobs: s.jobs != nil,
	}
	if v := visitorOf(c); !v.moderator.Actor.IsZero() {
		f.Name, f.CSRF = v.name, base64.RawURLEncoding.EncodeToString(v.csrf[:])
	}
	return f
}

// render answers with a page. Nothing is sent before all of it is there.
func (s *Console) render(c *gin.Context, status int, name string, view any) {
	var body bytes.Buffer
	if err := s.templates.ExecuteTemplate(&body, name, view); err != nil {
		s.logger.ErrorContext(c.Request.Context(), "page of the console does not render", "template", name, "error", err.Error())
		c.Data(http.StatusInternalServerError, "text/plain; charset=utf-8", []byte("This page cannot be made.\n"))
		return
	}
	c.Data(status, "text/html; charset=utf-8", body.Bytes())
}

// messageView is a page that says one thing.
type messageView struct {
	frame

	Text string
}

func (s *Console) refuse(c *gin.Context, status int, title, text string) {
	s.render(c, status, "message.html", messageView{frame: s.frame(c, title), Text: text})
}

func (s *Console) missing(c *gin.Context) {
	s.refuse(c, http.StatusNotFound, "Nothing here", "There is no such case.")
}

// fail answers what went wrong on the server's side.
func (s *Console) fail(c *gin.Context, err error) {
	s.logger.ErrorContext(c.Request.Context(), "request of the console failed", "route", c.FullPath(), "error", err.Error())
	if store.IsUnavailable(err) {
		c.Header("Retry-After", "2")
		s.refuse(c, http.StatusServiceUnavailable, "Not just now", "The server cannot reach its database at the moment. Try again in a few seconds.")
		return
	}
	s.refuse(c, http.StatusInternalServerError, "This page cannot be made", "Something failed on the server. Its operator finds it in the log.")
}
