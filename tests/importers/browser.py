"""Headless Chromium for the tests of the replay page, with a new profile each time."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# WebGL drawn by the processor.
SOFTWARE_GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


class NoBrowser(Exception):
    """There is no Chromium, with a text that says what to install."""


def find_browser() -> str:
    """Path of Chromium: that of the variable CHROMIUM, else one on the search path."""
    named = os.environ.get("CHROMIUM")
    for name in [named] if named else NAMES:
        if path := shutil.which(name):
            return path
    raise NoBrowser("chromium is missing; install it, on Debian: apt-get install chromium")


def launch(playwright: Playwright, webgl: bool = True) -> Browser:
    """A running browser with a new profile, which is deleted when it is closed."""
    flags = [*FLAGS, *(SOFTWARE_GL if webgl else ["--disable-3d-apis"])]
    return playwright.chromium.launch(executable_path=find_browser(), args=flags)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser for one block."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        try:
            yield browser
        finally:
            browser.close()


def open_replay(page: Page, file: Path, address: str = "") -> None:
    """Opens a replay page and waits until it has drawn."""
    page.goto(file.as_uri() + address)
    page.evaluate("replay.ready")


def until(page: Page, condition: str) -> None:
    """Waits until a condition holds. Playwright's own waiting needs eval, which pages forbid."""
    for _ in range(1200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"not within a minute: {condition}")
