"""The windows of convolutions and pools: their attributes, their extent, and how many of them an axis holds."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.dims import Dim, ceildiv
from onnxls.facts import Shape
from onnxls.ops.context import OpContext, constant
from onnxls.relations import at_most, equal
from onnxls.rules import rule

WINDOW_TOO_LARGE = rule(
    "window-exceeds-input",
    "OLS300",
    "error",
    """
    A convolution or pool has a window that is larger than its padded input.

    A kernel of k entries that lie `dilation` apart covers `(k - 1) * dilation + 1` entries. The axis, with its pads,
    must be at least that long. Where it is not, convolutions refuse to run; pools refuse, or give an empty or a
    meaningless result, each runtime another.

    ```onnx
    g (float[N, 3, 6, 6] image, float[8, 3, 7, 7] w) => (float[N, 8, H, W] y) {
      # error: [window-exceeds-input] "axis 2 of `image` is 6"
      y = Conv (image, w)
    }
    ```

    Pad the input, or use a smaller kernel. In a deep network the image often has become too small on the way: then
    the smallest size of the network's input is the thing to write down.
    """,
)
WINDOW_ATTRIBUTE = rule(
    "window-attribute-invalid",
    "OLS301",
    "error",
    """
    An attribute that describes windows has the wrong length or an impossible value.

    With n spatial axes (the rank less two) `kernel_shape`, `strides` and `dilations` have n entries of at least 1, and
    `pads` has 2*n: first all begins, then all ends. Pads are not interleaved as in `numpy.pad`.

    ```onnx
    g (float[N, 3, 32, 32] image) => (float[N, 3, H, W] y) {
      # error: [window-attribute-invalid] "pads has 2 entries"
      y = MaxPool <kernel_shape = [3, 3], pads = [1, 1]> (image)
    }
    ```
    """,
)
IMAGE_RANK = rule(
    "image-rank",
    "OLS302",
    "error",
    """
    An operator on images gets a tensor whose rank does not fit.

    Convolutions, pools and their kin work on [N, C, D1, ..., Dn]: a batch, channels, and at least one spatial axis.
    A single image without the batch axis, or features without a spatial axis, must be unsqueezed first.

    ```onnx
    g (float[3, H, W] image, float[8, 3, 3, 3] w) => (float[1, 8, A, B] y) {
      # error: [image-rank] "`image` has rank 3"
      y = Conv (image, w)
    }
    ```
    """,
)
WINDOW_COUNT_DIFFERS = rule(
    "window-count-differs",
    "OLS303",
    "information",
    """
    Runtimes disagree on how many windows an axis holds.

    The standard leaves gaps: `auto_pad = "VALID"` together with `ceil_mode`, `auto_pad = "SAME_UPPER"` of a dilated
    pool, and a `SAME` transposed convolution whose kernel is shorter than its stride come out differently in
    onnxruntime and in the reference implementation. The size is taken as unknown.

    ```onnx
    g (float[1, 1, 6] x) => (float[1, 1, L] y) {
      # information: [window-count-differs]
      y = MaxPool <kernel_shape = [3], strides = [2], auto_pad = "VALID", ceil_mode = 1> (x)
    }
    ```

    Write the pads out (`auto_pad = "NOTSET"`): then every runtime agrees.
    """,
)


@dataclass(frozen=True, slots=True)
class Windows:
    """The windows over n spatial axes. `pads`: n begins, then n ends."""

    kernel: Shape
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[int, ...]
    auto_pad: str

    def extent(self, axis: int) -> Dim:
        """How many entries of a spatial axis a window covers."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def padding(self, axis: int) -> tuple[int, int]:
        """The pads at the begin and at the end of a spatial axis."""
        return self.pads[axis], self.pads[axis + len(self.kernel)]

    def whole(self, axis: int, dim: Dim) -> Dim:
        """How many whole windows a spatial axis of a size holds."""
        return (dim + sum(self.padding(axis)) - self.extent(axis)) // self.strides[axis] + 1


def read_windows(ctx: OpContext, kernel: Shape, *, dilated: bool = True) -> Windows | None:
    """The windows of a kernel as the attributes describe them; None (and a rejection) where one is wrong."""
    count = len(kernel)
    strides = _positive(ctx, "strides", count)
    dilations = _positive(ctx, "dilations", count) if dilated else (1,) * count
    pads = ctx.ints_attr("pads")
    if pads is not None and len(pads) != 2 * count:
        ctx.reject(
            WINDOW_ATTRIBUTE,
            "pads has {have} entries, but {count} spatial axes need {want}: all begins, then all ends",
            have=len(pads),
            count=count,
            want=2 * count,
        )
        return None
    auto_pad = ctx.str_attr("auto_pad", "NOTSET")
    if auto_pad not in ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"):
        ctx.reject(WINDOW_ATTRIBUTE, "auto_pad is {value!r}, which is none of its values", value=auto_pad)
        return None
    if strides is None or dilations is None:
        return None
    if pads is None or auto_pad != "NOTSET":
        pads = (0,) * (2 * count)
    return Windows(kernel, strides, dilations, pads, auto_pad)


def _positive(ctx: OpContext, name: str, count: int) -> tuple[int, ...] | None:
    """An attribute of one positive entry for each spatial axis, by default 1."""
    values = ctx.ints_attr(name)
    if values is None:
        return (1,) * count
    if len(values) != count:
        text = "{name} has {have} entries, but there are {count} spatial axes"
        ctx.reject(WINDOW_ATTRIBUTE, text, name=name, have=len(values), count=count)
        return None
    if any(value < 1 for value in values):
        ctx.reject(WINDOW_ATTRIBUTE, "{name} has an entry below 1: {values}", name=name, values=list(values))
        return None
    return values


def spatial_kernel(ctx: OpContext, name: str = "kernel_shape") -> Shape | None:
    """The attribute of the window's size; None where it is absent or wrong (which is rejected)."""
    values = ctx.ints_attr(name)
    if values is None:
        return None
    if not values or any(value < 1 for value in values):
        ctx.reject(
            WINDOW_ATTRIBUTE, "{name} is {values}; it needs entries of at least 1", name=name, values=list(values)
        )
        return None
    return tuple(Dim.of(value) for value in values)


def require_image(ctx: OpContext, index: int, spatial: int | None = None) -> bool:
    """Whether the input may be an image: of unknown rank, or with `spatial` (at least one) axes after N and C."""
    rank = ctx.input(index).rank
    if rank is None or rank == (spatial or max(rank - 2, 1)) + 2:
        return True
    if spatial is None:
        text = f"{{{index}}} has rank {{rank}}; [N, C] and at least one spatial axis are needed"
    else:
        text = f"{{{index}}} has rank {{rank}}, but {{spatial}} spatial axes after [N, C] make {{want}}"
    ctx.reject(IMAGE_RANK, text, rank=rank, spatial=spatial, want=(spatial or 0) + 2)
    return False


def window_counts(ctx: OpContext, index: int, windows: Windows, *, pool: bool = False, ceil: bool = False) -> Shape:
    """The number of windows on each spatial axis of an image; new sizes where its shape is not known.

    `pool`: runtimes place the windows of a dilated SAME pool in ways of their own. `ceil`: the last one may be partial.
    """
    shape = ctx.input(index).shape
    count = len(windows.kernel)
    if shape is None:
        return tuple(ctx.fresh() for _ in range(count))
    counts: list[Dim] = []
    for axis, dim in enumerate(shape[2:]):
        if windows.auto_pad.startswith("SAME"):
            same = ceildiv(dim, windows.strides[axis])
            unclear = pool and windows.dilations[axis] != 1
            counts.append(_unclear(ctx, index, axis, same) if unclear else same)
        else:
            if not _require_fit(ctx, index, windows, axis, dim, pool=pool, ceil=ceil):
                return tuple(ctx.fresh() for _ in range(count))
            counts.append(_fitting(ctx, index, windows, axis, dim, ceil))
    return tuple(counts)


def _fitting(ctx: OpContext, index: int, windows: Windows, axis: int, dim: Dim, ceil: bool) -> Dim:
    """How many windows fit an axis with its pads."""
    stride, extent = windows.strides[axis], windows.extent(axis)
    begin, end = windows.padding(axis)
    whole = windows.whole(axis, dim)
    if not ceil:
        return whole
    # A last window that would start in the right pads is dropped. It would exactly where the pads, the stride and the
    # window are such that `beyond` is positive.
    beyond = end - extent + stride
    if beyond.const is None:
        return ctx.fresh()
    partial = ceildiv(dim + begin + min(beyond.const, 0), stride)
    if windows.auto_pad == "VALID" and whole != partial and ctx.branch(equal(whole, partial)) is not True:
        return _unclear(ctx, index, axis, partial)
    return partial


def _unclear(ctx: OpContext, index: int, axis: int, most: Dim) -> Dim:
    text = f"how many windows axis {axis + 2} of {{{index}}} holds depends on the runtime; write the pads out"
    ctx.remark(WINDOW_COUNT_DIFFERS, text)
    return ctx.fresh(upper=most)


def _require_fit(ctx: OpContext, index: int, windows: Windows, axis: int, dim: Dim, *, pool: bool, ceil: bool) -> bool:
    """The window must not be larger than the axis with its pads, or begin inside where it may be partial (`ceil`);
    False where it surely is.

    Pools run on while the count is not negative: the reference then gives 0 windows, onnxruntime 0 or 1. So only what
    lies below refuses, and what lies between is not what the formula says.
    """
    begin, end = windows.padding(axis)
    extent, dilation, stride = windows.extent(axis), windows.dilations[axis], windows.strides[axis]
    partial = stride - 1 if ceil and windows.auto_pad == "NOTSET" else 0
    slack = stride if pool else 0
    if ceil and not partial:
        slack += stride - 1
    fits = at_most(extent - (begin + end + partial), dim)
    text = f"axis {{axis}} of {{{index}}} is {{dim}}" + (", with pads {padded}" if begin or end else "")
    text += ", but the window covers {extent}"
    if dilation != 1:
        text += " (kernel {kernel}, dilation {dilation})"
    args: dict[str, object] = {"axis": axis + 2, "dim": dim, "padded": dim + (begin + end), "extent": extent}
    args |= {"kernel": windows.kernel[axis], "dilation": dilation}
    if slack and ctx.branch(fits) is True:
        return True
    ctx.require_at_most(fits.lhs - slack, dim, WINDOW_TOO_LARGE, text, **args)
    if slack:
        text += "; runtimes differ in what they give where it does not fit"
        ctx.expect(fits, WINDOW_TOO_LARGE, "information", text, **args)
    return constant(fits) is not False
