"""Writes hook.obj and ring.obj beside this file: prisms, in millimetres.

The ring lies in the x-z plane, its centre is the origin. The hook lies in the y-z plane and arches over the lowest part of
the ring. Both have their flat sides where they touch.
"""

import math
from pathlib import Path

SIDES, INNER, OUTER, DEPTH = 12, 20.0, 30.0, 10.0  # 1, mm
WIDTH = 8.0  # mm, of the hook
# Around the profile of the hook, as seen against the x axis: tip, arch, shank, foot.
HOOK = [(-15, -38), (-7, -38), (-7, -20), (7, -20), (7, -72), (-9, -72), (-9, -80), (15, -80), (15, -12), (-15, -12)]


def write(name, points, faces):
    text = [f"v {x:.12g} {y:.12g} {z:.12g}\n" for x, y, z in points]
    text += ["f " + " ".join(str(k + 1) for k in face) + "\n" for face in faces]
    Path(__file__).with_name(name).write_text("".join(text))


def hook():
    count = len(HOOK)
    points = [(x, y, z) for x in (-WIDTH / 2, WIDTH / 2) for y, z in HOOK]
    walls = [(k, (k + 1) % count, (k + 1) % count + count, k + count) for k in range(count)]
    return points, [tuple(reversed(range(count))), tuple(range(count, 2 * count)), *walls]


def ring():
    points, faces = [], []
    for k in range(SIDES):
        turn = math.tau * (k + 0.5) / SIDES
        for radius in (INNER, OUTER):
            corner = radius / math.cos(math.pi / SIDES)
            for y in (-DEPTH / 2, DEPTH / 2):
                points.append((corner * math.sin(turn), y, -corner * math.cos(turn)))
        a, b = 4 * k, 4 * ((k + 1) % SIDES)
        # Inside, outside, and the sides at -y and +y.
        faces += [(a, b, b + 1, a + 1), (a + 2, a + 3, b + 3, b + 2), (a, a + 2, b + 2, b), (a + 1, b + 1, b + 3, a + 3)]
    return points, faces


write("hook.obj", *hook())
write("ring.obj", *ring())
