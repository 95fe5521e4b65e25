"""Models that the benchmarks analyse, made on the spot: a transformer encoder of any depth, as text and as bytes."""

from __future__ import annotations

from pathlib import Path

_LAYER = """
  q_{i} = MatMul (h_{p}, wq_{i})
  qb_{i} = Add (q_{i}, bq_{i})
  k_{i} = MatMul (h_{p}, wk_{i})
  kb_{i} = Add (k_{i}, bk_{i})
  v_{i} = MatMul (h_{p}, wv_{i})
  vb_{i} = Add (v_{i}, bv_{i})
  shape_{i} = Shape (h_{p})
  batch_{i} = Gather <axis = 0> (shape_{i}, zero)
  length_{i} = Gather <axis = 0> (shape_{i}, one)
  batch1_{i} = Unsqueeze (batch_{i}, axes0)
  length1_{i} = Unsqueeze (length_{i}, axes0)
  split_{i} = Concat <axis = 0> (batch1_{i}, length1_{i}, heads)
  qs_{i} = Reshape (qb_{i}, split_{i})
  ks_{i} = Reshape (kb_{i}, split_{i})
  vs_{i} = Reshape (vb_{i}, split_{i})
  qt_{i} = Transpose <perm = [0, 2, 1, 3]> (qs_{i})
  kt_{i} = Transpose <perm = [0, 2, 3, 1]> (ks_{i})
  vt_{i} = Transpose <perm = [0, 2, 1, 3]> (vs_{i})
  scores_{i} = MatMul (qt_{i}, kt_{i})
  scaled_{i} = Div (scores_{i}, scale)
  masked_{i} = Add (scaled_{i}, mask)
  weights_{i} = Softmax <axis = -1> (masked_{i})
  mixed_{i} = MatMul (weights_{i}, vt_{i})
  back_{i} = Transpose <perm = [0, 2, 1, 3]> (mixed_{i})
  merged_{i} = Reshape (back_{i}, join)
  out_{i} = MatMul (merged_{i}, wo_{i})
  outb_{i} = Add (out_{i}, bo_{i})
  res_{i} = Add (outb_{i}, h_{p})
  norm_{i} = LayerNormalization <axis = -1> (res_{i}, g_{i}, b_{i})
  up_{i} = MatMul (norm_{i}, wu_{i})
  act_{i} = Relu (up_{i})
  down_{i} = MatMul (act_{i}, wd_{i})
  res2_{i} = Add (down_{i}, norm_{i})
  h_{i} = LayerNormalization <axis = -1> (res2_{i}, gamma_{i}, beta_{i})
"""

_WEIGHTS = """
  float[{d}, {d}] wq_{i}, float[{d}, {d}] wk_{i}, float[{d}, {d}] wv_{i}, float[{d}, {d}] wo_{i},
  float[{d}, {f}] wu_{i}, float[{f}, {d}] wd_{i},
  float[{d}] bq_{i}, float[{d}] bk_{i}, float[{d}] bv_{i}, float[{d}] bo_{i},
  float[{d}] g_{i}, float[{d}] b_{i}, float[{d}] gamma_{i}, float[{d}] beta_{i}"""

NODES_PER_LAYER = _LAYER.strip().count("\n") + 1


def encoder(layers: int, first: str | None = None, width: int = 64) -> str:
    """The text of an encoder. `first`: the size of the last axis of its input, `width` if it shall run."""
    weights = ",".join(_WEIGHTS.format(i=i, d=width, f=4 * width) for i in range(1, layers + 1))
    body = "".join(_LAYER.format(i=i, p=i - 1) for i in range(1, layers + 1))
    return (
        '<ir_version: 10, opset_import: ["" : 17]>\n'
        f"encoder (float[batch, length, {first or width}] h_0, float[batch, 1, 1, length] mask,{weights})\n"
        f"  => (float[batch, length, {width}] h_{layers})\n"
        f"<int64 zero = {{0}}, int64 one = {{1}}, int64[1] axes0 = {{0}}, int64[2] heads = {{4, {width // 4}}}, "
        f"int64[3] join = {{0, 0, {width}}}, float scale = {{4.0}}>\n"
        f"{{{body}}}\n"
    )


def write_encoder(path: Path, layers: int, width: int = 64) -> None:
    """Writes an encoder as a binary model, its weights as initializers."""
    import numpy as np
    from onnx import numpy_helper, parser

    model = parser.parse_model(encoder(layers, width=width))
    graph = model.graph
    weights = list(graph.input)[2:]
    del graph.input[2:]
    draw = np.random.default_rng(0)
    for weight in weights:
        dims = [dim.dim_value for dim in weight.type.tensor_type.shape.dim]
        graph.initializer.append(numpy_helper.from_array(draw.standard_normal(dims, np.float32), weight.name))
    path.write_bytes(model.SerializeToString())


def write_large(path: Path, megabytes: int) -> None:
    """Writes a model with one weight of this size, which is a hole in the file."""
    count = megabytes * (1 << 20) // 4
    dims, kind, name = b"\x08" + _varint(count), b"\x10\x01", b"\x42\x01w"
    raw = b"\x4a" + _varint(4 * count)
    tensor = len(dims + kind + name + raw) + 4 * count
    node = b"\x0a\x01x\x0a\x01w\x12\x01y\x22\x03Mul"
    value = b"\x0a\x01x\x12\x0b\x0a\x09\x08\x01\x12\x05\x0a\x03\x12\x01N"
    output = b"\x0a\x01y\x12\x04\x0a\x02\x08\x01"
    fields = _field(0x0A, node) + _field(0x12, b"g") + _field(0x5A, value) + _field(0x62, output)
    head = b"\x2a" + _varint(tensor) + dims + kind + name + raw
    with path.open("wb") as file:
        file.write(b"\x08\x0a" + _field(0x42, b"\x10\x11") + b"\x3a")
        file.write(_varint(len(fields) + len(head) + 4 * count) + fields + head)
        file.truncate(file.tell() + 4 * count)


def _field(tag: int, content: bytes) -> bytes:
    return bytes((tag,)) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    made = b""
    while number > 127:
        made, number = made + bytes((number & 127 | 128,)), number >> 7
    return made + bytes((number,))
