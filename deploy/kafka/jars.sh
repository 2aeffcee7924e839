#!/usr/bin/env bash
# Copies the jars that pom.xml pins to the folder $1, or leaves what is there as it was.
set -euo pipefail
# Maven would take a relative folder from where the pom is.
libs=$(realpath -m "${1:?usage: jars.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)

other=$(find "$libs" -mindepth 1 ! -name '*.jar' ! -name .stamp -print -quit 2>/dev/null) || true
if [ -n "$other" ]; then
  echo "jars: $libs would be replaced, and has other things than jars: $other" >&2
  exit 1
fi
for program in java mvn; do
  command -v "$program" >/dev/null || {
    echo "jars: $program is not installed (Debian: default-jre-headless, maven)" >&2
    exit 1
  }
done
mkdir -p "$(dirname "$libs")"
new=$(mktemp -d "$libs.XXXXXX")
trap 'rm -rf "$new"' EXIT
mvn --quiet --batch-mode -Dstyle.color=never --file "$here/pom.xml" \
  dependency:copy-dependencies "-Dkafka.libs=$new"
chmod 755 "$new"
rm -rf "$libs"
mv "$new" "$libs"
