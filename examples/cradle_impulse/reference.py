"""Independent solution of the cradle: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU and integrates nothing: a pendulum swings by Jacobi's elliptic
functions. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.special import ellipj, ellipk

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G, LENGTH, RADIUS = 9.81, 0.15, 0.01  # m/s2, m, m
START = np.pi / 3  # rad
STOP, STEP = 5.0, 0.02  # s
OMEGA = np.sqrt(G * LENGTH / (LENGTH**2 + 0.4 * RADIUS**2))  # rad/s, of small angles
M = np.sin(START / 2) ** 2  # k^2
QUARTER = ellipk(M) / OMEGA  # s, a quarter of a period


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    # From the release: sin(theta/2) = k sn(K - omega t). One pendulum, of which each end ball swings its half.
    sn, cn, _, _ = ellipj(ellipk(M) - OMEGA * grid, M)
    k = np.sqrt(M)
    angle = -2 * np.arcsin(k * sn)
    rate = 2 * k * cn * OMEGA
    rows = np.zeros((len(grid), 10))
    for ball, side in ((0, angle < 0), (4, angle > 0)):
        rows[side, ball], rows[side, 5 + ball] = angle[side], rate[side]
    names = [f"wire{i + 1}.angle" for i in range(5)] + [f"wire{i + 1}.angular_velocity" for i in range(5)]
    write(["time", *names], ((time, *row) for time, row in zip(grid, rows)))
    hits = np.arange(1, STOP / QUARTER, 2) * QUARTER
    speed = 2 * k * OMEGA
    print(f"quarter of a period {QUARTER:.9f} s, {len(hits)} hits at {speed:.9f} rad/s, {speed * LENGTH:.9f} m/s")
    print("next row to a hit is off by", np.abs(grid[:, None] - hits).min(), "s")


if __name__ == "__main__":
    main()
