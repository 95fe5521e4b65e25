"""The one door from the command line to the analysis. Nothing of the analysis is imported before it is asked for.

The commands speak to the `Engine` protocol, so that they run on anything that answers it.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, cast

from onnxls_server.sizes import Hints

if TYPE_CHECKING:
    from onnxls import assembly
    from onnxls.diagnostics import Diagnostic, Edit
    from onnxls.facts import Fact
    from onnxls.relations import Decision, Guard
    from onnxls.report import Options
    from onnxls.rules import Rule
    from onnxls.units import Unit
    from onnxls_server.config import Settings
    from onnxls_server.seen import Seen


class UnsupportedKindError(Exception):
    """The file is of no kind that can be analysed."""


class BadRequestError(Exception):
    """An assumption that cannot be parsed, or another wish that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is wished of one analysis besides the file; picklable.

    `strict_hints`: the hints are for this file alone, so a name that it lacks is a fault.
    """

    hints: Hints = field(default_factory=dict[str, "int | tuple[int, ...]"])
    assume: tuple[str, ...] = ()
    empty_axes: bool = False
    expression_names: str = "claim"
    operators: Mapping[str, str] = field(default_factory=dict[str, str])
    strict_hints: bool = False
    deep: bool = False


def wished(settings: Settings) -> Request:
    """What the settings of a file ask of its analysis."""
    return Request(
        settings.hints,
        settings.assume,
        settings.empty_axes,
        settings.expression_names,
        settings.operators,
        deep=settings.deep,
    )


class UnitLike(Protocol):
    """A model, or a function of a source."""

    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> Sequence[str]: ...
    @property
    def outputs(self) -> Sequence[str]: ...
    @property
    def values(self) -> Mapping[str, Fact]: ...
    @property
    def guards(self) -> Sequence[Guard]: ...
    def check(self, sizes: Hints) -> Decision: ...
    def bind(self, sizes: Hints) -> tuple[dict[str, int], list[str]]: ...


class ReportLike(Protocol):
    """The result of one analysis."""

    @property
    def units(self) -> Sequence[UnitLike]: ...
    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...


class Engine(Protocol):
    """What the commands need of the analysis. An engine is picklable, for `check --jobs`."""

    def identity(self) -> str | None:
        """What changes when the analysis does; None where its results shall not be kept."""
        ...

    def analyze(self, path: str, request: Request, seen: Seen | None = None) -> ReportLike:
        """Notes in `seen` what else it looks at. Raises FileNotFoundError, UnsupportedKindError or BadRequestError."""
        ...

    def analyze_text(self, text: str, path: str, request: Request) -> ReportLike:
        """The same for unsaved text; `path` gives the kind."""
        ...

    def trusted(self, path: str, request: Request, told: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Runs a source; what was told of its text, and what its exact models say beside."""
        ...

    def annotated_text(self, path: str, request: Request) -> str:
        """The model as annotated text."""
        ...

    def write_shapes(self, model: str, out: str) -> tuple[str, ...]:
        """Writes the model with its shapes; the names of the files with external data that it refers to."""
        ...

    def write_guards(self, model: str, out: str, request: Request) -> None:
        """Writes the model with its guards stored in it."""
        ...

    def repair_model(self, model: str, edits: Sequence[Edit], out: str) -> tuple[str, ...]:
        """Writes a copy of a model with the edits of fixes made; what `write_shapes` gives."""
        ...

    def rules(self) -> Sequence[Rule]:
        """All rules, by code."""
        ...

    def rule(self, name: str) -> Rule | None:
        """The rule of a name; loads no more than that takes."""
        ...

    def opset(self) -> int:
        """The newest version of the default operator set that is known."""
        ...


_DECLARING = (
    "onnxls.project",
    "onnxls.frontends.text",
    "onnxls.frontends.protos",
    "onnxls_server.session.limits",
    "onnxls_server.trusted.compare",
)
"""The modules that declare rules, with what they import; some are not imported before they are needed."""


class OnnxlsEngine:
    """The analysis of the package `onnxls`."""

    def identity(self) -> str | None:
        from onnxls_server.identity import identity

        return identity()

    def analyze(self, path: str, request: Request, seen: Seen | None = None) -> ReportLike:
        from onnxls.loading import read_file
        from onnxls.ops.own import loaded_files
        from onnxls.workspace import Workspace

        def read(path: str) -> str | None:
            if seen is not None:
                seen.look(path)
            return read_file(path)

        with _translated():
            report = Workspace(_roots(), read).analyze(path, asked(request))
        if seen is not None:
            external = report.loaded.external
            for other in (*(external.wanted() if external is not None else ()), *loaded_files()):
                seen.look(other)
        return report

    def analyze_text(self, text: str, path: str, request: Request) -> ReportLike:
        from onnxls.workspace import Workspace

        with _translated():
            return Workspace(_roots()).analyze_text(text, path, asked(request))

    def trusted(self, path: str, request: Request, told: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        from onnxls.report import sort_key
        from onnxls.workspace import Workspace
        from onnxls_server.trusted.compare import trusted

        with _translated():
            found = trusted(path, Workspace(_roots()), asked(request), told)
        return tuple(sorted((*told, *found), key=sort_key))

    def annotated_text(self, path: str, request: Request) -> str:
        from onnxls.listing import annotated_text

        with _translated():
            return annotated_text(path, request.hints, request.assume)

    def write_shapes(self, model: str, out: str) -> tuple[str, ...]:
        from warnings import catch_warnings, simplefilter

        import onnxls
        from onnxls_server.model_writer import external_files, save

        with catch_warnings(), _translated():
            simplefilter("ignore")  # onnx calls its own text form experimental
            inferred = onnxls.infer_shapes(model)
            save(inferred, out)
        return external_files(inferred)

    def write_guards(self, model: str, out: str, request: Request) -> None:
        from onnxls.expressions import parse_condition
        from onnxls.guard_storage import dump
        from onnxls_server.model_writer import save_with_guards

        unit = self.analyze(model, request).units[0]
        assumed = [parse_condition(text) for text in request.assume]
        save_with_guards(model, out, dump(cast("Unit", unit), assumed))

    def repair_model(self, model: str, edits: Sequence[Edit], out: str) -> tuple[str, ...]:
        import onnx

        from onnxls_server.model_repair import repair_model
        from onnxls_server.model_writer import external_files, save

        made = onnx.load_model(model, load_external_data=False)  # pyright: ignore[reportUnknownMemberType]
        repair_model(made, edits)
        save(made, out)
        return external_files(made)

    def rules(self) -> Sequence[Rule]:
        from importlib import import_module

        from onnxls import ops
        from onnxls.rules import declared

        for declaring in _DECLARING:
            import_module(declaring)
        ops.registered()
        return declared()

    def rule(self, name: str) -> Rule | None:
        from onnxls.rules import find

        found = find(name)
        return found or next((each for each in self.rules() if each.name == name), None)

    def opset(self) -> int:
        from onnxls.schemas import latest_opset

        return latest_opset("")


def options_of(request: Request) -> Options:
    """The engine's options."""
    from onnxls.report import Options

    trust = request.expression_names == "trust"
    return Options(empty_axes=request.empty_axes, trust_names=trust, deep=request.deep, operators=request.operators)


def asked(request: Request) -> assembly.Request:
    """The request in the words of the analysis."""
    from onnxls.assembly import Request as Asked
    from onnxls.project import parse_assumptions

    assume = parse_assumptions(request.assume)
    return Asked(request.hints, assume, options_of(request), shared_hints=not request.strict_hints)


def _roots() -> tuple[str, ...]:
    """The folders that imports resolve from, after that of the file."""
    folder = os.getcwd()
    return folder, os.path.join(folder, "src")


@contextmanager
def _translated() -> Generator[None]:
    """Turns the exceptions of the analysis into those of this module."""
    import onnxls

    try:
        yield
    except onnxls.UnsupportedInput as error:
        raise UnsupportedKindError(str(error)) from error
    except onnxls.AssumptionError as error:
        raise BadRequestError(str(error)) from error
