"""Parameters from measurements: least squares of weighted residuals r(p) = (y(t, p) - data) / sigma.

The parameters are scaled to 0..1 between their bounds. Columns of the Jacobian are differences with
a step of the root of the tolerance, which stays above the noise of the integrator. Covariance of the
parameters: (J^T J)^-1, times r^T r / (m - n) where sigma is not known [Bard 1974].
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._commands import Interface
from ._errors import ContactFmuError, wrong
from ._runs import Plan, failure
from ._sample import extra
from ._sweep import asked
from ._tool import PathLike
from ._variables import similar, variables, whole

Array = NDArray[np.float64]

OFFSET = "time offset"


@dataclass(frozen=True)
class Fit:
    """Parameters found, and how well the data tell them."""

    values: dict[str, float]
    """Parameters, in SI units."""
    intervals: dict[str, tuple[float, float]]
    """Their intervals of 95 % confidence."""
    covariance: Array
    correlation: Array
    residuals: dict[str, Array]
    """Model less data of each measured column at the times of the data; NaN where these have gaps."""
    runs: int
    """Number of runs."""
    agreeing: int
    """Number of starts that ended at the same place."""
    warnings: list[str] = field(default_factory=list)
    """What the data cannot tell."""

    def __str__(self) -> str:
        rows = [f"{x} = {v:.6g}  ({a:.6g} .. {b:.6g})" for x, v, (a, b) in self._rows()]
        for name, values in self.residuals.items():
            rows.append(
                f"{name}: root mean square of the residuals {np.nanmean(values**2) ** 0.5:.3g}"
            )
        return "\n".join(rows + self.warnings)

    def _rows(self) -> list[tuple[str, float, tuple[float, float]]]:
        return [(name, value, self.intervals[name]) for name, value in self.values.items()]


def _nothing(*_: Any) -> dict[str, float]:
    """No values of a run beside its columns."""
    return {}


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
            their data, with one factor for all that the residuals tell.
        offset: bounds of a shift of the data's times against those of the model [s], fitted too.
        starts: number of starts in the bounds; the first in the middle.
        seed: of the other ones.
        step: time between two rows of a run [s]; between them values are on straight lines. The
            shortest time between two data unless given, an eighth of it with an offset.
        tolerance: relative tolerance of a run [1].
        interface: ``"cs"`` or ``"me"``.
        client: as in `sweep`; starts and columns of a Jacobian run beside each other.

    Raises:
        ArgumentError: data, names or bounds that cannot be, all at once.
        ContactFmuError: the model fails at the start of each fit.
    """
    try:
        from scipy.optimize import least_squares
        from scipy.stats import qmc, t
    except ModuleNotFoundError as error:
        raise extra(error) from None
    columns = {str(name): np.asarray(data[name], float) for name in data}
    times, names = columns.pop("time", np.empty(0)), list(parameters)
    known, levels = variables(Path(fmu)), dict(noise or {})
    reasons = [x for name in [*columns, *names] if (x := similar(name, known))]
    if levels and ({*levels} != {*columns} or not min(levels.values()) > 0):
        reasons.append(
            f"noise must have a value > 0 for each of {', '.join(columns)}, or be left out"
        )
    if not parameters or starts < 1 or not (step is None or step > 0):
        reasons.append("there must be parameters, starts >= 1, and step > 0")
    bounds = {**parameters, **({} if offset is None else {OFFSET: offset})}
    faults = [x for x, (a, b) in bounds.items() if not (np.isfinite([a, b]).all() and a < b)]
    reasons += [f"{name}: bounds are {bounds[name]}; give (low, high)" for name in faults]
    if any(len(column) != len(times) for column in columns.values()) or not columns:
        reasons.append("data need columns of the length of 'time'")
    if len(times) < 2 or not (np.diff(times) > 0).all() or times[0] < 0:
        reasons.append("times of the data must be 0 or more, and grow")
    if reasons:
        raise wrong(reasons)
    low, high = (np.array([x[i] for x in bounds.values()], float) for i in (0, 1))
    mask = np.concatenate([np.isfinite(column) for column in columns.values()])
    # Columns of other units weigh by their spread, unless their noise is known.
    scale = {x: levels.get(x) or float(np.nanstd(column)) or 1.0 for x, column in columns.items()}
    spacing = float(np.diff(times).min()) if step is None else step
    spacing /= 8 if offset and step is None else 1
    stop = float(times[-1]) + max(0.0, -offset[0] if offset else 0.0)
    stop = spacing * np.ceil(stop / spacing - 1e-9)
    chosen = (whole(columns, known), interface, stop, spacing, tolerance, inputs)
    plan = Plan(*chosen, reduce=_nothing, trajectories=True)
    size, counts = len(bounds), list[int]()
    points = [np.full(size, 0.5), *qmc.LatinHypercube(size, rng=seed).random(starts - 1)]

    ended: list[bool] = []

    def residuals(*several: Array) -> list[Array]:
        if ended:
            raise failure("the fit was interrupted")
        settings = [dict(zip(bounds, (low + (high - low) * x).tolist())) for x in several]
        shifts = [values.pop(OFFSET, 0.0) for values in settings]
        counts.append(len(several))
        rows = ask([*settings])
        if bad := next((row.reason for row in rows if row.status != "ok"), None):
            raise failure(bad)
        paths = [row.trajectory for row in rows]
        return [
            np.concatenate(
                [
                    (np.interp(times - shift, path["time"], path[x]) - column) / scale[x]
                    for x, column in columns.items()
                ]
            )
            for shift, path in zip(shifts, paths)
        ]

    def kept(point: Array) -> Array:
        present: Array = residuals(point)[0][mask]
        return present

    def jacobian(point: Array) -> Array:
        h = tolerance**0.5
        steps = [h if x + h <= 1 else -h for x in point]
        moved = [point + step * np.eye(size)[i] for i, step in enumerate(steps)]
        middle, *others = (values[mask] for values in residuals(point, *moved))
        matrix: Array = np.column_stack([(x - middle) / h for x, h in zip(others, steps)])
        return matrix

    def fitted(point: Array) -> Any:
        try:
            return least_squares(kept, point, jac=jacobian, bounds=(0, 1), x_scale="jac")
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
        rest = np.split(residuals(best.x)[0], len(columns))
    agreeing = sum(bool(np.allclose(fit.x, best.x, atol=1e-3)) for fit in fits)
    free = max(1, int(mask.sum()) - size)
    variance = 1.0 if set(levels) >= set(columns) else 2 * best.cost / free
    covariance = variance * np.linalg.pinv(best.jac.T @ best.jac, rcond=1e-14)
    deviation = np.sqrt(np.diag(covariance))
    spread = np.where(deviation > 0, deviation, 1.0)
    correlation = covariance / np.outer(spread, spread)
    told = np.linalg.norm(best.jac, axis=0) >= 1e-6
    half = np.where(told, t.ppf(0.975, free) * deviation, np.inf)
    warnings = (
        [f"only {agreeing} of {starts} starts end at this place"] if agreeing < starts else []
    )
    labels = list(bounds)
    for i, name in enumerate(labels):
        if half[i] > 0.5:
            warnings.append(f"the data do not tell {name}")
        elif min(best.x[i], 1 - best.x[i]) < 1e-6:
            warnings.append(f"{name} is at its bound")
        for j in range(i):
            if abs(correlation[i, j]) > 0.99:
                warnings.append(f"the data tell {labels[j]} and {name} only together")
    found, width = low + (high - low) * best.x, (high - low) * half
    return Fit(
        dict(zip(bounds, found.tolist())),
        {x: (float(v - w), float(v + w)) for x, v, w in zip(bounds, found, width)},
        covariance * np.outer(high - low, high - low),
        correlation,
        {name: r * scale[name] for name, r in zip(columns, rest)},
        sum(counts),
        agreeing,
        warnings,
    )
