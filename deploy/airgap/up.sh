#!/usr/bin/env bash
# Compose with the images that were built here and with secrets made on the spot:
# `up.sh` starts the casino, `up.sh ARGUMENTS` is `docker compose ARGUMENTS`.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- up --detach

deploy/secrets.sh
if [ -f build/airgap/images.env ]; then
  set -a
  . build/airgap/images.env
  set +a
fi

# Debian has the older command only; the file suits both.
if docker compose version >/dev/null 2>&1; then
  exec docker compose "$@"
fi
exec docker-compose "$@"
