"""The certificate: what a rule set is worth, counted exactly or sampled honestly."""
