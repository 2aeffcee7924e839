# Sourced by run: makes promtool, amtool and a Prometheus available to the tests, without
# installing the packages: they would start servers of their own.

unpack_beside() { # COMMAND PACKAGE
  [ ! -x "$folder/usr/bin/$1" ] || return 0
  mkdir -p "$folder"
  # The package's user for downloads may not write here, and says so: never mind.
  (cd "$folder" && apt-get -qq download "$2" 2>/dev/null && dpkg -x "$2"_*.deb .) || {
    echo "ci: the tests of alerts need Debian's $2" >&2
    exit 1
  }
}

find_prometheus() {
  [ "${PUSH22_SKIP_PROMETHEUS:-}" != 1 ] || return 0
  has promtool && has prometheus && has amtool && return 0
  local folder=build/prometheus
  unpack_beside promtool prometheus
  unpack_beside amtool prometheus-alertmanager
  PATH=$PWD/$folder/usr/bin:$PATH
}
