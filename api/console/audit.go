package console

import (
	"encoding/json"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"interai/store"
)

// record keeps what somebody did in the console, as calls are kept. Nothing of what they typed is in it.
func (s *Console) record(
	c *gin.Context, actor store.ID, tool string, request map[string]string, result, code string, started time.Time,
) {
	if request == nil {
		request = map[string]string{}
	}
	id, err := uuid.NewV7()
	if err != nil {
		s.logger.ErrorContext(c.Request.Context(), "audit row has no ID", "tool", tool, "error", err.Error())
		return
	}
	raw, err := json.Marshal(request)
	if err != nil {
		s.logger.ErrorContext(c.Request.Context(), "audit row cannot be encoded", "tool", tool, "error", err.Error())
		return
	}
	s.audit.Record(c.Request.Context(), store.Call{
		ID: id, Actor: actor, Tool: tool, Adapter: Adapter, Request: raw, Result: result, Code: code, StartedAt: started,
		Duration: s.now().Sub(started),
	})
}
