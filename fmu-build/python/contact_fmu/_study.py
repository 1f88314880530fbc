"""The folder of a study: ``study.json``, and files of Parquet with a row for each run.

Each file is replaced as a whole, so a client that dies leaves good ones. A part has the rows of several
tasks; values over time have files of their own with the number of the part.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._errors import ContactFmuError, wrong
from ._runs import Row, failure, without
from ._sample import extra
from ._tool import PathLike
from ._variables import RESERVED

if TYPE_CHECKING:
    import pandas

# Rows after which a part is closed; until then it is written again with the rows that come.
PART = 250


class Study:
    """A folder of results: ``study.json``, and files of Parquet with a row for each run."""

    def __init__(self, folder: PathLike) -> None:
        try:
            import pandas  # noqa: F401
        except ModuleNotFoundError as error:
            raise extra(error) from None
        self.folder = Path(folder)
        try:
            self.about: dict[str, Any] = json.loads((self.folder / "study.json").read_text())
        except (OSError, ValueError) as error:
            raise failure(f"{self.folder} has no study: {error}") from None
        self._temporary: Any = None

    @property
    def parts(self) -> list[Path]:
        """The files of rows, in the order in which they were written."""
        return sorted(self.folder.glob("part-*.parquet"))

    def frame(self) -> pandas.DataFrame:
        """A row for each run that has ended: parameters, values, status, reason, seconds."""
        import pandas

        values = self.about["values"] or []
        names = ["run", *self.about["parameters"], *values, *RESERVED[1:]]
        frames = [_read(part) for part in self.parts] or [pandas.DataFrame(columns=names)]
        frame: pandas.DataFrame = pandas.concat(frames).reindex(columns=names)
        frame = frame.set_index("run").sort_index()
        frame.attrs["units"] = self.about["units"]
        return frame

    def trajectory(self, run: int) -> pandas.DataFrame:
        """Values over time of a run, if they were kept."""
        import pandas

        for file in self.folder.glob("trajectories-*.parquet"):
            found = pandas.read_parquet(file, filters=[("run", "==", run)])
            if len(found):
                frame: pandas.DataFrame = found.drop(columns="run").set_index("time")
                return frame
        raise KeyError(f"run {run} has no trajectory")

    def __repr__(self) -> str:
        counts = self.frame()["status"].value_counts()
        told = ", ".join(f"{count} {status}" for status, count in counts.items())
        return f"<Study {self.folder}: {self.about['n']} runs, {told or 'none ended'}>"

    def _write(self, name: str, columns: Mapping[str, Any]) -> None:
        import pyarrow
        from pyarrow import parquet

        table, units = pyarrow.table(dict(columns)), self.about["units"]
        fields = [
            x.with_metadata({"unit": units[x.name]}) if x.name in units else x for x in table.schema
        ]
        table = table.cast(pyarrow.schema(fields))
        _replace(self.folder / name, lambda new: parquet.write_table(table, new))


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Writes a file that is there in full or as it was."""
    new = path.with_name(f"{path.name}.new")
    try:
        write(new)
        os.replace(new, path)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        raise _unwritten(path, error) from None


def _describe(folder: Path, about: dict[str, Any]) -> None:
    _replace(folder / "study.json", lambda new: new.write_text(json.dumps(about, indent=1)))


def _read(part: Path, columns: list[str] | None = None) -> pandas.DataFrame:
    import pandas

    try:
        frame: pandas.DataFrame = pandas.read_parquet(part, columns=columns)
    except (OSError, ValueError) as error:
        raise failure(f"{part}: {error}; without this file its runs are repeated") from None
    return frame


def _unwritten(path: Path, error: OSError) -> ContactFmuError:
    return failure(f"{path} cannot be written: {error}; the same call does what is missing")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other clients from a folder, as long as this process lives."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "study.json").exists() and any(
            x.name != "lock" and x.suffix != ".new" for x in folder.iterdir()
        ):
            raise wrong([f"{folder} has other files and no study; give a new folder"])
        file = (folder / "lock").open("w")
    except OSError as error:
        raise _unwritten(folder, error) from None
    with file:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise failure(f"another sweep writes into {folder}") from None
        except OSError:
            pass  # A file system without locks.
        yield


@dataclass
class Sheet:
    """Rows on their way into the files of a study."""

    study: Study
    runs: pandas.DataFrame
    done: NDArray[np.bool_]
    """Whether each run has a row."""
    failures: int = 0
    """Number of rows without success."""
    number: int = 0
    rows: list[Row] = field(default_factory=list)
    """Rows of the last part."""

    @staticmethod
    def of(folder: Path, about: dict[str, Any], runs: pandas.DataFrame, rerun: str | None) -> Sheet:
        """That of a new folder, or of one as it was left."""
        # As it is read.
        about = json.loads(json.dumps(about, default=lambda x: x.tolist()))
        if not (folder / "study.json").is_file():
            _describe(folder, about)
        study = Study(folder)
        free = ("sample", "values", "versions")
        other = [x for x in about if x not in free and study.about.get(x) != about[x]]
        if other:
            told = f"{folder} has another study: other {', '.join(other)}; give a new folder"
            raise wrong([told])
        sheet = Sheet(study, runs, np.zeros(len(runs), bool))
        for part in study.parts:
            frame = _read(part, ["run", "status"])
            good = frame["status"] == "ok"
            if rerun == "failed" and not good.all():
                whole = _read(part)[good]
                study._write(part.name, {str(x): whole[x].to_numpy() for x in whole})
                frame = frame[good]
            sheet.done[frame["run"]] = True
            sheet.failures += int((frame["status"] != "ok").sum())
            sheet.number = 1 + int(part.stem[5:])
        for file in folder.glob("trajectories-*.parquet"):
            if not (folder / f"part-{file.stem[13:]}.parquet").exists():
                # Its part was not written, so its runs are repeated.
                file.unlink()
        return sheet

    def add(self, rows: list[Row]) -> None:
        """Writes rows."""
        about, taken = self.study.about, {*RESERVED, *self.study.about["parameters"]}
        for i, row in enumerate(rows):
            if row.status == "ok":
                told = [f"{x}, which is a column already" for x in row.values if x in taken]
                if not told and about["values"] is None:
                    about["values"] = list(row.values)
                    _describe(self.study.folder, about)
                elif not told and {*row.values} != {*about["values"]}:
                    told = [f"{', '.join(row.values)}; must be {', '.join(about['values'])}"]
                if told:
                    rows[i] = without(row.run, "failed", f"reduce returned {told[0]}", row.seconds)
            self.failures += rows[i].status != "ok"
            self.done[row.run] = True
        self.rows += rows
        if not self.rows:
            return
        kept = [row for row in rows if row.trajectory]
        if kept:
            sizes = [len(row.trajectory["time"]) for row in kept]
            index = np.repeat([row.run for row in kept], sizes)
            paths = {
                x: np.concatenate([row.trajectory[x] for row in kept]) for x in kept[0].trajectory
            }
            self.study._write(f"trajectories-{self.number:06d}.parquet", {**paths, "run": index})
        columns: dict[str, Any] = {"run": [row.run for row in self.rows]}
        places = self.runs.iloc[columns["run"]]
        columns |= {str(name): places[name].to_numpy() for name in self.runs}
        values = about["values"] or ()
        columns |= {x: [row.values.get(x, np.nan) for row in self.rows] for x in values}
        columns |= {x: [getattr(row, x) for row in self.rows] for x in RESERVED[1:]}
        self.study._write(f"part-{self.number:06d}.parquet", columns)
        if kept or len(self.rows) >= PART:
            self.number, self.rows = self.number + 1, []
