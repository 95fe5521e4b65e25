"""Writes analysis/onnxls/schemas.json from the operator schemas of the installed onnx.

    python tools/make_schemas.py            write the table
    python tools/make_schemas.py --check    exit with 1 if it is not what the installed onnx says

One operator a line, so that a new onnx release reads as a short difference. The layout is described in
`onnxls.schemas`, its only reader.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import onnx
from onnx.defs import OpSchema, get_all_schemas_with_history, onnx_opset_version

TABLE = Path(__file__).parents[1] / "analysis" / "onnxls" / "schemas.json"
ABOUT = (
    "Operator schemas of ONNX (https://github.com/onnx/onnx), Copyright (c) ONNX Project Contributors, "
    "licensed under Apache-2.0. Made by tools/make_schemas.py."
)
OPTIONS = (OpSchema.FormalParameterOption.Single, OpSchema.FormalParameterOption.Optional)


def main() -> int:
    """Writes or checks the table."""
    parser = argparse.ArgumentParser(description="Make the table of operator schemas.")
    parser.add_argument("--check", action="store_true", help="only say whether the table is up to date")
    wanted = table()
    if not parser.parse_args().check:
        TABLE.write_text(wanted, encoding="utf-8", newline="\n")
        return 0
    if TABLE.exists() and TABLE.read_text(encoding="utf-8") == wanted:
        return 0
    sys.stderr.write(f"{TABLE.name} is stale: run tools/make_schemas.py (with onnx {onnx.__version__})\n")
    return 1


def table() -> str:
    """The text of the table."""
    schemas = sorted(get_all_schemas_with_history(), key=lambda s: (s.domain, s.name, s.since_version))
    type_sets: dict[str, int] = {}
    operators: dict[str, dict[str, list[Any]]] = {}
    newest: dict[str, int] = {}
    for schema in schemas:
        versions = operators.setdefault(schema.domain, {}).setdefault(schema.name, [])
        versions.append(_version(schema, type_sets))
        newest[schema.domain] = max(newest.get(schema.domain, 1), schema.since_version)
    newest[""] = onnx_opset_version()
    head = {"about": ABOUT, "onnx": onnx.__version__, "opsets": newest}
    lines = [f'"{key}":{_json(value)}' for key, value in head.items()]
    lines.append(f'"type_sets":[\n{_lines(_json(text) for text in type_sets)}\n]')
    domains = [f"{_json(domain)}:{{\n{_lines(_operators(named))}\n}}" for domain, named in operators.items()]
    lines.append('"operators":{\n' + ",\n".join(domains) + "\n}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _operators(named: dict[str, list[Any]]) -> list[str]:
    return [f"{_json(name)}:{_json(versions)}" for name, versions in named.items()]


def _lines(texts: Any) -> str:
    return ",\n".join(texts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _version(schema: OpSchema, type_sets: dict[str, int]) -> list[Any]:
    constraints = {
        constraint.type_param_str: type_sets.setdefault("|".join(constraint.allowed_type_strs), len(type_sets))
        for constraint in schema.type_constraints
    }
    return [
        schema.since_version,
        int(schema.deprecated),
        [_parameter(parameter) for parameter in schema.inputs],
        [_parameter(parameter) for parameter in schema.outputs],
        [_attribute(schema.attributes[name]) for name in sorted(schema.attributes)],
        constraints,
    ]


def _parameter(parameter: OpSchema.FormalParameter) -> list[Any]:
    if parameter.option in OPTIONS:
        option = OPTIONS.index(parameter.option)
        return [parameter.name, parameter.type_str, option] if option else [parameter.name, parameter.type_str]
    return [parameter.name, parameter.type_str, 2, parameter.min_arity]


def _attribute(attribute: OpSchema.Attribute) -> list[Any]:
    kind = getattr(attribute.type, "value", attribute.type)
    if attribute.required:
        return [attribute.name, kind, 1]
    default = attribute.default_value
    if not default.type:
        return [attribute.name, kind]
    value = onnx.helper.get_attribute_value(default)
    return [attribute.name, kind, 0, _plain(value)] if _is_plain(value) else [attribute.name, kind]


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return [_plain(item) for item in _items(value)] if isinstance(value, list) else value


def _is_plain(value: Any) -> bool:
    return all(map(_is_plain, _items(value))) if isinstance(value, list) else isinstance(value, int | float | bytes)


def _items(value: Any) -> list[Any]:
    return value


if __name__ == "__main__":
    sys.exit(main())
