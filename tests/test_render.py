"""Each format against its published structure, and that no text from a model reaches a terminal as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from fake_engine import RULES, finding, in_full
from onnxls.diagnostics import Diagnostic, Edit, Fix, Related
from onnxls.spans import Location, Span
from onnxls_server.render import FORMATS, Findings, render

HOSTILE = 'a\x1b[31m\x07"<&>]]>%::,\n\ud800\u202e'
SOURCE = "first = 1\nsecond = op.Reshape(x, [6, -1])\n\tthird = 'é漢' + fault\n"


def findings(
    *found: Diagnostic, source: Callable[[str], str | None] = lambda _: SOURCE, colour: bool = False
) -> Findings:
    return Findings(
        found,
        files=["model.onnx", "clean.onnx"],
        rules={rule.name: rule for rule in RULES},
        source=source,
        colour=colour,
        version="1.2.3",
    )


def test_full_of_a_binary_model() -> None:
    assert render("full", findings(in_full())) == (
        "warning[reshape-not-divisible]: H*N elements do not divide by 6\n"
        " --> model.onnx: node to_grid (Reshape)\n"
        "  | graph/node[3]:Reshape(to_grid)\n"
        "  = must hold: H*N % 6 == 0\n"
        "  = runs for H = 6, N = 1\n"
        "  = fails for H = 1, N = 1\n"
        "  = note: x has shape [N, H]\n"
        " --> model.onnx: node conv (Conv)\n"
        "  | graph/node[1]:Conv(conv)\n"
        "  = help: The inferred dimension is no integer for every size.\n"
        "  = help: `onnxls rule reshape-not-divisible` says more\n"
        "\n"
        "Found 1 warning in 2 files.\n"
    )


def test_full_of_a_source() -> None:
    found = replace(
        finding(path="f.py", line=2),
        location=Location("f.py", 2, 10, 2, 32),
        related=(Related(Location("f.py", 1, 1, 1, 6), "bound here"),),
        fixes=(Fix("Write [6, 2]", (Edit("f.py", Span(0, 1), "x"),)),),
    )
    assert render("full", findings(found)) == (
        "error[reshape-size-mismatch]: 4*N elements cannot become 7\n"
        " --> f.py:2:10\n"
        "  |\n"
        "2 | second = op.Reshape(x, [6, -1])\n"
        "  |          ^^^^^^^^^^^^^^^^^^^^^^\n"
        "  = note: bound here\n"
        " --> f.py:1:1\n"
        "  |\n"
        "1 | first = 1\n"
        "  | -----\n"
        "  = help: Write [6, 2]\n"
        "  = help: `onnxls rule reshape-size-mismatch` says more\n"
        "\n"
        "Found 1 error in 2 files.\n"
    )


def test_full_underlines_by_columns_of_the_terminal() -> None:
    found = replace(finding(path="f.py", line=3), location=Location("f.py", 3, 17, 3, 22))
    lines = render("full", findings(found)).splitlines()
    assert lines[3] == "3 |     third = 'é漢' + fault"
    assert lines[4] == "  |                     ^^^^^"


def test_full_cuts_long_lines() -> None:
    text = "x" * 5000 + " fault " + "y" * 5000
    found = replace(finding(path="f.py", line=1), location=Location("f.py", 1, 5002, 1, 5007))
    lines = render("full", findings(found, source=lambda _: text)).splitlines()
    shown, underline = lines[3], lines[4]
    assert len(shown) < 120
    assert shown[underline.index("^") : underline.rindex("^") + 1] == "fault"


@pytest.mark.parametrize(
    "location", [Location("f.py", 99, 1, 99, 2), Location("f.py", 2, 500, 2, 600), Location("f.py", 1, 3, 3, 2)]
)
def test_full_bears_places_that_do_not_fit_the_text(location: Location) -> None:
    assert f"f.py:{location.line}" in render("full", findings(replace(finding(), location=location)))


def test_full_in_colour() -> None:
    text = render("full", findings(in_full(), colour=True))
    assert "\x1b[1;33mwarning[reshape-not-divisible]\x1b[0m" in text


def test_the_closing_line() -> None:
    assert render("full", findings()) == "No faults found in 2 files.\n"
    assert render("full", replace(findings(), hidden=1)) == (
        "No faults found in 2 files. (1 note hidden; --verbose shows it)\n"
    )
    found = findings(finding(), finding(), in_full(), finding(severity="information"))
    closing = render("full", replace(found, hidden=3, covered=2)).splitlines()[-1]
    assert closing == (
        "Found 2 errors, 1 warning, 1 note in 2 files. (3 notes hidden; --verbose shows them; 2 in the baseline)"
    )


def test_concise() -> None:
    found = findings(finding(), finding(path="a/f.py", line=2), replace(finding(), location=Location("m.onnx")))
    assert render("concise", found) == (
        "model.onnx:graph/node[3]:Reshape(to_grid): OLS101 4*N elements cannot become 7 [reshape-size-mismatch]\n"
        "a/f.py:2:5: OLS101 4*N elements cannot become 7 [reshape-size-mismatch]\n"
        "m.onnx: OLS101 4*N elements cannot become 7 [reshape-size-mismatch]\n"
    )


def test_json_has_every_field() -> None:
    found = replace(in_full(), fixes=(Fix("Write 6", (Edit("f.py", Span(1, 2), "6"), Edit("m", None, "6", "t"))),))
    assert json.loads(render("json", findings(found))) == {
        "version": 1,
        "diagnostics": [
            {
                "rule": "reshape-not-divisible",
                "code": "OLS102",
                "severity": "warning",
                "message": "H*N elements do not divide by 6",
                "location": {
                    "path": "model.onnx",
                    "line": None,
                    "column": None,
                    "end_line": None,
                    "end_column": None,
                    "graph_path": "graph/node[3]:Reshape(to_grid)",
                },
                "related": [
                    {
                        "location": {
                            "path": "model.onnx",
                            "line": None,
                            "column": None,
                            "end_line": None,
                            "end_column": None,
                            "graph_path": "graph/node[1]:Conv(conv)",
                        },
                        "message": "x has shape [N, H]",
                    }
                ],
                "node": "to_grid",
                "value": "y",
                "verdict": "may-fail",
                "guard": {
                    "kind": "assert",
                    "condition": "H*N % 6 == 0",
                    "node": "to_grid",
                    "reason": "Reshape to [6, -1]",
                },
                "passing": {"H": 6, "N": 1},
                "failing": {"H": 1, "N": 1},
                "fixes": [
                    {
                        "title": "Write 6",
                        "edits": [
                            {"path": "f.py", "span": {"start": 1, "end": 2}, "text": "6", "target": None},
                            {"path": "m", "span": None, "text": "6", "target": "t"},
                        ],
                    }
                ],
                "proof": None,
            }
        ],
    }


def test_github_commands() -> None:
    found = replace(
        finding(path="a,b:c.py", line=2, message="100% wrong\nhere", severity="information"), passing={"N": 1}
    )
    assert render("github", findings(found, finding())) == (
        "::notice title=onnxls OLS101 reshape-size-mismatch,file=a%2Cb%3Ac.py,line=2,col=5,endLine=2,endColumn=9"
        "::100%25 wrong here%0Aruns for N = 1\n"
        "::error title=onnxls OLS101 reshape-size-mismatch,file=model.onnx"
        "::node to_grid (Reshape):%0A4*N elements cannot become 7\n"
    )


def test_gitlab_fingerprints_are_stable_and_unique() -> None:
    first = finding(path="f.py", line=2, message="7 elements")
    moved = finding(path="f.py", line=9, message="8 elements")
    other = finding(path="f.py", line=2, message="7 dims")
    issues = json.loads(render("gitlab", findings(first, moved, other)))
    assert issues[0] == {
        "description": "7 elements",
        "check_name": "reshape-size-mismatch",
        "fingerprint": issues[0]["fingerprint"],
        "severity": "major",
        "location": {"path": "f.py", "lines": {"begin": 2, "end": 2}},
    }
    assert len({issue["fingerprint"] for issue in issues}) == 3
    assert json.loads(render("gitlab", findings(moved)))[0]["fingerprint"] == issues[0]["fingerprint"]
    assert issues[1]["fingerprint"].startswith(issues[0]["fingerprint"])
    assert not issues[2]["fingerprint"].startswith(issues[0]["fingerprint"])


def test_junit_suites() -> None:
    found = findings(finding(), in_full(), finding(severity="hint"))
    top = ElementTree.fromstring(render("junit", found))
    assert top.tag == "testsuites"
    assert top.attrib == {"name": "onnxls", "tests": "4", "failures": "2", "errors": "0"}
    first, clean = top.findall("testsuite")
    assert first.attrib == {"name": "model.onnx", "tests": "3", "failures": "2", "errors": "0", "skipped": "0"}
    cases = first.findall("testcase")
    assert [case.get("name") for case in cases] == [
        "reshape-size-mismatch",
        "reshape-not-divisible",
        "reshape-size-mismatch",
    ]
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "4*N elements cannot become 7"
    assert failure.get("type") == "error"
    assert cases[2].find("failure") is None
    assert [case.get("name") for case in clean.findall("testcase")] == ["no faults"]


def test_sarif_log() -> None:
    text = finding("slice-past-end", path="dir/a b.py", line=2, severity="information")
    log = json.loads(render("sarif", findings(text, in_full())))
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "onnxls"
    assert driver["version"] == "1.2.3"
    assert [rule["id"] for rule in driver["rules"]] == ["OLS102", "OLS201"]
    assert driver["rules"][0]["name"] == "reshape-not-divisible"
    assert driver["rules"][0]["help"]["markdown"].startswith("The inferred dimension")
    assert driver["rules"][0]["defaultConfiguration"] == {"level": "error"}
    first, second = run["results"]
    assert [result["level"] for result in run["results"]] == ["note", "warning"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "dir/a%20b.py"},
                "region": {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 9},
            }
        }
    ]
    assert second["locations"][0]["logicalLocations"] == [
        {
            "name": "node to_grid (Reshape)",
            "fullyQualifiedName": "graph/node[3]:Reshape(to_grid)",
            "kind": "element",
        }
    ]
    assert second["relatedLocations"][0]["message"] == {"text": "x has shape [N, H]"}
    assert second["properties"]["guard"]["condition"] == "H*N % 6 == 0"


@pytest.mark.parametrize("output_format", FORMATS)
def test_hostile_names_stay_data(output_format: str) -> None:
    found = replace(
        in_full(),
        message=HOSTILE,
        node=HOSTILE,
        location=Location(HOSTILE, graph_path=f"graph/node[0]:{HOSTILE}({HOSTILE})"),
        related=(Related(Location(HOSTILE, graph_path=HOSTILE), HOSTILE),),
        passing={HOSTILE: 1},
    )
    text = render(output_format, replace(findings(found), files=[HOSTILE]))
    assert "\x1b" not in text
    assert "\x07" not in text
    if output_format in ("json", "gitlab", "sarif"):
        json.loads(text)
    elif output_format == "junit":
        ElementTree.fromstring(text)
    else:
        text.encode()
        assert "\u202e" not in text
    if output_format in ("concise", "github"):
        assert text.count("\n") == 1


@pytest.mark.parametrize("output_format", FORMATS)
def test_nothing_found(output_format: str) -> None:
    text = render(output_format, Findings(()))
    if output_format in ("json", "gitlab", "sarif"):
        json.loads(text)
    elif output_format == "junit":
        ElementTree.fromstring(text)


@pytest.mark.parametrize(
    ("graph_path", "shown"),
    [
        ("graph/node[3]:Reshape(to_grid)", "node to_grid (Reshape)"),
        ("graph/node[3]:Reshape(/model/a/Reshape)", "node /model/a/Reshape (Reshape)"),
        ("graph/node[3]:Reshape", "node 3 (Reshape)"),
        ("graph/node[3]:If(x)/then_branch/node[0]:Add(b)", "node b (Add)"),
        ("graph/input[x]", "graph/input[x]"),
        ("graph/node[3]:If(x)/then_branch", "graph/node[3]:If(x)/then_branch"),
    ],
)
def test_places_in_a_model(graph_path: str, shown: str) -> None:
    found = replace(finding(), location=Location("m.onnx", graph_path=graph_path))
    assert f" --> m.onnx: {shown}\n" in render("full", findings(found))
