"""Writes hills.asc beside this file: 41 by 41 heights of a valley with bumps, 0.5 m apart."""

import math
from pathlib import Path

COUNT, SPACING = 41, 0.5  # 1, m


def height(x, y):
    """Height [m] of the place x to the east, y to the north [m] of the south-western corner."""
    valley = 0.02 * ((x - 11.0) ** 2 + (y - 9.0) ** 2)
    return valley + 0.35 * math.cos(0.8 * x) * math.sin(0.9 * y + 0.3)


def main():
    lines = [f"ncols {COUNT}", f"nrows {COUNT}", "xllcorner 0", "yllcorner 0", f"cellsize {SPACING}"]
    for row in reversed(range(COUNT)):
        lines.append(" ".join(f"{height(SPACING * column, SPACING * row):.4f}" for column in range(COUNT)))
    Path(__file__).with_name("hills.asc").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
