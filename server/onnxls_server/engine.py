"""The one door from the command line to the analysis. Nothing of the analysis is imported before it is asked for.

The commands speak to the `Engine` protocol, so that they run on anything that answers it.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from onnxls.diagnostics import Diagnostic
    from onnxls.facts import Fact
    from onnxls.relations import Decision, Guard
    from onnxls.report import Options
    from onnxls.rules import Rule
    from onnxls_server.config import Settings

Hints = Mapping[str, int | tuple[int, ...]]


class UnsupportedKindError(Exception):
    """The file is of no kind that can be analysed."""


class BadRequestError(Exception):
    """An assumption that cannot be parsed, or another wish that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is wished of one analysis besides the file; picklable."""

    hints: Hints = field(default_factory=dict[str, "int | tuple[int, ...]"])
    assume: tuple[str, ...] = ()
    empty_axes: bool = False
    expression_names: str = "claim"
    operators: Mapping[str, object] = field(default_factory=dict[str, object])


def wished(settings: Settings) -> Request:
    """What the settings of a file ask of its analysis."""
    return Request(settings.hints, settings.assume, settings.empty_axes, settings.expression_names, settings.operators)


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


class ReportLike(Protocol):
    """The result of one analysis."""

    @property
    def units(self) -> Sequence[UnitLike]: ...
    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...


class Engine(Protocol):
    """What the commands need of the analysis. An engine is picklable, for `check --jobs`."""

    def analyze(self, path: str, request: Request) -> ReportLike:
        """Raises FileNotFoundError, UnsupportedKindError or BadRequestError."""
        ...

    def analyze_text(self, text: str, path: str, request: Request) -> ReportLike:
        """The same for unsaved text; `path` gives the kind."""
        ...

    def annotated_text(self, path: str, request: Request) -> str:
        """The model as annotated text."""
        ...

    def write_shapes(self, model: str, out: str) -> tuple[str, ...]:
        """Writes the model with its shapes; the names of the files with external data that it refers to."""
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
)
"""The modules that declare rules, with what they import; some are not imported before they are needed."""


class OnnxlsEngine:
    """The analysis of the package `onnxls`."""

    def analyze(self, path: str, request: Request) -> ReportLike:
        import onnxls

        with _translated():
            return onnxls.analyze(path, hints=request.hints, assume=request.assume, options=options_of(request))

    def analyze_text(self, text: str, path: str, request: Request) -> ReportLike:
        import onnxls

        with _translated():
            return onnxls.analyze_text(
                text, path, hints=request.hints, assume=request.assume, options=options_of(request)
            )

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

    return Options(empty_axes=request.empty_axes)


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
