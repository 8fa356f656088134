#!/usr/bin/env bash
# Runs every fuzz target of the given packages (all of them by default) for FUZZTIME each, one after the other, and goes
# on behind one that finds something. Go fuzzes one target of one package at a time.
set -euo pipefail

go=${GO:-go}
time=${FUZZTIME:-1m}
failed=()
for dir in $("$go" list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' "${@:-./...}"); do
	# Names come from the sources: a test binary would have to be built to ask it, and most packages have no target.
	targets=$(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go 2>/dev/null | sed 's/^func //' | sort -u || true)
	for target in $targets; do
		echo "== $target in ${dir#"$PWD"/}"
		"$go" test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$dir" || failed+=("$target in ${dir#"$PWD"/}")
	done
done
if ((${#failed[@]} > 0)); then
	printf 'found something: %s\n' "${failed[@]}"
	exit 1
fi
