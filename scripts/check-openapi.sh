#!/usr/bin/env bash
# Lints OpenAPI documents with two linters of other people: Redocly CLI, and Spectral with the rules of the importer of
# GPT Actions. They are installed once, outside of the tree, at fixed versions. Nothing may be found, warnings neither.
set -euo pipefail
cd "$(dirname "$0")/.."

redocly=2.77.0
spectral=6.16.3
documents=("${@:-api/openapi/testdata/openapi.json}")

command -v npm >/dev/null || { echo "npm is missing: the linters are programs of Node 20.19 or newer" >&2; exit 1; }
tools=${XDG_CACHE_HOME:-$HOME/.cache}/interai/openapi-$redocly-$spectral
if [[ ! -e $tools/complete ]]; then
  mkdir -p "$tools"
  npm install --prefix "$tools" --ignore-scripts --no-audit --no-fund --silent \
    "@redocly/cli@$redocly" "@stoplight/spectral-cli@$spectral"
  touch "$tools/complete"
fi

export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
report=$(mktemp)
trap 'rm -f "$report"' EXIT
for document in "${documents[@]}"; do
  # Redocly fails for errors only: its summary says whether there were warnings.
  "$tools/node_modules/.bin/redocly" lint --config scripts/openapi/redocly.yaml --format=json "$document" >"$report"
  node -e '
    const { totals } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(`redocly: ${totals.errors} errors, ${totals.warnings} warnings`);
    process.exit(totals.errors + totals.warnings === 0 ? 0 : 1);' "$report" || { cat "$report"; exit 1; }
  "$tools/node_modules/.bin/spectral" lint --ruleset scripts/openapi/spectral.yaml --fail-severity hint "$document"
done
