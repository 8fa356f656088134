package migrations

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// schemaHeader opens the generated file.
const schemaHeader = `-- The database schema of Inter-AI, generated from the migrations by "make schema". Do not edit.
-- River's tables live in a schema of their own and are not listed here.

-- Functions come before the tables that they read.
set check_function_bodies = false;
`

// DumpSchema writes the structure of a migrated database as SQL, with the pg_dump at the given path. Session
// settings, comments and what differs from server to server are left out, so equal structures give equal text.
func DumpSchema(ctx context.Context, pgDump, connString string) (string, error) {
	cmd := exec.CommandContext(ctx, pgDump, "--schema-only", "--no-owner", "--no-privileges", "--no-comments",
		"--schema=public", "--exclude-table=goose_db_version*", "--dbname="+connString)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("run pg_dump: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return schemaHeader + normalise(stdout.String()), nil
}

func normalise(dump string) string {
	var out strings.Builder
	blank := false
	for line := range strings.Lines(dump) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "--"), strings.HasPrefix(line, "SET "), strings.HasPrefix(line, `\`),
			strings.HasPrefix(line, "SELECT pg_catalog.set_config"), strings.HasPrefix(line, "CREATE SCHEMA public"):
			continue
		case line == "":
			blank = true
			continue
		}
		if blank {
			out.WriteByte('\n')
			blank = false
		}
		out.WriteString(line)
		out.WriteByte('\n')
	}
	return out.String()
}
