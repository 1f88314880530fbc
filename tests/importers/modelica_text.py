"""Evaluates Modelica text: functions with algorithms, and equations solved for their left side.

`pymoca` parses it, by a grammar of the whole language, and refuses what is no Modelica; this file
gives values to what it found. Arrays are NumPy arrays; indices start at 1 in the text. Variables
are named as the text does, "frame_hammer.R.T".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from pymoca import ast, parser

Values = dict[str, object]

OPERATORS: Mapping[str, Callable] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a @ b if np.ndim(a) and np.ndim(b) else a * b,
    "/": lambda a, b: a / b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}
BUILT_IN: Mapping[str, Callable] = {"sqrt": math.sqrt, "max": max}


def read_class(path: Path, *names: str) -> ast.Class:
    """A class of a file, by its names from the outermost one."""
    found = parser.parse(path.read_text(encoding="utf-8"))
    for name in names:
        found = found.classes[name]
    return found


class Evaluator:
    """Values of expressions; `functions` are those that a text may call, by the name it uses."""

    def __init__(self, functions: Mapping[str, Callable]):
        self.functions = {**BUILT_IN, **functions}

    def value(self, node, values: Values):
        """Value of an expression."""
        if isinstance(node, ast.Primary):
            return node.value
        if isinstance(node, ast.Array):
            return np.array([self.value(v, values) for v in node.values])
        if isinstance(node, ast.ComponentRef):
            return self.element(node, values)
        if isinstance(node, ast.Expression):
            operands = [self.value(operand, values) for operand in node.operands]
            name = str(node.operator)
            if name == "-":
                return -operands[0] if len(operands) == 1 else operands[0] - operands[1]
            return (OPERATORS.get(name) or self.functions[name])(*operands)
        raise NotImplementedError(f"{node!r}")

    def element(self, reference: ast.ComponentRef, values: Values):
        """Value of a variable, or of its elements."""
        whole = values[str(reference)]
        places = self.places(reference, values)
        return whole[places] if places else whole

    def places(self, reference: ast.ComponentRef, values: Values) -> tuple:
        """Indices behind the last name, from 0."""
        while reference.child:
            reference = reference.child[0]
        places = [place for level in reference.indices for place in level if place is not None]
        return tuple(self.place(place, values) for place in places)

    def place(self, node, values: Values):
        """An index, or a range whose ends are numbers."""
        if not isinstance(node, ast.Slice):
            return int(self.value(node, values)) - 1
        first, last = node.start.value, node.stop.value
        return slice(None if first is None else int(first) - 1, last)

    def run(self, statements: list, values: Values) -> None:
        """Runs an algorithm."""
        for statement in statements:
            if isinstance(statement, ast.AssignmentStatement):
                (left,) = statement.left
                values[str(left)] = self.value(statement.right, values)
            elif isinstance(statement, ast.IfStatement):
                truths = (
                    condition is True or self.value(condition, values)
                    for condition in statement.conditions
                )
                chosen = next(i for i, truth in enumerate(truths) if truth)
                self.run(statement.blocks[chosen], values)
            else:
                raise NotImplementedError(f"{statement!r}")

    def function(self, definition: ast.Class) -> Callable:
        """A function of the text."""
        symbols = sorted(definition.symbols.values(), key=lambda symbol: symbol.order)
        inputs = [symbol for symbol in symbols if "input" in symbol.prefixes]
        (output,) = [symbol.name for symbol in symbols if "output" in symbol.prefixes]

        def call(*arguments):
            values = {symbol.name: value for symbol, value in zip(inputs, arguments, strict=True)}
            self.run(definition.statements, values)
            return values[output]

        return call

    def solve(self, equations: list, values: Values) -> None:
        """Gives the left sides of equations their values, in the order of the text."""
        for equation in equations:
            if not isinstance(equation, ast.Equation):
                continue
            places = self.places(equation.left, values)
            value = self.value(equation.right, values)
            if places:
                values[str(equation.left)][places] = value
            else:
                values[str(equation.left)] = value
