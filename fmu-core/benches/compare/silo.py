"""Scene files of granular flow, and the laws that they are compared with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GRAVITY = 9.81


@dataclass
class Silo:
    """A box with a flat floor and a round hole, which a gate below it opens. Lengths in diameters of
    the balls but `diameter` [m]; `stiffness` [N/m] of all contacts; times [s]."""

    orifice: float = 8.0
    side: float = 18.0
    count: int = 10_000
    diameter: float = 6e-3
    stiffness: float = 1e4
    density: float = 2500.0
    friction: float = 0.3
    opened: float = 0.3
    stop: float = 0.65
    pit: float = 8.0
    threads: int = 1
    sides: int = 16
    # Of the floor, and of the gate when it moves down.
    thick: float = 0.5

    @property
    def core(self) -> tuple[float, float]:
        """Heights between which the bulk density is taken."""
        return 2.0, min(13.0, 0.55 * self.count / self.side**2)

    @property
    def ball_mass(self) -> float:
        return self.density * np.pi / 6 * self.diameter**3

    def floor(self) -> str:
        """Prisms about a polygon of the area of the hole."""
        d, n = self.diameter, self.sides
        inner = self.orifice / 2 * np.sqrt(2 * np.pi / n / np.sin(2 * np.pi / n)) * d
        outer = self.side * 0.5 * np.sqrt(2) * 1.1 * d
        corner = [np.array([np.cos(a), np.sin(a)]) for a in 2 * np.pi / n * np.arange(n + 1)]
        text = '[[body]]\nname = "floor"\nmotion = "fixed"\n'
        for i in range(n):
            flat = [r * corner[k] for k in (i, i + 1) for r in (inner, outer)]
            points = [f"[{x:.9f}, {y:.9f}, {z}]" for x, y in flat for z in (-self.thick * d, 0)]
            text += f'[[body.shape]]\nname = "part{i}"\nmaterial = "Bead"\n'
            text += f"hull = {{ points = [{', '.join(points)}] }}\n"
        return text

    def scene(self) -> str:
        d, half = self.diameter, self.side / 2 * self.diameter
        walls = ""
        for name, place, axis, angle in (
            ("xm", [-half, 0, 0], [0, 1, 0], 90),
            ("xp", [half, 0, 0], [0, 1, 0], -90),
            ("ym", [0, -half, 0], [1, 0, 0], -90),
            ("yp", [0, half, 0], [1, 0, 0], 90),
        ):
            walls += f'[[body.shape]]\nname = "{name}"\nhalf_space = {{}}\nmaterial = "Bead"\n'
            walls += f'position = {place}\nrotation = {{ axis = {axis}, angle = "{angle} deg" }}\n'
        height = 2 * d * self.count / (self.side - 1) ** 2 + 3 * d
        low, t = -self.thick * d, self.opened
        depth = self.pit * d
        # Faster than the balls fall.
        fall = np.sqrt(depth / GRAVITY)
        core = (self.side / 2 - 3) * d
        return f"""format = 1
name = "silo"
[world]
gravity = [0, 0, -{GRAVITY}]
[experiment]
stop_time = {self.stop}
step_size = 0.01
solver = "dem"
max_steps = 1000000
threads = {self.threads}
statistics = true
[contact]
law = "spring"
smoothing_radius = "0.05 mm"
damping = "exact"
friction = "stick"
nz_max = 16
[[material]]
name = "Bead"
density = {self.density}
youngs_modulus = 7e7
poissons_ratio = 0.25
[[material_pair]]
materials = ["Bead", "Bead"]
stiffness = {self.stiffness}
exponent = 1
restitution = 0.5
sliding_friction = {self.friction}
[[body]]
name = "walls"
motion = "fixed"
{walls}{self.floor()}[[body]]
name = "gate"
motion = "prescribed"
position = [0, 0, {low - 3 * d}]
[[body.shape]]
name = "top"
box = {{ lengths = [{self.side * 1.2 * d}, {self.side * 1.2 * d}, {6 * d}] }}
material = "Bead"
[[motion]]
body = "gate"
[motion.table]
times = [{t}, {t + fall}]
displacement = [[0, 0, 0], [0, 0, {-depth}]]
[[grains]]
name = "balls"
material = "Bead"
diameter = {d}
jitter = {0.02 * d}
[grains.fill]
lower = [{-half}, {-half}, 0]
upper = [{half}, {half}, {height}]
count = {self.count}
[[grains.region]]
name = "out"
z_max = {low}
[[grains.region]]
name = "core"
x_min = {-core}
x_max = {core}
y_min = {-core}
y_max = {core}
z_min = {self.core[0] * d}
z_max = {self.core[1] * d}
"""

    def bulk_density(self, in_core: float) -> float:
        """[kg/m3], from the balls in the core region."""
        low, high = self.core
        volume = (self.side - 6) ** 2 * (high - low) * self.diameter**3
        return in_core * self.ball_mass / volume

    def beverloo(self, bulk: float, c: float = 0.58, k: float = 1.5) -> float:
        """Discharge rate [kg/s] of Beverloo, Leniger, van de Velde (Chemical Engineering Science 15,
        1961, 260-269) with their C, and k of spheres, [Nedderman 1992] Statics and Kinematics of
        Granular Materials; `bulk` is the density of the flowing balls."""
        width = (self.orifice - k) * self.diameter
        return c * bulk * np.sqrt(GRAVITY) * width**2.5


@dataclass
class Heap:
    """Balls between two gates on a plate, which has no end for them to lean on once the gates are
    gone: those that fall off leave a ridge with two slopes. Front and back are smooth. Lengths in
    diameters."""

    friction: float = 0.5
    rolling: float = 0.0
    length: float = 40.0
    width: float = 6.0
    count: int = 3000
    diameter: float = 6e-3
    stiffness: float = 4e3
    density: float = 2500.0
    opened: float = 0.3
    stop: float = 1.8

    def scene(self) -> str:
        d = self.diameter
        x, y = self.length / 2 * d, self.width / 2 * d
        height = 2 * d * self.count / (self.length - 1) / (self.width - 1) + 3 * d
        text = f"""format = 1
name = "heap"
[world]
gravity = [0, 0, -{GRAVITY}]
[experiment]
stop_time = {self.stop}
step_size = 0.02
solver = "dem"
max_steps = 1000000
statistics = true
[contact]
law = "spring"
damping = "exact"
friction = "stick"
nz_max = 16
smoothing_radius = "0.05 mm"
[[material]]
name = "Bead"
density = {self.density}
youngs_modulus = 7e7
poissons_ratio = 0.25
[[material]]
name = "Smooth"
density = {self.density}
youngs_modulus = 7e7
poissons_ratio = 0.25
[[material_pair]]
materials = ["Bead", "Bead"]
stiffness = {self.stiffness}
exponent = 1
restitution = 0.5
sliding_friction = {self.friction}
rolling_resistance = {self.rolling}
[[material_pair]]
materials = ["Bead", "Smooth"]
friction = "off"
stiffness = {self.stiffness}
exponent = 1
restitution = 0.5
"""
        text += '[[body]]\nname = "ground"\nmotion = "fixed"\n'
        text += '[[body.shape]]\nname = "plate"\nmaterial = "Bead"\n'
        text += f"box = {{ lengths = [{2 * x}, {4 * y}, {4 * d}] }}\nposition = [0, 0, {-2 * d}]\n"
        for name, place, angle in (("front", -y, -90), ("back", y, 90)):
            text += f'[[body.shape]]\nname = "{name}"\nhalf_space = {{}}\nmaterial = "Smooth"\n'
            text += f"position = [0, {place}, 0]\n"
            text += f'rotation = {{ axis = [1, 0, 0], angle = "{angle} deg" }}\n'
        text += '[[body.shape]]\nname = "pit"\nhalf_space = {}\nmaterial = "Bead"\n'
        text += f"position = [0, 0, {-14 * d}]\n"
        t, away = self.opened, 30 * d
        for name, side in (("left", -1), ("right", 1)):
            text += f'[[body]]\nname = "{name}"\nmotion = "prescribed"\n'
            text += f"position = [{side * (x + 2 * d)}, 0, {height / 2}]\n"
            text += '[[body.shape]]\nname = "gate"\nmaterial = "Bead"\n'
            text += f"box = {{ lengths = [{4 * d}, {4 * y}, {height}] }}\n"
            text += f'[[motion]]\nbody = "{name}"\n[motion.table]\ntimes = [{t}, {t + 0.2}]\n'
            text += f"displacement = [[0, 0, 0], [{side * away}, 0, 0]]\n"
        text += f"""[[grains]]
name = "balls"
material = "Bead"
diameter = {d}
jitter = {0.02 * d}
[grains.fill]
lower = [{-x}, {-y}, 0]
upper = [{x}, {y}, {height}]
count = {self.count}
[[grains.region]]
name = "left"
x_max = 0
z_min = 0
[[grains.region]]
name = "right"
x_min = 0
z_min = 0
"""
        return text

    def angle(self, positions: np.ndarray) -> float:
        """Slope of the ridge [degrees]: of the line through the highest centres of columns 2 d wide,
        of both sides, without the edge and the ridge itself."""
        d = self.diameter
        own = positions[positions[:, 2] > 0] / d
        columns, heights = [], []
        for low in np.arange(1, self.length / 2 - 2, 2.0):
            for side in (-1, 1):
                x = side * own[:, 0]
                inside = own[(x >= low) & (x < low + 2)]
                top = np.sort(inside[:, 2])[-int(self.width) :] if len(inside) else [0.5]
                columns.append(low + 1)
                heights.append(np.mean(top))
        columns, heights = np.array(columns), np.array(heights)
        use = (columns > 3) & (columns < self.length / 2 - 3) & (heights > 1.5)
        return float(np.degrees(np.arctan(-np.polyfit(columns[use], heights[use], 1)[0])))
