"""Writes docs/operators.md: what the registry knows of every operator in every version.

    python tools/make_operator_table.py            write the page
    python tools/make_operator_table.py --check    exit with 1 if it is not what the registry says

Nothing is stated by hand: outputs come from the rules' docstrings, types from the schemas, guards from the rules of
findings that a rule's code reaches, and elements from applying it to small tensors whose elements are known.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from rule_applications import applications

from onnxls import ops, schemas
from onnxls.ops.delegation import apply_standard
from onnxls.rules import Rule

PAGE = Path(__file__).parents[1] / "docs" / "operators.md"
TRIALS = 150
NEWEST = schemas.latest_opset("")
CONTROL = {"If", "Loop", "Scan", "SequenceMap"}

HEAD = """\
# Operators

What is known of each operator: one line for each rule, with the versions that it is for. Made by
`tools/make_operator_table.py` from the registry; `.ci/run` checks that it is up to date.

| column | says |
|---|---|
| versions | the versions of the standard in which the operator was introduced or changed, and which the rule covers |
| outputs | what the outputs are; their shapes follow from those of the inputs for every size, empty axes included |
| types | of the outputs, in order: a type, `as` the input of that name, or `rule` where the rule works it out |
| guards | what the operator needs of sizes and elements; each name is a page in [rules](rules/README.md) |
| elements | whether the elements of a small output are known where those of the inputs are (shapes that are computed) |

Every operator has what the standard asks of its graph as well: numbers of inputs and outputs, attributes and their
types, element types. `inputs` of a domain that is in no table are taken as they come, and nothing is known of the
outputs, unless [rules of your own](own-operators.md) say more.
"""


TAIL = """
## What stays unknown, and why

Sizes of outputs that no rule can give, because they depend on data; each is a symbol with bounds where there are some:

| operator | what |
|---|---|
| Compress, NonZero, Unique, NonMaxSuppression | how many elements are picked, differ or are kept |
| GatherND, ScatterND | the rank, where the length of an index is a symbol |
| ImageDecoder | height and width, which are in the file |
| StringNormalizer, StringSplit | how many strings are left, how many pieces there are |
| Loop | rows and carried sizes, where the condition is data or a value grows |
| If | what the branches do not agree on, where the condition is neither known nor a condition on sizes |
| Range of floats, Resize by scales | the count is made in floating point; it is known where all numbers are exact |
| Resize with `not_larger`, `not_smaller` | the axis that is the limit, unless all sizes are known |
| ConvTranspose, pools with `SAME_*` | where runtimes differ: a kernel shorter than its stride, dilated windows |

Guards that are missing on purpose, since runtimes or versions of one differ and a refusal would be a false alarm: an
empty sequence of keys in an attention, an image without pixels in a pool, broadcasting that only function bodies allow
(Attention-25), indices and labels that are data.
"""


def main() -> int:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser(description="Make the table of operators.")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    wanted = page()
    if not parser.parse_args().check:
        PAGE.write_text(wanted, encoding="utf-8", newline="\n")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == wanted:
        return 0
    sys.stderr.write(f"{PAGE.name} is stale: run tools/make_operator_table.py\n")
    return 1


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for domain in sorted({rule.domain for rule in ops.registered()}):
        rules = [rule for rule in ops.registered() if rule.domain == domain]
        names = {rule.name for rule in rules}
        parts.append(f"\n## {domain or 'ai.onnx'}\n\n{len(names)} operators, {len(rules)} rules.\n")
        parts.append("\n| operator | versions | outputs | types | guards | elements |\n|---|---|---|---|---|---|\n")
        parts += [f"| {' | '.join(_row(rule, upto))} |\n" for rule, upto in _with_ends(rules)]
    return "".join((*parts, TAIL))


def _with_ends(rules: Sequence[ops.OpRule]) -> Iterator[tuple[ops.OpRule, int | None]]:
    """Each rule, and the version with which the next rule of its operator takes over."""
    for rule, following in pairwise((*rules, None)):
        if rule is not None:
            yield rule, following.since if following is not None and following.name == rule.name else None


def _row(rule: ops.OpRule, upto: int | None) -> tuple[str, ...]:
    covered = [
        version
        for version in schemas.versions(rule.domain, rule.name)
        if version >= rule.since and (upto is None or version < upto)
    ]
    version = covered[0] if covered else rule.since
    guards = ", ".join(f"[{name}](rules/{name}.md)" for name in sorted(_guards(rule))) or "–"
    elements, typed = _shown(rule, covered or [rule.since])
    versions = ", ".join(str(each) for each in covered) or f"{rule.since}"
    return rule.name, versions, _summary(rule), _types(rule, version, typed), guards, "yes" if elements else "–"


def _summary(rule: ops.OpRule) -> str:
    """What the docstring says behind the name and the versions."""
    text = inspect.getdoc(rule.infer) or ""
    first = " ".join(text.split("\n\n")[0].split())
    return re.sub(r"^(ONNX|com|ai|Operators of|[A-Z]\w+ to [A-Z]|SimplifiedLayer)[^:]*: ", "", first).replace(
        "|", "\\|"
    )


def _types(rule: ops.OpRule, version: int, typed: bool) -> str:
    schema = schemas.lookup(rule.domain, rule.name, version)
    if schema is None:
        return "rule" if typed else "–"
    return ", ".join(_type(schema, place, typed) for place in range(len(schema.outputs))) or "–"


def _type(schema: schemas.Schema, place: int, typed: bool) -> str:
    output = schema.outputs[place]
    allowed = sorted(schema.allowed(output.type))
    if len(allowed) == 1:
        return allowed[0].removeprefix("tensor(").removesuffix(")") if allowed[0].startswith("tensor") else allowed[0]
    like = next((each.name for each in schema.inputs if each.type == output.type), None)
    if like is not None:
        return f"as {like}"
    return "rule" if typed or schema.name in CONTROL else "–"


def _shown(rule: ops.OpRule, versions: Sequence[int]) -> tuple[bool, bool]:
    """Whether applications of the rule give elements, and types."""
    elements = typed = False
    for version in {versions[0], versions[-1]}:
        for ctx in applications(rule, version, TRIALS):
            made = rule.infer(ctx)
            facts = made if isinstance(made, tuple) else (made,)
            elements |= any(fact.elements is not None for fact in facts)
            typed |= any(fact.dtype is not None for fact in facts)
    return elements, typed


def _guards(rule: ops.OpRule) -> set[str]:
    """The names of the findings that the code of a rule reaches."""
    found: set[str] = set()
    seen: set[int] = set()
    _reach(rule.infer, rule, found, seen)
    return found


def _reach(thing: Any, rule: ops.OpRule, found: set[str], seen: set[int]) -> None:
    if isinstance(thing, Rule):
        found.add(thing.name)
        return
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, Mapping):
        table = cast("Mapping[Any, Any]", thing)
        others = () if _by_operator(table) else tuple(table.values())
        _reach((table[rule.name],) if rule.name in table else others, rule, found, seen)
    elif isinstance(thing, tuple | list):
        for each in cast("Sequence[Any]", thing):
            _reach(each, rule, found, seen)
    elif isinstance(thing, types.FunctionType) and _is_ours(thing):
        closed = [cell.cell_contents for cell in thing.__closure__ or ()]
        for each in (*closed, *(thing.__defaults__ or ()), *_named(thing.__code__, thing.__globals__)):
            _reach(each, rule, found, seen)
        if apply_standard in _named(thing.__code__, thing.__globals__):
            _reach_standard(thing.__code__, rule, found, seen)
    elif isinstance(thing, type) and _is_ours(thing):
        for each in vars(thing).values():
            _reach(each.fget if isinstance(each, property) else each, rule, found, seen)


def _reach_standard(code: types.CodeType, rule: ops.OpRule, found: set[str], seen: set[int]) -> None:
    """The standard operators that a rule is a form of."""
    own = rule.name.removeprefix("QLinear")
    named = {each for each in code.co_consts if isinstance(each, str)}
    for name in {own} if ops.lookup("", own, NEWEST) else named:
        standard = ops.lookup("", name, NEWEST)
        if standard is not None:
            _reach(standard.infer, standard, found, seen)


def _by_operator(table: Mapping[Any, Any]) -> bool:
    return any(isinstance(key, str) and ops.lookup("", key, NEWEST) is not None for key in table)


def _is_ours(thing: Any) -> bool:
    return thing.__module__.startswith("onnxls.ops.") and thing.__module__ != "onnxls.ops.context"


def _named(code: types.CodeType, names: Mapping[str, Any]) -> list[Any]:
    """What the names in a piece of code, and in those nested in it, stand for."""
    found = [names[name] for name in code.co_names if name in names]
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            found += _named(each, names)
    return found


if __name__ == "__main__":
    sys.exit(main())
