"""A preprocessor of mdBook for links that lead out of the book, to files of the repository around it.

Pictures go into the page itself, as data, so that the output may be anywhere. The other links stay as
they are, which is right in target/book/html, as deep below the root as src/ is. A book that is
published has the address of the repository in front of the path of each, by the setting `address`:

    export MDBOOK_PREPROCESSOR__REPOSITORY__ADDRESS=https://example.org/contact-fmu/tree/main
    mdbook build fmu-build/book --dest-dir /tmp/contact-fmu-book

On GitHub and GitLab an address with tree/BRANCH shows files too, not only folders.

mdBook calls `outside.py supports RENDERER`, whose exit code is the answer, and then `outside.py` with
[context, book] as JSON on standard input; it reads the book from standard output. Its format is in
https://rust-lang.github.io/mdBook/for_developers/preprocessors.html
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

# Code, which stays as it is, or a link or picture whose target begins with ../
CODE = r"^(?P<fence>```+).*?^(?P=fence)|(?P<ticks>`+)[^`].*?(?P=ticks)"
TEXT = r"\[(?:[^\]`]|`[^`]*`)*\]"
LINK = re.compile(
    rf"(?P<picture>!?)(?P<text>{TEXT})\((?P<target>\.\./[^)\s]+)\)|{CODE}", re.MULTILINE | re.DOTALL
)
# Media types of pictures by the end of the name.
PICTURES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}


class Outside:
    """The links of a book out of its source folder."""

    def __init__(self, context: dict[str, Any]) -> None:
        # The source is fmu-build/book/src.
        self.source = Path(context["root"]).resolve() / "src"
        self.repository = self.source.parents[2]
        settings = context["config"]["preprocessor"]["repository"]
        self.address: str | None = settings.get("address")
        if self.address is not None and not self.address.startswith(("https://", "http://")):
            sys.exit(
                f"book.toml: address of [preprocessor.repository] is {self.address!r}; must begin with "
                "https:// or http://, such as https://example.org/contact-fmu/tree/main"
            )

    def link(self, match: re.Match[str], page: str) -> str:
        """What stands in a page for code or a link."""
        if match["target"] is None:
            return match[0]
        name, sign, anchor = match["target"].partition("#")
        file = Path(os.path.normpath(self.source / Path(page).parent / name))
        if file.is_relative_to(self.source):
            return match[0]
        if not file.is_relative_to(self.repository) or not file.exists():
            sys.exit(
                f"src/{page}: {match['target']} is not in the repository; build the book from "
                "fmu-build/book there, with --dest-dir for an output folder elsewhere"
            )
        if match["picture"]:
            data = base64.b64encode(file.read_bytes()).decode()
            return f"!{match['text']}(data:{PICTURES[file.suffix]};base64,{data})"
        if self.address is None:
            return match[0]
        path = file.relative_to(self.repository).as_posix()
        return f"{match['text']}({self.address.rstrip('/')}/{path}{sign}{anchor})"

    def change(self, items: list[Any]) -> None:
        """Changes the links of chapters and of those below them."""
        for item in items:
            # Others are separators and titles of parts.
            if isinstance(item, dict) and "Chapter" in item:
                chapter = item["Chapter"]
                new = partial(self.link, page=chapter["path"])
                chapter["content"] = LINK.sub(new, chapter["content"])
                self.change(chapter["sub_items"])


def main() -> None:
    if sys.argv[1:2] == ["supports"]:
        return
    context, book = json.load(sys.stdin)
    Outside(context).change(book["items"])
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
