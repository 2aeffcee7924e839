"""The gateway composed: which casino stands behind it, and who is let in."""
