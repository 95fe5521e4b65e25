"""ai.onnx.ml: classical machine learning, trained numbers as attributes.

A vector [C] stands for one row of C features, as in onnxruntime.
"""

from __future__ import annotations

from math import prod

from onnxls.dims import ONE, Dim, product
from onnxls.facts import FLOAT, INT64, STRING, UNKNOWN, Fact, Shape, tensor
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.rules import rule

ML = "ai.onnx.ml"

FEATURES = rule(
    "ml-features-mismatch",
    "OLS440",
    "error",
    """
    The number of features is not the one that the operator was trained for.

    The attributes of a model from `ai.onnx.ml` fix how many features a row has: the coefficients of a linear model,
    the support vectors of an SVM, the greatest feature that a tree looks at, the scale of each column, the labels of a
    `ZipMap`.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 3]>
    g (float[N, 3] x) => (float[N, 1] y) {
      # error: [ml-features-mismatch]
      y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0]> (x)
    }
    ```

    Give the columns that the model was trained on.
    """,
)
ATTRIBUTES = rule(
    "ml-attributes",
    "OLS445",
    "error",
    """
    Attributes of an operator of `ai.onnx.ml` that belong together do not fit each other.

    A `CategoryMapper` has a string for each number; a `OneHotEncoder` has either strings or numbers; the lists that
    describe the nodes of a `TreeEnsemble` are all of one length, and so are those of its leaves.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 3]>
    g (int64[N] x) => (string[N] y) {
      # error: [ml-attributes] "`cats_strings` has 1 entries, `cats_int64s` 2"
      y = ai.onnx.ml.CategoryMapper <cats_int64s = [1, 2], cats_strings = ["a"]> (x)
    }
    ```
    """,
)
RANK = rule(
    "ml-rank",
    "OLS441",
    "error",
    """
    An operator of ai.onnx.ml gets a tensor of a rank that it does not take.

    These operators take a matrix, a row for each sample; most of them also a vector, as one sample.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 3]>
    g (float[N, 2, 1] x) => (float[N, 1] y) {
      # error: [ml-rank]
      y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0]> (x)
    }
    ```

    `Reshape` or `Flatten` it.
    """,
)
BATCH = rule(
    "feature-vectorizer-rows",
    "OLS442",
    "error",
    """
    The inputs of a FeatureVectorizer have different numbers of rows.

    Their columns are put side by side, so all have a row for each sample.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 3]>
    g (float[4, 2] x, float[5, 1] z) => (float[A, 3] y) {
      # error: [feature-vectorizer-rows]
      y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [2, 1]> (x, z)
    }
    ```
    """,
)
CUT = rule(
    "feature-vectorizer-cut",
    "OLS443",
    "warning",
    """
    A FeatureVectorizer cuts or pads the columns of an input.

    `inputdimensions` says how many columns each input contributes. Where an input has more, the rest is dropped; where
    it has fewer, zeros are added, without a word.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 3]>
    g (float[N, 3] x) => (float[N, 2] y) {
      # warning: [feature-vectorizer-cut]
      y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [2]> (x)
    }
    ```
    """,
)
EXTRACT = rule(
    "array-feature-index",
    "OLS444",
    "error",
    """
    ArrayFeatureExtractor is asked for no column, or for one that does not exist.

    The second input holds numbers of columns, counted from 0; negative ones are not taken.

    ```onnx
    <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 3]>
    g (float[N, 3] x) => (float[N, 1] y) <int64[1] column = {3}> {
      # error: [array-feature-index]
      y = ai.onnx.ml.ArrayFeatureExtractor (x, column)
    }
    ```
    """,
)


def _table(ctx: OpContext, *, vector: bool = True) -> tuple[Dim, Dim] | None:
    """Rows and features of the input; new sizes where its shape is unknown, None after a rejection."""
    shape = ctx.input(0).shape
    if shape is None:
        return ctx.fresh(), ctx.fresh()
    if len(shape) == 2:
        return shape[0], shape[1]
    if len(shape) == 1 and vector:
        return ONE, shape[0]
    takes = "[N, C] or [C]" if vector else "[N, C]"
    ctx.reject(RANK, "{0} has rank {rank}; it must be {takes}", rank=len(shape), takes=takes)
    return None


def _known(ctx: OpContext) -> bool:
    return ctx.input(0).shape is not None


def _labels(ctx: OpContext, *names: str) -> tuple[int, int | None]:
    """How many labels the attributes give, and their type."""
    for name in names:
        words = ctx.strs_attr(name)
        if words:
            return len(words), STRING
        numbers = ctx.ints_attr(name)
        if numbers:
            return len(numbers), INT64
    return 0, None


def _length(ctx: OpContext, name: str) -> int:
    """The number of entries of a list attribute."""
    attr = ctx.attrs.get(name)
    return len(attr.value) if attr is not None and isinstance(attr.value, tuple) else 0


@op("Binarizer", domain=ML)
def binarizer(ctx: OpContext) -> Fact:
    """ai.onnx.ml Binarizer-1: element by element."""
    return Fact(ctx.input(0).dtype, ctx.input(0).shape)


@op("LabelEncoder", domain=ML)
def label_encoder(ctx: OpContext) -> Fact:
    """ai.onnx.ml LabelEncoder-1, 2, 4: element by element, to the type of the values."""
    fact = ctx.input(0)
    if ctx.version < 2:
        flipped = {STRING: INT64, INT64: STRING}.get(fact.dtype or 0)
        return Fact(flipped, fact.shape)
    table = ctx.tensor_attr("values_tensor")
    if table is not None:
        return Fact(table.dtype, fact.shape)
    types = {"values_strings": STRING, "values_int64s": INT64, "values_floats": FLOAT}
    dtype = next((dtype for name, dtype in types.items() if name in ctx.attrs), None)
    return Fact(dtype, fact.shape)


@op("CategoryMapper", domain=ML)
def category_mapper(ctx: OpContext) -> Fact:
    """ai.onnx.ml CategoryMapper-1: strings to integers, or back."""
    fact, strings, numbers = ctx.input(0), _length(ctx, "cats_strings"), _length(ctx, "cats_int64s")
    if strings != numbers or not strings:
        text = "`cats_strings` has {strings} entries, `cats_int64s` {numbers}; they are pairs, and needed"
        ctx.reject(ATTRIBUTES, text, strings=strings, numbers=numbers)
    return Fact({STRING: INT64, INT64: STRING}.get(fact.dtype or 0), fact.shape)


@op("Normalizer", domain=ML)
def normalizer(ctx: OpContext) -> Fact:
    """ai.onnx.ml Normalizer-1: each row scaled by its norm."""
    if _table(ctx) is None:
        return UNKNOWN
    return Fact(FLOAT, ctx.input(0).shape)


@op("Scaler", domain=ML)
def scaler(ctx: OpContext) -> Fact:
    """ai.onnx.ml Scaler-1: an offset and a factor for each column, or one for all."""
    for name in ("offset", "scale"):
        _require_columns(ctx, name)
    return Fact(FLOAT, ctx.input(0).shape)


@op("Imputer", domain=ML)
def imputer(ctx: OpContext) -> Fact:
    """ai.onnx.ml Imputer-1: a value for what is missing in each column, or one for all."""
    for name in ("imputed_value_floats", "imputed_value_int64s"):
        _require_columns(ctx, name)
    return Fact(ctx.input(0).dtype, ctx.input(0).shape)


def _require_columns(ctx: OpContext, name: str) -> None:
    """Requires that an attribute has one entry, or one for each column of a matrix."""
    shape, count = ctx.input(0).shape, _length(ctx, name)
    if count > 1 and shape is not None and len(shape) == 2:
        text = "`{name}` has {rhs} entries, but {0} {lhs} columns; there must be one for each, or one for all"
        ctx.require_equal(shape[1], count, FEATURES, text, name=name)


@op("OneHotEncoder", domain=ML)
def one_hot_encoder(ctx: OpContext) -> Fact:
    """ai.onnx.ml OneHotEncoder-1: a new last axis with a place for each category."""
    count, _ = _labels(ctx, "cats_strings", "cats_int64s")
    if bool(_length(ctx, "cats_strings")) == bool(_length(ctx, "cats_int64s")):
        ctx.reject(ATTRIBUTES, "exactly one of `cats_strings` and `cats_int64s` must be given")
    shape = ctx.input(0).shape
    return Fact(FLOAT, None if shape is None or not count else (*shape, Dim.of(count)))


@op("ArrayFeatureExtractor", domain=ML)
def array_feature_extractor(ctx: OpContext) -> Fact:
    """ai.onnx.ml ArrayFeatureExtractor-1: columns by number."""
    fact, picked = ctx.input(0), ctx.input(1)
    if fact.shape is None:
        return Fact(fact.dtype)
    if not fact.shape:
        return ctx.reject(RANK, "{0} is a scalar; there are no columns to pick")
    for number in picked.integers or ():
        text = "there is no column {number} in {0}, which has {count}"
        ctx.require_at_most(0, number, EXTRACT, text, number=number, count=fact.shape[-1])
        ctx.require_at_most(number + 1, fact.shape[-1], EXTRACT, text, number=number, count=fact.shape[-1])
    rows: Shape = fact.shape[:-1] if len(fact.shape) > 1 else (ONE,)
    if picked.shape is None:
        return Fact(fact.dtype, (*rows, ctx.fresh()))
    count = product(picked.shape)
    ctx.require_nonzero(count, EXTRACT, "{1} is empty; at least one column must be picked")
    return Fact(fact.dtype, (*rows, count))


@op("FeatureVectorizer", domain=ML)
def feature_vectorizer(ctx: OpContext) -> Fact:
    """ai.onnx.ml FeatureVectorizer-1: columns side by side, cut or padded to the given numbers."""
    widths = ctx.ints_attr("inputdimensions") or ()
    rows: Dim | None = None
    for index in range(len(ctx.inputs)):
        shape = ctx.input(index).shape
        if shape is None:
            continue
        if not shape:
            return ctx.reject(RANK, f"{{{index}}} is a scalar; it must be [N, C] or [C]")
        count = shape[0] if len(shape) > 1 else ONE
        if rows is None:
            rows = count
        text = f"{{{index}}} has {{rhs}} rows, but the inputs before it {{lhs}}"
        ctx.require_equal(rows, count, BATCH, text)
        columns = product(shape[1:] if len(shape) > 1 else shape)
        if index < len(widths) and columns.const is not None and columns.const != widths[index]:
            text = f"{{{index}}} has {{columns}} columns, but `inputdimensions` says {{width}}"
            ctx.remark(CUT, text, columns=columns, width=widths[index])
    total = Dim.of(sum(widths)) if len(widths) == len(ctx.inputs) else ctx.fresh()
    return tensor(ctx.fresh() if rows is None else rows, total, dtype=FLOAT)


@op("LinearRegressor", domain=ML)
def linear_regressor(ctx: OpContext) -> Fact:
    """ai.onnx.ml LinearRegressor-1: a number for each row and target."""
    targets = ctx.int_attr("targets", 1)
    table = _table(ctx)
    if table is None:
        return UNKNOWN
    _require_coefficients(ctx, table[1], targets)
    return tensor(table[0], targets, dtype=FLOAT)


def _require_coefficients(ctx: OpContext, features: Dim, rows: int) -> None:
    """Requires a coefficient for each feature in each of so many rows."""
    count = _length(ctx, "coefficients")
    if count and rows > 0 and _known(ctx):
        text = "{0} has {features} features, for which {rows} x {features} coefficients are needed, but there are {rhs}"
        ctx.require_equal(features * rows, count, FEATURES, text, features=features, rows=rows)


@op("LinearClassifier", domain=ML)
def linear_classifier(ctx: OpContext) -> tuple[Fact, ...]:
    """ai.onnx.ml LinearClassifier-1: a label for each row, and a score for each class."""
    labels, dtype = _labels(ctx, "classlabels_strings", "classlabels_ints")
    table = _table(ctx)
    if table is None:
        return (UNKNOWN,)
    classes = _length(ctx, "intercepts") or labels
    _require_coefficients(ctx, table[1], classes)
    scores = ctx.fresh() if not classes or (classes == 1 and labels != 2) else Dim.of(max(classes, 2))
    return tensor(table[0], dtype=dtype), tensor(table[0], scores, dtype=FLOAT)


@op("SVMRegressor", domain=ML)
def svm_regressor(ctx: OpContext) -> Fact:
    """ai.onnx.ml SVMRegressor-1: a number for each row."""
    table = _table(ctx)
    if table is None:
        return UNKNOWN
    _require_vectors(ctx, table[1], ctx.int_attr("n_supports", 0))
    return tensor(table[0], 1, dtype=FLOAT)


def _require_vectors(ctx: OpContext, features: Dim, vectors: int) -> None:
    """Requires that so many support vectors have as many entries as a row has features."""
    count = _length(ctx, "support_vectors")
    if count and vectors > 0 and _known(ctx):
        text = "{0} has {features} features, but {vectors} support vectors with {rhs} entries in all are given"
        ctx.require_equal(features * vectors, count, FEATURES, text, features=features, vectors=vectors)


@op("SVMClassifier", domain=ML)
def svm_classifier(ctx: OpContext) -> tuple[Fact, ...]:
    """ai.onnx.ml SVMClassifier-1: a label for each row, and a score for each class or pair of classes."""
    labels, dtype = _labels(ctx, "classlabels_strings", "classlabels_ints")
    table = _table(ctx)
    if table is None:
        return (UNKNOWN,)
    per_class = ctx.ints_attr("vectors_per_class") or ()
    _require_vectors(ctx, table[1], sum(per_class))
    if labels < 2 or not per_class:
        scores = ctx.fresh()
    elif _length(ctx, "prob_a") or labels == 2:
        scores = Dim.of(labels)
    else:
        scores = Dim.of(labels * (labels - 1) // 2)
    return tensor(table[0], dtype=dtype), tensor(table[0], scores, dtype=FLOAT)


@op("TreeEnsembleRegressor", domain=ML)
def tree_ensemble_regressor(ctx: OpContext) -> Fact:
    """ai.onnx.ml TreeEnsembleRegressor-1, 3: a number for each row and target."""
    table = _table(ctx)
    if table is None:
        return UNKNOWN
    _require_tree_features(ctx, table[1])
    targets = ctx.optional_int("n_targets")
    return tensor(table[0], ctx.fresh() if targets is None else targets, dtype=FLOAT)


@op("TreeEnsembleClassifier", domain=ML)
def tree_ensemble_classifier(ctx: OpContext) -> tuple[Fact, ...]:
    """ai.onnx.ml TreeEnsembleClassifier-1, 3: a label for each row, and a score for each class."""
    labels, dtype = _labels(ctx, "classlabels_strings", "classlabels_int64s")
    table = _table(ctx)
    if table is None:
        return (UNKNOWN,)
    _require_tree_features(ctx, table[1])
    scores = Dim.of(labels) if labels > 1 else ctx.fresh()
    return tensor(table[0], dtype=dtype), tensor(table[0], scores, dtype=FLOAT)


@op("TreeEnsemble", since=5, domain=ML)
def tree_ensemble(ctx: OpContext) -> Fact:
    """ai.onnx.ml TreeEnsemble-5: a number for each row and target, of the input's type."""
    _require_tree_lists(ctx)
    table = _table(ctx, vector=False)
    if table is None:
        return UNKNOWN
    _require_tree_features(ctx, table[1])
    targets = ctx.optional_int("n_targets")
    return tensor(table[0], ctx.fresh() if targets is None else targets, dtype=ctx.input(0).dtype)


def _require_tree_lists(ctx: OpContext) -> None:
    """Requires that the attributes of TreeEnsemble-5 that describe nodes, or leaves, are of one length each."""
    for names in (_NODES, _LEAVES):
        counts = {name: _entries(ctx, name) for name in names if name in ctx.attrs}
        if len(set(counts.values())) > 1:
            shown = ", ".join(f"`{name}` {count}" for name, count in counts.items())
            ctx.reject(ATTRIBUTES, "lists that belong together differ in length: {shown}", shown=shown)


_NODES = (
    "nodes_featureids", "nodes_falseleafs", "nodes_falsenodeids", "nodes_modes", "nodes_splits", "nodes_trueleafs",
    "nodes_truenodeids",
)  # fmt: skip
_LEAVES = ("leaf_targetids", "leaf_weights")


def _entries(ctx: OpContext, name: str) -> int:
    """The number of entries of an attribute that is a list or a tensor."""
    table = ctx.tensor_attr(name)
    return _length(ctx, name) if table is None else prod(table.dims)


def _require_tree_features(ctx: OpContext, features: Dim) -> None:
    """Requires that the features that inner nodes look at exist."""
    looked_at = ctx.ints_attr("nodes_featureids") or ()
    modes = ctx.strs_attr("nodes_modes")
    if modes is not None and len(modes) == len(looked_at):
        looked_at = tuple(number for number, mode in zip(looked_at, modes, strict=True) if mode != "LEAF")
    if looked_at and _known(ctx):
        most = max(looked_at)
        text = "a tree looks at feature {most}, but {0} has {rhs} features"
        ctx.require_at_most(most + 1, features, FEATURES, text, most=most)


@op("ZipMap", domain=ML)
def zip_map(ctx: OpContext) -> Fact:
    """ai.onnx.ml ZipMap-1: for each row, a map from labels to its numbers."""
    labels, dtype = _labels(ctx, "classlabels_strings", "classlabels_int64s")
    table = _table(ctx)
    if table is None:
        return UNKNOWN
    if labels and _known(ctx):
        text = "{0} has {lhs} columns, but there are {rhs} labels"
        ctx.require_equal(table[1], labels, FEATURES, text)
    element = Fact(dtype, type="map", element=Fact(FLOAT, ()))
    return Fact(type="sequence", element=element, length=table[0] if _known(ctx) else None)


@op("CastMap", domain=ML)
def cast_map(ctx: OpContext) -> Fact:
    """ai.onnx.ml CastMap-1: the values of a map in one row; with `SPARSE`, each at the place of its key."""
    dtype = {"TO_FLOAT": FLOAT, "TO_STRING": STRING, "TO_INT64": INT64}.get(ctx.str_attr("cast_to", "TO_FLOAT"))
    sparse = ctx.str_attr("map_form", "DENSE") == "SPARSE"
    return tensor(1, ctx.int_attr("max_map", 1) if sparse else ctx.fresh("data"), dtype=dtype)


@op("DictVectorizer", domain=ML)
def dict_vectorizer(ctx: OpContext) -> Fact:
    """ai.onnx.ml DictVectorizer-1: a number for each word: a vector by the text, a matrix of one row in onnxruntime."""
    element = ctx.input(0).element
    return Fact(None if element is None else element.dtype)
