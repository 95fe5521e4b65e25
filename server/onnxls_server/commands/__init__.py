"""One module for each command of `onnxls`, each with `run(options, engine) -> exit status`."""
