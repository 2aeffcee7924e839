"""The actors: each service has the same rooms, and none imports another."""
