package console

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"
)

const (
	// policy lets a page have its own style, script, icon and forms, and nothing else.
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	// maxForm bounds a form: a page of cases, and a reason of 2000 characters in percent-encoding.
	maxForm = 64 << 10
	// csrfField is the field of forms with the session's own secret.
	csrfField = "csrf"
)

// guard sets the headers of all pages and refuses forms of other origins.
func (s *Console) guard(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	if err := s.foreign.Check(c.Request); err != nil {
		s.refuse(c, http.StatusForbidden, "Not from here", "This form was sent by a page of another site. Nothing was done.")
		c.Abort()
		return
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxForm)
}

// form reads the form of a session and refuses one without the session's secret.
func (s *Console) form(c *gin.Context) {
	if !s.parse(c) {
		c.Abort()
		return
	}
	sent, err := base64.RawURLEncoding.DecodeString(c.Request.PostForm.Get(csrfField))
	want := visitorOf(c).csrf
	if err != nil || subtle.ConstantTimeCompare(sent, want[:]) != 1 {
		s.refuse(c, http.StatusForbidden, "This form is not of your session",
			"It was made for another session, or lacks its secret. Nothing was done: go back, load the page again, and send it anew.")
		c.Abort()
	}
}

// parse reads a form, or answers why it cannot be read.
func (s *Console) parse(c *gin.Context) bool {
	err := c.Request.ParseForm()
	if err == nil {
		return true
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		s.refuse(c, http.StatusRequestEntityTooLarge, "This form is too long", "A reason has at most 2000 characters. Nothing was done.")
		return false
	}
	s.refuse(c, http.StatusBadRequest, "This form cannot be read", "Nothing was done: go back, load the page again, and send it anew.")
	return false
}
