package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// takeMeter takes n of one meter, if all of it passes: as chargeWrites, with one look.
const takeMeter = `
	insert into limits as l (scope, key, tat)
	values ($1, $2, micros(clock_timestamp()) + $3 * limit_emission($4, $5))
	on conflict (scope, key) do update set tat = greatest(l.tat, micros(clock_timestamp())) + $3 * limit_emission(coalesce(l.capacity, $4), $5)
	where $3 <= limit_room(l.tat, coalesce(l.capacity, $4), $5, micros(clock_timestamp()))
	returning key`

const readMeter = `select tat, coalesce(capacity, $3), micros(clock_timestamp()) from limits where scope = $1 and key = $2`

// take charges n to a party's meter within a transaction, which holds its row until the end: it is called last. A
// refusal is a *Denial.
func (t *Tx) take(ctx context.Context, scope string, root uuid.UUID, n, capacity int, reason string) error {
	var taken uuid.UUID
	err := t.tx.QueryRow(ctx, takeMeter, scope, root, n, capacity, day.Microseconds()).Scan(&taken)
	if err == nil {
		return nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("charge %s: %w", scope, err)
	}
	var tat, now int64
	if err = t.tx.QueryRow(ctx, readMeter, scope, root, capacity).Scan(&tat, &capacity, &now); err != nil {
		return fmt.Errorf("read %s: %w", scope, err)
	}
	m, err := newMeter(capacity, day, tat, now)
	if err != nil {
		return fmt.Errorf("read %s: %w", scope, err)
	}
	// There is room for all of them when, the others taken, there is room for the last.
	return &Denial{Reason: reason, Wait: m.after(n - 1).wait()}
}

// MinPerDay is the least that a limit of a day may be: what one call makes must pass once.
const MinPerDay = 50

// TakeClaims charges the claims that a publication makes to its party. Call it last in the transaction.
func (t *Tx) TakeClaims(ctx context.Context, root ID, n, perDay int) error {
	if n == 0 {
		return nil
	}
	return t.take(ctx, scopeClaims, root.UUID, n, perDay, DeniedClaims)
}

// rejectionWindow is how long a rejection counts, and how long who had too many of them may not write.
const rejectionWindow = time.Hour

// countRejection takes one; the one that takes the last room begins the pause.
const countRejection = `
	with moment as materialized (select micros(clock_timestamp()) as now)
	insert into limits as l (scope, key, tat, blocked_until)
	select 'rejections', $1, now + limit_emission($2, $3), case when $2 <= 1 then now + $3 else 0 end from moment
	on conflict (scope, key) do update set
		tat = least(greatest(l.tat, (select now from moment)) + limit_emission(coalesce(l.capacity, $2), $3),
			(select now from moment) + limit_reach(coalesce(l.capacity, $2), $3)),
		blocked_until = case when limit_room(l.tat, coalesce(l.capacity, $2), $3, (select now from moment)) <= 1
			then greatest(l.blocked_until, (select now from moment) + $3) else l.blocked_until end
	returning blocked_until - (select now from moment)`

// CountRejection counts a rejected write of a party, and answers how long it may not write from now on; 0: it may.
func (s *Store) CountRejection(ctx context.Context, root ID, perHour int) (time.Duration, error) {
	var micros int64
	err := s.on(ctx, func(conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, countRejection, root.UUID, perHour, rejectionWindow.Microseconds()).Scan(&micros)
	})
	if err != nil {
		return 0, fmt.Errorf("count a rejection: %w", err)
	}
	return time.Duration(max(0, micros)) * time.Microsecond, nil
}

// Allowance is what an actor may still write.
type Allowance struct {
	// WritesPerHour and Remaining are those of the limit that is nearer: the actor's or its party's.
	WritesPerHour, Remaining int
	// Wait is how long the next write has to wait, 0 when there is room, and Reason why.
	Wait   time.Duration
	Reason string
}

const readAllowance = `
	select micros(clock_timestamp()) as now, coalesce(r.tat, 0), coalesce(r.bytes_tat, 0), coalesce(w.tat, 0),
	       coalesce(j.blocked_until, 0), coalesce(r.capacity, $3), coalesce(w.capacity, nullif($4::int, 0), r.capacity, $3)
	from (values ($1::uuid, $2::uuid)) as a (root, actor)
	left join limits r on r.scope = 'root' and r.key = a.root
	left join limits w on w.scope = 'actor' and w.key = a.actor
	left join limits j on j.scope = 'rejections' and j.key = a.root`

// Allowance reads what an actor may still write; it charges nothing.
func (v *Snapshot) Allowance(ctx context.Context, root, actor ID, limits WriteLimits) (Allowance, error) {
	var r chargedRow
	err := v.tx.QueryRow(ctx, readAllowance, root.UUID, actor.UUID, limits.Root, limits.Actor).Scan(
		&r.Now, &r.RootTAT, &r.BytesTAT, &r.ActorTAT, &r.BlockedUntil, &r.RootCapacity, &r.ActorCapacity)
	if err != nil {
		return Allowance{}, fmt.Errorf("read limits: %w", err)
	}
	party, err := newMeter(r.RootCapacity, writeWindow, r.RootTAT, r.Now)
	if err != nil {
		return Allowance{}, fmt.Errorf("read limits: %w", err)
	}
	out := Allowance{WritesPerHour: r.RootCapacity, Remaining: party.room()}
	if r.ownLimit() {
		own, err := newMeter(r.ActorCapacity, writeWindow, r.ActorTAT, r.Now)
		if err != nil {
			return Allowance{}, fmt.Errorf("read limits: %w", err)
		}
		if own.room() <= out.Remaining {
			out.WritesPerHour, out.Remaining = r.ActorCapacity, own.room()
		}
	}
	denied, err := r.denial(0, 0)
	if err == nil && denied.Wait > 0 {
		out.Remaining, out.Wait, out.Reason = 0, denied.Wait, denied.Reason
	}
	return out, err
}
