#!/usr/bin/env bash
# The tool of the same name in Kafka's own distribution.
exec /opt/kafka/bin/kafka-run-class.sh org.apache.kafka.tools.consumer.ConsoleConsumer "$@"
