"""Models that the benchmarks analyse, made on the spot: a transformer encoder of any depth, as text and as bytes."""

from __future__ import annotations

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
  float[64, 64] wq_{i}, float[64, 64] wk_{i}, float[64, 64] wv_{i}, float[64, 64] wo_{i}, float[64, 256] wu_{i},
  float[256, 64] wd_{i}, float[64] bq_{i}, float[64] bk_{i}, float[64] bv_{i}, float[64] bo_{i}, float[64] g_{i},
  float[64] b_{i}, float[64] gamma_{i}, float[64] beta_{i}"""

NODES_PER_LAYER = _LAYER.strip().count("\n") + 1


def encoder(layers: int, width: str = "64") -> str:
    """The text of an encoder. `width`: the size of the last axis of its input, 64 if it shall run."""
    weights = ",".join(_WEIGHTS.format(i=i) for i in range(1, layers + 1))
    body = "".join(_LAYER.format(i=i, p=i - 1) for i in range(1, layers + 1))
    return (
        '<ir_version: 10, opset_import: ["" : 17]>\n'
        f"encoder (float[batch, length, {width}] h_0, float[batch, 1, 1, length] mask,{weights})\n"
        f"  => (float[batch, length, 64] h_{layers})\n"
        "<int64 zero = {0}, int64 one = {1}, int64[1] axes0 = {0}, int64[2] heads = {4, 16}, "
        "int64[3] join = {0, 0, 64}, float scale = {4.0}>\n"
        f"{{{body}}}\n"
    )
