"""Independent solution of the stack of crates: writes reference.csv beside this file and prints the
numbers of statics for scene.toml, tower.toml and three_supports.toml.

Needs NumPy and SciPy. Shares no code with the FMU: the crates are masses on a line with a spring
between each two, integrated by DOP853; statics are linear systems. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parents[1]))
from shared import exact_damping, write  # noqa: E402

G, Z_EPS = 9.81, 1e-8  # m/s2, m
SIDE, HEIGHT, DENSITY = 0.3, 0.2, 250.0  # m, m, kg/m3
MASS = DENSITY * SIDE**2 * HEIGHT  # kg
FOUNDATION, RESTITUTION = 1e8, 0.3  # N/m3, 1
COUNT, DROP = 10, 0.02  # crates, the last of them falls that far [m]
STOP, STEP = 0.5, 0.0025  # s


def force(depth):
    """Elastic force [N] of a square face that is this deep: the energy is the volume under the
    distance to the nearest face of the overlap, a slab of SIDE x SIDE x depth, times 2 K."""
    side = SIDE - 2 * Z_EPS
    return FOUNDATION * (side**2 * depth - side * depth**2 + depth**3 / 3)


def energy(depth):
    side = SIDE - 2 * Z_EPS
    return FOUNDATION * (side**2 * depth**2 / 2 - side * depth**3 / 3 + depth**4 / 12)


def depth_under(load):
    return brentq(lambda depth: force(depth) - load, 0.0, 1e-2, xtol=1e-18, rtol=1e-14)


U = exact_damping(RESTITUTION)


def damping_factor(stored, v):
    """1 + d v of the impact that comes by at the depth rate v with this elastic energy/mass [m2/s2].

    v0 follows from integral of w/(1 + d w) dw from v to v0 = stored with d = U/v0; with x = ln(1 + d v)
    that is stored (e^x - 1)^2/v^2 + e^x - 1 - x = U - ln(1 + U), x of the sign of v.
    """
    if v == 0.0:
        return 1.0
    size = stored + v * v
    right = U - np.log1p(U)

    def excess(x):
        return (stored * np.expm1(x) ** 2 + v * v * (np.expm1(x) - x - right)) / size

    return np.exp(brentq(excess, 0.0, np.log1p(U) if v > 0 else -right - 2, xtol=1e-15, rtol=1e-14))


def contact(depth, rate, mass):
    """Force [N] of an interface whose effective mass is that."""
    return force(depth) * damping_factor(energy(depth) / mass, rate) if depth > 0 else 0.0


def rates(_, y):
    z, v = y[:COUNT], y[COUNT:]
    a = np.full(COUNT, -G)
    for i in range(COUNT):
        below, below_rate = (z[i - 1] + HEIGHT / 2, v[i - 1]) if i else (0.0, 0.0)
        f = contact(below - (z[i] - HEIGHT / 2) - 2 * Z_EPS, below_rate - v[i], MASS / 2 if i else MASS)
        a[i] += f / MASS
        if i:
            a[i - 1] -= f / MASS
    return np.concatenate([v, a])


def heights(count):
    """Heights of the centres of so many crates at rest on each other."""
    z, top = [], 0.0
    for i in range(count):
        z.append(top - depth_under((count - i) * MASS * G) - 2 * Z_EPS + HEIGHT / 2)
        top = z[-1] + HEIGHT / 2
    return np.array(z)


def frequencies(count):
    """Frequencies [Hz] of the vertical modes of a stack at rest."""
    h = 1e-9
    k = [(force(d + h) - force(d - h)) / (2 * h) for d in (depth_under((count - i) * MASS * G) for i in range(count))]
    matrix = np.diag(np.array(k) + np.array([*k[1:], 0.0])) - np.diag(k[1:], 1) - np.diag(k[1:], -1)
    return np.sqrt(np.linalg.eigvalsh(matrix / MASS)) / (2 * np.pi)


def tower_limit(above):
    """Largest offset [m] of the upper crates, so many together, that has an equilibrium: on a rigid
    face half the side; on a foundation a tilt t by moment N e, e = s + H t, of a face that bears
    over c = 3 (SIDE/2 - e) with t = 2 N/(K L c^2); the largest s over e."""
    half, high, load = SIDE / 2, above * HEIGHT / 2, above * MASS * G
    bears = (4 * load * high / (9 * FOUNDATION * SIDE)) ** (1 / 3)
    tilt = 2 * load / (9 * FOUNDATION * SIDE * bears**2)
    return half - bears - high * tilt


def three_supports():
    """Forces [N] of three supports on a slab, all free on a floor, and where the slab ends.

    Each body moves by w and turns by (p, q): a point (x, y) of it goes up by w + p (y - yc) - q (x - xc).
    Interfaces are rectangles with the pressure K times depth: linear. Largest depth 20 um of 0.3 m, so
    tilt and shape of the overlap change forces by 1e-4 of them.
    """
    support, slab = (0.1, 0.1, 0.1), (0.6, 0.5, 0.1)  # m
    places = np.array([[-0.2, -0.15], [0.22, -0.1], [0.05, 0.17]])  # m, of supports; the slab's centre is at 0, 0
    centres = np.vstack([places, [[0.0, 0.0]]])
    masses = DENSITY * np.array([np.prod(support)] * 3 + [np.prod(slab)])
    matrix, load = np.zeros((12, 12)), np.zeros(12)

    def row(body, x, y):
        """Derivatives of the height of body's point (x, y) by the twelve unknowns."""
        out = np.zeros(12)
        out[3 * body : 3 * body + 3] = 1.0, y - centres[body][1], -(x - centres[body][0])
        return out

    nodes = np.array([-1, 1]) / np.sqrt(3) * support[0] / 2  # Gauss, exact for what is quadratic
    area = support[0] * support[1] / 4
    for i in range(3):
        for x in places[i][0] + nodes:
            for y in places[i][1] + nodes:
                floor = -row(i, x, y)
                between = row(i, x, y) - row(3, x, y)
                matrix += FOUNDATION * area * (np.outer(floor, floor) + np.outer(between, between))
        load[3 * i] = -masses[i] * G
    load[9] = -masses[3] * G
    found = np.linalg.solve(matrix, load)
    forces = [
        sum(FOUNDATION * area * (row(i, x, y) - row(3, x, y)) @ found for x in places[i][0] + nodes for y in places[i][1] + nodes)
        for i in range(3)
    ]
    rigid = np.linalg.solve(np.vstack([np.ones(3), places.T]), [masses[3] * G, 0, 0])
    return forces, rigid, found


def main():
    start = heights(COUNT - 1)
    above = start[-1] + HEIGHT + DROP
    print("start", " ".join(f"{z:.12f}" for z in [*start, above]))
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    impact = np.sqrt(2 * (DROP + 2 * Z_EPS) / G)
    print(f"impact {impact:.9f} s {G * impact:.9f} m/s")
    rest = np.concatenate([start, np.zeros(COUNT)])
    rest[COUNT - 1] = above
    y0 = np.concatenate([start, [above - G * impact**2 / 2], np.zeros(COUNT - 1), [-G * impact]])
    solution = solve_ivp(
        rates, (impact, STOP), y0, "DOP853", rtol=1e-10, atol=1e-13, first_step=1e-7, max_step=5e-4, dense_output=True
    )
    rows = []
    for t in grid:
        if t < impact:
            y = np.concatenate([start, [above - G * t**2 / 2], np.zeros(COUNT - 1), [-G * t]])
        else:
            y = solution.sol(t)
        rows.append([t, *y])
    bodies = [f"crate_{i + 1}" for i in range(COUNT)]
    write(["time"] + [f"{b}.position[3]" for b in bodies] + [f"{b}.velocity[3]" for b in bodies], rows, 13)
    ends = heights(COUNT)
    print("final", " ".join(f"{z:.9f}" for z in solution.y[:COUNT, -1]), f"speed {abs(solution.y[COUNT:, -1]).max():.1e}")
    print("rest ", " ".join(f"{z:.12f}" for z in ends))
    print("depths [um]", " ".join(f"{1e6 * depth_under((COUNT - i) * MASS * G):.5f}" for i in range(COUNT)))
    print("W/(K A) [um]", " ".join(f"{1e6 * (COUNT - i) * MASS * G / (FOUNDATION * SIDE**2):.5f}" for i in range(COUNT)))
    print("frequencies [Hz]", " ".join(f"{f:.4f}" for f in frequencies(COUNT)))
    print("calls", solution.nfev)
    print("limits of the offset of 1, 2, 3 crates [m]", [f"{tower_limit(n):.5f}" for n in (1, 2, 3)])
    forces, rigid, found = three_supports()
    print("three supports [N]", [f"{f:.6f}" for f in forces], "rigid", [f"{f:.6f}" for f in rigid], "sum", f"{sum(forces):.6f}")
    print("slab: down by", f"{-found[9]:.9f}", "m, turned by", [f"{a:.6e}" for a in found[10:]], "supports down by", -found[[0, 3, 6]])


if __name__ == "__main__":
    main()
