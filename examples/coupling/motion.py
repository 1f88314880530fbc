"""Writes how the driving half moves as a table of inputs, by which the tool draws plot.svg:

    python examples/coupling/motion.py coupling.fmu motion.csv
    fmu-build simulate examples/coupling/scene.toml --input motion.csv
"""

import csv
import sys
from math import cos, sin

from run import simulate


def main(archive, table):
    names = ["drive.orientation[1]", "drive.orientation[4]", "drive.angular_velocity[3]"]
    with open(table, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time", *names])
        for time, angle, speed, *_ in simulate(archive, row=1e-4):
            out.writerow([f"{value:.12g}" for value in (time, cos(angle / 2), sin(angle / 2), speed)])


if __name__ == "__main__":
    main(*sys.argv[1:])
