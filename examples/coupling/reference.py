"""Independent solution of motor, coupling and flywheel: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU nor with run.py: two inertias with a spring that has backlash,
and the controller, as one system of equations; explicit integration (DOP853) from event to event.
Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

MOTOR, FLYWHEEL, LOAD = 5e-4, 2e-3, 0.02  # kg.m2, kg.m2, N.m.s/rad
K_P, K_I, FORWARD, REVERSE_AT = 0.1, 1.0, 30.0, 0.4  # N.m.s/rad, N.m/rad, rad/s, s
PINS, RADIUS, PIN, BACKLASH = 3, 0.03, 0.008, np.radians(2)  # 1, m, m, rad on either side
STIFFNESS, DAMPING, Z_EPS = 5e5, 2.0, 1e-8  # N/m, s/m, m
STOP, STEP = 0.8, 0.002  # s
# Angle between a pin and the plane of the next claw without torque.
AWAY = np.arcsin(PIN / RADIUS) + BACKLASH


def gap(twist, side):
    """Gap [m] between the pins and the claws ahead (side = 1) or behind (-1)."""
    return RADIUS * np.sin(AWAY - side * twist) - PIN


def claws(twist, rate):
    """Torque on the flywheel [N.m]."""
    torque = 0.0
    for side in (1, -1):
        depth = -gap(twist, side) - 2 * Z_EPS
        lever = RADIUS * np.cos(AWAY - side * twist)
        if depth > 0:
            torque += side * PINS * lever * max(0.0, STIFFNESS * depth * (1 + DAMPING * side * lever * rate))
    return torque


def motor(wanted, y):
    """Torque of the motor [N.m] whose controller wants this speed [rad/s]."""
    return K_P * (wanted - y[1]) + K_I * y[4]


def rates(y, wanted):
    """y = (angle and speed of the motor, those of the flywheel, integral of the controller)."""
    torque = claws(y[0] - y[2], y[1] - y[3])
    speeds = (motor(wanted, y) - torque) / MOTOR, (torque - LOAD * y[3]) / FLYWHEEL
    return [y[1], speeds[0], y[3], speeds[1], wanted - y[1]]


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 5))
    t, y = 0.0, np.zeros(5)
    touching, impact, impacts = {1: False, -1: False}, {1: 0.0, -1: 0.0}, np.empty((len(grid), 2))
    while t < STOP:
        wanted, end = (FORWARD, REVERSE_AT) if t < REVERSE_AT else (-FORWARD, STOP)

        def event_of(side):
            def event(_, y):
                return gap(y[0] - y[2], side) + (0 if touching[side] else 2 * Z_EPS)

            event.terminal, event.direction = True, 1 if touching[side] else -1
            return event

        solution = solve_ivp(
            lambda _, y: rates(y, wanted),
            (t, end),
            y,
            "DOP853",
            rtol=1e-11,
            atol=1e-13,
            first_step=1e-9,
            max_step=1e-3,
            events=[event_of(1), event_of(-1)],
            dense_output=True,
        )
        inside = (grid >= t) & (grid <= solution.t[-1])
        if inside.any():
            rows[inside] = solution.sol(grid[inside]).T
            impacts[inside] = impact[1], impact[-1]
        t, y = solution.t[-1], solution.y[:, -1]
        for side, name, found in zip((1, -1), ("ahead", "behind"), solution.t_events):
            if len(found):
                touching[side] = not touching[side]
                speed = abs(y[1] - y[3]) * RADIUS * np.cos(AWAY - BACKLASH)
                impact[side] = speed if touching[side] else impact[side]
                print(
                    f"{'start' if touching[side] else 'end  '} {t:.9f} s  claws {name} at {speed:.6f} m/s,"
                    f" motor {y[1]:.6f} rad/s, flywheel {y[3]:.6f} rad/s"
                )
    pin = "contact.drive_pin_1.flywheel_claw"
    header = ["time", "motor.angle", "motor.speed", "motor.torque", "claws.torque", "shaft.angle"]
    header += ["shaft.angular_velocity", f"{pin}_2.last_impact_speed", f"{pin}_1.last_impact_speed"]
    table = []
    for time, row, speeds in zip(grid, rows, impacts):
        wanted = FORWARD if time < REVERSE_AT else -FORWARD
        torques = motor(wanted, row), -claws(row[0] - row[2], row[1] - row[3])
        table.append((time, *row[:2], *torques, *row[2:4], *speeds))
    write(header, table, 12)
    print("final", " ".join(f"{value:.9g}" for value in rows[-1]))


if __name__ == "__main__":
    main()
