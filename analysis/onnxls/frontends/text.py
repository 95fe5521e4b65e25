"""The ONNX textual syntax to a graph, with the range of everything that is written.

Reading never fails: a statement with an error is reported and left out, and what it would define is the output of a
node without an operator (`op_type` ""). It takes linear time and bounded depth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from onnxls import schemas
from onnxls.diagnostics import Diagnostic
from onnxls.frontends import text_tokens as tk
from onnxls.frontends.external import External
from onnxls.frontends.text_blocks import NO_GRAPH, BlockReader
from onnxls.frontends.text_cursor import TextError
from onnxls.frontends.text_headers import OF_FUNCTIONS, Header, HeaderReader
from onnxls.frontends.text_positions import TextPositions
from onnxls.graph import Function, Graph, Model
from onnxls.keys import function_key
from onnxls.spans import LineIndex

DEFAULT_OPSET = 23
"""The version of the default domain in a text that imports none: fixed, so that such a text keeps its meaning."""

DEFAULT_IR_VERSION = 10
"""The version of a text without a header."""


@dataclass(frozen=True, slots=True)
class TextModel:
    """What a text says. `model` is None where there is no graph and no function at all.

    In the `Origin` of a node, `name` is the range of its operator.
    """

    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    positions: TextPositions
    lines: LineIndex


def read_text(text: str, path: str, external: External | None = None) -> TextModel:
    """Reads a model, a bare graph, or bare functions (then the main graph is empty).

    A text without `opset_import` gets the default domain at DEFAULT_OPSET and every other domain that it uses at its
    newest version; a function without one gets the imports of the model. A first block is a function where it has
    parameters, or a header with `overload`, or one with `domain` and without `ir_version`.
    """
    reader = _Reader(text, path, external)
    model = reader.model()
    return TextModel(model, reader.diagnostics(), reader.scopes, reader.lines)


class _Reader(HeaderReader, BlockReader):
    """Reads the blocks of a whole text."""

    def model(self) -> Model | None:
        header = self.header() if self.words[self.at] == "<" else Header()
        if not header.imports:
            header.opsets[""] = DEFAULT_OPSET
        graph: Graph | None = None
        functions: dict[tuple[str, str, str], Function] = {}
        if self.begins_function(header):
            self.function(header, header.opsets, functions)
        else:
            graph = self.main_graph(header)
        while self.words[self.at]:
            self.next_function(header.opsets, functions)
        if not header.imports:
            for domain in self.domains:
                header.opsets.setdefault(domain, schemas.latest_opset(domain) or 1)
        if graph is None and not functions:
            return None
        return Model(
            graph or NO_GRAPH,
            header.opsets,
            functions,
            header.numbers.get("ir_version", 0 if header.present else DEFAULT_IR_VERSION),
            header.strings.get("producer_name", ""),
            header.metadata,
        )

    def begins_function(self, header: Header) -> bool:
        return header.is_of_function() or (self.is_name(self.at) and self.words[self.at + 1] == "<")

    def main_graph(self, header: Header) -> Graph | None:
        if not self.is_name(self.at):
            self.report(self.failed("the name of a graph"))
            if self.words[self.at] not in ("(", "=>"):
                self.to_next_block()
            if not self.words[self.at]:
                return None
        return self.block("", header).graph()

    def next_function(self, opsets: Mapping[str, int], functions: dict[tuple[str, str, str], Function]) -> None:
        begin = self.at
        if self.words[begin] == "<":
            self.function(self.header(OF_FUNCTIONS), opsets, functions)
        elif self.is_name(begin):
            self.function(Header(), opsets, functions)
        else:
            self.report(self.failed("a function or the end of the text"))
            self.to_next_block()

    def to_next_block(self) -> None:
        while self.words[self.at]:
            self.at += 1
            if self.starts_line(self.at) and self.begins_block(self.at):
                return

    def function(
        self, header: Header, opsets: Mapping[str, int], functions: dict[tuple[str, str, str], Function]
    ) -> None:
        if not self.is_name(self.at):
            self.report(self.failed("the name of a function"))
            return
        word = self.words[self.at]
        name = tk.unquote(word) if word[0] == '"' else word
        block = self.block(function_key(header.domain, name or "", header.strings.get("overload", "")), header)
        for one in (*block.inputs, *block.outputs, *block.infos):
            if one.tensor is not None:
                self.report(TextError(one.place.span, "a function has no initializers; a Constant node gives a value"))
        made = block.function(header, header.opsets if header.imports else opsets)
        functions[made.domain, made.name, made.overload] = made
