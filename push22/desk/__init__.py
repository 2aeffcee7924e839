"""The dispute desk's answers: rounds out of the logs, checked, and tried out again."""
