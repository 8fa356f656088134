package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"interai/store/pgembed"
)

// shared is the process's one share of the test cluster. It is a global because
// the testing package has no other place for what outlives a test.
var shared = session{keys: map[uintptr]string{}}

// session opens the server for the first test that asks and closes it after
// the last one, or, under Main, after all.
type session struct {
	mu     sync.Mutex
	pinned bool
	users  int
	server *server
	dog    *watchdog
	keys   map[uintptr]string // of templates, for each function
}

func (s *session) pin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pinned = true
}

func (s *session) unpin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pinned = false
	return s.closeIfIdle()
}

func (s *session) acquire() (*server, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	s.users++
	return s.server, nil
}

func (s *session) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	return s.closeIfIdle()
}

func (s *session) open() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	srv := &server{admin: os.Getenv(externalEnv)}
	if srv.admin == "" {
		dir, err := clusterDir()
		if err != nil {
			return err
		}
		// The watchdog comes first, so that no moment is left uncovered. It
		// runs this binary again, which only Main makes safe.
		if s.pinned {
			if s.dog, err = startWatchdog(dir); err != nil {
				return err
			}
		}
		if srv.cluster, err = pgembed.Start(ctx, options(dir)); err != nil {
			s.dog.dismiss()
			s.dog = nil
			return err
		}
		srv.admin = srv.cluster.ConnString()
	}
	if err := srv.dropStale(ctx); err != nil {
		return errors.Join(err, s.closeServer(srv))
	}
	s.server = srv
	return nil
}

func (s *session) closeIfIdle() error {
	if s.pinned || s.users > 0 || s.server == nil {
		return nil
	}
	srv := s.server
	s.server = nil
	return s.closeServer(srv)
}

func (s *session) closeServer(srv *server) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := srv.disconnect(ctx)
	if srv.cluster == nil {
		return err
	}
	err = errors.Join(err, srv.cluster.Stop(ctx))
	s.dog.dismiss()
	s.dog = nil
	return err
}

// options of the test cluster: nothing on it has to survive a power cut.
func options(dir string) pgembed.Options {
	return pgembed.Options{DataDir: dir, Settings: map[string]string{
		"fsync":            "off",
		"full_page_writes": "off",
		"max_connections":  "500", // every test binary brings its pools
		"max_wal_size":     "512MB",
		"shared_buffers":   "32MB", // a session pays for each page that it is the first to touch
	}}
}

// clusterDir is the cluster's directory: one for each user and repository. It lies in a directory that others use too, so
// its owner is checked.
func clusterDir() (string, error) {
	root, err := repoRoot()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(root))
	uid := os.Geteuid()
	dir := filepath.Join(scratchDir(), "interai-test-"+strconv.Itoa(uid)+"-"+hex.EncodeToString(sum[:4]))
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("make test cluster directory: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("make test cluster directory: %w", err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || ok && st.Uid != uint32(uid) {
		return "", fmt.Errorf("make test cluster directory: %s exists and is not ours", dir)
	}
	return dir, nil
}

// repoRoot is the directory of go.mod above the package under test.
func repoRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the module's root: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the module's root: no go.mod above the working directory")
		}
		dir = parent
	}
}
