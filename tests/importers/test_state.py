"""The whole state is one value: copied, serialised, shared by no other instance."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import fixed_steps
from fixed_steps import continue_run, driver
from importer import ERROR, run, simulate_cs

# The soft ball touches after about 5 ms and leaves after about 20 ms.
MID_CONTACT, STEPS = 12, 400


def initialised(instance, start_values=None, tolerance=1e-8):
    """An instance, initialised, with a driver of its kind."""
    instance.initialize(start_values, tolerance=tolerance)
    return driver(instance)


def steps_of(kind: str) -> tuple[int, int]:
    """Driver steps until the middle of the first contact, and beyond the end of the test."""
    factor = fixed_steps.STEPS_PER_STEP if kind == "me" else 1
    return MID_CONTACT * factor, STEPS * factor


def state_at_mid_impact(fmu, kind: str) -> tuple[bytes, np.ndarray]:
    """State bytes in the first contact, and the rows of states of the run from there on."""
    before, after = steps_of(kind)
    with fmu.instance(kind) as instance:
        runner = initialised(instance)
        runner.advance(before)
        assert instance.get_int("contact.count") == 1, "the state must be taken in contact"
        data = instance.save()
        expected = runner.advance(after)
        assert len(instance.contact_starts()) >= 3
    return data, expected


@pytest.mark.parametrize("through_bytes", [False, True], ids=["copy", "bytes"])
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_restored_state_runs_on_to_the_same_bits(build, fmi, kind, through_bytes):
    before, after = steps_of(kind)
    with build("soft_ball", fmi=fmi).instance(kind) as instance:
        runner = initialised(instance)
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
        assert driver(instance, mark).advance(after).tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_state_continues_to_the_same_bits_in_a_new_process(build, fmi, kind):
    fmu = build("soft_ball", fmi=fmi)
    before, after = steps_of(kind)
    data, expected = state_at_mid_impact(fmu, kind)
    program = [sys.executable, fixed_steps.__file__, fmu.archive, fmu.folder, kind]
    command = [*program, str(before), str(after)]
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True, timeout=60)
    assert done.stdout == expected.tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_serialised_state_moves_to_a_running_instance(build, fmi, kind):
    fmu = build("soft_ball", fmi=fmi)
    before, after = steps_of(kind)
    data, expected = state_at_mid_impact(fmu, kind)
    with fmu.instance(kind) as other:
        initialised(other).advance(3)
        other.restore(data)
        assert driver(other, before).advance(after).tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_state_of_one_fmi_version_continues_in_the_other(build, fmi, kind):
    before, after = steps_of(kind)
    data, expected = state_at_mid_impact(build("soft_ball", fmi=fmi), kind)
    other = build("soft_ball", fmi={2: 3, 3: 2}[fmi])
    assert continue_run(other, kind, data, before, after).tobytes() == expected.tobytes()


# Layout of the header: magic (8), format version (4), token (64), SHA-256 (32), length (8).
VERSION_AT, HEADER = 8, 116
DAMAGES = {
    "empty": (lambda data: b"", "not a state"),
    "other magic": (lambda data: b"X" + data[1:], "not a state"),
    "other version": (
        lambda data: data[:VERSION_AT] + b"\xff" + data[VERSION_AT + 1 :],
        "state format 255",
    ),
    "part of a header": (lambda data: data[: HEADER - 1], f"there are {HEADER - 1}"),
    "one byte short": (lambda data: data[:-1], "after its header, which announces"),
    "one byte long": (lambda data: data + b"\0", "after its header, which announces"),
    "flipped bit": (lambda data: data[:-9] + bytes([data[-9] ^ 4]) + data[-8:], "SHA-256"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_damaged_state_bytes_are_refused_with_the_reason_and_change_nothing(
    build, fmi, kind, damage
):
    change, reason = DAMAGES[damage]
    with build("soft_ball", fmi=fmi).instance(kind) as instance:
        initialised(instance).advance(3)
        good = instance.save()
        with pytest.raises(Exception, match=r"(?i)deserializeFMUState"):
            instance.restore(change(good))
        assert reason in instance.messages(ERROR)
        assert instance.save() == good


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_state_of_another_scene_is_refused_and_both_tokens_are_named(build, fmi, kind):
    own, foreign = build("soft_ball", fmi=fmi), build("twelve_pairs", fmi=fmi)
    with own.instance(kind) as instance, foreign.instance(kind) as other:
        with pytest.raises(Exception, match=r"(?i)deserializeFMUState"):
            instance.restore(other.save())
        assert own.description.guid in instance.messages(ERROR)
        assert foreign.description.guid in instance.messages(ERROR)


def test_state_of_the_other_interface_is_refused_with_the_reason(build, fmi):
    fmu = build("soft_ball", fmi=fmi)
    with fmu.instance("me") as me, fmu.instance("cs") as cs:
        for one, other in ((me, cs), (cs, me)):
            with pytest.raises(Exception, match=r"(?i)FMUState"):
                one.restore(other.save())
        assert "state of a Co-Simulation instance" in me.messages(ERROR)
        assert "state of a Model Exchange instance" in cs.messages(ERROR)


def test_state_in_event_mode_is_refused_where_co_simulation_has_none(build):
    """FMI 2.0 has no Event Mode in Co-Simulation, an FMI 3.0 instance may be in it."""
    old, new = build("soft_ball", fmi=2), build("soft_ball", fmi=3)
    with new.instance("cs", event_mode=True) as source, old.instance("cs") as instance:
        source.initialize(tolerance=1e-8)
        instance.initialize(tolerance=1e-8)
        instance.restore(source.save())
        source.raw.enterEventMode()
        with pytest.raises(Exception, match="fmi2DeSerializeFMUstate"):
            instance.restore(source.save())
        assert "state in Event Mode" in instance.messages(ERROR)


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_interleaved_instances_do_not_know_each_other(build, fmi, kind):
    fmu = build("soft_ball", fmi=fmi)
    _, count = steps_of(kind)
    with fmu.instance(kind) as alone:
        expected = initialised(alone).advance(count)
    with fmu.instance(kind) as one, fmu.instance(kind) as two:
        second = initialised(two, {"ball.velocity[3]": -2.0}, tolerance=1e-6)
        first = initialised(one)
        rows, others = [], []
        for _ in range(count):
            rows.append(first.advance(1))
            others.append(second.advance(1))
    assert np.concatenate(rows).tobytes() == expected.tobytes()
    assert np.concatenate(others).tobytes() != expected.tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_reset_instance_repeats_its_run_to_the_bit(build, fmi, kind):
    _, count = steps_of(kind)
    with build("soft_ball", fmi=fmi).instance(kind) as instance:
        expected = initialised(instance).advance(count)
        assert instance.call("Reset") == 0
        assert initialised(instance).advance(count).tobytes() == expected.tobytes()


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


def test_saved_state_does_not_follow_the_instance(build, fmi):
    with build("soft_ball", fmi=fmi).instance("cs") as instance:
        runner = initialised(instance)
        saved = instance.raw.getFMUState()
        data = instance.raw.serializeFMUState(saved)
        runner.advance(50)
        assert instance.raw.serializeFMUState(saved) == data
        assert instance.save() != data
