"""Independent solution of the four cubes: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: distance of two rounded cubes from all pairs of
corners, faces and edges of the cubes inside them, explicit integration (DOP853) from event to
event. Equations and symbols: README.md.
"""

from itertools import combinations, product
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import leg, write  # noqa: E402

MASS, INERTIA = 1.0, 0.133333  # kg, kg.m2
EDGE, ROUNDING = 0.894427, 0.05  # m
STIFFNESS, Z_EPS = 1e6, 1e-8  # N/m, m
STOP, STEP = 2.0, 0.01  # s
CORE = EDGE / 2 - ROUNDING  # half edge of the cube that a sphere of radius ROUNDING sweeps

# Position, velocity [m/s], axis and angle [deg], angular velocity in body axes [rad/s].
STARTS = [
    ([-2.0, 0.1, 0.05], [1.6, 0, 0], [1, 2, 3], 50, [0.3, 0.5, -0.2]),
    ([2.0, -0.1, -0.05], [-1.4, 0, 0], [3, -1, 2], 70, [-0.4, 0.2, 0.6]),
    ([0.1, 1.45, 0.1], [0, 0, 0], [2, 1, -1], 35, [0, 0, 0]),
    ([-0.1, -1.45, -0.1], [0, 0.3, 0], [-1, 3, 1], 60, [0, 0, 0]),
]
PAIRS = list(combinations(range(4), 2))

CORNERS = CORE * np.array(list(product((-1, 1), repeat=3)), float)
EDGES = [(i, j) for i, j in combinations(range(8), 2) if np.sum(CORNERS[i] != CORNERS[j]) == 1]
FROM, TO = (np.array([edge[k] for edge in EDGES]) for k in (0, 1))


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def nearest(pa, ra, pb, rb):
    """Nearest points of two cubes of half edge CORE that stand apart, at poses (p, R): it is a corner
    and a point of the other cube, or a point on an edge of either.
    """
    a, b = pa + CORNERS @ ra.T, pb + CORNERS @ rb.T
    on_a = pa + np.clip((b - pa) @ ra, -CORE, CORE) @ ra.T
    on_b = pb + np.clip((a - pb) @ rb, -CORE, CORE) @ rb.T
    # Edges a + s u and b + t v with s, t in 0..1: the inner minimum, then t and s cut in turn.
    start_a, u = a[FROM][:, None], (a[TO] - a[FROM])[:, None]
    start_b, v = b[FROM][None], (b[TO] - b[FROM])[None]
    r = start_a - start_b
    uu, vv, uv = (u * u).sum(-1), (v * v).sum(-1), (u * v).sum(-1)
    ur, vr = (u * r).sum(-1), (v * r).sum(-1)
    determinant = uu * vv - uv * uv
    parallel = determinant < 1e-12 * uu * vv
    s = np.where(parallel, 0, np.clip((uv * vr - ur * vv) / np.where(parallel, 1, determinant), 0, 1))
    t = np.clip((uv * s + vr) / vv, 0, 1)
    s = np.clip((uv * t - ur) / uu, 0, 1)
    first = np.concatenate([on_a, a, (start_a + s[..., None] * u).reshape(-1, 3)])
    second = np.concatenate([b, on_b, (start_b + t[..., None] * v).reshape(-1, 3)])
    best = np.argmin(((second - first) ** 2).sum(1))
    return first[best], second[best]


def gap_of(y, pair):
    """Gap, contact point and normal of a pair; far apart a lower bound of the gap alone."""
    a, b = y[pair[0]], y[pair[1]]
    bound = np.linalg.norm(b[:3] - a[:3]) - np.sqrt(3) * EDGE
    if bound > 0.01:
        return bound, None, None
    p, q = nearest(a[:3], rotation(a[6:10]), b[:3], rotation(b[6:10]))
    length = np.linalg.norm(q - p)
    assert length > ROUNDING, "too deep: the cubes inside come near each other"
    return length - 2 * ROUNDING, (p + q) / 2, (q - p) / length


def rates(y, touching):
    """y = position, velocity, quaternion, angular velocity in world axes, for each cube."""
    y = y.reshape(4, 13)
    dy = np.zeros_like(y)
    for body, rate in zip(y, dy):
        w, (qw, q) = body[10:], (body[6], body[7:10])
        rate[:3] = body[3:6]
        rate[6], rate[7:10] = -w @ q / 2, (qw * w + np.cross(w, q)) / 2
    for i, pair in enumerate(PAIRS):
        if touching[i]:
            gap, point, normal = gap_of(y, pair)
            force = STIFFNESS * max(0.0, -gap - 2 * Z_EPS) * normal
            for k, sign in ((pair[0], -1), (pair[1], 1)):
                dy[k, 3:6] += sign * force / MASS
                dy[k, 10:] += sign * np.cross(point - y[k, :3], force) / INERTIA
    return dy.ravel()


def start():
    y = np.empty((4, 13))
    for row, (position, velocity, axis, angle, spin) in zip(y, STARTS):
        half = np.deg2rad(angle) / 2
        row[:3], row[3:6] = position, velocity
        row[6], row[7:10] = np.cos(half), np.sin(half) * np.array(axis) / np.linalg.norm(axis)
        row[10:] = rotation(row[6:10]) @ spin
    return y.ravel()


def kept(y):
    """Momentum, angular momentum about the origin, and kinetic energy."""
    y = y.reshape(4, 13)
    orbit = np.cross(y[:, :3], MASS * y[:, 3:6])
    energy = (MASS * (y[:, 3:6] ** 2).sum() + INERTIA * (y[:, 10:] ** 2).sum()) / 2
    return MASS * y[:, 3:6].sum(0), (orbit + INERTIA * y[:, 10:]).sum(0), energy


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 52))
    t, y, touching = 0.0, start(), np.zeros(len(PAIRS), bool)
    print("at start", *kept(y))
    while True:

        def event_of(i):
            def event(_, y):
                gap, _, _ = gap_of(y.reshape(4, 13), PAIRS[i])
                return gap if touching[i] else gap + 2 * Z_EPS

            event.terminal, event.direction = True, 1 if touching[i] else -1
            return event

        solution = leg(
            lambda _, y: rates(y, touching), (t, STOP), y, grid, rows,
            rtol=1e-12, atol=1e-13, max_step=1e-3, events=[event_of(i) for i in range(len(PAIRS))]
        )
        t, y = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            break
        for i, (a, b) in enumerate(PAIRS):
            if len(solution.t_events[i]):
                touching[i] = not touching[i]
                word = "start" if touching[i] else "end"
                print(f"{word:5}  {t:.9f} s  cubes {a + 1} and {b + 1}")
    print("at end  ", *kept(y))
    names = [f"{what}[{i}]" for what in ("position", "velocity", "angular_velocity") for i in (1, 2, 3)]
    table = [[time] for time in grid]
    for values, row in zip(table, rows.reshape(-1, 4, 13)):
        for body in row:
            values += [*body[:6], *(rotation(body[6:10]).T @ body[10:])]
    write(["time"] + [f"cube{k}.{name}" for k in (1, 2, 3, 4) for name in names], table)


if __name__ == "__main__":
    main()
