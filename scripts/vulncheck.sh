#!/usr/bin/env bash
# Looks for known vulnerabilities that the code can reach. The database is, in
# this order: $INTERAI_DATA/vulndb, ../shared/data/vulndb (each unpacked, or as
# vdb.tgz), the public one. Without any it says "skipped: no database".
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# database prints the argument for -db, or nothing for the public database.
database() {
  local dir
  for dir in ${INTERAI_DATA:+"$INTERAI_DATA/vulndb"} ../shared/data/vulndb; do
    if [[ -d "$dir/ID" ]]; then
      (cd "$dir" && pwd)
      return
    elif [[ -d "$dir/db/ID" ]]; then
      (cd "$dir/db" && pwd)
      return
    elif [[ -f "$dir/vdb.tgz" ]] && tar -xzf "$dir/vdb.tgz" -C "$scratch"; then
      echo "$scratch/db"
      return
    fi
  done
}

db=$(database)
if [[ -n "$db" ]]; then
  echo "govulncheck with the local database"
  go tool -modfile=tools/go.mod govulncheck -db "file://$db" ./...
  exit $?
fi

go tool -modfile=tools/go.mod govulncheck ./... >"$scratch/out" 2>&1
status=$?
if [[ $status -ne 0 && $status -ne 3 ]] &&
  grep -qE 'vuln\.go\.dev|dial tcp|no such host|connection refused|i/o timeout' "$scratch/out"; then
  echo "skipped: no database"
  exit 0
fi
cat "$scratch/out"
exit "$status"
