"""Where a ball rests on the triangles of hills.asc: prints the place of its centre, of a rigid and of the elastic ball.

Needs NumPy. Shares no code with the FMU. The centre of a rigid ball is as high over a place as no triangle is nearer to it
than the radius; it goes down from the place given, in ever smaller steps, until no way leads down. From there the elastic
ball is moved until its weight is the sum of n p dA over the triangles, which are cut into small pieces, with
p = E*/(pi sqrt(R)) sqrt(u) at the depth u below its surface.
"""

import sys
from pathlib import Path

import numpy as np

RADIUS = 0.3  # m
WEIGHT = 1100 * 4 / 3 * np.pi * RADIUS**3 * 9.81  # N
MODULUS = 1 / ((1 - 0.3**2) / 2e11 + (1 - 0.5**2) / 1e7)  # Pa
CUTS = 200  # pieces along each side of a triangle


def triangles():
    """Corners [m], two triangles a cell, which meet from south-west to north-east."""
    lines = Path(__file__).with_name("hills.asc").read_text().splitlines()
    spacing = float(lines[4].split()[1])
    heights = np.array([line.split() for line in lines[5:]], dtype=float)[::-1]
    y, x = np.indices(heights.shape) * spacing
    points = np.stack([x, y, heights], axis=2)
    sw, se, ne, nw = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    both = [np.stack(corners, axis=2).reshape(-1, 3, 3) for corners in [(sw, se, ne), (sw, ne, nw)]]
    return np.concatenate(both)


def lowest(corners, x, y):
    """Height [m] of the centre over a place where the ball touches the highest of faces, edges and corners."""
    place, best = np.array([x, y]), -np.inf
    for triangle in corners[np.abs(corners[:, 0, :2] - place).max(axis=1) < RADIUS + 1.0]:
        normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
        normal /= np.linalg.norm(normal)
        foot = place - RADIUS * normal[:2]
        weights = np.linalg.solve(np.vstack([triangle[:, :2].T, np.ones(3)]), [*foot, 1.0])
        if weights.min() >= 0:
            best = max(best, weights @ triangle[:, 2] + RADIUS * normal[2])
        for a, b in zip(triangle, np.roll(triangle, 1, axis=0)):
            along = b - a
            # |c - a - s along| = R with s where the derivative by s vanishes: quadratic in the height of c.
            unit = along / np.linalg.norm(along)
            d = place - a[:2]
            side, flat = d @ unit[:2], d @ d
            p, q, r = 1 - unit[2] ** 2, -2 * side * unit[2], flat - side**2 - RADIUS**2
            root = q * q - 4 * p * r
            if root >= 0:
                z = (-q + np.sqrt(root)) / (2 * p)
                s = (side + z * unit[2]) / np.linalg.norm(along)
                if 0 <= s <= 1:
                    best = max(best, a[2] + z)
            if flat <= RADIUS**2:
                best = max(best, a[2] + np.sqrt(RADIUS**2 - flat))
    return best


def rest(x, y):
    """Place of the centre [m] where a ball from this place comes to rest."""
    corners, step = triangles(), 0.1
    z = lowest(corners, x, y)
    while step > 1e-7:
        turns = np.arange(16) * np.pi / 8
        around = [(x + step * np.cos(a), y + step * np.sin(a)) for a in turns]
        heights = [lowest(corners, *place) for place in around]
        if min(heights) < z:
            z = min(heights)
            x, y = around[int(np.argmin(heights))]
        else:
            step /= 2
    return x, y, z


def force(corners, centre):
    """Force of the triangles on the elastic ball [N]."""
    # Middles of the pieces, upright and turned ones, as weights of the corners.
    i, j = np.indices((CUTS, CUTS)).reshape(2, -1)
    up = np.stack([i + 1 / 3, j + 1 / 3])[:, i + j < CUTS]
    turned = np.stack([i + 2 / 3, j + 2 / 3])[:, i + j < CUTS - 1]
    weights = np.concatenate([up, turned], axis=1).T / CUTS
    total = np.zeros(3)
    for a, b, c in corners[np.abs(corners[:, 0] - centre).max(axis=1) < RADIUS + 1.0]:
        area = np.cross(b - a, c - a) / 2
        if abs(area @ (centre - a)) / np.linalg.norm(area) < RADIUS:
            points = a + weights @ np.stack([b - a, c - a])
            depth = np.maximum(RADIUS - np.linalg.norm(points - centre, axis=1), 0)
            total += area * np.mean(np.sqrt(depth)) * MODULUS / (np.pi * np.sqrt(RADIUS))
    return total


def sunk(centre):
    """Where the elastic ball is at rest [m], by Newton's method."""
    corners, centre = triangles(), np.array(centre) - [0, 0, 1e-3]
    for _ in range(12):
        lack = force(corners, centre) - [0, 0, WEIGHT]
        step = 1e-5 * np.eye(3)
        slopes = np.stack([force(corners, centre + d) - force(corners, centre - d) for d in step], axis=1) / 2e-5
        move = np.linalg.solve(slopes, -lack)
        centre = centre + move * min(1, 2e-3 / np.linalg.norm(move))
    return centre


if __name__ == "__main__":
    rigid = rest(*map(float, sys.argv[1:3]))
    print("rigid   {:.6f} {:.6f} {:.6f}".format(*rigid))
    print("elastic {:.6f} {:.6f} {:.6f}".format(*sunk(rigid)))
