# Sourced by run: makes Kafka and PostgreSQL available to the tests, in containers if
# that can be, else as processes. It sets PUSH22_E2E, so that what it found must work.

as_root=$([ "$(id -u)" = 0 ] || echo sudo)
engine_log=build/dockerd.log

find_servers() {
  mkdir -p build
  # Tests of the log start a server of their own, wherever the others run.
  [ "${PUSH22_SKIP_POSTGRES:-}" = 1 ] || has_postgres || add postgresql || no_servers
  case ${PUSH22_E2E:-} in
    skip) ;;
    local) prepare_local || no_servers ;;
    docker) prepare_docker || no_servers ;;
    *)
      if prepare_docker; then
        PUSH22_E2E=docker
      else
        echo "ci: no containers here, the tests take a local broker and server" >&2
        prepare_local || no_servers
        PUSH22_E2E=local
      fi
      ;;
  esac
  export PUSH22_E2E=${PUSH22_E2E:-}
}

no_servers() {
  echo "ci: the tests need Kafka and PostgreSQL, and neither way to them works" >&2
  exit 1
}

prepare_local() {
  has_postgres || add postgresql || return 1
  has java || add default-jre-headless || return 1
  has mvn || add maven || return 1
  "${make[@]}" jars >&2
}

prepare_docker() {
  has dockerd && has iptables || add docker.io iptables || return 1
  has mmdebstrap || add mmdebstrap || return 1
  docker compose version >/dev/null 2>&1 || has docker-compose ||
    add docker-compose || return 1
  start_engine || return 1
  timeout 900 "${make[@]}" images >&2
}

start_engine() {
  docker info >/dev/null 2>&1 && return
  $as_root dockerd >"$engine_log" 2>&1 </dev/null &
  engine=$!
  trap 'kill "$engine" 2>/dev/null' EXIT
  for _ in $(seq 60); do
    docker info >/dev/null 2>&1 && return
    kill -0 "$engine" 2>/dev/null || break
    sleep 0.5
  done
  echo "ci: the Docker engine does not start:" >&2
  tail -n 20 "$engine_log" >&2
  return 1
}

has_postgres() {
  has initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

has() {
  command -v "$1" >/dev/null
}

add() { # PACKAGES
  if [ -z "${is_updated:-}" ]; then
    $as_root apt-get update -q >&2 || return 1
    is_updated=1
  fi
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q \
    --no-install-recommends "$@" >&2
}
