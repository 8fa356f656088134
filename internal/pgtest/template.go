package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5"
)

const (
	templatePrefix = "interai_template_"
	// ownMigrations is the package whose functions do nothing but run the
	// migrations that templateKey hashes.
	ownMigrations = "interai/migrations."
	// maxTemplateAge is when a template of an older state of the code goes.
	maxTemplateAge = "1 day"
	// templateLock is the advisory lock of template making ("pgte" in ASCII).
	// Cloning shares it, making and dropping take it alone.
	templateLock = 0x70677465
)

// migrateFunc fills an empty database with the schema.
type migrateFunc = func(ctx context.Context, connString string) error

// templateKey is the key of what migrate would make, found once for each function: the code does not change while it runs.
func (s *session) templateKey(migrate migrateFunc) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := reflect.ValueOf(migrate).Pointer()
	if key, known := s.keys[at]; known {
		return key, nil
	}
	key, err := templateKey(migrate)
	if err == nil {
		s.keys[at] = key
	}
	return key, err
}

// templateKey identifies what migrate would make: the migrations, the versions
// of the modules that bring their own, and the function. A function outside the
// migrations package may depend on any code, so there the test binary counts.
func templateKey(migrate migrateFunc) (string, error) {
	root, err := repoRoot()
	if err != nil {
		return "", err
	}
	name := runtime.FuncForPC(reflect.ValueOf(migrate).Pointer()).Name()
	sum := sha256.New()
	_, _ = io.WriteString(sum, name+"\x00")
	paths := []string{filepath.Join(root, "go.sum")}
	if !strings.HasPrefix(name, ownMigrations) {
		exe, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("find the test binary: %w", err)
		}
		paths = append(paths, exe)
	}
	err = filepath.WalkDir(filepath.Join(root, "migrations"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, "_test.go") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("list the migrations: %w", err)
	}
	for _, path := range paths {
		if err := hashFile(sum, path); err != nil {
			return "", err
		}
	}
	return templatePrefix + hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

func hashFile(sum hash.Hash, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("hash %s: %w", filepath.Base(path), err)
	}
	defer file.Close()
	_, _ = io.WriteString(sum, filepath.Base(path)+"\x00")
	if _, err := io.Copy(sum, file); err != nil {
		return fmt.Errorf("hash %s: %w", filepath.Base(path), err)
	}
	return nil
}

// cloneTemplate makes database name from the template, which it makes first if
// nobody has.
func (s *server) cloneTemplate(template, name string, migrate migrateFunc) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.do(ctx, func(conn *pgx.Conn) error {
		cloned, err := cloneIfThere(ctx, conn, template, name)
		if cloned || err != nil {
			return err
		}
		if err := s.makeTemplate(ctx, conn, template, migrate); err != nil {
			return err
		}
		cloned, err = cloneIfThere(ctx, conn, template, name)
		if err == nil && !cloned {
			return fmt.Errorf("template %s vanished", template)
		}
		return err
	})
}

// cloneIfThere clones an existing template while nobody may drop it.
func cloneIfThere(ctx context.Context, conn *pgx.Conn, template, name string) (bool, error) {
	if _, err := conn.Exec(ctx, "select pg_advisory_lock_shared($1)", templateLock); err != nil {
		return false, fmt.Errorf("lock templates: %w", err)
	}
	there, err := databaseExists(ctx, conn, template)
	if there && err == nil {
		err = createOn(ctx, conn, name, template)
	}
	_, unlockErr := conn.Exec(ctx, "select pg_advisory_unlock_shared($1)", templateLock)
	return there, errors.Join(err, unlockErr)
}

// makeTemplate migrates a database under another name and renames it when that
// succeeded: a template that exists is complete.
func (s *server) makeTemplate(ctx context.Context, conn *pgx.Conn, template string, migrate migrateFunc) error {
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", templateLock); err != nil {
		return fmt.Errorf("lock templates: %w", err)
	}
	err := s.makeTemplateLocked(ctx, conn, template, migrate)
	_, unlockErr := conn.Exec(ctx, "select pg_advisory_unlock($1)", templateLock)
	return errors.Join(err, unlockErr)
}

func (s *server) makeTemplateLocked(ctx context.Context, conn *pgx.Conn, template string, migrate migrateFunc) error {
	if there, err := databaseExists(ctx, conn, template); there || err != nil {
		return err // another process was faster
	}
	making := template + "_making"
	if err := dropOn(ctx, conn, making); err != nil {
		return err
	}
	if err := createOn(ctx, conn, making, ""); err != nil {
		return err
	}
	if err := migrate(ctx, s.connString(making)); err != nil {
		return errors.Join(fmt.Errorf("migrate template: %w", err), dropOn(ctx, conn, making))
	}
	// The comment is the date by which dropOldTemplates judges.
	comment := fmt.Sprintf("do $$ begin execute format('comment on database %s is %%L', now()); end $$", quote(making))
	if _, err := conn.Exec(ctx, comment); err != nil {
		return fmt.Errorf("date template: %w", err)
	}
	if _, err := conn.Exec(ctx, fmt.Sprintf("alter database %s rename to %s", quote(making), quote(template))); err != nil {
		return fmt.Errorf("finish template (did migrate close its connections?): %w", err)
	}
	return nil
}

// dropOldTemplates removes templates of older states of the code. A template
// that is still wanted is simply made again.
func dropOldTemplates(ctx context.Context, conn *pgx.Conn) error {
	var alone bool
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", templateLock).Scan(&alone); err != nil {
		return fmt.Errorf("lock templates: %w", err)
	}
	if !alone {
		return nil // in use right now: the next start will do
	}
	// The case keeps other databases' comments away from the cast. Unfinished
	// ones have no comment, and nobody can be at work on them under the lock.
	const old = `
		select datname::text from pg_database
		where case when starts_with(datname::text, $1)
		      then coalesce(shobj_description(oid, 'pg_database')::timestamptz < now() - $2::interval, true)
		      else false end`
	rows, err := conn.Query(ctx, old, templatePrefix, maxTemplateAge)
	if err != nil {
		return fmt.Errorf("list templates: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("list templates: %w", err)
	}
	for _, name := range names {
		if err := dropOn(ctx, conn, name); err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, "select pg_advisory_unlock($1)", templateLock)
	return err
}

func databaseExists(ctx context.Context, conn *pgx.Conn, name string) (bool, error) {
	var exists bool
	const sql = "select exists (select from pg_database where datname = $1)"
	if err := conn.QueryRow(ctx, sql, name).Scan(&exists); err != nil {
		return false, fmt.Errorf("look up database %s: %w", name, err)
	}
	return exists, nil
}
