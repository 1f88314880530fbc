"""FMI 2.0 and FMI 3.0 are two ways to one instance: the same numbers to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from fixed_steps import FixedStepImporter
from importer import Instance, run

# Contact with friction; event indicators that go from pair to pair; two free bodies.
SCENES = {
    "soft_ball": (),
    "twelve_pairs": (("nz_max = 12", "nz_max = 2"),),
    "two_spheres": (),
}


@pytest.fixture(params=sorted(SCENES))
def both(request, build):
    """FMUs of one scene, FMI 2.0 and FMI 3.0."""
    changes = SCENES[request.param]
    return [build(request.param, *changes, fmi=version) for version in (2, 3)]


def real_variables(both) -> list[str]:
    """Names of all real variables but the time, which FMI 2.0 does not have as one."""
    old, new = both
    names = [name for name, kind in old.types.items() if kind == "Real"]
    assert ["time", *names] == [name for name, kind in new.types.items() if kind == "Float64"]
    return names


class Recorder(FixedStepImporter):
    """Keeps every derivative, indicator and nominal value that the instance answers."""

    def __init__(self, instance: Instance):
        super().__init__(instance)
        self.answers = [instance.nominals()]

    def slope(self, time: float, states: np.ndarray) -> np.ndarray:
        derivatives = super().slope(time, states)
        self.answers += [derivatives, self.instance.indicators()]
        return derivatives


def test_model_exchange_answers_equal_bits_in_both_versions(both):
    names = real_variables(both)
    found = []
    for fmu in both:
        with fmu.instance("me") as instance:
            instance.initialize(tolerance=1e-8)
            runner = Recorder(instance)
            states = runner.advance(2400)
            assert instance.contact_starts(), "the run must meet a contact"
            answers = [states.ravel(), *runner.answers, instance.get(*names)]
            starts = instance.contact_starts()
        found.append((np.concatenate(answers).tobytes(), starts))
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", ["me", "me-explicit", "cs"])
def test_whole_runs_are_equal_to_the_bit_in_both_versions(both, kind):
    names = real_variables(both)
    (old, old_starts), (new, new_starts) = (
        run(fmu, kind, np.linspace(0, 0.6, 121), 1e-9, outputs=names) for fmu in both
    )
    assert old_starts == new_starts != []
    assert old.event_times == new.event_times
    assert old.states.tobytes() == new.states.tobytes()
    assert old.outputs.tobytes() == new.outputs.tobytes()
