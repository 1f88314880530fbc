"""Independent solution of two blocks on a board that tilts: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU. The tall block: a rectangle in the plane, in axes that
turn with the board; the pressure on the line between both faces, integrated by a rule that is exact there;
LSODA. The low block: a point under Coulomb friction (DOP853). The limit angle is that of statics. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar

sys.path.append(str(Path(__file__).parents[1]))
from shared import damping_coefficient, exact_damping, write  # noqa: E402

G, Z_EPS = 9.81, 1e-8  # m/s2, m
TURN = np.radians(6.0)  # rad/s, of the board
DEPTH, DENSITY, FOUNDATION, RESTITUTION = 0.1, 1000.0, 2e9, 0.3  # m, kg/m3, N/m3, 1
TANGENTIAL, TANGENTIAL_DAMPING = 1e7, 1e3  # N/m, N.s/m
STOP, STEP = 4.6, 0.02  # s


U = exact_damping(RESTITUTION)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(3)


class Block:
    def __init__(self, width, height, mu):
        self.b, self.h, self.mu = width / 2, height / 2, mu
        self.mass = DENSITY * width * height * DEPTH
        self.inertia = self.mass * (width**2 + height**2) / 12

    def patches(self, z, angle):
        """Pieces of the line on which the pressures of block and board are equal: a list of points from
        the centre, unit normal, nodes' pressure and length. Axes of the board, x down the slope, z off it;
        each field has 2 K, each plane lies Z_EPS inside its face."""
        c, s = np.cos(angle), np.sin(angle)
        normals = [np.array([s, c]), np.array([-s, -c]), np.array([c, -s]), np.array([-c, s])]
        offsets = [self.h, self.h, self.b, self.b]
        k = 2 * FOUNDATION
        # Fields as (value at the centre, gradient); the board's is that of its surface z = 0.
        board = (-k * (z + Z_EPS), np.array([0.0, -k]))
        faces = [(k * (o - Z_EPS), -k * n) for o, n in zip(offsets, normals)]
        found = []
        for i, (value, slope) in enumerate(faces):
            gap, along = board[0] - value, board[1] - slope
            size = along @ along
            if size < 1e-24 * k * k:
                continue
            point, direction = -gap * along / size, np.array([-along[1], along[0]]) / np.sqrt(size)
            low, high = -10.0, 10.0
            tests = [(board[0], board[1])] + [(v - board[0], g - board[1]) for m, (v, g) in enumerate(faces) if m != i]
            for v, g in tests:  # v + g.(point + t direction) >= 0
                a, rate = v + g @ point, g @ direction
                if abs(rate) < 1e-14 * k:
                    if a < 0:
                        high = low
                elif rate > 0:
                    low = max(low, -a / rate)
                else:
                    high = min(high, -a / rate)
            if high > low:
                t = (low + high) / 2 + (high - low) / 2 * NODES
                points = point + t[:, None] * direction
                normal = (slope - board[1]) / np.sqrt(size)
                found.append((points, normal, board[0] + points @ board[1], WEIGHTS * (high - low) / 2, value, slope))
        return found

    def energy(self, z, angle, patches):
        """Energy [J], by the divergence theorem from the line where both pressures are equal."""
        # The integral of a linear field l with gradient g over its cell is that of l^2/2 (N.g)/(g.g) over
        # the cell's boundary.
        k2 = (2 * FOUNDATION) ** 2
        total = 0.0
        for points, normal, pressure, weights, _, slope in patches:
            flux = (normal @ slope - normal @ np.array([0.0, -2 * FOUNDATION])) / k2
            total += (pressure**2 * weights).sum() / 2 * flux * DEPTH
        # Lines between two faces of the block, as long as the block is deep, are left out; damping alone uses
        # this energy.
        return abs(total)

    def force(self, y):
        """Force along x and z [N], torque [N.m], rate of the deflection [m/s]."""
        x, z, angle, vx, vz, spin, deflection = y
        patches = self.patches(z, angle)
        if not patches:
            return 0.0, 0.0, 0.0, 0.0
        elastic = sum((p * w).sum() * DEPTH for _, _, p, w, _, _ in patches)
        centre = sum(((p * w) @ r) * DEPTH for r, _, p, w, _, _ in patches) / elastic
        stored = self.energy(z, angle, patches)
        speeds = [-(np.column_stack([vx + spin * r[:, 1], vz - spin * r[:, 0]]) @ n) for r, n, _, _, _, _ in patches]
        mean = sum((p * w * v).sum() * DEPTH for (_, _, p, w, _, _), v in zip(patches, speeds)) / elastic
        d = damping_coefficient(stored / self.mass, mean, U, 1e-14)
        fx = fz = torque = 0.0
        for (r, n, p, w, _, _), v in zip(patches, speeds):
            f = np.maximum(0.0, p * (1 + d * v)) * w * DEPTH
            fx += f.sum() * n[0]
            fz += f.sum() * n[1]
            torque += (f * (r[:, 1] * n[0] - r[:, 0] * n[1])).sum()
        normal = np.hypot(fx, fz)
        slip = vx + spin * centre[1]
        trial = -(TANGENTIAL * deflection + TANGENTIAL_DAMPING * slip)
        friction = np.clip(trial, -self.mu * normal, self.mu * normal)
        deflection_rate = (-friction - TANGENTIAL * deflection) / TANGENTIAL_DAMPING
        return fx + friction, fz, torque + friction * centre[1], deflection_rate

    def rates(self, t, y):
        x, z, angle, vx, vz, spin, _ = y
        fx, fz, torque, deflection_rate = self.force(y)
        a = TURN * t
        ax = fx / self.mass + G * np.sin(a) - 2 * TURN * vz + TURN**2 * x
        az = fz / self.mass - G * np.cos(a) + 2 * TURN * vx + TURN**2 * z
        return [vx, vz, spin, ax, az, torque / self.inertia, deflection_rate]

    def start(self):
        """Height of the centre at rest on the level board."""
        z = brentq(lambda z: self.force(np.array([0, z, 0, 0, 0, 0, 0]))[1] - self.mass * G, self.h - 1e-4, self.h - 2.1 * Z_EPS, xtol=1e-17)
        return z

    def solve(self):
        z = self.start()
        y0 = [0.0, z, 0.0, 0.0, 0.0, 0.0, 0.0]
        grid = np.arange(round(STOP / STEP) + 1) * STEP
        found = solve_ivp(
            self.rates, (0, grid[-1]), y0, "LSODA", rtol=1e-9, atol=1e-13, t_eval=grid, max_step=STEP
        )
        assert found.success, found.message
        return z, grid, found.y

    def limit(self):
        """Slope at which the last equilibrium on the foundation ends, bearing at e from the middle."""

        def slope(e):
            # N, e and lean hold each other: N = m g cos(slope).
            def lean(a):
                return 2 * self.mass * G * np.cos(a) / (9 * FOUNDATION * DEPTH * (self.b - e) ** 2)

            a = np.arctan(e / self.h)
            for _ in range(100):
                a = np.arctan(e / self.h) - lean(a)
            return a

        best = minimize_scalar(lambda e: -slope(e), bounds=(0.5 * self.b, self.b * (1 - 1e-6)), method="bounded", options={"xatol": 1e-12})
        return -best.fun, self.b - best.x


def slide(block, start, grid):
    """Way [m] down the board of a point that slides from that time on, h above the board."""

    def rates(t, y):
        a = TURN * t
        load = G * np.cos(a) - 2 * TURN * y[1] - TURN**2 * block.h
        return [y[1], G * np.sin(a) + TURN**2 * y[0] - block.mu * load]

    found = solve_ivp(rates, (start, grid[-1]), [0.0, 0.0], "DOP853", rtol=1e-10, atol=1e-12, dense_output=True)
    return np.where(grid > start, found.sol(np.maximum(grid, start))[0], 0.0)


def world(name, grid, x, z, spin):
    """Columns of a block from axes of the board into those of the world."""
    c, s = np.cos(TURN * grid), np.sin(TURN * grid)
    return [
        (f"{name}.position[1]", x * c + z * s),
        (f"{name}.position[3]", -x * s + z * c),
        (f"{name}.angular_velocity[2]", spin + TURN),
    ]


def main():
    tall, low = Block(0.1, 0.2, 0.8), Block(0.1, 0.1, 0.4)
    limit, bears = tall.limit()
    rigid = np.arctan(tall.b / tall.h)
    print(f"rigid {np.degrees(rigid):.6f} deg at {rigid / TURN:.6f} s; foundation {np.degrees(limit):.6f} deg at {limit / TURN:.6f} s, over {3e3 * bears:.4f} mm")
    slides = brentq(lambda a: np.sin(a) - low.mu * (np.cos(a) - TURN**2 * low.h / G), 0, 1)
    print(f"slides at {np.degrees(slides):.6f} deg, {slides / TURN:.6f} s; atan mu {np.degrees(np.arctan(low.mu)):.6f}")
    z, grid, y = tall.solve()
    print(f"tall starts at {z:.12f} m")
    for degrees in (1, 5):
        i = np.argmax(y[2] > np.radians(degrees))
        t = np.interp(np.radians(degrees), y[2][i - 1 : i + 1], grid[i - 1 : i + 1])
        print(f"  leans by {degrees} deg at {t:.4f} s, board {np.degrees(TURN * t):.4f} deg")
    for t in (2.5, 3.5, 4.2):
        print(f"  leans at {t} s by {y[2][round(t / STEP)]:.6e} rad")
    columns = world("tall", grid, y[0], y[1], y[5])
    x = slide(low, slides / TURN, grid)
    print(f"low starts at {low.start():.12f} m, ends {x[-1]:.9f} m down the board")
    columns += world("low", grid, x, np.full(len(grid), low.start()), np.zeros(len(grid)))
    write(["time"] + [name for name, _ in columns], zip(grid, *(values for _, values in columns)), 12)


if __name__ == "__main__":
    main()
