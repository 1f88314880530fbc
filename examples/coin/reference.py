"""Independent solution of the coin: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: a rigid disc of some thickness on its rim, which presses
over a segment, creeps by friction and has rolling resistance (LSODA); beside it the same disc where it rolls
without slip (DOP853). Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G, Z_EPS = 9.81, 1e-8  # m/s2, m
RADIUS, THICK, DENSITY = 0.04, 0.005, 7800.0  # m, m, kg/m3
MASS = DENSITY * np.pi * RADIUS**2 * THICK
ACROSS = MASS * (3 * RADIUS**2 + THICK**2) / 12  # kg.m2, about a diameter
ALONG = MASS * RADIUS**2 / 2  # kg.m2, about the axis
FOUNDATION, MU, V_SMALL = 1e12, 0.2, 0.05  # N/m3, 1, m/s
RESISTANCE, W_SMALL = 0.02 * 0.04, 0.1  # m, rad/s
START = np.radians(20.0)
STOP, STEP = 1.0, 0.005  # s
UP = np.array([0.0, 0.0, 1.0])


def precession(a):
    """Rate [rad/s] of steady rolling at the inclination a with the centre at rest."""
    lever = MASS * G * (RADIUS * np.cos(a) - THICK / 2 * np.sin(a))
    return np.sqrt(lever / (np.sin(a) * (ACROSS * np.cos(a) - ALONG * np.sin(a) * THICK / (2 * RADIUS))))


def wedge(c, slope):
    """Volume [m3] under the lower face beyond the chord at c from the axis, that deepens by the slope."""
    s = np.sqrt(RADIUS**2 - c**2)
    return slope * (2 / 3 * s**3 - c * (RADIUS**2 * np.arccos(c / RADIUS) - c * s))


def depth(force, a):
    """Depth [m] of the rim under that force at the inclination a, past 2 z_eps: K V = force, the volume V below
    the floor being the wedge cut off by the floor's plane."""

    def excess(reach):  # how far the chord is from the rim
        return FOUNDATION * wedge(RADIUS - reach, np.tan(a)) - force

    return brentq(excess, 1e-9, RADIUS, xtol=1e-18) * np.sin(a)


def reach(force, a):
    """The same in the face, from the rim to the chord, for a narrow one: V = tan(a) 8/15 sqrt(2 R) reach^2.5."""
    return (force / (FOUNDATION * np.tan(a) * 8 / 15 * np.sqrt(2 * RADIUS))) ** 0.4


def motion(axis, spin):
    """Angular acceleration [rad/s2], world axes, and normal force [N]."""
    up = axis @ UP
    a = np.arccos(min(1.0, abs(up)))
    down = -UP + up * axis
    size = np.linalg.norm(down)
    radial = down / size
    arm = RADIUS * radial - THICK / 2 * axis
    axis_rate = np.cross(spin, axis)
    down_rate = (axis_rate @ UP) * axis + up * axis_rate
    radial_rate = (down_rate - radial * (radial @ down_rate)) / size
    arm_rate = RADIUS * radial_rate - THICK / 2 * axis_rate
    drag = np.cross(spin, arm_rate)
    inertia = ACROSS * np.eye(3) + (ALONG - ACROSS) * np.outer(axis, axis)
    w = np.linalg.norm(spin)
    reg = w if w >= W_SMALL else w**2 / W_SMALL * (1 - w / (3 * W_SMALL)) + W_SMALL / 3
    # Torques per normal force: rolling resistance, and friction in the patch, which turns on the floor: slip is
    # small beside V_SMALL, so traction is 3 mu v/V_SMALL, and the mean square of the distance 2/7 R reach.
    torque = -RESISTANCE * spin / reg - 3 * MU / V_SMALL * 2 / 7 * RADIUS * reach(MASS * G, a) * (spin @ UP) * UP
    matrix = inertia + MASS * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    right = -np.cross(spin, inertia @ spin) + MASS * np.cross(arm, G * UP - drag)
    still = MASS * (G - drag @ UP)
    lever = np.cross(arm, UP)
    rate = np.linalg.solve(matrix + MASS * np.outer(torque, lever), right + torque * still)
    return rate, still - MASS * (rate @ lever), arm


def rates(_, y):
    rate, _, _ = motion(y[:3] / np.linalg.norm(y[:3]), y[3:])
    return np.concatenate([np.cross(y[3:], y[:3]), rate])


def creep_rates(_, y):
    """Rates of position, velocity, axis and angular velocity of the disc that creeps."""
    x, v, axis, spin = y[:3], y[3:6], y[6:9] / np.linalg.norm(y[6:9]), y[9:12]
    up = axis @ UP
    a = np.arccos(min(1.0, abs(up)))
    down = -UP + up * axis
    radial = down / np.linalg.norm(down)
    # Distance from rim to chord, in the face.
    chord = max(0.0, -(x[2] + RADIUS * radial[2] - THICK / 2 * axis[2] + 2 * Z_EPS) / np.sin(a))
    normal = FOUNDATION * wedge(RADIUS - chord, np.tan(a))
    arm = (RADIUS - 3 / 7 * chord) * radial - THICK / 2 * axis
    slip = v + np.cross(spin, arm)
    slip -= slip @ UP * UP
    speed = np.linalg.norm(slip)
    reg = speed if speed >= V_SMALL else speed**2 / V_SMALL * (1 - speed / (3 * V_SMALL)) + V_SMALL / 3
    force = normal * (UP - MU * slip / reg)
    torque = -RESISTANCE * spin / np.linalg.norm(spin) - MU / reg * 2 / 7 * RADIUS * chord * (spin @ UP) * UP
    inertia = ACROSS * np.eye(3) + (ALONG - ACROSS) * np.outer(axis, axis)
    moment = np.cross(arm, force) + normal * torque - np.cross(spin, inertia @ spin)
    return np.concatenate([v, force / MASS - G * UP, np.cross(spin, axis), np.linalg.solve(inertia, moment)])


def flat_event(_, y):
    return np.arccos(min(1.0, y[2] / np.linalg.norm(y[:3]))) - 1e-3


flat_event.terminal = True


def main():
    # The axis leans towards +x, so the lowest point of the rim is at +x.
    axis = np.array([np.sin(START), 0.0, np.cos(START)])
    radial = np.array([np.cos(START), 0.0, -np.sin(START)])
    omega = precession(START)
    spin = omega * np.sin(START) * (THICK / (2 * RADIUS) * axis - radial)
    rate, normal, arm = motion(axis, spin)
    sunk = depth(MASS * G, START)
    print(f"mass {MASS:.9f} kg; precession {omega:.9f} rad/s, at rest {np.cross(spin, arm)}, depth {1e6 * sunk:.5f} um, reach {1e6 * reach(MASS * G, START):.4f} um")
    print(f"start: height {-arm[2] - sunk - 2 * Z_EPS:.12f} m; spin in body axes (x down the face, z the axis): {spin @ radial:.12f} 0 {spin @ axis:.12f}")
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    found = solve_ivp(rates, (0, grid[-1]), [*axis, *spin], "DOP853", rtol=1e-11, atol=1e-12, t_eval=grid)
    y0 = [0, 0, -arm[2] - sunk - 2 * Z_EPS, 0, 0, 0, *axis, *spin]
    creeps = solve_ivp(creep_rates, (0, grid[-1]), y0, "LSODA", rtol=1e-9, atol=1e-12, t_eval=grid)
    rows = []
    for t, y, rolling in zip(grid, creeps.y.T, found.y.T):
        _, _, arm = motion(rolling[:3] / np.linalg.norm(rolling[:3]), rolling[3:])
        rows.append((t, *y[:3], np.arccos(y[8] / np.linalg.norm(y[6:9])), -arm[2]))
    for t, x, y, z, a, rolling in rows[:: len(rows) // 10]:
        print(f"{t:.3f} s: {np.degrees(a):.5f} deg, height {z:.9f} m, {rolling:.9f} m where it rolls; steady {precession(a):.5f} rad/s")
    scale = 3 * RADIUS / (2 * RESISTANCE) * np.sqrt(RADIUS / G)
    print(f"thin disc, small angles: flat at {np.sqrt(START) * scale:.6f} s")
    flat = solve_ivp(rates, (0, 5), found.y[:, 0], "DOP853", rtol=1e-9, atol=1e-11, events=flat_event)
    print(f"1e-3 rad at {flat.t[-1]:.6f} s")
    write(["time", "coin.position[1]", "coin.position[2]", "coin.position[3]", "inclination", "height_that_rolls"], rows, 12)


if __name__ == "__main__":
    main()
