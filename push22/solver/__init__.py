"""The solver: exact odds in, a strategy table out, for any game of the house.

The player knows the own cards of one hand and the up card, nothing else; the shoe is
full but for them. It computes; `push22.commands.strategy` writes.
"""
