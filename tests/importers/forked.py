"""Runs a task in a forked process, so that a crash fails one test and does not end all."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable

# Seconds after which a forked process counts as hanging.
TIMEOUT = 60


def forked(task: Callable[[], object]) -> object:
    """Result of a task run in a forked process; a crash or hang is an assertion error."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(TIMEOUT)
        code = 1
        try:
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(task(), pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    assert not os.WIFSIGNALED(status), f"died of signal {os.WTERMSIG(status)}"
    assert status == 0, "the forked process failed; its traceback is above"
    return pickle.loads(data)
