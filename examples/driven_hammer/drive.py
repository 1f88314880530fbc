"""The program outside: integrates the swing of the hammer and exchanges pose and contact torque.

    fmu-build build examples/driven_hammer/scene.toml -o driven_hammer.fmu
    python examples/driven_hammer/drive.py driven_hammer.fmu driven_hammer.csv

Needs FMPy. Co-Simulation with steps of 0.1 ms. In a step the FMU moves the hammer on with the
velocity that it was told; given the mean one of the step it arrives where the program does. The
torque there is read twice, with the velocity guessed for there and with the one that follows
(Heun's method).
"""

import csv
import shutil
import sys
from math import cos, radians, sin

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

G, INERTIA, MOMENT = 9.81, 0.3, 0.5  # m/s2; kg.m2 about the grip, kg.m
START = radians(60)
STOP, STEP, ROW = 0.8, 1e-4, 50  # s, s, steps between two rows of the result


def acceleration(angle, contact_torque):
    """Angular acceleration of the hammer about y [rad/s2]."""
    return (contact_torque - MOMENT * G * sin(angle)) / INERTIA


def main(archive, result):
    folder = extract(archive)
    description = read_model_description(folder)
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    fmu = FMU3Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="hammer",
    )

    def vector(name, count):
        return [references[f"{name}[{i + 1}]"] for i in range(count)]

    orientation, spin = vector("hammer.orientation", 4), vector("hammer.angular_velocity", 3)
    torque = [references["hammer.contact_torque[2]"]]
    ball = [references["ball.position[1]"], references["ball.position[3]"]]

    def tell(angle, rate):
        """Pose and velocity of the hammer; the grip stays where the scene has it."""
        fmu.setFloat64(orientation, [cos(angle / 2), 0, sin(angle / 2), 0])
        fmu.setFloat64(spin, [0, rate, 0])

    fmu.instantiate()
    fmu.enterInitializationMode(startTime=0, stopTime=STOP)
    angle = START
    tell(angle, 0)
    fmu.exitInitializationMode()
    rows = [(0.0, angle, *fmu.getFloat64(ball))]
    rate, slope = 0.0, acceleration(angle, *fmu.getFloat64(torque))
    for step in range(1, round(STOP / STEP) + 1):
        tell(angle, rate + STEP / 2 * slope)
        fmu.doStep((step - 1) * STEP, STEP)
        angle += STEP * rate + STEP**2 / 2 * slope
        tell(angle, rate + STEP * slope)
        guess = acceleration(angle, *fmu.getFloat64(torque))
        rate += STEP / 2 * (slope + guess)
        tell(angle, rate)
        slope = acceleration(angle, *fmu.getFloat64(torque))
        if step % ROW == 0:
            rows.append((step * STEP, angle, *fmu.getFloat64(ball)))
    fmu.terminate()
    fmu.freeInstance()
    shutil.rmtree(folder)
    with open(result, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time", "hammer.angle", "ball.position[1]", "ball.position[3]"])
        out.writerows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
