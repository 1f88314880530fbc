"""Writes bowl.obj beside this file: a bowl of 2,400 triangles with a flat foot, in millimetres.

Rings of 6, 12, 18, ... corners at equal steps of the angle from the lowest point, all on the sphere, make triangles of
nearly equal sides.
"""

import math
from pathlib import Path

RADIUS = 100.0  # mm, of the sphere; its centre is the origin
RINGS = 20
OPENING = math.radians(30)  # from the lowest point to the rim
FOOT = -110.0  # mm


def corner(ring, place):
    angle, turn = OPENING * ring / RINGS, math.tau * place / max(6 * ring, 1)
    side = RADIUS * math.sin(angle)
    return side * math.cos(turn), side * math.sin(turn), -RADIUS * math.cos(angle)


def number(ring, place):
    """Of a corner, from 1: the lowest point, then ring by ring."""
    return 1 if ring == 0 else 2 + 3 * ring * (ring - 1) + place % (6 * ring)


def faces():
    for ring in range(1, RINGS + 1):
        for sector in range(6):
            for k in range(ring):
                inner, outer = sector * (ring - 1) + k, sector * ring + k
                below = number(ring - 1, inner)
                yield below, number(ring, outer), number(ring, outer + 1)
                if k + 1 < ring:
                    yield below, number(ring, outer + 1), number(ring - 1, inner + 1)
    # The wall below the rim, and the foot.
    count, rim, foot = 6 * RINGS, number(RINGS, 0), number(RINGS + 1, 0)
    for k in range(count):
        a, b, c, d = rim + k, rim + (k + 1) % count, foot + (k + 1) % count, foot + k
        yield d, c, b
        yield d, b, a
    yield tuple(foot + k for k in reversed(range(count)))


corners = [corner(0, 0)] + [corner(ring, k) for ring in range(1, RINGS + 1) for k in range(6 * ring)]
corners += [(x, y, FOOT) for x, y, _ in corners[-6 * RINGS :]]
text = [f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in corners]
text += ["f " + " ".join(map(str, face)) + "\n" for face in faces()]
Path(__file__).with_name("bowl.obj").write_text("".join(text))
