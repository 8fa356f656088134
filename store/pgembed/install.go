package pgembed

import (
	"os"
	"os/exec"
)

// installers lists package managers and their one command, most common first.
// scripts/ensure-postgres.sh runs the same commands.
func installers() []struct{ tool, command string } {
	return []struct{ tool, command string }{
		{"apt-get", "apt-get update && apt-get install -y postgresql"},
		{"dnf", "dnf install -y postgresql-server"},
		{"apk", "apk add postgresql"},
		{"zypper", "zypper install -y postgresql-server"},
		{"pacman", "pacman -S --noconfirm postgresql"},
		{"brew", "brew install postgresql@17"},
	}
}

// installCommand is the one line that installs a PostgreSQL server here.
func installCommand() string {
	for _, in := range installers() {
		if _, err := exec.LookPath(in.tool); err != nil {
			continue
		}
		if os.Geteuid() == 0 || in.tool == "brew" {
			return in.command
		}
		return `sudo sh -c "` + in.command + `"`
	}
	return "your system's package manager (the package is usually called postgresql or postgresql-server)"
}
