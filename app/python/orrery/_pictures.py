"""Pictures and films, which show themselves in a notebook."""
from __future__ import annotations

import base64
import os
import pathlib
import struct
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _program


class Picture:
    """A picture of the program. `png` has its bytes, which contain the state: the window can open it."""

    def __init__(self, png: bytes):
        self.png = png

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = struct.unpack(">II", self.png[16:24])
        return width, height

    def save(self, path: str | os.PathLike[str]) -> None:
        pathlib.Path(path).write_bytes(self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return "<orrery.Picture: %d x %d>" % self.size


class Film:
    """A film of the program: `path` is its file, or a folder of pictures where ffmpeg was not found. The file lives as long
    as the film, unless `out` named it."""

    def __init__(self, path: pathlib.Path, folder: Any = None, frames_per_second: float = 30):
        self.path, self._folder, self._rate = path, folder, frames_per_second

    def frames(self) -> list[pathlib.Path]:
        """The numbered pictures; empty for a film in one file."""
        return sorted(self.path.glob("frame-*.png")) if self.path.is_dir() else []

    def save(self, path: str | os.PathLike[str]) -> None:
        """A copy of the film's file; of numbered pictures, an animated .png."""
        pathlib.Path(path).write_bytes(self._content())

    def _content(self) -> bytes:
        if self.path.is_dir():
            return animated([frame.read_bytes() for frame in self.frames()], self._rate)
        return self.path.read_bytes()

    def _repr_html_(self) -> str:
        if self.path.is_dir():
            return _html("img", "image/png", self._content())
        return _html("video controls loop", "video/" + self.path.suffix[1:], self._content())

    def __repr__(self) -> str:
        return f"<orrery.Film: {self.path}>"


def _html(tag: str, kind: str, content: bytes) -> str:
    name = tag.split()[0]
    return f'<{tag} src="data:{kind};base64,{base64.b64encode(content).decode()}">' + ("</video>" if name == "video" else "")


def _chunks(png: bytes) -> Iterable[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + length]
        at += length + 12


def animated(pictures: list[bytes], rate: float) -> bytes:
    """The pictures as one animated .png, with the bytes that each has."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    made, number = [], 0
    for index, picture in enumerate(pictures):
        head = next(data for kind, data in _chunks(picture) if kind == b"IHDR")
        if index == 0:
            made += [picture[:8], chunk(b"IHDR", head), chunk(b"acTL", struct.pack(">II", len(pictures), 0))]
        made.append(chunk(b"fcTL", struct.pack(">I8sIIHHBB", number, head[:8], 0, 0, 1000, round(1000 * rate), 0, 0)))
        number += 1
        for kind, data in _chunks(picture):
            if kind == b"IDAT" and index == 0:
                made.append(chunk(kind, data))
            elif kind == b"IDAT":
                made.append(chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
    return b"".join(made) + chunk(b"IEND", b"")


# ---- of what the window opens

def source_of(source: Any, folder: _program.Folder) -> tuple[str, dict[str, Any]]:
    return source._source(folder) if hasattr(source, "_source") else (os.fspath(source), {})


def picture(source: Any, size: tuple[int, int] = (960, 540), **look: Any) -> Picture:
    """A picture of a simulation of this module, or of any file that the window opens (a session, bodies, a
    world, a place …). `look`: the window's options, with `_` for `-`."""
    folder = _program.Folder()
    file, parameters = source_of(source, folder)
    out = folder / "picture.png"
    _program.run(["picture", file, "--out", str(out), *_program.arguments({**parameters, "size": size, **look})])
    return Picture(out.read_bytes())


def film(source: Any, seconds: float | None = None, size: tuple[int, int] = (960, 540), out: Any = None, *,
         frames_per_second: float = 30, progress: _program.ProgressChoice = None, **look: Any) -> Film:
    """A film of a simulation of this module, of any file that the window opens, or of a guided tour, from its state
    on. `out`: .mp4, .mkv … (needs ffmpeg) or a folder for numbered pictures."""
    folder = _program.Folder()
    file, parameters = source_of(source, folder)
    own = {"size": size, "seconds": seconds, "frames_per_second": frames_per_second}
    return _made(["film", file], {**parameters, **own, **look}, out, folder, frames_per_second, progress)


def zoom(center: Any, span: Any, size: tuple[int, int] = (960, 540), out: Any = None, *,
         progress: _program.ProgressChoice = None, **parameters: Any) -> Film:
    """A film into the Mandelbrot set, from the width `zoom_from` (default 3) to the width `span`, decimal numbers of any
    length. `parameters`: the options of `orrery mandelbrot`: seconds=20, frames_per_second=60, samples=4 …"""
    given = {"zoom_from": 3, "center": center, "span": span, "size": size, **parameters}
    rate = float(parameters.get("frames_per_second", 30))
    return _made(["mandelbrot"], given, out, _program.Folder(), rate, progress)


def _made(words: list[str], parameters: dict[str, Any], out: Any, folder: _program.Folder, rate: float,
          progress: _program.ProgressChoice) -> Film:
    path = folder / "film.mp4" if out is None else pathlib.Path(os.fspath(out))
    before = path.stat() if path.is_file() else None
    _program.run([*words, "--out", str(path), *_program.arguments(parameters)], progress)
    # Without ffmpeg, the program saves numbered pictures, and tells so.
    after = path.stat() if path.is_file() else None
    same = before and after and (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    written = path if path.exists() and not same else path.with_suffix("")
    return Film(written, folder, rate)


# ---- the Mandelbrot set

#: Options of the command that are no part of a view.
COMMAND_ONLY = ("prove", "quiet", "verbose", "no_summary", "orbits", "jobs")


class MandelbrotArray(np.ndarray):
    """Smooth iteration counts ν, float64, shape (height, width), the top row first; -1 in the interior of the set.

    detail       with `detail=True`: distance to the set in pixels, and in the interior minus the period of the attracting cycle
    parameters   used to compute it; None for a part of such an array
    """

    parameters: dict[str, Any] | None
    detail: np.ndarray[Any, Any] | None

    def __array_finalize__(self, source: Any) -> None:
        self.parameters = self.detail = None

    def picture(self, **look: Any) -> Picture:
        """The view in colours, computed again by the program: palette="twilight", shading="slope", samples=4 …"""
        if self.parameters is None:
            raise _program.Error("a part of an array has no picture: compute the view of that part")
        folder = _program.Folder()
        out = folder / "picture.png"
        _program.run(["mandelbrot", "--out", str(out), *_program.arguments({**self.parameters, **look})])
        return Picture(out.read_bytes())

    def _repr_png_(self) -> bytes | None:
        return self.picture().png if self.parameters is not None else None


def mandelbrot(center: Any = None, span: Any = None, size: tuple[int, int] = (640, 480), *, detail: bool = False,
               device: Any = None, progress: _program.ProgressChoice = None, **parameters: Any) -> MandelbrotArray:
    """Iterates z² + c for each pixel of a view.

    center       (re, im), numbers or decimal texts of any length; a complex number; or the name of a location ("feigenbaum")
    span         width of the view in the plane: a number, or a text such as "3e-120"
    size         (width, height) in pixels
    detail       also distances and periods, as the attribute `detail`
    parameters   the options of `orrery mandelbrot`, with `_` for `-`: iterations=1000, escape_radius=100, rotation=30 …
    """
    _program.refuse(parameters, ("out", "frames", "jobs", "cluster", "seconds", "zoom_from"),
                    "not a parameter of an array; numpy.save() writes it, and zoom() makes a film")
    if not (isinstance(size, (list, tuple)) and len(size) == 2):
        raise _program.UsageError(f"size: expected (width, height), got {size!r}")
    size = (_program.whole("size", size[0], 1), _program.whole("size", size[1], 1))
    given = {"center": center, "span": span, "size": size, "device": device, **parameters}
    folder = _program.Folder(need=16 * size[0] * size[1])
    files = {"out": folder / "nu.npy", "detail": folder / "detail.npy" if detail else None}
    _program.run(["mandelbrot", *_program.arguments({**given, **files})], progress)
    values: MandelbrotArray = np.load(folder / "nu.npy").view(MandelbrotArray)
    values.parameters = {name: value for name, value in given.items() if value is not None}
    if detail:
        values.detail = np.load(folder / "detail.npy")
    return values
