"""The rule book: cards, house rules as data, one round machine, settlement.

Pure: no clock, no chance, no input or output, and nothing of ours imported.
Clause ids (C-55, NY-41, …) are those of the rule reference, docs/rules.md.
"""
