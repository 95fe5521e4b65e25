"""A short drive; `python tests/server/driving.py` is the long one."""

from __future__ import annotations

import pytest
from driving import drive


@pytest.mark.timeout(600)
def test_edits_and_rewrites_leave_what_an_analysis_from_scratch_finds():
    tally = drive(edits=160, rewrites=12, seed=7)
    assert not tally.problems, "\n".join(tally.problems)
    assert tally.comparisons >= 20
