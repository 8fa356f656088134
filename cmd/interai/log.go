package main

import (
	"log/slog"
	"os"
	"time"

	"github.com/lmittmann/tint"

	"interai/config"
)

// newLogger writes to stderr, always: stdout belongs to answers and to the protocol. Text on a terminal, JSON
// elsewhere, unless the configuration says otherwise.
func newLogger(cfg *config.Config) *slog.Logger {
	format := cfg.LogFormat
	if format == "auto" {
		format = "json"
		if isTerminal(os.Stderr) {
			format = "text"
		}
	}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: cfg.LogLevel}))
	}
	return slog.New(tint.NewTextHandler(os.Stderr, &tint.Options{
		Level: cfg.LogLevel, TimeFormat: time.TimeOnly, NoColor: !isTerminal(os.Stderr) || os.Getenv("NO_COLOR") != "",
	}))
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
