"""``python -m contact_fmu sweep STUDY.toml``: many runs of an FMU; ``crosscheck check``: FMUs of
any tool by the rules of the FMI cross-check."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import sys
from pathlib import Path

from . import _crosscheck
from ._errors import ContactFmuError, wrong
from ._sample import sample
from ._scene import from_toml
from ._sweep import sweep

# Keys of a study: those of `sweep`, and of `sample` for its runs.
SAMPLED = [*inspect.signature(sample).parameters]
KEYS = {*SAMPLED, *inspect.signature(sweep).parameters} - {"progress"}


# Descriptions of commands, and of an option.
SWEEP = """Runs a study: a TOML file with the arguments of contact_fmu.sweep and sample as keys; reduce is
MODULE:FUNCTION, runs a CSV file, paths begin at the folder of the study. The same call again does
what is missing."""
CHECK = """Checks the files of FMUs against the rules of the FMI cross-check, runs each FMU in FMPy in a
process of its own, and compares it with its reference: an FMU passes if each signal is met within
0.2 %% of the duration and 0.2 %% of its range."""
RESULTS = """folder that results/ is made in, one of the files passed, failed and rejected for each FMU,
with a README.md of the reason unless it passed"""


def study(file: Path, scheduler: str | None, results: Path | None) -> bool:
    """Runs a study that a file describes; whether each run has success.

    Raises:
        ArgumentError: keys or values of the file that cannot be.
        ContactFmuError: no run is possible.
    """
    try:
        keys = from_toml(file.read_text("utf-8"))
    except ValueError as error:
        raise wrong([f"{file} is no TOML file: {error}"]) from None
    reasons = [f"{x} is no key; there are {', '.join(sorted(KEYS))}" for x in {*keys} - KEYS]
    reasons += [] if "fmu" in keys else ["fmu is missing"]
    texts = [(x, keys[x]) for x in ("fmu", "runs", "input", "results", "reduce") if x in keys]
    reasons += [f"{x} is {y!r}; must be a text" for x, y in texts if not isinstance(y, str)]
    drawn = {x: keys.pop(x) for x in SAMPLED if x in keys}
    if ("runs" in keys) == ("parameters" in drawn) or ("runs" in keys and drawn):
        reasons.append("give either parameters to draw, or runs as a CSV file")
    elif drawn and drawn.get("method") != "grid" and "seed" not in drawn:
        reasons.append("seed is missing; without it each call would draw other runs")
    if reasons:
        raise wrong([f"{file}: {reason}" for reason in sorted(reasons)])
    keys["results"] = results or file.parent / keys.get("results", file.stem)
    keys |= {x: file.parent / keys[x] for x in ("fmu", "input") if x in keys}
    keys |= {"client": scheduler} if scheduler else {}
    if "runs" in keys:
        keys["runs"] = file.parent / keys["runs"]
    else:
        try:
            drawn["correlation"] = {(a, b): x for a, b, x in drawn.get("correlation", [])}
        except (TypeError, ValueError):
            raise wrong([f'{file}: correlation must be a list of ["A", "B", VALUE]']) from None
        keys["runs"] = sample(**drawn)
    if "reduce" in keys:
        import cloudpickle

        # Workers do not have the module, so they get the function.
        sys.path.insert(0, str(file.absolute().parent))
        name, _, function = keys["reduce"].partition(":")
        try:
            module = importlib.import_module(name)
            keys["reduce"] = getattr(module, function)
        except Exception as error:
            told = f"{file}: reduce is {keys['reduce']!r}, which is no MODULE:FUNCTION: {error!r}"
            raise wrong([told]) from None
        cloudpickle.register_pickle_by_value(module)
    done = sweep(**keys, progress=True)
    print(done)
    frame = done.frame()
    for reason, count in frame["reason"][frame["status"] != "ok"].value_counts().head(3).items():
        print(f"{count} x {reason}", file=sys.stderr)
    return bool((frame["status"] == "ok").all())


def main() -> int:
    """Runs the command line; 0 good, 1 something is wrong with an FMU, its files or a run, 2 a
    wrong command line or study."""
    parser = argparse.ArgumentParser(prog="python -m contact_fmu", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    many = commands.add_parser("sweep", help="run an FMU many times", description=SWEEP)
    many.add_argument("study", type=Path, metavar="STUDY.toml")
    many.add_argument("--scheduler", metavar="ADDRESS", help="scheduler of Dask")
    folder = "folder of the results (beside the study)"
    many.add_argument("--results", type=Path, metavar="DIR", help=folder)
    crosscheck = commands.add_parser("crosscheck", help="judge FMUs that tools exchange")
    kinds = crosscheck.add_subparsers(required=True, metavar="check")
    told = "judge FMUs by their files and a run in FMPy"
    check = kinds.add_parser("check", help=told, description=CHECK)
    told = "FMUs, or folders of them"
    check.add_argument("paths", nargs="+", type=Path, metavar="FMU|DIR", help=told)
    check.add_argument("-o", "--out", type=Path, metavar="DIR", help=RESULTS)
    told = "time that an FMU may take [s] (300)"
    check.add_argument("--time-limit", type=float, default=300, metavar="S", help=told)
    check.add_argument("--files-only", action="store_true", help="run no FMU")
    options = parser.parse_args()
    if options.command == "sweep":
        try:
            return 0 if study(options.study, options.scheduler, options.results) else 1
        except (ContactFmuError, LookupError, ImportError, OSError, TypeError, ValueError) as error:
            print(error, file=sys.stderr)
            return 1 if type(error) in (ContactFmuError, ModuleNotFoundError) else 2
    if importlib.util.find_spec("fmpy") is None:
        lacks = "crosscheck runs FMUs in FMPy, which is missing"
        sys.exit(f'{lacks}: pip install "contact-fmu[crosscheck]"')
    paths, out, limit = options.paths, options.out, options.time_limit
    try:
        return 0 if _crosscheck.check(paths, out, limit, files_only=options.files_only) else 1
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    sys.exit(main())
