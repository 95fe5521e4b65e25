"""One script function to a graph: its signature, its body, and what is found wrong in them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from onnxls import schemas
from onnxls.frontends.script.abstract import Opset, Unknown
from onnxls.frontends.script.annotations import Annotation, read_annotation, results
from onnxls.frontends.script.blocks import Blocks
from onnxls.frontends.script.declared import Declared, name_span
from onnxls.frontends.script.emit import Held
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.frontends.script.liveness import Liveness
from onnxls.frontends.script.lowered import Lowered
from onnxls.frontends.script.signature import signature
from onnxls.frontends.script.statements import NO_RETURN
from onnxls.frontends.script.traced import Tracing
from onnxls.graph import Graph, TypeInfo, Value


class Lowering(Blocks):
    """The lowering of one function."""

    def __init__(self, declared: Declared, evaluator: Evaluator) -> None:
        super().__init__(declared, evaluator)
        node = declared.node
        self.parameters = signature(declared, evaluator)
        names = {arg.name for arg in self.parameters}
        self.liveness = Liveness(node, lambda _: None)
        self._own = frozenset(names) | self.liveness.assigned(node.body)
        self.liveness = Liveness(node, self.decided)

    @property
    def own_names(self) -> frozenset[str]:
        return self._own

    def run(self) -> Lowered:
        node = self.declared.node
        self.find_opset(node)
        bare: list[str] = []
        for each in self.parameters:
            if each.annotation.attribute is not None:
                self.body.variables[each.name] = each
                continue
            self.names.add(each.name)
            self.body.inputs.append(Value(each.name, each.annotation.type, each.span))
            self.body.variables[each.name] = Held(each.name)
            if each.annotation.bare:
                bare.append(each.name)
        self.check_decorator(node)
        self.results = self.declared_results(node)
        self.check_signature(node)
        self.block(node.body, top=True)
        if not self.body.returned:
            self.fault(NO_RETURN, f"`{node.name}` returns nothing", name_span(self.chunk, node))
        opset = self.default_opset or Opset("", schemas.latest_opset(""))
        self.opsets.setdefault("", opset.version)
        return Lowered(
            self.declared,
            self.parameters,
            self.body.graph(self.declared.name),
            self.opsets,
            tuple(self.faults),
            self.aliases,
            self.called,
            tuple(bare),
            self.meanings,
        )

    def find_opset(self, node: ast.FunctionDef) -> None:
        """The default opset: the decorator's, else that of the first operator that is called."""
        given = self.declared.decorator.default_opset
        if isinstance(given, Opset):
            self.default_opset = given
            return
        if isinstance(given, Unknown):
            self.opset_unknown = True
        for each in _calls(node):
            if isinstance(each.func, ast.Attribute) and isinstance(each.func.value, ast.Name):
                value = self.outer(each.func.value.id)
                if isinstance(value, Opset) and not value.domain:
                    self.default_opset = value
                    return

    def declared_results(self, node: ast.FunctionDef) -> tuple[TypeInfo | None, ...] | None:
        """The types of the results, where all annotations are types."""
        if node.returns is None:
            return None
        value = self.evaluator.value(node.returns, self.scope, self.place)
        if isinstance(value, Unknown):
            return None
        read = [read_annotation(each) for each in results(value)]
        if not all(each.type is not None or each.variable for each in read) and read != [Annotation()] * len(read):
            return None
        if all(each == Annotation() for each in read):
            return None
        return tuple(_loosened(each) for each in read)

    def check_decorator(self, node: ast.FunctionDef) -> None:
        """Reports `@script` without parentheses, which raises where it stands."""
        for each in node.decorator_list if not self.declared.decorator.called else ():
            if self.evaluator.value(each, self.scope, self.place) == self.declared.decorator:
                said = self.written(self.chunk.span(each))
                self.unsupported(each, f"`@{said}` without parentheses; write `@{said}()`")

    def check_signature(self, node: ast.FunctionDef) -> None:
        arguments = node.args
        extra = [arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
        for each in extra:
            if each is not None:
                self.unsupported(self.chunk.span(each), f"the parameter `{each.arg}`; only plain parameters are inputs")
                self.body.variables[each.arg] = Held(self.unknown(node, each.arg))


def _loosened(annotation: Annotation) -> TypeInfo | None:
    """A bare element type of a result says nothing of its rank."""
    if annotation.bare and annotation.type is not None:
        return TypeInfo("tensor", annotation.type.dtype, None)
    return annotation.type


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Call):
            yield each
        waiting += reversed(list(ast.iter_child_nodes(each)))


def lower(declared: Declared, evaluator: Evaluator) -> Lowered:
    """The graph of a function. Never fails; what cannot be read is unknown."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10_000))
    try:
        return (Tracing if declared.traced else Lowering)(declared, evaluator).run()
    except RecursionError:
        graph = Graph(declared.name, (), (), ())
        return Lowered(declared, (), graph, {"": schemas.latest_opset("")}, (), {}, {}, (), {})
    finally:
        sys.setrecursionlimit(limit)
