"""What an annotation of a parameter, a result or a local says: an attribute, a type, or nothing for certain."""

from __future__ import annotations

from dataclasses import dataclass

from onnxls.frontends.script.abstract import Abstract, ElementType, Form, Items, TensorForm
from onnxls.graph import TypeInfo

FLOAT, INT, STRING, TENSOR, GRAPH, FLOATS, INTS, STRINGS = range(1, 9)
"""`AttributeProto.AttributeType`."""

_ATTRIBUTES = {"int": INT, "float": FLOAT, "str": STRING, "bool": INT}
_LISTS = {INT: INTS, FLOAT: FLOATS, STRING: STRINGS}
_SEQUENCES = frozenset(("Sequence", "List", "list"))


@dataclass(frozen=True, slots=True)
class Annotation:
    """`attribute`: the type of an attribute parameter. `type`: a declared type. `bare`: an element type alone, which
    says rank 0. `variable`: what shares its name has one element type."""

    attribute: int | None = None
    is_bool: bool = False
    type: TypeInfo | None = None
    bare: bool = False
    variable: str = ""


def read_annotation(value: Abstract) -> Annotation:
    """The meaning of the value of an annotation."""
    match value:
        case ElementType(tensor=True):
            return Annotation(type=TypeInfo("tensor", value.dtype, ()), bare=True)
        case TensorForm():
            return Annotation(type=TypeInfo("tensor", value.dtype, value.shape))
        case Form():
            return _read_form(value)
        case _:
            return Annotation()


def _read_form(form: Form) -> Annotation:
    if form.name in _ATTRIBUTES and not form.args:
        return Annotation(_ATTRIBUTES[form.name], form.name == "bool")
    if form.name == "Annotated" and form.args:
        return read_annotation(form.args[0])
    if form.name in _SEQUENCES and len(form.args) == 1:
        element = read_annotation(form.args[0])
        if element.attribute is not None:
            return Annotation(_LISTS.get(element.attribute), element.is_bool)
        if element.type is not None:
            inner = TypeInfo("tensor", element.type.dtype, None) if element.bare else element.type
            return Annotation(type=TypeInfo("sequence", element=inner))
        return Annotation(type=TypeInfo("sequence"))
    if form.name == "TypeVar" and len(form.args) == 2 and isinstance(form.args[0], str):
        bound = read_annotation(form.args[1])
        return Annotation(bound.attribute, bound.is_bool, None, False, form.args[0])
    if form.name in ("Optional", "Union"):
        return _read_union(form)
    return Annotation()


def _read_union(form: Form) -> Annotation:
    args = [each for each in _flat(form) if each is not None]
    read = [read_annotation(each) for each in args]
    if len(read) == 1 and read[0].attribute is not None:
        return read[0]
    variable = read[0].variable if len(read) == 1 else ""
    return Annotation(variable=variable)


def _flat(form: Form, depth: int = 0) -> list[Abstract]:
    found: list[Abstract] = []
    for each in form.args:
        if isinstance(each, Form) and each.name in ("Union", "Optional") and depth < 8:
            found += _flat(each, depth + 1)
        else:
            found.append(each)
    return found


def results(value: Abstract) -> tuple[Abstract, ...]:
    """The annotations of the results that the annotation of a function gives."""
    if isinstance(value, Form) and value.name in ("Tuple", "tuple") and value.args:
        return value.args
    return value.items if isinstance(value, Items) else (value,)
