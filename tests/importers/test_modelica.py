"""The Modelica package: its text is Modelica, and what its functions and equations compute is what
frames of the MultiBody library mean.

[Modelica 4.0] Modelica.Mechanics.MultiBody: R.T maps world to body axes, R.w is in body axes,
resolve2(R, v) = R.T v, and force and torque of a frame are flows.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from pymoca import ast, parser

from conftest import EXAMPLES, SCENES
from modelica_balance import (
    balance,
    modifications,
    read_before_events,
    rows_from_functions,
    starts_fixed,
)
from modelica_text import Evaluator, read_class
from validation import problems

FRAMES = ["hammer", "anvil"]


@pytest.fixture(scope="session")
def package(tool, tmp_path_factory) -> Path:
    """The package of tests/scenes/driven_pair.toml."""
    return made(tool, SCENES / "driven_pair.toml", tmp_path_factory.mktemp("modelica"))


def made(tool: Path, scene: Path, folder: Path) -> Path:
    """The package of a scene."""
    command = [tool, "modelica", scene, "-o", folder]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return Path(done.stdout.splitlines()[0]).parent


def shown_model(package: Path) -> str:
    """The whole model that the README of a package shows."""
    text = (package / "README.md").read_text()
    return re.search(r"```\n(model Imported\n.*?)```", text, re.DOTALL)[1]


def with_change(folder: Path, old: str, new: str) -> Path:
    """tests/scenes/driven_pair.toml with one text changed."""
    text = (SCENES / "driven_pair.toml").read_text()
    assert text.count(old) == 1
    scene = folder / "scene.toml"
    scene.write_text(text.replace(old, new))
    return scene


# One body and two, an FMU with states and inputs of its own, flat names, each input of an orientation.
PACKAGES = [SCENES / "driven_pair.toml", SCENES / "driven_ball.toml", SCENES / "coupled.toml"]
PACKAGES += [SCENES / "driven_cubes.toml", SCENES / "driven_bounce.toml"]
PACKAGES += [path for path in EXAMPLES if path.parent.name == "driven_hammer"]
CASES = [(path, naming) for path in PACKAGES for naming in ("structured", "flat")]


def rotation(axis, angle: float) -> np.ndarray:
    """Body to world: Rodrigues' formula."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def of_quaternion(q) -> np.ndarray:
    """Body to world: v' = q v q*, written out."""
    w, v = q[0], np.array(q[1:])
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def functions(package: Path, *names: str) -> list:
    """Functions of the package Functions."""
    classes = read_class(package / "Functions.mo", "DrivenPair", "Functions").classes
    return [Evaluator({}).function(classes[name]) for name in names]


def test_the_files_are_modelica_and_in_the_order_that_the_package_names(package):
    order = (package / "package.order").read_text().split()
    assert sorted(order) == sorted(p.stem for p in package.glob("*.mo") if p.stem != "package")
    for name in order:
        text = (package / f"{name}.mo").read_text()
        assert text.startswith("within DrivenPair;\n")
        assert "@" not in text
        assert name in parser.parse(text).classes["DrivenPair"].classes
    assert "DrivenPair" in parser.parse((package / "package.mo").read_text()).classes


def test_the_parser_refuses_what_is_no_modelica(package):
    text = (package / "Contact.mo").read_text()
    for wrong in (text.replace("end when;", "", 1), text.replace("{initial()", "initial()", 1)):
        assert wrong != text
        with pytest.raises(Exception, match=r"input|line|mismatched|missing|extraneous"):
            parser.parse(wrong)


# The last three reach each branch whose largest component is not w.
TURNS = [
    ([1, 2, 3], 0.9),
    ([-2, 1, 0.5], 1e-3),
    ([1, 0.2, -0.1], 3.0),
    ([0.1, -1, 0.3], 2.9),
    ([0.2, 0.3, 1], -3.1),
]


@pytest.mark.parametrize(("axis", "angle"), TURNS)
def test_the_quaternion_of_a_frame_turns_its_axes_to_the_world(package, axis, angle):
    quaternion, matrix = functions(package, "quaternion", "rotation")
    s = rotation(axis, angle)
    q = quaternion(s.T)
    assert abs(np.linalg.norm(q) - 1) < 1e-14
    assert np.abs(of_quaternion(q) - s).max() < 1e-14
    assert np.array_equal(matrix(s.T), s)


def test_the_rows_of_both_calls_have_their_numbers_where_the_header_says(package):
    motion, collision_input = functions(package, "motion", "collisionInput")
    s, r, v, w = rotation([1, 2, 3], 0.9), np.arange(1, 4), np.arange(4, 7), np.arange(7, 10)
    assert np.array_equal(motion(r, s.T, v, w), np.concatenate([r, s.flatten(), v, w]))
    row = collision_input(2, r, s.T, 0)
    visual = [0, 0, 0, *s[:, 0], *s[:, 1]]
    assert np.allclose(row, [2, 0, 0, 0, 0, 0, *visual, *r, *s.flatten()], atol=0)


class Library:
    """The C library of the package, with the package's scene."""

    def __init__(self, package: Path):
        self.c = ctypes.CDLL(str(package / "Resources/Library/linux64/libcontact_fmu.so"))
        self.c.contact_scene_create.restype = ctypes.c_void_p
        scene = str(package / "Resources/Data/scene.bin").encode()
        message = ctypes.create_string_buffer(1000)
        made = self.c.contact_scene_create(scene, message, ctypes.c_size_t(1000))
        assert made, message.value
        self.object = ctypes.c_void_p(made)

    def call(self, name: str, time: float, rows: np.ndarray, *outputs) -> None:
        rows = np.ascontiguousarray(rows, dtype=float)
        address = ctypes.c_void_p(rows.ctypes.data)
        sizes = [ctypes.c_size_t(n) for n in rows.shape]
        function = getattr(self.c, name)
        assert function(self.object, ctypes.c_double(time), address, *sizes, *outputs) == 0

    def update(self, time: float, motions: np.ndarray) -> None:
        self.call("contact_scene_update", time, motions, ctypes.byref(ctypes.c_double()))

    def evaluate(self, time: float, motions: np.ndarray) -> np.ndarray:
        wrenches = np.zeros((len(motions), 6))
        self.call("contact_scene_evaluate", time, motions, ctypes.c_void_p(wrenches.ctypes.data))
        return wrenches

    def close(self) -> None:
        self.c.contact_scene_destroy(self.object)


def frames(poses) -> dict[str, object]:
    """Variables of the frames: (origin, body to world, velocity, angular velocity in body axes)."""
    values: dict[str, object] = {}
    for name, (r, s, v, w) in zip(FRAMES, poses, strict=True):
        values[f"frame_{name}.r_0"] = np.array(r, dtype=float)
        values[f"frame_{name}.R.T"] = s.T
        values[f"frame_{name}.R"] = s.T
        values[f"frame_{name}.R.w"] = np.array(w, dtype=float)
        values[f"velocity_{name}"] = np.array(v, dtype=float)
    return values


# Centres and radii of the spheres, in their bodies; stiffness and restitution: those of the scene.
CENTRES = [np.array([0.05, 0.02, -0.03]), np.array([-0.02, 0.04, 0.01])]
RADII = [0.1, 0.15]
STIFFNESS, FRICTION, HYSTERESIS = 1e4, 0.3, 2e-8


def colliding(depth: float):
    """Two bodies whose spheres overlap by `depth`, sliding and turning."""
    s = [rotation([1, 2, 3], 0.9), rotation([-1, 0.5, 2], 2.0)]
    normal = np.array([2, -1, 2]) / 3
    origin = np.array([0.3, -0.2, 0.7])
    centre = origin + s[0] @ CENTRES[0]
    second = centre + (sum(RADII) - depth) * normal - s[1] @ CENTRES[1]
    v = [np.array([0.9, 0.1, 0.2]), np.array([-0.2, 0.4, -0.5])]
    w = [np.array([0.5, -1.0, 2.0]), np.array([1.5, 0.3, -0.7])]
    return [(origin, s[0], v[0], w[0]), (second, s[1], v[1], w[1])], normal


def point_and_slip(poses, normal, depth):
    """The middle of the overlap, and the velocity of 2 against 1 there."""
    (p1, s1, *_), _ = poses
    point = p1 + s1 @ CENTRES[0] + (RADII[0] - depth / 2) * normal
    speeds = [v + np.cross(s @ w, point - p) for p, s, v, w in poses]
    return point, speeds[1] - speeds[0]


def test_the_direct_model_gives_frames_what_the_contact_does_with_the_sign_of_a_flow(package):
    depth = 1e-3
    poses, normal = colliding(depth)
    library = Library(package)
    (motion,) = functions(package, "motion")

    def evaluate(_object, time, motions, _updates):
        library.update(time, motions)
        return library.evaluate(time, motions)

    evaluator = Evaluator(
        {
            "Functions.motion": motion,
            "Direct.evaluate": evaluate,
            "Direct.indicators": lambda *_: np.zeros(1),
            "pre": lambda value: value,
            "Modelica.Mechanics.MultiBody.Frames.resolve2": lambda r, v: r @ v,
        }
    )
    values = frames(poses) | {
        "motions": np.zeros((2, 18)),
        "contacts": None,
        "time": 0.0,
        "updates": 0,
        "indicatorCount": 1,
    }
    contact = read_class(package / "Contact.mo", "DrivenPair", "Contact")
    evaluator.solve(contact.equations, values)
    library.close()
    # The contact acts at one point: on 2 along the normal by the damped spring, across it by
    # friction against the slip; on 1 the opposite.
    point, slip = point_and_slip(poses, normal, depth)
    rate = slip @ normal
    slip -= rate * normal
    on = [poses[i][1] @ -values[f"frame_{name}.f"] for i, name in enumerate(FRAMES)]
    assert np.abs(on[0] + on[1]).max() < 1e-9
    force = on[1]
    normal_force = force @ normal
    d = damping(0.7, -rate)
    expected = STIFFNESS * (depth - HYSTERESIS) * (1 - d * rate)
    assert rate < -0.1
    assert abs(normal_force / expected - 1) < 1e-9
    # Sliding is far faster than v_small: friction is mu f_n against it.
    tangential = force - normal_force * normal
    assert np.abs(tangential + FRICTION * normal_force * slip / np.linalg.norm(slip)).max() < 1e-6
    for i, name in enumerate(FRAMES):
        torque = poses[i][1] @ -values[f"frame_{name}.t"]
        arm = point - poses[i][0]
        assert np.abs(torque - np.cross(arm, on[i])).max() < 1e-8
    # Power that the frames deliver is what the contact takes: -f (v2 - v1) at the point.
    power = 0.0
    for name, (_, s, v, w) in zip(FRAMES, poses, strict=True):
        power += values[f"frame_{name}.f"] @ (s.T @ v) + values[f"frame_{name}.t"] @ w
    assert abs(power + force @ (slip + rate * normal)) < 1e-8


def damping(e: float, v0: float) -> float:
    """d of f = K delta (1 + d delta'): (1 + e) u = ln((1 + u)/(1 - e u)) with u = d v0, bisected."""
    low, high = 1e-6, (1 - 1e-12) / e
    for _ in range(200):
        u = (low + high) / 2
        if np.log((1 + u) / (1 - e * u)) < (1 + e) * u:
            low = u
        else:
            high = u
    return low / v0


def test_the_fmu_model_feeds_each_input_and_reads_each_force_in_its_axes(package):
    poses, _ = colliding(1e-3)
    quaternion, matrix = functions(package, "quaternion", "rotation")
    force, torque = np.array([1.0, -2.0, 3.0]), np.array([0.3, 0.1, -0.7])
    values = frames(poses) | {
        "orientation_hammer": quaternion(poses[0][1].T),
        "orientation_anvil": matrix(poses[1][1].T),
    }
    for name in FRAMES:
        for i in range(3):
            values[f"fmu.{name}_contact_force_{i + 1}_"] = force[i]
            values[f"fmu.{name}_contact_torque_{i + 1}_"] = torque[i]
    resolve2 = {"Modelica.Mechanics.MultiBody.Frames.resolve2": lambda r, v: r @ v}
    model = read_class(package / "FmuContact.mo", "DrivenPair", "FmuContact")
    Evaluator(resolve2).solve(model.equations, values)
    # hammer has quaternion and world axes, anvil matrix and its own.
    q = [values[f"fmu.hammer_orientation_{i + 1}_"] for i in range(4)]
    assert np.abs(of_quaternion(q) - poses[0][1]).max() < 1e-14
    entries = [[values[f"fmu.anvil_rotation_{i}_{j}_"] for j in (1, 2, 3)] for i in (1, 2, 3)]
    assert np.array_equal(entries, poses[1][1])
    for name, (r, _, v, w) in zip(FRAMES, poses, strict=True):
        for i in range(3):
            assert values[f"fmu.{name}_position_{i + 1}_"] == r[i]
            assert values[f"fmu.{name}_velocity_{i + 1}_"] == v[i]
            assert values[f"fmu.{name}_angular_velocity_{i + 1}_"] == w[i]
    s = poses[0][1]
    assert np.abs(values["frame_hammer.f"] + s.T @ force).max() < 1e-14
    assert np.abs(values["frame_hammer.t"] + s.T @ torque).max() < 1e-14
    assert np.array_equal(values["frame_anvil.f"], -force)
    assert np.array_equal(values["frame_anvil.t"], -torque)


def test_every_parameter_of_the_model_reaches_the_object_and_the_fmu(package):
    contact = read_class(package / "Contact.mo", "DrivenPair", "Contact")
    model = read_class(package / "FmuContact.mo", "DrivenPair", "FmuContact")
    interface = read_class(package / "Interfaces.mo", "DrivenPair", "Interfaces", "Fmu")

    def parameters(definition) -> set[str]:
        symbols = definition.symbols.values()
        return {s.name for s in symbols if "parameter" in s.prefixes and s.name != "sceneFile"}

    names = parameters(contact)
    assert "material_pair_Rubber_Rubber_restitution" in names
    assert names == parameters(model) == parameters(interface)
    text = (package / "Contact.mo").read_text()
    for name in names:
        assert text.count(f"{name},\n") + text.count(f"{name}}});") == 1, name


def connectors(definition) -> tuple[set[str], set[str]]:
    """Names of the inputs and of the outputs of a block."""

    def of(kind: str) -> set[str]:
        symbols = definition.symbols.values()
        return {s.name for s in symbols if str(s.type).endswith(kind)}

    return of(".RealInput"), of(".RealOutput")


def test_the_interface_has_the_names_that_the_import_of_the_fmu_makes(package, build):
    interface = read_class(package / "Interfaces.mo", "DrivenPair", "Interfaces", "Fmu")
    inputs, outputs = connectors(interface)
    variables = build("driven_pair", fmi=2).description.modelVariables

    def names(causality: str) -> set[str]:
        found = (v.name for v in variables if v.causality == causality)
        return {re.sub(r"[.\[\](), ]", "_", name) for name in found}

    assert len(inputs) == 13 + 18
    assert inputs == names("input")
    assert len(outputs) == 12
    assert outputs <= names("output")
    parameters = {s.name for s in interface.symbols.values() if "parameter" in s.prefixes}
    assert parameters
    assert parameters <= names("parameter")


def test_a_scene_with_states_of_its_own_has_the_model_with_the_fmu_only(tool, tmp_path):
    old = 'name = "anvil"\nmotion = "driven"\norientation_input = "matrix"\nwrench_axes = "body"'
    scene = with_change(tmp_path, old, 'name = "anvil"\nmotion = "free"')
    command = [tool, "modelica", scene, "-o", tmp_path]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert "no Contact" in done.stdout
    assert "anvil.position[1]" in done.stdout
    place = tmp_path / "DrivenPair"
    files = sorted(p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file())
    classes = ["FmuContact", "Functions", "Interfaces"]
    texts = [f"{name}.mo" for name in classes]
    assert files == [*texts, "README.md", "package.mo", "package.order"]
    assert (place / "package.order").read_text().split() == classes
    interface = read_class(place / "Interfaces.mo", "DrivenPair", "Interfaces", "Fmu")
    inputs, outputs = connectors(interface)
    assert (len(inputs), len(outputs)) == (13, 6)
    readme = (place / "README.md").read_text()
    assert "Resources/Library" not in readme
    for needed in ("--fmi 2 -o driven_pair.fmu", 'loadFile("driven_pair_me_FMU.mo")'):
        assert needed in readme
    assert "the gravity of the scene" in (place / "package.mo").read_text()
    assert not any("Direct" in (place / text).read_text() for text in texts)


@pytest.mark.parametrize(("scene", "naming"), CASES)
def test_models_have_the_forms_that_compilers_take(tool, tmp_path, scene, naming):
    text = scene.read_text()
    assert "[interface]" not in text
    source = tmp_path / "scene.toml"
    source.write_text(f'{text}\n[interface]\nnaming = "{naming}"\n')
    package = made(tool, source, tmp_path)
    name = package.name

    def read(file: str, *path: str):
        return read_class(package / f"{file}.mo", name, *path)

    models = {
        "Fmu": read("Interfaces", "Interfaces", "Fmu"),
        f"{name}.FmuContact": read("FmuContact", "FmuContact"),
    }
    checked = [models[f"{name}.FmuContact"], parser.parse(shown_model(package)).classes["Imported"]]
    if (package / "Contact.mo").exists():
        models["Contact"] = read("Contact", "Contact")
        checked += [models["Contact"], read("Examples", "Examples", "FreeBodies")]
    if (package / "ImpulseContact.mo").exists():
        models["ImpulseContact"] = read("ImpulseContact", "ImpulseContact")
        checked += [models["ImpulseContact"], read("Examples", "Examples", "ImpulsiveBodies")]
    # The other two scenes have states of their own.
    without_states = ("DrivenPair", "DrivenBall", "DrivenCubes", "DrivenBounce")
    assert len(checked) == 2 + 2 * (name in without_states)
    for model in checked:
        # OpenModelica: "Internal error solving array equation".
        assert rows_from_functions(model) == []
        # Without fixed starts the compiler picks initial conditions itself, with a warning.
        for variable in read_before_events(model):
            assert starts_fixed(model, variable), variable
        equations, unknowns = balance(model, models)
        assert equations == unknowns > 0, model.name
    # [Modelica 3.6] section 7.2.5: modifications of an array apply to its elements by `each`.
    for file in package.glob("*.mo"):
        array = re.compile(r"^ *\w[\w.]* \w+\[[^\]]*\]\(([^)]*)\)", re.MULTILINE)
        for modified in array.findall(file.read_text()):
            assert all(part.strip().startswith("each ") for part in modified.split(",")), modified


def test_each_velocity_that_jumps_is_a_state_of_a_free_body(tool, tmp_path):
    """[Modelica 3.6] section 8.3.6: reinit takes variables that are states; in a body of the MultiBody
    library v_0 and w_a are, where enforceStates and useQuaternions say so."""
    package = made(tool, SCENES / "driven_cubes.toml", tmp_path)
    model = read_class(package / "Examples.mo", "DrivenCubes", "Examples", "ImpulsiveBodies")
    (when,) = [e for e in model.equations if isinstance(e, ast.WhenEquation)]
    jumps = [[str(argument) for argument in e.arguments[:1]] for e in when.blocks[0]]
    cubes = [f"body_cube{i}" for i in (1, 2, 3, 4)]
    assert jumps == [[f"{cube}.{state}"] for cube in cubes for state in ("v_0", "w_a")]
    for cube in cubes:
        given = modifications(model.symbols[cube])
        assert all(given[key].value is True for key in ("enforceStates", "useQuaternions"))


@pytest.mark.parametrize(
    ("scene", "contact", "example"),
    [
        ("driven_pair", "Contact", "FreeBodies"),
        ("driven_cubes", "ImpulseContact", "ImpulsiveBodies"),
    ],
)
def test_a_package_has_the_models_that_its_laws_mean_alone(tool, tmp_path, scene, contact, example):
    """Contact forces without impulses let through what meets by impulses."""
    package = made(tool, SCENES / f"{scene}.toml", tmp_path)
    for model in ("Contact", "ImpulseContact"):
        assert (package / f"{model}.mo").exists() == (model == contact)
    text = (package / "Examples.mo").read_text() + (package / "README.md").read_text()
    for model in ("FreeBodies", "ImpulsiveBodies"):
        assert (model in text) == (model == example)


def test_the_forms_that_compilers_refuse_are_found(package):
    """The package as it was when OpenModelica refused it."""
    text = (package / "Contact.mo").read_text()
    rows = re.search(r"  motions = \{\n(.*?),\n(.*?)\};\n", text)
    first, second = (f"  motions[{i}, :] = {rows[i].strip()};\n" for i in (1, 2))
    old = text.replace(rows[0], first + second)
    old = old.replace("(each start=false, each fixed=true)", "")
    model = parser.parse(old).classes["DrivenPair"].classes["Contact"]
    assert rows_from_functions(model) == ["motions", "motions"]
    assert read_before_events(model) == {"apart", "nextEvent", "updates"}
    assert not starts_fixed(model, "apart")


def test_inputs_without_an_equation_are_missed_in_the_balance(tool, tmp_path):
    """Force [N] on the ball and torque [N.m] at the hinge: four inputs that no frame gives."""
    package = made(tool, SCENES / "coupled.toml", tmp_path)
    models = {
        "Coupled.FmuContact": read_class(package / "FmuContact.mo", "Coupled", "FmuContact"),
    }
    shown = shown_model(package)
    inputs = re.findall(r"^  contact\.(\w+) = 0\.0;$", shown, re.MULTILINE)
    assert inputs == [*(f"force_push_force_{i}_" for i in (1, 2, 3)), "hinge_torque"]
    without = re.sub(r"^  contact\.\w+ = 0\.0;\n", "", shown, flags=re.MULTILINE)
    equations, unknowns = balance(parser.parse(without).classes["Imported"], models)
    assert unknowns - equations == 4


def test_the_readme_says_what_openmodelica_needs(tool, package, tmp_path):
    with_states = (made(tool, SCENES / "coupled.toml", tmp_path) / "README.md").read_text()
    without = (package / "README.md").read_text()
    option = 'setCommandLineOptions("--allowNonStandardModelica=reinitInAlgorithms");'
    assert option in with_states
    assert "Start values of these states cannot be" in " ".join(with_states.split())
    assert "reinitInAlgorithms" not in without
    for readme, name in [(with_states, "coupled"), (without, "driven_pair")]:
        assert f'importFMU("{name}.fmu");\nloadFile("{name}_me_FMU.mo");' in readme
        assert "without `--arrays`" in readme
        experiment = r"experiment\(StartTime=0.0, StopTime=[\d.]+, Tolerance=1e-\d+\)"
        assert re.search(rf"  annotation\({experiment}\);\nend Imported;", readme)
        assert f"contact(redeclare model Fmu = {name}_me_FMU);" in readme
    # [Modelica 3.6] 4.5.1: a short class definition of a partial class is partial.
    assert not read_class(package / "FmuContact.mo", "DrivenPair", "FmuContact").partial


def test_words_of_modelica_are_names_of_a_scene(tool, build, tmp_path):
    """Each name of the package has a word before it, and what a compiler reserves has none."""
    text = (SCENES / "driven_pair.toml").read_text()
    words = {"hammer": "block", "anvil": "end", "Rubber": "when", "driven_pair": "real"}
    for old, new in words.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    scene = tmp_path / "scene.toml"
    scene.write_text(text)
    for kind in (2, 3):
        assert problems(build(scene, fmi=kind).archive) == []
    command = [tool, "modelica", scene, "-o", tmp_path]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert "RealScene, since Modelica has a Real itself" in done.stdout
    assert "frame_block, frame_end" in done.stdout
    package = tmp_path / "RealScene"
    for file in package.glob("*.mo"):
        assert "RealScene" in parser.parse(file.read_text()).classes
    contact = read_class(package / "Contact.mo", "RealScene", "Contact")
    assert {"frame_block", "frame_end", "material_when_youngs_modulus"} <= set(contact.symbols)


def test_a_scene_in_which_nothing_can_touch_has_no_arrays_of_no_size(tool, tmp_path):
    old = 'name = "anvil"\nmotion = "driven"\norientation_input = "matrix"\nwrench_axes = "body"'
    text = (SCENES / "driven_pair.toml").read_text()
    assert text.count(old) == 1
    scene = tmp_path / "scene.toml"
    head, tail = text.split("[[body]]", 1)
    fixed = tail.replace(old, 'name = "anvil"\nmotion = "fixed"')
    scene.write_text(f'{head}[contact]\nexclude = ["hammer:anvil"]\n\n[[body]]{fixed}')
    package = made(tool, scene, tmp_path)
    assert not (package / "Contact.mo").exists()
    assert "no shape of the scene can touch another one" in (package / "README.md").read_text()
    for file in package.glob("*.mo"):
        parser.parse(file.read_text())


def test_outputs_that_the_scene_hides_are_missed(tool, tmp_path):
    text = (SCENES / "driven_pair.toml").read_text()
    assert "[interface]" not in text
    scene = tmp_path / "scene.toml"
    scene.write_text(text + '\n[interface]\nexpose = ["hammer.*"]\n')
    assert '"anvil.contact_*"' in refused(tool, scene, "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    scene.write_text(text + '\n[interface]\nexpose = ["*.contact_*"]\n')
    subprocess.run([tool, "modelica", scene, "-o", tmp_path / "out"], check=True, timeout=60)


def refused(tool, *arguments) -> str:
    command = [tool, "modelica", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, done
    return done.stderr


def test_a_scene_without_driven_bodies_is_refused_and_leaves_nothing(tool, tmp_path):
    message = refused(tool, SCENES / "soft_ball.toml", "-o", tmp_path / "out")
    assert "driven" in message
    assert list(tmp_path.iterdir()) == []


def test_only_a_package_of_this_program_is_replaced(tool, package, tmp_path):
    place = tmp_path / "DrivenPair"
    place.mkdir()
    (place / "mine.mo").write_text("model mine end mine;")
    assert "mine" not in refused(tool, SCENES / "driven_pair.toml", "-o", tmp_path)
    assert [p.name for p in place.iterdir()] == ["mine.mo"]
    (place / "mine.mo").unlink()
    (place / "package.mo").write_text((package / "package.mo").read_text())
    command = [tool, "modelica", SCENES / "driven_pair.toml", "-o", tmp_path]
    subprocess.run(command, check=True, timeout=60)
    files = {p.relative_to(place) for p in place.rglob("*") if p.is_file()}
    assert files == {p.relative_to(package) for p in package.rglob("*") if p.is_file()}
    assert [p.name for p in tmp_path.iterdir()] == ["DrivenPair"]
