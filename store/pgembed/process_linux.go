package pgembed

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// serves reports whether pid is a live process of the server in pgData: it runs
// postgres and works in that directory, as every process of a server does. A
// zombie has neither and counts as dead.
func serves(pid int, pgData string) bool {
	proc := "/proc/" + strconv.Itoa(pid)
	exe, err := os.Readlink(proc + "/exe")
	if errors.Is(err, fs.ErrPermission) {
		// Hidden from us; only its being alive can be known. Better to take it
		// for the server, which the connection then proves, than to start a
		// second one.
		return syscall.Kill(pid, 0) == nil
	}
	if err != nil {
		return false
	}
	cwd, err := os.Readlink(proc + "/cwd")
	if err != nil {
		return false
	}
	// The suffix is there after the package was upgraded under a running server.
	exe = strings.TrimSuffix(exe, " (deleted)")
	return filepath.Base(exe) == "postgres" && cwd == pgData
}

// serverProcesses lists the live processes of the server in pgData.
func serverProcesses(pgData string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if cwd, err := os.Readlink("/proc/" + e.Name() + "/cwd"); err != nil || cwd != pgData {
			continue
		}
		if serves(pid, pgData) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// memoryBytes is the memory this process may use: the machine's, or its
// control group's limit; 0 when unknown.
func memoryBytes() int64 {
	var total int64
	if raw, err := os.ReadFile("/proc/meminfo"); err == nil {
		total = parseMemTotal(string(raw))
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		limit, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
		if err == nil && limit > 0 && (total == 0 || limit < total) {
			total = limit
		}
	}
	return total
}

// parseMemTotal reads "MemTotal:  24682404 kB".
func parseMemTotal(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		fields := strings.Fields(line)
		if len(fields) >= 2 && fields[0] == "MemTotal:" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}

// smallSharedMemory reports that /dev/shm cannot hold parallel queries' memory:
// containers give it 64 MB, or nothing at all.
func smallSharedMemory() bool {
	const enough = 256 << 20
	var st syscall.Statfs_t
	if err := syscall.Statfs("/dev/shm", &st); err != nil {
		return true
	}
	return int64(st.Blocks)*int64(st.Bsize) < enough //nolint:unconvert // its type differs by architecture
}
