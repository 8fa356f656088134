package pgembed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// defaultOSUser is the account that distributions make for PostgreSQL.
const defaultOSUser = "postgres"

// account is the OS user that the server's programs run as.
type account struct {
	name   string
	uid    uint32
	gid    uint32
	groups []uint32
	drop   bool // the process is root: switch to the account
}

// chooseAccount picks the account: an ordinary user's own, or as root the named
// one. An existing cluster must belong to it, since PostgreSQL insists.
func chooseAccount(name string, l layout) (account, error) {
	acc := account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}
	acc.name = "uid " + strconv.Itoa(os.Geteuid())
	if os.Geteuid() == 0 {
		var err error
		if acc, err = dropAccount(name, l); err != nil {
			return account{}, err
		}
	}
	if !l.initialised() {
		return acc, nil
	}
	owner, err := l.owner()
	if err != nil {
		return account{}, err
	}
	if owner != acc.uid {
		return account{}, &AccountError{User: acc.name, Reason: fmt.Sprintf(
			"the cluster in %s belongs to uid %d; run interai as that user, or as root with --pg-os-user %d", l.pgData, owner, owner)}
	}
	return acc, nil
}

// dropAccount resolves the account for a process that is root.
func dropAccount(name string, l layout) (account, error) {
	if name == "" {
		name = defaultOSUser
		if owner, err := l.owner(); err == nil && owner != 0 && l.initialised() {
			name = strconv.FormatUint(uint64(owner), 10)
		}
	}
	u, err := user.Lookup(name)
	if err != nil {
		u, err = user.LookupId(name)
	}
	if err != nil {
		return account{}, &AccountError{User: name, Reason: "no such account; make it (useradd --system " +
			name + ") or name another with --pg-os-user, because PostgreSQL refuses to run as root"}
	}
	uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(uidErr, gidErr); err != nil {
		return account{}, fmt.Errorf("resolve OS user %s: %w", name, err)
	}
	if uid == 0 {
		return account{}, &AccountError{User: name, Reason: "PostgreSQL refuses to run as root"}
	}
	acc := account{name: u.Username, uid: uint32(uid), gid: uint32(gid), drop: true}
	ids, err := u.GroupIds()
	if err != nil {
		return acc, nil //nolint:nilerr // the server needs no further groups
	}
	for _, id := range ids {
		if g, err := strconv.ParseUint(id, 10, 32); err == nil {
			acc.groups = append(acc.groups, uint32(g))
		}
	}
	return acc, nil
}

// own gives a path to the account.
func (a account) own(path string) error {
	if !a.drop {
		return nil
	}
	return os.Lchown(path, int(a.uid), int(a.gid))
}

// command prepares a server program as the account, in a process group of its
// own (so that Ctrl-C reaches interai first) and with a clean environment.
func (a account) command(dir, path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...) //nolint:noctx // a server outlives every call; run() handles the short ones
	cmd.Dir = dir
	cmd.Env = serverEnv(os.Environ())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid, Groups: a.groups}
	}
	return cmd
}

// serverEnv drops what would change the server's behaviour (a broken LC_ALL
// makes initdb fail) and interai's own variables, which may be secrets.
func serverEnv(environ []string) []string {
	env := make([]string, 0, len(environ)+1)
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case strings.HasPrefix(name, "PG"), strings.HasPrefix(name, "LC_"),
			strings.HasPrefix(name, "LANG"), strings.HasPrefix(name, "INTERAI_"):
		default:
			env = append(env, kv)
		}
	}
	return append(env, "LC_ALL=C")
}

// checkReach finds out, by trying, whether the account can run the binaries and
// enter the data directory; modes alone do not tell (ACLs, mounts).
func (a account) checkReach(bin Binaries, dataDir string) error {
	if !a.drop {
		return nil
	}
	if err := a.enter(bin, "/"); err != nil {
		return &AccountError{User: a.name, Reason: fmt.Sprintf("%s does not start: %v", bin.postgres(), err)}
	}
	if a.enter(bin, dataDir) == nil {
		return nil
	}
	if err := a.openDataDir(dataDir); err != nil {
		return err
	}
	for _, dir := range ancestors(dataDir) {
		if err := a.enter(bin, dir); err != nil {
			return &TraverseError{Dir: dir, Target: dataDir, User: a.name}
		}
	}
	return nil
}

// enter starts a program of the account in dir: the kernel checks every parent.
func (a account) enter(bin Binaries, dir string) error {
	return a.command(dir, bin.postgres(), "--version").Run()
}

// openDataDir lets the account pass through interai's own data directory, by
// its group where the directory gives no group anything yet.
func (a account) openDataDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("open data directory for %s: %w", a.name, err)
	}
	if ownerOf(info) != 0 {
		return nil // not ours to change: the search for the culprit names it
	}
	mode := info.Mode().Perm() | 0o001
	if info.Mode().Perm()&0o070 == 0 {
		if err := os.Chown(dir, -1, int(a.gid)); err != nil {
			return fmt.Errorf("open data directory for %s: %w", a.name, err)
		}
		mode = info.Mode().Perm() | 0o010
	}
	if err := os.Chmod(dir, mode|info.Mode()&(fs.ModeSticky|fs.ModeSetgid)); err != nil {
		return fmt.Errorf("open data directory for %s: %w", a.name, err)
	}
	return nil
}

// ancestors lists the directories from the root down to dir.
func ancestors(dir string) []string {
	list := []string{dir}
	for dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		list = append([]string{dir}, list...)
	}
	return list
}
