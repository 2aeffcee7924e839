"""The command line and the embedded casino: the only place that composes services."""
