"""Variables of an FMU by its description, and refusal of what no run can have."""

from __future__ import annotations

import difflib
import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from ._errors import failed
from ._scene import SCENE

if TYPE_CHECKING:
    import pandas

Variables = Mapping[str, Mapping[str, str]]
# Columns of results beside parameters and values.
RESERVED = ("run", "status", "reason", "seconds")


def variables(fmu: Path) -> dict[str, dict[str, str]]:
    """Attributes of the variables of an FMU, with those of their types.

    Raises:
        ContactFmuError: the file is no FMU.
    """
    try:
        with zipfile.ZipFile(fmu) as archive:
            root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    except (OSError, zipfile.BadZipFile, KeyError, ElementTree.ParseError) as error:
        raise failed("other", f"{fmu} is no FMU: {error}") from None
    types: dict[str, dict[str, str]] = {}
    for entry in root.iterfind("TypeDefinitions/*"):
        types[entry.get("name", "")] = {**entry.attrib, **(entry[0].attrib if len(entry) else {})}
    found = {}
    for entry in root.iterfind("ModelVariables/*"):
        own = {**entry.attrib, **(entry[0].attrib if entry.tag == "ScalarVariable" else {})}
        sizes = str(sum(part.tag == "Dimension" for part in entry))
        found[own["name"]] = {**types.get(own.get("declaredType", ""), {}), **own, "sizes": sizes}
    return found


def _array(name: str) -> str:
    return re.sub(r"\[[\d, ]+\]$", "", name)


def whole(names: Iterable[str], known: Variables) -> list[str]:
    """Variables of names, of which some may be those of entries of arrays."""
    return [*dict.fromkeys(name if name in known else _array(name) for name in names)]


def similar(name: str, known: Variables) -> str | None:
    """What is wrong with a name, or with that of an entry of an array."""
    if name in known or known.get(_array(name), {}).get("sizes", "0") > "0":
        return None
    likely = difflib.get_close_matches(name, known, n=3)
    likely = sorted(likely) or [x for x in known if x.endswith(f".{name}")][:3]
    hint = f"; did you mean {', '.join(likely)}?" if likely else ""
    return f"{name} is no variable of the FMU{hint}"


def faults(known: Variables, runs: pandas.DataFrame, others: Iterable[str]) -> list[str]:
    """What is wrong with names and values of runs, and with names of outputs and inputs."""
    found = [x for name in others if (x := similar(name, known))]
    for name in runs:
        if name in RESERVED:
            found.append(f"{name} is a column of the results; a parameter cannot have this name")
        elif str(name).startswith(SCENE):
            continue
        elif reason := similar(str(name), known):
            found.append(reason)
        else:
            about = known.get(str(name)) or known[_array(str(name))]
            if "start" not in about or about.get("variability") == "constant":
                found.append(f"{name} has no start value, so it cannot be set")
            elif reason := _range(runs[name], about):
                found.append(f"{name} is {reason}")
    return found


def _range(column: pandas.Series[Any], about: Mapping[str, str]) -> str | None:
    """The first value out of range. A text has a unit, so the FMU judges it."""
    import pandas

    low, high = float(about.get("min", "-inf")), float(about.get("max", "inf"))
    is_text = column.map(lambda value: isinstance(value, str)).to_numpy(bool)
    values = pandas.to_numeric(column.where(~is_text), errors="coerce")
    good = is_text | (values.between(low, high) & (values.abs() < float("inf"))).to_numpy(bool)
    if good.all():
        return None
    row = int(good.argmin())
    limits = f"in {low:g} .. {high:g}" if max(high, -low) < float("inf") else "a finite number"
    return f"{column.iloc[row]} in row {row}; must be {limits}"
