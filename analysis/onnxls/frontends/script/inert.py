"""Attributes on which no shape and no element type depends: where one is not known, it may be left out."""

from __future__ import annotations

from collections.abc import Mapping

_ATTRIBUTES: Mapping[str, str] = {
    "Softmax LogSoftmax Hardmax": "axis",
    "LeakyRelu Elu Celu ThresholdedRelu": "alpha",
    "Selu": "alpha gamma",
    "HardSigmoid Gemm": "alpha beta",
    "Shrink": "bias lambd",
    "Gelu": "approximate",
    "LayerNormalization InstanceNormalization GroupNormalization": "epsilon",
    "BatchNormalization": "epsilon momentum",
    "CumSum": "exclusive reverse",
    "TopK": "largest sorted",
    "Trilu": "upper",
    "ScatterElements ScatterND": "reduction",
    "Dropout": "seed",
    "ArgMax ArgMin": "select_last_index",
    "Mod": "fmod",
    "RandomNormal RandomNormalLike": "seed mean scale",
    "RandomUniform RandomUniformLike": "seed low high",
}
INERT: Mapping[str, frozenset[str]] = {
    name: frozenset(attributes.split()) for names, attributes in _ATTRIBUTES.items() for name in names.split()
}
"""By operator. Each has a default."""
