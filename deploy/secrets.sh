#!/usr/bin/env bash
# Writes .env with passwords and keys made by chance, and never changes one that is
# there: a lost sealing key is a shoe that nobody can deal from.
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-.env}
services="SHOE TABLE_ORCHESTRATOR SETTLEMENT WALLET DESK"

umask 077
touch "$file"
[ -z "$(tail -c 1 "$file")" ] || echo >>"$file"

keep() { # NAME VALUE: only where the name is not set yet
  grep -q "^$1=" "$file" || printf "%s='%s'\n" "$1" "$2" >>"$file"
}
word() { # hexadecimal: it stands in an address as it is
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}
ring() {
  printf '{"active": "1", "keys": {"1": "%s"}}' "$(head -c 32 /dev/urandom | base64)"
}

keep POSTGRES_PASSWORD "$(word)"
keep PUSH22_TOKEN "$(word)"
keep PUSH22_GATEWAY_SECRET "$(head -c 32 /dev/urandom | base64)"
for service in $services; do
  keep "PUSH22_PASSWORD_$service" "$(word)"
  keep "PUSH22_SEAL_KEYS_$service" "$(ring)"
done
