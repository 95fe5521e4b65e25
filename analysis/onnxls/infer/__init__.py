"""The walk of a graph: facts of all values, guards, and findings."""

from onnxls.infer.frames import Analysis, Cancelled
from onnxls.infer.walker import Walker

__all__ = ["Analysis", "Cancelled", "Walker"]
