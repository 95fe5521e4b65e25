"""Names, types, numbers, tensors and attributes as the ONNX textual syntax has them.

No word has a control character, and none is longer than an editor can show.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Mapping, Sequence

from onnxls.facts import BFLOAT16, DOUBLE, FLOAT16, STRING
from onnxls.frontends import text_tokens as tk
from onnxls.frontends.text_values import float32
from onnxls.graph import Attr, DeclaredDim, Graph, Node, Scalar, Tensor, TypeInfo

_SHOWN_ELEMENTS = 64
_LONGEST_LINE, _LONGEST_STRING = 4_000, 100_000
_ONE_PIECE = 120

_BITS = {4: (21, 22, 23), 8: (2, 3, 9, 17, 18, 19, 20, 24), 16: (4, 5, 10, 16), 2: (25, 26), 6: (27, 28)}
_WIDTH = {dtype: bits for bits, dtypes in _BITS.items() for dtype in dtypes} | {
    **dict.fromkeys((1, 6, 12), 32),
    **dict.fromkeys((7, 11, 13, 14), 64),
    15: 128,
}
_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def type_text(declared: TypeInfo) -> str:
    """A type as the syntax writes it."""
    if declared.kind == "tensor":
        return _dtype(declared.dtype) + _shape(declared.shape)
    if declared.kind == "sparse_tensor":
        return f"sparse_tensor({_dtype(declared.dtype)}{_shape(declared.shape)})"
    element = type_text(declared.element) if declared.element else ""
    if declared.kind == "map":
        return f"map({_dtype(declared.dtype)}, {element or 'opaque()'})"
    return f"{'seq' if declared.kind == 'sequence' else 'optional'}({element})"


def _dtype(dtype: int | None) -> str:
    return tk.DTYPE_NAMES.get(dtype or 0, "undefined")


def _shape(shape: Sequence[DeclaredDim] | None) -> str:
    if shape is None:
        return "[]"
    return "[" + ", ".join(map(_dim, shape)) + "]" if shape else ""


def _dim(dim: DeclaredDim) -> str:
    if dim is None:
        return "?"
    if isinstance(dim, str):
        return dim if tk.is_plain(dim) and len(dim) <= _LONGEST_LINE else quoted(dim)
    return str(dim)


def name_text(name: str) -> str:
    """A name, in quotes where it would not be read as one."""
    if tk.is_plain(name) and name not in tk.TYPE_WORDS and len(name) <= _LONGEST_LINE:
        return name
    return quoted(name)


def quoted(text: str) -> str:
    """A string in quotes, without what an editor cannot show."""
    return tk.quote(_visible(text))


def _visible(text: str) -> str:
    """A string without control characters and without lines and lengths that an editor cannot show."""
    if len(text) > _LONGEST_LINE:
        text = "\n".join(map(_short, text.split("\n")))
        if len(text) > _LONGEST_STRING:
            text = f"{text[:_LONGEST_STRING]}… ({len(text):,} characters)"
    return text if text.isprintable() else _UNSAFE.sub(_picture, text)


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}… ({len(line):,} characters)"


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 32 else "\u2421" if code == 127 else "\ufffd"


def comment_text(text: str) -> str:
    """What follows the `#` of a comment: one line."""
    return _short(_visible(text.strip().removeprefix("#").strip()).replace("\n", "\u240a"))


def operator_text(node: Node) -> str:
    """The operator of a node: `domain.Op:overload`."""
    name = node.op_type if tk.is_plain(node.op_type) else quoted(node.op_type)
    if node.domain:
        plain = all(map(tk.is_plain, node.domain.split("."))) and len(node.domain) <= _LONGEST_LINE
        name = f"{node.domain if plain else quoted(node.domain)}.{name}"
    return f"{name}:{name_text(node.overload)}" if node.overload else name


# Numbers and tensors


def _float(value: float) -> str:
    """The shortest text of a 32-bit number that is not read as an integer."""
    text = _short_float(value)
    return f"{text}.0" if text.lstrip("-").isdigit() else text


def _short_float(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    for digits in (6, 7, 8):
        text = f"{value:.{digits}g}"
        if _same(text, value):
            return text
    return f"{value:.9g}"


def _same(text: str, value: float) -> bool:
    try:
        return float32(float(text)) == value
    except OverflowError:
        return False


def _element(dtype: int, value: Scalar) -> str:
    if dtype == FLOAT16:
        return str(struct.unpack("<H", struct.pack("<e", value))[0])
    if dtype == BFLOAT16:
        return str(struct.unpack("<I", struct.pack("<f", value))[0] >> 16)
    if dtype == DOUBLE:
        return repr(value).removesuffix(".0")
    return _short_float(value) if isinstance(value, float) else str(int(value))


def tensor_text(tensor: Tensor) -> tuple[str, str, str]:
    """The type, the elements in braces, and a note on what the braces do not say."""
    kind = _dtype(tensor.dtype) + _shape(tensor.dims)
    count = math.prod(tensor.dims)
    values = tensor.values if count <= _SHOWN_ELEMENTS else None
    if values is None:
        return kind, "{}", _size(tensor.dtype, count)
    note = ""
    if tensor.dtype in (FLOAT16, BFLOAT16) and 0 < count <= 8:
        note = "= " + ", ".join(map(_short_float, values))
    return kind, "{" + ", ".join(_element(tensor.dtype, value) for value in values) + "}", note


def _size(dtype: int, count: int) -> str:
    if count <= 0:
        return ""
    if dtype == STRING:
        return "1 string" if count == 1 else f"{count:,} strings"
    size = float((count * _WIDTH.get(dtype, 8) + 7) // 8) if count < 1 << 62 else math.inf
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if size >= 100 or unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


# Attributes


def holds_graphs(attr: Attr) -> bool:
    """Whether the value of an attribute is written as a graph or a list of graphs."""
    return isinstance(attr.value, Graph) or (attr.type == tk.GRAPHS and attr.ref is None)


def attribute_head(attr: Attr) -> str:
    """An attribute up to its value; with a type where the value does not say it."""
    name = attr.name if tk.is_plain(attr.name) and len(attr.name) <= _LONGEST_LINE else quoted(attr.name)
    kind = tk.ATTRIBUTE_TYPE_NAMES.get(attr.type)
    needed = attr.ref is not None or attr.value == () or attr.type in (tk.SPARSE_TENSOR, tk.SPARSE_TENSORS)
    return f"{name}: {kind} = " if kind and needed else f"{name} = "


def attribute_pieces(attr: Attr, notes: list[str]) -> list[str] | None:
    """The pieces of an attribute without graphs; None where it has nothing that could be written."""
    head = attribute_head(attr)
    if attr.ref is not None:
        return [f"{head}@{name_text(attr.ref)}"]
    if isinstance(attr.value, tuple):
        texts = [_single(attr.type, value, notes) for value in attr.value]
        return [f"{head}[", *(f"{text}, " for text in texts[:-1]), *texts[-1:], "]"]
    if isinstance(attr.value, Tensor):
        return tensor_pieces(head + _single(attr.type, attr.value, notes))
    if attr.value is None and attr.type != tk.TYPE_PROTO:
        return None
    return [head + _single(attr.type, attr.value, notes)]


def tensor_pieces(text: str) -> list[str]:
    """The pieces of a tensor, which may be long."""
    return re.findall(r"[^,]*(?:, |$)", text) if len(text) > _ONE_PIECE else [text]


def _single(kind: int, value: object, notes: list[str]) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Tensor):
        type_, elements, note = tensor_text(value)
        if note:
            notes.append(note)
        return f"{type_} {elements}"
    if isinstance(value, TypeInfo):
        return type_text(value)
    if isinstance(value, int | float):
        return _float(value) if kind in (tk.FLOAT, tk.FLOATS) else str(int(value))
    return "opaque()"


def name_pieces(names: Iterable[str]) -> list[str]:
    """Names with commas. A last one that is absent needs to be written as such."""
    texts = [name_text(name) for name in names]
    return [*(f"{text}, " for text in texts[:-1]), *texts[-1:]]


def label_text(node: Node) -> str:
    """The name of a node in its brackets, and a blank; "" where it has none."""
    return f"[{name_text(node.name)}] " if node.name else ""


def list_pieces(attributes: list[list[str]]) -> list[str]:
    """The pieces of a list of attributes."""
    pieces: list[str] = []
    for attribute in attributes:
        pieces.append(", " if pieces else " <")
        pieces.extend(attribute)
    return [*pieces, ">"] if pieces else pieces


def opsets_text(opsets: Mapping[str, int]) -> str:
    """The value of `opset_import`."""
    return "[" + ", ".join(f"{quoted(domain)}: {version}" for domain, version in opsets.items()) + "]"
