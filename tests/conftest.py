"""Faults in operator rules are raised in tests, where users get a finding.

A gate must not fail by chance: under CI properties draw the same examples every time. Elsewhere they draw new ones;
`pytest --hypothesis-seed=N` repeats a run. A busy machine fails none: what may take how long has tests of its own.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from onnxls.infer import application

application.STRICT = True

settings.register_profile("new", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("gate", settings.get_profile("new"), derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "new")

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
