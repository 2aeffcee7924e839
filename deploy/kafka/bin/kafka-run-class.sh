#!/usr/bin/env bash
# Becomes a JVM that runs one of Kafka's classes. KAFKA_HEAP_OPTS and KAFKA_OPTS go to it.
set -euo pipefail
# The options are words; the shell is to split them.
# shellcheck disable=SC2086
exec java ${KAFKA_HEAP_OPTS:--Xms256m -Xmx512m} -XX:+UseSerialGC \
  -XX:+ExitOnOutOfMemoryError \
  -Dlog4j2.configurationFile=/opt/kafka/log4j2.properties ${KAFKA_OPTS:-} \
  -cp '/opt/kafka/libs/*' "$@"
