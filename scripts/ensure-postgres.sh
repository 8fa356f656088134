#!/usr/bin/env bash
# Makes sure that PostgreSQL server binaries (postgres and initdb, 15 or newer)
# are there: installs them where it may (as root, with sudo that asks for no
# password, or with Homebrew), else prints the one command and fails.
#
# It only wants the programs. A cluster that a distribution makes on install is
# never used and never touched. The places and commands are those of
# store/pgembed.
set -euo pipefail

readonly min_major=15

candidates() {
  if [[ -n "${INTERAI_PG_BIN_DIR:-}" ]]; then
    printf '%s\n' "$INTERAI_PG_BIN_DIR" "$INTERAI_PG_BIN_DIR/bin"
    return
  fi
  pg_config --bindir 2>/dev/null || true
  printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/libexec/postgresql* \
    /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin \
    /Applications/Postgres.app/Contents/Versions/*/bin
  local found
  found=$(command -v postgres) && dirname "$(readlink -f "$found" 2>/dev/null || echo "$found")" || true
}

have_server() {
  local dir major
  while IFS= read -r dir; do
    [[ -x "$dir/postgres" && -x "$dir/initdb" ]] || continue
    major=$("$dir/postgres" --version 2>/dev/null | sed -nE 's/.*\(PostgreSQL\) ([0-9]+).*/\1/p')
    if [[ -n "$major" && "$major" -ge "$min_major" ]]; then
      return 0
    fi
  done < <(candidates)
  return 1
}

have() { command -v "$1" >/dev/null 2>&1; }

install_command() {
  if have apt-get; then
    echo "apt-get update && apt-get install -y postgresql"
  elif have dnf; then
    echo "dnf install -y postgresql-server"
  elif have apk; then
    echo "apk add postgresql"
  elif have zypper; then
    echo "zypper install -y postgresql-server"
  elif have pacman; then
    echo "pacman -S --noconfirm postgresql"
  elif have brew; then
    echo "brew install postgresql@17"
  fi
}

give_up() {
  echo "PostgreSQL $min_major or newer is needed (postgres and initdb). $1" >&2
  exit 1
}

have_server && exit 0

if [[ -n "${INTERAI_PG_BIN_DIR:-}" ]]; then
  give_up "There is none in INTERAI_PG_BIN_DIR=$INTERAI_PG_BIN_DIR."
fi

command=$(install_command)
[[ -n "$command" ]] || give_up "Install it with this system's package manager."

export DEBIAN_FRONTEND=noninteractive
case "$command" in
  brew*) runner=(bash -c "$command") ;;
  *)
    if [[ $EUID -eq 0 ]]; then
      runner=(bash -c "$command")
    elif have sudo && sudo -n true 2>/dev/null; then
      runner=(sudo -n env DEBIAN_FRONTEND=noninteractive bash -c "$command")
    else
      give_up "Install it with: sudo sh -c \"$command\""
    fi
    ;;
esac

echo "installing PostgreSQL: $command" >&2
"${runner[@]}" >&2 || give_up "This failed: $command"
have_server || give_up "This did not bring it: $command"
