"""Independent solution of the dominoes: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: rectangles in the plane, the pressure on the lines
where the fields of two of them are equal, all pairs at once; explicit integration (DOP853) with small
steps. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import DOP853
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parents[1]))
from shared import damping_coefficient, exact_damping, write  # noqa: E402

G, Z_EPS = 9.81, 1e-8  # m/s2, m
COUNT, THICK, HIGH, DEPTH, PITCH = 10, 7.5e-3, 48e-3, 24e-3, 34e-3  # 1, m
DENSITY, FOUNDATION, RESTITUTION, MU, V_SMALL = 1000.0, 2e9, 0.5, 0.3, 1e-2  # kg/m3, N/m3, 1, 1, m/s
LEAST = 0.05  # 1, of what moves a contact along its normal, where friction takes it away
PUSH = 8.0  # rad/s, of the first about its lower edge
STOP = 0.47  # s
MASS = DENSITY * THICK * HIGH * DEPTH
INERTIA = MASS * (THICK**2 + HIGH**2) / 12
K2 = 2 * FOUNDATION


def regularized(speed):
    return np.where(speed >= V_SMALL, speed, speed**2 / V_SMALL * (1 - speed / (3 * V_SMALL)) + V_SMALL / 3)


U = exact_damping(RESTITUTION)


# Pairs: each domino with the floor, each with the next. Body COUNT is the floor.
FIRST = np.array([*range(COUNT), *range(COUNT - 1)])
SECOND = np.array([*[COUNT] * COUNT, *range(1, COUNT)])
# Faces 0..3 of the first body, 4..7 of the second; lines between two faces, those of both bodies first.
LINES = [(i, j) for i in range(4) for j in range(4, 8)]
LINES += [(i, j) for k in (0, 4) for i in range(k, k + 4) for j in range(i + 1, k + 4)]
LEFT, OTHER = (np.array(x) for x in zip(*LINES))
REST_OF = np.array([[m for m in range(8) if m not in line] for line in LINES])
NODES, WEIGHTS = np.polynomial.legendre.leggauss(3)
FAR = 10.0  # m, the other faces of the floor


def fields(y):
    """Value at the pair's origin (the first body's centre) and gradient of the pressure of all eight faces."""
    x, z, a = y[0:COUNT], y[COUNT : 2 * COUNT], y[2 * COUNT : 3 * COUNT]
    c, s = np.cos(a), np.sin(a)
    normals = np.empty((COUNT + 1, 4, 2))
    offsets = np.empty((COUNT + 1, 4))  # n.x <= offset, world
    # An angle turns z towards x.
    for f, (nx, nz, o) in enumerate(((s, c, HIGH / 2), (-s, -c, HIGH / 2), (c, -s, THICK / 2), (-c, s, THICK / 2))):
        normals[:COUNT, f, 0], normals[:COUNT, f, 1] = nx, nz
        offsets[:COUNT, f] = o - Z_EPS + nx * x + nz * z
    normals[COUNT] = [[0, 1], [0, -1], [1, 0], [-1, 0]]
    offsets[COUNT] = [-Z_EPS, FAR, FAR, FAR]
    centres = np.column_stack([np.append(x, 0), np.append(z, 0)])
    both = np.concatenate([normals[FIRST], normals[SECOND]], axis=1)
    off = np.concatenate([offsets[FIRST], offsets[SECOND]], axis=1)
    origin = centres[FIRST]
    return K2 * (off - np.einsum("pfd,pd->pf", both, origin)), -K2 * both, centres


def near(y):
    """Pairs whose boxes can overlap."""
    x, z, a = y[0:COUNT], y[COUNT : 2 * COUNT], y[2 * COUNT : 3 * COUNT]
    c, s = np.abs(np.cos(a)), np.abs(np.sin(a))
    low = z - (c * HIGH + s * THICK) / 2
    reach = (s * HIGH + c * THICK) / 2
    return np.concatenate([low < 0, x[1:] - x[:-1] < reach[1:] + reach[:-1]])


def rates(y, masses, aside):
    """Accelerations by all pairs, and the stored energies of the pairs [J].

    masses and aside: what each contact keeps from its start, see moved().
    """
    value, slope, centres = fields(y)
    pairs = np.flatnonzero(near(y))
    value, slope = value[pairs], slope[pairs]
    first, second = FIRST[pairs], SECOND[pairs]
    gap, along = value[:, LEFT] - value[:, OTHER], slope[:, LEFT] - slope[:, OTHER]
    size2 = np.einsum("pld,pld->pl", along, along)
    fine = size2 > 1e-20 * K2**2
    size2 = np.where(fine, size2, 1.0)
    size = np.sqrt(size2)
    point = -(gap / size2)[..., None] * along
    direction = np.stack([-along[..., 1], along[..., 0]], axis=-1) / size[..., None]
    # Clip by l_m - l >= 0 of all other faces and by l >= 0.
    own = slope[:, LEFT]
    base = value[:, LEFT] + np.einsum("pld,pld->pl", own, point)
    tilt = np.einsum("pld,pld->pl", own, direction)
    others = slope[:, REST_OF]
    a = value[:, REST_OF] + np.einsum("plmd,pld->plm", others, point) - base[..., None]
    b = np.einsum("plmd,pld->plm", others, direction) - tilt[..., None]
    a = np.concatenate([a, base[..., None]], axis=-1)
    b = np.concatenate([b, tilt[..., None]], axis=-1)
    flat = np.abs(b) < 1e-13 * K2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = -a / b
    low = np.where(flat, np.where(a < 0, FAR, -FAR), np.where(b > 0, t, -FAR)).max(axis=-1)
    high = np.where(flat, FAR, np.where(b < 0, t, FAR)).min(axis=-1)
    p, l = np.nonzero((high > low) & fine)
    stored_all = np.zeros(len(FIRST))
    velocity = y[3 * COUNT :]
    out = np.zeros(3 * (COUNT + 1))
    if len(p):
        half = (high[p, l] - low[p, l]) / 2
        s = (high[p, l] + low[p, l])[:, None] / 2 + half[:, None] * NODES
        r = point[p, l][:, None] + s[..., None] * direction[p, l][:, None]  # from the first's centre
        pressure = base[p, l][:, None] + tilt[p, l][:, None] * s
        w = WEIGHTS * half[:, None] * DEPTH
        stored = np.zeros(len(pairs))
        np.add.at(stored, p, (pressure**2 * w).sum(axis=1) / 2 * size[p, l] / K2**2)
        # Patch lines: a face of each.
        patch = l < 16
        p, r, pressure, w = p[patch], r[patch], pressure[patch], w[patch]
        n = along[p, l[patch]] / size[p, l[patch]][:, None]  # force on the first
        vel = np.vstack([velocity.reshape(3, COUNT).T, np.zeros(3)])
        one, two = first[p], second[p]
        r2 = r + (centres[one] - centres[two])[:, None]
        v1 = np.stack([vel[one, 0, None] + vel[one, 2, None] * r[..., 1], vel[one, 1, None] - vel[one, 2, None] * r[..., 0]], axis=-1)
        v2 = np.stack([vel[two, 0, None] + vel[two, 2, None] * r2[..., 1], vel[two, 1, None] - vel[two, 2, None] * r2[..., 0]], axis=-1)
        v = v1 - v2
        # Along the whole elastic force N of a pair: its mean speed of compression is power over force.
        elastic = np.zeros((len(pairs), 2))
        np.add.at(elastic, p, (pressure * w).sum(axis=1)[:, None] * n)
        power = np.zeros(len(pairs))
        np.add.at(power, p, -(pressure * w * np.einsum("qnd,qd->qn", v, n)).sum(axis=1))
        load = np.hypot(elastic[:, 0], elastic[:, 1])
        # Friction per normal force on the first at the centre of pressure, and the mass that the normal force finds with it.
        middle = np.zeros((len(pairs), 2))
        np.add.at(middle, p, ((pressure * w)[..., None] * v).sum(axis=1))
        amount = np.zeros(len(pairs))
        np.add.at(amount, p, (pressure * w).sum(axis=1))
        d = np.zeros(len(pairs))
        for k in np.unique(p):
            if load[k] > 0 and stored[k] > 0:
                e = np.array([-elastic[k, 1], elastic[k, 0]]) / load[k]
                slide = middle[k] @ e / amount[k]
                rubbing = -MU * slide / regularized(abs(slide)) * e
                moves = max(LEAST, 1 + aside[pairs[k]] @ rubbing)
                d[k] = damping_coefficient(stored[k] * moves / masses[pairs[k]], power[k] / load[k], U, 1e-13)
        whole = (elastic / np.where(load > 0, load, 1.0)[:, None])[p]
        closing = -np.einsum("qnd,qd->qn", v, whole)
        share = np.maximum(0.0, np.einsum("qd,qd->q", n, whole))[:, None]
        damped = pressure * w * share * (np.maximum(0.0, 1 + d[p][:, None] * closing) - 1)
        # Friction across N, of the part of the pressure along N.
        across, normal = whole, pressure * w * share + damped
        tangent = np.stack([-across[:, 1], across[:, 0]], axis=-1)
        slip = np.einsum("qnd,qd->qn", v, tangent)
        speed = np.abs(slip)
        reg = regularized(speed)
        force = (pressure * w)[..., None] * n[:, None] + damped[..., None] * whole[:, None]
        force = force - (MU * normal * slip / reg)[..., None] * tangent[:, None]
        for body, arm, sign in ((one, r, 1.0), (two, r2, -1.0)):
            np.add.at(out, 3 * body, sign * force[..., 0].sum(axis=1))
            np.add.at(out, 3 * body + 1, sign * force[..., 1].sum(axis=1))
            np.add.at(out, 3 * body + 2, sign * (arm[..., 1] * force[..., 0] - arm[..., 0] * force[..., 1]).sum(axis=1))
        stored_all[pairs] = stored
    forces = out.reshape(-1, 3)[:COUNT].T
    return np.concatenate([velocity, forces[0] / MASS, forces[1] / MASS - G, forces[2] / INERTIA]), stored_all


def moved(n, arms):
    """Effective mass m along n of dominoes that are pushed at these arms from their centres, and the motion across n.

    A force n moves the first against the second by (n + aside)/m.
    """
    motion = 0.0
    for arm in arms:
        # An angle turns z towards x.
        turn = (arm[1] * n[0] - arm[0] * n[1]) / INERTIA
        motion = motion + n / MASS + turn * np.array([arm[1], -arm[0]])
    return 1 / (motion @ n), motion / (motion @ n) - n


def touch(y, i):
    """Distance of the upper right edge of domino i to the face of the next one, and moved() there."""
    x, z, a = y[0:COUNT], y[COUNT : 2 * COUNT], y[2 * COUNT : 3 * COUNT]
    corner = np.array([x[i] + np.sin(a[i]) * HIGH / 2 + np.cos(a[i]) * THICK / 2, z[i] + np.cos(a[i]) * HIGH / 2 - np.sin(a[i]) * THICK / 2])
    n = np.array([-np.cos(a[i + 1]), np.sin(a[i + 1])])  # out of the left face of the next one
    gap = n @ (corner - [x[i + 1], z[i + 1]]) - THICK / 2
    return gap, *moved(n, [corner - [x[j], z[j]] for j in (i, i + 1)])


def above(y):
    """Dominoes above the floor, and moved() of each at its lowest edge."""
    found = []
    for i, (z, a) in enumerate(zip(y[COUNT : 2 * COUNT], y[2 * COUNT : 3 * COUNT])):
        c, s = np.cos(a), np.sin(a)
        low = (abs(c) * HIGH + abs(s) * THICK) / 2
        if z > low:
            # Of an edge at the angle a; where the base lies flat, in its middle.
            arm = 0.0 if abs(s) < 1e-9 else THICK / 2 * c * np.sign(s) - HIGH / 2 * s
            found.append((i, *moved(np.array([0.0, 1.0]), [np.array([arm, -low])])))
    return found


def solve(rtol):
    """Times [s] at which each domino reaches the next one, and the number of evaluations."""
    depth = G * DENSITY * HIGH / FOUNDATION + 2 * Z_EPS
    y = np.zeros(6 * COUNT)
    y[:COUNT] = PITCH * np.arange(COUNT)
    y[COUNT : 2 * COUNT] = HIGH / 2 - depth
    # Domino 1 turns about its lower right edge.
    y[3 * COUNT], y[4 * COUNT], y[5 * COUNT] = PUSH * HIGH / 2, PUSH * THICK / 2, PUSH
    masses, aside = np.full(len(FIRST), MASS), np.zeros((len(FIRST), 2))
    hits = np.full(COUNT - 1, np.nan)
    solver = DOP853(lambda _, y: rates(y, masses, aside)[0], 0.0, y, STOP, rtol=rtol, atol=rtol * 1e-3, first_step=1e-7, max_step=2e-4)
    while solver.status == "running":
        solver.step()
        y, t = solver.y, solver.t
        for i in range(COUNT - 1):
            gap, mass, across = touch(y, i)
            if np.isnan(hits[i]) and gap < -2 * Z_EPS:
                dense = solver.dense_output()
                hits[i] = brentq(lambda s: touch(dense(s), i)[0] + 2 * Z_EPS, solver.t_old, t, xtol=1e-12)
            # Both are those of the start of a contact.
            if gap > 0:
                masses[COUNT + i], aside[COUNT + i] = mass, across
        for i, mass, across in above(y):
            masses[i], aside[i] = mass, across
    return hits, solver.nfev


def main():
    rtol = float(sys.argv[1]) if len(sys.argv) > 1 else 1e-8
    hits, calls = solve(rtol)
    for i, t in enumerate(hits):
        print(f"domino {i + 1} reaches the next at {t:.7f} s" + (f", {PITCH / (t - hits[i - 1]):.6f} m/s" if i else ""))
    print(f"speed from 6 to 9: {3 * PITCH / (hits[8] - hits[5]):.6f} m/s; calls {calls}")
    write(["domino", "reaches_the_next_at"], enumerate(hits, 1), 9)


if __name__ == "__main__":
    main()
