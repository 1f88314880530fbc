"""The whole state is one value: copied, serialised, shared by no other instance."""

from __future__ import annotations

import numpy as np
import pytest

from importer import Instance, do_step, run, simulate_cs

STEP = 1e-3
# The soft ball touches after about 5 ms and leaves after about 20 ms.
MID_CONTACT, STEPS = 12, 400


class FixedStepImporter:
    """Classic Runge-Kutta of order 4 with fixed steps [s] on an ME instance.

    An indicator that changes its domain over a step is an event at the end of that step. Crude,
    but a plain function of the instance's answers: equal instances give equal bits.
    """

    def __init__(self, instance: Instance, step: float = STEP / 4):
        self.instance, self.step, self.count = instance, step, 0
        self.positive = instance.indicators() > 0

    @property
    def time(self) -> float:
        return self.count * self.step

    def slope(self, time: float, states: np.ndarray) -> np.ndarray:
        self.instance.raw.setTime(time)
        assert self.instance.set_states(states) == 0
        return self.instance.derivatives()

    def advance(self, steps: int) -> np.ndarray:
        """Takes steps; answers the states after each."""
        rows = []
        for _ in range(steps):
            h, t, x = self.step, self.time, self.instance.states()
            a = self.slope(t, x)
            b = self.slope(t + h / 2, x + h / 2 * a)
            c = self.slope(t + h / 2, x + h / 2 * b)
            d = self.slope(t + h, x + h * c)
            self.count += 1
            self.instance.raw.setTime(self.time)
            assert self.instance.set_states(x + h / 6 * (a + 2 * b + 2 * c + d)) == 0
            step_event, _ = self.instance.raw.completedIntegratorStep()
            if step_event or np.any((self.instance.indicators() > 0) != self.positive):
                self.instance.event()
                self.positive = self.instance.indicators() > 0
            rows.append(self.instance.states())
        return np.array(rows)


class Stepper:
    """The same interface for a CS instance: communication steps of `STEP`."""

    def __init__(self, instance: Instance):
        self.instance, self.count = instance, 0

    def advance(self, steps: int) -> np.ndarray:
        rows = []
        for _ in range(steps):
            status, *_ = do_step(self.instance, self.count * STEP, STEP)
            assert status == 0, self.instance.messages()
            self.count += 1
            rows.append(self.instance.states())
        return np.array(rows)


def driver(instance: Instance):
    """An initialised instance with a driver of its kind."""
    instance.initialize(tolerance=1e-8)
    return FixedStepImporter(instance) if instance.kind == "me" else Stepper(instance)


def steps_of(kind: str) -> tuple[int, int]:
    """Driver steps until the middle of the first contact, and beyond the end of the test."""
    factor = 4 if kind == "me" else 1
    return MID_CONTACT * factor, STEPS * factor


@pytest.mark.parametrize("through_bytes", [False, True])
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_restored_state_runs_on_to_the_same_bits(build, kind, through_bytes):
    before, after = steps_of(kind)
    with build("soft_ball").instance(kind) as instance:
        runner = driver(instance)
        runner.advance(before)
        assert instance.get_int("contact.count") == 1, "the state must be taken in contact"
        raw = instance.raw
        saved, mark = raw.getFMUState(), runner.count
        expected = runner.advance(after)
        assert len(instance.contact_starts()) >= 3
        if through_bytes:
            data = raw.serializeFMUState(saved)
            raw.freeFMUState(saved)
            saved = raw.deserializeFMUState(data)
            assert raw.serializeFMUState(saved) == data
        raw.setFMUState(saved)
        raw.freeFMUState(saved)
        assert instance.get_int("contact.count") == 1
        runner.count = mark
        if kind == "me":
            runner.positive = instance.indicators() > 0
        assert runner.advance(after).tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_serialised_state_moves_to_another_instance(build, kind):
    before, after = steps_of(kind)
    fmu = build("soft_ball")
    with fmu.instance(kind) as first, fmu.instance(kind) as second:
        runner, other = driver(first), driver(second)
        runner.advance(before)
        data = first.raw.serializeFMUState(first.raw.getFMUState())
        expected = runner.advance(after)
        second.raw.setFMUState(second.raw.deserializeFMUState(data))
        other.count = before
        if kind == "me":
            other.positive = second.indicators() > 0
        assert other.advance(after).tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_interleaved_instances_do_not_know_each_other(build, kind):
    fmu = build("soft_ball")
    _, count = steps_of(kind)
    with fmu.instance(kind) as alone:
        expected = driver(alone).advance(count)
    with fmu.instance(kind) as one, fmu.instance(kind) as two:
        two.initialize({"ball.velocity[3]": -2.0}, tolerance=1e-6)
        first = driver(one)
        second = FixedStepImporter(two) if kind == "me" else Stepper(two)
        rows, others = [], []
        for _ in range(count):
            rows.append(first.advance(1))
            others.append(second.advance(1))
    assert np.concatenate(rows).tobytes() == expected.tobytes()
    assert np.concatenate(others).tobytes() != expected.tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_reset_instance_repeats_its_run_to_the_bit(build, kind):
    _, count = steps_of(kind)
    with build("soft_ball").instance(kind) as instance:
        expected = driver(instance).advance(count)
        assert instance.call("fmi3Reset") == 0
        assert driver(instance).advance(count).tobytes() == expected.tobytes()


def test_events_handled_by_the_importer_equal_those_handled_inside(build):
    fmu = build("soft_ball")
    grid = np.linspace(0, 0.5, 51)
    inside, inside_starts = run(fmu, "cs", grid, 1e-12)
    outside, outside_starts = run(fmu, "cs", grid, 1e-12, event_mode=True, early_return=True)
    assert inside.event_times == []
    assert len(outside.event_times) >= 5
    assert len(outside_starts) == len(inside_starts) >= 3
    for one, other in zip(inside_starts, outside_starts, strict=True):
        assert other.time == pytest.approx(one.time, abs=1e-9)
    assert np.abs(outside.states - inside.states).max() <= 1e-9


def test_event_mode_without_early_return_stops_only_at_communication_points(build):
    grid = np.linspace(0, 0.5, 501)
    with build("soft_ball").instance("cs", event_mode=True) as instance:
        instance.initialize(tolerance=1e-8)
        result = simulate_cs(instance, grid)
        assert len(instance.contact_starts()) >= 3
    assert set(result.event_times) <= set(grid)
    assert np.isfinite(result.states).all()


def test_saved_state_does_not_follow_the_instance(build):
    with build("soft_ball").instance("cs") as instance:
        runner = driver(instance)
        saved = instance.raw.getFMUState()
        data = instance.raw.serializeFMUState(saved)
        runner.advance(50)
        assert instance.raw.serializeFMUState(saved) == data
        assert instance.raw.serializeFMUState(instance.raw.getFMUState()) != data
