"""ecos: an FMU alone in a Co-Simulation of fixed steps. Mode: cs.

ecos asks for no other tolerance than the one that the FMU suggests.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path

from grid import Job

# The library inside the package ecospy needs this one, which the package tbb holds; once loaded, it
# is found by its name.
ctypes.CDLL(str(Path(sys.prefix) / "lib" / "libtbb.so.12"))

from ecospy import EcosLib, EcosSimulation, EcosSimulationStructure  # noqa: E402


def rows(job: Job) -> Iterator[list[float]]:
    """The times and values that ecos reports."""
    with EcosSimulationStructure() as structure:
        structure.add_model("scene", str(job.fmu))
        with EcosSimulation(structure=structure, step_size=job.grid.step) as simulation:
            simulation.init(job.grid.times[0])
            for index in range(len(job.grid.times)):
                if index > 0:
                    simulation.step(1)
                values = [simulation.get_real(f"scene::{name}") for name in job.grid.names]
                yield [simulation.get_time(), *values]
            simulation.terminate()


def main() -> None:
    """Runs the mode of the command line."""
    job = Job.from_command_line()
    assert job.mode == "cs", f"unknown mode {job.mode!r}"
    EcosLib.set_log_level("warn")
    job.write(rows(job))


if __name__ == "__main__":
    main()
