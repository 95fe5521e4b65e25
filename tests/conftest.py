"""Faults in operator rules are raised in tests, where users get a finding."""

from __future__ import annotations

from onnxls import infer

infer.STRICT = True
