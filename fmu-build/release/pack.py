"""Packs FMU binaries of several platforms: python pack.py [--fast] FOLDER PLATFORM...

FOLDER/PLATFORM/<library> go into FOLDER/contact-fmu.zip, and those that are there for other platforms, if they
are of the same sources; compressed by zopfli, which takes seconds and makes a file 4 % smaller than zlib, or by zlib
with --fast; an FMU takes them as they are. The comment of the ZIP file is the stamp of the sources that all
libraries hold. The file is written by the format's description (PKWARE, APPNOTE.TXT, sections 4.3.7, 4.3.12,
4.3.16), since Python's zipfile takes no data that is compressed already.
"""

from __future__ import annotations

import re
import struct
import sys
import zlib
from pathlib import Path

if FAST := "--fast" in sys.argv:
    from zlib import compress
else:
    from zopfli.zlib import compress

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


# Version 2.0 suffices, no flags, deflate, 1 January 1980 at midnight.
HEAD = struct.pack("<HHHHH", 20, 0, 8, 0, 0x21)
# A plain file of Unix, readable by all.
ATTRIBUTES = 0o100644 << 16


def archive(files: dict[str, bytes], comment: bytes) -> bytes:
    """A ZIP file of these files."""
    body, directory = b"", b""
    for name, content in files.items():
        # Between the header of zlib and its checksum.
        packed = compress(content)[2:-4]
        facts = HEAD + struct.pack("<IIIHH", zlib.crc32(content), len(packed), len(content), len(name), 0)
        directory += struct.pack("<4sH", b"PK\x01\x02", 3 << 8 | 20) + facts
        directory += struct.pack("<HHHII", 0, 0, 0, ATTRIBUTES, len(body)) + name.encode()
        body += b"PK\x03\x04" + facts + name.encode() + packed
        print(f"{name:40} {len(content):9,} bytes, packed {len(packed):9,}")
    counts = struct.pack("<HHHH", 0, 0, len(files), len(files))
    end = struct.pack("<IIH", len(directory), len(body), len(comment)) + comment
    return body + directory + b"PK\x05\x06" + counts + end


def main(folder: Path, platforms: list[str]) -> None:
    """Writes the pack beside its place, then renames it."""
    libraries = {platform: library(folder, platform) for platform in sorted(platforms)}
    stamps = {stamp(path): path for path in libraries.values()}
    if len(stamps) > 1:
        lines = "".join(f"\n  {path}: {text.decode()}" for text, path in stamps.items())
        sys.exit(f"pack: libraries of different sources:{lines}\ncompile all from the same ones")
    for path in sorted(folder.glob("*-*/*contact_fmu.*")):
        name = path.parent.name
        if name not in libraries and path == library(folder, name):
            if stamp(path) in stamps:
                libraries[name] = path
            else:
                print(f"{name}: left out, the library that is there is of other sources")
    libraries = dict(sorted(libraries.items()))
    files = {f"{name}/{path.name}": path.read_bytes() for name, path in libraries.items()}
    (comment,) = stamps
    new, pack = folder / "contact-fmu.zip.new", folder / "contact-fmu.zip"
    new.write_bytes(archive(files, comment))
    new.rename(pack)
    print(f"{pack}: {pack.stat().st_size:,} bytes")


if __name__ == "__main__":
    arguments = sys.argv[1 + FAST :]
    if len(arguments) < 2:
        sys.exit(__doc__)
    main(Path(arguments[0]), arguments[1:])
