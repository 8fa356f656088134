package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"interai/migrations"
)

// bareOrder is what the run asks of the driver of bare pgx, one line of JSON; the answer is a sample, or a line that
// begins with failedPrefix.
type bareOrder struct {
	Conns   int          `json:"conns"`
	Targets distribution `json:"targets"`
	Seed    int64        `json:"seed"`
	Window  window       `json:"window"`
	Watch   watched      `json:"watch"`
}

const (
	samplePrefix = "sample "
	failedPrefix = "failed "
	connEnv      = "INTERAI_BENCH_CONN"
)

// bareTable is evidence with its keys, indexes and checks, without foreign keys and trigger.
const bareTable = `create table bench_evidence (like evidence including all)`

const bareInsert = `
	insert into bench_evidence (target_id, seq, id, kind, actor_id, usage_type, result, real_world, context, context_key, note)
	values ($1, $2, $3, 'usage', $4, $5, $6, true, $7, $8, $9)`

// bareArgs wake a target like our own jobs do, on a queue that nobody works.
type bareArgs struct {
	Target string `json:"target"`
}

// Kind names the job.
func (bareArgs) Kind() string { return "bench_recompute" }

// InsertOpts puts the job where no worker looks.
func (bareArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: "bench"} }

// bareDriver inserts one row and one job in each transaction.
type bareDriver struct {
	targets     []uuid.UUID
	actors      []uuid.UUID
	context     []byte
	contextKey  string
	seq         atomic.Int64 // of all targets together: unique is enough
	connStr     string
	riverLogger *slog.Logger
}

// runBare is the floor of the database: orders come on stdin, one at a time, and each gets its answer on stdout.
func runBare() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d, err := newBareDriver(os.Getenv(connEnv), os.Getenv(targetsEnv))
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, readyPrefix+"the database")
	orders := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var order bareOrder
		if err := orders.Decode(&order); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read an order: %w", err)
		}
		if err := d.answer(ctx, order); err != nil {
			fmt.Fprintln(os.Stdout, failedPrefix+err.Error())
		}
	}
}

func (d *bareDriver) answer(ctx context.Context, order bareOrder) error {
	order.Watch.Client = os.Getpid()
	result, err := d.measure(ctx, order)
	if err != nil {
		return err
	}
	line, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("encode a sample: %w", err)
	}
	fmt.Fprintf(os.Stdout, "%s%s\n", samplePrefix, line)
	return nil
}

func newBareDriver(connStr, targets string) (*bareDriver, error) {
	var n int
	if _, err := fmt.Sscan(targets, &n); err != nil {
		return nil, fmt.Errorf("read the number of targets: %w", err)
	}
	d := &bareDriver{connStr: connStr, riverLogger: slog.New(slog.DiscardHandler), contextKey: "language\x1ego\x1fruntime\x1elinux\x1fscale\x1emedium"}
	var err error
	if d.context, err = json.Marshal(exampleContext()); err != nil {
		return nil, fmt.Errorf("encode the context: %w", err)
	}
	if d.targets, err = newIDs(n); err != nil {
		return nil, err
	}
	d.actors, err = newIDs(parties)
	return d, err
}

func newIDs(n int) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		var err error
		if ids[i], err = uuid.NewV7(); err != nil {
			return nil, fmt.Errorf("make an ID: %w", err)
		}
	}
	return ids, nil
}

// measure drives a pool with exactly as many connections as callers.
func (d *bareDriver) measure(ctx context.Context, order bareOrder) (sample, error) {
	config, err := pgxpool.ParseConfig(d.connStr)
	if err != nil {
		return sample{}, fmt.Errorf("parse the database URL: %w", err)
	}
	config.MaxConns, config.MinConns = int32(order.Conns), int32(order.Conns)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return sample{}, fmt.Errorf("connect: %w", err)
	}
	defer pool.Close()
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: migrations.RiverSchema, Logger: d.riverLogger})
	if err != nil {
		return sample{}, fmt.Errorf("make the job client: %w", err)
	}
	callers := make([]caller, order.Conns)
	for i := range callers {
		callers[i] = &bareCaller{
			bareDriver: d, pool: pool, client: client, actor: d.actors[i%len(d.actors)],
			pick: order.Targets.pick(len(d.targets), order.Seed+int64(i)),
		}
	}
	return drive(ctx, order.Window, callers, order.Watch)
}

type bareCaller struct {
	*bareDriver

	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	actor  uuid.UUID
	pick   func() int
}

// call is one transaction.
func (c *bareCaller) call(ctx context.Context) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make an ID: %w", err)
	}
	target := c.targets[c.pick()]
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, bareInsert, target, c.seq.Add(1), id, c.actor, exampleType, exampleResult,
			c.context, c.contextKey, exampleNote); err != nil {
			return fmt.Errorf("insert: %w", err)
		}
		if _, err := c.client.InsertTx(ctx, tx, bareArgs{Target: target.String()}, nil); err != nil {
			return fmt.Errorf("insert the job: %w", err)
		}
		return nil
	})
}

// bareDatabase makes a database beside the server's own, in the same cluster, and answers how to connect to it.
func bareDatabase(ctx context.Context, connStr string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	config, err := pgx.ParseConfig(connStr)
	if err != nil {
		return "", fmt.Errorf("parse the database URL: %w", err)
	}
	if err := execOn(ctx, connStr, "create database "+bareName); err != nil {
		return "", err
	}
	bare := fmt.Sprintf("host=%s port=%d user=%s dbname=%s", config.Host, config.Port, config.User, bareName)
	if err := migrations.Up(ctx, bare, slog.New(slog.DiscardHandler)); err != nil {
		return "", fmt.Errorf("migrate the bare database: %w", err)
	}
	return bare, execOn(ctx, bare, bareTable)
}

// bareName is the database of bare pgx: its jobs must not stand in the way of ours.
const bareName = "bench_bare"

func execOn(ctx context.Context, connStr, statement string) error {
	conn, err := pgx.Connect(ctx, connStr)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
}
