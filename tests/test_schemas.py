"""The table of operator schemas says what onnx says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import helper
from onnx.defs import OpSchema, get_all_schemas_with_history

from onnxls import schemas

ROOT = Path(__file__).parents[1]
SCHEMAS = get_all_schemas_with_history()
ANY_NUMBER = 2**31 - 1

pytestmark = pytest.mark.skipif(
    onnx.__version__ != schemas.onnx_version(), reason="the table is made from another version of onnx"
)


def test_the_table_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_schemas.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_stale_table_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "analysis" / "onnxls").mkdir(parents=True)
    tool = tmp_path / "tools" / "make_schemas.py"
    tool.write_bytes((ROOT / "tools" / "make_schemas.py").read_bytes())
    (tmp_path / "analysis" / "onnxls" / "schemas.json").write_text("{}")
    result = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "stale" in result.stderr


def test_every_schema() -> None:
    for want in SCHEMAS:
        got = schemas.lookup(want.domain, want.name, want.since_version)
        assert got is not None
        assert (got.domain, got.name, got.since) == (want.domain, want.name, want.since_version)
        assert got.deprecated == want.deprecated
        check_parameters(got.inputs, want.inputs)
        check_parameters(got.outputs, want.outputs)
        assert (got.min_inputs, got.min_outputs) == (want.min_input, want.min_output)
        assert (got.max_inputs or 0, got.max_outputs or 0) == (finite(want.max_input), finite(want.max_output))
        assert {name: (a.type, a.required) for name, a in got.attributes.items()} == {
            name: (number(a.type), a.required) for name, a in want.attributes.items()
        }
        check_defaults(got, want)
        for constraint in want.type_constraints:
            assert got.allowed(constraint.type_param_str) == set(constraint.allowed_type_strs)


def check_parameters(got: tuple[schemas.Parameter, ...], want: Any) -> None:
    assert [(p.name, p.type, p.option, p.min_arity) for p in got] == [
        (p.name, p.type_str, p.option.name.lower(), p.min_arity) for p in want
    ]


def check_defaults(got: schemas.Schema, want: OpSchema) -> None:
    for name, attribute in want.attributes.items():
        default: Any = attribute.default_value
        if attribute.required or not default.type:
            assert got.attributes[name].default is None
            continue
        value: Any = helper.get_attribute_value(default)
        if isinstance(value, list):
            value = tuple(item.decode() if isinstance(item, bytes) else item for item in value)  # pyright: ignore
        assert got.attributes[name].default == (value.decode() if isinstance(value, bytes) else value)


def finite(count: int) -> int:
    return 0 if count == ANY_NUMBER else count


def number(kind: Any) -> int:
    return int(getattr(kind, "value", kind))


def test_versions() -> None:
    for domain in {schema.domain for schema in SCHEMAS}:
        names = sorted({schema.name for schema in SCHEMAS if schema.domain == domain})
        assert schemas.known_operators(domain) == tuple(names)
        for name in names:
            since = sorted(s.since_version for s in SCHEMAS if (s.domain, s.name) == (domain, name))
            assert schemas.versions(domain, name) == tuple(since)
    assert schemas.latest_opset("") == onnx.defs.onnx_opset_version()


@pytest.mark.parametrize(
    ("opset", "since"), [(0, None), (1, 1), (4, 1), (5, 5), (12, 5), (13, 13), (10**9, None), (-1, None)]
)
def test_lookup_takes_the_greatest_version_that_is_not_newer(opset: int, since: int | None) -> None:
    found = schemas.lookup("", "Reshape", opset)
    if opset > 10**6:
        since = schemas.versions("", "Reshape")[-1]
    assert (found and found.since) == since


def test_names_and_domains() -> None:
    assert schemas.lookup("ai.onnx", "Add", 14) is schemas.lookup("", "Add", 15)
    assert schemas.known_operators("ai.onnx") == schemas.known_operators("")
    assert schemas.lookup("com.microsoft", "Gelu", 1) is None
    assert schemas.lookup("", "NoSuchOperator", 17) is None
    assert schemas.known_operators("com.microsoft") == ()
    assert schemas.versions("com.microsoft", "Gelu") == ()
    assert schemas.latest_opset("com.microsoft") == 0
    upsample = schemas.lookup("", "Upsample", 17)
    assert upsample is not None
    assert upsample.deprecated


def test_types() -> None:
    for name, value in onnx.TensorProto.DataType.items():
        if name not in ("UNDEFINED", "DEFAULT"):
            assert schemas.dtype_of(f"tensor({name.lower()})") == value
            assert schemas.type_string(value) == f"tensor({name.lower()})"
    assert schemas.dtype_of("seq(tensor(float))") is None
    assert schemas.type_string(0) is None
    reshape = schemas.lookup("", "Reshape", 13)
    assert reshape is not None
    assert reshape.allowed("tensor(int64)") == {"tensor(int64)"}


def test_onnx_is_not_imported() -> None:
    code = "import sys; from onnxls import schemas; schemas.lookup('', 'Conv', 17); print('onnx' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
