#!/bin/sh
# Asks a vulnerability service about every locked package. Where it can't be reached it
# says so, loudly, and fails: silence would look like a clean result.
set -eu
bin=${1:?the directory of the Python to use}
cd "$(dirname "$0")/.."
"$bin/python" -c 'import pip_audit' 2>/dev/null || {
    echo "NOT RUN: pip-audit is not installed: $bin/python -m pip install pip-audit" >&2
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
exec "$bin/python" -m pip_audit --require-hashes --disable-pip --vulnerability-service osv \
    --requirement requirements/base.txt
