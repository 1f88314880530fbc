"""Random scenes of one or few impacts, seeded: what a user of Model Exchange builds first.

A free body of steel, aluminium, wood, glass or rubber (2 g to 20 t, 0.1 to 50 m/s, oblique, mostly
spinning) hits a half-space, a fixed plate or another free body, with regularized, Coulomb or sticking
friction. The run ends when the body has left by about its own size, so that no error of the start
has grown by much.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

SHAPES = ("sphere", "box", "cylinder", "capsule", "ellipsoid")
MATERIALS = ("Steel", "Aluminium", "WhiteOak", "Glass", "Rubber")
TARGETS = ("half_space", "plate", "body")
FRICTIONS = ("regularized", "coulomb", "stick")
# So many scenes have been looked at.
COUNT = 100

HEAD = """format = 1
name = "impact"

[world]
gravity = {gravity}

[contact]
friction = "{friction}"

[experiment]
stop_time = {stop!r}

[[material]]
name = "Rubber"
density = "1.1 g/cm3"
youngs_modulus = "10 MPa"
poissons_ratio = 0.49

[[material_pair]]
materials = ["{first}", "{second}"]
restitution = {restitution!r}
sliding_friction = {sliding!r}
rolling_resistance = {rolling!r}

"""

BODY = """[[body]]
name = "{}"
motion = "{}"
position = {}
orientation = {}
{}
[[body.shape]]
{}
material = "{}"

"""


MOTIONS = """velocity = {velocity}
angular_velocity = {spin}
"""


@dataclass(frozen=True)
class ImpactScene:
    """A scene file, its bodies that move, and what it is about."""

    text: str
    bodies: tuple[str, ...]
    title: str
    # End of the run [s].
    stop: float
    # Friction has a state of its own.
    sticks: bool


def vector(values: Iterable[float]) -> str:
    """An array of TOML."""
    return str([float(value) for value in values])


def unit(random: np.random.Generator, count: int) -> np.ndarray:
    """A random direction."""
    direction = random.normal(size=count)
    return direction / np.linalg.norm(direction)


def form(shape: str, size: float, random: np.random.Generator) -> tuple[str, float]:
    """A shape whose half-lengths are at most `size` [m], and the radius of a ball about it [m]."""
    a, b = size * random.uniform(0.5, 1, 2)
    match shape:
        case "sphere":
            return f"sphere = {{ radius = {size} }}", size
        case "box":
            lengths = 2 / np.sqrt(3) * np.array([size, a, b])
            return f"box = {{ lengths = {vector(lengths)} }}", np.linalg.norm(lengths) / 2
        case "cylinder":
            radius = 0.7 * size
            return f"cylinder = {{ radius = {radius}, length = {1.4 * a} }}", np.hypot(
                radius, 0.7 * a
            )
        case "capsule":
            return f"capsule = {{ radius = {0.5 * size}, length = {a} }}", 0.5 * size + a / 2
        case "ellipsoid":
            return f"ellipsoid = {{ lengths = {vector([2 * size, 2 * a, 2 * b])} }}", size
    raise ValueError(shape)


def impact_scene(number: int) -> ImpactScene:
    """The scene of a number; the same on every machine."""
    random = np.random.default_rng([number, 20260])
    shape, target = random.choice(SHAPES), random.choice(TARGETS)
    # Steel on steel is what takes most steps.
    first, second = random.choice(MATERIALS, 2, p=[0.6, 0.1, 0.1, 0.1, 0.1])
    friction = random.choice(FRICTIONS, p=[0.5, 0.25, 0.25])
    size = 10 ** random.uniform(-2.3, -0.1)
    speed = 10 ** random.uniform(-1, 1.7)
    slope = np.radians(random.uniform(0, 70))
    turns = random.choice([0, 1], p=[0.2, 0.8])
    spin = turns * unit(random, 3) * random.uniform(0, 2) * speed / size
    restitution, sliding = random.uniform(0, 0.95), random.uniform(0.05, 1)
    rolling = random.choice([0.0, 0.001])
    moving, radius = form(shape, size, random)
    gap = 0.2 * size
    orientation = vector(unit(random, 4))
    velocity = speed * np.array([np.sin(slope), 0, -np.cos(slope)])
    # The time to the contact, then until the body is off by about its size.
    stop = float(f"{min((gap + 2 * size) / (speed * np.cos(slope)), 1.0):.3g}")
    text = HEAD.format(
        gravity="[0, 0, -9.81]" if random.random() < 0.7 else '"none"',
        friction=friction,
        stop=stop,
        first=first,
        second=second,
        restitution=float(restitution),
        sliding=float(sliding),
        rolling=float(rolling),
    )
    bodies, height = ["ball"], radius + gap
    if target == "body":
        bodies.append("other")
        other, reach = form(random.choice(SHAPES), size * random.uniform(0.5, 1.5), random)
        height += reach
        still = MOTIONS.format(velocity=[0, 0, 0], spin=[0, 0, 0])
        body = ("other", "free", vector([0, 0, 0]), vector(unit(random, 4)), still, other, second)
    else:
        # A half-space, or a plate with the same surface.
        plate = f"box = {{ lengths = {vector([40 * size, 40 * size, size])} }}"
        solid, top = ("half_space = {}", 0.0) if target == "half_space" else (plate, -size / 2)
        body = ("ground", "fixed", vector([0, 0, top]), [1, 0, 0, 0], "", solid, second)
    text += BODY.format(*body)
    # Towards the origin of the plane, or of the other body.
    start = np.array([0, 0, height]) - velocity * [1, 1, 0] * gap / (speed * np.cos(slope))
    motions = MOTIONS.format(velocity=vector(velocity), spin=vector(spin))
    text += BODY.format("ball", "free", vector(start), orientation, motions, moving, first)
    title = (
        f"{number}: {shape} of {first}, {size:.3g} m, {speed:.3g} m/s at "
        f"{np.degrees(slope):.0f} deg, {np.linalg.norm(spin):.3g} rad/s, on {target} of {second}, "
        f"{friction}, {stop} s"
    )
    return ImpactScene(text, tuple(bodies), title, stop, friction == "stick")
