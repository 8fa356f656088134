package identity

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"interai/jobs"
	"interai/store"
)

// linkLife is how long a link works.
const linkLife = 24 * time.Hour

// lookupTimeout bounds one look into the DNS; maxRecords how many records of a domain are compared.
const (
	lookupTimeout = 10 * time.Second
	maxRecords    = 1000
)

// ErrNoRecord says that a domain has not the record that proves it.
var ErrNoRecord = errors.New("the domain has no such TXT record yet")

// Resolver reads TXT records; net.DefaultResolver is one.
type Resolver interface {
	LookupTXT(ctx context.Context, name string) ([]string, error)
}

// Mailer sends a plain text.
type Mailer interface {
	Send(ctx context.Context, to, subject, body string) error
}

// Prover makes proofs and checks them.
type Prover struct {
	db    *store.Store
	queue *jobs.Enqueuer
	now   func() time.Time
}

// NewProver makes a prover over a database.
func NewProver(db *store.Store, queue *jobs.Enqueuer) *Prover {
	return &Prover{db: db, queue: queue, now: time.Now}
}

// Sent is what became of a mail.
type Sent struct {
	// Masked is the address as it may be shown.
	Masked    string
	ExpiresAt time.Time
}

// SendLink sends a link to an address that is to be proved as an actor's. site is where the server is for the reader.
func (p *Prover) SendLink(ctx context.Context, mailer Mailer, site string, actor store.ID, text string) (Sent, error) {
	address, err := Address(text)
	if err != nil {
		return Sent{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Sent{}, fmt.Errorf("make a proof: %w", err)
	}
	key, err := p.db.ServerKey(ctx, store.KeyLinks)
	if err != nil {
		return Sent{}, err
	}
	proof := store.Proof{ID: id, Actor: actor, Kind: store.ProofEmail, Subject: address, ExpiresAt: p.now().Add(linkLife).Truncate(time.Second)}
	if err := p.db.CreateProof(ctx, proof); err != nil {
		return Sent{}, err
	}
	// What an actor calls itself is not in the mail: it would make the server say anything to anybody.
	body := fmt.Sprintf("Somebody asked to verify that this address belongs to\n%s\non %s.\n\n"+
		"If that is you, open this page and press the button:\n\n%s/verify/%s\n\n"+
		"It works once, until %s. If it is not you, do nothing.\n",
		actor, site, site, linkToken(key, &proof), proof.ExpiresAt.UTC().Format(time.RFC1123))
	if err := mailer.Send(ctx, address, "Verify your address for Inter-AI", body); err != nil {
		return Sent{}, err
	}
	return Sent{Masked: Mask(address), ExpiresAt: proof.ExpiresAt}, nil
}

// Look answers what a link would prove: ErrLink, store.ErrProved or store.ErrExpired when it proves nothing.
func (p *Prover) Look(ctx context.Context, token string) (store.Proof, error) {
	id, signature, err := parseToken(token)
	if err != nil {
		return store.Proof{}, err
	}
	key, err := p.db.ServerKey(ctx, store.KeyLinks)
	if err != nil {
		return store.Proof{}, err
	}
	proof, err := p.db.Proof(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return store.Proof{}, ErrLink
	}
	if err != nil {
		return store.Proof{}, err
	}
	switch {
	case !hmac.Equal(signature, signProof(key, &proof)):
		return store.Proof{}, ErrLink
	case proof.ProvedAt != nil:
		return store.Proof{}, store.ErrProved
	case !p.now().Before(proof.ExpiresAt):
		return store.Proof{}, store.ErrExpired
	}
	return proof, nil
}

// Confirm proves what a link stands for, once.
func (p *Prover) Confirm(ctx context.Context, token string) (store.Proof, error) {
	proof, err := p.Look(ctx, token)
	if err != nil {
		return store.Proof{}, err
	}
	return proof, p.queue.Prove(ctx, p.db, proof.ID)
}

// Record answers the domain in its one form, and the TXT record that proves that it is an actor's.
func (p *Prover) Record(ctx context.Context, actor store.ID, text string) (domain, value string, err error) {
	if domain, err = Domain(text); err != nil {
		return "", "", err
	}
	if actor.Kind == store.KindAgent {
		return "", "", fmt.Errorf("actor %s: an agent proves nothing, its controller does: %w", actor, store.ErrNotFound)
	}
	if _, err = p.db.Actor(ctx, actor); err != nil {
		return "", "", err
	}
	key, err := p.db.ServerKey(ctx, store.KeyLinks)
	if err != nil {
		return "", "", err
	}
	return domain, record(key, actor, domain), nil
}

// CheckDomain looks for the record, and proves the domain when it is there.
func (p *Prover) CheckDomain(ctx context.Context, resolver Resolver, actor store.ID, text string) error {
	domain, value, err := p.Record(ctx, actor, text)
	if err != nil {
		return err
	}
	lookup, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	found, err := resolver.LookupTXT(lookup, domain)
	if missing, ok := errors.AsType[*net.DNSError](err); ok && missing.IsNotFound {
		return ErrNoRecord
	}
	if err != nil {
		return fmt.Errorf("look the record up: %w", err)
	}
	if !slices.ContainsFunc(found[:min(len(found), maxRecords)], func(text string) bool { return strings.TrimSpace(text) == value }) {
		return ErrNoRecord
	}
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make a proof: %w", err)
	}
	proof := store.Proof{ID: id, Actor: actor, Kind: store.ProofDomain, Subject: domain, ExpiresAt: p.now().Add(linkLife)}
	if err := p.db.CreateProof(ctx, proof); err != nil {
		return err
	}
	return p.queue.Prove(ctx, p.db, id)
}
