package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// echo is the floor of the protocol.
type echo struct {
	process *process
	host    string
	seed    int64
}

func startEcho(b *testing.B, dir, gcPercent string) *echo {
	b.Helper()
	log := filepath.Join(dir, "echo.log")
	e := &echo{process: startRole(b, roleEcho, log, []string{"GOGC=" + gcPercent})}
	e.host = strings.TrimPrefix(e.process.mustExpect(b, readyPrefix, log), "http://")
	return e
}

// measure drives the echo server with the very requests that ours gets.
func (e *echo) measure(ctx context.Context, s *server, conns int, w window) (sample, error) {
	e.seed += int64(conns)
	callers, closeAll, err := dialAll(ctx, e.host, s.bearers, point{Targets: spread, Conns: conns}, s.targets, e.seed, w)
	if err != nil {
		return sample{}, err
	}
	defer closeAll()
	return drive(ctx, w, callers, watched{Server: e.process.pid, Client: os.Getpid()})
}

// bare is the floor of the database.
type bare struct {
	process *process
	pg      int
	seed    int64
}

func startBare(b *testing.B, s *server, set settings) *bare {
	b.Helper()
	conn, err := bareDatabase(b.Context(), s.conn)
	if err != nil {
		b.Fatal(err)
	}
	log := filepath.Join(s.dir, "bare.log")
	d := &bare{pg: s.pg, process: startRole(b, roleBare, log, []string{
		connEnv + "=" + conn, targetsEnv + "=" + strconv.Itoa(set.targets),
	})}
	d.process.mustExpect(b, readyPrefix, log)
	return d
}

func (d *bare) measure(targets distribution, conns int, w window) (sample, error) {
	d.seed += int64(conns)
	order, err := json.Marshal(bareOrder{
		Conns: conns, Targets: targets, Seed: d.seed, Window: w, Watch: watched{Postgres: d.pg},
	})
	if err != nil {
		return sample{}, fmt.Errorf("encode an order: %w", err)
	}
	if _, err := d.process.stdin.Write(append(order, '\n')); err != nil {
		return sample{}, fmt.Errorf("send an order: %w", err)
	}
	for d.process.lines.Scan() {
		line := d.process.lines.Text()
		if reason, failed := strings.CutPrefix(line, failedPrefix); failed {
			return sample{}, errors.New("bare pgx: " + reason)
		}
		if raw, found := strings.CutPrefix(line, samplePrefix); found {
			var out sample
			if err := json.Unmarshal([]byte(raw), &out); err != nil {
				return sample{}, fmt.Errorf("read a sample: %w", err)
			}
			return out, nil
		}
	}
	return sample{}, errors.New("the driver of bare pgx ended")
}
