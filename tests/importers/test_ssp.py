"""`ssp`: valid by the schemas of SSP, complete, and simulated by FMPy's simulator of SSPs."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import fmpy.ssp
import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.ssp.simulation import simulate_ssp
from fmpy.ssp.ssd import find_components, read_ssd, read_ssv
from lxml import etree

from conftest import EXAMPLES, SCENES

SSD = "{http://ssp-standard.org/SSP1/SystemStructureDescription}"
SCHEMAS = Path(fmpy.ssp.__file__).parent / "schema"
SOME = [scene for scene in EXAMPLES if scene.parent.name in ("gripper", "driven_hammer")]


def make(tool: Path, scene: Path, folder: Path, *options: str) -> Path:
    """The SSP of a scene."""
    archive = folder / f"{scene.stem}.ssp"
    subprocess.run([tool, "ssp", scene, "-o", archive, *options], check=True, timeout=60)
    return archive


@pytest.mark.parametrize("scene", [SCENES / "pushed.toml", *SOME], ids=lambda s: s.parent.name)
def test_documents_are_valid_and_name_all_inputs_outputs_and_parameters(tool, tmp_path, fmi, scene):
    archive = make(tool, scene, tmp_path, "--fmi", str(fmi))
    with zipfile.ZipFile(archive) as ssp:
        names = ssp.namelist()
        (inside,) = (name for name in names if name.endswith(".fmu"))
        values = inside.replace(".fmu", ".ssv")
        assert sorted(names) == sorted(["SystemStructure.ssd", inside, values])
        ssp.extract(inside, tmp_path)
        for name, schema, version in (
            ("SystemStructure.ssd", "SystemStructureDescription.xsd", "SystemStructureDescription"),
            (values, "SystemStructureParameterValues.xsd", "ParameterSet"),
        ):
            root = etree.fromstring(ssp.read(name))
            assert root.tag.endswith(version)
            assert root.get("version") == {2: "1.0", 3: "2.0"}[fmi]
            # The elements that are used are the same in both; FMPy has the schemas of 1.0.
            root.set("version", "1.0")
            etree.XMLSchema(etree.parse(SCHEMAS / schema)).assertValid(root)
            if name == values:
                parameters = {
                    p.get("name"): (p[0].get("value"), p[0].get("unit")) for p in root[0]
                }
            else:
                system = root
    description = read_model_description(str(tmp_path / inside), validate=False)
    by_causality = {}
    for variable in description.modelVariables:
        by_causality.setdefault(variable.causality, []).append(variable)
    expected = {
        v.name: (float(v.start), v.declaredType.unit if v.declaredType else None)
        for v in by_causality["parameter"]
    }
    found = {name: (float(value), unit) for name, (value, unit) in parameters.items()}
    assert found == expected
    (component,) = system.iter(SSD + "Component")
    for element in (component, system.find(SSD + "System")):
        connectors = element.find(SSD + "Connectors")
        for kind in ("input", "output"):
            own = [c for c in connectors if c.get("kind") == kind]
            assert [c.get("name") for c in own] == [v.name for v in by_causality.get(kind, [])]
            # Inputs on the left, outputs on the right, from top to bottom.
            places = [c.find(SSD + "ConnectorGeometry").attrib for c in own]
            assert {p["x"] for p in places} <= {{"input": "0.0", "output": "1.0"}[kind]}
            heights = [float(p["y"]) for p in places]
            assert heights == sorted(heights, reverse=True) and len(set(heights)) == len(heights)
            assert all(0 < height < 1 for height in heights)
    connections = system.findall(f".//{SSD}Connection")
    assert len(connections) == sum(len(by_causality.get(k, [])) for k in ("input", "output"))


def test_fmpy_simulates_the_system_with_its_inputs(tool, tmp_path):
    """2 N on 2 kg from the second step on, since a master hands values over after each step."""
    archive = make(tool, SCENES / "pushed.toml", tmp_path)
    step, stop = 0.125, 1.0
    result = simulate_ssp(
        str(archive), stop_time=stop, step_size=step, input={"force.push.force[1]": lambda t: 2.0}
    )
    # A row holds the values at the end of its step, with the time of its start.
    times = result["time"] + step
    expected = 0.5 * np.maximum(times - step, 0) ** 2
    for name in ("ball.position[1]", "pushed.ball.position[1]"):
        # What leaves the system is handed over after the step, too.
        assert np.abs(result[name] - expected).max() < 1e-7, name


def test_the_parameter_set_has_the_values_given_on_the_command_line(tool, tmp_path):
    archive = make(tool, SCENES / "pushed.toml", tmp_path, "--set", "ball.mass=500 g")
    structure = read_ssd(str(archive))
    (component,) = find_components(structure.system)
    (binding,) = component.parameterBindings
    values = read_ssv(str(archive), resource=binding.source)
    masses = [p.value for p in values.parameters if p.name == "ball.mass"]
    assert [float(mass) for mass in masses] == [0.5]
    (tmp_path / "again").mkdir()
    again = make(tool, SCENES / "pushed.toml", tmp_path / "again", "--set", "ball.mass=500 g")
    assert again.read_bytes() == archive.read_bytes()
    with pytest.raises(subprocess.CalledProcessError):
        make(tool, SCENES / "pushed.toml", tmp_path / "none")
    assert not (tmp_path / "none").exists()
