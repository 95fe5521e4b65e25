"""The table of operator rules against the standard: nothing is missing, and no rule raises, whatever it is given."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from rule_applications import applications

from onnxls import ops, schemas
from onnxls.ops import OpRule

onnx = pytest.importorskip("onnx")

ROOT = Path(__file__).parents[1]
HISTORY = sorted({(s.domain, s.name, s.since_version) for s in onnx.defs.get_all_schemas_with_history()})

RENAMED = {("BatchNormalization", 14)}
"""Versions whose inputs are those of the version before under other names."""


def test_every_operator_has_a_rule_in_every_version() -> None:
    assert [each for each in HISTORY if ops.lookup(*each) is None] == []


def test_a_version_with_other_inputs_has_a_rule_of_its_own() -> None:
    """An attribute that became an input, and an input that went, change what the shape is computed from."""
    missing: list[tuple[str, int]] = []
    for domain, name in sorted({each[:2] for each in HISTORY}):
        versions = [schemas.lookup(domain, name, since) for since in schemas.versions(domain, name)]
        for before, after in pairwise(versions):
            assert before is not None
            assert after is not None
            old, new = [each.name for each in before.inputs], [each.name for each in after.inputs]
            became = set(before.attributes) & (set(new) - set(old))
            found = ops.lookup(domain, name, after.since)
            if (new[: len(old)] != old or became) and (found is None or found.since != after.since):
                missing.append((name, after.since))
    assert set(missing) == RENAMED


def test_a_rule_begins_with_a_version_of_its_operator() -> None:
    """Or with the first opset, where one rule has served from the start."""
    wrong = [
        (rule.name, rule.since)
        for rule in ops.registered()
        if rule.since != 1
        and schemas.versions(rule.domain, rule.name)
        and rule.since not in schemas.versions(rule.domain, rule.name)
    ]
    assert wrong == []


def test_the_contract_between_families_names_them_all() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (families,) = [each["modules"] for each in contracts if each["type"] == "independence"]
    assert sorted(families) == sorted(f"onnxls.ops.{family}" for family in ops.FAMILIES)


@pytest.mark.parametrize("domain", sorted({rule.domain for rule in ops.registered()}))
def test_no_rule_raises(domain: str) -> None:
    for rule in ops.registered():
        if rule.domain == domain:
            for version in _both_ends(rule):
                for ctx in applications(rule, version, 40):
                    rule.infer(ctx)


def _both_ends(rule: OpRule) -> set[int]:
    """The first and the last version that a rule is for."""
    covered = [
        version
        for version in schemas.versions(rule.domain, rule.name)
        if ops.lookup(rule.domain, rule.name, version) is rule
    ]
    return {covered[0], covered[-1]} if covered else {rule.since}
