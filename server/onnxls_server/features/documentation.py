"""What the ONNX standard says about an operator, in words. onnx is imported when it is first asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from inspect import cleandoc

MAX_LENGTH = 2_500
_PARAGRAPHS = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Documentation:
    """The description of an operator in one version, and of its parameters by name. All texts are Markdown."""

    text: str
    url: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    attributes: Mapping[str, str]


@lru_cache(maxsize=512)
def documentation(domain: str, op_type: str, since: int) -> Documentation | None:
    """The documentation of an operator as of the opset in which its version began; None where there is none."""
    try:
        from onnx import defs

        schema = defs.get_schema(op_type, since, domain)
    except Exception:
        return None
    return Documentation(
        _shortened(_clean(schema.doc or "")),
        operator_url(domain, op_type),
        {each.name: _clean(each.description) for each in schema.inputs},
        {each.name: _clean(each.description) for each in schema.outputs},
        {name: _clean(each.description) for name, each in schema.attributes.items()},
    )


def operator_url(domain: str, op_type: str) -> str:
    """The page of an operator of the standard."""
    prefix = "".join(part for part in domain.split(".") if part)
    return f"https://onnx.ai/onnx/operators/onnx_{prefix}_{op_type}.html"


def _clean(text: str) -> str:
    return _PARAGRAPHS.sub("\n\n", cleandoc(text).strip())


def _shortened(text: str) -> str:
    """A long text up to the end of a paragraph, with no code block left open."""
    if len(text) <= MAX_LENGTH:
        return text
    cut = text.rfind("\n\n", 0, MAX_LENGTH)
    text = text[: cut if cut > 0 else MAX_LENGTH].rstrip()
    return f"{text}\n```\n\n…" if text.count("```") % 2 else f"{text}\n\n…"
