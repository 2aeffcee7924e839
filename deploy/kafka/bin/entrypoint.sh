#!/usr/bin/env bash
# Writes the broker's properties, formats an empty data folder, and becomes the broker.
# KAFKA_LISTENERS sets `listeners`: _ stands for a dot, __ for _, ___ for a dash.
set -euo pipefail
home=/opt/kafka
properties=$home/config/server.properties

cp "$home/server.properties" "$properties"
echo >>"$properties"
while IFS='=' read -r name value; do
  case $name in
    KAFKA_HEAP_OPTS | KAFKA_OPTS | KAFKA_LOG4J_* | KAFKA_VERSION) continue ;;
    KAFKA_*) ;;
    *) continue ;;
  esac
  key=$(tr '[:upper:]' '[:lower:]' <<<"${name#KAFKA_}" |
    sed -e 's/___/-/g' -e 's/__/\x01/g' -e 's/_/./g' -e 's/\x01/_/g')
  printf '%s=%s\n' "$key" "$value" >>"$properties"
done < <(env)

# Formatting twice is harmless, and a new node must carry the cluster's own id.
"$home/bin/kafka-run-class.sh" kafka.tools.StorageTool format --ignore-formatted \
  "--cluster-id=${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}" --config "$properties"

exec "$home/bin/kafka-run-class.sh" kafka.Kafka "$properties"
