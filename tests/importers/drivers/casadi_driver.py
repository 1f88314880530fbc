"""CasADi: DaeBuilder's right-hand side, integrated by CasADi's interface to CVODES. Mode: me.

CasADi handles no state events, so the scene must be in free flight over the whole grid.
"""

from __future__ import annotations

import casadi
import numpy as np

from grid import Job

# Of the integrator, relative and absolute: states are of the size 1 (metres, quaternions).
TOLERANCE = 1e-12


def main() -> None:
    """Runs the mode of the command line."""
    job = Job.from_command_line()
    assert job.mode == "me", f"unknown mode {job.mode!r}"
    model = casadi.DaeBuilder("scene", str(job.fmu))
    states = model.x()
    rhs = model.create("rhs", ["t", "x", "p"], ["ode"])
    time = casadi.MX.sym("t")
    state = casadi.MX.sym("x", len(states))
    parameters = casadi.MX.sym("p", rhs.size1_in("p"))
    integrator = casadi.integrator(
        "run",
        "cvodes",
        {"t": time, "x": state, "p": parameters, "ode": rhs(time, state, parameters)},
        job.grid.times[0],
        job.grid.times,
        {"reltol": TOLERANCE, "abstol": TOLERANCE},
    )
    found = integrator(
        x0=casadi.vertcat(*map(model.start, states)),
        p=casadi.vertcat(*map(model.start, model.p())),
    )
    columns = [states.index(name) for name in job.grid.names]
    values = np.array(found["xf"])[columns].T
    job.write(zip(job.grid.times, *values.T, strict=True))


if __name__ == "__main__":
    main()
