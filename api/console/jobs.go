package console

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"
	"riverqueue.com/riverui"

	"interai/jobs"
)

// JobsPath is where the pages about jobs are.
const JobsPath = Path + "/jobs"

// jobsPolicy is what the pages about jobs need beside policy: they are a script that asks the server and sets styles
// itself. It holds below /console/jobs alone.
const jobsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Jobs are the pages about jobs: River UI on the client of a queue. Arguments of jobs are IDs and nothing that anybody
// wrote.
type Jobs struct{ handler *riverui.Handler }

// NewJobs makes the pages; Start must be called before they answer.
func NewJobs(queue *jobs.Enqueuer, logger *slog.Logger) (*Jobs, error) {
	handler, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints: riverui.NewEndpoints(queue.Client(), nil), Logger: logger, Prefix: JobsPath,
	})
	if err != nil {
		return nil, fmt.Errorf("build the pages about jobs: %w", err)
	}
	return &Jobs{handler: handler}, nil
}

// Start begins what the pages keep ready, until ctx ends.
func (j *Jobs) Start(ctx context.Context) error {
	if err := j.handler.Start(ctx); err != nil {
		return fmt.Errorf("start the pages about jobs: %w", err)
	}
	return nil
}

// jobsPage hands a request over to the pages about jobs. What changes something is audited; a page of another origin
// was refused before.
func (s *Console) jobsPage(c *gin.Context) {
	c.Header("Content-Security-Policy", jobsPolicy)
	if r := c.Request; r.Method != http.MethodGet && r.Method != http.MethodHead {
		v := visitorOf(c)
		path := oneLine(c.Param("path"))
		s.record(c, v.moderator.Actor, "console.jobs", map[string]string{"method": r.Method, "path": path[:min(len(path), maxNextBytes)]}, "", "", s.now())
	}
	s.jobs.handler.ServeHTTP(c.Writer, c.Request)
}
