# Sourced by run: makes promtool and a Prometheus available to the tests, without
# installing the package: it would start a server of its own.

find_prometheus() {
  [ "${PUSH22_SKIP_PROMETHEUS:-}" != 1 ] || return 0
  has promtool && has prometheus && return 0
  local folder=build/prometheus
  if [ ! -x "$folder/usr/bin/promtool" ]; then
    mkdir -p "$folder"
    # The package's user for downloads may not write here, and says so: never mind.
    (cd "$folder" && apt-get -qq download prometheus 2>/dev/null &&
      dpkg -x prometheus_*.deb .) || {
      echo "ci: the tests of alerts need Debian's prometheus" >&2
      exit 1
    }
  fi
  PATH=$PWD/$folder/usr/bin:$PATH
}
