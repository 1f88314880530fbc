"""The balls of scenes.py in Drake: point contact, linear stiffness with the same peak force at an
impact of 2 m/s and the damping of Hunt and Crossley for the same restitution; CENIC, the convex integrator with error
control, at an accuracy. Prints JSON: CPU time [s], steps.

    balls_drake.py FILE ACCURACY STOP
"""

import json
import sys
import time

import numpy as np
from pydrake.geometry import (
    AddContactMaterial,
    HalfSpace,
    ProximityProperties,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder

RADIUS, DENSITY, YOUNG, POISSON, RESTITUTION, FRICTION, SPEED = 0.05, 7850, 2.1e9, 0.3, 0.7, 0.5, 2
MASS = DENSITY * 4 / 3 * np.pi * RADIUS**3
HERTZ = YOUNG / (2 * (1 - POISSON**2)) * 4 / 3 * np.sqrt(RADIUS)
DEPTH = (1.25 * MASS * SPEED**2 / HERTZ) ** 0.4
# Two equal springs in series give the stiffness of a pair.
STIFFNESS = 2 * HERTZ * np.sqrt(DEPTH)
DISSIPATION = 8 * (1 - RESTITUTION) / (5 * RESTITUTION * SPEED) / 2


def properties() -> ProximityProperties:
    found = ProximityProperties()
    AddContactMaterial(
        dissipation=DISSIPATION,
        point_stiffness=STIFFNESS,
        friction=CoulombFriction(FRICTION, FRICTION),
        properties=found,
    )
    return found


def main() -> None:
    path, accuracy, stop = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    with open(path) as file:
        half = float(file.readline()) / 2
        balls = np.loadtxt(file, ndmin=2)
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=0.0)
    walls = [((0, 0, 1), (0, 0, 0))]
    for axis in range(2):
        for sign in (-1, 1):
            normal, point = np.zeros(3), np.zeros(3)
            normal[axis], point[axis] = -sign, sign * half
            walls.append((normal, point))
    for k, (normal, point) in enumerate(walls):
        pose = RigidTransform(RotationMatrix.MakeFromOneVector(np.array(normal, float), 2), point)
        plant.RegisterCollisionGeometry(
            plant.world_body(), pose, HalfSpace(), f"wall{k}", properties()
        )
    inertia = SpatialInertia(MASS, np.zeros(3), UnitInertia.SolidSphere(RADIUS))
    bodies = []
    for k in range(len(balls)):
        body = plant.AddRigidBody(f"b{k}", inertia)
        plant.RegisterCollisionGeometry(
            body, RigidTransform(), Sphere(RADIUS), f"b{k}", properties()
        )
        bodies.append(body)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for body, row in zip(bodies, balls, strict=True):
        plant.SetFreeBodyPose(context, body, RigidTransform(row[:3]))
    integrator = ResetIntegratorFromFlags(simulator, "cenic", 0.01)
    integrator.set_target_accuracy(accuracy)
    simulator.Initialize()
    begin = time.process_time()
    simulator.AdvanceTo(stop)
    cpu = time.process_time() - begin
    print(json.dumps({"cpu": cpu, "steps": integrator.get_num_steps_taken()}))


if __name__ == "__main__":
    main()
