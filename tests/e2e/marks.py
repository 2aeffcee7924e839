"""How tests are marked that need a whole machine: a casino of processes, or servers."""

import pytest

WHOLE_MACHINE = [pytest.mark.e2e, pytest.mark.xdist_group("casino")]
"""One after another: two of them with their brokers starve each other."""

CASINO = [*WHOLE_MACHINE, pytest.mark.slow]
