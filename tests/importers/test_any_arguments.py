"""Calls with any values in any order, in both FMI versions: no crash, no damage, no hang.

Every function of the C API is called with arguments made from their C types alone: NaN, infinities,
null pointers, unknown references, wrong lengths. Pointers that are not null are valid, because a
library cannot tell. Between them come the calls of an importer that does its work.
"""

from __future__ import annotations

import random
from ctypes import c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from conftest import ROOT, soak, tiers
from fixed_steps import driver
from forked import forked
from importer import DISCARD, ERROR, OK, WARNING, Instance

# Length of each array; no call announces more elements.
LENGTH = 64
# Enough for some contacts of the soft ball.
STEPS = 100
# Functions that make or free what a walk needs, and those of states: pointers, called by `save`.
KEPT = ("Instantiate", "FreeInstance", "FMUState", "GetVersion", "GetTypesPlatform")


def functions(instance: Instance) -> list[str]:
    """The functions that may be called with any arguments."""
    every = sorted(instance.raw._functions)
    return [f for f in every if not any(part.lower() in f.lower() for part in KEPT)]


def argument(rng: random.Random, ctype, instance: Instance):
    """Some value of a C type; null for a pointer in one case of ten."""
    if ctype is c_double:
        return rng.choice([0.0, 1e-3, 0.01, 0.1, -1.0, 1e-300, float("nan"), float("inf")])
    if ctype is c_size_t:
        return rng.choice([0, 1, 1, 2, instance.n, instance.nz, LENGTH])
    if ctype is c_bool:
        return rng.random() < 0.5
    if ctype is c_int:
        return rng.choice([0, 1, 2, 3, -1, 2**31 - 1])
    if ctype is c_uint:
        return rng.choice([0, 1, 2, len(instance.fmu.references), 2**32 - 1])
    if rng.random() < 0.1:
        return None
    if ctype is c_char_p:
        return b"contacts"
    element = ctype._type_
    array = (element * LENGTH)()
    if element in (c_double, c_uint, c_int, c_bool, c_char_p):
        array[:] = [argument(rng, element, instance) for _ in range(LENGTH)]
    if element is c_uint and rng.random() < 0.7:  # mostly references that exist
        array[:] = rng.choices(sorted(instance.fmu.references.values()), k=LENGTH)
    return array


def work(rng: random.Random, instance: Instance) -> None:
    """Some calls of an importer, which fail wherever they are not allowed just then."""
    match rng.randrange(4):
        case 0:
            instance.call("Reset")
            instance.initialize(tolerance=1e-6)
        case 1:
            driver(instance, rng.randrange(2)).advance(3)
        case 2:
            instance.event()
        case 3:
            instance.restore(instance.save())


def walk(fmu, kind: str, options: dict, seed: int, calls: int) -> tuple[set[str], bytes]:
    """Functions that succeeded at least once, and the states of a whole run after all that."""
    rng = random.Random(seed)
    succeeded = set()
    with fmu.instance(kind, **options) as instance:
        names = functions(instance)
        for _ in range(calls):
            if rng.random() < 0.2:
                try:
                    work(rng, instance)
                except (FMICallException, AssertionError, AttributeError):
                    continue  # not allowed just then
            name = rng.choice(names)
            types = instance.raw._functions[name].argtypes[1:]
            assert c_void_p not in types, f"{name} takes a pointer without a type"
            status = instance.call(name, *(argument(rng, t, instance) for t in types))
            assert status in (OK, WARNING, DISCARD, ERROR), f"{name}: status {status}"
            if status == OK:
                succeeded.add(name)
            instance.log.clear()
        assert instance.call("Reset") == OK
        return succeeded, whole_run(instance)


def whole_run(instance: Instance) -> bytes:
    """States of a run from the start."""
    instance.initialize(tolerance=1e-8)
    if instance.event_mode:
        instance.event()
    rows = driver(instance).advance(STEPS)
    assert np.isfinite(rows).all()
    return rows.tobytes()


def check(fmu, kind: str, seed: int, calls: int) -> None:
    """A walk in a forked process; then a reset instance runs like a new one."""
    uses_events = kind == "cs" and fmu.version == 3 and seed % 2 == 1
    options = {"event_mode": True} if uses_events else {}
    succeeded, rows = forked(lambda: walk(fmu, kind, options, seed, calls))
    deepest = {"me": "CompletedIntegratorStep", "cs": "DoStep"}[kind]
    assert f"fmi{fmu.version}{deepest}" in succeeded
    with fmu.instance(kind, **options) as fresh:
        assert rows == whole_run(fresh)


@pytest.mark.parametrize("seed", tiers(range(2), {"1"}))
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_an_instance_runs_as_new_after_calls_with_any_arguments_and_a_reset(build, fmi, kind, seed):
    check(build("soft_ball", fmi=fmi), kind, seed, 10_000)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 2 + soak(28)))
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_so_it_does_after_many_such_calls(build, fmi, kind, seed):
    check(build("soft_ball", fmi=fmi), kind, seed, 50_000)


# Driven bodies that meet free ones, and two bodies that a latch holds while its input says so.
MOVED = {
    "driven": ("driven_cubes",),
    "latched": (
        ROOT / "examples" / "two_stage_rocket" / "scene.toml",
        ('open_time = "12.05 s"', "input = true"),
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["me", "cs"])
@pytest.mark.parametrize("scene", MOVED)
def test_so_it_does_with_driven_bodies_and_latches(build, fmi, kind, seed, scene):
    check(build(*MOVED[scene], fmi=fmi), kind, seed, 10_000)
