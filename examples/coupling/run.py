"""A motor with a speed controller, in Python, turns a flywheel in an FMU through a coupling with backlash.

    fmu-build build examples/coupling/scene.toml -o coupling.fmu
    python examples/coupling/run.py coupling.fmu coupling.csv

Needs FMPy and NumPy. This program has the motor and its controller; the FMU has the coupling and the flywheel. In
each communication step the program tells the FMU how the driving half of the coupling moves, and reads
the torque that the claws exert on it. A third argument is the communication step [s], 0.1 ms unless given;
a fourth one, `--plain`, leaves out the correction at the end of a step.
"""

import csv
import shutil
import sys
from math import cos, sin

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

INERTIA = 5e-4  # kg.m2, of motor and driving half
K_P, K_I = 0.1, 1.0  # N.m.s/rad, N.m/rad: with both inertias the controller answers in 1/40 s
FORWARD, REVERSE_AT, STOP = 30.0, 0.4, 0.8  # rad/s, s, s: 30 rad/s, from 0.4 s on -30 rad/s
ROW = 2e-3  # s, between two rows of the result
# Of the FMU: motion of the flywheel, and speed of the last impact on the claw ahead of a pin and on the one behind.
OUTPUTS = [
    "shaft.angle",
    "shaft.angular_velocity",
    "contact.drive_pin_1.flywheel_claw_2.last_impact_speed",
    "contact.drive_pin_1.flywheel_claw_1.last_impact_speed",
]


def motor(time, speed, integral):
    """Torque of the motor [N.m] and rate of the integral of its controller [rad/s]."""
    error = (FORWARD if time < REVERSE_AT else -FORWARD) - speed
    return K_P * error + K_I * integral, error


class Coupling:
    """The FMU: half couplings, claws and flywheel."""

    def __init__(self, archive):
        self.folder = extract(archive)
        description = read_model_description(self.folder)
        self.names = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.fmu = FMU3Slave(
            guid=description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="coupling",
        )
        self.fmu.instantiate()
        self.fmu.enterInitializationMode(startTime=0, stopTime=STOP)
        self.tell(0, 0)
        self.fmu.exitInitializationMode()

    def tell(self, angle, speed):
        """Pose and speed of the driving half, which turns about z."""
        quaternion = [self.names[f"drive.orientation[{i}]"] for i in (1, 2, 3, 4)]
        self.fmu.setFloat64(quaternion, [cos(angle / 2), 0, 0, sin(angle / 2)])
        self.fmu.setFloat64([self.names["drive.angular_velocity[3]"]], [speed])

    def get(self, *names):
        return self.fmu.getFloat64([self.names[name] for name in names])

    def torque(self):
        """Torque of the claws on the driving half [N.m]."""
        return self.get("drive.contact_torque[3]")[0]

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder)


def simulate(archive, step=1e-4, plain=False, row=ROW):
    """Rows of time, angle and speed of the motor, torques of motor and claws on it, and the outputs of the FMU."""
    coupling = Coupling(archive)
    angle = speed = integral = 0.0
    rows = []
    for count in range(round(STOP / step) + 1):
        time = count * step
        torque, error = motor(time, speed, integral)
        claws = coupling.torque()
        if count % round(row / step) == 0:
            rows.append((time, angle, speed, torque, claws, *coupling.get(*OUTPUTS)))
        if count == round(STOP / step):
            break
        # 1. The motor as if its torques did not change within the step.
        acceleration = (torque + claws) / INERTIA
        mean = speed + step / 2 * acceleration
        # 2. The FMU takes the step; it moves the driving half on with the mean speed, so both arrive at one angle.
        coupling.tell(angle, mean)
        coupling.fmu.doStep(time, step)
        angle += step * mean
        # 3. The torques at the end of the step correct the speed (Heun's method).
        guess = speed + step * acceleration
        if not plain:
            coupling.tell(angle, guess)
            # Just before the end of the step: a speed that is asked for from there on counts in the next one.
            torque_end, error_end = motor(time + 0.999 * step, guess, integral + step * error)
            acceleration = (acceleration + (torque_end + coupling.torque()) / INERTIA) / 2
            error = (error + error_end) / 2
        speed += step * acceleration
        integral += step * error
        coupling.tell(angle, speed)
    coupling.close()
    return rows


def main(archive, result, step="1e-4", plain=""):
    with open(result, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time", "motor.angle", "motor.speed", "motor.torque", "claws.torque", *OUTPUTS])
        out.writerows(simulate(archive, float(step), plain == "--plain"))


if __name__ == "__main__":
    main(*sys.argv[1:])
