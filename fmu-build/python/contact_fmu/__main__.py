"""``python -m contact_fmu crosscheck check``: FMUs of any tool by the rules of the FMI
cross-check."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from . import _crosscheck


def main() -> int:
    """Runs the command line; 0 good, 1 something is wrong with an FMU or its files, 2 a wrong
    command line."""
    parser = argparse.ArgumentParser(prog="python -m contact_fmu", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="crosscheck")
    crosscheck = commands.add_parser("crosscheck", help="judge FMUs that tools exchange")
    kinds = crosscheck.add_subparsers(required=True, metavar="check")
    check = kinds.add_parser(
        "check",
        help="judge FMUs by their files and a run in FMPy",
        description="Checks the files of FMUs against the rules of the FMI cross-check, runs each "
        "FMU in FMPy in a process of its own, and compares it with its reference: an FMU passes "
        "if each signal is met within 0.2 %% of the duration and 0.2 %% of its range.",
    )
    check.add_argument(
        "paths", nargs="+", type=Path, metavar="FMU|DIR", help="FMUs, or folders of them"
    )
    check.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="DIR",
        help="folder that results/ is made in, one of the files "
        "passed, failed and rejected for each FMU, with a README.md of the reason unless it passed",
    )
    check.add_argument(
        "--time-limit",
        type=float,
        default=300,
        metavar="S",
        help="time that an FMU may take [s] (300)",
    )
    check.add_argument("--files-only", action="store_true", help="run no FMU")
    options = parser.parse_args()
    if importlib.util.find_spec("fmpy") is None:
        sys.exit(
            'crosscheck runs FMUs in FMPy, which is missing: pip install "contact-fmu[crosscheck]"'
        )
    try:
        good = _crosscheck.check(
            options.paths, options.out, options.time_limit, files_only=options.files_only
        )
    except ValueError as error:
        sys.exit(str(error))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
