#!/usr/bin/env bash
# Makes sure that the programs of others that internal/clients runs are there:
# the conformance suite, the inspector, both TypeScript SDKs, and a Node that is
# new enough for them. They are npm packages, pinned by the lock file in
# internal/clients/testdata, in a folder of the user's cache that is named after
# the lock and used again. Prints that folder.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly from=internal/clients/testdata
lock=$(cat "$from/package.json" "$from/package-lock.json" | cksum | cut -d ' ' -f 1)
readonly cache="${XDG_CACHE_HOME:-$HOME/.cache}/interai"
readonly dir="$cache/clients-$lock"

if [[ ! -d "$dir" ]]; then
  if ! command -v npm >/dev/null; then
    echo "npm is missing: it installs the conformance suite, the inspector and the TypeScript SDKs (apt-get install npm)" >&2
    exit 1
  fi
  mkdir -p "$cache"
  new=$(mktemp -d "$cache/new.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  cp "$from/package.json" "$from/package-lock.json" "$new"
  echo "installing the clients into $dir" >&2
  # Not "npm ci": it refuses a lock that lacks an optional package for another system, which not every registry has.
  if ! (cd "$new" && npm install --no-save --no-audit --no-fund >install.log 2>&1); then
    tail -n 20 "$new/install.log" >&2
    echo "the packages could not be installed: is the npm registry within reach? They are needed once; $dir keeps them" >&2
    exit 1
  fi
  # The package "node" brings its program by an install script, which npm may have been told not to run.
  if ! "$new/node_modules/node/bin/node" --version >/dev/null; then
    echo "the package node has brought no program: npm must be allowed to run its install script (npm config get ignore-scripts)" >&2
    exit 1
  fi
  mv -T "$new" "$dir" 2>/dev/null || [[ -d "$dir" ]] # another process may have been faster
fi
echo "$dir"
