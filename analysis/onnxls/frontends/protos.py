"""A model written as protobuf text or as JSON: parsed by protobuf's own libraries, then read like a binary model.

onnx and protobuf are imported only when such a text is read. Whatever is wrong is one diagnostic, at the line and
column that the parser gives.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

from onnxls.diagnostics import Diagnostic
from onnxls.frontends.external import External
from onnxls.frontends.model import read_model
from onnxls.frontends.model_faults import TOO_DEEP, UNREADABLE
from onnxls.graph import Model
from onnxls.rules import Rule
from onnxls.spans import Location

Outcome = tuple[Model | None, tuple[Diagnostic, ...]]

_LONGEST_REASON = 300


def read_textproto(text: str, path: str, external: External | None = None) -> Outcome:
    """The model in protobuf's text format (`.textproto`, `.pbtxt`)."""
    from google.protobuf import text_format
    from onnx import ModelProto

    try:
        model = text_format.Parse(text, ModelProto())
    except text_format.ParseError as error:
        reason = re.sub(r"^\d+:\d+ : ", "", str(error))
        return _refused(UNREADABLE, path, reason, error.GetLine(), error.GetColumn())
    except RecursionError:
        return _refused(TOO_DEEP, path, "messages are nested too deep")
    return _read(model, path, external)


def read_json(text: str, path: str, external: External | None = None) -> Outcome:
    """The model in protobuf's JSON form (`.json`, `.onnxjson`)."""
    from google.protobuf import json_format
    from onnx import ModelProto

    try:
        content = json.loads(text)
        if not isinstance(content, dict):
            return _refused(UNREADABLE, path, "the JSON text is no object, so no model")
        model = json_format.ParseDict(cast("dict[str, Any]", content), ModelProto())
    except json.JSONDecodeError as error:
        return _refused(UNREADABLE, path, error.msg, error.lineno, error.colno)
    except RecursionError:
        return _refused(TOO_DEEP, path, "messages are nested too deep")
    except (json_format.ParseError, ValueError, TypeError, AttributeError) as error:
        rule = TOO_DEEP if "too deep" in str(error) else UNREADABLE
        return _refused(rule, path, re.sub(r"(Failed to parse \w+ field: )+", "", str(error)))
    return _read(model, path, external)


def _read(model: Any, path: str, external: External | None) -> Outcome:
    from google.protobuf.message import EncodeError

    try:
        data = model.SerializeToString()
    except (EncodeError, ValueError) as error:
        return _refused(UNREADABLE, path, str(error))
    if not data:
        return _refused(UNREADABLE, path, "there is nothing in the text")
    return read_model(data, path, external)


def _refused(about: Rule, path: str, reason: str, line: int | None = None, column: int | None = None) -> Outcome:
    first = reason.strip().partition("\n")[0]
    short = first if len(first) <= _LONGEST_REASON else first[: _LONGEST_REASON - 3] + "..."
    printable = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in short)
    message = f"the text cannot be read as an ONNX model: {printable}"
    return None, (Diagnostic(about.name, about.code, about.severity, message, Location(path, line, column)),)
