"""What all tests share: a single example never depends on chance."""

from hypothesis import settings

settings.register_profile("push22", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("push22")
