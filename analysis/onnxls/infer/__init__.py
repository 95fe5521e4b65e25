"""The walk of a graph: facts of all values, guards, and findings."""

from onnxls.infer.frames import Analysis
from onnxls.infer.walker import Cancelled, Walker

__all__ = ["Analysis", "Cancelled", "Walker"]
