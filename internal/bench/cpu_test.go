package bench

import (
	"errors"
	"time"

	"interai/internal/cputime"
)

// watched are the processes whose CPU time a measurement tells.
type watched struct {
	Server   int `json:"server"`   // one process, 0 for none
	Postgres int `json:"postgres"` // a postmaster
	Client   int `json:"client"`   // the load client
}

// usage is CPU time, by who used it.
type usage struct{ Server, Postgres, Client time.Duration }

func (w watched) read() (u usage, err error) {
	var errs [3]error
	u.Server, errs[0] = cputime.Process(w.Server)
	u.Client, errs[1] = cputime.Process(w.Client)
	if w.Postgres != 0 {
		u.Postgres, errs[2] = cputime.Tree(w.Postgres)
	}
	return u, errors.Join(errs[:]...)
}

func (u usage) minus(v usage) usage {
	return usage{Server: u.Server - v.Server, Postgres: u.Postgres - v.Postgres, Client: u.Client - v.Client}
}
