"""The values of attributes that are one of a few words. The schemas of onnx say them in prose only."""

from __future__ import annotations

from onnxls.schemas import Schema

_SCATTER = ("none", "add", "mul", "max", "min")
_ROUNDING = ("none", "tanh")
_PADDING = ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")
_DIRECTIONS = ("forward", "reverse", "bidirectional")
_REDUCTIONS = ("none", "mean", "sum")

_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "BitShift": {"direction": ("LEFT", "RIGHT")},
    "DepthToSpace": {"mode": ("DCR", "CRD")},
    "Gelu": {"approximate": _ROUNDING},
    "GridSample": {
        "mode": ("linear", "nearest", "cubic"),
        "padding_mode": ("zeros", "border", "reflection"),
    },
    "GRU": {"direction": _DIRECTIONS},
    "ImageDecoder": {"pixel_format": ("RGB", "BGR", "Grayscale")},
    "LSTM": {"direction": _DIRECTIONS},
    "NegativeLogLikelihoodLoss": {"reduction": _REDUCTIONS},
    "Pad": {"mode": ("constant", "reflect", "edge", "wrap")},
    "RNN": {"direction": _DIRECTIONS},
    "Resize": {
        "coordinate_transformation_mode": (
            "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
            "tf_crop_and_resize",
        ),
        "keep_aspect_ratio_policy": ("stretch", "not_larger", "not_smaller"),
        "mode": ("nearest", "linear", "cubic"),
        "nearest_mode": ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
    },
    "RoiAlign": {
        "coordinate_transformation_mode": ("half_pixel", "output_half_pixel"),
        "mode": ("avg", "max"),
    },
    "ScatterElements": {"reduction": _SCATTER},
    "ScatterND": {"reduction": _SCATTER},
    "SoftmaxCrossEntropyLoss": {"reduction": _REDUCTIONS},
    "StringNormalizer": {"case_change_action": ("NONE", "LOWER", "UPPER")},
    "TfIdfVectorizer": {"mode": ("TF", "IDF", "TFIDF")},
    "Upsample": {"mode": ("nearest", "linear")},
}  # fmt: skip
_OF_ALL = {"auto_pad": _PADDING}


def values_of(schema: Schema, attribute: str) -> tuple[str, ...]:
    """The words that an attribute may be; () where it is anything else."""
    if attribute not in schema.attributes or schema.domain:
        return ()
    return _VALUES.get(schema.name, {}).get(attribute) or _OF_ALL.get(attribute, ())
