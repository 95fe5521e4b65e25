"""Whether a deep analysis, which asks z3, can be had. Nothing of it is imported for that."""

from __future__ import annotations

NO_Z3 = "z3 is not installed (pip install 'onnxls[deep]')"


def has_z3() -> bool:
    """Whether z3 is installed."""
    from importlib.util import find_spec

    return find_spec("z3") is not None
