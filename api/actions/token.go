package actions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"

	"interai/api/auth"
)

// Bounds of the token and of its file in bytes. A token of 32 characters from a random source cannot be guessed.
const (
	minTokenBytes, maxTokenBytes = 32, 1024
	maxTokenFileBytes            = maxTokenBytes + 2
)

// TokenFile is the file that holds the bearer token. It is read again for each request, so that a token can be changed
// or taken away while the server runs; while it cannot be used, nobody is let in.
type TokenFile struct {
	path  string
	other []string // other secrets of the process
	log   *slog.Logger

	mu      sync.Mutex
	problem string   // of the last reading, "" when there was none
	digest  [32]byte // of the last good token
}

// OpenTokenFile reads the file for the first time. Its error says what is wrong with it, and never what it holds. Others
// are the secrets of the process, of which the token must be none; nor may it be an API key.
func OpenTokenFile(path string, others []string, log *slog.Logger) (*TokenFile, error) {
	f := &TokenFile{path: path, other: others, log: log}
	token, err := f.read()
	if err != nil {
		return nil, fmt.Errorf("read the token file of Actions: %w", err)
	}
	f.digest = sha256.Sum256(token)
	return f, nil
}

// Matches tells whether a text is the token that the file holds now. It takes the same time for every text of a length.
func (f *TokenFile) Matches(ctx context.Context, text string) bool {
	token, err := f.read()
	f.note(ctx, token, err)
	if err != nil {
		return false
	}
	want, sent := sha256.Sum256(token), sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(want[:], sent[:]) == 1
}

// note logs each change of the file once.
func (f *TokenFile) note(ctx context.Context, token []byte, err error) {
	problem, digest := "", sha256.Sum256(token)
	if err != nil {
		problem = err.Error()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case problem != "" && problem != f.problem:
		f.log.ErrorContext(ctx, "the token file of Actions cannot be used: every call is refused", "error", problem)
	case problem == "" && (f.problem != "" || digest != f.digest):
		f.log.InfoContext(ctx, "the token file of Actions was read anew", "changed", digest != f.digest)
	}
	if f.problem = problem; problem == "" {
		f.digest = digest
	}
}

// read answers the token, or why the file cannot be used.
func (f *TokenFile) read() ([]byte, error) {
	// Without O_NONBLOCK a pipe in the file's place would hold the request up.
	file, err := os.OpenFile(f.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open it: %w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("look at it: %w", err)
	}
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", f.path)
	case mode.Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s has mode %#o: others than its owner may read or write it; run chmod 600", f.path, mode.Perm())
	}
	content, err := io.ReadAll(io.LimitReader(file, maxTokenFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read it: %w", err)
	}
	token, err := parseToken(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return token, f.distinct(token)
}

// parseToken reads the one line of a token file.
func parseToken(content []byte) ([]byte, error) {
	line := bytes.TrimSuffix(bytes.TrimSuffix(content, []byte("\n")), []byte("\r"))
	switch {
	case len(line) == 0:
		return nil, errors.New("it is empty")
	case len(content) > maxTokenFileBytes || len(line) > maxTokenBytes:
		return nil, fmt.Errorf("a token has at most %d bytes", maxTokenBytes)
	}
	for _, c := range line {
		if c <= ' ' || c > '~' {
			return nil, errors.New("it must hold one line of printable ASCII without blanks")
		}
	}
	if len(line) < minTokenBytes {
		return nil, fmt.Errorf("a token has at least %d bytes; openssl rand -hex 32 makes one", minTokenBytes)
	}
	return line, nil
}

// distinct keeps credentials apart: who steals one of them must not hold another.
func (f *TokenFile) distinct(token []byte) error {
	// Every API key of every database has a form of its own, so that the database need not be asked.
	if _, err := auth.Parse(string(token)); err == nil {
		return errors.New("the token is an API key: it needs to be one of its own; openssl rand -hex 32 makes one")
	}
	for _, secret := range f.other {
		if secret != "" && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(secret)), token) == 1 {
			return errors.New("the token is another secret of the configuration: it needs to be one of its own")
		}
	}
	return nil
}
