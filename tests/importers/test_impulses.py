"""Velocities that jump where bodies meet, `response = "impulse"`, as importers see them."""

from __future__ import annotations

import csv
import re
import subprocess
from pathlib import Path

import fmpy
import numpy as np
import pytest
from lxml import etree

from conftest import ROOT, SCENES
from explicit import ExplicitSolver
from fixed_steps import STEP, Stepper
from importer import ERROR, Instance, do_step, simulate_cs, simulate_me
from rigid import rotation

IMPULSE = re.compile(r"impulse: t=(\S+) pair=(\S+) impulse=([^,\s]+),([^,\s]+),([^,\s]+)")

# The ball of engelson_ball.toml: t_1 = sqrt(2 h/g), t_k+1 = t_k + 2 e^k t_1, apexes e^2k h.
HEIGHT, RESTITUTION, RADIUS = 10.0, 0.8, 0.1
FALL = 10 / 7
FLIGHTS = 2 * FALL * RESTITUTION ** np.arange(1, 25)
HITS = FALL + np.concatenate([[0.0], np.cumsum(FLIGHTS)])
APEXES = HITS[:-1] + FLIGHTS / 2
STOP, REST = 20.0, 90 / 7


def impulses(instance: Instance) -> list[tuple[float, np.ndarray]]:
    """Times [s] and impulses on the second body [N.s] that the log has."""
    found = [IMPULSE.search(text) for _, _, text in instance.log]
    return [(float(m[1]), np.array([float(m[i]) for i in (3, 4, 5)])) for m in found if m]


def engelson_run(fmu, kind: str) -> tuple[np.ndarray, np.ndarray, list[float], list[float]]:
    """Times, heights of the lowest point, times of impulses and of all starts and ends of contacts."""
    interface, _, way = kind.partition("-")
    grid = np.unique(np.concatenate([np.linspace(0, STOP, 501), APEXES[:8]]))
    options = {"event_mode": True, "early_return": True} if way == "events" else {}
    with fmu.instance(interface, **options) as instance:
        instance.initialize(tolerance=1e-9)
        if interface == "me":
            result = simulate_me(instance, grid, 1e-9)
        else:
            result = simulate_cs(instance, grid)
        hits = [time for time, _ in impulses(instance)]
        changes = [
            float(match[1])
            for _, _, text in instance.log
            if (match := re.search(r"contact (?:start|end): t=(\S+)", text))
        ]
        assert not instance.messages(ERROR)
    heights = result.states[:, fmu.index("ball.position[3]")] - RADIUS
    if way == "events":
        assert result.event_times, "events are reported to an importer with event mode"
        assert np.isin(np.round(hits, 9), np.round(result.event_times, 9)).all()
    return grid, heights, hits, changes


def check_engelson(grid, heights, hits, changes) -> None:
    assert np.abs(np.array(hits[:25]) - HITS[: len(hits[:25])]).max() < 1e-5
    # v_k = 14 * 0.8^k m/s falls below the rest speed of 0.01 m/s after k = 32.
    assert len(hits) == 33
    assert len(changes) <= 150
    assert max(changes) < REST + 0.1
    for k, time in enumerate(APEXES[:8], 1):
        (found,) = heights[np.isclose(grid, time, rtol=0, atol=1e-12)]
        assert abs(found - HEIGHT * RESTITUTION ** (2 * k)) < 1e-5
    assert heights.min() > -1e-6
    assert abs(heights[-1]) < 1e-6


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_a_ball_bounces_at_the_times_of_its_closed_form_and_rests(build, fmi, kind):
    np.testing.assert_allclose(HITS[:5], [10 / 7, 3.714286, 5.542857, 7.005714, 8.176], atol=1e-6)
    check_engelson(*engelson_run(build("engelson_ball", fmi=fmi), kind))


def test_a_ball_bounces_with_event_mode_and_early_return(build):
    check_engelson(*engelson_run(build("engelson_ball"), "cs-events"))


@pytest.mark.parametrize("interface", ["me", "cs"])
def test_the_tool_bounces_the_ball(tool, tmp_path, fmi, interface):
    command = [tool, "simulate", SCENES / "engelson_ball.toml", "--fmi", str(fmi)]
    command += ["--interface", interface, "--out", tmp_path]
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    with open(tmp_path / "events.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    starts = [float(row["time"]) for row in rows if row["event"] == "start"]
    assert np.abs(np.array(starts[:25]) - HITS[:25]).max() < 1e-5
    assert len(rows) <= 150
    assert float(rows[-1]["time"]) < REST + 0.1
    with open(tmp_path / "engelson_ball.csv", newline="") as file:
        last = list(csv.DictReader(file))[-1]
    assert abs(float(last["ball.position[3]"]) - RADIUS) < 1e-6


class Flight:
    """A small Model Exchange importer that keeps the states itself: from event to event with the solver of
    `explicit`. `reads_back` false is one that ignores valuesOfContinuousStatesChanged."""

    def __init__(self, instance: Instance, reads_back: bool = True):
        self.instance, self.reads_back = instance, reads_back
        self.solver = ExplicitSolver(instance, 1e-10)
        # Time, flag, impulses of the event, states before and after it.
        self.events: list[tuple[float, bool, int, np.ndarray, np.ndarray]] = []

    def run(self, stop: float, time: float = 0.0) -> None:
        """To a time [s], from another."""
        instance = self.instance
        while time < stop:
            found, _, time = self.solver.step(time, stop)
            step_event, _ = instance.raw.completedIntegratorStep()
            if not (found or step_event):
                continue
            kept, known = instance.states(), len(impulses(instance))
            instance.raw.enterEventMode()
            changed = instance.update_discrete_states()
            instance.raw.enterContinuousTimeMode()
            states = instance.states() if self.reads_back and changed else kept
            assert instance.set_states(states) == 0
            self.events.append((time, changed, len(impulses(instance)) - known, kept, states))
            self.solver.reset(time)


def test_states_change_at_impacts_and_at_no_other_event(build, fmi):
    fmu = build("engelson_ball", fmi=fmi)
    speed = fmu.index("ball.velocity[3]")
    with fmu.instance("me") as instance:
        instance.initialize(tolerance=1e-9)
        flight = Flight(instance)
        flight.run(8.2)
    assert len(flight.events) == 10
    for time, changed, count, before, after in flight.events:
        assert changed == (count == 1), time
        others = np.delete(np.arange(len(before)), speed)
        assert np.array_equal(before[others], after[others])
        if changed:
            assert before[speed] < 0
            assert abs(after[speed] + RESTITUTION * before[speed]) < 1e-13 * abs(before[speed])
        else:
            assert before[speed] == after[speed] > 0
    times = [time for time, changed, *_ in flight.events if changed]
    assert np.abs(np.array(times) - HITS[:5]).max() < 1e-5


def test_an_importer_that_ignores_the_flag_goes_on_into_the_plate(build, fmi):
    """It hands the old velocity back, so the force has to stop the ball: not the motion with impulses."""
    fmu = build("engelson_ball", fmi=fmi)
    speed = fmu.index("ball.velocity[3]")
    depths = {}
    for reads_back in (True, False):
        with fmu.instance("me") as instance:
            instance.initialize(tolerance=1e-9)
            flight = Flight(instance, reads_back)
            flight.run(1.43)
            _, changed, _, before, after = flight.events[0]
            assert changed
            assert (after[speed] > 0) == reads_back
            assert reads_back or after[speed] == before[speed]
            depths[reads_back] = len(flight.events), flight.events[-1][0] - flight.events[0][0]
    # By impulse the contact lasts while 2e-8 m are left at 11.2 m/s; by force for most of 1e-4 s.
    assert depths[True][1] == pytest.approx(2e-8 / (RESTITUTION * 14), rel=1e-3)
    assert depths[False][1] > 1e-5


def test_velocities_are_states_with_reinit_and_the_description_is_valid(build, fmi):
    fmu = build("engelson_ball", fmi=fmi)
    document = etree.parse(fmu.folder / "modelDescription.xml")
    folder = Path(fmpy.__file__).parent / "schema" / f"fmi{fmi}"
    etree.XMLSchema(etree.parse(folder / f"fmi{fmi}ModelDescription.xsd")).assertValid(document)
    attribute = {e.get("name"): e.get("reinit") for e in document.iterfind(".//*[@name]")}
    attribute |= {
        e.get("name"): e[0].get("reinit") for e in document.iterfind(".//ScalarVariable") if len(e)
    }
    jumps = {name for name in fmu.states if "velocity" in name}
    assert len(jumps) == 6
    for name in fmu.states:
        assert (attribute[name] == "true") == (name in jumps), name
    plain = build("ball_on_plate", fmi=fmi)
    text = (plain.folder / "modelDescription.xml").read_text()
    assert "reinit" not in text, "without impulses no state jumps"


# The balls of impulse_chain.toml meet at about 1.03 ms and 2.26 ms [s].
BETWEEN, LATER = 2e-3, 6e-3


def advance(instance: Instance, start: float, stop: float) -> bytes:
    """Runs on; answers all states at events or after steps, and where it ends, as bytes."""
    if instance.kind == "me":
        flight = Flight(instance)
        flight.run(stop, start)
        rows = [np.append(after, time) for time, _, _, _, after in flight.events]
        return np.concatenate([*rows, instance.states()]).tobytes()
    steps = round(start / STEP), round((stop - start) / STEP)
    return Stepper(instance, steps[0]).advance(steps[1]).tobytes()


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_a_state_between_two_impacts_of_a_chain_runs_on_to_the_same_bits(build, fmi, kind):
    """Saved when the first ball has hit the second one and this not yet the third."""
    fmu = build("impulse_chain", fmi=fmi)
    with fmu.instance(kind) as instance:
        instance.initialize(tolerance=1e-9)
        advance(instance, 0.0, BETWEEN)
        assert len(impulses(instance)) == 1
        saved = instance.raw.getFMUState()
        data = instance.raw.serializeFMUState(saved)
        expected = advance(instance, BETWEEN, LATER)
        assert len(impulses(instance)) == 2
        instance.raw.setFMUState(saved)
        instance.raw.freeFMUState(saved)
        assert advance(instance, BETWEEN, LATER) == expected
        instance.restore(data)
        assert advance(instance, BETWEEN, LATER) == expected
    with fmu.instance(kind) as other:
        other.restore(data)
        assert advance(other, BETWEEN, LATER) == expected


# Of the ball of struck_body.toml.
MASS, INERTIA = 2.0, 0.002


def motion(fmu, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centre [m], momentum [kg.m/s] and spin [kg.m2/s] of the ball, world axes."""
    turn = rotation(states[fmu.columns("ball.orientation", 4)])
    spin = INERTIA * turn @ states[fmu.columns("ball.angular_velocity")]
    return states[fmu.columns("ball.position")], MASS * states[fmu.columns("ball.velocity")], spin


def check_strike(fmu, instance: Instance, before: np.ndarray, after: np.ndarray) -> None:
    """What the driven anvil says of an impulse is what the ball has lost, about the origin of the anvil."""
    (x0, p0, l0), (x1, p1, l1) = motion(fmu, before), motion(fmu, after)
    change, size = p1 - p0, np.linalg.norm(p0)
    assert np.linalg.norm(change) > 0.5 * size
    assert np.abs(instance.get_vector("anvil.impulse") + change).max() < 1e-12 * size
    origin = instance.get_vector("anvil.position")
    # Flights before and after the impulse keep the angular momentum.
    turned = l1 + np.cross(x1 - origin, p1) - l0 - np.cross(x0 - origin, p0)
    moment = instance.get_vector("anvil.impulse_moment")
    whole = size * np.linalg.norm(x0 - origin) + np.linalg.norm(l0)
    assert np.linalg.norm(moment) > 0.5 * whole
    assert np.abs(moment + turned).max() < 1e-12 * whole


def test_a_driven_body_that_is_hit_says_by_which_impulse(build, fmi):
    fmu = build("struck_body", fmi=fmi)
    with fmu.instance("me") as instance:
        instance.initialize(tolerance=1e-9)
        assert instance.get_vector("anvil.impulse").tolist() == [0, 0, 0]
        flight = Flight(instance)
        flight.run(0.0100001)
        time, changed, count, before, after = flight.events[0]
        assert changed
        assert count == 1
        # 30 mm at 3 m/s.
        assert time == pytest.approx(0.01, abs=1e-7)
        assert instance.get("anvil.impulse_time")[0] == time
        check_strike(fmu, instance, before, after)


@pytest.mark.parametrize(("fmi", "events"), [(2, False), (3, False), (3, True)])
def test_impulses_of_a_communication_step_are_what_changed_the_momentum(build, fmi, events):
    fmu = build("struck_body", fmi=fmi)
    options = {"event_mode": True} if events else {}
    with fmu.instance("cs", **options) as instance:
        instance.initialize(tolerance=1e-9)
        time, step = 0.0, 3e-3
        rows = []
        while time < 0.02 - step / 2:
            before = instance.states()
            status, event, _, _ = do_step(instance, time, step)
            assert status == 0
            reported = instance.get_vector("contact.anvil.ball.impulse")
            if event:
                instance.event()
            time += step
            change = motion(fmu, instance.states())[1] - motion(fmu, before)[1]
            rows.append((reported, change))
            if len(impulses(instance)) == 1 and np.any(change):
                check_strike(fmu, instance, before, instance.states())
                assert instance.get("anvil.impulse_time")[0] == impulses(instance)[0][0]
        struck = [np.any(change != 0) for _, change in rows]
        assert struck.count(True) == 1
        for reported, change in rows:
            assert np.abs(reported - change).max() < 1e-12 * MASS * np.sqrt(14)


# Of examples/bouncing_rod: mass [kg], inertia [kg.m2], half-length and radius [m], z_eps [m], e and mu.
ROD = ROOT / "examples" / "bouncing_rod" / "scene.toml"
ROD_MASS, ROD_INERTIA, HALF, BALL, Z_EPS, ROD_E, MU = (
    1.0,
    0.0833333333333333,
    0.5,
    0.02,
    1e-8,
    0.6,
    0.3,
)


def test_a_rod_that_slides_and_turns_back_gets_the_impulse_of_the_closed_form(build, fmi):
    """Friction -mu until the slip has stopped, at the normal impulse p1, +mu from there on."""
    fmu = build(ROD, fmi=fmi)
    with fmu.instance("me") as instance:
        instance.initialize(tolerance=1e-10)
        flight = Flight(instance)
        flight.run(0.36)
        (_, impulse), (_, changed, _, before, after) = impulses(instance)[0], flight.events[0]
    assert changed
    position, velocity = fmu.columns("rod.position"), fmu.columns("rod.velocity")
    rate = fmu.columns("rod.angular_velocity")[1]
    # Along the rod, from ball left to ball right; the contact is the middle of the overlap of 2 z_eps.
    along = rotation(before[fmu.columns("rod.orientation", 4)])[:, 0]
    tangential, normal = -HALF * along[0], -HALF * along[2] - BALL + Z_EPS
    wtt = 1 / ROD_MASS + normal**2 / ROD_INERTIA
    wtn = -tangential * normal / ROD_INERTIA
    wnn = 1 / ROD_MASS + tangential**2 / ROD_INERTIA
    # A turn from x towards z is one about -y.
    slip = before[velocity[0]] + before[rate] * normal
    approach = before[velocity[2]] - before[rate] * tangential
    first = slip / (MU * wtt - wtn)
    compression = first - (approach + (wnn - MU * wtn) * first) / (wnn + MU * wtn)
    assert 0 < first < compression
    assert abs(wtn) > MU * wtt, "it cannot stick"
    total = (1 + ROD_E) * compression
    expected = np.array([-MU * first + MU * (total - first), 0, total])
    assert np.abs(impulse - expected).max() < 1e-12 * total
    # Momentum, and the angular momentum about the contact.
    change = after - before
    assert np.abs(ROD_MASS * change[velocity] - impulse).max() < 1e-13 * total
    spin = ROD_INERTIA * -change[rate]
    orbit = ROD_MASS * (-tangential * change[velocity[2]] + normal * change[velocity[0]])
    assert abs(spin + orbit) < 1e-13 * total
    assert np.array_equal(after[position], before[position])
