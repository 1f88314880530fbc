"""fmu-manipulation-toolbox: the checks of its command `fmutool`. Mode: check.

The command ends with success whatever it finds, so its report is read.
"""

from __future__ import annotations

import subprocess
import sys

from grid import Job

COMPLIANT = "This FMU seems to be compliant with FMI-"
NO_ERROR = "No semantic error against the FMI-"


def main() -> None:
    """Runs the mode of the command line."""
    job = Job.from_command_line()
    assert job.mode == "check", f"unknown mode {job.mode!r}"
    module = "fmu_manipulation_toolbox.cli.fmutool"
    command = [sys.executable, "-m", module, "-input", str(job.fmu), "-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    report = done.stdout + done.stderr
    good = COMPLIANT in report and NO_ERROR in report and "ERROR" not in report
    assert good, report


if __name__ == "__main__":
    main()
