#!/usr/bin/env bash
# Builds the three images where no image registry is reached: a Debian root file system
# each by mmdebstrap, then the Dockerfiles on top of it, without network. It ends by
# writing build/airgap/images.env, which compose, up.sh and the tests read.
set -euo pipefail
cd "$(dirname "$0")/../.."
suite=${DEBIAN_SUITE:-bookworm}
libs=${PUSH22_KAFKA_LIBS:-build/kafka/libs}
push22=${PUSH22_IMAGE:-push22:dev}
kafka=push22-airgap/kafka:4.1.1
postgres=push22-airgap/postgres:$suite
roots=(
  "python:python3.11-venv,ca-certificates"
  "java:openjdk-17-jre-headless"
  "postgres:postgresql"
)

root_image() { # NAME PACKAGES -> its image, named after what is in it
  echo "push22-airgap/root-$1:$suite-$(sha256sum <<<"$2" | cut -c1-12)"
}

import_root() { # NAME PACKAGES
  local image
  image=$(root_image "$1" "$2")
  if docker image inspect "$image" >/dev/null 2>&1; then
    return
  fi
  # DEBIAN_SOURCES may name a sources file, for networks with a copy of Debian.
  mmdebstrap --quiet --variant=minbase --include="$2" \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$suite" - ${DEBIAN_SOURCES:+"$DEBIAN_SOURCES"} | docker import - "$image" >/dev/null
}

base_of() { # NAME -> the root image of that name
  local root
  for root in "${roots[@]}"; do
    [ "${root%%:*}" != "$1" ] || root_image "$1" "${root#*:}"
  done
}

built() { # IMAGE BASE ARGUMENTS...
  echo "build: $1" >&2
  DOCKER_BUILDKIT=0 docker build --quiet --network none --tag "$1" \
    --build-arg "BASE_IMAGE=$(base_of "$2")" "${@:3}" >/dev/null
}

waiting=()
for root in "${roots[@]}"; do
  import_root "${root%%:*}" "${root#*:}" &
  waiting+=($!)
done
deploy/airgap/wheelhouse.sh
for pid in "${waiting[@]}"; do
  wait "$pid" # fails as the root did
done

rm -rf build/airgap/kafka
mkdir -p build/airgap/kafka
cp -r "$libs" build/airgap/kafka/libs
cp -r deploy/kafka/. build/airgap/kafka/
built "$kafka" java build/airgap/kafka
built "$postgres" postgres deploy/postgres
built "$push22" python --file deploy/Dockerfile .

cat >build/airgap/images.env <<END
KAFKA_IMAGE=$kafka
POSTGRES_IMAGE=$postgres
PUSH22_IMAGE=$push22
END
cat build/airgap/images.env
