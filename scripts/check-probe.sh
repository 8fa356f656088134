#!/usr/bin/env bash
# Makes OpenMCPSpec documents of three public MCP servers, and has both our validator and ajv, which is another one, hold
# them against the schema. The servers come from npm in pinned versions and are installed outside of this tree; their
# install scripts do not run.
set -euo pipefail

interai=${1:?usage: check-probe.sh INTERAI}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/interai/check-probe
version=2026.8.31
servers=(everything filesystem memory)
packages=("${servers[@]/%/@$version}")

mkdir -p "$cache"
npm install --prefix "$cache" --ignore-scripts --no-audit --no-fund --save-exact --loglevel=error \
	ajv@8.20.0 ajv-formats@3.0.1 "${packages[@]/#/@modelcontextprotocol/server-}" >&2

"$interai" spec schema >"$cache/schema.json"
cat >"$cache/check.js" <<'JS'
const fs = require("fs"), Ajv = require("ajv").default, formats = require("ajv-formats").default;
const [schema, ...documents] = process.argv.slice(2).map((f) => JSON.parse(fs.readFileSync(f)));
const ajv = new Ajv({ allErrors: true, strict: false });
formats(ajv);
const valid = ajv.compile(schema);
for (const d of documents) {
  if (!valid(d)) { console.error(valid.errors); process.exit(1); }
  const parameters = d.intents.reduce((n, i) => n + i.parameters.length, 0);
  console.log(`${d.info.title} ${d.info.version}: ${d.intents.length} tools, ${parameters} parameters, 0 errors by ajv`);
}
JS
documents=()
for server in "${servers[@]}"; do
	package=$cache/node_modules/@modelcontextprotocol/server-$server
	main=$(node -p "Object.values(require('$package/package.json').bin)[0]")
	arguments=()
	[[ $server == filesystem ]] && arguments=("$cache")
	"$interai" spec probe --stdio -- node "$package/$main" "${arguments[@]}" >"$cache/$server.json" 2>"$cache/$server.log"
	"$interai" spec validate "$cache/$server.json" | tail -n 1
	documents+=("$cache/$server.json")
done
node "$cache/check.js" "$cache/schema.json" "${documents[@]}"
