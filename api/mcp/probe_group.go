package mcp

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group of its own, all of which ends when it is given up: npx and shells start the
// real server as a child.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endGroup ends what is left of the group of a command that has ended. What has left the group is out of reach.
func endGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // there may be nothing left
