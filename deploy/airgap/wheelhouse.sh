#!/usr/bin/env bash
# Lays our wheel and the locked wheels it needs in build/wheelhouse. This is the only
# step of the image that reaches a package index; `make setup` made the Python for it.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=.venv/bin/python
house=build/wheelhouse

mkdir -p "$house"
if ! cmp --silent requirements/base.txt "$house/.locked"; then
  rm -rf "$house"
  mkdir -p "$house"
  "$python" -m pip download --quiet --require-hashes --only-binary :all: \
    --requirement requirements/base.txt --dest "$house"
  cp requirements/base.txt "$house/.locked"
fi

rm -f "$house"/push22-*.whl
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
# A copy: setuptools would leave its build folder, and take what an old one holds.
cp -r pyproject.toml README.md blackjack contracts runtime services push22 "$source"
"$python" -m pip wheel --quiet --no-deps --no-build-isolation \
  --wheel-dir "$house" "$source"
