"""Spectra: windows, mel filters, Fourier transforms."""

from __future__ import annotations

from onnxls.dims import Dim, product
from onnxls.facts import FLOAT, UNKNOWN, Fact, Shape, tensor
from onnxls.ops import op
from onnxls.ops.context import OpContext
from onnxls.rules import rule

NOT_SINGLE = rule(
    "signal-operand-not-single",
    "OLS375",
    "error",
    """
    A length, step or count of a signal operator does not hold exactly one element.

    ```onnx
    g (float[B, L, 1] x) => (float[N] y) {
      s = Shape (x)
      # error: [signal-operand-not-single]
      y = HannWindow (s)
    }
    ```

    Pick the element that is meant (`Gather` with a scalar index).
    """,
)
LENGTH = rule(
    "signal-length-out-of-range",
    "OLS376",
    "error",
    """
    A length, step or count of a signal operator is too small.

    Windows and mel filters may be empty, but not shorter; a Fourier transform needs at least one point, and the
    step of an `STFT` must be positive.

    ```onnx
    g () => (float[N] y) <int64 size = {-4}> {
      # error: [signal-length-out-of-range]
      y = HannWindow (size)
    }
    ```
    """,
)
LAYOUT = rule(
    "signal-layout",
    "OLS377",
    "error",
    """
    The last axis of a signal is neither 1 (real) nor 2 (complex), or not the one that is needed.

    `DFT` and `STFT` keep real and imaginary parts on the last axis. A one-sided transform takes real signals, its
    inverse complex spectra. A signal without that axis needs one (`Unsqueeze`).

    ```onnx
    g (float[1, 400] x) => (float[A, B] y) {
      # error: [signal-layout]
      y = DFT (x)
    }
    ```
    """,
)
DFT_AXIS = rule(
    "dft-axis",
    "OLS378",
    "error",
    """
    The axis of a DFT does not exist, or is the last one.

    The last axis holds real and imaginary parts, so it is no signal axis.

    ```onnx
    g (float[B, L, 1] x) => (float[B, L, 2] y) <int64 axis = {-1}> {
      # error: [dft-axis]
      y = DFT (x, , axis)
    }
    ```
    """,
)
STFT_FRAME = rule(
    "stft-frame",
    "OLS379",
    "error",
    """
    The frames of an STFT do not fit: a frame is longer than the signal, or the window is not as long as a frame.

    ```onnx
    g (float[B, 300, 1] x, float[400] window) => (float[B, F, 201, 2] y) <int64 step = {160}> {
      # error: [stft-frame]
      y = STFT (x, step, window)
    }
    ```

    Pad the signal, or shorten the window.
    """,
)


def _one(ctx: OpContext, index: int, what: str) -> Dim | None:
    """The one element of an operand, where it is known."""
    fact = ctx.input(index)
    if fact.shape:
        text = f"the {what} {{{index}}} holds {{lhs}} elements; it must hold one"
        ctx.require_equal(product(fact.shape), 1, NOT_SINGLE, text)
    return fact.scalar


def _at_least(ctx: OpContext, least: int, value: Dim | None, index: int, what: str) -> None:
    if value is not None:
        text = f"the {what} {{{index}}} is {{rhs}}; it must be at least {least}"
        ctx.require_at_most(least, value, LENGTH, text)


@op("BlackmanWindow", "HammingWindow", "HannWindow", since=17)
def window(ctx: OpContext) -> Fact:
    """ONNX BlackmanWindow-17, HammingWindow-17, HannWindow-17: a vector of the given size."""
    size = _one(ctx, 0, "size")
    _at_least(ctx, 0, size, 0, "size")
    return tensor(ctx.fresh() if size is None else size, dtype=ctx.int_attr("output_datatype", FLOAT))


@op("MelWeightMatrix", since=17)
def mel_weight_matrix(ctx: OpContext) -> Fact:
    """ONNX MelWeightMatrix-17: a row for each bin of a one-sided spectrum, a column for each mel bin."""
    bins, length = _one(ctx, 0, "number of mel bins"), _one(ctx, 1, "DFT length")
    for index, what in ((2, "sample rate"), (3, "lower edge"), (4, "upper edge")):
        _one(ctx, index, what)
    _at_least(ctx, 0, bins, 0, "number of mel bins")
    _at_least(ctx, 0, length, 1, "DFT length")
    rows = ctx.fresh() if length is None else length // 2 + 1
    columns = ctx.fresh() if bins is None else bins
    return tensor(rows, columns, dtype=ctx.int_attr("output_datatype", FLOAT))


@op("DFT", since=17)
def dft_17(ctx: OpContext) -> Fact:
    """ONNX DFT-17: the axis is an attribute."""
    return _dft(ctx, Dim.of(ctx.int_attr("axis", 1)))


@op("DFT", since=20)
def dft_20(ctx: OpContext) -> Fact:
    """ONNX DFT-20: the axis is an optional input, by default the last but one."""
    return _dft(ctx, _one(ctx, 2, "axis") if ctx.has(2) else Dim.of(-2))


def _dft(ctx: OpContext, axis: Dim | None) -> Fact:
    inverse, onesided = ctx.int_attr("inverse", 0) != 0, ctx.int_attr("onesided", 0) != 0
    length = _one(ctx, 1, "DFT length") if ctx.has(1) else None
    _at_least(ctx, 1, length, 1, "DFT length")
    shape = ctx.input(0).shape
    if shape is None:
        return Fact()
    if len(shape) < 2:
        text = "{0} has rank {rank}; a signal has at least an axis of samples and one of real and imaginary parts"
        return ctx.reject(LAYOUT, text, rank=len(shape))
    parts = Dim.of(1 if inverse and onesided else 2)
    _require_layout(ctx, shape[-1], complex_only=inverse and onesided, real_only=onesided and not inverse)
    if axis is None or axis.const is None:
        kept = not onesided and not ctx.has(1)
        return Fact(shape=(*(dim if kept else ctx.fresh() for dim in shape[:-1]), parts))
    rank = len(shape)
    at = axis.const + rank if axis.const < 0 else axis.const
    if not 0 <= at < rank - 1:
        text = "axis {axis} is out of range for the {count} signal axes of {0}; the last axis holds the parts"
        return ctx.reject(DFT_AXIS, text, axis=axis, count=rank - 1)
    points = _points(ctx, shape[at], length, inverse=inverse, onesided=onesided)
    return Fact(shape=(*shape[:at], points, *shape[at + 1 : -1], parts))


def _points(ctx: OpContext, dim: Dim, length: Dim | None, *, inverse: bool, onesided: bool) -> Dim:
    """The size of the transformed axis."""
    if ctx.has(1) and length is None:
        return ctx.fresh()
    if onesided and inverse:
        if length is None:
            text = (
                "the inverse transform of {dim} one-sided points has 2*({dim} - 1) points; there must be at least one"
            )
            ctx.require_at_most(1, dim, LENGTH, text, dim=dim)
        return 2 * (dim - 1) if length is None else length
    points = dim if length is None else length
    if not onesided:
        return points
    ctx.require_at_most(1, points, LENGTH, "the signal {0} is empty; its transform has at least one point")
    return points // 2 + 1


def _require_layout(ctx: OpContext, last: Dim, *, complex_only: bool, real_only: bool) -> None:
    """Requires 1 or 2 parts. Runtimes that learn the number late also take one-sided transforms of complex signals."""
    if complex_only:
        text = "the last axis of {0} is {lhs}; the inverse of a one-sided transform takes complex numbers, 2"
        ctx.require_equal(last, 2, LAYOUT, text)
    elif real_only and last.const == 2:
        ctx.reject(LAYOUT, "the last axis of {0} is 2 (complex); a one-sided transform takes real signals, 1")
    else:
        ctx.require_one_of(last, (1, 2), LAYOUT, "the last axis of {0} is {lhs}; it must be 1 (real) or 2 (complex)")


@op("STFT", since=17)
def stft(ctx: OpContext) -> Fact:
    """ONNX STFT-17: the transforms of all frames that fit into a signal."""
    step = _one(ctx, 1, "frame step")
    _at_least(ctx, 1, step, 1, "frame step")
    shape = ctx.input(0).shape
    if shape is None:
        return Fact(shape=(ctx.fresh(), ctx.fresh(), ctx.fresh(), Dim.of(2)))
    if len(shape) not in (2, 3):
        return ctx.reject(LAYOUT, "{0} has rank {rank}; STFT takes [batch, samples, 1 or 2]", rank=len(shape))
    if len(shape) == 3:
        ctx.require_one_of(
            shape[2], (1, 2), LAYOUT, "the last axis of {0} is {lhs}; it must be 1 (real) or 2 (complex)"
        )
    frame = _frame(ctx, shape[1])
    if frame is None:
        return UNKNOWN
    ctx.require_at_most(frame, shape[1], STFT_FRAME, "a frame has {lhs} samples, but {0} only {rhs}")
    count = ctx.fresh() if step is None else (shape[1] - frame) // step + 1
    bins = frame // 2 + 1 if ctx.int_attr("onesided", 1) else frame
    return Fact(shape=(shape[0], count, bins, Dim.of(2)))


def _frame(ctx: OpContext, samples: Dim) -> Dim | None:
    """The length of a frame: as given, else that of the window, else all samples."""
    given = _one(ctx, 3, "frame length") if ctx.has(3) else None
    _at_least(ctx, 1, given, 3, "frame length")
    window: Shape | None = ctx.input(2).shape if ctx.has(2) else None
    if window is not None and len(window) != 1:
        ctx.reject(STFT_FRAME, "the window {2} has rank {rank}; it must be a vector", rank=len(window))
        return None
    if ctx.has(3) and window is not None and given is not None:
        ctx.require_equal(window[0], given, STFT_FRAME, "the window {2} has {lhs} entries, but a frame {rhs} samples")
    if given is not None:
        return given
    if window is not None:
        ctx.require_at_most(1, window[0], LENGTH, "the window {2} is empty; a frame has at least one sample")
        return window[0]
    return ctx.fresh(lower=1) if ctx.has(2) or ctx.has(3) else samples
