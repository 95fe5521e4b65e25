"""Every feature over the protocol, as real clients ask for it: right documents, right ranges, right encodings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOURCE = """\
from onnxscript import FLOAT, script
from onnxscript import opset20 as op

note = "\U0001f600"; other = 1

@script()
def helper(x: FLOAT["N", "K"]):
    return op.Relu(x)

@script()
def f(x: FLOAT["N", 4], w: FLOAT["M", 3]):
    "\U0001f600 wide"; y = op.MatMul(x, w)
    z = helper(y)
    return op.Add(y, z)
"""
BEFORE_Y = '    "\U0001f600 wide"; '
LINE_OF_Y = 11


class Editor:
    """A document of a client, edited and looked at by offsets of its text."""

    def __init__(self, client: LanguageClient, uri: str, text: str, language: str = "python") -> None:
        self.client = client
        self.uri = uri
        self.text = text
        self.version = 1
        item = types.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def units(self, text: str) -> int:
        """The length of a text in the encoding that was agreed on."""
        general = self.client.capabilities.general if self.client.capabilities is not None else None
        encoding = next(iter(general.position_encodings or ("utf-16",))) if general is not None else "utf-16"
        return {"utf-8": len(text.encode()), "utf-16": len(text.encode("utf-16-le")) // 2, "utf-32": len(text)}[
            str(encoding)
        ]

    def at(self, part: str, inside: str = "") -> types.Position:
        """The position of a part of the text, or of something inside of it."""
        offset = self.text.index(part) + part.index(inside)
        line = self.text.count("\n", 0, offset)
        return types.Position(line, self.units(self.text[self.text.rfind("\n", 0, offset) + 1 : offset]))

    def of(self, range_: types.Range) -> str:
        """The text of a range on one line."""
        assert range_.start.line == range_.end.line
        line = self.text.split("\n")[range_.start.line]
        starts = [index for index in range(len(line) + 1) if self.units(line[:index]) == range_.start.character]
        ends = [index for index in range(len(line) + 1) if self.units(line[:index]) == range_.end.character]
        return line[starts[0] : ends[0]]

    def change(self, text: str) -> None:
        """Replaces all of the text."""
        self.version += 1
        self.text = text
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def close(self) -> None:
        """Closes the document."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document))

    async def diagnostics(self) -> list[types.Diagnostic]:
        """The findings of the text as it is, however the client gets them."""
        report = await self.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(self.document))
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)


@pytest.fixture
def editor(client: LanguageClient, folder: Path):
    opened = Editor(client, (folder / "net.py").as_uri(), SOURCE)
    yield opened
    opened.close()


async def test_findings_in_the_units_of_the_client(editor: Editor):
    (found,) = await editor.diagnostics()
    assert editor.of(found.range) == "op.MatMul(x, w)"
    assert found.range.start.line == LINE_OF_Y
    assert found.severity == types.DiagnosticSeverity.Warning
    assert found.code == "OLS120"
    assert found.source == "onnxls"
    assert found.code_description is not None
    assert found.code_description.href.startswith("https://")
    assert found.code_description.href.endswith("matmul-inner-mismatch.md")


async def test_an_edit_is_answered_for_the_newest_text(editor: Editor):
    for size in ("5", "6", "4"):
        editor.change(SOURCE.replace('"M", 3', f"{size}, 3"))
    assert await editor.diagnostics() == []
    editor.change(SOURCE.replace('"M", 3', "5, 3"))
    (found,) = await editor.diagnostics()
    assert found.severity == types.DiagnosticSeverity.Error


async def test_hover(editor: Editor):
    await editor.diagnostics()
    params = types.HoverParams(editor.document, editor.at("y = op"))
    found = await editor.client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.contents.kind == types.MarkupKind.Markdown
    assert "float[N, 3]" in found.contents.value
    assert found.range is not None
    assert editor.of(found.range) == "y"


async def test_hover_where_nothing_is(editor: Editor):
    params = types.HoverParams(editor.document, editor.at("note"))
    assert await editor.client.text_document_hover_async(params) is None
    far = types.HoverParams(editor.document, types.Position(10_000, 10_000))
    assert await editor.client.text_document_hover_async(far) is None


async def test_inlay_hints_and_their_edits(editor: Editor):
    everything = types.Range(types.Position(0, 0), types.Position(100, 0))
    found = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(editor.document, everything))
    assert found is not None
    of_y = next(hint for hint in found if hint.position.line == LINE_OF_Y)
    assert of_y.label == ": float[N, 3]"
    assert of_y.kind == types.InlayHintKind.Type
    assert of_y.position.character == editor.units(BEFORE_Y) + 1
    first_line = types.Range(types.Position(0, 0), types.Position(1, 0))
    assert not await editor.client.text_document_inlay_hint_async(types.InlayHintParams(editor.document, first_line))


async def test_definition_references_highlight(editor: Editor):
    await editor.diagnostics()
    at = editor.at("helper(y)", "y")
    found = await editor.client.text_document_definition_async(types.DefinitionParams(editor.document, at))
    (defined,) = cast("list[types.Location]", found)
    assert (defined.uri, defined.range.start.line, editor.of(defined.range)) == (editor.uri, LINE_OF_Y, "y")
    context = types.ReferenceContext(include_declaration=False)
    params = types.ReferenceParams(context, editor.document, at)
    mentions = await editor.client.text_document_references_async(params) or ()
    assert [each.range.start.line for each in mentions] == [LINE_OF_Y + 1, LINE_OF_Y + 2]
    marked = await editor.client.text_document_document_highlight_async(
        types.DocumentHighlightParams(editor.document, at)
    )
    assert [editor.of(each.range) for each in marked or ()] == ["y", "y", "y"]


async def test_outline_and_symbols_of_the_workspace(editor: Editor):
    await editor.diagnostics()
    outline = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.document))
    names = {each.name for each in outline or ()}
    assert {"helper", "f"} <= names
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("help"))
    assert [each.name for each in found or ()] == ["helper"]


async def test_completion_with_documentation_on_demand(editor: Editor):
    editor.change(SOURCE.replace("op.Add(y, z)", "op.Ad"))
    await editor.diagnostics()
    at = types.Position(LINE_OF_Y + 2, len("    return op.Ad"))
    found = await editor.client.text_document_completion_async(types.CompletionParams(editor.document, at))
    assert isinstance(found, types.CompletionList)
    item = next(each for each in found.items if each.label == "Add")
    assert isinstance(item.text_edit, types.TextEdit)
    assert editor.of(item.text_edit.range) == "Ad"
    resolved = await editor.client.completion_item_resolve_async(item)
    assert isinstance(resolved.documentation, types.MarkupContent)
    assert "element" in resolved.documentation.value


async def test_signature_help(editor: Editor):
    editor.change(SOURCE.replace("op.Add(y, z)", "op.Concat(y, z, "))
    at = types.Position(LINE_OF_Y + 2, len("    return op.Concat(y, z, "))
    found = await editor.client.text_document_signature_help_async(types.SignatureHelpParams(editor.document, at))
    assert found is not None
    assert "axis" in found.signatures[0].label


async def test_semantic_tokens_are_in_order(editor: Editor):
    await editor.diagnostics()
    found = await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(editor.document))
    assert found is not None
    assert len(found.data) % 5 == 0
    assert len(found.data) > 0
    assert all(number >= 0 for number in found.data)


async def test_a_lens_and_its_command(editor: Editor):
    await editor.diagnostics()
    lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(editor.document))
    assert lenses is not None
    (lens,) = lenses
    assert lens.command is not None
    assert lens.command.title == "1 guard"
    params = types.ExecuteCommandParams(lens.command.command, list(lens.command.arguments or ()))
    answer: Any = await editor.client.workspace_execute_command_async(params)
    assert answer["unit"] == "f"
    assert "M == 4" in editor.client.messages[-1].message


async def ask(client: LanguageClient, method: str, params: dict[str, object]) -> Any:
    """A request of our own."""
    return await client.protocol.send_request_async(method, params)


async def test_sizes_that_are_tried(editor: Editor):
    position = {"line": LINE_OF_Y, "character": 5}
    found = await ask(editor.client, "onnxls/guards", {"uri": editor.uri, "position": position})
    assert [(each.name, each.hint) for each in found.symbols] == [("N", None), ("M", None)]
    assert [(each.text, each.state) for each in found.guards] == [("M == 4", "unknown")]
    found = await ask(editor.client, "onnxls/setSizes", {"uri": editor.uri, "unit": "f", "sizes": {"N": 2, "M": 4}})
    assert [(each.text, each.state) for each in found.guards] == [("M == 4", "holds")]
    everything = types.Range(types.Position(0, 0), types.Position(100, 0))
    hints = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(editor.document, everything))
    assert next(hint.label for hint in hints or () if hint.position.line == LINE_OF_Y) == ": float[2, 3]"
    found = await ask(editor.client, "onnxls/setSizes", {"uri": editor.uri, "unit": "f", "sizes": {"N": 2, "M": 5}})
    assert [each.state for each in found.guards] == ["fails"]
    (broken,) = await editor.diagnostics()
    assert broken.severity == types.DiagnosticSeverity.Error
    await ask(editor.client, "onnxls/setSizes", {"uri": editor.uri, "unit": "f", "sizes": None})
    (back,) = await editor.diagnostics()
    assert back.severity == types.DiagnosticSeverity.Warning


async def test_the_graph_around_a_node(editor: Editor):
    position = {"line": LINE_OF_Y, "character": editor.units(BEFORE_Y) + 6}
    found = await ask(editor.client, "onnxls/graph", {"uri": editor.uri, "position": position})
    assert found.unit == "f"
    center = next(node for node in found.nodes if node.id == found.center)
    assert center.op == "MatMul"
    assert {edge.value for edge in found.edges} == {"x", "w", "y"}
    assert {edge.value for edge in found.edges if edge.failing} == {"x", "w"}


async def test_a_file_without_onnxscript_is_left_alone(client: LanguageClient, folder: Path):
    plain = Editor(client, (folder / "plain.py").as_uri(), "def f(x):\n    return x.shape\n")
    assert await plain.diagnostics() == []
    outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(plain.document))
    assert not outline
    plain.close()


def applied(editor: Editor, edit: types.WorkspaceEdit | None) -> str:
    """The text of a document with the edits to it made."""
    assert edit is not None
    made = list((edit.changes or {}).get(editor.uri, ()))
    for each in edit.document_changes or ():
        if isinstance(each, types.TextDocumentEdit) and each.text_document.uri == editor.uri:
            assert each.text_document.version == editor.version
            made += [one for one in each.edits if isinstance(one, types.TextEdit)]
    lines = editor.text.split("\n")
    for each in sorted(made, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        assert each.range.start.line == each.range.end.line
        line = lines[each.range.start.line]
        start, end = (
            next(index for index in range(len(line) + 1) if editor.units(line[:index]) == at.character)
            for at in (each.range.start, each.range.end)
        )
        lines[each.range.start.line] = line[:start] + each.new_text + line[end:]
    return "\n".join(lines)


async def test_rename_of_a_value_and_of_a_dim(editor: Editor):
    await editor.diagnostics()
    at = editor.at("y = op")
    prepared = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(editor.document, at))
    assert isinstance(prepared, types.Range)
    assert editor.of(prepared) == "y"
    edit = await editor.client.text_document_rename_async(types.RenameParams(editor.document, at, "total"))
    assert applied(editor, edit) == SOURCE.replace("y =", "total =").replace("(y", "(total")
    at = editor.at('"M", 3', "M")
    edit = await editor.client.text_document_rename_async(types.RenameParams(editor.document, at, "K"))
    assert applied(editor, edit) == SOURCE.replace('"M"', '"K"')


async def test_rename_across_files_that_are_not_open(editor: Editor, folder: Path):
    user = folder / "user.py"
    user.write_text(
        "from onnxscript import FLOAT, script\nfrom net import helper\n\n@script()\n"
        'def use(x: FLOAT["N", 4]):\n    return helper(x)\n'
    )
    await editor.diagnostics()
    at = editor.at("helper(x:")
    edit = await editor.client.text_document_rename_async(types.RenameParams(editor.document, at, "positive"))
    assert applied(editor, edit) == SOURCE.replace("helper(", "positive(")
    assert edit is not None
    others = {
        each.text_document.uri: len(each.edits)
        for each in edit.document_changes or ()
        if isinstance(each, types.TextDocumentEdit)
    } or {uri: len(edits) for uri, edits in (edit.changes or {}).items()}
    assert others[user.as_uri()] == 2
    context = types.ReferenceContext(include_declaration=True)
    found = await editor.client.text_document_references_async(types.ReferenceParams(context, editor.document, at))
    assert user.as_uri() in {each.uri for each in found or ()}
    user.unlink()


async def test_a_new_name_that_cannot_be_is_refused(editor: Editor):
    await editor.diagnostics()
    with pytest.raises(JsonRpcException, match="already"):
        await editor.client.text_document_rename_async(types.RenameParams(editor.document, editor.at("y = op"), "z"))


async def actions(editor: Editor, at: types.Range, only: list[types.CodeActionKind | str] | None = None):
    """The code actions of a range."""
    context = types.CodeActionContext(diagnostics=[], only=only)
    params = types.CodeActionParams(editor.document, at, context)
    found = await editor.client.text_document_code_action_async(params) or ()
    return [each for each in found if isinstance(each, types.CodeAction)]


async def test_fixes_of_the_finding_at_a_place(editor: Editor):
    (found,) = await editor.diagnostics()
    offered = await actions(editor, found.range, [types.CodeActionKind.QuickFix])
    here = next(each for each in offered if each.title == "Ignore matmul-inner-mismatch here")
    assert [each.code for each in here.diagnostics or ()] == ["OLS120"]
    editor.change(applied(editor, here.edit))
    assert await editor.diagnostics() == []
    assert await actions(editor, types.Range(types.Position(0, 0), types.Position(0, 0))) == []


async def test_all_fixes_of_a_document(editor: Editor):
    editor.change(SOURCE.replace("op.Relu(x)", "op.Rellu(x)").replace("op.Add(y, z)", "op.Addd(y, z)"))
    before = await editor.diagnostics()
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    (everything,) = await actions(editor, whole, ["source.fixAll.onnxls"])
    assert everything.kind == "source.fixAll.onnxls"
    editor.change(applied(editor, everything.edit))
    after = await editor.diagnostics()
    assert editor.text == SOURCE
    assert len(after) < len(before)
    assert await actions(editor, whole, [types.CodeActionKind.RefactorExtract]) == []


async def test_an_annotation_is_inserted(editor: Editor):
    await editor.diagnostics()
    at = editor.at("y = op")
    assert await actions(editor, types.Range(at, at), [types.CodeActionKind.QuickFix]) == []
    (annotate,) = await actions(editor, types.Range(at, at), [types.CodeActionKind.Refactor])
    assert annotate.kind == types.CodeActionKind.RefactorRewrite
    assert annotate.title.startswith("Annotate `y` as FLOAT[")
    editor.change(applied(editor, annotate.edit))
    assert f"y: {annotate.title.partition(' as ')[2]} = op" in editor.text
    assert len(await editor.diagnostics()) == 1
