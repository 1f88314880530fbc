"""The balls of scenes.py in YADE (Hertz and Mindlin, fixed step, one thread), 1 s.

yade -x -n -j1 balls_yade.py INPUT STEP. Prints JSON: CPU time [s]."""
# ruff: noqa: F821  (YADE defines its names before it runs a script)

import json
import sys
import time

import numpy as np

path, step = sys.argv[-2], float(sys.argv[-1])
with open(path) as file:
    half = float(file.readline()) / 2
    balls = np.loadtxt(file)
material = O.materials.append(
    FrictMat(young=2.1e9, poisson=0.3, frictionAngle=np.arctan(0.5), density=7850)
)
for axis, places in ((0, (-half, half)), (1, (-half, half)), (2, (0,))):
    for place in places:
        O.bodies.append(utils.wall(place, axis=axis, material=material))
for ball in balls:
    O.bodies.append(utils.sphere(tuple(ball[:3]), 0.05, material=material))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.01),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=0.7, es=0.7)],
        [Law2_ScGeom_MindlinPhys_Mindlin()],
    ),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0),
]
O.dt = step
begin = time.process_time()
O.run(round(1 / step), True)
print(json.dumps({"cpu": time.process_time() - begin}), flush=True)
