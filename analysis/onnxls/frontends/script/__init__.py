"""onnxscript sources to graphs. User code is parsed and read as data; it is never imported, executed or evaluated."""
