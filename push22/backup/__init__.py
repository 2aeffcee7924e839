"""A casino's logs in one file: written from either database, and taken in by either."""
