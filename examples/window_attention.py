"""A small window-attention block with a mistake that PyTorch does not see and that its ONNX export keeps.

`python examples/window_attention.py` (with torch and onnxscript) writes `window_attention.onnx` beside this file.
"""

from pathlib import Path

import torch
from torch import Tensor, nn


class WindowAttention(nn.Module):
    """Attention over the positions of a feature map, on a grid that was fixed when the model was traced."""

    def __init__(self, channels: int = 16, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.patches = nn.Conv2d(3, channels, kernel_size=4, stride=4)
        self.norm = nn.LayerNorm(channels)
        self.qkv = nn.Linear(channels, 3 * channels)
        self.out = nn.Linear(channels, channels)

    def forward(self, image: Tensor) -> Tensor:
        feat = self.patches(image)
        batch, channels, height, width = (int(size) for size in feat.shape)
        tokens = self.norm(feat.flatten(2).transpose(1, 2))
        q, k, v = self.qkv(tokens).chunk(3, dim=-1)
        scores = self.split(q) @ self.split(k).transpose(-1, -2) * (channels // self.heads) ** -0.5
        mixed = (scores.softmax(dim=-1) @ self.split(v)).transpose(1, 2).flatten(2)
        grid = self.out(mixed).transpose(1, 2).reshape(batch, channels, height, width)
        return feat + grid

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


def main() -> None:
    torch.manual_seed(0)
    model = WindowAttention().eval()
    torch.onnx.export(
        model,
        (torch.zeros(1, 3, 32, 32),),
        str(Path(__file__).with_name("window_attention.onnx")),
        input_names=["image"],
        output_names=["features"],
        dynamic_axes={
            "image": {0: "batch", 2: "height", 3: "width"},
            "features": {0: "batch", 2: "rows", 3: "columns"},
        },
        opset_version=17,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
