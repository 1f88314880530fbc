"""Independent solution of the gripper: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: both sides mirror each other, so there is the
way of one finger, the height of the hand and that of the ball, and one deflection of the friction;
explicit integration (DOP853) from event to event, under the forces of inputs.csv. Equations and
symbols: README.md.
"""

import csv
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import exact_damping, impact_speed, leg, write  # noqa: E402

HERE = Path(__file__).parent
G, Z_EPS = 9.81, 1e-8  # m/s2, m
HAND, FINGER, BALL, RADIUS = 2.0, 0.2, 0.2, 0.03  # kg, kg, kg, m
WAY = 0.01  # m, of a finger until it touches
SPRING, DAMPING = 2000.0, 100.0  # N/m and N.s/m, of the lift
REST = (HAND + 2 * FINGER) * G / SPRING  # m
GUIDE = 100.0  # N.s/m, of a finger
STIFFNESS, RESTITUTION, MU = 2e4, 0.5, 0.6  # N/m, 1, 1
BRISTLE, BRISTLE_DAMPING = 1e5, 100.0  # N/m, N.s/m
STOP, STEP = 2.5, 0.01  # s


def read_inputs():
    with open(HERE / "inputs.csv", newline="") as file:
        rows = list(csv.reader(file))
    return np.array(rows[1:], float)


INPUTS = read_inputs()


U = exact_damping(RESTITUTION)
# Effective masses [kg] of a finger and the ball along its slide, and of the ball and the table.
MASSES = FINGER * BALL / (FINGER + BALL), BALL


def spring(gap, gap_rate, mass):
    """Force [N] of a contact whose effective mass is that."""
    delta = max(0.0, -gap - 2 * Z_EPS)
    if delta == 0.0:
        return 0.0
    v0 = impact_speed(STIFFNESS * delta**2 / 2 / mass, -gap_rate, U)
    return max(0.0, STIFFNESS * delta * (1 - U / v0 * gap_rate))


def gaps(y):
    """Gap between finger and ball, and between ball and table."""
    return WAY - y[0], y[2] - RADIUS


def rates(t, y, touching):
    """y = (way of a finger, height of the hand, height of the ball), their rates, deflection."""
    grip, lift = np.interp(t, INPUTS[:, 0], INPUTS[:, 1]), np.interp(t, INPUTS[:, 0], INPUTS[:, 3])
    normal = friction = deflection_rate = 0.0
    if touching[0]:
        normal = spring(gaps(y)[0], -y[3], MASSES[0])
        slip = y[5] - y[4]
        trial = BRISTLE * y[6] + BRISTLE_DAMPING * slip
        friction = -np.clip(trial, -MU * normal, MU * normal)
        deflection_rate = (-friction - BRISTLE * y[6]) / BRISTLE_DAMPING
    table = spring(gaps(y)[1], y[5], MASSES[1]) if touching[1] else 0.0
    return np.array(
        [
            *y[3:6],
            (grip - GUIDE * y[3] - normal) / FINGER,
            (lift - SPRING * (y[1] - REST) - DAMPING * y[4] - 2 * friction) / (HAND + 2 * FINGER) - G,
            (2 * friction + table) / BALL - G,
            deflection_rate,
        ]
    )


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 7))
    t, y = 0.0, np.zeros(7)
    y[2] = RADIUS - BALL * G / STIFFNESS - 2 * Z_EPS
    touching = [False, True]
    while t < STOP:
        # No step crosses a kink of the inputs.
        end = min([k for k in INPUTS[:, 0] if k > t + 1e-12] + [STOP])

        def event_of(i):
            def event(_, y):
                return gaps(y)[i] + (0 if touching[i] else 2 * Z_EPS)

            event.terminal, event.direction = True, 1 if touching[i] else -1
            return event

        solution = leg(
            lambda t, y: rates(t, y, touching), (t, end), y, grid, rows,
            rtol=1e-11, atol=1e-13, first_step=1e-8, max_step=2e-3, events=[event_of(0), event_of(1)]
        )
        t, y = solution.t[-1], solution.y[:, -1].copy()
        for i, name in ((0, "fingers"), (1, "table")):
            if len(solution.t_events[i]):
                touching[i] = not touching[i]
                if touching[i]:
                    print(f"start {t:.9f} s  ball and {name} at {(y[3], -y[5])[i]:.6f} m/s")
                else:
                    print(f"end   {t:.9f} s  ball and {name}")
                if i == 0:
                    y[6] = 0.0
    header = ["time", "left.displacement", "right.displacement", "lift.displacement", "ball.position[3]"]
    header += ["left.velocity", "right.velocity", "lift.velocity", "ball.velocity[3]"]
    write(header, ((time, *row[[0, 0, 1, 2, 3, 3, 4, 5]]) for time, row in zip(grid, rows)))
    print("final", " ".join(f"{value:.9g}" for value in rows[-1]))


if __name__ == "__main__":
    main()
