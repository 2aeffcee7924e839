# Sourced by run: makes a browser and the tools of the page available to the tests.

find_browser() {
  [ "${PUSH22_SKIP_BROWSER:-}" != 1 ] || return 0
  has chromium || add chromium || no_browser
  has node && has npm || add nodejs npm || no_browser
}

no_browser() {
  echo "ci: the tests of the page need chromium, nodejs and npm" >&2
  exit 1
}
