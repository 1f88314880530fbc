"""Independent solution of peg and hole: writes reference.csv beside this file, prints the formulas' numbers.

Needs NumPy and SciPy. Shares no code with the FMU. Everything happens in the plane of x and z, where the
peg is a rectangle and each side of the hole a pentagon, both with round edges. Two coordinates, contact by
the distance of polygons, integration by LSODA. Beside it Whitney's quasi-static formulas, for rigid
bodies and small angles. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

ERROR, SPEED, ABOVE = (
    1e-3,
    0.005,
    0.05,
)  # m, m/s, m: of the hand, and height of the centre of compliance over the tip
K_X, C_X, K_T, C_T = 1e4, 10.0, 20.0, 0.01  # N/m, N.s/m, N.m/rad, N.m.s/rad
RADIUS, LENGTH, DENSITY, WRIST = 0.01, 0.06, 8000.0, 0.1  # m, m, kg/m3, kg
HOLE, CHAMFER, OUTER, DEPTH, EDGE = 0.01005, 0.002, 0.03, 0.04, 5e-4  # m
STIFFNESS, DAMPING, MU, V_SMALL, Z_EPS = 2e7, 800.0, 0.2, 5e-5, 1e-8  # N/m, s/m, 1, m/s, m
STOP, STEP = 6.0, 0.01  # s

MASS = np.pi * RADIUS**2 * LENGTH * DENSITY
CENTRE = LENGTH / 2 - ABOVE  # m, of mass, along the peg from the centre of compliance
INERTIA = MASS * (RADIUS**2 / 4 + LENGTH**2 / 12)


def inset(polygon, by):
    """Corners of a convex polygon, counter-clockwise, whose sides are moved inwards."""
    corners = np.array(polygon, float)
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.linalg.norm(along, axis=1)[:, None]
    normal = np.column_stack([along[:, 1], -along[:, 0]])
    level = np.einsum("ij,ij->i", normal, corners) - by
    return np.array(
        [
            np.linalg.solve([normal[i - 1], normal[i]], [level[i - 1], level[i]])
            for i in range(len(corners))
        ]
    )


SIDE = [(HOLE, -DEPTH), (OUTER, -DEPTH), (OUTER, 0), (HOLE + CHAMFER, 0), (HOLE, -CHAMFER)]
SIDES = [inset(SIDE, EDGE), inset([(-x, z) for x, z in SIDE[::-1]], EDGE)]
PEG = inset(
    [(-RADIUS, -ABOVE), (RADIUS, -ABOVE), (RADIUS, LENGTH - ABOVE), (-RADIUS, LENGTH - ABOVE)], EDGE
)


def corner_to_polygon(corners, polygon):
    """Nearest points of a set of corners and the sides of a polygon."""
    start, along = polygon, np.roll(polygon, -1, axis=0) - polygon
    way = ((corners[:, None] - start) * along).sum(-1) / (along**2).sum(-1)
    foot = start + np.clip(way, 0, 1)[..., None] * along
    apart = ((corners[:, None] - foot) ** 2).sum(-1)
    i, j = np.unravel_index(np.argmin(apart), apart.shape)
    return corners[i], foot[i, j]


def contacts(t, q):
    """Force on the peg and point where it acts, for each side; q = (way, angle) and their rates."""
    way, angle, speed, rate = q
    c, s = np.cos(angle), np.sin(angle)
    origin = np.array([ERROR + way, ABOVE - SPEED * t])
    peg = origin + PEG @ np.array([[c, -s], [s, c]])
    for side in SIDES:
        pairs = [corner_to_polygon(peg, side), corner_to_polygon(side, peg)[::-1]]
        on_peg, on_side = min(pairs, key=lambda pair: np.linalg.norm(pair[0] - pair[1]))
        apart = on_peg - on_side
        distance = np.linalg.norm(apart)
        normal = apart / distance
        depth = 2 * EDGE - distance - 2 * Z_EPS
        if depth <= 0:
            yield np.zeros(2), on_peg
            continue
        point = (on_peg + on_side) / 2  # the round edges have one radius
        arm = point - origin
        velocity = np.array([speed + rate * arm[1], -SPEED - rate * arm[0]])
        force = max(0.0, STIFFNESS * depth * (1 - DAMPING * (velocity @ normal)))
        slip = velocity - (velocity @ normal) * normal
        size = np.hypot(*slip)
        regular = (
            size if size > V_SMALL else size**2 / V_SMALL * (1 - size / (3 * V_SMALL)) + V_SMALL / 3
        )
        yield force * (normal - MU * slip / regular), point


def rates(t, q):
    way, angle, speed, rate = q
    c, s = np.cos(angle), np.sin(angle)
    push = -K_X * way - C_X * speed + MASS * CENTRE * s * rate**2
    torque = -K_T * angle - C_T * rate
    for force, point in contacts(t, q):
        arm = point - (ERROR + way, ABOVE - SPEED * t)
        push += force[0]
        torque += arm[1] * force[0] - arm[0] * force[1]
    matrix = [[WRIST + MASS, MASS * CENTRE * c], [MASS * CENTRE * c, INERTIA + MASS * CENTRE**2]]
    return np.array([speed, rate, *np.linalg.solve(matrix, [push, torque])])


def formulas(z):
    """Whitney's quasi-static equations with the tip at the height z: phase, way [m], angle [rad] and force of
    insertion [N]. Rigid bodies, small angles; the round edges move the contact points by part of their radius."""
    play = HOLE - RADIUS
    tip = ABOVE - EDGE  # m, from the centre of compliance down to the middle of the edge at the tip
    rim = (
        ABOVE + z + CHAMFER + EDGE * np.tan(np.pi / 8)
    )  # likewise to the rim, between chamfer and wall
    # The edge meets the chamfer of 45 deg where its arc has that slope.
    below = ERROR + RADIUS - EDGE + (np.sqrt(2) - 1) * EDGE - HOLE - CHAMFER - z  # m, since then
    if below <= 0:
        return "free", 0.0, 0.0, 0.0
    side, up = (1 - MU) / np.sqrt(2), (1 + MU) / np.sqrt(2)  # of a unit of the normal force
    moment = side * (tip + EDGE / np.sqrt(2)) - up * (RADIUS - EDGE + EDGE / np.sqrt(2))
    normal = below / (side / K_X + (tip - RADIUS + EDGE) * moment / K_T)
    way, angle = -side * normal / K_X, moment * normal / K_T
    if ERROR + way - tip * angle > play:
        return "chamfer", way, angle, up * normal
    # One point: the rim presses on the side of the peg.
    moment = rim - MU * RADIUS
    normal = (ERROR - play) / (1 / K_X + rim * moment / K_T)
    way, angle = -normal / K_X, normal * moment / K_T
    if angle * (tip - rim) <= 2 * play:
        return "one point", way, angle, (MU + angle) * normal
    # Two points: geometry gives way and angle, balance of side forces and moments gives the forces.
    angle = 2 * play / (tip - rim)
    way = play + angle * rim - ERROR
    one, two = np.linalg.solve([[1, -1], [moment, MU * RADIUS - tip]], [-K_X * way, K_T * angle])
    return "two points", way, angle, (MU + angle) * one + MU * two


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    solution = solve_ivp(
        rates,
        (0, STOP),
        np.zeros(4),
        "LSODA",
        t_eval=grid,
        rtol=1e-9,
        atol=[1e-13, 1e-12, 1e-10, 1e-9],
        max_step=2e-3,
    )
    rows = []
    for t, q in zip(grid, solution.y.T):
        force = sum(f for f, _ in contacts(t, q))
        rows.append((t, q[0], q[1], *force))
    write([
            "time",
            "slide.displacement",
            "tilt.angle",
            "peg.contact_force[1]",
            "peg.contact_force[3]",
        ], rows, 12)
    print(
        "tip [mm]             way [mm]            angle [mrad]       force of insertion [N]: formula, equations of motion"
    )
    for z in (-1.5, -1.8, -5, -8, -11, -13, -15, -20, -25, -30):
        phase, way, angle, force = formulas(z * 1e-3)
        row = rows[round(-z * 1e-3 / SPEED / STEP)]
        numbers = (1e3 * way, 1e3 * row[1], 1e3 * angle, 1e3 * row[2], force, row[4])
        print(f"{z:6}  {phase:10}", " ".join(f"{number:9.5f}" for number in numbers))


if __name__ == "__main__":
    main()
