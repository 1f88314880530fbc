"""The ball of ball.h exactly: flight in closed form, each contact by an explicit formula of order 8
in scaled variables at 3e-14, the last one, overdamped, by an implicit one."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

RADIUS, GRAVITY, RESTITUTION, SMALL_SPEED, LARGEST_DAMPING = 0.1, 9.81, 0.7, 0.01, 2000.0
MASS = 7850.0 * 4 / 3 * np.pi * RADIUS**3
STIFFNESS = 2.1e11 / (2 * (1 - 0.3**2)) * 4 / 3 * np.sqrt(RADIUS)
STOP, TIMES = 3.0, np.arange(301) * 0.01


def within(begin: float, end: float) -> np.ndarray:
    return (begin <= TIMES) & (end >= TIMES)


def damping(speed: float) -> float:
    if speed <= SMALL_SPEED:
        return LARGEST_DAMPING
    return min(LARGEST_DAMPING, 8 * (1 - RESTITUTION) / (5 * RESTITUTION * speed))


def contact(speed: float, duration: float):
    """Depth over time until the ball parts or `duration` is over. Returns solution, scale of depths
    [m], of times [s]."""
    depth = (1.25 * MASS * speed**2 / STIFFNESS) ** 0.4
    time = depth / speed
    force = STIFFNESS / MASS * depth**1.5 * time / speed
    weight, d = GRAVITY * time / speed, damping(speed) * speed

    def rates(_, y):
        return [y[1], weight - force * y[0] * np.sqrt(abs(y[0])) * (1 + d * y[1])]

    def parts(s, y):
        return y[0] if s > 0 else 1.0

    parts.terminal, parts.direction = True, -1
    method = "DOP853" if speed > SMALL_SPEED else "Radau"
    tolerance = 3e-14 if speed > SMALL_SPEED else 1e-12
    found = solve_ivp(
        rates,
        (0, duration / time),
        [0.0, 1.0],
        method,
        rtol=tolerance,
        atol=1e-18,
        events=parts,
        dense_output=True,
    )
    return found, depth, time


def heights() -> np.ndarray:
    """Height of the lowest point of the ball at `TIMES` [m]."""
    z = np.full(len(TIMES), np.nan)
    t, h, v = 0.0, 1.0, 0.0
    while True:
        flight = (v + np.sqrt(v * v + 2 * GRAVITY * h)) / GRAVITY
        now = within(t, min(t + flight, STOP))
        z[now] = h + v * (TIMES[now] - t) - GRAVITY / 2 * (TIMES[now] - t) ** 2
        if t + flight > STOP:
            return z
        t, v = t + flight, np.sqrt(v * v + 2 * GRAVITY * h)
        found, depth, time = contact(v, STOP - t)
        now = within(t, t + found.t[-1] * time)
        if now.any():
            z[now] = -depth * found.sol((TIMES[now] - t) / time)[0]
        if found.status != 1:
            return z
        t, h, v = t + found.t[-1] * time, 0.0, -v * found.y[1, -1]
