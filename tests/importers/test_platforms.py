"""One FMU on every platform: the same bits on Linux for x86_64 and ARM and on Windows, libraries that
load on old systems, paths and the unloading of Windows.

Runs with `tests/run --full`, which makes the binaries first (fmu-build/release/build-binaries) where it can.
"""

from __future__ import annotations

import re
import struct
import zipfile
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from conftest import EXAMPLES, ROOT, SELF_MOVING, target_folder
from importer import Fmu
from platforms import TARGETS, Machine, folder_of_binaries, library, needs_binaries

pytestmark = [pytest.mark.full, needs_binaries]

# In steps of 10 ms: a second, of what takes an emulated processor minutes the part with most of its contacts.
ROWS = 100
FEWER = {"billiard_break": 25, "box_stack": 25, "dominoes": 25, "masonry_arch": 25}
# Names of the functions that the DLL may need: of every Windows since 10, none of sockets or users.
WINDOWS_LIBRARIES = {"kernel32.dll", "ntdll.dll"}


@pytest.fixture(scope="session")
def machines(tmp_path_factory) -> dict[str, Machine]:
    """A machine for each platform."""
    folder = tmp_path_factory.mktemp("machines")
    made = {}
    for platform in TARGETS:
        (folder / platform).mkdir()
        made[platform] = Machine(platform, folder / platform)
    return made


@pytest.fixture(scope="session")
def everywhere(build):
    """everywhere(scene, fmi): an FMU with the binaries of all platforms."""
    options = tuple(word for platform in TARGETS for word in ("--platform", platform))
    return lambda scene, fmi: build(scene, fmi=fmi, options=options)


def arguments(
    machine: Machine, fmu: Fmu, kind: str, place: str | None = None, outputs: bool = False
) -> list[str]:
    """Arguments of the C programs, with paths as the platform has them; in Co-Simulation the rows may
    have the outputs too."""
    resources = fmu.folder / "resources"
    if place is None:
        place = machine.uri(resources) if fmu.version == 2 else machine.path(resources)
    names = list(fmu.states)
    if outputs:
        real = {"Float64", "Real"}
        variables = fmu.description.modelVariables
        found = [v.name for v in variables if v.causality == "output" and v.type in real]
        names += [name for name in found if name not in names]
    states = [str(fmu.references[name]) for name in names]
    indicators = str(fmu.description.numberOfEventIndicators)
    binary = library(fmu.folder, machine.platform, fmu.version)
    token = fmu.description.guid
    return [machine.path(binary), token, place, kind, "log", indicators, *states]


def trajectory(machine: Machine, fmu: Fmu, kind: str) -> str:
    program = machine.program("run", fmu.version)
    return machine.run(program, *arguments(machine, fmu, kind)).replace("\r\n", "\n")


@pytest.mark.parametrize("scene", EXAMPLES, ids=lambda path: path.parent.name)
def test_examples_give_the_same_bits_everywhere(everywhere, machines, scene):
    # FMI 2.0 has the same bits on this platform, as other tests say.
    fmu = everywhere(scene, 3)
    rows = FEWER.get(scene.parent.name, ROWS)
    results = {}
    for name, machine in machines.items():
        program = machine.program("run", 3, f"-DSTEPS={rows}", "-DSTEP_SIZE=1e-2")
        results[name] = machine.run(program, *arguments(machine, fmu, "cs", outputs=True)).split()
    first = results["x86_64-linux"]
    columns = (len(first) - 1) // rows
    assert len(first) == 1 + rows * columns and columns > len(fmu.states)
    # Something moves, where the scene does without inputs.
    assert scene not in SELF_MOVING or len(set(first)) > rows
    for name, result in results.items():
        assert result == first, name


def test_model_exchange_gives_the_same_bits_everywhere(everywhere, machines, fmi):
    fmu = everywhere("soft_ball", fmi)
    first, *others = [trajectory(machine, fmu, "me") for machine in machines.values()]
    assert int(first.split()[0]) >= 3
    assert all(other == first for other in others)


def test_three_platforms_are_in_one_small_file(everywhere):
    scene = ROOT / "examples" / "bouncing_ball" / "scene.toml"
    with zipfile.ZipFile(everywhere(scene, 3).archive) as archive:
        sizes = {e.filename: e.compress_size for e in archive.infolist()}
    binaries = {name: size for name, size in sizes.items() if name.startswith("binaries/")}
    assert len(binaries) == len(TARGETS)
    # 5.60 MB, 5.82 MB since threads share a granular step and there are triggers and sums of contacts.
    assert sum(sizes.values()) < 7.2e6, sizes


@pytest.mark.parametrize("platform", ["x86_64-linux", "aarch64-linux"])
def test_libraries_need_no_newer_glibc_than_2_17(platform):
    with (folder_of_binaries() / platform / "libcontact_fmu.so").open("rb") as file:
        elf = ELFFile(file)
        sections = [s for s in elf.iter_sections() if isinstance(s, GNUVerNeedSection)]
        names = [x.name for s in sections for _, parts in s.iter_versions() for x in parts]
        needed = [t.needed for t in elf.get_section_by_name(".dynamic").iter_tags("DT_NEEDED")]
    versions = [tuple(map(int, name.split("_")[1].split("."))) for name in names if "GLIBC_" in name]
    assert versions and max(versions) <= (2, 17), names
    assert all(re.match(r"(libc|libm|libdl|libpthread|ld-linux.*)\.so", name) for name in needed), needed


# Words of the parts that the linker adds, and how the list of licences names them: libunwind's prefix of
# its messages, the run-time's of its own; stat of a glibc before 2.33 is in libc_nonshared.
PARTS = {
    b"libunwind: ": ("- libunwind of LLVM", TARGETS),
    b"__fxstat64": ("- libc_nonshared of the GNU C Library", ("x86_64-linux", "aarch64-linux")),
    b"Mingw-w64 runtime failure:": ("- run-time of mingw-w64", ("x86_64-windows",)),
}


def test_parts_that_the_linker_adds_are_in_the_list_of_licences_with_their_texts(everywhere, fmi):
    fmu = everywhere("soft_ball", fmi)
    text = (fmu.folder / "documentation" / "licenses" / "third-party.txt").read_text()
    for words, (name, platforms) in PARTS.items():
        found = {p for p in TARGETS if words in library(fmu.folder, p, fmi).read_bytes()}
        assert found == set(platforms), words
        assert name in text
    (zig,) = (target_folder() / "binaries-build" / "venv").glob("lib/python3*/site-packages/ziglang")
    licences = ROOT / "fmu-build" / "licenses" / "linked"
    for own, theirs in [
        ("libunwind.txt", "lib/libunwind/LICENSE.TXT"),
        ("zig.txt", "LICENSE"),
        ("mingw-w64.txt", "lib/libc/mingw/COPYING"),
    ]:
        assert (licences / own).read_text() == (zig / theirs).read_text(), own
    # The leave that is in the files of libc_nonshared.
    source = " ".join((zig / "lib" / "libc" / "glibc" / "stdlib" / "atexit.c").read_text().split())
    assert " ".join((licences / "glibc.txt").read_text().split()) in source
    plain = " ".join(text.split())
    for own in ["zig.txt", "mingw-w64.txt", "glibc.txt"]:
        assert " ".join((licences / own).read_text().split()) in plain, own
    assert "---- LLVM Exceptions to the Apache 2.0 License ----" in plain


def portable_executable(path: Path) -> tuple[list[str], list[str]]:
    """Names that a DLL exports, and the libraries that it needs, by the format's description
    (Microsoft, PE Format: optional header, data directories 0 and 1)."""
    data = path.read_bytes()
    header = struct.unpack_from("<I", data, 0x3C)[0]
    sections, optional = struct.unpack_from("<H", data, header + 6)[0], header + 24
    size = struct.unpack_from("<H", data, header + 20)[0]
    assert struct.unpack_from("<H", data, optional)[0] == 0x20B, "not a 64-bit file"
    table = [
        struct.unpack_from("<IIII", data, optional + size + 40 * i + 8) for i in range(sections)
    ]

    def offset(address: int) -> int:
        for length, start, raw_length, raw in table:
            if start <= address < start + max(length, raw_length):
                return address - start + raw
        raise AssertionError(hex(address))

    def text(address: int) -> str:
        start = offset(address)
        return data[start : data.index(0, start)].decode()

    exports, imports = (struct.unpack_from("<I", data, optional + 112 + 8 * i)[0] for i in (0, 1))
    # NumberOfNames, AddressOfFunctions, AddressOfNames.
    count, _, names = struct.unpack_from("<III", data, offset(exports) + 24)
    addresses = struct.unpack_from(f"<{count}I", data, offset(names))
    libraries, at = [], offset(imports)
    while name := struct.unpack_from("<5I", data, at)[3]:
        libraries.append(text(name).lower())
        at += 20
    return [text(address) for address in addresses], libraries


def test_the_dll_exports_the_listed_functions_and_needs_what_every_windows_has():
    names, libraries = portable_executable(
        folder_of_binaries() / "x86_64-windows" / "contact_fmu.dll"
    )
    listed = (ROOT / "fmu-build" / "release" / "exports.txt").read_text().split()
    assert sorted(names) == listed
    system = [name for name in libraries if not name.startswith("api-ms-win-")]
    assert set(system) <= WINDOWS_LIBRARIES, libraries


@pytest.fixture
def odd(everywhere, fmi, tmp_path) -> Fmu:
    """An FMU in a folder with blanks, umlauts, letters beyond the code page, and a percent sign."""
    return everywhere("soft_ball", fmi).copy(tmp_path / "Prüfstände für Bälle %20 #1 試験")


@pytest.mark.parametrize("kind", ["me", "cs"])
@pytest.mark.parametrize("platform", TARGETS)
def test_the_folder_may_have_blanks_and_umlauts(machines, everywhere, odd, fmi, platform, kind):
    machine = machines[platform]
    usual = trajectory(machine, everywhere("soft_ball", fmi), kind)
    assert trajectory(machine, odd, kind) == usual
    program = machine.program("run", fmi)
    null = machine.start(program, *arguments(machine, odd, kind, "-"))
    if platform == "x86_64-windows":
        # There the library does not know its own place; the README says so.
        assert null.returncode != 0 and "no resource path was given" in null.stderr
    else:
        assert null.stdout == usual


def forms(machine: Machine, fmu: Fmu) -> list[str]:
    """Ways to name the resources of an FMU on Windows, that real importers use."""
    folder = fmu.folder / "resources"
    path = machine.path(folder)
    if fmu.version == 3:
        slashes = path.replace("\\", "/")
        return [path + "\\", slashes, slashes + "/", "\\\\?\\" + path]
    uri = machine.uri(folder)
    return [
        uri + "/",
        uri.replace("file:///", "file:/"),
        uri.replace("file:///", "file://localhost/"),
        uri.replace("Z:", "Z%3A"),
        uri.replace("Z:", "z:"),
    ]


def test_forms_of_paths_and_uris_on_windows(machines, odd, fmi):
    machine = machines["x86_64-windows"]
    usual = trajectory(machine, odd, "cs")
    program = machine.program("run", fmi)
    for place in forms(machine, odd):
        printed = machine.run(program, *arguments(machine, odd, "cs", place))
        assert printed.replace("\r\n", "\n") == usual, place


@pytest.mark.parametrize("platform", TARGETS)
def test_the_library_is_loaded_and_unloaded_again_and_again(
    machines, everywhere, fmi, platform, tmp_path
):
    machine = machines[platform]
    fmu = everywhere("soft_ball", fmi).copy(tmp_path / "fmu")
    printed = machine.run(machine.program("again", fmi), "20", *arguments(machine, fmu, "cs"))
    # The log function with variable arguments counts them.
    assert int(printed) >= 3
