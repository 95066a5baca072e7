#!/usr/bin/env bash
# Make the environment in DIR from the lock file. Installs what Debian must provide when root, else names it.
set -euo pipefail
dir=${1:?usage: scripts/setup.sh DIR}
python=${PYTHON:-}

die() { printf 'setup: %s\n' "$*" >&2; exit 2; }

need_debian() { # PACKAGE...
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    else
        die "please install: $* (Debian: sudo apt-get install $*)"
    fi
}

supported() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }

if [ -z "$python" ]; then
    for name in python3 python3.13 python3.12 python3.11; do
        if supported "$name"; then python=$name; break; fi
    done
fi
[ -n "$python" ] || { need_debian python3 python3-venv; python=python3; }
supported "$python" || die "Python 3.11, 3.12 or 3.13 is needed. Name one: make PYTHON=/path/to/python3.11 ..."
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    need_debian "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"

[ -x "$dir/bin/python" ] || "$python" -m venv "$dir"
echo "setup: installing the locked packages into $dir"
"$dir/bin/python" -m pip install -qq --disable-pip-version-check --require-hashes --requirement requirements.lock
"$dir/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
touch "$dir/.installed"
