"""Counts equations and unknowns of a model, and finds forms that compilers refuse.

[Modelica 3.6] section 4.8, balanced models, in scalars:
unknowns = own variables that are no parameters or constants, variables of own connectors, and of each
component that is a model its inputs and flow variables;
equations = those of the class, bindings of its variables, what connections give, and one for each
input and each flow variable of a connector of the class.

Of the Modelica Standard Library the classes below are known. A frame has r_0 and R as potentials (R
counts as 3: its 12 numbers have 9 constraints of their own) and 6 flows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from pymoca import ast

MULTI_BODY = "Modelica.Mechanics.MultiBody."
FRAME_POTENTIALS = FRAME_FLOWS = 6
FRAMES = {f"{MULTI_BODY}Interfaces.Frame_a"}
INPUTS, OUTPUTS = {"Modelica.Blocks.Interfaces.RealInput"}, {"Modelica.Blocks.Interfaces.RealOutput"}
# Models, each with one frame and no input.
ONE_FRAME = {f"{MULTI_BODY}World", f"{MULTI_BODY}Parts.Body"}
SCALARS = {"Real", "Integer", "Boolean"}


def size(symbol: ast.Symbol, constants: dict[str, int]) -> int:
    """Number of scalars of a variable."""
    sizes = [d for level in symbol.dimensions for d in level]
    values = [getattr(d, "value", None) if isinstance(d, ast.Primary) else d for d in sizes]
    known = (v if isinstance(v, int | float) else constants[str(v)] for v in values if v is not None)
    return int(prod(known))


def modifications(symbol: ast.Symbol) -> dict[str, object]:
    """Values of the modifications of a declaration; its binding is "value"."""
    found = {}
    for argument in symbol.class_modification.arguments if symbol.class_modification else []:
        value = argument.value
        if isinstance(value, ast.ElementModification):
            found[str(value.component)] = value.modifications[0] if value.modifications else None
    return found


def constants(definition: ast.Class) -> dict[str, int]:
    """Constants with a number."""
    symbols = (s for s in definition.symbols.values() if "constant" in s.prefixes)
    return {s.name: int(modifications(s)["value"].value) for s in symbols}


def balance(definition: ast.Class, models: dict[str, ast.Class]) -> tuple[int, int]:
    """Equations and unknowns; `models` are classes of components by the names that the text uses."""
    known = constants(definition)
    unknowns = equations = 0
    sizes: dict[str, int] = {}
    frames = set()
    for symbol in definition.symbols.values():
        kind, count = str(symbol.type), size(symbol, known)
        sizes[symbol.name] = count
        if {"parameter", "constant"} & set(symbol.prefixes):
            continue
        if kind in SCALARS or kind.startswith("Modelica.Units.SI."):
            unknowns += count
            equations += count if "value" in modifications(symbol) else 0
        elif kind in FRAMES:
            unknowns += FRAME_POTENTIALS + FRAME_FLOWS
            equations += FRAME_FLOWS
        elif kind in INPUTS:
            unknowns += count
            equations += count
        elif kind in OUTPUTS:
            unknowns += count
        elif kind in ONE_FRAME:
            unknowns += FRAME_FLOWS
            frames.add(f"{symbol.name}.frame_{'b' if kind.endswith('World') else 'a'}")
        elif kind in models:
            for inner in models[kind].symbols.values():
                inner_kind = str(inner.type)
                if inner_kind in FRAMES:
                    unknowns += FRAME_FLOWS
                    frames.add(f"{symbol.name}.{inner.name}")
                unknowns += inner_kind in INPUTS
        else:
            # External objects are bound where they are declared and have no equations.
            assert "value" in modifications(symbol), f"{symbol.name} is of {kind}, which is not known"
    for equation in definition.equations:
        equations += count_of(equation, sizes, known)
    return equations + connections(definition, frames), unknowns


def count_of(equation, sizes: dict[str, int], known: dict[str, int]) -> int:
    """Scalars of an equation, by its left side."""
    # reinit gives a state another start, and is no equation.
    is_reinit = isinstance(equation, ast.Function) and str(equation.name) == "reinit"
    if isinstance(equation, ast.ConnectClause) or is_reinit:
        return 0
    if isinstance(equation, ast.ForEquation):
        (index,) = equation.indices
        last = index.expression.stop
        rounds = known[str(last)] if isinstance(last, ast.ComponentRef) else last.value
        return int(rounds) * sum(count_of(e, sizes, known) for e in equation.equations)
    if isinstance(equation, ast.WhenEquation):
        return sum(count_of(e, sizes, known) for e in equation.blocks[0])
    left = equation.left if isinstance(equation.left, list) else [equation.left]
    return sum(scalars(reference, sizes) for reference in left)


def scalars(reference: ast.ComponentRef, sizes: dict[str, int]) -> int:
    """Scalars of a variable on a left side: a whole one, one element, or a part of a frame."""
    if reference.child:
        (part,) = reference.child
        return 3 if part.name in ("f", "t") else 1
    places = [place for level in reference.indices for place in level if place is not None]
    return 1 if places else sizes[reference.name]


def connections(definition: ast.Class, frames: set[str]) -> int:
    """Equations of the connection sets of the frames of components: sums of flows and equal
    potentials; a frame that is not connected has flows of zero."""
    sets = {frame: {frame} for frame in frames}
    for equation in definition.equations:
        if isinstance(equation, ast.ConnectClause):
            both = sets[str(equation.left)] | sets[str(equation.right)]
            sets.update(dict.fromkeys(both, both))
    distinct = {frozenset(members) for members in sets.values()}
    return sum(FRAME_FLOWS + FRAME_POTENTIALS * (len(members) - 1) for members in distinct)


def expressions(node) -> Iterator[object]:
    """A node of the syntax tree and all below it."""
    yield node
    if isinstance(node, list):
        for item in node:
            yield from expressions(item)
    elif isinstance(node, ast.Node):
        for value in vars(node).values():
            if isinstance(value, list | ast.Node):
                yield from expressions(value)


def calls(node) -> set[str]:
    """Names of the functions that an expression calls."""
    names = (str(n.operator) for n in expressions(node) if isinstance(n, ast.Expression))
    return {name for name in names if re.match(r"[A-Za-z]", name) and name not in ("and", "or", "not")}


def rows_from_functions(definition: ast.Class) -> list[str]:
    """Left sides with an index and a call of a function on the right; OpenModelica fails to solve
    arrays that are given by such rows."""
    found = []
    for node in expressions(definition.equations):
        if isinstance(node, ast.Equation) and isinstance(node.left, ast.ComponentRef):
            places = [p for level in node.left.indices for p in level if p is not None]
            if places and calls(node.right):
                found.append(str(node.left))
    return found


def read_before_events(definition: ast.Class) -> set[str]:
    """Own variables of which the value before an event counts: arguments of pre, change and edge, and
    what conditions of `when` read."""
    found = set()

    def own(node) -> set[str]:
        names = (str(n) for n in expressions(node) if isinstance(n, ast.ComponentRef))
        return {name for name in names if name in definition.symbols}

    for node in expressions(definition.equations):
        if isinstance(node, ast.Expression) and str(node.operator) in ("pre", "change", "edge"):
            found |= own(node.operands)
        elif isinstance(node, ast.WhenEquation):
            found |= own(node.conditions)
    return found


def starts_fixed(definition: ast.Class, name: str) -> bool:
    """Whether a variable has a start value that holds."""
    symbol = definition.symbols[name]
    given = modifications(symbol)
    return "start" in given and getattr(given.get("fixed"), "value", None) is True
