"""The machine room: hosts any service and knows no cards."""
