from collections.abc import Callable, Sequence
from typing import Any

def call(
    arguments: Sequence[str],
    scene: tuple[str, str] | None,
    program: str,
    scratch: str,
    hear: Callable[[str], None],
) -> tuple[int, str, dict[str, Any] | None]: ...
def main(arguments: Sequence[str]) -> int: ...
