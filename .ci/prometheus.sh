# Sourced by run: makes Prometheus, Alertmanager and their tools available to the tests,
# without installing the packages: they would start servers of their own.

unpack_beside() { # COMMAND PACKAGE
  [ ! -x "$folder/usr/bin/$1" ] || return 0
  mkdir -p "$folder"
  # The package's user for downloads may not write here, and says so: never mind.
  (cd "$folder" && apt-get -qq download "$2" 2>/dev/null && dpkg -x "$2"_*.deb .) || {
    echo "ci: the tests of alerts need Debian's $2" >&2
    exit 1
  }
}

# Debian's Alertmanager reads them there, wherever it lies itself, and ends without them.
put_templates() {
  local place=usr/share/prometheus/alertmanager
  [ ! -e "/$place/default.tmpl" ] || return 0
  $as_root install -D -m 644 -t "/$place" "$folder/$place"/*.tmpl || {
    echo "ci: the tests of alerts need Alertmanager's templates in /$place" >&2
    exit 1
  }
}

find_prometheus() {
  [ "${PUSH22_SKIP_PROMETHEUS:-}" != 1 ] || return 0
  local folder=build/prometheus
  has promtool && has prometheus && has amtool && has_alertmanager && return 0
  unpack_beside promtool prometheus
  unpack_beside amtool prometheus-alertmanager
  put_templates
  PATH=$PWD/$folder/usr/bin:$PATH
}

has_alertmanager() {
  has alertmanager || has prometheus-alertmanager
}
