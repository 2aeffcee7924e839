"""The dispute desk: what support sees of a round, and what may be tried out."""
