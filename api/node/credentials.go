package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"interai/api/auth"
	"interai/api/tools"
	"interai/store"
)

// CredentialsFile is where the first start of a data directory writes its local identities.
const CredentialsFile = "credentials.json"

// Credentials are the local identities of a data directory: a human that the operator vouches for, an agent that it
// controls, and a key each for the agent and for a moderator. The moderator is a party of its own, since nobody decides
// about their own party.
type Credentials struct {
	URL          string `json:"url"`
	Human        string `json:"human"`
	Agent        string `json:"agent"`
	Key          string `json:"key"`
	ModeratorKey string `json:"moderator_key"`
}

// Names of the local identities.
const (
	localHuman     = "local operator"
	localAgent     = "local agent"
	localModerator = "local moderator"
)

// ErrForeignCredentials says that the stored credentials belong to another database than the configured one.
var ErrForeignCredentials = errors.New("the credentials of this data directory belong to another database")

// ErrDamagedCredentials says that the file is there and does not hold what its first writer wrote.
var ErrDamagedCredentials = errors.New("the file is damaged")

// ReadCredentials reads the file of a data directory; an error that is fs.ErrNotExist says that there is none.
func ReadCredentials(dataDir string) (Credentials, error) {
	var c Credentials
	raw, err := os.ReadFile(filepath.Join(dataDir, CredentialsFile))
	if err != nil {
		return c, fmt.Errorf("read credentials: %w", err)
	}
	if err := json.Unmarshal(raw, &c); err != nil || c.Agent == "" || c.Key == "" {
		return Credentials{}, fmt.Errorf("read credentials: %w: restore %s, or move it away, and the next start makes new ones",
			errors.Join(ErrDamagedCredentials, err), filepath.Join(dataDir, CredentialsFile))
	}
	return c, nil
}

// credentialsLock serialises processes of one database that start for the first time together.
const credentialsLock = "local credentials" //nolint:gosec // the name of a lock

// EnsureCredentials answers the data directory's credentials, and makes them on its first start; made is true then.
// The file is complete or absent: it is written beside its place and renamed. A URL that has changed is updated.
func (n *Node) EnsureCredentials(ctx context.Context, url string) (c Credentials, made bool, err error) {
	err = n.Store.Exclusive(ctx, credentialsLock, func(ctx context.Context) error {
		c, err = ReadCredentials(n.Config.DataDir)
		if err == nil {
			return n.keepCredentials(ctx, &c, url)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		// Beside an outside database nobody else has made the directory; without it the identities would be made in vain.
		if err := os.MkdirAll(n.Config.DataDir, 0o700); err != nil {
			return fmt.Errorf("make the data directory: %w", err)
		}
		made = true
		c, err = n.makeCredentials(ctx, url)
		return err
	})
	return c, made, err
}

// keepCredentials checks that stored credentials are of this database, and updates their URL.
func (n *Node) keepCredentials(ctx context.Context, c *Credentials, url string) error {
	agent, err := store.ParseID(c.Agent)
	if err == nil {
		_, err = n.Store.Actor(ctx, agent)
	}
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrMalformedID) {
		return fmt.Errorf("%w: move %s away, or use another --data-dir", ErrForeignCredentials,
			filepath.Join(n.Config.DataDir, CredentialsFile))
	}
	if err != nil || url == "" || c.URL == url {
		return err
	}
	c.URL = url
	return writeCredentials(n.Config.DataDir, *c)
}

func (n *Node) makeCredentials(ctx context.Context, url string) (Credentials, error) {
	human, err := n.localActor(ctx, store.NewActor{
		Kind: store.KindUser, Name: localHuman, Verification: store.Verification{Vouched: true},
	})
	if err != nil {
		return Credentials{}, err
	}
	agent, err := n.localActor(ctx, store.NewActor{Kind: store.KindAgent, Name: localAgent, Controller: human})
	if err != nil {
		return Credentials{}, err
	}
	c := Credentials{URL: url, Human: human.String(), Agent: agent.String()}
	if c.Key, err = IssueKey(ctx, n.Store, agent, localAgent, tools.DefaultScopes(), nil); err != nil {
		return Credentials{}, err
	}
	moderator, err := n.localActor(ctx, store.NewActor{Kind: store.KindUser, Name: localModerator})
	if err != nil {
		return Credentials{}, err
	}
	scopes := []string{tools.ScopeRead, tools.ScopeModerate}
	if c.ModeratorKey, err = IssueKey(ctx, n.Store, moderator, localModerator, scopes, nil); err != nil {
		return Credentials{}, err
	}
	return c, writeCredentials(n.Config.DataDir, c)
}

// localActor makes an actor of this data directory. Another data directory of the same database has its own: a name
// that is taken gets a suffix.
func (n *Node) localActor(ctx context.Context, spec store.NewActor) (store.ID, error) {
	name := spec.Name
	for attempt := 2; ; attempt++ {
		actor, err := n.Store.CreateActor(ctx, spec)
		if !errors.Is(err, store.ErrExists) {
			return actor.ID, err
		}
		spec.Name = fmt.Sprintf("%s %d", name, attempt)
	}
}

// IssueKey makes and stores a key for an actor, and answers the key itself, which nobody can read again.
func IssueKey(ctx context.Context, db *store.Store, actor store.ID, name string, scopes []string, expires *time.Time) (string, error) {
	return MakeKey(ctx, db, &store.Key{Actor: actor, Name: name, Scopes: scopes, ExpiresAt: expires})
}

// MakeKey is IssueKey for a row that says more; its ID and Hash are filled in.
func MakeKey(ctx context.Context, db *store.Store, row *store.Key) (string, error) {
	key, err := auth.Generate()
	if err != nil {
		return "", fmt.Errorf("make a key: %w", err)
	}
	row.ID, row.Hash = key.ID(), key.Hash()
	if err := db.CreateKey(ctx, *row, store.ID{}); err != nil {
		return "", err
	}
	return key.Reveal(), nil
}

func writeCredentials(dataDir string, c Credentials) error {
	raw, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("encode credentials: %w", err)
	}
	file, err := os.CreateTemp(dataDir, CredentialsFile+".*")
	if err != nil {
		return fmt.Errorf("write credentials: %w", err)
	}
	_, err = file.Write(append(raw, '\n'))
	err = errors.Join(err, file.Chmod(0o600), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), filepath.Join(dataDir, CredentialsFile))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write credentials: %w", err), os.Remove(file.Name()))
	}
	return nil
}
