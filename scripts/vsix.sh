#!/usr/bin/env bash
# The VS Code extension: checked, its unit tests run, packed as client-vscode/dist/waybook.vsix.
# With --if-possible a machine without Node, or without network for the first `npm ci`, skips and says why; where real
# clients are demanded (WAYBOOK_REQUIRE_REAL_CLIENTS) it fails.
set -euo pipefail
cd "$(dirname "$0")/../client-vscode"
mode=${1:-}

missing() {
    echo "vsix: skipped: $*" >&2
    [ "$mode" = --if-possible ] && [ -z "${WAYBOOK_REQUIRE_REAL_CLIENTS:-}" ] && exit 0
    exit 2
}

command -v npm >/dev/null || missing "npm is not on this machine; install Node 20 or newer"
node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)' || missing "Node 20 or newer is needed"
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --ignore-scripts --loglevel=error || missing "the packages of client-vscode could not be installed"
    touch node_modules/.package-lock.json
fi
if [ ! -f dist/waybook.vsix ] || [ -n "$(find src test media ./*.json ./*.mjs ./*.md -newer dist/waybook.vsix -print -quit)" ]; then
    npm run --silent check
    npm test --silent
    mkdir -p build
    npm run --silent package >build/package.log 2>&1 || { cat build/package.log >&2; rm -f dist/waybook.vsix; exit 1; }
fi
