"""What the silo is compared with: writes reference.csv beside this file.

Beverloo's law with the constants of its authors and, of Nedderman's for spheres; it knows nothing of
contacts. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G = 9.81  # m/s2
DIAMETER, ORIFICE = 6e-3, 36e-3  # m
C, K = 0.58, 1.5  # 1

rows = [
    ("c", C),
    ("k", K),
    ("volume_rate", C * np.sqrt(G) * (ORIFICE - K * DIAMETER) ** 2.5),
]
write(["number", "value"], rows, 9)
