"""Headers of the ONNX textual syntax: what stands in `< ... >` before a model or a function."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from onnxls.frontends.text_cursor import HEADER_WORDS
from onnxls.frontends.text_values import INT64, ValueReader
from onnxls.graph import canonical_domain
from onnxls.spans import Span

OF_FUNCTIONS = frozenset(("domain", "opset_import", "overload", "doc_string"))
"""The words of a header that a function may have."""

_NUMBERS = frozenset(("ir_version", "model_version"))


@dataclass(slots=True)
class Header:
    """What stands in `< ... >` before a model or a function."""

    present: bool = False
    strings: dict[str, str] = field(default_factory=dict[str, str])
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    opsets: dict[str, int] = field(default_factory=dict[str, int])
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    opset_spans: dict[str, Span] = field(default_factory=dict[str, Span])
    metadata_spans: dict[str, Span] = field(default_factory=dict[str, Span])
    imports: bool = False

    @property
    def domain(self) -> str:
        """The domain of a function."""
        return canonical_domain(self.strings.get("domain", ""))

    def is_of_function(self) -> bool:
        """Whether a first block with this header is a function."""
        return "overload" in self.strings or ("domain" in self.strings and "ir_version" not in self.numbers)


class HeaderReader(ValueReader):
    """Reads headers at the cursor."""

    def header(self, words: frozenset[str] = HEADER_WORDS) -> Header:
        """Takes a header in which these words may stand."""
        header = Header(present=True)
        self.at += 1
        self.entries(">", partial(self.header_entry, header, words), self.to_next_attribute)
        return header

    def header_entry(self, header: Header, words: frozenset[str]) -> None:
        """Takes `word: value`."""
        word = self.words[self.at]
        if word not in words:
            raise self.failed("one of " + ", ".join(sorted(words)))
        self.at += 1
        self.take(":")
        if word == "opset_import":
            header.imports = True
            self.opset_imports(header)
        elif word == "metadata_props":
            self.take("[")
            if self.words[self.at] == "]":
                self.at += 1
                return
            for key, value, span in self.pairs():
                header.metadata[key] = value
                header.metadata_spans[key] = span
        elif word in _NUMBERS:
            header.numbers[word] = self.integer(INT64)
        else:
            header.strings[word] = self.string()

    def opset_imports(self, header: Header) -> None:
        """Takes `["domain": version, ...]`."""
        self.take("[")
        if self.words[self.at] == "]":
            self.at += 1
            return
        while True:
            begin = self.at
            domain = canonical_domain(self.string())
            self.take(":")
            header.opsets[domain] = self.integer(INT64)
            header.opset_spans[domain] = self.since(begin)
            if self.words[self.at] != ",":
                break
            self.at += 1
        self.close("]")
