"""An operator's own wallet: the edge that calls it, a mock of it, a kit to test it."""
