"""The words of the ONNX textual syntax: cutting a text into tokens, and the names of types.

The tokens and what lies between them cover the text without a gap, whatever the text is. Cutting takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, compress

_BLANKS = " \t\n\v\f\r\ufeff"
_PARTS = re.compile(
    r"""
    (?: [A-Za-z_][A-Za-z0-9_]*
      | [()<>\[\]{},:.@?]
      | =>?
      | -?[0-9]++(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]*+)?
      | \#[^\n]*
      | "[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"
      | "[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"(?=[\s,:>\])}(=\#]|\Z)  # many lines: closed only where a string may end
      | "[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+                      # not closed: ends with its line
      | -[A-Za-z]*+
      | \\[\s\S]?                                               # in pairs, so that an escaped quote opens nothing
      | [^\x00-\x7f\ufeff]++
      | [^\ \t\n\v\f\r\ufeff]
    )[\ \t\n\v\f\r\ufeff]*
  | [\ \t\n\v\f\r\ufeff]+
    """,
    re.VERBOSE,
)
_CLOSED = re.compile(r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"')
_ESCAPE = re.compile(r"\\([\s\S])")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PADDING = 4
"""How many tokens one may look ahead at the end."""

NAME_START = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
NUMBER_START = frozenset("0123456789-")

DTYPES: Mapping[str, int] = {
    "undefined": 0,
    "float": 1,
    "uint8": 2,
    "int8": 3,
    "uint16": 4,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "string": 8,
    "bool": 9,
    "float16": 10,
    "double": 11,
    "uint32": 12,
    "uint64": 13,
    "complex64": 14,
    "complex128": 15,
    "bfloat16": 16,
    "float8e4m3fn": 17,
    "float8e4m3fnuz": 18,
    "float8e5m2": 19,
    "float8e5m2fnuz": 20,
    "uint4": 21,
    "int4": 22,
    "float4e2m1": 23,
    "float8e8m0": 24,
    "uint2": 25,
    "int2": 26,
    "float6e2m3": 27,
    "float6e3m2": 28,
}
DTYPE_NAMES: Mapping[int, str] = {number: name for name, number in DTYPES.items()}
CONSTRUCTORS = frozenset(("seq", "map", "optional", "sparse_tensor", "opaque"))
TYPE_WORDS = frozenset(DTYPES) | CONSTRUCTORS
FLOAT_WORDS = frozenset(("inf", "infinity", "nan"))

FLOAT, INT, STRING, TENSOR, GRAPH = 1, 2, 3, 4, 5
FLOATS, INTS, STRINGS, TENSORS, GRAPHS = 6, 7, 8, 9, 10
SPARSE_TENSOR, SPARSE_TENSORS, TYPE_PROTO, TYPE_PROTOS = 11, 12, 13, 14
ATTRIBUTE_TYPES: Mapping[str, int] = {
    "float": FLOAT,
    "int": INT,
    "string": STRING,
    "tensor": TENSOR,
    "graph": GRAPH,
    "floats": FLOATS,
    "ints": INTS,
    "strings": STRINGS,
    "tensors": TENSORS,
    "graphs": GRAPHS,
    "sparse_tensor": SPARSE_TENSOR,
    "sparse_tensors": SPARSE_TENSORS,
    "type_proto": TYPE_PROTO,
    "type_protos": TYPE_PROTOS,
}
ATTRIBUTE_TYPE_NAMES: Mapping[int, str] = {number: name for name, number in ATTRIBUTE_TYPES.items()}
LIST_OF: Mapping[int, int] = {
    FLOAT: FLOATS,
    INT: INTS,
    STRING: STRINGS,
    TENSOR: TENSORS,
    GRAPH: GRAPHS,
    SPARSE_TENSOR: SPARSE_TENSORS,
    TYPE_PROTO: TYPE_PROTOS,
}
ELEMENT_OF: Mapping[int, int] = {many: one for one, many in LIST_OF.items()}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text with their offsets; the last PADDING ones are empty and lie at the end."""

    words: list[str]
    starts: list[int]


def cut(text: str) -> Tokens:
    """The tokens of a text, without white space and comments."""
    parts: list[str] = _PARTS.findall(text)
    words = [part.rstrip(_BLANKS) for part in parts]
    starts = list(accumulate(map(len, parts), initial=0))
    if "#" in text or not all(words):
        kept = [word != "" and word[0] != "#" for word in words]
        words, starts = list(compress(words, kept)), list(compress(starts, kept))
    else:
        starts.pop()
    words.extend([""] * PADDING)
    starts.extend([len(text)] * PADDING)
    return Tokens(words, starts)


def unquote(word: str) -> str | None:
    """What a quoted string says; None where it is not closed."""
    if "\\" in word:
        return _ESCAPE.sub(r"\1", word[1:-1]) if _CLOSED.fullmatch(word) else None
    return word[1:-1] if len(word) > 1 and word[-1] == '"' else None


def quote(text: str) -> str:
    """A string as the syntax writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def is_plain(name: str) -> bool:
    """Whether a name needs no quotes anywhere but before a type."""
    return _PLAIN.fullmatch(name) is not None
