"""FMUs that the Python module loads once: steps, saved states, runs again."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT

BALL = ROOT / "examples" / "bouncing_ball" / "scene.toml"
# A mass of 2 kg without gravity, which an input pushes along x.
PUSHED = """
format = 1
name = "pushed"
world.gravity = "none"
experiment.stop_time = "1 s"

[[body]]
name = "block"
motion = "free"
mass = "2 kg"
inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
shape = [{ material = "Steel", sphere = { diameter = "1 m" } }]

[[force]]
name = "push"
body = "block"
input = true
"""


@pytest.mark.parametrize("interface", ["cs", "me"])
@pytest.mark.parametrize("fmi", [2, 3])
def test_steps_are_the_rows_of_a_run_and_runs_again_are_those_of_a_fresh_one(
    python, tmp_path, interface, fmi
):
    code = f"""
import contact_fmu, numpy
fmu = contact_fmu.build({str(BALL)!r}, fmi={fmi})
model = contact_fmu.load(fmu, interface={interface!r})
fresh = contact_fmu.simulate(fmu, interface={interface!r}, stop=1.2, step=0.01)
y = model.reset()
rows = [y.copy()]
for _ in range(120):
    assert model.step(0.01) is y
    rows.append(y.copy())
assert abs(model.time - 1.2) < 1e-12
rows = numpy.array(rows)
other = model.run(stop=1.2, step=0.01, set={{"ball.mass": 2.0}})
again = model.run(stop=1.2, step=0.01)
for result in fresh, again:
    assert set(result) == {{"time", *model.outputs}}
for i, name in enumerate(model.outputs):
    if {interface!r} == "cs":
        assert (fresh[name] == rows[:, i]).all(), name
    else:
        assert abs(fresh[name] - rows[:, i]).max() < 1e-4 * max(1, abs(fresh[name]).max()), name
    assert (fresh[name] == again[name]).all(), name
assert fresh.events == again.events and len(again.events) > 3
z = model.outputs.index("ball.position[3]")
# It falls freely from 1.1 m until its radius of 0.1 m is used up.
for time in (0.1, 0.4):
    assert abs(rows[round(100 * time), z] - (1.1 - 9.81 / 2 * time**2)) < 1e-6
"""
    python(code, tmp_path)


@pytest.mark.parametrize("interface", ["cs", "me"])
def test_a_saved_state_is_returned_to_through_an_impact(python, tmp_path, interface):
    code = f"""
import contact_fmu
model = contact_fmu.load(contact_fmu.build({str(BALL)!r}), interface={interface!r})
model.reset({{"ball.mass": "500 g"}}, stop=3.0)
for _ in range(44):
    model.step(0.01)
assert model.events == []
state = model.save()
def on():
    rows = [model.step(0.01).tobytes() for _ in range(10)]
    return rows, [event.event for event in model.events]
first = on()
assert first[1][:2] == ["start", "end"], first
assert (model.restore(state) is model.y) and abs(model.time - 0.44) < 1e-12
assert on() == first
# What was undone before anyone looked at it has not happened.
model.restore(state)
for _ in range(10):
    model.step(0.01)
model.restore(state)
assert on() == first
del state
other = contact_fmu.load("bouncing_ball.fmu", interface={interface!r})
other.reset()
try:
    other.restore(model.save())
except contact_fmu.SimulationError as error:
    assert "another" in str(error)
else:
    raise AssertionError("restored")
"""
    python(code, tmp_path)


@pytest.mark.parametrize("interface", ["cs", "me"])
def test_inputs_hold_until_they_are_given_again(python, tmp_path, interface):
    """v = F t / m."""
    (tmp_path / "pushed.toml").write_text(PUSHED)
    code = f"""
import contact_fmu, json, numpy
model = contact_fmu.load(contact_fmu.build("pushed.toml"), interface={interface!r},
                         inputs=["force.push.force[1]"], outputs=["block.velocity[1]", "block.velocity[2]"])
model.reset(u=[4.0])
found = []
for u in (None, None, numpy.array([-2.0], dtype=numpy.float32), None, [0]):
    found.append(model.step(0.5, u).tolist())
run = model.run(stop=1.0, step=0.5, input={{"time": [0, 1], "force.push.force[1]": [4.0, 4.0]}})
print(json.dumps([found, run["block.velocity[1]"].tolist(), model.units["force.push.force[1]"]]))
"""
    found, run, unit = json.loads(python(code, tmp_path))
    expected = [1.0, 2.0, 1.5, 1.0, 1.0]
    assert [x for x, _ in found] == pytest.approx(expected, abs=1e-12)
    assert {y for _, y in found} == {0.0}
    assert run == pytest.approx([0, 1, 2], abs=1e-12)
    assert unit == "N"


def test_a_run_holds_neither_other_threads_nor_a_look_at_the_model(python, tmp_path):
    code = f"""
import contact_fmu, threading, time
fmu = contact_fmu.build({str(BALL)!r})
models = [contact_fmu.load(fmu) for _ in range(2)]
models[1].reset()
expected = [models[1].step(0.01).tobytes() for _ in range(50)]
done = threading.Event()
def run():
    while not done.is_set():
        models[0].run(stop=3.0)
thread = threading.Thread(target=run)
thread.start()
begin, ticks = time.monotonic(), 0
while time.monotonic() - begin < 0.5:
    models[0].outputs, models[0].units
    ticks += 1
models[1].reset()
assert [models[1].step(0.01).tobytes() for _ in range(50)] == expected
done.set()
thread.join()
assert ticks > 100, ticks
"""
    python(code, tmp_path)


def test_outputs_may_be_inputs_and_columns_of_tables_too(python, tmp_path):
    (tmp_path / "pushed.toml").write_text(PUSHED)
    code = """
import contact_fmu, numpy
push = "force.push.force[1]"
model = contact_fmu.load(contact_fmu.build("pushed.toml"), inputs=[push], outputs=["block.velocity[1]"])
y = model.reset(u=[2.0])
y = model.step(0.5)
assert model.step(1.0, y)[0] == y[0]
table = numpy.arange(6.0).reshape(3, 2)
model.reset(u=table[1:2, 1])
assert abs(model.step(1.0)[0] - 1.5) < 1e-12
"""
    python(code, tmp_path)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        ("model.reset(); model.run(stop=-1)", "ArgumentError", "stop time is -1 s"),
        (
            "model.run(stop='1 s', step=nan)",
            "ArgumentError",
            "stop is '1 s'; must be a finite number",
        ),
        (
            "model.run(stop='1 s', step=nan)",
            "ArgumentError",
            "step is nan; must be a finite number",
        ),
        ("model.run(input={'time': [0, 1]})", "ContactFmuError", "no column of an input"),
        (
            "model.run(input={'time': [1, 0]})",
            "ArgumentError",
            "time is 0 in row 1; it must not fall",
        ),
        ("model.run(input={'time': [0, 1], 'x': [0, nan]})", "ArgumentError", "x is nan in row 1"),
        ("model.run(input={'time': [0, 1], 'x': [0, 'a']})", "ArgumentError", "x is 'a' in row 1"),
        ("model.run(input={'time': [0, 1], 'x': [0]})", "ArgumentError", "x has the shape (1,)"),
        ("model.run(input={'time': [], 'x': []})", "ArgumentError", "x has the shape (0,)"),
        ("model.run(input={'x': [0]})", "ArgumentError", "no column 'time', only x"),
        ("model.run(input=5)", "ArgumentError", "input is 5; give"),
        ("model.run(input='none.csv')", "ContactFmuError", "none.csv"),
        ("model.step(0.1)", "SimulationError", "reset it first"),
        ("model.reset({'bal.mass': 1})", "SettingError", 'did you mean "ball.mass"'),
        ("model.reset({'bal.mass': 1})", "SettingError", "set bal.mass: is not known"),
        ("model.reset({'bal.mass': 1})", "SettingError", "contact_fmu.inspect(fmu) lists all"),
        ("model.reset({'ball.mass': None, 'x': []})", "ArgumentError", "'ball.mass' is None; give"),
        ("model.reset({'ball.mass': None, 'x': []})", "ArgumentError", "'x' is []; give"),
        ("model.reset('ball.mass=1')", "ArgumentError", "give a dict"),
        ("model.reset({'ball.mass': -1})", "SimulationError", "ball.mass"),
        ("model.reset(tolerance=2)", "ArgumentError", "(0, 1)"),
        ("model.reset(start=nan, stop='1')", "ArgumentError", "start is nan"),
        ("model.reset(start=nan, stop='1')", "ArgumentError", "stop is '1'"),
        ("model.reset(); model.step(0)", "ArgumentError", "must be > 0"),
        ("model.reset(); model.step(nan)", "ArgumentError", "must be > 0"),
        ("model.reset(); model.step('0.1')", "ArgumentError", "h is '0.1'; give a number"),
        ("model.reset(); model.step(0.1, {'x': 1})", "ArgumentError", "inputs are {'x': 1}; give"),
        (
            "model.reset(); model.step(0.1, [1.0])",
            "ArgumentError",
            "there are 1 inputs; there must be 0",
        ),
        ("contact_fmu.load('none.fmu')", "ContactFmuError", "none.fmu: cannot be opened"),
        ("contact_fmu.load(fmu, outputs=['x', 'bal.mass'])", "ArgumentError", "x is no variable"),
        ("contact_fmu.load(fmu, outputs=['x', 'bal.mass'])", "ArgumentError", "mean ball.mass?"),
        ("contact_fmu.load(fmu, outputs=['x'], inputs=['y'])", "ArgumentError", "y is no variable"),
        ("contact_fmu.load(fmu, inputs=['ball.mass'])", "ContactFmuError", "ball.mass"),
        ("contact_fmu.load(fmu, outputs='ball.mass')", "ArgumentError", "['ball.mass']"),
        ("contact_fmu.load(fmu, outputs=[5])", "ArgumentError", "outputs has 5; must be texts"),
        ("contact_fmu.load(fmu, interface='both')", "ArgumentError", "cs or me"),
    ],
)
def test_what_is_wrong_with_a_call_is_said_and_the_model_goes_on(
    python, tmp_path, call, kind, words
):
    code = f"""
import contact_fmu
from math import nan
fmu = contact_fmu.build({str(BALL)!r})
model = contact_fmu.load(fmu)
try:
    {call}
except contact_fmu.ContactFmuError as error:
    assert type(error).__name__ == {kind!r}, repr(error)
    print(error)
model.reset()
assert model.step(0.1)[model.outputs.index("ball.position[3]")] > 1.0
"""
    assert words in python(code, tmp_path)


def test_a_batch_has_the_bits_of_its_models_on_any_number_of_threads(python, tmp_path):
    """Masses, inputs and times differ from instance to instance."""
    (tmp_path / "pushed.toml").write_text(PUSHED)
    code = """
import contact_fmu, numpy
fmu = contact_fmu.build("pushed.toml")
push = {"inputs": ["force.push.force[1]"], "outputs": ["block.velocity[1]", "block.position[1]"]}
masses = numpy.linspace(1.0, 3.0, 7)
u = numpy.linspace(-2.0, 4.0, 7).reshape(7, 1)
alone = []
for mass, force in zip(masses, u):
    model = contact_fmu.load(fmu, **push)
    rows = [model.reset({"block.mass": mass}).copy()]
    rows += [model.step(0.1, force).copy() for _ in range(10)]
    alone.append(rows)
for threads in (1, 2, 5, None):
    batch = contact_fmu.Batch(fmu, 7, threads=threads, **push)
    rows = [batch.reset({"block.mass": masses}).copy()]
    for _ in range(10):
        assert batch.step(0.1, u) is batch.y
        rows.append(batch.y.copy())
    assert (numpy.array(rows).transpose(1, 0, 2) == numpy.array(alone)).all()
assert numpy.allclose(batch.y[:, 0], u[:, 0] / masses)
states = batch.save()
batch.step(0.1)
batch.reset({"block.mass": [5.0, "7 kg"]}, which=[1, 6], u=[10.0])
assert numpy.allclose(batch.time, [1.1, 0, 1.1, 1.1, 1.1, 1.1, 0])
batch.step(0.2)
assert numpy.allclose(batch.y[[1, 6], 0], [10 * 0.2 / 5, 10 * 0.2 / 7])
assert (batch.restore(states) == rows[-1]).all()
assert batch.units[push["inputs"][0]] == "N" and not batch.ended.any()
"""
    python(code, tmp_path)


def test_an_instance_of_a_batch_that_fails_is_left_out_until_it_is_reset(python, tmp_path):
    code = f"""
import contact_fmu, numpy
fmu = contact_fmu.build({str(BALL)!r})
z = ["ball.position[3]"]
batch = contact_fmu.Batch(fmu, 3, outputs=z, threads=2)
def refused(kind, words, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
refused(contact_fmu.SimulationError, "instance 0 (and 2 more): ", batch.step, 0.1)
assert batch.ended.all() and numpy.isnan(batch.y).all()
refused(contact_fmu.SimulationError, "instance 1: ", batch.reset, {{"ball.mass": [1.0, -1.0, 2.0]}})
assert batch.ended.tolist() == [False, True, False]
batch.step(0.1)
assert (numpy.isnan(batch.y[:, 0]) == batch.ended).all() and batch.y[0] == batch.y[2]
batch.reset(which=batch.ended)
for _ in range(5):
    batch.step(0.1)
assert numpy.allclose(batch.time, [0.6, 0.5, 0.6])
starts = [[event.time for event in events if event.event == "start"] for events in batch.events]
assert starts[0] == starts[2] and abs(starts[0][0] - (2 / 9.81) ** 0.5) < 1e-3
assert abs(starts[1][0] - starts[0][0]) < 1e-3
usage = contact_fmu.ArgumentError
for n in (0, True, 2.5, "3", None):
    refused(usage, "must be a whole number, 1 or more", contact_fmu.Batch, fmu, n)
refused(usage, "threads is 0", contact_fmu.Batch, fmu, 1, threads=0)
refused(usage, "ball.mass has 2 values for 3 instances", batch.reset, {{"ball.mass": [1.0, 2.0]}})
refused(usage, "give a dict", batch.reset, "ball.mass")
refused(usage, "h is '0.1'", batch.step, "0.1")
for u in ([1.0, 2.0], numpy.ones((2, 2)), {{"x": 1.0}}, "x", [[1.0], [1.0, 2.0]]):
    refused(usage, "give numbers of the shape (3, 0) or (0,)", batch.step, 0.1, u)
refused(TypeError, "contact_fmu.load", contact_fmu.Model, fmu)
refused(usage, "0 states of 3 instances", batch.restore, [])
"""
    python(code, tmp_path)


def test_inputs_may_be_frames_with_the_time_as_index(python, tmp_path):
    """Those of a result give the same result; in cs, a row has the input of the step before it."""
    (tmp_path / "pushed.toml").write_text(PUSHED)
    code = """
import contact_fmu, pandas
push, speed = "force.push.force[1]", "block.velocity[1]"
model = contact_fmu.load(contact_fmu.build("pushed.toml"), interface="me", inputs=[push])
first = model.run(input={"time": [0, 0.5, 1], push: [1, 3, -2]}, step=0.25)
frame = first.to_frame()[[push]]
for index in (frame.index, pandas.Index(frame.index, name=None)):
    again = model.run(input=frame.set_index(index), step=0.25)
    assert abs(again[speed] - first[speed]).max() < 1e-12 and (again[push] == first[push]).all()
for wrong in (frame.reset_index(drop=True), first.to_frame()):
    try:
        model.run(input=wrong)
    except contact_fmu.ArgumentError as error:
        print(error)
"""
    told = python(code, tmp_path, optional=True)
    assert "no column 'time'" in told
    assert "is no input" in told


FMPY = """
import fmpy
folder = fmpy.extract("bouncing_ball.fmu")
description = fmpy.read_model_description(folder)
kept = fmpy.instantiate_fmu(folder, description, "CoSimulation")
def run():
    result = fmpy.simulate_fmu(folder, model_description=description, fmu_instance=kept, stop_time=0.05)
    kept.reset()
    return result["ball.position[3]"][-1]
"""
MODULE = """
import contact_fmu
model = contact_fmu.load("bouncing_ball.fmu")
def run():
    return model.run(stop=0.05)["ball.position[3]"][-1]
"""


@pytest.mark.full
@pytest.mark.parametrize("way", [pytest.param(FMPY, id="fmpy"), pytest.param(MODULE, id="module")])
def test_ten_thousand_runs_of_one_instance_leave_memory_as_it_is(tool, package, tmp_path, way):
    command = [tool, "build", BALL, "-o", tmp_path / "bouncing_ball.fmu"]
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    code = (
        way
        + """
def size():
    return [int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS")][0]
first = run()
for _ in range(1000):
    assert run() == first
before = size()
for _ in range(9000):
    assert run() == first
print(first, size() - before)
"""
    )
    env = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=env,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    height, growth = done.stdout.split()
    assert float(height) == pytest.approx(1.1 - 9.81 / 2 * 0.05**2, rel=1e-9)
    assert int(growth) < 1000  # kB


def test_an_fmu_with_arrays_runs_and_steps_by_its_entries(python, tmp_path):
    """It falls freely from 1.1 m."""
    code = f"""
import contact_fmu
fmu = contact_fmu.build({str(BALL)!r}, arrays=True)
model = contact_fmu.load(fmu, outputs=["ball.position"])
assert model.outputs == [f"ball.position[{{i}}]" for i in (1, 2, 3)]
model.reset()
model.step(0.1)
run = model.run(stop=0.1)
assert run["ball.position[3]"][-1] == model.y[2]
assert abs(model.y[2] - (1.1 - 9.81 / 2 * 0.01)) < 1e-9
every = contact_fmu.load(fmu)
assert list(every.run(stop=0.1))[1:] == every.outputs
"""
    python(code, tmp_path)


def test_a_wrong_argument_leaves_every_instance_as_it_was(python, tmp_path):
    (tmp_path / "pushed.toml").write_text(PUSHED)
    code = """
import contact_fmu, numpy
push = {"inputs": ["force.push.force[1]"], "outputs": ["block.velocity[1]"]}
fmu = contact_fmu.build("pushed.toml")
batch = contact_fmu.Batch(fmu, 3, **push)
model = contact_fmu.load(fmu, **push)
batch.reset()
model.reset()
for one in (batch, model):
    for h, u, words in [(-1.0, None, "step is -1 s"), (0.1, [numpy.nan], "push.force[1] is NaN"),
                        (0.1, 5.0 if one is model else [1.0, 2.0], "give")]:
        try:
            one.step(h, u)
        except contact_fmu.ContactFmuError as error:
            assert words in str(error), error
        else:
            raise AssertionError(words)
assert not batch.ended.any()
assert numpy.allclose(batch.step(0.5, [4.0]), 1.0) and numpy.allclose(model.step(0.5, [4.0]), 1.0)
states = batch.save()
for wrong, words in [(states[::-1], "another instance"), (states[:2], "2 states of 3")]:
    try:
        batch.restore(wrong)
    except contact_fmu.ContactFmuError as error:
        assert words in str(error), error
assert not batch.ended.any()
try:
    batch.reset(which=[7])
except contact_fmu.ArgumentError as error:
    assert "numbers from 0 to 2" in str(error)
assert (batch.reset(which=[]) == batch.y).all() and batch.time[0] == 0.5
assert repr(model) == "<Model: 1 inputs, 1 outputs, at 0.5 s>" and model.logged == []
"""
    python(code, tmp_path)
