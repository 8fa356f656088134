package pgembed

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
)

// Options say where the cluster lives and how its server is run.
type Options struct {
	// DataDir is interai's data directory; it is made when it is missing. The
	// cluster lives in <DataDir>/pg, its locks, log and socket beside it.
	DataDir string
	// BinDir is the directory of the server binaries (postgres, initdb). Empty
	// means: the newest that FindBinaries finds, or the major version that an
	// existing cluster needs.
	BinDir string
	// OSUser is the account that runs the server when the process is root,
	// which PostgreSQL refuses to be. Default: the owner of an existing
	// cluster, else "postgres". Ignored for an ordinary user.
	OSUser string
	// Logger gets one line for each start, adoption, restart and stop.
	// Default: slog.DiscardHandler.
	Logger *slog.Logger
	// Settings are further server settings (postgresql.conf names) that win
	// over the built-in ones. A server that is adopted keeps those it was
	// started with.
	Settings map[string]string
}

// errNoDataDir is the one mistake of a caller that has no sensible default.
var errNoDataDir = errors.New("the data directory of the private cluster is not set")

// normalise fills the defaults and makes DataDir an existing, absolute path
// without symbolic links, since the server reports its own path that way.
func (o Options) normalise() (Options, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.DataDir == "" {
		return o, errNoDataDir
	}
	dir, err := filepath.Abs(o.DataDir)
	if err != nil {
		return o, fmt.Errorf("resolve data directory: %w", err)
	}
	if err := makeDataDir(dir); err != nil {
		return o, fmt.Errorf("make data directory: %w", err)
	}
	if o.DataDir, err = filepath.EvalSymlinks(dir); err != nil {
		return o, fmt.Errorf("resolve data directory: %w", err)
	}
	return o, nil
}

// makeDataDir creates dir closed to others; as root the server's account must
// be able to pass through it, though not to list it.
func makeDataDir(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711
	}
	err := os.Mkdir(dir, mode)
	if err == nil {
		return os.Chmod(dir, mode) // a tight umask would lock the server out
	}
	if info, statErr := os.Stat(dir); statErr == nil && info.IsDir() {
		return nil
	}
	return err
}
