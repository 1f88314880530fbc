"""Packs FMU binaries of several platforms: python pack.py FOLDER PLATFORM...

FOLDER/PLATFORM/<library> go into FOLDER/contact-fmu.zip, compressed by zopfli, which takes seconds and
makes a file 4 % smaller than zlib; an FMU takes them as they are. The comment of the ZIP file is the
stamp of the sources that all libraries hold.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipInfo

from zopfli.zipfile import ZipFile

STAMP = re.compile(rb"contact-fmu source [0-9a-f]{8}")
EXTENSIONS = {"linux": "so", "windows": "dll", "darwin": "dylib"}


def library(folder: Path, platform: str) -> Path:
    """The library of a platform."""
    extension = EXTENSIONS.get(platform.split("-")[-1])
    if extension is None:
        sys.exit(f"pack: platform {platform!r} is not known")
    prefix = "" if extension == "dll" else "lib"
    path = folder / platform / f"{prefix}contact_fmu.{extension}"
    if not path.is_file():
        sys.exit(f"pack: {path} is missing")
    return path


def stamp(path: Path) -> bytes:
    """The text by which a library says which sources it was compiled from."""
    found = STAMP.search(path.read_bytes())
    if found is None:
        sys.exit(f"pack: {path} has no stamp; it is not of this project, or older")
    return found[0]


def main(folder: Path, platforms: list[str]) -> None:
    """Writes the pack beside its place, then renames it."""
    libraries = {platform: library(folder, platform) for platform in sorted(platforms)}
    stamps = {stamp(path): path for path in libraries.values()}
    if len(stamps) > 1:
        lines = "".join(f"\n  {path}: {text.decode()}" for text, path in stamps.items())
        sys.exit(f"pack: libraries of different sources:{lines}\ncompile all from the same ones")
    new = folder / "contact-fmu.zip.new"
    with ZipFile(new, "w", ZIP_DEFLATED) as archive:
        for platform, path in libraries.items():
            entry = ZipInfo(f"{platform}/{path.name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system = ZIP_DEFLATED, 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, path.read_bytes())
            packed = archive.getinfo(entry.filename).compress_size
            print(f"{platform:16} {path.stat().st_size:9,} bytes, packed {packed:9,}")
        (archive.comment,) = stamps
    new.rename(folder / "contact-fmu.zip")
    print(f"{folder / 'contact-fmu.zip'}: {(folder / 'contact-fmu.zip').stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
