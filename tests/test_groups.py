"""Tests that take the whole machine run one after another: their group is kept."""

import pytest

GROUP = "of_this_test"


@pytest.mark.xdist_group(GROUP)
def test_a_group_goes_to_one_worker(request: pytest.FixtureRequest) -> None:
    """Xdist deals out by what it adds to a test's name; some pytests ignore that."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith(f"@{GROUP}")
