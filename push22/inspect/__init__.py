"""Reading and showing what the log holds: shared by the commands of support."""
