"""Text: normalising, splitting, counting n-grams."""

from __future__ import annotations

from onnxls.dims import Dim
from onnxls.facts import Fact, tensor
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.rules import rule

TEXT_RANK = rule(
    "text-rank",
    "OLS435",
    "error",
    """
    A text operator gets a tensor of a rank that it does not take.

    `StringNormalizer` takes one list of strings, [C] or [1, C], that is not empty; `TfIdfVectorizer` takes one list of
    terms [C], or a batch of them [N, C].

    ```onnx
    g (string[4, 3] x) => (string[A, B] y) {
      # error: [text-rank]
      y = StringNormalizer <case_change_action = "LOWER"> (x)
    }
    ```
    """,
)


@op("StringNormalizer", since=10)
def string_normalizer(ctx: OpContext) -> Fact:
    """ONNX StringNormalizer-10: the strings without the stopwords; one empty string where none is left."""
    shape = ctx.input(0).shape
    if shape is None:
        return Fact()
    if len(shape) not in (1, 2):
        return ctx.reject(TEXT_RANK, "{0} has rank {rank}; StringNormalizer takes [C] or [1, C]", rank=len(shape))
    if len(shape) == 2:
        ctx.require_equal(shape[0], 1, TEXT_RANK, "axis 0 of {0} is {lhs}; StringNormalizer takes [C] or [1, C]")
    ctx.require_nonzero(shape[-1], TEXT_RANK, "{0} is empty; StringNormalizer takes at least one string")
    if not ctx.strs_attr("stopwords"):
        return Fact(shape=shape)
    return Fact(shape=(*shape[:-1], ctx.fresh("data", lower=1, upper=shape[-1])))


@op("StringSplit", since=20)
def string_split(ctx: OpContext) -> tuple[Fact, Fact]:
    """ONNX StringSplit-20: the parts of each string, padded to the most of any; and how many each has."""
    shape = ctx.input(0).shape
    if shape is None:
        return Fact(), Fact()
    most = ctx.optional_int("maxsplit")
    parts = ctx.fresh("data", upper=most + 1 if most is not None and most > 0 else None)
    return Fact(shape=(*shape, parts)), Fact(shape=shape)


@op("TfIdfVectorizer", since=9)
def tf_idf_vectorizer(ctx: OpContext) -> Fact:
    """ONNX TfIdfVectorizer-9: a number for each n-gram of the pool."""
    shape = ctx.input(0).shape
    indexes = ctx.ints_attr("ngram_indexes")
    size = Dim.of(max(indexes) + 1) if indexes else ctx.fresh()
    if shape is None:
        return Fact()
    if len(shape) > 2:
        return ctx.reject(TEXT_RANK, "{0} has rank {rank}; TfIdfVectorizer takes [C] or [N, C]", rank=len(shape))
    if len(shape) < 2:
        return tensor(size)
    ctx.require_nonzero(shape[0], TEXT_RANK, "{0} has no rows; TfIdfVectorizer takes at least one list of terms")
    return tensor(shape[0], size)
