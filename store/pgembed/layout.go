package pgembed

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	// serverPort only names the socket file: nothing listens on TCP.
	serverPort = 5432
	// maxSocketPath is sun_path of Linux (108) and the BSDs (104) less its NUL:
	// the smaller of both.
	maxSocketPath = 103
	// shortSocketBase holds the socket when the data directory's path is too
	// long for one. Not os.TempDir: processes of one data directory may differ
	// in TMPDIR and must still meet.
	shortSocketBase = "/tmp"
)

// layout names every path of a cluster. All follow from the data directory, so
// that processes which share it agree without talking.
type layout struct {
	dataDir string // interai's data directory
	pgData  string // the cluster
	initDir string // a cluster in the making, renamed when complete
	lock    string // flock: serialises start and stop
	users   string // flock: shared by every process that uses the server
	log     string // the server's log
	socket  string // directory of the Unix socket
}

func newLayout(dataDir string) layout {
	l := layout{
		dataDir: dataDir,
		pgData:  filepath.Join(dataDir, "pg"),
		initDir: filepath.Join(dataDir, "pg.init"),
		lock:    filepath.Join(dataDir, "pg.lock"),
		users:   filepath.Join(dataDir, "pg.users"),
		log:     filepath.Join(dataDir, "pg.log"),
		socket:  filepath.Join(dataDir, "run"),
	}
	if len(socketFile(l.socket)) > maxSocketPath {
		sum := sha256.Sum256([]byte(dataDir))
		l.socket = filepath.Join(shortSocketBase, "interai-pg-"+hex.EncodeToString(sum[:6]))
	}
	return l
}

func socketFile(dir string) string {
	return filepath.Join(dir, ".s.PGSQL."+strconv.Itoa(serverPort))
}

// initialised reports whether a complete cluster exists: initDir is renamed to
// pgData only when it is.
func (l layout) initialised() bool {
	_, err := os.Stat(filepath.Join(l.pgData, "PG_VERSION"))
	return err == nil
}

// major reads the major version that wrote the cluster.
func (l layout) major() (int, error) {
	raw, err := os.ReadFile(filepath.Join(l.pgData, "PG_VERSION"))
	if err != nil {
		return 0, fmt.Errorf("read cluster version: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return 0, fmt.Errorf("read cluster version: %w", err)
	}
	return major, nil
}

// owner is the uid that the cluster belongs to.
func (l layout) owner() (uint32, error) {
	info, err := os.Stat(l.pgData)
	if err != nil {
		return 0, fmt.Errorf("read cluster owner: %w", err)
	}
	return ownerOf(info), nil
}

func ownerOf(info fs.FileInfo) uint32 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Uid
	}
	return ^uint32(0)
}

// makeSocketDir makes the socket's directory, open to the server's account
// only. A directory that somebody else made under the same name is refused:
// whoever owns it could put a server of their own there.
func (l layout) makeSocketDir(acc account) error {
	err := os.Mkdir(l.socket, 0o700)
	switch {
	case err == nil:
		if err = acc.own(l.socket); err != nil {
			return fmt.Errorf("make socket directory: %w", err)
		}
	case !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("make socket directory: %w", err)
	}
	info, err := os.Lstat(l.socket)
	if err != nil {
		return fmt.Errorf("make socket directory: %w", err)
	}
	if !info.IsDir() || ownerOf(info) != acc.uid {
		return fmt.Errorf("make socket directory: %s exists and does not belong to %s", l.socket, acc.name)
	}
	if err := os.Chmod(l.socket, 0o700); err != nil {
		return fmt.Errorf("make socket directory: %w", err)
	}
	return nil
}

// ConnString is how to connect to the cluster of a data directory, whether it runs yet or not. The directory is
// made if it is missing.
func ConnString(dataDir string) (string, error) {
	o, err := Options{DataDir: dataDir}.normalise()
	if err != nil {
		return "", err
	}
	return connString(newLayout(o.DataDir).socket, database), nil
}

// Exists reports whether a data directory holds a cluster. It makes nothing.
func Exists(dataDir string) bool {
	dir, err := filepath.Abs(dataDir)
	if err != nil {
		return false
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	l := newLayout(dir)
	return l.initialised()
}
