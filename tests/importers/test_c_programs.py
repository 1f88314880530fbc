"""Instances made and freed by C programs: memory, threads, loading again, where the FMU lies.

The scene is `soft_ball`: a trajectory of half a second has several contacts, each of about 15 ms.
"Equal" means every bit of it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from c_programs import arguments, find_tool, resources, run
from importer import Fmu
from versions import VERSIONS

MEGABYTE = 1_000_000
# At least; without them a trajectory would say little.
CONTACTS = 3
# Of the user without rights and its group.
NOBODY = 65534


@pytest.fixture(params=["me", "cs"])
def kind(request) -> str:
    """Model Exchange or Co-Simulation."""
    return request.param


@pytest.fixture
def fmu(build, fmi) -> Fmu:
    """The FMU of the scene for a version of FMI."""
    return build("soft_ball", fmi=fmi)


@pytest.fixture
def program(c_programs, fmi):
    """program(name): the C program for the version."""
    return lambda name: c_programs.path(name, fmi)


@pytest.fixture
def cycles(program, fmu, kind) -> list[str | Path]:
    """The command of the program `cycles` but for its own arguments."""
    return [program("cycles"), *arguments(fmu, kind)]


def growth(cycles: list[str | Path], what: str) -> int:
    """Growth of the resident memory [bytes] from cycle 1,000 to cycle 10,000."""
    program, *rest = cycles
    early, late = run(program, "10000", what, *rest).split()
    return int(late) - int(early)


def test_memory_does_not_grow_over_10000_instances(cycles):
    assert growth(cycles, "free") < MEGABYTE


@pytest.mark.full
def test_memory_grows_if_instances_are_not_freed(cycles):
    assert growth(cycles, "keep") > MEGABYTE


def valgrind(*command: str | Path) -> str:
    """What valgrind reports of a program that must succeed."""
    tool = find_tool("valgrind", "valgrind")
    done = subprocess.run([tool, *command], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "ERROR SUMMARY" in done.stderr, done.stderr
    return done.stderr


def lost(cycles: list[str | Path], what: str) -> list[int]:
    """Bytes definitely, indirectly and possibly lost after 100 instances."""
    program, *rest = cycles
    report = valgrind("--leak-check=full", program, "100", what, *rest)
    if "All heap blocks were freed" in report:
        return [0, 0, 0]
    found = re.findall(r"(?:definitely|indirectly|possibly) lost: ([\d,]+) bytes", report)
    assert len(found) == 3, report
    return [int(number.replace(",", "")) for number in found]


@pytest.mark.full
def test_valgrind_finds_nothing_lost_after_100_instances(cycles):
    assert lost(cycles, "free") == [0, 0, 0]


@pytest.mark.full
def test_valgrind_finds_what_is_lost_if_instances_are_not_freed(cycles):
    assert sum(lost(cycles, "keep")) > 0


@pytest.mark.full
def test_valgrind_finds_no_wrong_access(program, fmu, kind):
    report = valgrind(program("run"), *arguments(fmu, kind))
    assert "ERROR SUMMARY: 0 errors" in report, report


def test_two_instances_on_two_threads_equal_one_alone(program, fmu, kind):
    printed = run(program("threads"), "10", "trajectories", *arguments(fmu, kind))
    assert int(printed) >= CONTACTS


def test_two_threads_make_and_free_instances_at_once(program, fmu, kind):
    run(program("threads"), "2000", "lives", *arguments(fmu, kind))


@pytest.mark.full
@pytest.mark.parametrize(("count", "what"), [("1", "trajectories"), ("50", "lives")])
def test_valgrind_finds_no_race_between_two_threads(program, fmu, kind, count, what):
    command = [program("threads"), count, what, *arguments(fmu, kind)]
    report = valgrind("--tool=helgrind", *command)
    assert "ERROR SUMMARY: 0 errors" in report, report


def test_the_library_is_unloaded_and_loaded_again_with_equal_results(program, fmu, kind):
    printed = run(program("reload"), "50", *arguments(fmu, kind))
    assert int(printed) >= CONTACTS


def rows(printed: str) -> str:
    """The trajectory that the program `run` printed behind the number of contacts."""
    return printed.partition("\n")[2]


@pytest.fixture
def usual(program, fmu, kind) -> str:
    """The trajectory with a log function and the resources named in the usual way."""
    printed = run(program("run"), *arguments(fmu, kind))
    assert int(printed.split()[0]) >= CONTACTS
    return rows(printed)


def test_both_versions_give_equal_results(build, c_programs, kind):
    one, other = (
        run(c_programs.path("run", fmi), *arguments(build("soft_ball", fmi=fmi), kind))
        for fmi in VERSIONS
    )
    assert one == other


def test_the_log_function_may_be_null(program, fmu, kind, usual):
    assert rows(run(program("run"), *arguments(fmu, kind, logger=False))) == usual


def test_the_path_of_the_resources_may_end_with_a_separator(program, fmu, kind, usual):
    place = resources(fmu) + "/"
    assert rows(run(program("run"), *arguments(fmu, kind, place))) == usual


def test_the_path_of_the_resources_may_be_null(program, fmu, kind, usual):
    assert rows(run(program("run"), *arguments(fmu, kind, "-"))) == usual


@pytest.mark.parametrize("place", [None, "-"], ids=["named", "null"])
def test_the_folder_may_have_blanks_and_umlauts(program, fmu, kind, usual, place, tmp_path):
    # "%20" is no blank here, and "#" and "?" do not end the path.
    odd = fmu.copy(tmp_path / "Prüfstände für Bälle %20 #1 ?")
    assert rows(run(program("run"), *arguments(odd, kind, place))) == usual


def contents(folder: Path) -> dict[str, tuple]:
    """Everything in a folder: mode, time of the last change [ns], hash of each file."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.stat()
        data = path.read_bytes() if path.is_file() else b""
        digest = hashlib.sha256(data).hexdigest()
        found[str(path)] = (status.st_mode, status.st_mtime_ns, digest)
    return found


def test_the_folder_may_be_read_only(program, fmu, kind, usual):
    # Permissions do not bind root: for it, the program runs as a user without rights, who could
    # not reach pytest's own folders.
    nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        frozen = fmu.copy(Path(folder) / "fmu")
        command = [shutil.copy(program("run"), folder), *arguments(frozen, kind)]
        paths = [frozen.folder, *frozen.folder.rglob("*")]
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
        for path in paths:
            writable = subprocess.run(["test", "-w", path], **nobody).returncode == 0
            assert not writable, path
        before = contents(frozen.folder)
        assert rows(run(*command, cwd=frozen.folder, **nobody)) == usual
        assert contents(frozen.folder) == before
