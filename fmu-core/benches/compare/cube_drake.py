"""1 s in which a cube of 0.1 m falls 50 mm onto a table and comes to rest, in Drake: hydroelastic
contact, integrator runge_kutta3 at 1e-6. Prints JSON: CPU time [s]."""

import json
import sys
import time
from pathlib import Path
from unittest.mock import MagicMock

sys.modules.setdefault("mujoco", MagicMock())  # compare.py uses it for other figures
sys.path.insert(0, str(Path(__file__).parent.parent / "area"))
import compare  # noqa: E402

begin = time.process_time()
compare.drake_second()
print(json.dumps({"cpu": time.process_time() - begin}))
