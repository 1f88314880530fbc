"""Independent solution of brick and ball on a conveyor: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: Coulomb friction in closed form. Equations and symbols:
README.md.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G, MU, BELT = 9.81, 0.5, 1.0  # m/s2, 1, m/s
START, RADIUS = -1.0, 0.05  # m, m
STOP, STEP = 0.6, 0.01  # s


def slide(t, speed):
    """Way and velocity of a body that mu g accelerates from rest up to a speed that it keeps."""
    end = speed / (MU * G)
    held = np.minimum(t, end)
    return MU * G * held**2 / 2 + speed * (t - held), MU * G * held


def main():
    t = np.arange(round(STOP / STEP) + 1) * STEP
    brick, brick_speed = slide(t, BELT)
    # The belt turns the ball backwards: its lowest point gains (1 + 5/2) mu g.
    ball, ball_speed = slide(t, 2 / 7 * BELT)
    spin = -5 / 2 * ball_speed / RADIUS
    print(f"brick slides until {BELT / (MU * G):.6f} s, ball until {2 / 7 * BELT / (MU * G):.6f} s")
    names = ["brick.position[1]", "brick.velocity[1]"]
    names += ["ball.position[1]", "ball.velocity[1]", "ball.angular_velocity[2]"]
    write(["time", *names], zip(t, START + brick, brick_speed, START + ball, ball_speed, spin))


if __name__ == "__main__":
    main()
