"""The evidence pack of a round: a signed zip that anyone can check without us."""
