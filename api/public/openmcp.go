package public

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"interai/api/openmcp"
	"interai/api/ops"
	"interai/api/refusal"
)

// mountOpenMCP serves the OpenMCPSpec document for the address by which each reader came.
func mountOpenMCP(router gin.IRoutes, cfg *Config) {
	handler := func(c *gin.Context) {
		document, err := cfg.OpenMCP(siteOf(c.Request, cfg.PublicURL))
		if err != nil {
			cfg.Logger.ErrorContext(c.Request.Context(), "the OpenMCPSpec document could not be built", "error", err)
			refusal.Write(c.Writer, http.StatusInternalServerError, ops.Internal(err))
			return
		}
		send(c, http.StatusOK, "application/json", documentCache, document)
	}
	router.GET(openmcp.Path, handler)
	router.HEAD(openmcp.Path, handler)
}
