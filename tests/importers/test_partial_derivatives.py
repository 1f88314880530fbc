"""Partial derivatives as FMPy and CasADi get them, against differences of what the FMU returns.

The scene is a ball on a plate, in flight and in contact, with its contact force and energies as
outputs.
"""

from __future__ import annotations

from ctypes import c_double, c_int, c_uint

import casadi
import numpy as np
import pytest

from forked import forked
from importer import OK, Fmu, Instance, do_step

# Of positions [m], turns [1], velocities [m/s], [rad/s] and work [J]: forces of the soft ball vary
# over more.
SCALES = {
    "position": 1e-6,
    "orientation": 1e-4,
    "velocity": 1e-3,
    "angular_velocity": 1e-3,
    "dissipated": 1.0,
}
# Largest error, as a part of the largest entry of its row, each times the scale of its state.
TOLERANCE = 1e-6
# The line of the scene that gives the height at the start.
HEIGHT = "position = [0, 0, 0.105]"
# Heights of the centre of the ball, of radius 0.1 m [m].
HEIGHTS = {"flight": 0.3, "contact": 0.0995}


def started(fmu: Fmu, place: str) -> tuple[Instance, np.ndarray]:
    """A Model Exchange instance that runs, with its states: a ball that slides, spins and sinks."""
    instance = fmu.instance("me")
    given = {
        "ball.position[3]": HEIGHTS[place],
        "ball.velocity[1]": 0.7,
        "ball.velocity[3]": -0.05,
        "ball.angular_velocity[2]": 1.5,
    }
    instance.set(given)
    instance.initialize(tolerance=1e-8)
    return instance, instance.states()


def scales(fmu: Fmu) -> np.ndarray:
    """Of each state."""
    return np.array([SCALES[name.partition(".")[2].partition("[")[0]] for name in fmu.states])


def unknowns(fmu: Fmu) -> list[str]:
    """State derivatives and continuous outputs."""
    names = [d.variable.name for d in fmu.description.derivatives]
    outputs = [o.variable for o in fmu.description.outputs]
    return names + [v.name for v in outputs if v.variability in (None, "continuous")]


def differences(instance: Instance, states: np.ndarray, names: list[str]) -> np.ndarray:
    """The Jacobian of variables by states: central differences, extrapolated once."""
    columns = []
    for index, scale in enumerate(scales(instance.fmu)):

        def at(change: float, index: int = index) -> np.ndarray:
            moved = states.copy()
            moved[index] += change
            assert instance.set_states(moved) == OK
            return instance.get(*names)

        near, far = ((at(h) - at(-h)) / (2 * h) for h in (scale, 2 * scale))
        columns.append((4 * near - far) / 3)
    assert instance.set_states(states) == OK
    return np.array(columns).T


def directional(instance: Instance, names: list[str]) -> np.ndarray:
    """The same by directional derivatives."""
    references = instance.fmu.references
    rows = (c_uint * len(names))(*(references[name] for name in names))
    known = (c_uint * instance.n)(*(references[name] for name in instance.fmu.states))
    jacobian = np.empty((len(names), instance.n))
    for index in range(instance.n):
        seed, found = (c_double * instance.n)(), (c_double * len(names))()
        seed[index] = 1.0
        sizes = (len(seed),) if instance.fmu.version == 3 else ()
        ends = (len(found),) if instance.fmu.version == 3 else ()
        arguments = (rows, len(rows), known, len(known), seed, *sizes, found, *ends)
        assert instance.call("GetDirectionalDerivative", *arguments) == OK
        jacobian[:, index] = found
    return jacobian


def check(found: np.ndarray, expected: np.ndarray, scale: np.ndarray) -> None:
    """Row by row, each entry times the scale of its state."""
    error = np.abs(found - expected) * scale
    size = np.max(np.abs(found) * scale, axis=1, keepdims=True)
    # A difference has the rounding of its two values, of numbers up to 100.
    rounding = 100 * np.finfo(float).eps * 10
    assert np.all(error <= TOLERANCE * size + rounding), np.argwhere(error > TOLERANCE * size)


@pytest.mark.parametrize("place", HEIGHTS)
def test_directional_derivatives_equal_differences(build, fmi, place):
    fmu = build("soft_ball", fmi=fmi)
    instance, states = started(fmu, place)
    with instance:
        names = unknowns(fmu)
        in_contact = instance.get_int("contact.count") == 1
        assert in_contact == (place == "contact")
        check(directional(instance, names), differences(instance, states, names), scales(fmu))


def test_derivatives_of_outputs_by_time_are_those_of_the_motion(build, fmi):
    """After a second of bounces: the heights' is the speed, that of the speed the acceleration."""
    fmu = build("soft_ball", fmi=fmi)
    with fmu.instance("cs") as instance:
        instance.initialize(tolerance=1e-8)
        for step in range(100):
            assert do_step(instance, step * 0.01, 0.01)[0] == OK
        names = [f"ball.{name}[3]" for name in ("position", "velocity")]
        references = (c_uint * 2)(*(fmu.references[name] for name in names))
        orders, found = (c_int * 2)(1, 1), (c_double * 2)()
        function, ends = "GetRealOutputDerivatives", ()
        if fmi == 3:
            function, ends = "GetOutputDerivatives", (2,)
        assert instance.call(function, references, 2, orders, found, *ends) == OK
        assert list(found) == list(instance.get(names[1], f"der({names[1]})"))


@pytest.mark.parametrize("place", HEIGHTS)
def test_casadi_takes_its_jacobian_from_the_fmu(build, fmi, place):
    """CasADi would take differences otherwise; so it has what FMPy has, to the bit."""
    fmu = build("soft_ball", (HEIGHT, f"position = [0, 0, {HEIGHTS[place]}]"), fmi=fmi)
    with fmu.instance("me") as instance:
        instance.initialize(tolerance=1e-8)
        states, names = instance.states(), unknowns(fmu)[: instance.n]
        assert (instance.get_int("contact.count") == 1) == (place == "contact")
        expected = directional(instance, names)

    def jacobian(option: str) -> np.ndarray:
        model = casadi.DaeBuilder("scene", str(fmu.archive))
        assert model.x() == fmu.states
        function = model.create("f", ["t", "x"], ["ode"], {option: True})
        derivative = function.factory("J", ["t", "x"], ["jac:ode:x"])
        return np.array(derivative(0.0, states))

    found = forked(lambda: jacobian("uses_directional_derivatives"))
    assert np.array_equal(found, expected)
    if fmi == 3:
        found = forked(lambda: jacobian("uses_adjoint_derivatives"))
        assert np.array_equal(found, expected)
