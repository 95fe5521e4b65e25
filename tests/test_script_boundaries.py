"""Where chunks begin after an edit is where they begin in a text that is read anew."""

from __future__ import annotations

import random

import pytest

from onnxls.frontends.script.boundaries import boundaries

TEXT = '''import a
def f(x):
    """doc
    def g
    """
    return '"' + "\\"" # it's
@dec
def g(y):
    s = """
def inner
"""
    return (1,
  2)
class K:
    t = \'\'\'x\'\'\'
'''
PIECES = (
    *('"""', "'''", '"', "'", "\\", "\n", "#", "def ", "class ", "@", "x", " ", "(", ")", "\r\n", "a b", ""),
    "def q():\n    pass\n",
)


@pytest.mark.parametrize("seed", range(20))
def test_edits(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(20):
        text = TEXT * choose.randint(1, 2)
        before = boundaries(text)
        for _ in range(12):
            start = choose.randint(0, len(text))
            text = text[:start] + choose.choice(PIECES) + text[start + choose.choice((0, 0, 0, 1, 2, 5)) :]
            before = boundaries(text, before)
            assert before == boundaries(text)


def test_a_docstring_that_is_being_written() -> None:
    """While the quotes are open the functions below stay, and only what is around the edit is read."""
    begin, end = TEXT[: TEXT.index("@dec")], TEXT[TEXT.index("@dec") :]
    text = f"{begin}def h():\n    "
    found = boundaries(text + end)
    for letter in '"""What it does\n    over lines':
        text += letter
        found = boundaries(text + end, found)
        assert found == boundaries(text + end)
    assert text.index("def h") in found.offsets
    assert len(text) + end.index("class K") in found.offsets
