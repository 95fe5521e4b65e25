"""Convolutions: Conv and its integer forms, ConvTranspose, DeformConv, CausalConvWithState."""

from __future__ import annotations

from collections.abc import Sequence

from onnxls.dims import Dim, product
from onnxls.facts import Fact, Shape
from onnxls.ops import op
from onnxls.ops.context import OpContext, constant
from onnxls.ops.windows import (
    WINDOW_ATTRIBUTE,
    WINDOW_COUNT_DIFFERS,
    Windows,
    read_windows,
    require_image,
    spatial_kernel,
    window_counts,
)
from onnxls.relations import at_most, equal
from onnxls.rules import rule

CONV_CHANNELS = rule(
    "conv-channel-mismatch",
    "OLS304",
    "error",
    """
    The channels of a convolution's input, its weights and its groups do not fit together.

    The weights have shape [M, C/group, k1, ..., kn] for an input of C channels, and `group` must divide M. A depthwise
    convolution has `group` = C and weights [M, 1, ...]. `ConvTranspose` has its weights the other way round:
    [C, M/group, k1, ..., kn]. onnx's own inference does not look at any of this.

    ```onnx
    g (float[N, 4, H, W] image, float[8, 3, 1, 1] w) => (float[N, 8, A, B] y) {
      # error: [conv-channel-mismatch] "axis 1 of `image` is 4"
      y = Conv (image, w)
    }
    ```

    Images that were kept as [N, H, W, C] want a `Transpose` first.
    """,
)
CONV_KERNEL = rule(
    "conv-kernel-mismatch",
    "OLS305",
    "error",
    """
    `kernel_shape` is not what the weights say.

    The attribute is optional for convolutions; where it is given it must repeat the spatial axes of the weights.

    ```onnx
    g (float[N, 3, H, W] image, float[8, 3, 3, 3] w) => (float[N, 8, A, B] y) {
      # error: [conv-kernel-mismatch]
      y = Conv <kernel_shape = [5, 5], pads = [2, 2, 2, 2]> (image, w)
    }
    ```

    Leave the attribute out.
    """,
)
CONV_BIAS = rule(
    "conv-bias-mismatch",
    "OLS306",
    "error",
    """
    The bias of a convolution does not have one entry for each output channel.

    B has shape [M], where M is the first axis of the weights (for `ConvTranspose`: the second, times `group`). It is
    not broadcast.

    ```onnx
    g (float[N, 3, H, W] image, float[8, 3, 1, 1] w, float[3] b) => (float[N, 8, H, W] y) {
      # error: [conv-bias-mismatch] "`b` has 3 entries"
      y = Conv (image, w, b)
    }
    ```
    """,
)
PADS_TWICE = rule(
    "conv-auto-pad-with-pads",
    "OLS307",
    "error",
    """
    A convolution has both `auto_pad` and `pads`.

    `auto_pad` computes the pads; the standard forbids to give both, and onnxruntime refuses the node even where all
    pads are 0.

    ```onnx
    g (float[N, 3, H, W] image, float[8, 3, 3, 3] w) => (float[N, 8, A, B] y) {
      # error: [conv-auto-pad-with-pads]
      y = Conv <auto_pad = "SAME_UPPER", pads = [1, 1, 1, 1]> (image, w)
    }
    ```
    """,
)
TRANSPOSED_OUTPUT = rule(
    "conv-transpose-output-size",
    "OLS308",
    "error",
    """
    The output of a transposed convolution would have a size that no input gives.

    The output is as long as a convolution's input would be: `stride * (d - 1) + extent - pads`, with up to `stride - 1`
    entries more where `output_padding` or `output_shape` says so. It must not be empty.

    ```onnx
    g (float[1, 2, 4] x, float[2, 3, 3] w) => (float[1, 3, L] y) {
      # error: [conv-transpose-output-size] "output_shape asks for 12"
      y = ConvTranspose <strides = [2], output_shape = [12]> (x, w)
    }
    ```
    """,
)
CONV_OPERAND = rule(
    "conv-operand-mismatch",
    "OLS309",
    "error",
    """
    A further operand of a convolution does not fit the image and the weights.

    Scales and zero points are for the whole tensor (one entry) or, for weights, one for each output channel. The
    offsets and the mask of `DeformConv` have a value for each kernel entry at each place of the output; the state of
    `CausalConvWithState` has the k - 1 entries before the sequence.

    ```onnx
    g (uint8[1, 2, 5] x, uint8[3, 2, 3] w, uint8[2] x_zero) => (int32[1, 3, 3] y) {
      # error: [conv-operand-mismatch] "axis 0 of `x_zero` is 2"
      y = ConvInteger (x, w, x_zero)
    }
    ```
    """,
)


@op("Conv")
def conv(ctx: OpContext) -> Fact:
    """ONNX Conv-1, 11, 22: [N, M] and one size for each window of the image."""
    return Fact(shape=_convolved(ctx, 0, 1, bias=2))


@op("ConvInteger", since=10)
def conv_integer(ctx: OpContext) -> Fact:
    """ONNX ConvInteger-10: Conv of integers, into int32."""
    shape = _convolved(ctx, 0, 1)
    _require_whole(ctx, (2,))
    _require_per_channel(ctx, (3,), _dim(ctx, 1, 0))
    return Fact(shape=shape)


@op("QLinearConv", since=10)
def qlinear_conv(ctx: OpContext) -> Fact:
    """ONNX QLinearConv-10: Conv of quantized tensors."""
    shape = _convolved(ctx, 0, 3, bias=8)
    _require_whole(ctx, (1, 2, 6, 7))
    _require_per_channel(ctx, (4, 5), _dim(ctx, 3, 0))
    return Fact(shape=shape)


def _convolved(ctx: OpContext, image: int, weights: int, bias: int | None = None) -> Shape | None:
    """The shape of a convolution: [N, M, windows...]."""
    windows = _read(ctx, image, weights)
    x, w = ctx.input(image).shape, ctx.input(weights).shape
    if windows is None:
        return None
    group = _group(ctx)
    if group is None:
        return None
    if w is not None:
        if x is not None:
            text = (
                f"axis 1 of {{{image}}} is {{lhs}}, but the weights {{{weights}}} are made for {{rhs}} channels"
                " (their axis 1 times the group of {group})"
            )
            ctx.require_equal(x[1], w[1] * group, CONV_CHANNELS, text, group=group)
        text = f"axis 0 of {{{weights}}} is {{dividend}}, which the {{divisor}} groups must divide"
        ctx.require_divides(group, w[0], CONV_CHANNELS, text)
    channels = ctx.fresh() if w is None else w[0]
    if bias is not None and w is not None:
        _require_bias(ctx, bias, channels)
    batch = ctx.fresh() if x is None else x[0]
    return (batch, channels, *window_counts(ctx, image, windows))


def _read(ctx: OpContext, image: int, weights: int) -> Windows | None:
    """The windows of a convolution; None where their number is not known, or something is wrong (and rejected)."""
    w = ctx.input(weights).shape
    named = spatial_kernel(ctx)
    if not require_image(ctx, image) or not require_image(ctx, weights) or (named is None and _given(ctx)):
        return None
    if w is None:
        kernel = named
        if kernel is None:
            x = ctx.input(image).shape
            kernel = None if x is None else tuple(ctx.fresh(lower=1) for _ in x[2:])
    else:
        kernel = _kernel_of(ctx, weights, w, named)
    if kernel is None or not require_image(ctx, image, len(kernel)):
        return None
    if ctx.str_attr("auto_pad", "NOTSET") != "NOTSET" and ctx.ints_attr("pads") is not None:
        ctx.reject(PADS_TWICE, "auto_pad and pads are both given")
        return None
    return read_windows(ctx, kernel)


def _given(ctx: OpContext) -> bool:
    return ctx.ints_attr("kernel_shape") is not None


def _kernel_of(ctx: OpContext, weights: int, w: Shape, named: Shape | None) -> Shape | None:
    """The kernel as weights and attribute say it; the attribute is a number where the weights have a symbol."""
    if named is None:
        return w[2:]
    if len(named) != len(w) - 2:
        text = f"kernel_shape has {{have}} entries, but {{{weights}}} has {{want}} spatial axes"
        ctx.reject(CONV_KERNEL, text, have=len(named), want=len(w) - 2)
        return None
    for axis, (want, have) in enumerate(zip(named, w[2:], strict=True), 2):
        text = f"kernel_shape says {{rhs}} for axis {{axis}} of {{{weights}}}, which is {{lhs}}"
        ctx.require_equal(have, want, CONV_KERNEL, text, axis=axis)
        if constant(equal(have, want)) is False:
            return None
    return named


def _group(ctx: OpContext) -> int | None:
    group = ctx.int_attr("group", 1)
    if group < 1:
        ctx.reject(CONV_CHANNELS, "group is {group}; there is at least one", group=group)
        return None
    return group


def _dim(ctx: OpContext, index: int, axis: int) -> Dim:
    """A size of an input; a new one where its shape is not known."""
    shape = ctx.input(index).shape
    return ctx.fresh() if shape is None or axis >= len(shape) else shape[axis]


def _require_bias(ctx: OpContext, index: int, channels: Dim) -> None:
    shape = ctx.input(index).shape
    if shape is None:
        return
    if len(shape) != 1:
        text = f"{{{index}}} has rank {{rank}}; a bias has one axis, with an entry for each output channel"
        ctx.reject(CONV_BIAS, text, rank=len(shape))
        return
    text = f"{{{index}}} has {{lhs}} entries, but there are {{rhs}} output channels"
    ctx.require_equal(shape[0], channels, CONV_BIAS, text)


def _require_whole(ctx: OpContext, indices: Sequence[int]) -> None:
    """Scales and zero points of a whole tensor: a scalar, or one entry."""
    for index in indices:
        shape = ctx.input(index).shape
        if shape is None:
            continue
        if len(shape) > 1:
            ctx.reject(CONV_OPERAND, f"{{{index}}} has rank {{rank}}; it must have one element", rank=len(shape))
        elif shape:
            ctx.require_equal(shape[0], 1, CONV_OPERAND, f"axis 0 of {{{index}}} is {{lhs}}; it must have one element")


def _require_per_channel(ctx: OpContext, indices: Sequence[int], channels: Dim) -> None:
    """Scales and zero points of weights: one, or one for each output channel."""
    for index in indices:
        shape = ctx.input(index).shape
        if shape is None:
            continue
        if len(shape) > 1:
            text = f"{{{index}}} has rank {{rank}}; it is a scalar or has an entry for each output channel"
            ctx.reject(CONV_OPERAND, text, rank=len(shape))
        elif shape:
            text = f"axis 0 of {{{index}}} is {{lhs}}; it must be 1 or the number of output channels, {{channels}}"
            ctx.require_one_of(shape[0], (channels, 1), CONV_OPERAND, text, channels=channels)


@op("ConvTranspose")
def conv_transpose(ctx: OpContext) -> Fact:
    """ONNX ConvTranspose-1, 11, 22: the gradient of Conv by its input."""
    windows = _read(ctx, 0, 1)
    group = _group(ctx)
    x, w = ctx.input(0).shape, ctx.input(1).shape
    if windows is None or group is None:
        return Fact()
    if w is not None:
        if x is not None:
            text = "axis 1 of {0} is {lhs}, but the weights {1} are made for {rhs} channels (their axis 0)"
            ctx.require_equal(x[1], w[0], CONV_CHANNELS, text)
        text = "there are {dividend} input channels, which the {divisor} groups must divide"
        ctx.require_divides(group, w[0] if x is None else x[1], CONV_CHANNELS, text)
    channels = ctx.fresh() if w is None else w[1] * group
    if w is not None:
        _require_bias(ctx, 2, channels)
    spatial = _transposed(ctx, windows, x)
    if spatial is None:
        return Fact()
    return Fact(shape=(ctx.fresh() if x is None else x[0], channels, *spatial))


def _transposed(ctx: OpContext, windows: Windows, x: Shape | None) -> Shape | None:
    """The spatial axes of a transposed convolution."""
    count = len(windows.kernel)
    extra = ctx.ints_attr("output_padding") or (0,) * count
    wanted = ctx.ints_attr("output_shape") or None
    if len(extra) != count or (wanted is not None and len(wanted) not in (count, count + 2)):
        text = "output_padding and output_shape need {count} entries, one for each spatial axis"
        ctx.reject(WINDOW_ATTRIBUTE, text, count=count)
        return None
    for axis, entry in enumerate(extra):
        stride = windows.strides[axis]
        if not 0 <= entry < stride:
            text = (
                "output_padding is {entry} on spatial axis {axis}; it must be from 0 to less than the stride {stride}"
            )
            ctx.reject(TRANSPOSED_OUTPUT, text, entry=entry, axis=axis, stride=stride)
            return None
    if wanted is not None:
        return _wanted_sizes(ctx, windows, x, extra, wanted[-count:])
    if x is None:
        return tuple(ctx.fresh(lower=1) for _ in windows.kernel)
    return tuple(_transposed_size(ctx, windows, axis, dim, extra[axis]) for axis, dim in enumerate(x[2:]))


def _wanted_sizes(
    ctx: OpContext, windows: Windows, x: Shape | None, extra: Sequence[int], wanted: Sequence[int]
) -> Shape | None:
    """`output_shape`: the pads follow from it. Less is cut off; more than a stride allows is refused."""
    for axis, size in enumerate(wanted):
        text = "output_shape asks for {size} on spatial axis {axis}"
        if size < 1:
            ctx.reject(TRANSPOSED_OUTPUT, text + ", which is empty", size=size, axis=axis)
            return None
        if x is not None:
            stride = windows.strides[axis]
            most = (x[axis + 2] - 1) * stride + windows.extent(axis) + extra[axis] + stride - 1
            text += ", but axis {at} of {0}, of size {dim}, gives at most {rhs}"
            ctx.require_at_most(size, most, TRANSPOSED_OUTPUT, text, size=size, axis=axis, at=axis + 2, dim=x[axis + 2])
    return tuple(Dim.of(size) for size in wanted)


def _transposed_size(ctx: OpContext, windows: Windows, axis: int, dim: Dim, extra: int) -> Dim:
    stride, extent = windows.strides[axis], windows.extent(axis)
    text = "axis {axis} of {0} is {dim}, so that the output is {rhs} long; it must be at least 1"
    if not windows.auto_pad.startswith("SAME"):
        begin, end = windows.padding(axis)
        size = (dim - 1) * stride + extent + extra - begin - end
        ctx.require_at_most(1, size, TRANSPOSED_OUTPUT, text, axis=axis + 2, dim=dim)
        return size
    ctx.require_at_most(1, dim, TRANSPOSED_OUTPUT, text, axis=axis + 2, dim=dim)
    if ctx.branch(at_most(stride, extent + extra)) is True:
        return dim * stride
    text = f"the size of axis {axis + 2} depends on the runtime where the kernel is shorter than the stride"
    ctx.remark(WINDOW_COUNT_DIFFERS, text)
    return ctx.fresh(upper=dim * stride)


@op("DeformConv", since=19)
def deform_conv(ctx: OpContext) -> Fact:
    """ONNX DeformConv-19, 22: Conv whose windows are bent by offsets."""
    shape = _convolved(ctx, 0, 1, bias=3)
    x, w = ctx.input(0).shape, ctx.input(1).shape
    groups = ctx.int_attr("offset_group", 1)
    if groups < 1:
        return ctx.reject(CONV_CHANNELS, "offset_group is {groups}; there is at least one", groups=groups)
    if x is not None and len(x) > 1:
        text = "axis 1 of {0} is {dividend}, which the {divisor} offset groups must divide"
        ctx.require_divides(groups, x[1], CONV_CHANNELS, text)
    if shape is None or w is None:
        return Fact(shape=shape)
    entries = product(w[2:]) * groups
    _require_places(ctx, 2, (shape[0], entries * (len(w) - 2), *shape[2:]))
    _require_places(ctx, 4, (shape[0], entries, *shape[2:]))
    return Fact(shape=shape)


def _require_places(ctx: OpContext, index: int, want: Shape) -> None:
    """An operand with a value for each kernel entry at each place of the output."""
    shape = ctx.input(index).shape
    if shape is None:
        return
    if len(shape) != len(want):
        text = f"{{{index}}} has rank {{rank}}, not {{want}} like the output"
        ctx.reject(CONV_OPERAND, text, rank=len(shape), want=len(want))
        return
    for axis, (have, size) in enumerate(zip(shape, want, strict=True)):
        text = f"axis {{axis}} of {{{index}}} is {{lhs}}, but image and weights call for {{rhs}}"
        ctx.require_equal(have, size, CONV_OPERAND, text, axis=axis)


@op("CausalConvWithState", since=27)
def causal_conv(ctx: OpContext) -> tuple[Fact, ...]:
    """ONNX CausalConvWithState-27: a depthwise convolution of what came before, and the state for the next call."""
    x, w = ctx.input(0).shape, ctx.input(1).shape
    for index in (0, 1):
        if not require_image(ctx, index, 1):
            return (Fact(), Fact())
    if x is None:
        x = (ctx.fresh(), ctx.fresh() if w is None else w[0], ctx.fresh())
    kernel = ctx.fresh(lower=1)
    if w is not None:
        kernel = w[2]
        ctx.require_equal(x[1], w[0], CONV_CHANNELS, "axis 1 of {0} is {lhs}, but axis 0 of the weights {1} is {rhs}")
        ctx.require_equal(w[1], 1, CONV_CHANNELS, "axis 1 of the weights {1} is {lhs}; each channel is on its own: 1")
        ctx.require_at_most(1, kernel, WINDOW_ATTRIBUTE, "axis 2 of the weights {1} is {rhs}; the kernel is empty")
    _require_bias(ctx, 2, x[1])
    state = (x[0], x[1], kernel - 1)
    _require_places(ctx, 3, state)
    return Fact(shape=x), Fact(shape=state)
