#!/usr/bin/env bash
# Make the environment in DIR from the lock file. Installs what Debian must provide when root, else names it.
set -euo pipefail
dir=${1:?usage: scripts/setup.sh DIR}
python=${PYTHON:-python3}

die() { printf 'setup: %s\n' "$*" >&2; exit 2; }

need_debian() { # PACKAGE...
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    else
        die "please install: $* (Debian: sudo apt-get install $*)"
    fi
}

command -v "$python" >/dev/null || { need_debian python3 python3-venv; python=python3; }
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' ||
    die "Python 3.11, 3.12 or 3.13 is needed; $python is $("$python" -V 2>&1). Name one: make PYTHON=python3.11 ..."
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    need_debian "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"

[ -x "$dir/bin/python" ] || "$python" -m venv "$dir"
echo "setup: installing the locked packages into $dir"
"$dir/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
"$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
touch "$dir/.installed"
