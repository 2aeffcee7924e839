#!/bin/sh
# Asks a vulnerability service about every locked package, of production and of what
# checks it. Where it can't be reached it says so, loudly, and fails: silence would look
# like a clean result.
set -eu
bin=${1:?the directory of the Python to use}
cd "$(dirname "$0")/.."
"$bin/python" -c 'import pip_audit' 2>/dev/null || {
    echo "NOT RUN: pip-audit is not installed: it is locked in requirements/dev.txt" >&2
    exit 3
}
service=${PUSH22_VULNERABILITIES:-https://api.osv.dev}
"$bin/python" - "$service" <<'PY' || {
import sys
import httpx

httpx.get(sys.argv[1], timeout=10)
PY
    echo "NOT RUN: $service can't be reached; nothing is known of vulnerabilities" >&2
    exit 3
}
found=0
for lock in requirements/base.txt requirements/dev.txt; do
    echo "$lock:"
    "$bin/python" -m pip_audit --require-hashes --disable-pip \
        --vulnerability-service osv --requirement "$lock" || found=$?
done
exit "$found"
