package public

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"interai/api/identity"
	"interai/store"
)

// verifyRoute is where the links of verification mails lead.
const verifyRoute = "/verify/:token"

// verifyPolicy is pagePolicy with one form, which comes back here.
const verifyPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// verification is what the page of a link shows.
type verification struct {
	Address, Actor string
	Done           bool
	Style, Icon    string
}

// mountVerification adds the page of links. Looking at it proves nothing, since programs that read mail look at links
// too; the button does.
func (p *pages) mountVerification(router gin.IRoutes, prover *identity.Prover) {
	router.GET(verifyRoute, func(c *gin.Context) {
		proof, err := prover.Look(c.Request.Context(), c.Param("token"))
		p.verification(c, &proof, false, err)
	})
	router.POST(verifyRoute, func(c *gin.Context) {
		proof, err := prover.Confirm(c.Request.Context(), c.Param("token"))
		p.verification(c, &proof, true, err)
	})
}

func (p *pages) verification(c *gin.Context, proof *store.Proof, done bool, err error) {
	if err != nil {
		status, says := verificationFailure(err)
		if status == http.StatusServiceUnavailable {
			p.logger.ErrorContext(c.Request.Context(), "a link cannot be checked", "error", err.Error())
		}
		says.Style, says.Icon = assetPath("page.css"), assetPath("icon.svg")
		p.page(c, status, "failure.html", says)
		return
	}
	p.render(c, http.StatusOK, "verify.html", verifyPolicy, "no-store", verification{
		Address: identity.Mask(proof.Subject), Actor: proof.Actor.String(), Done: done,
		Style: assetPath("page.css"), Icon: assetPath("icon.svg"),
	})
}

func verificationFailure(err error) (int, failure) {
	switch {
	case errors.Is(err, identity.ErrLink):
		return http.StatusNotFound, failure{Title: "This link is not valid", Text: "Open the link as it stands in the mail, whole and unchanged."}
	case errors.Is(err, store.ErrProved):
		return http.StatusGone, failure{Title: "This link was used", Text: "It works once. The address is verified already."}
	case errors.Is(err, store.ErrExpired):
		return http.StatusGone, failure{Title: "This link has expired", Text: "Ask your operator for a new one."}
	case errors.Is(err, store.ErrExists):
		return http.StatusConflict, failure{Title: "This address is somebody's already", Text: "Another party has verified it. One address speaks for one party."}
	}
	return http.StatusServiceUnavailable, failure{Title: "Not just now", Text: "The server cannot check the link at the moment. Try again in a few seconds."}
}
