"""What the silo is compared with: writes reference.csv beside this file.

Beverloo's law with the constants of its authors and, of Nedderman's for spheres; it knows nothing of
contacts. Equations and symbols: README.md.
"""

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
G = 9.81  # m/s2
DIAMETER, ORIFICE = 6e-3, 36e-3  # m
C, K = 0.58, 1.5  # 1

rows = [
    ("c", C),
    ("k", K),
    ("volume_rate", C * np.sqrt(G) * (ORIFICE - K * DIAMETER) ** 2.5),
]
with open(HERE / "reference.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("number", "value"))
    writer.writerows((name, f"{value:.9g}") for name, value in rows)
