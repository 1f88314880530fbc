"""The commands of the tool as functions."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeVar, Union

from ._errors import Problem, SceneWarning, error_of, numbers, refuse, wrong
from ._progress import Display
from ._result import Result
from ._scene import Inputs, Scene, Source, write_inputs
from ._tool import Answer, PathLike, Progress, call

Number = Union[float, str]
Value = TypeVar("Value")
Naming = Literal["structured", "flat"]
Guard = Literal["importer", "off", "time"]
Profile = Literal["openmodelica"]
Interface = Literal["cs", "me"]
Solver = Literal["auto", "explicit", "implicit"]


@dataclass(frozen=True)
class Report:
    """What a scene amounts to, or what is wrong with it."""

    text: str
    """What ``fmu-build check`` prints of a good scene; empty for a bad one."""
    problems: list[Problem]
    """Errors and warnings, with line and column."""

    @property
    def ok(self) -> bool:
        """Whether an FMU can be made of the scene."""
        return not self.errors

    @property
    def errors(self) -> list[Problem]:
        """The problems that keep an FMU from being made."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The other ones."""
        return [problem for problem in self.problems if problem.severity == "warning"]

    def __str__(self) -> str:
        return self.text or "\n".join(str(problem) for problem in self.problems)


def build(
    scene: Scene,
    out: PathLike | None = None,
    *,
    fmi: Literal[2, 3] = 3,
    set: Mapping[str, Number] | None = None,
    arrays: bool | None = None,
    naming: Naming | None = None,
    tunable: bool | None = None,
    strict: bool | None = None,
    terminals: bool | None = None,
    guard: Guard | None = None,
    expose_parameters: bool | None = None,
    profile: Profile | None = None,
    binaries: Mapping[str, PathLike] | None = None,
    platforms: Iterable[str] = (),
    plot: bool = False,
    base: PathLike | None = None,
) -> Path:
    """Builds an FMU from a scene and returns its path. Warnings are `SceneWarning`.

    Args:
        scene: a scene file (TOML), or the same as a dict, for which tomli-w must be installed.
        out: the FMU, or a folder for it, where it has the name of the scene; the working directory
            unless given.
        fmi: version of FMI.
        set: start values of parameters by their names in the FMU, in SI units as a number or with a
            unit as a text: ``{"ball.mass": "500 g", "world.gravity[3]": -1.62}``.
        arrays: vectors as array variables instead of scalars (FMI 3 only).
        naming: ``ball.position[1]`` (structured) or ``ball_position_1`` (flat).
        tunable: parameters may change during a run, at events.
        strict: refuse calls that importers make beside the standard; for checkers.
        terminals: inputs and outputs by the body, joint or contact they are of, for importers that
            take terminals.
        guard: who sees a contact that starts and ends within one step of Model Exchange: every
            importer, or (off) only one that looks inside its steps, or (time) also one that looks at
            indicators too late, by time events.
        expose_parameters: parameters are shown only where a pattern of `expose` in the scene matches.
        profile: options for an importer, unless they are given: flat names, few outputs and
            parameters.
        binaries: platform and file of FMU binaries, ``{"x86_64-windows": "contact_fmu.dll"}``.
        platforms: those that the FMU shall run on, ``["x86_64-linux"]``; all that the tool has
            binaries for unless given.
        plot: run the default experiment and show its plot in the documentation inside the FMU.
        base: of a dict, the folder of meshes, tables and libraries that it names; the working
            directory unless given.

    Options that are None are those of the scene.

    Raises:
        SceneError: the scene has problems.
        SettingError: a value of `set` cannot be had.
        ArgumentError: two arguments exclude each other.
        ContactFmuError: the file cannot be written, or there is no FMU binary.
    """
    source = Source.of(scene, base)
    output = Path.cwd() if out is None else Path(out).absolute()
    command = ["build", source.argument, "--output", str(output), "--fmi", str(fmi)]
    command += _interface(
        arrays, naming, tunable, strict, terminals, guard, expose_parameters, profile
    )
    command += [f"--set={text}" for text in settings(set)] + ["--plot"] * plot
    command += _binaries(binaries, platforms)
    answer = _call(source, command)
    _warn(answer.problems)
    return Path(answer.written[0])


def check(
    scene: Scene,
    *,
    speeds: Iterable[float] = (),
    plot: PathLike | None = None,
    arrays: bool | None = None,
    naming: Naming | None = None,
    tunable: bool | None = None,
    strict: bool | None = None,
    terminals: bool | None = None,
    guard: Guard | None = None,
    expose_parameters: bool | None = None,
    profile: Profile | None = None,
    base: PathLike | None = None,
) -> Report:
    """Checks a scene. A bad one is no exception but a report with its problems.

    Args:
        scene: a scene file (TOML), or the same as a dict.
        speeds: impact speeds [m/s] at which contact laws are shown and judged.
        plot: folder for pictures of the contact laws (SVG).
        arrays: as in `build`, and so are the other options.
        naming: as in `build`.
        tunable: as in `build`.
        strict: as in `build`.
        terminals: as in `build`.
        guard: as in `build`.
        expose_parameters: as in `build`.
        profile: as in `build`.
        base: as in `build`.

    Raises:
        ArgumentError: a speed is not positive.
        ContactFmuError: something else than the scene is at fault.
    """
    source = Source.of(scene, base)
    command = ["check", source.argument]
    for speed in several("speeds", speeds, Real):
        command += ["--speed", repr(float(speed))]
    if plot is not None:
        command += ["--plot", str(Path(plot).absolute())]
    command += _interface(
        arrays, naming, tunable, strict, terminals, guard, expose_parameters, profile
    )
    answer = call(command, scene=source.given)
    problems = source.located(answer.problems)
    if answer.failed and any(x.severity == "error" and x.kind != "scene" for x in problems):
        raise error_of(problems)
    return Report(answer.text, problems)


def simulate(
    model: Scene,
    *,
    interface: Interface | None = None,
    fmi: Literal[2, 3] | None = None,
    stop: float | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    solver: Solver | None = None,
    max_steps: int | None = None,
    every: float | None = None,
    only: Iterable[str] = (),
    set: Mapping[str, Number] | None = None,
    input: Inputs | None = None,
    out: PathLike | None = None,
    binaries: Mapping[str, PathLike] | None = None,
    platforms: Iterable[str] = (),
    base: PathLike | None = None,
    replay: bool = False,
    picture: Iterable[float] = (),
    progress: bool | Progress = False,
) -> Result:
    """Simulates a scene or an FMU. Warnings are `SceneWarning`, and in the result.

    Args:
        model: a scene file (TOML), the same as a dict, or an FMU (``.fmu``) of any origin.
        interface: who integrates: the FMU (``"cs"``) or the tool (``"me"``); cs unless the FMU has
            me only.
        fmi: version of the FMU that is made of a scene; 3 unless given.
        stop: stop time [s]; that of the default experiment unless given, as are step and tolerance.
        step: time between two rows of the result, the communication step of cs [s].
        tolerance: relative tolerance [1].
        solver: in me, formula of the tool; auto unless given.
        max_steps: internal steps at most, of a communication step in cs, of a row in me.
        every: time between two rows that are kept [s], at the first step that reaches each multiple
            of it; all unless given.
        only: outputs to keep, by names or patterns, ``["ball.*", "!ball.contact_*"]``, where a leading
            ! leaves out; any other variable by its name. All outputs unless given.
        set: start values of parameters, as in `build`.
        input: values of inputs over time in SI units: a CSV file, or columns of equal length,
            ``{"time": [0, 1], "rod.force": [0, 10]}``, or a data frame, whose index is the time
            unless a column is. In me on straight lines between the rows, in cs those of each
            communication point until the next.
        out: folder for the FMU of the scene, CSV files and the plot; none are kept unless given.
        binaries: as in `build`.
        platforms: as in `build`.
        base: as in `build`.
        replay: also leaves a page with the scene in motion in `out`, ``NAME.html``.
        picture: also leaves pictures of these times [s] in `out`, as SVG and PNG.
        progress: True shows the time reached, as a bar if tqdm is installed; a function gets the
            time reached and the stop time [s], ten times a second at most; if it raises an
            exception, the simulation is ended.

    Raises:
        SceneError: the scene has problems.
        SettingError: a value of `set` cannot be had.
        SimulationError: the simulation did not come to its end.
        ArgumentError: an argument is out of range.
        ContactFmuError: the FMU or the input cannot be read, or a file cannot be written.
    """
    pictures = several("picture", picture, Real)
    for name, wanted in [("replay", replay), ("picture", bool(pictures))]:
        if wanted and out is None:
            raise wrong([f"{name} needs out, a folder that keeps its files"])
    source = Source.of(model, base)
    command = ["simulate", source.argument]
    given = [("interface", interface), ("fmi", fmi), ("solver", solver), ("max-steps", max_steps)]
    command += [f"--{name}={value}" for name, value in given if value is not None]
    limits = {"stop": stop, "step": step, "tolerance": tolerance, "every": every}
    numbers(**limits)
    times = [*limits.items(), *(("picture", time) for time in pictures)]
    command += [f"--{name}={float(value)!r}" for name, value in times if value is not None]
    command += [f"--only={pattern}" for pattern in several("only", only)]
    command += [f"--set={text}" for text in settings(set)] + _binaries(binaries, platforms)
    if out is not None:
        command += ["--out", str(Path(out).absolute())]
    with scratch_folder() as scratch, Display(progress) as display:
        if input is not None:
            command += ["--input", input_file(input, scratch)]
        if display.wanted:
            command.append("--progress")
        if replay:
            command.append("--replay")
        answer = _call(source, command, scratch, display)
    _warn(answer.problems)
    assert answer.run is not None
    return Result(
        answer.run,
        summary=answer.text,
        warnings=answer.problems,
        files=[Path(file) for file in answer.written],
        logged=answer.logged,
    )


def inspect(fmu: PathLike) -> str:
    """What an FMU says of itself: variables, interfaces, binaries, default experiment.

    Raises:
        ContactFmuError: the file is no FMU of FMI 2.0 or FMI 3.0.
    """
    source = Source.of(fmu, None)
    return _call(source, ["inspect", source.argument]).text


def run(*arguments: PathLike) -> str:
    """Runs any command of the tool and returns what it prints:
    ``run("modelica", "scene.toml", "-o", "modelica")``.

    Raises:
        ArgumentError: there is no such command or option.
        ContactFmuError: the command failed; its class says at what.
    """
    answer = call(arguments).checked()
    _warn(answer.problems)
    return answer.text


def scratch_folder() -> TemporaryDirectory[str]:
    """A folder for what is not kept."""
    return TemporaryDirectory(prefix="contact-fmu-", ignore_cleanup_errors=True)


def _call(
    source: Source,
    command: list[str],
    scratch: str | None = None,
    progress: Progress | None = None,
) -> Answer:
    answer = call(command, scene=source.given, scratch=scratch, progress=progress)
    answer.problems = source.located(answer.problems)
    return answer.checked()


def _warn(problems: Iterable[Problem]) -> None:
    for problem in problems:
        warnings.warn(str(problem), SceneWarning, stacklevel=3)


def _interface(
    arrays: bool | None,
    naming: Naming | None,
    tunable: bool | None,
    strict: bool | None,
    terminals: bool | None,
    guard: Guard | None,
    expose_parameters: bool | None,
    profile: Profile | None,
) -> list[str]:
    flags = [
        ("arrays", arrays),
        ("tunable", tunable),
        ("strict", strict),
        ("terminals", terminals),
        ("expose-parameters", expose_parameters),
    ]
    options = [f"--{name}={str(on).lower()}" for name, on in flags if on is not None]
    words = [("naming", naming), ("guard", guard), ("profile", profile)]
    return options + [f"--{name}={word}" for name, word in words if word is not None]


def settings(values: Mapping[str, Number] | None) -> list[str]:
    """Start values of parameters as the tool takes them."""
    texts, reasons = [], []
    for name, value in named(values).items():
        try:
            texts.append(f"{name}={value if isinstance(value, str) else repr(float(value))}")
        except (TypeError, ValueError):
            reasons.append(
                f"set: {name!r} is {value!r:.80}; give a number in SI units, or a text with a unit such "
                "as '500 g'; an entry of a vector has a name of its own, 'world.gravity[3]'"
            )
    refuse(reasons)
    return texts


def named(values: Mapping[str, Value] | None) -> Mapping[str, Value]:
    """Start values by name."""
    if values is not None and not isinstance(values, Mapping):
        raise wrong([f"set is {values!r:.80}; give a dict such as {{'ball.mass': 2.0}}"])
    return values or {}


def _binaries(files: Mapping[str, PathLike] | None, platforms: Iterable[str]) -> list[str]:
    given = (files or {}).items()
    options = [f"--binary={platform}={Path(file).absolute()}" for platform, file in given]
    return options + [f"--platform={platform}" for platform in several("platforms", platforms)]


def several(name: str, values: Iterable[Value], kind: type = str) -> list[Value]:
    """The values of an option that may be given several times, texts or numbers."""
    if isinstance(values, (str, float, int)):
        raise wrong([f"{name} is {values!r}; give a list, [{values!r}]"])
    found, word = list(values), "texts" if kind is str else "numbers"
    refuse([f"{name} has {x!r:.80}; must be {word}" for x in found if not isinstance(x, kind)])
    return found


def input_file(inputs: Inputs, scratch: str) -> str:
    """CSV file of inputs, written if they are columns."""
    if isinstance(inputs, (str, os.PathLike)):
        return str(Path(inputs).absolute())
    file = Path(scratch) / "inputs.csv"
    write_inputs(inputs, file)
    return str(file)
