"""libcosim: an FMU of FMI 2.0 alone in an execution of fixed steps. Mode: cs.

It asks for no other tolerance than the one that the FMU suggests. Its times are whole nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterator

from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

from grid import Job

NANOSECONDS = 1e9


def rows(job: Job) -> Iterator[list[float]]:
    """The times and values that libcosim reports."""
    step = round(job.grid.step * NANOSECONDS)
    execution = CosimExecution.from_step_size(step)
    index = execution.add_local_slave(CosimLocalSlave(str(job.fmu), "scene"))
    observer = CosimObserver.create_last_value()
    assert execution.add_observer(observer), "libcosim refuses its observer"
    references = {
        variable.name.decode(): variable.reference for variable in execution.slave_variables(index)
    }
    wanted = [references[name] for name in job.grid.names]
    for row in range(len(job.grid.times)):
        # libcosim initialises in the first step, also if that makes none.
        assert execution.step(1 if row > 0 else 0), f"libcosim refuses step {row}"
        time = execution.status().current_time / NANOSECONDS
        yield [time, *observer.last_real_values(index, wanted)]


def main() -> None:
    """Runs the mode of the command line."""
    job = Job.from_command_line()
    assert job.mode == "cs", f"unknown mode {job.mode!r}"
    log_output_level(CosimLogLevel.WARNING)
    job.write(rows(job))


if __name__ == "__main__":
    main()
