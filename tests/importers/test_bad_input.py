"""Wrong input: the status the standard asks for, a message with the offending value, no crash.

After fmi3Discard the instance goes on. After fmi3Error it may be terminated [FMI 3.0, 2.3.1];
then it must reset or free cleanly, which every test here ends with.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import shutil
import stat
import subprocess
import time
from ctypes import byref, c_double, c_size_t, c_void_p
from pathlib import Path

import numpy as np
import pytest
from fmpy.fmi3 import fmi3Float64, fmi3ValueReference

from conftest import ROOT, SCENES, soak
from forked import forked
from importer import DISCARD, ERROR, OK, WARNING, Instance, Refused, do_step

UNKNOWN = 4_000_000_001
# Time after which a program counts as hanging [s].
SECONDS = 20
# Part of a library that is loaded, at least: symbols and names of sections follow.
NEEDED = 0.7
EXAMPLE_OF_A_LAW = ROOT / "examples" / "user_law" / "scene.toml"
BALL = ROOT / "examples" / "bouncing_ball" / "scene.toml"
DRIVEN = SCENES / "driven_cubes.toml"


@pytest.fixture(params=["me", "cs"])
def instance(request, build):
    """An initialised instance; after the test it must reset, run again and free."""
    with build("soft_ball").instance(request.param) as made:
        made.initialize(tolerance=1e-8)
        yield made
        assert made.call("fmi3Reset") == OK
        made.initialize(tolerance=1e-8)
        assert np.isfinite(made.states()).all()


@pytest.fixture
def me(build):
    """An initialised Model Exchange instance in Continuous-Time Mode."""
    with build("soft_ball").instance("me") as made:
        made.initialize(tolerance=1e-8)
        yield made


@pytest.fixture
def cs(build):
    """An initialised Co-Simulation instance in Step Mode."""
    with build("soft_ball").instance("cs") as made:
        made.initialize(tolerance=1e-8)
        yield made


def works(instance: Instance) -> bool:
    """Whether the instance still does its job without a reset."""
    if instance.kind == "me":
        return instance.derivatives().shape == (instance.n,)
    return do_step(instance, 0, 1e-3)[0] == OK


# Instantiation.


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_missing_resources_folder_is_refused_with_its_path(build, tmp_path, kind):
    fmu = build("soft_ball").copy(tmp_path / "fmu")
    shutil.rmtree(fmu.folder / "resources")
    with pytest.raises(Refused) as refusal:
        fmu.instance(kind)
    assert max(status for status, _, _ in refusal.value.log) >= ERROR
    assert str(fmu.folder / "resources") in str(refusal.value)


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_scene_with_a_flipped_bit_is_refused(build, tmp_path, kind):
    original = build("soft_ball")
    (scene,) = [p for p in (original.folder / "resources").iterdir() if p.is_file()]
    data = scene.read_bytes()
    damaged = original.copy(tmp_path / "fmu")
    for position in {0, 1, len(data) // 2, len(data) - 1}:
        bad = bytearray(data)
        bad[position] ^= 0x10
        (damaged.folder / "resources" / scene.name).write_bytes(bad)
        with pytest.raises(Refused) as refusal:
            damaged.instance(kind)
        assert refusal.value.log, f"byte {position}: nothing was logged"
    (damaged.folder / "resources" / scene.name).write_bytes(data)
    damaged.instance(kind).free()


@pytest.mark.full
def test_scene_with_any_flipped_bit_is_refused(build, tmp_path):
    original = build("soft_ball")
    (scene,) = [p for p in (original.folder / "resources").iterdir() if p.is_file()]
    data = scene.read_bytes()
    damaged = original.copy(tmp_path / "fmu")
    for bit in range(8 * len(data)):
        bad = bytearray(data)
        bad[bit // 8] ^= 1 << (bit % 8)
        (damaged.folder / "resources" / scene.name).write_bytes(bad)
        with pytest.raises(Refused):
            damaged.instance("me")


@pytest.mark.full
def test_a_user_library_cut_anywhere_is_refused_or_whole(build, tool, tmp_path):
    original = build(EXAMPLE_OF_A_LAW)
    damaged = original.copy(tmp_path / "fmu")
    (library,) = (damaged.folder / "resources").rglob("librubber.so")
    data = library.read_bytes()
    scene = tmp_path / "scene.toml"
    shutil.copy(EXAMPLE_OF_A_LAW, scene)
    rng = random.Random(1)
    end = time.monotonic() + soak(50)
    while time.monotonic() < end:
        for place in (library, tmp_path / "librubber.so"):
            # In its place: what is mapped still must not change.
            place.unlink(missing_ok=True)
            place.write_bytes(data[: rng.randrange(len(data))])

        def refusal() -> str:
            try:
                with damaged.instance(rng.choice(["me", "cs"])) as instance:
                    instance.initialize(tolerance=1e-8)
            except Refused as refusal:
                return str(refusal)
            return ""

        text = forked(refusal)
        # What lies behind all that is loaded may be missing.
        assert "librubber.so" in text or (not text and library.stat().st_size > NEEDED * len(data))
        command = [tool, rng.choice(["check", "build"]), scene]
        if command[1] == "build":
            command += ["-o", tmp_path / "rubber.fmu"]
        found = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert found.returncode in (0, 1), found
        assert not found.returncode or "librubber.so" in found.stderr


def kind_of(place: Path) -> tuple[int, str]:
    """What lies at a place, and where it points to if it is a link."""
    return stat.S_IFMT(place.lstat().st_mode), place.readlink() if place.is_symlink() else ""


def place_to_write(rng: random.Random, folder: Path) -> Path:
    """Something in a folder that may be given for a file to write."""
    place = folder / rng.choice(["x.fmu", "x.html", "x.xyz", "x"])
    (folder / "kept.fmu").write_text("kept")
    match rng.choice(["null", "full", "zero", "pipe", "socket", "folder", "link", "nothing", "loop"]):
        case "null":
            os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        case "full":
            os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        case "zero":
            os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 5))
        case "pipe":
            os.mkfifo(place)
        case "socket":
            os.mknod(place, stat.S_IFSOCK | 0o666)
        case "folder":
            place.mkdir()
        case "link":
            place.symlink_to("kept.fmu")
        case "nothing":
            place.symlink_to("nothing")
        case "loop":
            place.symlink_to(place.name)
    return place


@pytest.mark.full
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_an_output_may_be_a_device_a_pipe_a_link_or_a_folder(tool, tmp_path):
    rng = random.Random(1)
    end = time.monotonic() + soak(50)
    for number in itertools.takewhile(lambda _: time.monotonic() < end, itertools.count()):
        folder = tmp_path / str(number)
        folder.mkdir()
        place = place_to_write(rng, folder)
        before = kind_of(place)
        # What reads the pipe, without which writing waits.
        reader = os.open(place, os.O_RDONLY | os.O_NONBLOCK) if place.is_fifo() else None
        command = rng.choice(
            [
                ["build", BALL, "-o", place],
                ["ssp", BALL, "-o", place],
                ["modelica", DRIVEN, "-o", place],
                ["simulate", BALL, "--stop", "0.01", "--out", place],
                ["simulate", BALL, "--stop", "0.01", "--out", folder / "out", "--bodies", place],
                ["new", place],
                ["man", place],
            ]
        )
        with subprocess.Popen(
            [tool, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as run:
            if reader is not None:
                while run.poll() is None:
                    with contextlib.suppress(BlockingIOError):
                        os.read(reader, 1 << 16)
                os.close(reader)
            told = run.communicate(timeout=SECONDS)[1]
        assert run.returncode in (0, 1, 2), (command, run.returncode, told)
        if run.returncode:
            assert told.strip(), command
        assert kind_of(place) == before, (command, told)
        if run.returncode or not place.is_symlink():
            assert (folder / "kept.fmu").read_text() == "kept", (command, told)


@pytest.mark.parametrize("length", [0, 1, 7])
def test_truncated_scene_is_refused(build, tmp_path, length):
    fmu = build("soft_ball").copy(tmp_path / "fmu")
    (scene,) = [p for p in (fmu.folder / "resources").iterdir() if p.is_file()]
    scene.write_bytes(scene.read_bytes()[:length])
    with pytest.raises(Refused) as refusal:
        fmu.instance("me")
    assert refusal.value.log


@pytest.mark.parametrize("token", ["", "0123456789abcdef", "ü"])
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_wrong_token_is_refused_and_both_tokens_are_named(build, kind, token):
    fmu = build("soft_ball")
    with pytest.raises(Refused) as refusal:
        fmu.instance(kind, token=token)
    assert token in str(refusal.value)
    assert fmu.description.guid in str(refusal.value)


def test_null_pointers_at_instantiation_are_refused(build):
    fmu = build("soft_ball")
    with fmu.instance("me") as alive:
        raw = alive.raw
        path = str(fmu.folder / "resources").encode()
        token = fmu.description.guid.encode()
        make = raw.fmi3InstantiateModelExchange
        assert not make(b"a", None, path, False, True, None, raw.logMessage)
        assert not make(None, token, path, False, True, None, raw.logMessage)
        assert alive.messages(ERROR)


def test_null_logger_and_null_resource_path_are_allowed(build):
    fmu = build("soft_ball")
    with fmu.instance("me") as alive:
        raw = alive.raw
        token = fmu.description.guid.encode()
        logger = type(raw.logMessage)()
        other = raw.fmi3InstantiateModelExchange(b"a", token, None, False, True, None, logger)
        assert other
        n = c_size_t()
        assert raw.fmi3GetNumberOfContinuousStates(other, byref(n)) == OK
        assert n.value == alive.n
        with pytest.raises(Exception, match="fmi3SetTime"):
            raw.fmi3SetTime(other, 0.0)
        raw.fmi3FreeInstance(other)


def test_scheduled_execution_is_refused(build):
    fmu = build("soft_ball")
    with fmu.instance("me") as alive:
        raw = alive.raw
        path = str(fmu.folder / "resources").encode()
        arguments = [b"a", fmu.description.guid.encode(), path, False, True, None, raw.logMessage]
        callbacks = [t() for t in raw._functions["fmi3InstantiateScheduledExecution"].argtypes[7:]]
        assert not raw.fmi3InstantiateScheduledExecution(*arguments, *callbacks)
        assert alive.messages(ERROR)


def test_a_null_instance_is_an_error_and_freeing_it_does_nothing(build):
    with build("soft_ball").instance("cs") as alive:
        raw = alive.raw
        living, raw.component = raw.component, None
        assert alive.call("fmi3Terminate") == ERROR
        assert alive.call("fmi3SetTime", 0.0) == ERROR
        assert alive.call("fmi3GetFMUState", byref(c_void_p())) == ERROR
        raw.fmi3FreeInstance(None)
        raw.component = living


# Variables.


def test_unknown_value_reference_is_an_error_that_names_it(instance):
    references, values = (fmi3ValueReference * 1)(UNKNOWN), (fmi3Float64 * 1)()
    assert instance.call("fmi3GetFloat64", references, 1, values, 1) == ERROR
    assert str(UNKNOWN) in instance.messages(ERROR)
    instance.log.clear()
    assert instance.call("fmi3SetFloat64", references, 1, values, 1) == ERROR
    assert instance.messages(ERROR)


def test_reference_zero_is_unknown(instance):
    references, values = (fmi3ValueReference * 1)(0), (fmi3Float64 * 1)()
    assert instance.call("fmi3GetFloat64", references, 1, values, 1) == ERROR
    assert instance.messages(ERROR)


def test_reference_of_another_type_is_an_error(instance):
    reference = instance.fmu.references["contact.count"]
    assert instance.fmu.types["contact.count"] == "Int32"
    references, values = (fmi3ValueReference * 1)(reference), (fmi3Float64 * 1)()
    assert instance.call("fmi3GetFloat64", references, 1, values, 1) == ERROR
    assert "contact.count" in instance.messages(ERROR)


def test_wrong_number_of_values_is_an_error_that_names_both(instance):
    reference = instance.fmu.references["ball.position[1]"]
    references, values = (fmi3ValueReference * 1)(reference), (fmi3Float64 * 7)()
    assert instance.call("fmi3GetFloat64", references, 1, values, 7) == ERROR
    text = instance.messages(ERROR)
    assert "7" in text
    assert "1" in text


def test_null_arrays_are_errors(instance):
    reference = (fmi3ValueReference * 1)(instance.fmu.references["ball.position[1]"])
    assert instance.call("fmi3GetFloat64", None, 1, (fmi3Float64 * 1)(), 1) == ERROR
    assert instance.messages(ERROR)
    instance.log.clear()
    assert instance.call("fmi3GetFloat64", reference, 1, None, 1) == ERROR
    assert instance.messages(ERROR)


@pytest.mark.parametrize("value", [-1.0, 0.0, float("nan"), float("inf")])
def test_impossible_mass_is_an_error_that_names_value_and_variable(build, value):
    with build("soft_ball").instance("me") as instance:
        instance.raw.enterInitializationMode()
        status = instance.set_status({"ball.mass": value})
        if status < ERROR:
            status = instance.call("fmi3ExitInitializationMode")
        assert status == ERROR
        text = instance.messages(ERROR)
        assert "ball" in text
        assert "mass" in text
        assert {-1.0: "-1", 0.0: "0"}.get(value, str(value)).lower() in text.lower()
        assert instance.call("fmi3Reset") == OK


def test_setting_an_output_is_an_error_that_names_it(instance):
    assert instance.set_status({"energy.kinetic": 1.0}) == ERROR
    assert "energy.kinetic" in instance.messages(ERROR)


# Model Exchange.


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_states_that_are_not_numbers_are_discarded_and_named(me, bad):
    good = me.states()
    states = good.copy()
    states[me.fmu.index("ball.position[3]")] = bad
    status = me.set_states(states)
    if status == OK:
        dx = (c_double * me.n)()
        status = me.call("fmi3GetContinuousStateDerivatives", dx, me.n)
    assert status == DISCARD
    text = me.messages(WARNING)
    assert "ball.position[3]" in text
    assert str(bad).lower() in text.lower()
    assert me.set_states(good) == OK
    assert works(me)


@pytest.mark.parametrize("time", [float("nan"), float("inf")])
def test_time_that_is_not_a_number_is_refused(me, time):
    assert me.call("fmi3SetTime", time) in (DISCARD, ERROR)
    assert str(time).lower() in me.messages(WARNING).lower()


@pytest.mark.parametrize(
    "function",
    [
        "fmi3SetContinuousStates",
        "fmi3GetContinuousStates",
        "fmi3GetContinuousStateDerivatives",
        "fmi3GetNominalsOfContinuousStates",
        "fmi3GetEventIndicators",
    ],
)
def test_wrong_length_or_null_array_is_an_error(me, function):
    right = me.nz if function == "fmi3GetEventIndicators" else me.n
    assert me.call(function, None, right) == ERROR
    assert me.messages(ERROR)
    me.log.clear()
    me.call("fmi3Reset")
    me.initialize(tolerance=1e-8)
    me.log.clear()
    assert me.call(function, (c_double * (right + 3))(), right + 3) == ERROR
    text = me.messages(ERROR)
    assert str(right) in text
    assert str(right + 3) in text


def test_null_result_pointers_are_errors(me):
    assert me.call("fmi3CompletedIntegratorStep", True, None, None) == ERROR
    assert me.messages(ERROR)


# Co-Simulation.


@pytest.mark.parametrize("size", [0.0, -1e-3, float("nan"), float("inf")])
def test_step_size_that_is_not_positive_is_an_error_that_names_it(cs, size):
    assert do_step(cs, 0, size)[0] in (DISCARD, ERROR)
    text = cs.messages(WARNING)
    expected = {0.0: "0", -1e-3: "-0.001"}.get(size, str(size))
    assert expected in text.lower()
    assert cs.call("fmi3Reset") == OK


def test_communication_point_that_does_not_follow_is_an_error_that_names_it(cs):
    assert do_step(cs, 0, 1e-2)[0] == OK
    assert do_step(cs, 0.375, 1e-2)[0] in (DISCARD, ERROR)
    assert "0.375" in cs.messages(WARNING)


def test_step_beyond_the_stop_time_is_an_error(build):
    """FMI 3.0, 2.3.2: computing past the given stop time must answer fmi3Error."""
    with build("soft_ball").instance("cs") as instance:
        instance.initialize(tolerance=1e-8, stop=0.01)
        assert do_step(instance, 0, 0.01)[0] == OK
        assert do_step(instance, 0.01, 0.01)[0] == ERROR
        assert "0.01" in instance.messages(ERROR)


def test_null_results_of_a_step_are_errors(cs):
    assert cs.call("fmi3DoStep", 0.0, 1e-3, True, None, None, None, None) == ERROR
    assert cs.messages(ERROR)


@pytest.mark.parametrize("tolerance", [0.0, -1e-6, float("nan"), float("inf")])
def test_tolerance_that_is_not_positive_is_an_error_that_names_it(build, tolerance):
    with build("soft_ball").instance("cs") as instance:
        arguments = (True, tolerance, 0.0, False, 0.0)
        assert instance.call("fmi3EnterInitializationMode", *arguments) == ERROR
        expected = {0.0: "0", -1e-6: "-"}.get(tolerance, str(tolerance))
        assert expected in instance.messages(ERROR).lower()
        assert instance.call("fmi3Reset") == OK


def test_stop_time_before_start_time_is_an_error(build):
    with build("soft_ball").instance("cs") as instance:
        assert instance.call("fmi3EnterInitializationMode", False, 0.0, 1.5, True, 0.5) == ERROR
        text = instance.messages(ERROR)
        assert "1.5" in text
        assert "0.5" in text


# Saved states.


def test_null_saved_states_are_errors(instance):
    assert instance.call("fmi3SetFMUState", None) == ERROR
    assert instance.messages(ERROR)
    assert instance.call("fmi3GetFMUState", None) == ERROR
    assert instance.call("fmi3FreeFMUState", byref(c_void_p())) == OK
    assert instance.call("fmi3SerializedFMUStateSize", None, byref(c_size_t())) == ERROR


# Logging.


def test_only_errors_are_logged_when_logging_is_off(build):
    """FMI 3.0, 2.2.3: an error has been logged; only for a discard logging must be enabled."""
    with build("soft_ball").instance("cs", logging=False) as instance:
        instance.raw.enterInitializationMode()
        instance.raw.exitInitializationMode()
        assert do_step(instance, 0.0, 0.1)[0] == OK
        assert instance.log == []
        assert do_step(instance, 0.1, -1.0)[0] == ERROR
        assert [status for status, _, _ in instance.log] == [ERROR]


def test_only_the_categories_asked_for_are_logged(build):
    fmu = build("soft_ball")
    assert "contacts" in {c.name for c in fmu.description.logCategories}
    with fmu.instance("cs") as instance:
        instance.initialize(tolerance=1e-8)
        instance.raw.setDebugLogging(True, ["contacts"])
        instance.log.clear()
        do_step(instance, 0, 0.1)
        assert {category for _, category, _ in instance.log} == {"contacts"}


def test_unknown_log_category_is_an_error_that_names_it(cs):
    with pytest.raises(Exception, match="fmi3SetDebugLogging"):
        cs.raw.setDebugLogging(True, ["no such category"])
    assert "no such category" in cs.messages(WARNING)
