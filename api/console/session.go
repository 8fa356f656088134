package console

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"interai/api/auth"
	"interai/api/ops"
	"interai/evidence/moderation"
	"interai/store"
)

const (
	// cookieName is the cookie of a session. It holds 256 random bits, of which the database has the SHA-256.
	cookieName = "interai_console"
	idBytes    = 32
	// maxNextBytes bounds the address to go on to after signing in.
	maxNextBytes = 1024
)

// visitor is who has signed in.
type visitor struct {
	moderator moderation.Moderator
	name      string
	hash      [32]byte
	csrf      [32]byte
}

const visitorKey = "console visitor"

// visitorOf is who sent a request; the zero value where nobody need have signed in.
func visitorOf(c *gin.Context) visitor {
	v, _ := c.Get(visitorKey)
	known, _ := v.(visitor)
	return known
}

// session lets only those pass who have signed in, and whose key still serves.
func (s *Console) session(c *gin.Context) {
	v, err := s.recognise(c.Request)
	switch {
	case err == nil:
		c.Set(visitorKey, v)
		return
	case !errors.Is(err, auth.ErrUnauthenticated):
		s.fail(c, err)
	case c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead:
		s.forget(c)
		to := Path + "/sign-in"
		if next := c.Request.URL.RequestURI(); next != Path {
			to += "?next=" + url.QueryEscape(next)
		}
		c.Redirect(http.StatusSeeOther, to)
	default:
		s.forget(c)
		s.refuse(c, http.StatusUnauthorized, "You are not signed in", "Your session has ended, or its key serves no more. Nothing was done.")
	}
	c.Abort()
}

// recognise answers who a request's cookie speaks for; auth.ErrUnauthenticated when it is nobody.
func (s *Console) recognise(r *http.Request) (visitor, error) {
	hash, ok := cookieHash(r)
	if !ok {
		return visitor{}, auth.ErrUnauthenticated
	}
	session, err := s.sessions.ConsoleSession(r.Context(), hash)
	if errors.Is(err, store.ErrNotFound) {
		return visitor{}, auth.ErrUnauthenticated
	}
	if err != nil {
		return visitor{}, err
	}
	caller, err := s.door.Stay(r, session.KeyID, scope)
	if err != nil {
		if errors.Is(err, auth.ErrUnauthenticated) {
			return visitor{}, errors.Join(err, s.sessions.EndConsoleSession(r.Context(), hash))
		}
		return visitor{}, err
	}
	moderator, err := moderatorOf(caller)
	if err != nil {
		return visitor{}, err
	}
	return visitor{moderator: moderator, name: caller.DisplayName, hash: hash, csrf: session.CSRF}, nil
}

func cookieHash(r *http.Request) (hash [32]byte, ok bool) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return hash, false
	}
	id, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || len(id) != idBytes {
		return hash, false
	}
	return sha256.Sum256(id), true
}

// moderatorOf is the moderator that a caller is.
func moderatorOf(caller *ops.Caller) (moderation.Moderator, error) {
	actor, err := store.ParseID(caller.Actor)
	if err != nil {
		return moderation.Moderator{}, err
	}
	root, err := store.ParseID(caller.Root)
	if err != nil {
		return moderation.Moderator{}, err
	}
	return moderation.Moderator{Actor: actor, Root: root, Scopes: caller.Scopes, Adapter: Adapter}, nil
}

// signInView is the page with the form for a key.
type signInView struct {
	frame

	Next, Problem string
}

func (s *Console) signInPage(c *gin.Context) {
	next := safeNext(c.Query("next"))
	_, err := s.recognise(c.Request)
	if err == nil {
		c.Redirect(http.StatusSeeOther, next)
		return
	}
	if !errors.Is(err, auth.ErrUnauthenticated) {
		s.fail(c, err)
		return
	}
	problem := ""
	if c.Query("ended") != "" {
		problem = "You have signed out."
	}
	s.render(c, http.StatusOK, "signin.html", signInView{frame: s.frame(c, "Sign in"), Next: next, Problem: problem})
}

// signIn begins a session for the holder of a key.
func (s *Console) signIn(c *gin.Context) {
	if !s.parse(c) {
		return
	}
	started := s.now()
	view := signInView{frame: s.frame(c, "Sign in"), Next: safeNext(c.Request.PostForm.Get("next"))}
	caller, err := s.door.Enter(c.Request, c.Request.PostForm.Get("key"), scope)
	if tooMany, ok := errors.AsType[*auth.TooManyError](err); ok {
		seconds := int(tooMany.Wait/time.Second) + 1
		c.Header("Retry-After", strconv.Itoa(seconds))
		view.Problem = "Too many keys from your network were invalid. Yours was not looked at: try again in " + strconv.Itoa(seconds) + " seconds."
		s.render(c, http.StatusTooManyRequests, "signin.html", view)
		return
	}
	if errors.Is(err, auth.ErrUnauthenticated) {
		s.record(c, store.ID{}, "console.sign_in", nil, "", string(ops.Unauthenticated), started)
		view.Problem = "This is not a valid key with the scope moderate."
		s.render(c, http.StatusUnauthorized, "signin.html", view)
		return
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	if err := s.begin(c, caller, started); err != nil {
		s.fail(c, err)
		return
	}
	c.Redirect(http.StatusSeeOther, view.Next)
}

// begin stores a new session and hands its cookie out. A session that the browser had ends.
func (s *Console) begin(c *gin.Context, caller *ops.Caller, started time.Time) error {
	moderator, err := moderatorOf(caller)
	if err != nil {
		return err
	}
	id := make([]byte, idBytes)
	session := store.ConsoleSession{KeyID: caller.KeyID, Actor: moderator.Actor}
	if _, err := rand.Read(id); err != nil {
		return err
	}
	if _, err := rand.Read(session.CSRF[:]); err != nil {
		return err
	}
	session.Hash = sha256.Sum256(id)
	if old, had := cookieHash(c.Request); had {
		if err := s.sessions.EndConsoleSession(c.Request.Context(), old); err != nil {
			return err
		}
	}
	if err := s.sessions.CreateConsoleSession(c.Request.Context(), &session); err != nil {
		return err
	}
	s.record(c, moderator.Actor, "console.sign_in", map[string]string{"key": caller.KeyID}, "signed in", "", started)
	s.setCookie(c, base64.RawURLEncoding.EncodeToString(id), 0)
	return nil
}

// signOut ends the session at once, on all nodes.
func (s *Console) signOut(c *gin.Context) {
	started, v := s.now(), visitorOf(c)
	if err := s.sessions.EndConsoleSession(c.Request.Context(), v.hash); err != nil {
		s.fail(c, err)
		return
	}
	s.record(c, v.moderator.Actor, "console.sign_out", nil, "signed out", "", started)
	s.forget(c)
	c.Redirect(http.StatusSeeOther, Path+"/sign-in?ended=1")
}

// forget takes the cookie of a session that is no more, if one was sent.
func (s *Console) forget(c *gin.Context) {
	if _, err := c.Request.Cookie(cookieName); err == nil {
		s.setCookie(c, "", -1)
	}
}

func (s *Console) setCookie(c *gin.Context, value string, maxAge int) {
	http.SetCookie(c.Writer, &http.Cookie{ //nolint:gosec // without TLS, on loopback, a secure cookie would not come back
		Name: cookieName, Value: value, Path: Path, MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: s.secure || c.Request.TLS != nil,
	})
}

// safeNext is where to go after signing in: a page of the console, and nowhere else.
func safeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || len(next) > maxNextBytes || u.IsAbs() || u.Host != "" || u.Opaque != "" || u.Fragment != "" {
		return Path
	}
	inside := u.Path == Path || strings.HasPrefix(u.Path, Path+"/") && !strings.HasPrefix(u.Path, Path+"/sign-")
	if !inside || strings.ContainsAny(u.Path, "\\\r\n") || strings.Contains(u.Path, "..") || !strings.HasPrefix(next, Path) {
		return Path
	}
	return next
}
