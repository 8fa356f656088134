//go:build !linux

package pgembed

import (
	"os/exec"
	"strconv"
	"strings"
)

// serves reports whether pid is a live server of the cluster in pgData, by its
// command line: launch passes the directory with -D. A zombie shows none.
func serves(pid int, pgData string) bool {
	out, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return false
	}
	command := strings.TrimSpace(string(out))
	return strings.Contains(command, "postgres") && strings.Contains(command, "-D "+pgData)
}

// serverProcesses is not known without /proc: orphans are waited for instead.
func serverProcesses(string) []int { return nil }

// memoryBytes is unknown here.
func memoryBytes() int64 { return 0 }

// smallSharedMemory is a matter of Linux containers.
func smallSharedMemory() bool { return false }
