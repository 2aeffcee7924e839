"""`push22 load`: players who arrive by schedule, and what a casino made of it."""
