"""Parameters from measurements: least squares of weighted residuals r(p) = (y(t, p) - data) / sigma.

The parameters are scaled to 0..1 between their bounds. Columns of the Jacobian J are differences with
a step of the root of the tolerance, which stays above the noise of the integrator. Covariance of the
parameters: P S P^T with P the pseudo-inverse of J and the variances S of the residuals, 1 where sigma is
known, else a mean of each column [Bard 1974]. Residuals are independent if their differences have
twice their variance [Durbin & Watson 1950].
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._commands import Interface
from ._errors import ArgumentError, ContactFmuError, refuse, wrong
from ._result import Result
from ._runs import Plan, failure
from ._sample import extra
from ._scene import input_columns
from ._sweep import asked, impossible
from ._tool import PathLike
from ._variables import faults, variables, whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

OFFSET = "time offset"
# Autocorrelation of independent residuals, in standard deviations, that one of 30,000 exceeds.
SURE = 4.0


@dataclass(frozen=True)
class Fit:
    """Parameters found, and how well the data tell them."""

    values: dict[str, float]
    """Parameters, in SI units; ``time offset`` [s] where one was fitted."""
    intervals: dict[str, tuple[float, float]]
    """Their intervals of 95 % confidence."""
    covariance: Array
    """Covariance of the parameters in the order of `values`, in SI units."""
    correlation: Array
    """Correlation of the parameters, -1 to 1."""
    model: Result
    """Measured columns as the model has them, at the times of the data."""
    residuals: dict[str, Array]
    """Model less data of each measured column at the times of the data; NaN where these have gaps."""
    runs: int
    """Number of runs."""
    agreeing: int
    """Number of starts that ended at the same place."""
    warnings: list[str] = field(default_factory=list)
    """What the data cannot tell, and why intervals may be wrong."""

    def __str__(self) -> str:
        rows = [
            f"{name} = {value:.6g}  ({low:.6g} .. {high:.6g})"
            for (name, value), (low, high) in zip(self.values.items(), self.intervals.values())
        ]
        for name, values in self.residuals.items():
            size = np.nanmean(values**2) ** 0.5
            rows.append(f"{name}: root mean square of the residuals {size:.3g}")
        return "\n".join(rows + self.warnings)

    def plot(self) -> Figure:
        """A figure of matplotlib: data as points, model as a line, and residuals of each measured column."""
        try:
            from matplotlib.figure import Figure
        except ModuleNotFoundError as error:
            raise extra(error, "notebook") from None
        time, count = self.model.time, len(self.residuals)
        figure = Figure(figsize=(11, 1 + 2 * count), layout="constrained")
        panels = figure.subplots(count, 2, sharex=True, squeeze=False)
        for (left, right), (name, residuals) in zip(panels, self.residuals.items()):
            left.plot(time, self.model[name] - residuals, ".", time, self.model[name])
            left.set_ylabel(f"{name} [{self.model.units[name] or 1}]")
            right.plot(time, residuals, ".")
            right.set_ylabel("model less data")
        figure.supxlabel("time [s]", fontsize="medium")
        return figure


def _nothing(*_: Any) -> dict[str, float]:
    """No values of a run beside its columns."""
    return {}


def _columns(what: str, data: Mapping[str, ArrayLike]) -> dict[str, Array]:
    try:
        return {str(name): np.asarray(data[name], float) for name in data}
    except (TypeError, ValueError) as error:
        raise wrong([f"{what} must be columns of numbers: {error}"]) from None


def _spacing(times: Array, exact: bool) -> float:
    """Time between two rows of a run [s]: the longest that has a row at each time of the data, if one has."""
    shortest = float(np.diff(times).min())
    for parts in range(1, 9) if exact else ():
        places = times / shortest * parts
        if np.allclose(places, np.round(places), rtol=0, atol=1e-6):
            return shortest / parts
    return shortest / 8


def _doubts(names: list[str], place: Array, half: Array, correlation: Array) -> list[str]:
    """What data cannot tell of parameters, by places and half intervals between their bounds."""
    found = []
    for i, name in enumerate(names):
        if half[i] > 0.5:
            found.append(f"the data do not tell {name}")
        if min(place[i], 1 - place[i]) < 1e-6:
            found.append(f"{name} is at its bound")
        alike = np.flatnonzero(np.abs(correlation[i, :i]) > 0.99)
        found += [f"the data tell {names[j]} and {name} only together" for j in alike]
    return found


def _have_shape(weighted: Array, known: bool, least: float) -> bool:
    """Whether residuals are more than noise: larger, where that is known, or not independent."""
    r = weighted[np.isfinite(weighted)]
    size, sure = float(np.mean(r**2)) ** 0.5, SURE / len(r) ** 0.5
    if size <= least:
        return False
    alike = 1 - float(np.sum(np.diff(r) ** 2) / np.sum(r**2)) / 2
    return alike > sure or (known and size > 1 + sure)


def _data_faults(columns: dict[str, Array], times: Array, levels: dict[str, float]) -> list[str]:
    """What is wrong with data, whatever the FMU."""
    reasons = [
        f"{x} has no number" for x, values in columns.items() if not np.isfinite(values).any()
    ]
    if not columns or times.ndim != 1 or any(x.shape != times.shape for x in columns.values()):
        reasons.append("data need columns of the length of 'time'")
    if times.size < 2 or not (np.diff(times) > 0).all() or times[0] < 0:
        reasons.append("times of the data must be 0 or more, and grow")
    if levels and ({*levels} != {*columns} or not min(levels.values()) > 0):
        reasons.append(
            f"noise must have a value > 0 for each of {', '.join(columns)}, or be left out"
        )
    return reasons


def identify(
    fmu: PathLike,
    data: Mapping[str, ArrayLike],
    parameters: Mapping[str, tuple[float, float]],
    *,
    inputs: Mapping[str, ArrayLike] | None = None,
    noise: Mapping[str, float] | None = None,
    offset: tuple[float, float] | None = None,
    starts: int = 1,
    seed: int = 0,
    step: float | None = None,
    tolerance: float = 1e-8,
    interface: Interface | None = None,
    client: Any = False,
) -> Fit:
    """Fits parameters of an FMU to measured outputs.

    Args:
        fmu: the FMU.
        data: columns of equal length in SI units: ``time`` [s] from the start of a run, and outputs
            by their names; NaN is a gap.
        parameters: lowest and highest value of each.
        inputs: values of inputs over time, as in `simulate`.
        noise: standard deviation of each measured column. Unless given, columns weigh by the spread of
            their data, and the residuals of each tell its noise.
        offset: bounds of a shift of the data's times against those of the model [s], fitted too.
        starts: number of starts in the bounds; the first in the middle.
        seed: of the other ones.
        step: time between two rows of a run [s]; between them values are on straight lines. Unless
            given, the longest with a row at each time of the data; an eighth of the shortest time between
            two of them if there is none, or with an offset.
        tolerance: relative tolerance of a run [1].
        interface: ``"cs"`` or ``"me"``.
        client: as in `sweep`; starts and columns of a Jacobian run beside each other.

    Raises:
        ArgumentError: data, names or bounds that cannot be, all at once.
        ContactFmuError: the model fails at the start of each fit.
    """
    try:
        import pandas
        from scipy.optimize import least_squares
        from scipy.stats import qmc, t
    except ModuleNotFoundError as error:
        raise extra(error) from None
    columns, levels, known = _columns("data", data), dict(noise or {}), variables(Path(fmu))
    times, driven = columns.pop("time", np.empty(0)), dict[str, Array]()
    bounds = {**parameters, **({} if offset is None else {OFFSET: offset})}
    size, pairs = len(bounds), {x: b for x, b in bounds.items() if np.shape(b) == (2,)}
    pairs = {x: (a, b) for x, (a, b) in pairs.items() if -np.inf < a < b < np.inf}
    reasons = _data_faults(columns, times, levels)
    try:
        driven = {} if inputs is None else input_columns(inputs)
    except ArgumentError as error:
        reasons += [problem.message for problem in error.problems]
    plan = Plan(None, interface, None, step, tolerance, driven or None, _nothing, True)
    reasons += impossible(plan, pandas.DataFrame(index=[0]), client, None, 0, None, None)
    others = [*columns, *(x for x in driven if x != "time")]
    others += [x for x in parameters if x not in pairs]
    chosen = pandas.DataFrame({x: pairs[x] for x in parameters if x in pairs})
    reasons += faults(known, chosen, others)
    reasons += [f"{x}: bounds are {bounds[x]}; give (low, high)" for x in bounds if x not in pairs]
    count = sum(int(np.isfinite(column).sum()) for column in columns.values())
    if not parameters or starts < 1:
        reasons.append("there must be parameters, and starts >= 1")
    if count <= size:
        reasons.append(f"{count} values of data are too few for {size} parameters")
    refuse(reasons)
    low, high = np.array([*pairs.values()], float).T
    measured = np.array([*columns.values()])
    mask = np.isfinite(measured)
    # Columns of other units weigh by their spread, unless their noise is known.
    scale = [[levels.get(x) or float(np.nanstd(column)) or 1.0] for x, column in columns.items()]
    spacing = step or _spacing(times, offset is None)
    stop = float(times[-1]) + max(0.0, -offset[0] if offset else 0.0)
    stop = spacing * np.ceil(stop / spacing - 1e-9)
    plan = replace(plan, outputs=whole(columns, known), stop=stop, step=spacing)
    counts, ended = list[int](), list[bool]()
    points = [np.full(size, 0.5), *qmc.LatinHypercube(size, rng=seed).random(starts - 1)]

    def modelled(*several: Array) -> list[Array]:
        """Columns of runs with parameters of points, at the times of the data."""
        if ended:
            raise failure("the fit was interrupted")
        settings = [dict(zip(bounds, (low + (high - low) * x).tolist())) for x in several]
        shifts = [values.pop(OFFSET, 0.0) for values in settings]
        counts.append(len(several))
        rows = ask([*settings])
        if bad := next((row.reason for row in rows if row.status != "ok"), None):
            raise failure(bad)
        paths = [(times - shift, row.trajectory) for shift, row in zip(shifts, rows)]
        return [
            np.array([np.interp(at, path["time"], path[x]) for x in columns]) for at, path in paths
        ]

    def weighted(*several: Array) -> list[Array]:
        return [((values - measured) / scale)[mask] for values in modelled(*several)]

    def jacobian(point: Array) -> Array:
        h = tolerance**0.5
        steps = np.where(point + h <= 1, h, -h)
        middle, *moved = weighted(point, *(point + np.diag(steps)))
        return np.asarray((np.array(moved) - middle).T / steps)

    def fitted(point: Array) -> Any:
        try:
            return least_squares(
                lambda x: weighted(x)[0], point, jac=jacobian, bounds=(0, 1), x_scale="jac"
            )
        except ContactFmuError as error:
            return error

    with asked(Path(fmu), plan, client) as ask:
        if client is False:
            ends = [fitted(point) for point in points]
        else:
            with ThreadPoolExecutor(starts) as threads:
                try:
                    ends = list(threads.map(fitted, points))
                except BaseException:
                    ended.append(True)
                    raise
        fits = [end for end in ends if not isinstance(end, ContactFmuError)]
        if not fits:
            raise ends[0]
        best = min(fits, key=lambda fit: fit.cost)
        model = modelled(best.x)[0]
    agreeing = sum(bool(np.allclose(fit.x, best.x, atol=1e-3)) for fit in fits)
    left, free = model - measured, count - size
    rest = left / scale
    variances = np.ones(len(rest)) if levels else np.nanmean(rest**2, 1) * count / free
    inverse = np.linalg.pinv(best.jac, rcond=1e-7)
    covariance = (inverse * np.repeat(variances, mask.sum(1))) @ inverse.T
    deviation = np.sqrt(np.diag(covariance))
    spread = np.where(deviation > 0, deviation, 1.0)
    correlation = covariance / np.outer(spread, spread)
    told = np.linalg.norm(best.jac, axis=0) >= 1e-6
    half = np.where(told, t.ppf(0.975, free) * deviation, np.inf)
    warnings = [f"only {agreeing} of {starts} starts end here"] if agreeing < starts else []
    warnings += _doubts(list(bounds), best.x, half, correlation)
    # Residuals of exact data are those of the integrator.
    least = 0.5 if levels else tolerance**0.5
    shaped = [x for x, r in zip(columns, rest) if _have_shape(r, bool(levels), least)]
    why = "are no noise: model, units or noise are other than given, so intervals are too narrow"
    warnings += [f"the residuals of {name} {why}" for name in shaped]
    idle = {x for x in known if known[x].get("causality") == "input"}
    idle -= {*whole([*others, *parameters], known)}
    warnings += [f"no values over time of the input {name}" for name in sorted(idle)]
    found, width = low + (high - low) * best.x, (high - low) * half
    units = {x: known[whole([x], known)[0]].get("unit") for x in columns}
    fitting = {"time": times, **dict(zip(columns, model))}
    return Fit(
        dict(zip(bounds, found.tolist())),
        {x: (float(v - w), float(v + w)) for x, v, w in zip(bounds, found, width)},
        covariance * np.outer(high - low, high - low),
        correlation,
        Result({"columns": fitting, "units": units, "descriptions": {}, "events": []}),
        dict(zip(columns, left)),
        sum(counts),
        agreeing,
        warnings,
    )
