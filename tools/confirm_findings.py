"""Tries every finding about sizes in some models by running: exit status 1 where onnxls is refuted.

confirm_findings.py PATH...          models, folders of models and sources, folders of cases (`NAME.py` with `model()`)
confirm_findings.py PATH... --list   the findings as a Markdown table, with the proof of each (docs/corpus-findings.md)

Errors and warnings are tried. Each line of the summary is a finding that was refuted or could not be tried.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import onnxls
from onnxls_server.confirm import confirm
from onnxls_server.engine import Request
from onnxls_server.trial.client import Trial


def main() -> int:
    """Tries the findings of all models that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="a Markdown table of all findings and their proofs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Trial() as trial:
        models = [each for path in options.paths for each in found_models(path, Path(folder))]
        tried = [(name, found) for name, path in models for found in findings(path, trial)]
    counts = Counter(found.proof.outcome for _, found in tried if found.proof is not None)
    if options.list:
        write_table(tried, len(models))
    else:
        for name, found in tried:
            if found.proof is not None and found.proof.outcome != "confirmed":
                sys.stdout.write(f"{found.proof.outcome}: {name}: {found.message}: {found.proof.text}\n")
        told = ", ".join(f"{counts[outcome]} {outcome}" for outcome in ("confirmed", "refuted", "untried"))
        sys.stdout.write(f"{told}, in {len(models)} models\n")
    return 1 if counts["refuted"] else 0


def found_models(path: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """The models at a path, each with a name; cases are written into a folder as models."""
    if path.is_file():
        yield path.name, path
        return
    for each in sorted((*path.rglob("*.onnx"), *path.rglob("*.py"))):
        if each.suffix == ".onnx" or not each.with_suffix(".json").exists():
            yield each.relative_to(path).as_posix(), each
    for each in sorted(path.glob("*.json")):
        case = each.with_suffix(".py")
        if case.exists():
            spec = importlib.util.spec_from_file_location(f"case_{case.stem}", case)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            made = folder / f"{case.stem}.onnx"
            made.write_bytes(module.model().SerializeToString())
            yield case.stem, made


def findings(path: Path, trial: Trial) -> list[onnxls.Diagnostic]:
    """The errors and warnings of a model, with what became of each when it was run."""
    loud = [each for each in onnxls.analyze(path).diagnostics if each.severity in ("error", "warning")]
    return confirm(loud, os.fspath(path), None, Request(), trial)


def write_table(tried: list[tuple[str, onnxls.Diagnostic]], models: int) -> None:
    """All findings of the models, by model."""
    sys.stdout.write(f"{len(tried)} findings in {models} models.\n\n")
    sys.stdout.write("| model | finding | condition | proof |\n|---|---|---|---|\n")
    for name, found in tried:
        proof = "not about sizes" if found.proof is None else f"{found.proof.outcome}: {found.proof.text}"
        cells = (name, f"{found.severity}: {found.message}", str(found.guard or ""), proof)
        sys.stdout.write("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n")


if __name__ == "__main__":
    sys.exit(main())
