"""FMPy: its own simulation loops with the settings that the FMU suggests.

Modes: check (FMPy's validation); me (CVODE); cs; cs-events (event mode and early return, FMI 3.0
only); state (saved half way, run on, restored, run on); bytes-save and bytes-load (the state as
bytes half way, loaded by another process).
"""

from __future__ import annotations

import tempfile

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.simulation import instantiate_fmu

from grid import Job
from validation import problems


def simulate(job: Job, **options) -> np.ndarray:
    """FMPy's result on the grid, times in the first column."""
    result = simulate_fmu(
        **options, output=job.grid.names, output_interval=job.grid.step, record_events=False
    )
    return np.array(result.tolist())


class Half:
    """A Co-Simulation instance, its FMU, and the time in the middle of the grid [s]."""

    def __init__(self, job: Job, folder: str):
        self.job, self.folder = job, folder
        extract(str(job.fmu), unzipdir=folder)
        self.description = read_model_description(folder)
        self.instance = instantiate_fmu(folder, self.description, "CoSimulation")
        self.middle = job.grid.times[len(job.grid.times) // 2]
        # FMPy names the calls as each version of the standard does.
        two = self.description.fmiVersion == "2.0"
        letter, verb = ("s", "deSerialize") if two else ("S", "deserialize")
        self.save = getattr(self.instance, f"getFMU{letter}tate")
        self.restore = getattr(self.instance, f"setFMU{letter}tate")
        self.release = getattr(self.instance, f"freeFMU{letter}tate")
        self.to_bytes = getattr(self.instance, f"serializeFMU{letter}tate")
        self.from_bytes = getattr(self.instance, f"{verb}FMU{letter}tate")

    def run(self, start: float, stop: float) -> np.ndarray:
        """Runs the instance on; initialises it if the start is that of the grid."""
        return simulate(
            self.job,
            filename=self.folder,
            model_description=self.description,
            fmu_instance=self.instance,
            start_time=start,
            stop_time=stop,
            initialize=start == self.job.grid.times[0],
            terminate=False,
            set_stop_time=False,
        )

    def first(self) -> np.ndarray:
        """From the start to the middle."""
        return self.run(self.job.grid.times[0], self.middle)

    def second(self) -> np.ndarray:
        """From the middle to the end, without its first row, the last of the first half."""
        return self.run(self.middle, self.job.grid.times[-1])[1:]


def state(job: Job, folder: str) -> np.ndarray:
    """The motion after restoring the state, once it equals the first one to the bit."""
    half = Half(job, folder)
    begin = half.first()
    saved = half.save()
    unbroken = half.second()
    half.restore(saved)
    restored = half.second()
    half.release(saved)
    assert np.array_equal(unbroken, restored), "the motion after restoring the state differs"
    return np.concatenate([begin, restored])


def bytes_save(job: Job, folder: str) -> np.ndarray:
    """The unbroken motion; the state in the middle goes into RESULT.state."""
    half = Half(job, folder)
    begin = half.first()
    saved = half.save()
    job.result.with_suffix(".state").write_bytes(half.to_bytes(saved))
    half.release(saved)
    return np.concatenate([begin, half.second()])


def bytes_load(job: Job, folder: str) -> np.ndarray:
    """The second half alone, from RESULT.state."""
    half = Half(job, folder)
    saved = half.from_bytes(job.result.with_suffix(".state").read_bytes())
    half.restore(saved)
    half.release(saved)
    return half.second()


def main() -> None:
    """Runs the mode of the command line."""
    job = Job.from_command_line()
    whole = {"filename": str(job.fmu), "stop_time": job.grid.times[-1]}
    with tempfile.TemporaryDirectory() as folder:
        match job.mode:
            case "check":
                found = problems(job.fmu)
                assert not found, found
                return
            case "me":
                rows = simulate(job, **whole, fmi_type="ModelExchange")
            case "cs":
                rows = simulate(job, **whole, fmi_type="CoSimulation")
            case "cs-events":
                events = {"use_event_mode": True, "early_return_allowed": True}
                rows = simulate(job, **whole, fmi_type="CoSimulation", **events)
                # FMPy has a row more for each early return.
                assert len(rows) > len(job.grid.times), "no step returned early at an event"
            case "state":
                rows = state(job, folder)
            case "bytes-save":
                rows = bytes_save(job, folder)
            case "bytes-load":
                rows = bytes_load(job, folder)
            case _:
                raise ValueError(f"unknown mode {job.mode!r}")
    job.write(rows)


if __name__ == "__main__":
    main()
