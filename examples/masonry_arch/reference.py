"""Independent statics of the arch: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU. Limit analysis by linear programs (Livesley, Limit
analysis of structures formed from rigid blocks, Int. J. Numer. Methods Eng. 12, 1978): rigid blocks in
the plane, forces in friction cones at the ends of each joint. And the arch on joints that give: springs
across, without tension, and along. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import brentq, linprog

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G = 9.81  # m/s2
BLOCKS, INNER, OUTER, DEPTH, DENSITY = 7, 1.0, 1.3, 0.3, 2000.0  # 1, m, m, m, kg/m3
ANGLE = np.pi / BLOCKS  # rad, of a block
FOUNDATION, TANGENTIAL, MU = 1e9, 5e7, 0.6  # N/m3, N/m of each joint, 1


def wedge(i):
    """Corners of block i, counted from the right springer, in the plane (x, z)."""
    a, b = i * ANGLE, (i + 1) * ANGLE
    return np.array([[r * np.cos(t), r * np.sin(t)] for r, t in ((INNER, a), (OUTER, a), (OUTER, b), (INNER, b))])


def area_and_centre(corners):
    x, z = corners.T
    x2, z2 = np.roll(x, -1), np.roll(z, -1)
    cross = x * z2 - x2 * z
    area = cross.sum() / 2
    return area, np.array([((x + x2) * cross).sum(), ((z + z2) * cross).sum()]) / (6 * area)


AREA, _ = area_and_centre(wedge(0))
MASS = DENSITY * DEPTH * AREA
CENTRES = np.array([area_and_centre(wedge(i))[1] for i in range(BLOCKS)])


def joint(j):
    """Ends of joint j (inner, outer), unit normal towards block j, unit tangent outwards."""
    t = j * ANGLE
    tangent = np.array([np.cos(t), np.sin(t)])
    return INNER * tangent, OUTER * tangent, np.array([-np.sin(t), np.cos(t)]), tangent


def equilibrium():
    """Matrix and right side: unknowns (n, t) at both ends of each joint, on block j; their negatives act on
    block j - 1. Rows: forces along x, z and the moment about the centre of mass, of each block."""
    matrix, right = np.zeros((3 * BLOCKS, 4 * (BLOCKS + 1))), np.zeros(3 * BLOCKS)
    for j in range(BLOCKS + 1):
        inner, outer, normal, tangent = joint(j)
        for e, end in enumerate((inner, outer)):
            for d, direction in enumerate((normal, tangent)):
                for block, sign in ((j, 1.0), (j - 1, -1.0)):
                    if 0 <= block < BLOCKS:
                        arm = end - CENTRES[block]
                        column = 4 * j + 2 * e + d
                        matrix[3 * block : 3 * block + 2, column] = sign * direction
                        matrix[3 * block + 2, column] = sign * (arm[0] * direction[1] - arm[1] * direction[0])
    right[1::3] = MASS * G
    return matrix, right


def thrust(mu, sign):
    """Smallest (sign 1) or largest (-1) thrust [N] that holds the arch; None where nothing does."""
    matrix, right = equilibrium()
    cones = []
    for corner in range(2 * (BLOCKS + 1)):
        for side in (1.0, -1.0):
            row = np.zeros(matrix.shape[1])
            row[2 * corner], row[2 * corner + 1] = -mu, side
            cones.append(row)
    # The right springer pushes to the left with -t of joint 0, whose tangent is x.
    cost = np.zeros(matrix.shape[1])
    cost[[1, 3]] = -sign
    found = linprog(cost, np.array(cones), np.zeros(len(cones)), matrix, right, [(0, None), (None, None)] * (len(cost) // 2), method="highs")
    return sign * found.fun if found.status == 0 else None


def smallest_friction():
    """Smallest mu that holds: the programs turn feasible."""
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if thrust(middle, 1.0) is not None else (middle, high)
    return high


def on_springs():
    """Displacements (x, z, angle) of the blocks on joints that give, and (n, t, place) of each joint.

    Joint of ends a and b: opening g(s) linear between them, pressure K max(0, -g), spring TANGENTIAL along
    it at the place of the pressure. Newton's method; the joint's law by its piecewise linear opening.
    """
    matrix, right = equilibrium()

    def motion(j):
        """Derivatives of opening at both ends and of slip at its middle, by all displacements."""
        inner, outer, normal, tangent = joint(j)
        rows = np.zeros((4, 3 * BLOCKS))
        for block, sign in ((j, 1.0), (j - 1, -1.0)):
            if 0 <= block < BLOCKS:
                for r, (end, direction) in enumerate(((inner, normal), (outer, normal), (inner, tangent), (outer, tangent))):
                    arm = end - CENTRES[block]
                    rows[r, 3 * block : 3 * block + 2] = sign * direction
                    rows[r, 3 * block + 2] = sign * (arm[0] * direction[1] - arm[1] * direction[0])
        return rows

    rows = [motion(j) for j in range(BLOCKS + 1)]
    width = OUTER - INNER

    def joint_forces(u, j):
        gi, go, si, _ = rows[j] @ u
        # Pressure over 0 <= s <= width, at most one end open.
        nodes, weights = np.polynomial.legendre.leggauss(2)
        low, high = 0.0, width
        if gi > 0 > go:
            low = width * gi / (gi - go)
        if go > 0 > gi:
            high = width * gi / (gi - go)
        s = (low + high) / 2 + (high - low) / 2 * nodes
        opening = gi + (go - gi) * s / width
        p = np.maximum(0.0, -FOUNDATION * opening) * weights * (high - low) / 2 * DEPTH
        n = p.sum()
        place = (p * s).sum() / n if n > 0 else width / 2
        return n, place, -TANGENTIAL * si

    def residual(u):
        forces = np.zeros(4 * (BLOCKS + 1))
        for j in range(BLOCKS + 1):
            n, place, t = joint_forces(u, j)
            forces[4 * j : 4 * j + 4] = n * (1 - place / width), t * (1 - place / width), n * place / width, t * place / width
        return matrix @ forces - right

    u = np.zeros(3 * BLOCKS)
    u[1::3] = -1e-5
    for _ in range(200):
        r = residual(u)
        if np.abs(r).max() < 1e-7:
            break
        h = 1e-11
        jacobian = np.column_stack([(residual(u + h * e) - residual(u - h * e)) / (2 * h) for e in np.eye(len(u))])
        step = -np.linalg.solve(jacobian, r)
        scale = 1.0
        while scale > 1e-3 and np.abs(residual(u + scale * step)).max() > np.abs(r).max():
            scale /= 2
        u = u + scale * step
    return u, [joint_forces(u, j) for j in range(BLOCKS + 1)], np.abs(residual(u)).max()


def main():
    weight = BLOCKS * MASS * G
    low, high = thrust(MU, 1.0), thrust(MU, -1.0)
    print(f"mass of a block {MASS:.9f} kg, centre at {np.hypot(*CENTRES[0]):.12f} m, half the weight {weight / 2:.6f} N")
    print(f"thrust with mu {MU}: {low:.4f} to {high:.4f} N; with mu 0.1: {thrust(0.1, 1.0)}")
    print(f"smallest mu {smallest_friction():.6f}")
    print("rigid, without limit of friction:", thrust(1e3, 1.0), thrust(1e3, -1.0))
    u, joints, left = on_springs()
    print(f"on springs: left over {left:.1e} N")
    for j, (n, place, t) in enumerate(joints):
        print(f"  joint {j}: n {n:.3f} N at {INNER + place:.6f} m, t {t:.3f} N, t/n {t / n:.4f}")
    print("  down [um]", " ".join(f"{-1e6 * z:.3f}" for z in u[1::3]))
    rows = (
        ("half_the_weight", weight / 2),
        ("least_thrust", low),
        ("largest_thrust", high),
        ("least_friction", smallest_friction()),
        ("thrust_on_springs", abs(joints[0][2])),
        *((f"down_{i + 1}_on_springs", -z) for i, z in enumerate(u[1::3])),
    )
    write(["quantity", "value"], rows, 9)


if __name__ == "__main__":
    main()
