"""Samples of parameters: distributions by their inverse functions on points of the unit cube.

Correlations are those of the normal scores of all columns, a Gaussian copula [Nataf 1962; Cario & Nelson
1997], so a normal one keeps mean and deviation, and any other its distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._errors import no_counts, refuse, wrong

if TYPE_CHECKING:
    import pandas

Method = Literal["grid", "random", "latin", "sobol"]
Spec = Sequence[Any]
Column = NDArray[Any]


def extra(error: ModuleNotFoundError, name: str = "sweep") -> ModuleNotFoundError:
    """The error of a package that is missing, with what to install."""
    message = f'{error.name} is missing: pip install "contact-fmu[{name}]"'
    return ModuleNotFoundError(message, name=error.name)


def _triangular(u: Column, low: float, mode: float, high: float) -> Column:
    turn = (mode - low) / (high - low)
    left = low + np.sqrt(u * (high - low) * (mode - low))
    right = high - np.sqrt((1 - u) * (high - low) * (high - mode))
    return np.where(u < turn, left, right)


def _normal(u: Column, mean: float, deviation: float) -> Column:
    from scipy.special import ndtri

    return mean + deviation * np.asarray(ndtri(u))


def _truncated(u: Column, mean: float, deviation: float, low: float, high: float) -> Column:
    from scipy.stats import truncnorm

    ends = (low - mean) / deviation, (high - mean) / deviation
    return np.asarray(truncnorm.ppf(u, *ends, loc=mean, scale=deviation))


def _discrete(u: Column, values: Sequence[Any], weights: Sequence[float] | None = None) -> Column:
    shares = np.ones(len(values)) if weights is None else np.asarray(weights, float)
    place = np.searchsorted(np.cumsum(shares) / shares.sum(), u, side="right")
    return np.asarray(values)[np.minimum(place, len(values) - 1)]


class Law(NamedTuple):
    """A distribution: a row of the table below."""

    inverse: Callable[..., Column]
    """Values at shares of probability."""
    form: str
    """Its entries, for messages."""
    sound: Callable[..., bool]
    """Whether the entries are possible."""
    salib: str = ""
    """Name in SALib."""
    bounds: Callable[..., list[float]] = lambda *entries: list(entries)
    """Entries in the order of SALib."""


LAWS = {
    "uniform": Law(lambda u, a, b: a + (b - a) * u, "low, high", lambda a, b: a < b, "unif"),
    "log-uniform": Law(
        lambda u, a, b: a * (b / a) ** u, "low, high, > 0", lambda a, b: 0 < a < b, "logunif"
    ),
    "normal": Law(_normal, "mean, deviation", lambda m, s: s > 0, "norm"),
    "truncated": Law(
        _truncated,
        "mean, deviation, low, high",
        lambda m, s, a, b: s > 0 and a < b,
        "truncnorm",
        lambda m, s, a, b: [a, b, m, s],
    ),
    "triangular": Law(
        _triangular,
        "low, mode, high",
        lambda a, m, b: a <= m <= b and a < b,
        "triang",
        lambda a, m, b: [a, b, (m - a) / (b - a)],
    ),
    "discrete": Law(
        _discrete,
        "values, weights of the same number",
        lambda v, w=None: len(v) > 0 and (w is None or (len(w) == len(v) and min(w) >= 0 < sum(w))),
    ),
}


def _fault(name: str, spec: Spec) -> str | None:
    if isinstance(spec, Mapping):
        return f"{name} is a table; write the name of a parameter in quotes"
    is_named = isinstance(spec, Sequence) and len(spec) > 0 and isinstance(spec[0], str)
    law = LAWS.get(spec[0]) if is_named else None
    if law is None:
        return f"{name}: {spec!r} is no distribution; there are {', '.join(LAWS)}"
    try:
        numbers = [] if spec[0] == "discrete" else spec[1:]
        good = bool(np.isfinite(np.asarray(numbers, float)).all()) and law.sound(*spec[1:])
    except (TypeError, ValueError):
        good = False
    return None if good else f"{name}: {spec!r}; give ({spec[0]!r}, {law.form})"


def checked(parameters: Mapping[str, Spec]) -> None:
    """Refuses distributions that are not possible, all at once."""
    if not isinstance(parameters, Mapping) or not parameters:
        raise wrong([f"parameters is {parameters!r:.80}; give a dict of distributions by name"])
    refuse([x for name, spec in parameters.items() if (x := _fault(name, spec)) is not None])


def problem(parameters: Mapping[str, Spec]) -> dict[str, Any]:
    """The parameters as a problem of SALib. Its samples are runs as
    ``pandas.DataFrame(samples, columns=problem["names"])``."""
    checked(parameters)
    laws = [LAWS[spec[0]] for spec in parameters.values()]
    without = [name for name, law in zip(parameters, laws) if not law.salib]
    refuse([f"{name}: SALib has no discrete distribution" for name in without])
    bounds = [law.bounds(*spec[1:]) for law, spec in zip(laws, parameters.values())]
    dists = [law.salib for law in laws]
    return {"num_vars": len(laws), "names": list(parameters), "bounds": bounds, "dists": dists}


def sample(
    parameters: Mapping[str, Spec],
    n: int | None = None,
    *,
    method: Method = "random",
    seed: int | None = None,
    correlation: Mapping[tuple[str, str], float] | None = None,
) -> pandas.DataFrame:
    """Runs of a sweep: a data frame with a column for each parameter.

    Args:
        parameters: by name ``("uniform", low, high)``, ``("log-uniform", low, high)``, ``("normal",
            mean, deviation)``, ``("truncated", mean, deviation, low, high)``, ``("triangular", low,
            mode, high)``, ``("discrete", values, weights)``; for a grid lists of values.
        n: number of runs; not for a grid. A power of two keeps the balance of sobol.
        method: all combinations of a grid, random numbers, Latin hypercube, or scrambled Sobol points.
        seed: the same runs for the same seed.
        correlation: of the normal scores of pairs of parameters, ``{("a", "b"): 0.8}``; columns that have
            one lose the even spacing of latin and sobol.

    Raises:
        ArgumentError: all that is wrong, at once.
        ModuleNotFoundError: scipy or pandas is missing.
    """
    try:
        import pandas
        from scipy.special import ndtr, ndtri
        from scipy.stats import qmc
    except ModuleNotFoundError as error:
        raise extra(error) from None
    if method == "grid" and isinstance(parameters, Mapping):
        lists = parameters.items()
        is_one = [(x, isinstance(v, (str, bytes)) or not isinstance(v, Iterable)) for x, v in lists]
        refuse(
            [f"{x} is {parameters[x]!r}; give a list, [{parameters[x]!r}]" for x, y in is_one if y]
        )
        rows = list(product(*parameters.values()))
        if n is not None or not parameters or not rows:
            raise wrong(["a grid has a list of values for each parameter, and no n"])
        frame: pandas.DataFrame = pandas.DataFrame(rows, columns=list(parameters))
        return frame
    checked(parameters)
    names, pairs = list(parameters), correlation or {}
    if not isinstance(pairs, Mapping):
        raise wrong([f"correlation is {pairs!r:.80}; give a dict, {{('a', 'b'): 0.8}}"])
    reasons = [
        f"correlation of {x!r} is {v!r}; give pairs of two parameters, each once, and -1 .. 1"
        for x, v in pairs.items()
        if not (isinstance(x, tuple) and len({*x} & {*names}) == len(x) == 2)
        or x[::-1] in pairs
        or not (isinstance(v, Real) and -1 <= v <= 1)
    ]
    reasons += ["n, the number of runs, is missing"] if n is None else no_counts(1, n=n)
    reasons += no_counts(0, seed=seed)
    if method not in ("random", "latin", "sobol"):
        reasons.append(f"method is {method!r}; must be grid, random, latin or sobol")
    refuse(reasons)
    assert n is not None
    matrix = np.eye(len(names))
    for (a, b), value in pairs.items():
        matrix[names.index(a), names.index(b)] = matrix[names.index(b), names.index(a)] = value
    try:
        factor = np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise wrong(["correlation: the matrix is not positive definite"]) from None
    generator, size = np.random.default_rng(seed), len(names)
    if method == "random":
        cube = generator.random((n, size))
    else:
        kind = qmc.Sobol if method == "sobol" else qmc.LatinHypercube
        cube = kind(size, rng=generator).random(n)
    # Ends of the cube are infinite values of a normal distribution.
    cube = np.clip(cube, 1e-16, 1 - 1e-16)
    if pairs:
        cube = ndtr(ndtri(cube) @ factor.T)
    columns = zip(names, parameters.values(), cube.T)
    frame = pandas.DataFrame({name: LAWS[s[0]].inverse(u, *s[1:]) for name, s, u in columns})
    frame.attrs["sample"] = {"method": method, "seed": seed}
    return frame
