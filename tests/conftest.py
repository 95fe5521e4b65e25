"""Faults in operator rules are raised in tests, where users get a finding.

A gate must not fail by chance: under CI properties draw the same examples every time. Elsewhere they draw new ones;
`pytest --hypothesis-seed=N` repeats a run.
"""

from __future__ import annotations

import os

from hypothesis import settings

from onnxls.infer import walker

walker.STRICT = True

settings.register_profile("gate", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("gate")
