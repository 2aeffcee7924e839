"""The language of Push22: everything that crosses a boundary, and nothing else.

Commands, events, their envelope, reasons of refusal, topics and identities.
Imports only value types of the rule book.
"""

ENGINE_VERSION = "1"
"""Names the rules and deciders a round was played by; changes when they do."""
