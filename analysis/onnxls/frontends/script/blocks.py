"""`if`, `for` and `while` to If and Loop: which variables go in and out, and the copies that this needs."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from onnxls.frontends.script.abstract import Unknown
from onnxls.frontends.script.annotations import GRAPH
from onnxls.frontends.script.chunks import BROKEN
from onnxls.frontends.script.emit import MAX_NESTING, Body, Held, Parameter
from onnxls.frontends.script.evaluate import UNBOUND
from onnxls.frontends.script.faults import MAYBE_UNASSIGNED
from onnxls.frontends.script.statements import Statements
from onnxls.graph import Attr, Graph, TypeInfo, Value
from onnxls.rules import rule
from onnxls.spans import Origin, Span

_COUNTER = TypeInfo("tensor", 7, ())


CONDITION_LOST = rule(
    "while-condition-lost",
    "OLS575",
    "warning",
    """
    A `while` with a `break` goes on whatever its condition has become.

    The stock converter takes the break alone as the condition of the next turn.

    ```py
    from onnxscript import BOOL, FLOAT, script
    from onnxscript import opset20 as op

    @script()
    def f(x: FLOAT["N"], go: BOOL[()]):
        y = op.Identity(x)
        while go:
            y = y * 0.5
            go = op.ReduceMax(y, keepdims=0) > 1.0
            stop = op.ReduceMin(y, keepdims=0) < 0.1
            if stop:  # warning: [while-condition-lost]
                break
        return y
    ```

    Join both into the condition: `go = op.And(go, op.Not(stop))`.
    """,
)


class Blocks(Statements):
    """Compound statements."""

    loop_counters: tuple[str, ...] = ()

    @property
    def counters(self) -> frozenset[str]:
        return frozenset(self.loop_counters)

    def decided(self, node: ast.If) -> bool | None:
        """Which way an `if` goes that depends on an outer value alone."""
        if not isinstance(node.test, ast.Name) or node.test.id in self.own_names:
            return None
        value = self.outer(node.test.id)
        if isinstance(value, Unknown) or not (isinstance(value, (bool, int, float, str)) or value is None):
            return None
        return bool(value)

    @property
    def own_names(self) -> frozenset[str]:
        """The parameters and variables of the function."""
        raise NotImplementedError

    def statement_span(self, node: ast.If | ast.For | ast.While) -> Span:
        """The head of a compound statement."""
        whole = self.chunk.span(node)
        first = node.body[0]
        end = self.chunk.span(first).start
        text = self.chunk.text[whole.start : end].rstrip()
        return Span(whole.start, whole.start + len(text), whole.home)

    # ---------------------------------------------------------------- if

    def branch(self, node: ast.If) -> None:
        way = self.decided(node)
        if way is not None:
            self.block(node.body if way else node.orelse)
            return
        if len(self.bodies) > MAX_NESTING:
            self.lost(self.liveness.assigned((node,)), node)
            return
        head = self.statement_span(node)
        outer_test = isinstance(node.test, ast.Name) and node.test.id not in self.own_names
        tolerant = outer_test and self.outer(getattr(node.test, "id", "")) is not UNBOUND
        test = self.expression(node.test)
        live = sorted(self.liveness.assigned((node,)) & self.liveness.live_out(node))
        if not live and not tolerant:
            self.unsupported(head, "this `if` gives nothing: no variable that it assigns is used afterwards")
        chosen = self.arm(node, node.body, live, head, tolerant)
        other = self.arm(node, node.orelse, live, head, tolerant)
        if not live:
            return
        names = [self.variable_name(name) for name in live]
        attrs = {"then_branch": Attr("then_branch", GRAPH, chosen), "else_branch": Attr("else_branch", GRAPH, other)}
        origin = replace(self.head(head), inputs=(self.chunk.span(node.test),))
        self.emit("If", (test,), names, origin, attrs, self.standard(node))
        for variable, name in zip(live, names, strict=True):
            self.body.variables[variable] = Held(name)

    def arm(
        self, node: ast.If, statements: Sequence[ast.stmt], live: Sequence[str], head: Span, tolerant: bool
    ) -> Graph:
        """One branch, with the variables that are used afterwards as its outputs."""
        self.bodies.append(Body())
        self.block(statements)
        for variable in live:
            made = self.current(variable, node)
            if made is None:
                made = self.emit("", (), (self.free_name(f"{variable}?"),), self.head(head))[0]
                if not tolerant:
                    way = "holds" if statements is node.body else "does not hold"
                    text = f"`{variable}` has no value where the condition {way}, but is used afterwards"
                    self.fault(MAYBE_UNASSIGNED, text, head)
            elif made not in self.body.made or isinstance(self.local(variable), Parameter):
                made = self.copied(made, self.head(head), node)
            self.body.outputs.append(Value(made))
        return self.bodies.pop().graph("then_branch" if statements is node.body else "else_branch")

    def current(self, variable: str, node: ast.stmt) -> str | None:
        """The value of a variable now; None where it has none."""
        bound = self.local(variable)
        if isinstance(bound, Held):
            return bound.value
        if isinstance(bound, Parameter):
            return self.promoted(bound, ast.copy_location(ast.Name(bound.name), node), None)
        if bound is None and variable != BROKEN:
            value = self.outer(variable)
            if value is not UNBOUND:
                return self.constant(value, node, None)
        return None

    def copied(self, value: str, origin: Origin, node: ast.stmt) -> str:
        name = self.free_name(f"copy of {value}")
        opset = self.standard(node)
        return self.emit("Identity", (value,), (name,), origin, None, opset)[0]

    def lost(self, variables: frozenset[str], node: ast.stmt) -> None:
        """Variables whose values cannot be followed."""
        for name in sorted(variables):
            self.bind(name, self.unknown(node, name))

    # ---------------------------------------------------------------- loops

    def loop(self, node: ast.For | ast.While) -> None:
        if len(self.bodies) > MAX_NESTING:
            self.lost(self.liveness.assigned((node,)), node)
            return
        head = self.statement_span(node)
        if node.orelse:
            self.unsupported(node.orelse[0], "`else` of a loop")
        counter, bound, start, goes_on = None, None, None, None
        if isinstance(node, ast.For):
            counter, bound = self.counted(node)
        elif isinstance(node.test, ast.Name):
            goes_on = node.test.id
            start = self.variable(node.test)
        else:
            self.unsupported(node.test, "a condition that is no name; write `while go:` and assign `go` in the body")
            start = self.expression(node.test)
        assigned = self.liveness.assigned(node.body)
        state = sorted(assigned & (self.liveness.needed(node.body) | self.liveness.live_out(node)))
        state = [each for each in state if each != counter]
        initial = [self.initial(each, node, head) for each in state]
        graph = self.loop_body(node, counter, goes_on, state, head)
        names = [self.variable_name(each) for each in state]
        inputs = (bound, start, *initial)
        if names:
            spans = (self.chunk.span(node.iter if isinstance(node, ast.For) else node.test),)
            attrs = {"body": Attr("body", GRAPH, graph)}
            self.emit("Loop", inputs, names, replace(self.head(head), inputs=spans), attrs, self.standard(node))
        else:
            self.unsupported(head, "this loop gives nothing: no variable that it assigns is used afterwards")
        for variable, name in zip(state, names, strict=True):
            self.body.variables[variable] = Held(name)

    def counted(self, node: ast.For) -> tuple[str | None, str | None]:
        """The counter of a `for`, and the number of turns."""
        counter = node.target.id if isinstance(node.target, ast.Name) else None
        if counter is None:
            self.unsupported(node.target, "this target; a loop has one counter")
        turns = node.iter
        if isinstance(turns, ast.Name) and turns.id == BROKEN:
            return counter, self.unknown(turns)
        if (
            not isinstance(turns, ast.Call)
            or not isinstance(turns.func, ast.Name)
            or turns.func.id != "range"
            or len(turns.args) != 1
            or turns.keywords
        ):
            self.unsupported(turns, "a loop over this; write `for i in range(n)`")
            return counter, self.unknown(turns)
        return counter, self.expression(turns.args[0])

    def initial(self, variable: str, node: ast.stmt, head: Span) -> str:
        made = self.current(variable, node)
        if made is not None:
            return made
        text = f"`{variable}` has no value before the loop, but is used in it or afterwards"
        self.fault(MAYBE_UNASSIGNED, text, head)
        return self.emit("", (), (self.free_name(f"{variable}?"),), self.head(head))[0]

    def loop_body(
        self, node: ast.For | ast.While, counter: str | None, goes_on: str | None, state: Sequence[str], head: Span
    ) -> Graph:
        self.bodies.append(Body())
        outer_counters = self.loop_counters
        turn = self.variable_name(counter) if counter is not None else self.free_name("turn of the loop")
        condition = self.free_name("condition of the loop")
        self.body.inputs += [Value(turn, _COUNTER, head), Value(condition, None, head)]
        if counter is not None:
            self.body.variables[counter] = Held(turn)
            if isinstance(node, ast.For):
                self.means(node.target, turn)
            self.loop_counters = (*outer_counters, counter)
        for variable in state:
            name = self.free_name(f"{variable} of the last turn")
            self.body.inputs.append(Value(name, None, head))
            self.body.variables[variable] = Held(name)
        statements, stop = self.split_break(node.body)
        self.block(statements)
        end = self.end_condition(node, goes_on, stop, condition, head)
        self.body.outputs.append(Value(end))
        for variable in state:
            made = self.current(variable, node)
            assert made is not None
            if made not in self.body.made:
                made = self.copied(made, self.head(head), node)
            self.body.outputs.append(Value(made))
        self.loop_counters = outer_counters
        return self.bodies.pop().graph("body")

    def split_break(self, body: list[ast.stmt]) -> tuple[list[ast.stmt], ast.If | None]:
        """The statements before a last `if stop: break`."""
        last = body[-1]
        if isinstance(last, ast.If) and len(last.body) == 1 and isinstance(last.body[0], ast.Break) and not last.orelse:
            return body[:-1], last
        return body, None

    def end_condition(
        self, node: ast.For | ast.While, goes_on: str | None, stop: ast.If | None, condition: str, head: Span
    ) -> str:
        """The condition on which there is another turn."""
        opset = self.standard(node)
        name = self.free_name("condition of the next turn")
        if stop is not None:
            bound = self.body.variables.get(stop.test.id) if isinstance(stop.test, ast.Name) else None
            if goes_on is not None:
                text = f"with this `break`, `{goes_on}` no longer ends the loop"
                self.fault(CONDITION_LOST, text, self.statement_span(stop))
            if isinstance(bound, Held):
                self.means(stop.test, bound.value)
                return self.emit("Not", (bound.value,), (name,), self.origin(stop.test), None, opset)[0]
            self.unsupported(stop.test, "a `break` on what is not a variable assigned in the loop; assign it first")
            return self.emit("", (), (name,), self.head(head))[0]
        if goes_on is not None:
            bound = self.body.variables.get(goes_on)
            if isinstance(bound, Held):
                return self.emit("Identity", (bound.value,), (name,), self.head(head), None, opset)[0]
            self.unsupported(node.test if isinstance(node, ast.While) else head,
                             f"`{goes_on}` is not assigned in the loop, which would never end")  # fmt: skip
        return self.emit("Identity", (condition,), (name,), self.head(head), None, opset)[0]
