#!/usr/bin/env bash
# Makes the cluster on an empty data folder, then becomes the server.
set -euo pipefail
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}
making=$PGDATA/.making

# Whole or not at all: the cluster is made aside, and its version file is moved last.
initialise() {
  : "${POSTGRES_PASSWORD:?a superuser needs a password}"
  if [ -d "$making" ]; then
    find "$PGDATA" -mindepth 1 -delete
  fi
  initdb --pgdata="$making" --username="$user" \
    --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
    --encoding=UTF8 --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >>"$making/pg_hba.conf"
  if [ "$database" != postgres ]; then
    # Over the socket only: nobody is let in before the database is there.
    pg_ctl start --pgdata="$making" --wait --silent --options='-c listen_addresses='
    createdb --username="$user" "$database"
    pg_ctl stop --pgdata="$making" --wait --silent --mode=fast
  fi
  find "$making" -mindepth 1 -maxdepth 1 ! -name PG_VERSION -exec mv -t "$PGDATA" {} +
  mv "$making/PG_VERSION" "$PGDATA"
  rmdir "$making"
}

if [ "$1" != postgres ]; then
  exec "$@"
fi
chmod 0700 "$PGDATA"
[ -s "$PGDATA/PG_VERSION" ] || initialise
exec "$@" -c 'listen_addresses=*'
