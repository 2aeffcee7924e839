# Sourced by run: the tools that docs/integrate.md asks its readers for.

find_tools() {
  local tool
  for tool in curl openssl jq; do
    has "$tool" || add "$tool" || {
      echo "ci: the test of docs/integrate.md needs $tool" >&2
      exit 1
    }
  done
}
