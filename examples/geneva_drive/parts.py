"""Writes sector.obj, a quarter of the locking disc in millimetres, as a CAD program would export it.

Centre in the origin, radius 45 mm, from 45 to 135 deg in steps of 2 deg, from z = -5 to +5 mm. Polygons
may have any number of corners in an OBJ file.
"""

from math import cos, radians, sin
from pathlib import Path

RADIUS, HALF = 45.0, 5.0  # mm

outline = [(0.0, 0.0)]
outline += [(RADIUS * cos(radians(a)), RADIUS * sin(radians(a))) for a in range(45, 136, 2)]
count = len(outline)
lines = [f"v {x:.6f} {y:.6f} {z}" for z in (-HALF, HALF) for x, y in outline]
bottom, top = range(1, count + 1), range(count + 1, 2 * count + 1)
lines.append("f " + " ".join(str(i) for i in reversed(bottom)))
lines.append("f " + " ".join(str(i) for i in top))
for i in range(count):
    j = (i + 1) % count
    lines.append(f"f {bottom[i]} {bottom[j]} {top[j]} {top[i]}")
(Path(__file__).parent / "sector.obj").write_text("\n".join(lines) + "\n")
