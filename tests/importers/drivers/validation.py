"""FMPy's validation of an FMU.

Nearly all of its time goes to names of variables, which it reads with a general parser. A name is read
once in a process here: the FMUs of a scene have the same ones, and to the grammar all digits are alike.
"""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import patch

import fmpy.validation
from lark import Lark

# Grammars and the names that they accept, with 0 for each digit.
_legal: set[tuple[str, str]] = set()


class _Once(Lark):
    """A parser that does not look again at what it has accepted."""

    def parse(self, text: str) -> None:
        key = (self.source_grammar, re.sub(r"[0-9]", "0", text))
        if key not in _legal:
            super().parse(text)
            _legal.add(key)


def problems(fmu: Path) -> list[str]:
    """What FMPy finds wrong with an archive."""
    with patch("lark.Lark", _Once):
        return fmpy.validation.validate_fmu(str(fmu))
