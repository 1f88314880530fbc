"""What is known of the eleven shapes without simulating them: writes reference.csv and rests.csv
beside this file.

Needs NumPy and SciPy. Shares no code with the FMU.

1. Start: each body is turned by its `rotation`, then placed so that its lowest point is 0.2 m over the
   plate. The lowest point is -h(-z) with the support function h of the solid, edges rounded by 1 mm;
   the heights printed are those in scene.toml. So all bodies land at sqrt(2 (0.2 m + 2 z_eps)/g).
2. Until then each falls freely: reference.csv.
3. At rest a body lies on a face, a line, a point or two points; its origin is as high as that is from
   it, less the penetration (m g/(n k))^(2/3) + 2 z_eps with n contacts: rests.csv. On which face a body
   comes to lie is taken from the run.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull, HalfspaceIntersection

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G, DROP, Z_EPS, EDGE = 9.81, 0.2, 1e-8, 1e-3  # m/s2, m, m, m
DENSITY, MODULUS, POISSON = 1100.0, 10e6, 0.4  # kg/m3, Pa, 1
PLATE_RADIUS = 0.05  # m: half the thickness of the plate, its contact sphere radius
STEP = 0.02  # s


def turn(axis, degrees):
    x, y, z = np.array(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def box(a, b, c):
    half = np.array([a, b, c]) / 2 - EDGE
    return lambda d: np.abs(d) @ half + EDGE


def cylinder(diameter, length):
    return lambda d: (diameter / 2 - EDGE) * np.hypot(*d[:2]) + (length / 2 - EDGE) * abs(d[2]) + EDGE


def cone(diameter, top, length):
    """Base circle about the origin. The core is EDGE inside base, top and lateral surface."""
    slope = (top - diameter) / 2 / length
    ends = []
    for z in (EDGE, length - EDGE):
        r = diameter / 2 + slope * z - EDGE * np.hypot(slope, 1)
        ends.append((z, r) if r > 0 else (z - r / slope, 0.0))
    return lambda d: max(r * np.hypot(*d[:2]) + z * d[2] for z, r in ends) + EDGE


def beam(length, width, thickness):
    """Length along z, width along x, thickness along y."""
    r = width / 2 - EDGE
    return lambda d: length / 2 * abs(d[2]) + r * np.hypot(d[0], d[2]) + (thickness / 2 - EDGE) * abs(d[1]) + EDGE


def hull(points):
    """The core is EDGE inside all faces."""
    faces = ConvexHull(points).equations
    faces[:, 3] += EDGE
    core = HalfspaceIntersection(faces, np.mean(points, axis=0)).intersections
    return lambda d: (core @ d).max() + EDGE


def face(points, *corners):
    """Distance of the origin from the face with these corners."""
    a, b, c = (np.array(points[i]) for i in corners)
    normal = np.cross(b - a, c - a)
    return abs(normal @ a) / np.linalg.norm(normal)


GEM = [
    (0.06, 0, 0.015), (-0.03, 0.052, 0.015), (-0.03, -0.052, 0.015),
    (0.06, 0, -0.015), (-0.03, 0.052, -0.015), (-0.03, -0.052, -0.015),
    (0, 0, 0.05), (0, 0, -0.05),
]  # fmt: skip
# The two boxes that the bracket is made of: lower and upper corner.
BRACKET = [((-0.045, -0.025, -0.03), (0.075, 0.025, 0)), ((-0.045, -0.025, -0.03), (-0.015, 0.025, 0.07))]


def bracket(d):
    boxes = ((np.add(lower, EDGE), np.subtract(upper, EDGE)) for lower, upper in BRACKET)
    return max(np.where(d > 0, upper, lower) @ d for lower, upper in boxes) + EDGE


def bell(d):
    return max(0.06 * abs(d[2]) + 0.045, 0.03 * abs(d[2]) + 0.015)


PI = np.pi
# Name, support function at a unit direction, axis and angle of the rotation, volume, contact sphere
# radius, flat, height of the origin at rest on a rigid plate, and what it rests on.
BODIES = [
    ("ball", lambda d: 0.05, (0, 0, 1), 0, PI / 6 * 0.1**3, 0.05, False, 0.05, "a point"),
    ("egg", lambda d: np.linalg.norm(np.array([0.08, 0.06, 0.05]) * d), (0, 1, 0), 6,
     PI / 6 * 0.16 * 0.12 * 0.1, 0.05, False, 0.05, "the end of its shortest axis"),
    ("crate", box(0.14, 0.1, 0.08), (1, 2, 0), 30, 0.14 * 0.1 * 0.08, 0.04, True, 0.04, "a largest face"),
    ("drum", cylinder(0.1, 0.12), (1, 0.3, 0), 60, PI / 4 * 0.1**2 * 0.12, 0.05, False, 0.05, "its side"),
    ("hat", cone(0.12, 0, 0.12), (1, 0.2, 0), 110, PI / 12 * 0.12**2 * 0.12, 0.03, False,
     0.06 * 0.12 / np.hypot(0.06, 0.12), "its side"),
    ("bucket", cone(0.12, 0.07, 0.1), (0.2, 1, 0), -50,
     PI / 12 * 0.1 * (0.12**2 + 0.12 * 0.07 + 0.07**2), 0.0475, False, 0.0, "its base"),
    ("pill", lambda d: 0.05 * abs(d[2]) + 0.04, (0.3, 1, 0), 25, PI / 4 * 0.08**2 * 0.1 + PI / 6 * 0.08**3,
     0.04, False, 0.04, "its side"),
    ("link", beam(0.1, 0.08, 0.05), (1, 1, 0), 40, 0.1 * 0.08 * 0.05 + PI / 4 * 0.08**2 * 0.05, 0.025, True,
     0.04, "a narrow face"),
    ("gem", hull(GEM), (1, 0.5, 0), 40, ConvexHull(GEM).volume, 0.045, True, face(GEM, 1, 2, 4), "a side face"),
    ("bracket", bracket, (0, 1, 0.3), 20, 0.05 * (0.12 * 0.03 + 0.03 * 0.07), 0.025, True, 0.03, "the long leg"),
    ("dumb_bell", bell, (1, 0, 0), 30, 2 * PI / 6 * 0.09**3 + PI / 4 * 0.03**2 * 0.06 + PI / 6 * 0.03**3,
     0.045, False, 0.045, "both balls"),
]  # fmt: skip


def penetration(volume, radius, flat, contacts):
    """Depth at rest; the plate is flat and made of the same material."""
    if flat:
        radius = radius * PLATE_RADIUS / (radius + PLATE_RADIUS)
    stiffness = 4 / 3 * np.sqrt(radius) * MODULUS / (2 * (1 - POISSON**2))
    return (DENSITY * volume * G / contacts / stiffness) ** (2 / 3) + 2 * Z_EPS


def main():
    impact = np.sqrt(2 * (DROP + 2 * Z_EPS) / G)
    print(f"impacts at {impact:.9f} s, {G * impact:.6f} m/s")
    starts, rests = [], []
    for name, support, axis, degrees, volume, radius, flat, rest, on in BODIES:
        # The direction down in the axes of the body.
        starts.append(DROP + support(turn(axis, degrees).T @ [0, 0, -1]))
        depth = penetration(volume, radius, flat, 2 if on == "both balls" else 1)
        rests.append((name, rest - depth))
        print(f"{name:10} start {starts[-1]:.9f} m  rest {rests[-1][1]:.9f} m on {on}, {depth * 1e6:.1f} um deep")
    names = [body[0] for body in BODIES]
    header = ["time", *(f"{n}.{column}[3]" for n in names for column in ("position", "velocity"))]
    falling = np.arange(int(impact / STEP) + 1) * STEP
    rows = [(t, *(v for z in starts for v in (z - G * t * t / 2, 0.0 - G * t))) for t in falling]
    write(header, rows, 12)
    write(["body", "position[3]"], rests, 12, "rests.csv")


if __name__ == "__main__":
    main()
