"""Contact over an area beside Drake's hydroelastic contact and MuJoCo's contact points, in one run.

    pip install drake mujoco numpy
    python fmu-core/model/benches/area/compare.py

Runs `cargo bench --bench area`, then the same scenes in Drake and MuJoCo, and prints times and
ratios. A cube of 0.1 m lies on a table of 1 m x 1 m x 0.2 m, 1 um deep, or falls 50 mm onto it.
Drake's times of a query are those of `ComputeContactSurfaces` with polygons, called from Python,
which adds about 1 us; its simulation is the continuous one with the integrator `runge_kutta3` at
1e-6. MuJoCo's query is `mj_collision`, its step 1 ms of the default integrator.
"""

import re
import subprocess
import sys
import time

import mujoco
import numpy as np
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    Box,
    HydroelasticContactRepresentation,
    ProximityProperties,
)
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder

MASS = 8.0
DEPTH = 1e-6
UNITS = {"ps": 1e-12, "ns": 1e-9, "µs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def ours() -> dict[str, float]:
    """Seconds of each benchmark."""
    command = ["cargo", "bench", "-p", "fmu-core", "--bench", "area", *sys.argv[1:]]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found, name = {}, ""
    for line in text.splitlines():
        if match := re.match(r"(\S.*?)?\s+time:\s+\[\S+ \S+ (\S+) (\S+)", line):
            found[match[1] or name] = float(match[2]) * UNITS[match[3]]
        elif line and not line.startswith((" ", "Bench", "Gnuplot", "Found")):
            name = line.strip()
    return found


def best(call, seconds: float = 0.3) -> float:
    """Least mean time of a call over ten rounds [s]."""
    call()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < seconds / 10:
        call()
        count += 1
    times = []
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(count):
            call()
        times.append((time.perf_counter() - start) / count)
    return min(times)


def properties(rigid: bool) -> ProximityProperties:
    found = ProximityProperties()
    if rigid:
        AddRigidHydroelasticProperties(found)
    else:
        AddCompliantHydroelasticProperties(1.0, 2e11, found)
    AddContactMaterial(0.0, None, CoulombFriction(0.5, 0.5), found)
    return found


def drake(rigid_table: bool):
    """Diagram and plant of a cube over a table."""
    builder = DiagramBuilder()
    plant, graph = AddMultibodyPlantSceneGraph(builder, time_step=0.0)
    plant.set_contact_model(ContactModel.kHydroelasticWithFallback)
    table = Box(1.0, 1.0, 0.2)
    place = RigidTransform([0.0, 0.0, -0.1])
    plant.RegisterCollisionGeometry(
        plant.world_body(), place, table, "table", properties(rigid_table)
    )
    inertia = SpatialInertia(MASS, np.zeros(3), UnitInertia.SolidBox(0.1, 0.1, 0.1))
    cube = plant.AddRigidBody("cube", inertia)
    plant.RegisterCollisionGeometry(
        cube, RigidTransform(), Box(0.1, 0.1, 0.1), "cube", properties(False)
    )
    plant.Finalize()
    return builder.Build(), plant, graph, cube


def drake_query(rigid_table: bool) -> float:
    diagram, plant, graph, cube = drake(rigid_table)
    context = diagram.CreateDefaultContext()
    pose = RigidTransform(RollPitchYaw(0.0, 0.0, 0.3), [0.01, 0.02, 0.05 - DEPTH])
    plant.SetFreeBodyPose(plant.GetMyMutableContextFromRoot(context), cube, pose)
    query = graph.get_query_output_port().Eval(graph.GetMyContextFromRoot(context))
    kind = HydroelasticContactRepresentation.kPolygon
    surfaces = query.ComputeContactSurfaces(kind)
    assert len(surfaces) == 1 and surfaces[0].total_area() > 0.0099
    return best(lambda: query.ComputeContactSurfaces(kind))


def drake_second() -> float:
    """Wall time of 1 s in which the cube falls and comes to rest [s]."""
    diagram, plant, _, cube = drake(rigid_table=True)
    simulator = Simulator(diagram)
    ResetIntegratorFromFlags(simulator, "runge_kutta3", 0.01)
    integrator = simulator.get_mutable_integrator()
    integrator.set_target_accuracy(1e-6)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    pose = RigidTransform(RollPitchYaw(0.0, 0.0, 0.3), [0.1, 0.2, 0.1])
    plant.SetFreeBodyPose(context, cube, pose)
    simulator.Initialize()
    start = time.perf_counter()
    simulator.AdvanceTo(1.0)
    return time.perf_counter() - start


def mujoco_times() -> tuple[float, float]:
    """A query and a step of 1 ms [s]."""
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="1e-3"/><worldbody>
        <geom type="box" size="0.5 0.5 0.1" pos="0 0 -0.1"/>
        <body pos="0.01 0.02 {0.05 - DEPTH}" euler="0 0 17"><freejoint/>
        <geom type="box" size="0.05 0.05 0.05" mass="{MASS}"/></body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 4
    query = best(lambda: mujoco.mj_collision(model, data))
    return query, best(lambda: mujoco.mj_step(model, data))


def main() -> None:
    times = ours()
    query = times["query, box on its face"]
    second = next(t for name, t in times.items() if "dropped on its face" in name)
    points, step = mujoco_times()
    rows = [
        ("query: contact over an area", query, query),
        ("query: Drake, both compliant", drake_query(False), query),
        ("query: Drake, table rigid", drake_query(True), query),
        ("query: MuJoCo, four points", points, query),
        ("1 s of a fall: contact over an area, 1e-6", second, second),
        ("1 s of a fall: Drake, runge_kutta3, 1e-6", drake_second(), second),
        ("1 s at rest: MuJoCo, steps of 1 ms", 1000 * step, second),
    ]
    for name, value, base in rows:
        print(f"{name:44} {value:10.3g} s  {value / base:8.3g}")
    for name, value in times.items():
        print(f"{name:60} {value:10.3g} s")


if __name__ == "__main__":
    main()
