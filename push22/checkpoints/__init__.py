"""Signs checkpoints of the logs, keeps them and lodges them (docs/checkpoints.md)."""
