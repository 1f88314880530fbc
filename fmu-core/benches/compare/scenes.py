"""The scenes of the table: text of scene files, and the same balls as input of the C++ programs."""

from __future__ import annotations

import numpy as np

GRAVITY = 9.81
HEAD = """format = 1
name = "scene"
[world]
gravity = [0, 0, -9.81]
[experiment]
stop_time = {stop}
step_size = {step}
tolerance = {tolerance}
[contact]
{contact}
"""
# Walls of an open box: a half-space is solid where z <= 0 of its frame.
WALLS = (
    ("xm", "[-{h}, 0, 0]", "[0, 1, 0]", 90),
    ("xp", "[{h}, 0, 0]", "[0, 1, 0]", -90),
    ("ym", "[0, -{h}, 0]", "[1, 0, 0]", -90),
    ("yp", "[0, {h}, 0]", "[1, 0, 0]", 90),
)

# Balls in a box, those of balls.hpp.
RADIUS = 0.05
PER_LAYER = {10: 3, 100: 5, 1000: 10, 10_000: 22}
SOFT = """[[material]]
name = "Soft"
density = 7850
youngs_modulus = 2.1e9
poissons_ratio = 0.3
[[material_pair]]
materials = ["Soft", "Soft"]
restitution = 0.7
sliding_friction = 0.5
"""


def head(stop: float, step: float, tolerance: float = 1e-6, contact: str = "") -> str:
    return HEAD.format(stop=stop, step=step, tolerance=tolerance, contact=contact)


def ground(material: str = "Steel", half: float | None = None) -> str:
    """A floor at z = 0, with walls at a distance `half` [m] if given."""
    text = '[[body]]\nname = "ground"\nmotion = "fixed"\n[[body.shape]]\nname = "floor"\n'
    text += f'half_space = {{}}\nmaterial = "{material}"\n'
    for name, place, axis, angle in WALLS if half else ():
        text += f'[[body.shape]]\nname = "{name}"\nhalf_space = {{}}\nmaterial = "{material}"\n'
        text += f"position = {place.format(h=half)}\n"
        text += f'rotation = {{ axis = {axis}, angle = "{angle} deg" }}\n'
    return text


def body(name: str, position, shape: str, material: str = "Steel", more: str = "") -> str:
    place = ", ".join(f"{float(x):.17g}" for x in position)
    return (
        f'[[body]]\nname = "{name}"\nmotion = "free"\nposition = [{place}]\n{more}'
        f'[[body.shape]]\n{shape}\nmaterial = "{material}"\n'
    )


def side(count: int) -> float:
    """Inner side of the box [m]."""
    return PER_LAYER[count] * 0.12 + 0.02


def balls_at_start(count: int) -> np.ndarray:
    """Position [m], velocity [m/s] and angular velocity [rad/s] of each ball, a cubic lattice with
    a jitter of 5 mm at rest."""
    k = PER_LAYER[count]
    lattice = [
        ((i % k - (k - 1) / 2) * 0.12, (i // k % k - (k - 1) / 2) * 0.12, 0.35 + i // k**2 * 0.12)
        for i in range(count)
    ]
    jitter = np.random.default_rng(7).uniform(-0.005, 0.005, (count, 3))
    return np.hstack([np.array(lattice) + jitter, np.zeros((count, 6))])


def balls_input(balls: np.ndarray) -> str:
    """What balls_verlet and balls_cvode read."""
    rows = (" ".join(f"{x:.17g}" for x in row) for row in balls)
    return "\n".join([f"{side(len(balls))!r}", *rows])


SAME_LAW = 'damping = "flores"\nrestitution_rule = "threshold"\nd_max = 2000'


def balls_scene(balls: np.ndarray, law: str = SAME_LAW) -> str:
    """With the damping of balls.hpp, or by `law` another one."""
    text = head(1.0, 0.01, contact=f'initial_overlap = "accept"\n{law}') + SOFT
    text += ground("Soft", side(len(balls)) / 2)
    for i, row in enumerate(balls):
        vectors = [f"[{', '.join(f'{x:.17g}' for x in row[k : k + 3])}]" for k in (3, 6)]
        more = f"velocity = {vectors[0]}\nangular_velocity = {vectors[1]}\n"
        text += body(f"b{i}", row[:3], f"sphere = {{ radius = {RADIUS} }}", "Soft", more)
    return text


def balls_dem(balls: np.ndarray, threads: int = 1) -> tuple[str, str]:
    """The same in granular mode by steps of 10 us, with the restitution that LAMMPS has, and the file
    of the balls beside the scene."""
    law = SAME_LAW.replace("flores", "exact")
    text = head(1.0, 0.01, contact=f'initial_overlap = "accept"\n{law}') + SOFT
    more = 'solver = "dem"\nmax_step = "10 us"\nmax_steps = 1000000\nstatistics = true\n'
    text = text.replace("[experiment]\n", f"[experiment]\n{more}threads = {threads}\n")
    text += ground("Soft", side(len(balls)) / 2)
    text += '[[grains]]\nname = "b"\nmaterial = "Soft"\nfile = "balls.xyz"\n'
    rows = "".join(f"b {x!r} {y!r} {z!r} {RADIUS} 0 0 0\n" for x, y, z in balls[:, :3].tolist())
    properties = "Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3"
    return text, f"{len(balls)}\n{properties}\n{rows}"


def settling(count: int, threads: int = 1) -> str:
    """Balls of 5 mm on a loose lattice that sink together in a box and come to rest."""
    d, wide = 5e-3, 50
    half = wide * d / 2
    height = 1.15 * d * (count / (wide / 1.15 - 2) ** 2 + 3)
    more = f'solver = "dem"\nmax_steps = 1000000\nstatistics = true\nthreads = {threads}\n'
    text = head(0.3, 0.01, contact='law = "spring"\ndamping = "exact"\nnz_max = 16')
    text = text.replace("[experiment]\n", f"[experiment]\n{more}")
    text += """[[material]]
name = "Bead"
density = 2500
youngs_modulus = 7e7
poissons_ratio = 0.25
[[material_pair]]
materials = ["Bead", "Bead"]
stiffness = 2e3
exponent = 1
restitution = 0.3
sliding_friction = 0.5
"""
    text += ground("Bead", half)
    return text + f"""[[grains]]
name = "b"
material = "Bead"
diameter = {d}
jitter = {0.05 * d}
[grains.fill]
lower = [{-half}, {-half}, 0]
upper = [{half}, {half}, {height}]
count = {count}
"""


def rest(thing: str, friction: str) -> str:
    """100 s in which a ball or a box lies, or 20 balls fall into a bin and lie."""
    contact = f'initial_overlap = "accept"\nfriction = "{friction}"'
    text = head(100.0, 0.1, contact=contact)
    if thing == "ball":
        return text + ground() + body("ball", [0, 0, 0.1], "sphere = { radius = 0.1 }")
    if thing == "box":
        box = "box = { lengths = [0.3, 0.2, 0.2] }"
        return text + ground() + body("crate", [0, 0, 0.1], box)
    text += ground(half=0.12)
    random = np.random.default_rng(3)
    for i in range(20):
        x, y = ((k - 0.5) * 0.11 + random.uniform(-0.004, 0.004) for k in (i % 2, i % 4 // 2))
        place = [round(x, 6), round(y, 6), 0.06 + i // 4 * 0.105]
        text += body(f"b{i}", place, "sphere = { radius = 0.05 }")
    return text


def billiards() -> str:
    """A cue ball of 8 m/s breaks a rack of 15 on a table with four cushions, tolerance 1e-5."""
    d, length, width = 0.057, 2.24, 1.12
    text = head(5.0, 0.02, 1e-5, 'initial_overlap = "accept"')
    text += '[[body]]\nname = "table"\nmotion = "fixed"\n[[body.shape]]\nname = "cloth"\n'
    text += f"box = {{ lengths = [{length}, {width}, 0.05] }}\n"
    text += 'position = [0, 0, -0.025]\nmaterial = "BilliardTable"\n'
    for name, sizes, place in (
        ("xm", (0.05, width + 0.1), (-length / 2 - 0.025, 0)),
        ("xp", (0.05, width + 0.1), (length / 2 + 0.025, 0)),
        ("ym", (length, 0.05), (0, -width / 2 - 0.025)),
        ("yp", (length, 0.05), (0, width / 2 + 0.025)),
    ):
        text += f'[[body.shape]]\nname = "cushion_{name}"\n'
        text += f"box = {{ lengths = [{sizes[0]}, {sizes[1]}, 0.1] }}\n"
        text += f'position = [{place[0]}, {place[1]}, 0]\nmaterial = "BilliardCushion"\n'
    shape, pitch = f"sphere = {{ diameter = {d} }}", d + 1e-4
    cue = "velocity = [8, 0, 0]\n"
    text += body("cue", [-length / 4, 0.003, d / 2], shape, "BilliardBall", cue)
    rack = [(row, k) for row in range(5) for k in range(row + 1)]
    for i, (row, k) in enumerate(rack):
        place = [length / 4 + row * pitch * 3**0.5 / 2, (k - row / 2) * pitch, d / 2]
        text += body(f"b{i}", place, shape, "BilliardBall")
    return text


def bouncing_ball() -> str:
    """The ball of ball.h."""
    text = head(3.0, 0.01, 1e-8, 'preset = "modia3d-0.12"\nrestitution_rule = "threshold"')
    text += SOFT.replace("2.1e9", "2.1e11").replace("Soft", "Hard") + ground("Hard")
    return text + body("ball", [0, 0, 1.1], "sphere = { radius = 0.1 }", "Hard")


def oblique_impact(friction: str) -> str:
    """A spinning steel ball hits a plane at 3 m/s and 45 degrees and flies on."""
    text = head(0.2, 0.01, contact=f'friction = "{friction}"')
    thrown = "velocity = [2.1, 0, -2.1]\nangular_velocity = [5, -20, 3]\n"
    return text + ground() + body("ball", [0, 0, 0.15], "sphere = { radius = 0.1 }", more=thrown)


def cubes(count: int) -> str:
    """A stack of cubes of 0.1 m, each dropped by 0.3 mm, 5 s."""
    text = head(5.0, 0.1, contact='friction = "stick"') + ground()
    box = "box = { lengths = [0.1, 0.1, 0.1] }"
    places = ([0, 0, 0.05 + 0.1003 * i] for i in range(count))
    return text + "".join(body(f"c{i}", place, box) for i, place in enumerate(places))


def sliding_block() -> str:
    """A block slides to rest within 1 s."""
    box = "box = { lengths = [0.2, 0.1, 0.1] }"
    text = head(1.0, 0.01, contact='friction = "stick"\ninitial_overlap = "accept"') + ground()
    return text + body("block", [0, 0, 0.05], box, more="velocity = [1, 0, 0]\n")


def many_balls(count: int) -> str:
    """Balls on a grid 1 cm over the floor."""
    text, row = head(1.0, 0.01) + ground(), int(np.ceil(count**0.5))
    places = ([0.3 * (i % row), 0.3 * (i // row), 0.11] for i in range(count))
    shape = "sphere = { radius = 0.1 }"
    return text + "".join(body(f"b{i}", place, shape) for i, place in enumerate(places))


def falling_cube() -> str:
    """The cube of cube_drake.py."""
    box = "box = { lengths = [0.1, 0.1, 0.1] }"
    table = '[[body]]\nname = "table"\nmotion = "fixed"\nposition = [0, 0, -0.1]\n[[body.shape]]\n'
    table += 'box = { lengths = [1, 1, 0.2] }\nmaterial = "Steel"\n'
    turned = 'rotation = { axis = [0, 0, 1], angle = "0.3 rad" }\n'
    return head(1.0, 0.01) + table + body("cube", [0.1, 0.2, 0.1], box, more=turned)
