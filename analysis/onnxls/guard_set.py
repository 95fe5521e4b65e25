"""The guards that a model carries: read and evaluated without any analysis (the format: docs/guards-format.md).

Quick to import, so nothing but the wire format is known here: no sizes as expressions, no rules, no onnx.
"""

from __future__ import annotations

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Literal

    import onnx

    Sizes = Mapping[str, int | Sequence[int]]
    Declared = Sequence[int | str | None] | None

KEY = "onnxls.guards"
"""The key of `metadata_props`."""

VERSION = 1

_METADATA, _KEY, _VALUE = 14 << 3 | 2, 1 << 3 | 2, 2 << 3 | 2
_MAX_DEPTH = 200


class StoredGuard:
    """A guard as it is stored. `kind`: "assert" or "expect"; see `onnxls.Guard`."""

    __slots__ = ("_test", "kind", "node", "reason", "text")

    def __init__(self, kind: Literal["assert", "expect"], text: str, test: object, node: str | None, reason: str):
        self.kind: Literal["assert", "expect"] = kind
        self.text = text
        self.node = node
        self.reason = reason
        self._test = test

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"StoredGuard({self.kind!r}, {self.text!r})"

    def symbols(self) -> frozenset[str]:
        """The raw names that `evaluate` needs."""
        return frozenset(_names(self._test))

    def at(self, sizes: Mapping[str, int]) -> str:
        """The condition with the values of its sides at these sizes; `?` for one without a value."""
        return _shown(self._test, sizes)

    def evaluate(self, sizes: Mapping[str, int]) -> bool:
        """Whether it holds at these sizes, by raw names. KeyError where one is missing."""
        for name in sorted(self.symbols()):
            if name not in sizes:
                raise KeyError(name)
        return _truth(self._test, sizes)


class StoredDecision:
    """What the guards say of one set of sizes: "run", "recompile" or "error", and the guards that fail there."""

    __slots__ = ("failed", "outcome")

    def __init__(self, outcome: Literal["run", "recompile", "error"], failed: tuple[StoredGuard, ...]):
        self.outcome: Literal["run", "recompile", "error"] = outcome
        self.failed = failed

    def __repr__(self) -> str:
        return f"StoredDecision({self.outcome!r}, {self.failed!r})"


class GuardSet:
    """The guards of a model, and the declared shapes of its inputs: integers, names of sizes, None."""

    __slots__ = ("guards", "inputs")

    def __init__(self, guards: tuple[StoredGuard, ...], inputs: Mapping[str, Declared]):
        self.guards = guards
        self.inputs = inputs

    def __iter__(self) -> Iterator[StoredGuard]:
        return iter(self.guards)

    def __len__(self) -> int:
        return len(self.guards)

    def check(self, sizes: Sizes) -> StoredDecision:
        """Whether the guards hold at these sizes of symbols (`N=2`) and inputs (`x=(2, 3)`).

        KeyError for a symbol that a guard needs and `sizes` lacks; more names are ignored.
        """
        known = self.bind(sizes)[0]
        failed = tuple(guard for guard in self.guards if not guard.evaluate(known))
        if not failed:
            return StoredDecision("run", failed)
        return StoredDecision("error" if failed[0].kind == "assert" else "recompile", failed)

    def bind(self, sizes: Sizes) -> tuple[dict[str, int], list[str]]:
        """The sizes of symbols; and where given shapes are not as the inputs are declared."""
        bound: dict[str, int] = {}
        problems: list[str] = []
        for name, given in sizes.items():
            if isinstance(given, int):
                _bind(name, given, bound, problems)
                continue
            shape = self.inputs.get(name)
            if shape is not None and len(shape) != len(given):
                problems.append(f"{name} has rank {len(shape)}, not {len(given)}")
                continue
            for axis, (dim, size) in enumerate(zip(shape or (), given, strict=False)):
                if isinstance(dim, str):
                    _bind(dim, size, bound, problems)
                elif dim is not None and dim != size:
                    problems.append(f"axis {axis} of {name} is {dim}, not {size}")
        return bound, problems


def _bind(name: str, size: int, bound: dict[str, int], problems: list[str]) -> None:
    if bound.setdefault(name, size) != size:
        problems.append(f"{name} is given two sizes, {bound[name]} and {size}")


def load_guards(model: str | os.PathLike[str] | bytes | onnx.ModelProto) -> GuardSet:
    """The guards that a model carries (`onnxls guards --write` put them there): a path, a ModelProto or its bytes.

    LookupError for a model that carries none, ValueError for what cannot be read, FileNotFoundError.
    """
    if isinstance(model, (str, os.PathLike)):
        text = _of_file(os.fspath(model))
    elif isinstance(model, (bytes, bytearray, memoryview)):
        text = _of_bytes(bytes(model))
    else:
        text = next((entry.value for entry in model.metadata_props if entry.key == KEY), None)
    if text is None:
        raise LookupError("the model carries no guards; `onnxls guards --write` puts them there")
    return read(text)


def read(text: str) -> GuardSet:
    """The guards of a stored text; ValueError where it is none."""
    try:
        content = json.loads(text)
        version = content["version"]
        if version != VERSION:
            raise ValueError(f"guards are stored in version {version}; this onnxls reads version {VERSION}")
        guards = tuple(_guard(each) for each in content["guards"])
        inputs = {str(name): None if shape is None else tuple(shape) for name, shape in content["inputs"].items()}
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"the stored guards cannot be read: {type(error).__name__}: {error}") from None
    return GuardSet(guards, inputs)


def _guard(entry: Any) -> StoredGuard:
    kind = entry["kind"]
    if kind not in ("assert", "expect"):
        raise ValueError(f"a stored guard is of the kind {kind!r}")
    test = entry["test"]
    _require_test(test, 0)
    return StoredGuard(kind, str(entry["condition"]), test, entry.get("node"), str(entry.get("reason", "")))


def _of_file(path: str) -> str | None:
    if os.path.splitext(path)[1].lower() != ".onnx":
        from onnxls.frontends.script.source import Sources
        from onnxls.loading import load

        loaded = load(path, None, Sources(None, ()))
        return None if loaded.model is None else loaded.model.metadata.get(KEY)
    from mmap import ACCESS_READ, mmap

    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            raise ValueError(f"{path} is empty")
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            return _of_bytes(data)


def _of_bytes(data: Any) -> str | None:
    """The stored text in the bytes of a model; of several, the last."""
    from onnxls.frontends.wire import fields

    found: str | None = None
    for tag, start, end in fields(data, 0, len(data)):
        if tag == _METADATA:
            entry = {inner: bytes(data[a:b]).decode("utf-8", "replace") for inner, a, b in fields(data, start, end)
                     if inner in (_KEY, _VALUE)}  # fmt: skip
            if entry.get(_KEY) == KEY:
                found = entry.get(_VALUE, "")
    return found


# ---------------------------------------------------------------- evaluation


def _require_test(test: Any, depth: int) -> None:
    """A test is `["and" | "or", test...]` or `["==" | "!=" | "<=" | "<", size, size]`."""
    sign, *parts = _list(test, depth)
    if sign in ("and", "or"):
        for part in parts:
            _require_test(part, depth + 1)
    elif sign in ("==", "!=", "<=", "<") and len(parts) == 2:
        for part in parts:
            _require_size(part, depth + 1)
    else:
        raise ValueError(f"a stored condition has the operation {sign!r}")


def _require_size(size: Any, depth: int) -> None:
    """A size is an integer, the name of one, or `[operation, size...]`."""
    if type(size) in (str, int):
        return
    sign, *parts = _list(size, depth)
    if sign not in _OPERATIONS or not parts or (sign in ("//", "%") and len(parts) != 2):
        raise ValueError(f"a stored size has the operation {sign!r}")
    for part in parts:
        _require_size(part, depth + 1)


def _list(value: Any, depth: int) -> list[Any]:
    if depth > _MAX_DEPTH or not isinstance(value, list) or not value:
        raise ValueError("a stored condition cannot be read")
    parts: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
    if type(parts[0]) is not str:
        raise ValueError("a stored condition cannot be read")
    return parts


def _names(part: Any) -> Iterator[str]:
    for each in part[1:]:
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            yield from _names(each)


def _truth(test: Any, sizes: Mapping[str, int]) -> bool:
    if test[0] == "and":
        return all(_truth(part, sizes) for part in test[1:])
    if test[0] == "or":
        return any(_truth(part, sizes) for part in test[1:])
    try:
        left, right = _size(test[1], sizes), _size(test[2], sizes)
    except ZeroDivisionError:
        return False
    if test[0] == "==":
        return left == right
    if test[0] == "!=":
        return left != right
    return left <= right if test[0] == "<=" else left < right


def _shown(test: Any, sizes: Mapping[str, int]) -> str:
    if test[0] in ("and", "or"):
        parts = [_shown(part, sizes) for part in test[1:]]
        return f" {test[0]} ".join(
            f"({text})" if part[0] in ("and", "or") else text for text, part in zip(parts, test[1:], strict=True)
        )
    sides: list[str] = []
    for size in test[1:]:
        try:
            sides.append(str(_size(size, sizes)))
        except (KeyError, ZeroDivisionError):
            sides.append("?")
    return f" {test[0]} ".join(sides)


def _size(size: Any, sizes: Mapping[str, int]) -> int:
    if isinstance(size, str):
        return sizes[size]
    if isinstance(size, int):
        return size
    return _OPERATIONS[size[0]](*(_size(part, sizes) for part in size[1:]))


def _sum(*values: int) -> int:
    return sum(values)


def _product(*values: int) -> int:
    made = 1
    for value in values:
        made *= value
    return made


def _quotient(left: int, right: int) -> int:
    return left // right


def _remainder(left: int, right: int) -> int:
    return left % right


def _broadcast(*values: int) -> int:
    return next((value for value in values if value != 1), 1)


_OPERATIONS = {
    "+": _sum,
    "*": _product,
    "//": _quotient,
    "%": _remainder,
    "max": max,
    "min": min,
    "broadcast": _broadcast,
}
