"""Independent solution of the Geneva drive: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU. One coordinate, the angle of the wheel; bars, pin
and locking disc in the plane, as polygons with round edges and a circle; explicit integration (DOP853). Beside it
the closed form of a pin without play. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

CENTRES, CRANK, SPEED = 0.08, 0.0565685, 2 * np.pi  # m, m, rad/s
PIN, DISC, EDGE = 0.005, 0.045, 5e-4  # m, radii
BAR = (0.012, 0.0565685, 0.00505, 0.0115385)  # m, from and to along the slot and beside it
HUB, THICK, DENSITY = 0.012, 0.01, 8000.0  # m, m, kg/m3
CRANK_AXIS = np.array([-CENTRES, 0.0])  # from the axis of the wheel
FRICTION, REGULAR = 0.01, 0.01  # N.m, rad/s, of the bearing
PUSH = [0.55, 0.6, 0.65, 0.7], [0, 0.2, 0.2, 0]  # s, N.m
STIFFNESS, DAMPING, Z_EPS = 1e6, 150.0, 1e-8  # N/m, s/m, m
STOP, STEP = 1.0, 0.002  # s

LENGTH, WIDTH = BAR[1] - BAR[0], BAR[3] - BAR[2]
MASS = DENSITY * LENGTH * WIDTH * THICK
FAR = ((BAR[0] + BAR[1]) ** 2 + (BAR[2] + BAR[3]) ** 2) / 4
INERTIA = DENSITY * np.pi * HUB**4 * THICK / 2 + 8 * MASS * ((LENGTH**2 + WIDTH**2) / 12 + FAR)


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def bars():
    """Corners of the eight bars less their edges, in the wheel's axes, which are at 45 deg at the start."""
    x0, x1, y0, y1 = BAR[0] + EDGE, BAR[1] - EDGE, BAR[2] + EDGE, BAR[3] - EDGE
    left = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    right = left[::-1] * (1, -1)
    return np.array([bar @ turn(np.pi / 4 + k * np.pi / 2).T for k in range(4) for bar in (left, right)])


BARS = bars()
# Sides of the disc less its edges: distance from its axis, and half of their angle.
SIDE = np.radians(2)
APOTHEM = DISC * np.cos(SIDE / 2) - EDGE


def corner_to_polygons(corner, polygons):
    """Point of the polygons that is nearest to a corner outside of them."""
    along = np.roll(polygons, -1, axis=1) - polygons
    way = np.clip(((corner - polygons) * along).sum(-1) / (along**2).sum(-1), 0, 1)
    foot = polygons + way[..., None] * along
    nearest = ((corner - foot) ** 2).sum(-1).argmin()
    return foot.reshape(-1, 2)[nearest]


def pin_to_bar(crank, wheel):
    """Middle of the pin and point of a bar less its edge, in the wheel's axes."""
    pin = CRANK * np.array([np.cos(crank), np.sin(crank)]) @ wheel + CRANK_AXIS @ wheel
    return pin, corner_to_polygons(pin, BARS), PIN


def disc_to_bar(crank, wheel):
    """Points of the disc less its edge and of a bar less its edge, in the wheel's axes; the disc goes
    from 45 to 315 deg of the crank. The corner of a bar meets a side of the disc."""
    centre = CRANK_AXIS @ wheel
    corners = BARS.reshape(-1, 2) - centre
    corner = corners[(corners**2).sum(-1).argmin()]
    along = np.array([np.cos(crank), np.sin(crank)]) @ wheel
    angle = np.arctan2(along[0] * corner[1] - along[1] * corner[0], along @ corner) % (2 * np.pi)
    if not np.pi / 4 < angle < 7 * np.pi / 4:
        return None
    middle = (np.floor((angle - np.pi / 4) / SIDE) + 0.5) * SIDE + np.pi / 4 - angle
    out = turn(middle) @ corner / np.hypot(*corner)
    aside = np.array([-out[1], out[0]])
    half = APOTHEM * np.tan(SIDE / 2)
    way = corner @ aside
    foot = APOTHEM * out + np.clip(way, -half, half) * aside
    # Or the nearer end of that side of the disc on a side of a bar.
    end = APOTHEM * out + np.copysign(half, way) * aside
    other = corner_to_polygons(end + centre, BARS)
    if np.hypot(*(other - end - centre)) < np.hypot(*(corner - foot)):
        return end + centre, other, EDGE
    return foot + centre, corner + centre, EDGE


def touching(t, angle, rate):
    """Torque of the contacts about the axis of the wheel [N.m], and force of the pin, of the disc [N]."""
    crank, wheel = SPEED * t - np.pi / 2, turn(angle)
    torque, forces = 0.0, [0.0, 0.0]
    for which, meeting in enumerate((pin_to_bar(crank, wheel), disc_to_bar(crank, wheel))):
        if meeting is None:
            continue
        a, b, radius = meeting
        apart = b - a  # from the crank to the wheel
        distance = np.hypot(*apart)
        depth = radius + EDGE - distance - 2 * Z_EPS
        if depth <= 0:
            continue
        normal = apart / distance
        # The contact point is in the middle between both surfaces.
        point = (a + radius * normal + b - EDGE * normal) / 2
        arm = point - CRANK_AXIS @ wheel
        velocity = rate * np.array([-point[1], point[0]]) - SPEED * np.array([-arm[1], arm[0]])
        force = max(0.0, STIFFNESS * depth * (1 - DAMPING * (velocity @ normal)))
        forces[which] = force
        torque += force * (point[0] * normal[1] - point[1] * normal[0])
    return torque, forces


def rates(t, y):
    angle, rate = y
    size = abs(rate)
    regular = size if size > REGULAR else size**2 / REGULAR * (1 - size / (3 * REGULAR)) + REGULAR / 3
    torque = touching(t, angle, rate)[0] - FRICTION * rate / regular + np.interp(t, *PUSH)
    return rate, torque / INERTIA


def closed_form(t):
    """Angle [rad], speed [rad/s] and acceleration [rad/s2] of the wheel that follows a pin without play."""
    turns = np.floor(t)
    a = np.clip(2 * np.pi * (t - turns) - np.pi / 2, -np.pi / 4, np.pi / 4)
    k = CRANK / CENTRES
    angle = -np.arctan2(k * np.sin(a), 1 - k * np.cos(a)) - np.pi / 4 - turns * np.pi / 2
    moves = np.abs(a) < np.pi / 4
    below = 1 + k * k - 2 * k * np.cos(a)
    speed = -SPEED * (k * np.cos(a) - k * k) / below
    acceleration = SPEED**2 * k * (1 - k * k) * np.sin(a) / below**2
    return angle, moves * speed, moves * acceleration


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    t, y = 0.0, np.zeros(2)
    rows = np.zeros((len(grid), 2))
    for end in [*PUSH[0], STOP]:
        inside = (grid > t - 1e-12) & (grid < end + 1e-12)
        solution = solve_ivp(
            rates, (t, end), y, "DOP853", dense_output=True, rtol=1e-10, atol=[1e-13, 1e-11], max_step=2e-4
        )
        rows[inside] = solution.sol(grid[inside]).T
        t, y = end, solution.y[:, -1]
    write(["time", "bearing.angle", "bearing.angular_velocity"], ((time, *row) for time, row in zip(grid, rows)), 12)
    print(f"inertia {INERTIA:.6e} kg.m2")
    angle, speed, acceleration = closed_form(grid)
    print("largest ratio of speeds", np.abs(speed).max() / SPEED, "closed form", CRANK / (CENTRES - CRANK))
    print(
        "deviation from the closed form: angle",
        np.abs(rows[:, 0] - angle).max(),
        "rad, at dwell",
        rows[450, 0] - angle[450],
    )
    print("largest acceleration", np.abs(acceleration).max(), "rad/s2")
    for time in (0.17, 0.2, 0.23, 0.25, 0.28, 0.31, 0.34):
        i = round(time / STEP)
        torque, (pin, _) = touching(time, *rows[i])
        crank = SPEED * time - np.pi / 2
        arm = np.hypot(CENTRES - CRANK * np.cos(crank), CRANK * np.sin(crank))
        inertia = (INERTIA * acceleration[i] + FRICTION * np.sign(speed[i])) / arm
        print(
            f"{time} s angle {rows[i, 0]:.6f} {angle[i]:.6f} speed {rows[i, 1]:.6f} {speed[i]:.6f} pin {pin:.5f} N, {abs(inertia):.5f} N"
        )
    i = round(0.62 / STEP)
    print("push: angle", rows[i, 0] - angle[i], "rad, disc", touching(0.62, *rows[i])[1][1], "N")


if __name__ == "__main__":
    main()
