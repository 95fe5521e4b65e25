"""Front ends: each makes the one graph of `onnxls.graph` from one way of writing a model."""
