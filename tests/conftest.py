"""Faults in operator rules are raised in tests, where users get a finding.

A gate must not fail by chance: under CI properties draw the same examples every time. Elsewhere they draw new ones;
`pytest --hypothesis-seed=N` repeats a run.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from onnxls.infer import application

application.STRICT = True

settings.register_profile("gate", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("gate")

collect_ignore = ["data"]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests keep no results beside those of the person who runs them."""
    os.environ["ONNXLS_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def own_garbage_only() -> Generator[None]:
    """What earlier tests left in memory is not looked through by the collector while time is taken."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
