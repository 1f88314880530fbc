"""The archive: what an importer checks before it runs anything."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import fmpy
import pytest
from elftools.elf.elffile import ELFFile
from fmpy.validation import validate_fmu
from lxml import etree

from conftest import EXAMPLES

FMPY = Path(fmpy.__file__).parent
SCENES = ["bouncing_sphere", "free_shaft", "two_colliding_balls", "twelve_pairs", "soft_ball"]
SCENES += [pytest.param(path, id=f"examples/{path.parent.name}") for path in EXAMPLES]


@pytest.mark.parametrize("scene", SCENES)
def test_fmpy_finds_no_problem(build, scene):
    assert validate_fmu(str(build(scene).archive)) == []


@pytest.mark.parametrize("scene", SCENES)
def test_model_description_follows_the_schema(build, scene):
    schema = etree.XMLSchema(etree.parse(FMPY / "schema" / "fmi3" / "fmi3ModelDescription.xsd"))
    document = etree.parse(build(scene).folder / "modelDescription.xml")
    schema.assertValid(document)


def test_library_exports_exactly_the_functions_of_the_standard(build):
    header = (FMPY / "c-code" / "fmi3Functions.h").read_text()
    expected = set(re.findall(r"^FMI3_Export\s+\w+TYPE\s+(fmi3\w+);", header, re.MULTILINE))
    assert len(expected) > 70, "the header was not understood"
    with build("bouncing_sphere").library.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym").iter_symbols()
        exported = {
            s.name
            for s in symbols
            if s["st_shndx"] != "SHN_UNDEF" and s["st_info"]["bind"] != "STB_LOCAL"
        }
    assert {name for name in exported if name.startswith("fmi")} == expected


def test_every_event_indicator_is_a_listed_continuous_local_variable(build):
    description = build("twelve_pairs").description
    assert len(description.eventIndicators) == 12
    for unknown in description.eventIndicators:
        assert unknown.variable.causality == "local"
        assert unknown.variable.variability == "continuous"


def test_value_references_count_up_from_one_in_document_order(build):
    variables = build("two_colliding_balls").description.modelVariables
    assert [v.valueReference for v in variables] == list(range(1, len(variables) + 1))


def test_names_stay_distinct_when_special_characters_become_underscores(build):
    names = [v.name for v in build("two_colliding_balls").description.modelVariables]
    assert len(names) > 50
    flat = {re.sub(r"[.\[\](), ]", "_", name) for name in names}
    assert len(flat) == len(names)


def test_start_values_in_the_description_are_those_of_a_new_instance(build):
    fmu = build("two_colliding_balls")
    with fmu.instance("me") as instance:
        checked = 0
        for variable in fmu.description.modelVariables:
            if variable.type == "Float64" and variable.start is not None:
                assert instance.get(variable.name)[0] == float(variable.start), variable.name
                checked += 1
        assert checked > 30


def test_archive_starts_with_the_description_and_is_sorted_with_one_fixed_date(build):
    with zipfile.ZipFile(build("bouncing_sphere").archive) as archive:
        entries = archive.infolist()
        first, *rest = [e.filename for e in entries]
        assert first == "modelDescription.xml"
        assert "binaries/x86_64-linux/bouncing_sphere.so" in rest
        assert rest == sorted(rest)
        assert not any("\\" in e.orig_filename for e in entries)
        assert {e.date_time for e in entries} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.testzip() is None
