"""What PyTorch's exporter wrote on a node about where it comes from."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import cast

from onnxls.report import exported_from
from onnxls_server.features.markup import Piece, code

_SCOPES = "pkg.torch.onnx.name_scopes"
_CLASSES = "pkg.torch.onnx.class_hierarchy"


def exported(metadata: Mapping[str, str]) -> Piece | None:
    """The module path and the line of the author's code; None where the metadata says neither."""
    lines: list[str] = []
    path = module_path(metadata)
    if path:
        lines.append(f"Module {code(path)}")
    source = exported_from(metadata)
    if source is not None:
        lines.append(f"From {code(f'{source.path}:{source.line}')}")
    return Piece("  \n".join(lines)) if lines else None


def module_path(metadata: Mapping[str, str]) -> str:
    """The innermost module that the node belongs to: `encoder.layer.0.attention (SelfAttention)`."""
    scopes, classes = _strings(metadata.get(_SCOPES, "")), _strings(metadata.get(_CLASSES, ""))
    named = [(name, classes[index] if index < len(classes) else "") for index, name in enumerate(scopes[:-1]) if name]
    if not named:
        return ""
    name, kind = named[-1]
    kind = kind.rpartition(".")[2]
    return f"{name} ({kind})" if kind else name


def _strings(text: str) -> list[str]:
    """A list of strings as Python writes it; of anything else, nothing."""
    if len(text) > 20_000:
        return []
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [each for each in items if isinstance(each, str)]
