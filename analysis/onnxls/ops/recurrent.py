"""Recurrent layers: RNN, GRU, LSTM."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.dims import Dim
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.rules import rule

RECURRENT_ATTRIBUTE = rule(
    "recurrent-attribute-invalid",
    "OLS175",
    "error",
    """
    An attribute of a recurrent layer has none of its values.

    `direction` is "forward", "reverse" or "bidirectional"; `layout` (since version 14) is 0, with the sequence first,
    or 1, with the batch first; `hidden_size` is positive.

    ```onnx
    g (float[S, B, 4] x, float[1, 20, 4] w, float[1, 20, 5] r) => (float[S, 1, B, 5] y) {
      # error: [recurrent-attribute-invalid] "direction"
      y = LSTM <hidden_size = 5, direction = "backward"> (x, w, r)
    }
    ```
    """,
)
RECURRENT_MISMATCH = rule(
    "recurrent-shape-mismatch",
    "OLS176",
    "error",
    """
    A parameter of a recurrent layer does not have the shape that the layer needs.

    With D directions, hidden size H, input size I and g gates (1 for RNN, 3 for GRU, 4 for LSTM): W is [D, g*H, I],
    R [D, g*H, H], B [D, 2*g*H], `sequence_lens` [batch], the initial states [D, batch, H] (with `layout` = 1
    [batch, D, H]), the peepholes of LSTM [D, 3*H]. The gates of all directions are packed into one axis, and nothing
    is broadcast.

    ```onnx
    g (float[S, B, 4] x, float[1, 15, 4] w, float[1, 20, 5] r) => (float[S, 1, B, 5] y) {
      # error: [recurrent-shape-mismatch] "axis 1 of `w` is 15"
      y = LSTM <hidden_size = 5> (x, w, r)
    }
    ```

    PyTorch keeps weights per layer and direction, and orders the gates in another way; exporters repack them.
    """,
)

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


@dataclass(frozen=True, slots=True)
class Layer:
    """The sizes of a layer."""

    directions: int
    length: Dim
    batch: Dim
    features: Dim
    hidden: Dim
    batch_first: bool

    def state(self) -> Shape:
        """The shape of the state after the last step."""
        directions = Dim.of(self.directions)
        return (self.batch, directions, self.hidden) if self.batch_first else (directions, self.batch, self.hidden)

    def output(self) -> Shape:
        """The shape of the outputs of all steps."""
        directions = Dim.of(self.directions)
        if self.batch_first:
            return (self.batch, self.length, directions, self.hidden)
        return (self.length, directions, self.batch, self.hidden)


@op("RNN", "GRU", "LSTM")
def recurrent(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX RNN, LSTM-1, 7, 14, 22 and GRU-1, 3, 7, 14, 22: Y, Y_h, and Y_c of LSTM."""
    layer = _layer(ctx)
    if layer is None:
        return (Fact(), Fact(), Fact())
    _require_parameters(ctx, layer, GATES[ctx.op_type])
    state = Fact(shape=layer.state())
    return (Fact(shape=layer.output()), state, state)


def _layer(ctx: OpContext) -> Layer | None:
    """The sizes as attributes, input and weights say them; None (and a rejection) where they cannot be read."""
    direction = ctx.str_attr("direction", "forward")
    layout = ctx.int_attr("layout", 0) if ctx.version >= 14 else 0
    hidden = ctx.optional_int("hidden_size")
    if (
        direction not in ("forward", "reverse", "bidirectional")
        or layout not in (0, 1)
        or (hidden is not None and hidden < 1)
    ):
        text = "direction is {direction!r}, layout {layout}, hidden_size {hidden}: one of them has none of its values"
        ctx.reject(RECURRENT_ATTRIBUTE, text, direction=direction, layout=layout, hidden=hidden)
        return None
    x = ctx.input(0).shape
    if x is not None and len(x) != 3:
        text = "{0} has rank {rank}; a recurrent layer takes [length, batch, features], or [batch, length, features]"
        ctx.reject(RECURRENT_MISMATCH, text + " with layout = 1", rank=len(x))
        return None
    length, batch, features = (ctx.fresh(), ctx.fresh(), _size(ctx, 1, 2)) if x is None else x
    if layout and x is not None:
        length, batch = batch, length
    size = _size(ctx, 2, 2) if hidden is None else Dim.of(hidden)
    return Layer(2 if direction == "bidirectional" else 1, length, batch, features, size, bool(layout))


def _size(ctx: OpContext, index: int, axis: int) -> Dim:
    """A size of a parameter of rank 3; a new one where it is not known."""
    shape = ctx.input(index).shape
    return shape[axis] if shape is not None and len(shape) == 3 else ctx.fresh()


def _require_parameters(ctx: OpContext, layer: Layer, gates: int) -> None:
    """The shapes of weights, biases, lengths and initial states."""
    directions, hidden = Dim.of(layer.directions), layer.hidden
    rows = hidden * gates
    _require_shape(ctx, 1, (directions, rows, layer.features), f"[directions, {gates} * hidden, features]")
    _require_shape(ctx, 2, (directions, rows, hidden), f"[directions, {gates} * hidden, hidden]")
    _require_shape(ctx, 3, (directions, rows * 2), f"[directions, {2 * gates} * hidden]")
    _require_shape(ctx, 4, (layer.batch,), "[batch]")
    state = "[batch, directions, hidden]" if layer.batch_first else "[directions, batch, hidden]"
    _require_shape(ctx, 5, layer.state(), state)
    if ctx.op_type == "LSTM":
        _require_shape(ctx, 6, layer.state(), state)
        _require_shape(ctx, 7, (directions, hidden * 3), "[directions, 3 * hidden]")


def _require_shape(ctx: OpContext, index: int, want: Shape, meaning: str) -> None:
    """A parameter has a shape; `meaning` says of what it is made."""
    shape = ctx.input(index).shape
    if shape is None:
        return
    if len(shape) != len(want):
        text = f"{{{index}}} has rank {{rank}}; it is {{meaning}}"
        ctx.reject(RECURRENT_MISMATCH, text, rank=len(shape), meaning=meaning)
        return
    for axis, (have, size) in enumerate(zip(shape, want, strict=True)):
        text = f"axis {{axis}} of {{{index}}} is {{lhs}}, but the layer needs {{rhs}}: {{meaning}}"
        ctx.require_equal(have, size, RECURRENT_MISMATCH, text, axis=axis, meaning=meaning)
