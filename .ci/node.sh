#!/usr/bin/env bash
# Brings the tools that check the page to the folder named: each package as npm packs
# it, unpacked only if it is what .ci/node.sums says. A lock file of npm's would name
# the registry it was made with.
set -euo pipefail
folder=$1
sums=$(realpath "$(dirname "$0")/node.sums")

command -v npm >/dev/null || {
  echo "node: npm is not here; install nodejs and npm, or set PUSH22_SKIP_BROWSER=1" >&2
  exit 1
}
mkdir -p "$folder"
cd "$folder"
while read -r _ file; do
  name=${file%-*}
  version=${file##*-}
  [ -f "$file" ] || npm pack --silent --ignore-scripts "$name@${version%.tgz}" >&2
done <"$sums"
sha256sum --quiet --check "$sums"
while read -r _ file; do
  name=${file%-*}
  rm -rf "$name"
  mkdir "$name"
  tar -xzf "$file" -C "$name" --strip-components=1
done <"$sums"
