"""The C functions of the FMU's binary are those of the standard's headers, name by name and type by
type. The C compiler decides: it refuses a declaration that contradicts the header before it."""

from __future__ import annotations

import os
import re

import pytest
from elftools.elf.elffile import ELFFile

from c_programs import compile_c, header_enumerations, header_functions, run
from conftest import ROOT, target_folder
from versions import VERSIONS


@pytest.fixture(scope="session")
def declarations() -> str:
    """C declarations of everything that Rust exports, made from the Rust source by cbindgen."""
    tool = target_folder() / "checked" / "prototypes"
    assert tool.is_file(), f"{tool} is missing: run tests/run"
    # The source of the tool says why it needs these.
    expansion = {
        "RUSTC_BOOTSTRAP": "1",
        "CARGO_EXPAND_TARGET_DIR": str(target_folder() / "expanded"),
    }
    return run(tool, cwd=ROOT, env=os.environ | expansion)


def direct_functions() -> set[str]:
    """Names of the functions of the interface without FMI, from its header in C."""
    text = (ROOT / "fmu-core" / "include" / "contact_scene.h").read_text(encoding="utf-8")
    return set(re.findall(r"^[\w ]+?[ *](contact_scene_\w+)\(", text, re.MULTILINE))


def of_version(declarations: str, fmi: int) -> list[str]:
    """The declarations that begin a line and mention a version of FMI."""
    parts = re.split(r"\n\n+", declarations.strip())
    return [part for part in parts if re.search(rf"\bfmi{fmi}[A-Z]", part)]


def values_of_names(declarations: str, fmi: int) -> dict[str, int]:
    """Values of enumerations, and of constants that stand for them where Rust takes any number."""
    found = {}
    for part in of_version(declarations, fmi):
        if constant := re.fullmatch(r"#define (\w+) (\d+)", part):
            found[constant[1]] = int(constant[2])
        elif enumeration := re.fullmatch(r"typedef enum \{(.*)\} \w+;", part, re.DOTALL):
            value = 0
            for name, explicit in re.findall(r"(\w+)(?: = (\d+))?,", enumeration[1]):
                value = int(explicit) if explicit else value
                found[name] = value
                value += 1
    return found


def compare_values(found: dict[str, int], enumerations: dict[str, list[str]]) -> list[str]:
    """C code that compiles if the header's enumerations have the same names and values."""
    lines = [f'_Static_assert({name} == {value}, "{name}");' for name, value in found.items()]
    names = [name for names in enumerations.values() for name in names]
    return lines + [f"#error {name} is missing" for name in names if name not in found]


def compare_structure(name: str, body: str) -> str:
    """C code that compiles if the header's structure has the same members at the same places."""
    own = f"own_{name}"
    lines = [f"typedef struct {{{body}}} {own};"]
    lines.append(f'_Static_assert(sizeof({own}) == sizeof({name}), "{name}");')
    for member in re.findall(r"(\w+)(?:\)\([^;]*\))?;", body):
        place = f"offsetof({own}, {member}) == offsetof({name}, {member})"
        types = f"__typeof__((({own} *)0)->{member}), __typeof__((({name} *)0)->{member})"
        same = f"{place} && __builtin_types_compatible_p({types})"
        lines.append(f'_Static_assert({same}, "{name}.{member}");')
    return "\n".join(lines)


def compare_alias(declaration: str, enumerations: dict[str, list[str]]) -> str:
    """C code that compiles if the header's alias stands for the same type.

    Declared twice, `f()` and `f(void)` would differ, though both take no argument. To the compiler
    an enumeration without negative values is an unsigned int; to the caller of a function an int
    is the same.
    """
    name = next(filter(None, re.search(r"\(\*(\w+)\)\(|(\w+);$", declaration).groups()))
    if name in enumerations:
        declaration = declaration.replace("typedef int ", "typedef unsigned int ")
    own = re.sub(rf"\b{name}\b", f"own_{name}", declaration)
    same = f"__builtin_types_compatible_p(own_{name}, {name})"
    return f'{own}\n_Static_assert({same}, "{name}");'


def comparison(declarations: str, fmi: int) -> str:
    """A C file that compiles if the declarations agree with the header.

    Functions may be declared twice, if alike. Types may not: assertions compare them, and the
    functions mention the header's types.
    """
    enumerations = header_enumerations(fmi)
    lines = ["#include <stddef.h>", f'#include "fmi{fmi}Functions.h"']
    lines += compare_values(values_of_names(declarations, fmi), enumerations)
    for part in of_version(declarations, fmi):
        if structure := re.fullmatch(r"typedef struct \{(.*)\} (\w+);", part, re.DOTALL):
            lines.append(compare_structure(structure[2], structure[1]))
        elif part.startswith(("typedef enum", "#define")):
            continue
        elif part.startswith("typedef"):
            lines.append(compare_alias(part, enumerations))
        else:
            lines.append(part)
    return "\n".join(lines) + "\n"


def compile_comparison(folder, declarations: str, fmi: int):
    source = folder / "comparison.c"
    source.write_text(comparison(declarations, fmi))
    return compile_c(source, fmi, "-fsyntax-only")


@pytest.mark.full
def test_every_function_of_the_header_is_declared_with_its_types(declarations, fmi, tmp_path):
    functions = set(header_functions(fmi))
    assert len(functions) > 40, "the header was not understood"
    declared = {
        name
        for part in of_version(declarations, fmi)
        if not part.startswith(("typedef", "#define"))
        for name in re.findall(r"(\w+)\(", part)
    }
    assert declared == functions
    done = compile_comparison(tmp_path, declarations, fmi)
    assert done.returncode == 0, done.stderr


# What is wrong, where (as a regular expression, {v} is the fmi), what it becomes, and the name
# that the compiler must complain about.
MISTAKES = [
    ("an argument more", r"(fmi{v}GetVersion\()void", r"\1int more", "fmi{v}GetVersion"),
    ("another number", r"(fmi{v}SetTime\([^,]*,\s*)\w+", r"\1float", "fmi{v}SetTime"),
    ("not const", r"(fmi{v}SetContinuousStates\([^,]*,\s*)const ", r"\1", "SetContinuousStates"),
    ("another result", r"\w+(\s+fmi{v}Reset\()", r"void\1", "fmi{v}Reset"),
    ("an argument less", r"(fmi{v}DoStep\([^)]*),[^,)]*\)", r"\1)", "fmi{v}DoStep"),
    ("another alias", r"typedef double (fmi{v})", r"typedef float \1", "static assertion failed"),
    ("another order", r"(fmi{v}OK),(\s+)(fmi{v}Warning),", r"\3,\2\1,", "fmi{v}OK"),
    ("a missing value", r"fmi{v}Fatal,", "", "fmi{v}Fatal"),
    (
        "another callback",
        r"(\*fmi{v}\w+\)\(\w+ \w+),\s*fmi{v}\w+ \w+",
        r"\1",
        "static assertion failed",
    ),
]
STRUCTURE_MISTAKES = [
    ("another member", r"fmi2Boolean (nextEventTimeDefined);", r"fmi2Real \1;", "nextEventTime"),
    (
        "another place",
        r"(\w+ newDiscreteStatesNeeded;)(\s+)(\w+ terminateSimulation;)",
        r"\3\2\1",
        "newDiscreteStatesNeeded",
    ),
]
CASES = [
    pytest.param(fmi, *rest, id=f"fmi{fmi}-{what}")
    for fmi in VERSIONS
    for what, *rest in MISTAKES + (STRUCTURE_MISTAKES if fmi == 2 else [])
]


@pytest.mark.full
@pytest.mark.parametrize(("fmi", "place", "wrong", "name"), CASES)
def test_the_compiler_refuses_a_wrong_declaration(declarations, tmp_path, fmi, place, wrong, name):
    place, wrong, name = (text.replace("{v}", str(fmi)) for text in (place, wrong, name))
    changed, count = re.subn(place, wrong, declarations, count=1)
    assert count == 1, "nothing to change"
    done = compile_comparison(tmp_path, changed, fmi)
    assert done.returncode != 0
    assert name in done.stderr


def test_the_library_has_every_function_of_the_header(build, c_programs, fmi):
    library = build("soft_ball", fmi=fmi).library
    functions = header_functions(fmi)
    assert len(functions) > 40, "the header was not understood"
    symbols = c_programs.path("symbols", fmi)
    assert run(symbols, library, *functions) == ""
    assert run(symbols, library, "fmi3Nothing") == "fmi3Nothing\n"


def test_the_library_exports_nothing_else(build, fmi):
    with build("soft_ball", fmi=fmi).library.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym").iter_symbols()
        exported = {
            symbol.name
            for symbol in symbols
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["bind"] != "STB_LOCAL"
        }
    direct = direct_functions()
    assert len(direct) > 10, "the header was not understood"
    assert exported == direct | {name for v in VERSIONS for name in header_functions(v)}
    # What the DLL for Windows exports.
    listed = (ROOT / "fmu-build" / "release" / "exports.txt").read_text().split()
    assert listed == sorted(exported)
