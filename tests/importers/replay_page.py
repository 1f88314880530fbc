"""Replay pages with synthetic runs of known content, from the page that is compiled into the tool.

`Run` collects the numbers and the description, `Run.page()` fills the page as the tool does.
"""

from __future__ import annotations

import base64
import html
import json
import math
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
ASSET = ROOT / "fmu-build" / "view" / "src" / "replay" / "page.html"
KINDS = {"f32": "<f4", "f64": "<f8", "i16": "<i2", "u32": "<u4"}
UNIT = [1.0, 0.0, 0.0, 0.0]
ORIGIN = [0.0, 0.0, 0.0]
GRAVITY = 9.81


class Run:
    """A run as JSON with its numbers; attributes of the JSON are the entries of `json`."""

    def __init__(self, times: np.ndarray, title: str = "synthetic") -> None:
        self.times = np.asarray(times, dtype=float)
        self.blob = bytearray()
        visual = {"format": "contact-fmu visual description", "version": 1, "up": [0, 0, 1]}
        self.visual = {**visual, "geometries": [], "bodies": [], "balls": [], "joints": []}
        self.visual["contacts"] = []
        self.json = {
            "format": "contact-fmu replay",
            "version": 1,
            "title": title,
            "generator": "contact-fmu 0.0.0",
            "visual": self.visual,
            "frames": len(self.times),
            "times": self.add(self.times, "f64"),
            "poses": [],
            "balls": [],
            "pairs": [],
            "variables": [],
            "shown": [],
            "events": [],
            "notes": [],
        }
        self.contacts([[] for _ in self.times])

    def add(self, values: np.ndarray, kind: str) -> dict:
        """Appends an array to the numbers; returns its place."""
        self.blob += bytes(-len(self.blob) % 8)
        values = np.ascontiguousarray(values, dtype=KINDS[kind]).ravel()
        place = {"type": kind, "offset": len(self.blob), "count": int(values.size)}
        self.blob += values.tobytes()
        return place

    def geometry(self, **geometry: object) -> int:
        self.visual["geometries"].append(geometry)
        return len(self.visual["geometries"]) - 1

    def body(
        self,
        name: str,
        geometry: int,
        color: tuple[int, int, int] = (42, 131, 190),
        fixed: bool = False,
        position: list[float] | np.ndarray = ORIGIN,
        orientation: list[float] | np.ndarray = UNIT,
    ) -> int:
        """A body of one shape; positions [N, 3] and orientations [N, 4] over time make it move."""
        places, turns = np.asarray(position, dtype=float), np.asarray(orientation, dtype=float)
        first = [list(x if x.ndim == 1 else x[0]) for x in (places, turns)]
        index = len(self.visual["bodies"])
        shape = {"name": name, "geometry": geometry, "position": ORIGIN, "orientation": UNIT}
        self.visual["bodies"].append(
            {
                "name": name,
                "fixed": fixed,
                "color": list(color),
                "pose": {"position": first[0], "orientation": first[1]},
                "position": None,
                "orientation": None,
                "shapes": [shape],
            }
        )
        if places.ndim == 2:
            turns = np.broadcast_to(turns, (len(self.times), 4))
            pose = {"body": index, "position": self.add(places, "f32")}
            pose["orientation"] = self.add(np.round(turns * 32767), "i16")
            self.json["poses"].append(pose)
        return index

    def balls(self, name: str, radius: float, positions: np.ndarray) -> None:
        """A group of equal balls, positions [N, count, 3]."""
        group = len(self.visual["balls"])
        self.visual["balls"].append(
            {
                "name": name,
                "color": [214, 149, 20],
                "radii": [radius] * positions.shape[1],
                "position": f"{name}.position",
            }
        )
        self.json["balls"].append({"group": group, "position": self.add(positions, "f32")})

    def contacts(self, frames: list[list[tuple]]) -> None:
        """Of each frame a list of (pair, point, force)."""
        flat = [contact for frame in frames for contact in frame]
        first = np.concatenate([[0], np.cumsum([len(frame) for frame in frames])])
        self.json["contacts"] = {
            "first": self.add(first, "u32"),
            "pair": self.add(np.array([pair for pair, _, _ in flat]), "u32"),
            "point": self.add(np.array([point for _, point, _ in flat]), "f32"),
            "force": self.add(np.array([force for _, _, force in flat]), "f32"),
        }

    def variable(
        self,
        name: str,
        values: np.ndarray,
        unit: str | None,
        kind: str = "f32",
        shown: bool = False,
    ) -> None:
        entry = {"name": name, "unit": unit, "description": f"The variable {name}"}
        self.json["variables"].append({**entry, "values": self.add(values, kind)})
        if shown:
            self.json["shown"].append(name)

    def event(
        self,
        time: float,
        name: str,
        what: str,
        speed: float | None = None,
        point: list[float] | None = None,
    ) -> None:
        event = {"time": float(time), "name": name, "what": what, "speed": speed, "point": point}
        self.json["events"].append(event)

    def page(self) -> str:
        """The page with this run."""
        return fill(self.json, bytes(self.blob))


def fill(description: dict, blob: bytes) -> str:
    """The page with these data; each marker must be in it once."""
    page = ASSET.read_text(encoding="utf-8")
    text = json.dumps(description, ensure_ascii=False).replace("<", "\\u003c")
    packed = base64.b64encode(zlib.compress(blob)).decode()
    parts = {
        "/*REPLAY-JSON*/null": text,
        "REPLAY-BLOB": packed,
        "REPLAY-TITLE": html.escape(description["title"]),
    }
    for marker in parts:
        assert page.count(marker) == 1, f"the page has {marker} {page.count(marker)} times"
    for marker, part in parts.items():
        before, after = page.split(marker)
        page = before + part + after
    return page


def about(axis: tuple[float, float, float], angle: np.ndarray) -> np.ndarray:
    """Quaternions w, x, y, z of turns about a unit axis."""
    half = np.asarray(angle, dtype=float)[:, None] / 2
    return np.hstack([np.cos(half), np.sin(half) * np.asarray(axis)])


def cuboid(x: float, y: float, z: float) -> dict:
    """Mesh of a cuboid with these half sides."""
    corners = [(i, j, k) for i in (-x, x) for j in (-y, y) for k in (-z, z)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [i for a, b, c, d in quads for i in (a, b, c, a, c, d)]
    vertices = [value for corner in corners for value in corner]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def bouncing_ball() -> Run:
    """A ball of 1 kg dropped from 1 m onto a plate; it turns, and loses half its energy at each
    bounce. In frames at which it touches the plate there is one contact."""
    radius, restitution = 0.1, math.sqrt(0.5)
    height = 1.0 - radius
    fall = math.sqrt(2 * height / GRAVITY)
    landings, speeds = [fall], [GRAVITY * fall]
    for _ in range(4):
        speeds.append(speeds[-1] * restitution)
        landings.append(landings[-1] + 2 * speeds[-1] / GRAVITY)
    times = np.union1d(np.linspace(0, 2, 401), landings)
    z, touches = np.empty_like(times), np.zeros(len(times), dtype=bool)
    for i, time in enumerate(times):
        last = int(np.searchsorted(landings, time, side="right")) - 1
        if last < 0:
            z[i] = 1.0 - GRAVITY * time**2 / 2
        elif last == len(landings) - 1:
            z[i] = radius
        else:
            gone = time - landings[last]
            z[i] = radius + speeds[last + 1] * gone - GRAVITY * gone**2 / 2
        touches[i] = time in landings or last == len(landings) - 1
    run = Run(times, "bouncing_ball")
    places = np.stack([0.3 * times, np.zeros_like(times), z], axis=1)
    ball = run.geometry(type="sphere", radius=radius)
    run.body("ball", ball, position=places, orientation=about((0, 1, 0), 3 * times))
    run.body("ground", run.geometry(type="plane"), fixed=True)
    run.json["pairs"] = ["ball.ball:ground.plate"]
    size = {time: 400.0 * speed / speeds[0] for time, speed in zip(landings, speeds, strict=True)}
    run.contacts(
        [
            [(0, [x, 0.0, 0.0], [0.0, 0.0, -size.get(time, GRAVITY)])] if touch else []
            for time, x, touch in zip(times, places[:, 0], touches, strict=True)
        ]
    )
    run.variable("energy.potential", GRAVITY * z, "J", shown=True)
    run.variable("energy.lost", np.searchsorted(landings, times) * 1.5, "J", "f64", shown=True)
    run.variable("ball.position[3]", z, "m", "f64", shown=True)
    run.variable("count", touches.astype(float), None)
    for time, speed in zip(landings, speeds, strict=True):
        point = [0.3 * time, 0.0, 0.0]
        run.event(time, "start", "ball.ball:ground.plate", speed, point)
        if time != landings[-1]:
            run.event(time + 1e-4, "end", "ball.ball:ground.plate")
    run.touches = touches
    return run


def many_bodies(count: int = 1000, frames: int = 121) -> Run:
    """Turning balls on swinging paths above a plate, between four walls, each with a contact."""
    random = np.random.default_rng(5)
    times = np.linspace(0, 4, frames)
    run = Run(times, "many_bodies")
    side = math.ceil(count ** (1 / 3))
    grid = np.stack(np.unravel_index(np.arange(count), (side, side, side)), axis=1)
    start = (grid - [side / 2, side / 2, 0]) * 0.11 + [0, 0, 0.05]
    start += random.uniform(-0.01, 0.01, (count, 3))
    small, large = (run.geometry(type="sphere", radius=r) for r in (0.04, 0.05))
    box = run.geometry(**cuboid(0.04, 0.04, 0.04))
    palette = [(42, 131, 190), (213, 94, 0), (0, 158, 115), (204, 121, 167), (86, 170, 220)]
    for i in range(count):
        swing = 0.05 * np.sin(times[:, None] * random.uniform(1, 3, 3) + random.uniform(0, 6, 3))
        axis = random.normal(size=3)
        turn = about(tuple(axis / np.linalg.norm(axis)), times * random.uniform(-4, 4))
        shape = box if i % 10 == 0 else (small, large)[i % 2]
        run.body(f"body{i}", shape, palette[i % 5], position=start[i] + swing, orientation=turn)
    plane = run.geometry(type="plane")
    run.body("ground", plane, fixed=True)
    wall = 0.058 * side
    for axis in (0, 1):
        for sign in (-1, 1):
            # z of the plane's frame points inward.
            turn = about((0, 1, 0) if axis == 0 else (1, 0, 0), np.array([math.pi / 2]))[0]
            turn[2 if axis == 0 else 1] *= -sign if axis == 0 else sign
            place = [0.0, 0.0, 0.0]
            place[axis] = sign * wall
            run.body(f"wall{axis}{sign}", plane, fixed=True, position=place, orientation=turn)
    run.json["pairs"] = [f"body{i}.body{i}:ground.ground" for i in range(count)]
    point = start - [0, 0, 0.04]
    force = random.lognormal(0, 1, count)
    frame = [(i, point[i], [0, 0, -force[i]]) for i in range(0, count, 2)]
    run.contacts([frame for _ in times])
    run.variable("energy.kinetic", np.cos(times) ** 2, "J", shown=True)
    return run
