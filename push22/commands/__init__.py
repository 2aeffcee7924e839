"""One small file per command; `push22/__main__.py` holds the table of them."""
