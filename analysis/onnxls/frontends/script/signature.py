"""The parameters of a script function: inputs and attributes, with what is declared for them."""

from __future__ import annotations

from onnxls.frontends.script.annotations import Annotation, read_annotation
from onnxls.frontends.script.declared import Declared
from onnxls.frontends.script.emit import Parameter
from onnxls.frontends.script.evaluate import Evaluator
from onnxls.spans import Span


def signature(declared: Declared, evaluator: Evaluator) -> tuple[Parameter, ...]:
    """The parameters in order; keyword-only ones and `*args` are no part of a graph."""
    arguments = declared.node.args
    positional = (*arguments.posonlyargs, *arguments.args)
    first_default = len(positional) - len(arguments.defaults)
    made: list[Parameter] = []
    for index, arg in enumerate(positional):
        annotation = Annotation()
        if arg.annotation is not None:
            annotation = read_annotation(evaluator.value(arg.annotation, declared.scope, declared.place))
        has_default = index >= first_default
        default = None
        if has_default:
            default = evaluator.value(arguments.defaults[index - first_default], declared.scope, declared.place)
        whole = declared.chunk.span(arg)
        span = Span(whole.start, whole.start + len(arg.arg), whole.home)
        made.append(Parameter(arg.arg, annotation, span, default, has_default))
    return tuple(made)
