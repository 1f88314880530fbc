"""The archive: what an importer checks before it runs anything."""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path

import fmpy
import pytest
from lxml import etree

from conftest import EXAMPLES, QUICK, ROOT, tiers
from validation import problems

FMPY = Path(fmpy.__file__).parent
SCENES = ["bouncing_sphere", "free_shaft", "two_colliding_balls", "twelve_pairs", "soft_ball"]
SCENES = tiers([*SCENES, *EXAMPLES], {*QUICK, "two_colliding_balls"})


VERSIONS = ["2", "3"]


def built(build, scene, version):
    return build(scene, fmi=int(version))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("scene", SCENES)
def test_fmpy_finds_no_problem(build, scene, version):
    assert problems(built(build, scene, version).archive) == []


@pytest.mark.parametrize("options", [(), ("--naming", "flat", "--tunable", "--strict")], ids=" ".join)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("scene", SCENES)
def test_no_known_rule_of_an_importer_is_broken(build, tool, scene, version, options):
    fmu = build(scene, fmi=int(version), options=options)
    done = subprocess.run([tool, "validate", fmu.archive], capture_output=True, text=True)
    # Groups of balls have arrays of states in FMI 3.0 as no one would want them one by one.
    if version == "3" and "[[grains]]" in fmu.archive.with_name("scene.toml").read_text():
        assert "openmodelica" in done.stderr
    else:
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("option", "importers"),
    [("--terminals", "openmodelica, fmi-library"), ("--arrays", "openmodelica, fmi.jl, fmu-toolbox")],
)
def test_an_option_that_an_importer_does_not_take_is_named(build, tool, option, importers):
    fmu = build("two_spheres", options=(option,))
    done = subprocess.run([tool, "validate", fmu.archive], capture_output=True, text=True)
    assert done.returncode == 1
    assert importers in done.stderr and f"build without {option}" in done.stderr
    passed = subprocess.run([tool, "validate", fmu.archive, "--for", "simulink"])
    assert passed.returncode == 0


def test_fmpy_names_an_illegal_name_once_it_has_seen_legal_ones(build, fmi, tmp_path):
    fmu = build("two_spheres", fmi=fmi).copy(tmp_path / "fmu")
    assert problems(fmu.folder) == []
    path = fmu.folder / "modelDescription.xml"
    text = path.read_text()
    (name, *_) = re.findall(r'name="(\S+\[1\])"', text)
    path.write_text(text.replace(f'"{name}"', f'"{name[:-1]}"'))
    (text,) = problems(fmu.folder)
    assert f'"{name[:-1]}"' in text
    assert "is not a legal variable name" in text


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("scene", SCENES)
def test_model_description_follows_the_schema(build, scene, version):
    folder = FMPY / "schema" / f"fmi{version}"
    schema = etree.XMLSchema(etree.parse(folder / f"fmi{version}ModelDescription.xsd"))
    document = etree.parse(built(build, scene, version).folder / "modelDescription.xml")
    schema.assertValid(document)


@pytest.mark.parametrize("scene", SCENES)
def test_fmi2_and_fmi3_describe_the_same_variables_except_time(build, scene):
    two, three = (built(build, scene, version).description for version in VERSIONS)
    first, *others = three.modelVariables
    assert (first.name, first.causality) == ("time", "independent")
    assert len(two.modelVariables) == len(others)
    for index, (old, new) in enumerate(zip(two.modelVariables, others, strict=True), start=1):
        assert (old.valueReference, new.valueReference) == (index, index + 1)
        same = ["name", "causality", "variability", "initial", "start", "description"]
        assert [getattr(old, a) for a in same] == [getattr(new, a) for a in same]
        in_fmi_3 = {"Real": "Float64", "Integer": "Int32"}
        assert in_fmi_3.get(old.type, old.type) == new.type
        same = ["name", "quantity", "unit", "displayUnit", "nominal"]
        types = [v.declaredType and [getattr(v.declaredType, a) for a in same] for v in (old, new)]
        assert types[0] == types[1]
        states = [v.derivative and v.derivative.name for v in (old, new)]
        assert states[0] == states[1]


def unknowns(entries, parameters):
    """Names with those of what they depend on, without the time, which FMI 2.0 has no variable for."""

    def is_wanted(known):
        return known.name != "time" and (parameters or known.causality != "parameter")

    return [(u.variable.name, [d.name for d in u.dependencies if is_wanted(d)]) for u in entries]


@pytest.mark.parametrize("scene", SCENES)
def test_fmi2_and_fmi3_have_the_same_model_structure(build, scene):
    two, three = (built(build, scene, version).description for version in VERSIONS)
    for entries in ["outputs", "derivatives", "initialUnknowns"]:
        # In FMI 3.0 parameters are known in every mode [FMI 3.0] section 2.4.8.
        at_start = entries == "initialUnknowns"
        old, new = (getattr(description, entries) for description in (two, three))
        assert unknowns(old, True) == unknowns(new, at_start)
        assert at_start or unknowns(new, True) != unknowns(new, False)
    # FMI 2.0 orders each list by index.
    document = etree.parse(built(build, scene, "2").folder / "modelDescription.xml")
    for part in document.find("ModelStructure"):
        indices = [int(unknown.get("index")) for unknown in part]
        assert indices == sorted(set(indices))
    assert two.numberOfEventIndicators == len(three.eventIndicators)


def test_fmi2_has_no_constant_no_independent_variable_and_none_called_time(build):
    description = built(build, "two_colliding_balls", "2").description
    assert len(description.modelVariables) > 50
    for variable in description.modelVariables:
        assert variable.variability != "constant"
        assert variable.causality != "independent"
        assert variable.name.lower() != "time"


def test_fmi2_leaves_initial_away_where_it_has_the_default(build):
    """[FMI 2.0] section 2.2.7: exact for parameters, calculated for outputs and locals."""
    path = built(build, "two_colliding_balls", "2").folder / "modelDescription.xml"
    variables = etree.parse(path).findall(".//ScalarVariable")
    default = {"parameter": "exact", "output": "calculated", "local": "calculated"}
    for variable in variables:
        assert variable.get("initial") != default[variable.get("causality")]
        start = variable[0].get("start")
        exact = variable.get("initial") == "exact" or variable.get("causality") == "parameter"
        assert (start is not None) == exact


def test_fmi2_capabilities_are_those_of_the_library(build):
    description = built(build, "bouncing_sphere", "2").description
    assert not description.modelExchange.completedIntegratorStepNotNeeded
    assert description.coSimulation.canHandleVariableCommunicationStepSize
    for interface in [description.modelExchange, description.coSimulation]:
        assert interface.canGetAndSetFMUstate
        assert interface.canSerializeFMUstate
        assert not interface.canBeInstantiatedOnlyOncePerProcess
        assert interface.modelIdentifier == "bouncing_sphere"
    assert built(build, "bouncing_sphere", "2").library.is_file()
    assert description.guid == built(build, "bouncing_sphere", "3").description.guid


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


@pytest.mark.parametrize("version", VERSIONS)
def test_every_crate_that_the_binary_names_has_its_licence_in_the_fmu(build, version):
    fmu = built(build, "soft_ball", version)
    # Messages of panics name files of crates: name-version/src/...
    sources = re.findall(rb"([a-z][a-z0-9_-]+)-([0-9][0-9.]+)/src/", fmu.library.read_bytes())
    names = {name.decode() for name, _ in sources}
    assert {"nalgebra", "parry3d-f64"} <= names
    folder = fmu.folder / "documentation" / "licenses"
    assert "third-party.txt" in (folder / "license.txt").read_text()
    text = (folder / "third-party.txt").read_text()
    listed = set(re.findall(r"[a-z][a-z0-9_-]+", text.partition("-----")[0]))
    assert names <= listed
    assert "Copyright 2020 Sébastien Crozet" in text
    assert "Apache License" in text
    assert "Permission is hereby granted" in text


@pytest.mark.full
@pytest.mark.parametrize("version", VERSIONS)
def test_library_and_archive_stay_small(build, version):
    fmu = built(build, "bouncing_sphere", version)
    # 1.38 MB with all shapes, 1.63 MB with all laws of contact, forces and reports, 1.89 MB with
    # joints, inputs and the C interface, 2.06 MB with way-points, the damping of contacts at rest and
    # indicators that see what was passed, 2.13 MB with messages that name what limits a run, 2.19 MB
    # with several contacts a pair and mathematical functions of its own; half of it as an archive,
    # 1.07 MB. Beside it page, icons and terminals take 14 kB in FMI 2.0, 11 kB in FMI 3.0, of which
    # the page took 2.6 kB before; licences of parts that the linker adds take 2.7 kB. 1.103 MB.
    # 2.44 MB, as an archive 1.214 MB, with contact over an area and intersections of polyhedra.
    # 3.05 MB, as an archive 1.51 MB, since the evaluation is there a second time, over dual numbers,
    # for partial derivatives and the implicit solver; 3.41 MB and 1.66 MB with four derivatives each,
    # which make a Jacobian cost a third to a half less; 3.83 MB and 1.86 MB with islands, granular
    # mode with balls four at once, and groups of balls; 4.17 MB and 2.02 MB with impulses, latches and jumps of
    # motions; 2.05 MB with the visual description and what a run tells of its progress; 4.51 MB and
    # 2.19 MB with friction integrated over regions and lines, impulses over areas and flush faces;
    # 4.63 MB and 2.28 MB with threads that share a granular step, triggers and sums of contacts;
    # 4.66 MB with parameters that are inputs; 4.69 MB with polygons from the corners of faces;
    # 5.14 MB and 2.54 MB with meshes against polyhedra and balls; 5.55 MB with all round shapes on meshes.
    assert fmu.library.stat().st_size <= 5.6e6
    assert fmu.archive.stat().st_size <= 2.78e6


def test_the_binary_and_the_tool_need_no_newer_glibc_than_the_book_says(build, tool):
    page = (ROOT / "fmu-build/book/src/reference/platforms.md").read_text()
    said = re.search(r"needs the glibc of\s+that machine \((\d+)\.(\d+) or newer", page)
    (binary,) = (build("soft_ball").folder / "binaries").glob("x86_64-linux/*.so")
    for file in (binary, tool):
        versions = re.findall(rb"GLIBC_(\d+)\.(\d+)", file.read_bytes())
        needed = max((int(major), int(minor)) for major, minor in versions)
        assert needed <= (int(said[1]), int(said[2])), file
