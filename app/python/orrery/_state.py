"""States of runs of bodies, as `orrery nbody` keeps them: one in a file, or many in an archive that grows."""
from __future__ import annotations

import functools
import os
import pathlib
import re
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _program
from ._arrays import Array as Array, gathered, read_only as read_only

_ARCHIVE_LINE = 32  # bytes of an archive's first line
_STATE_LINE = 128   # bytes of the line before each of its states
_ROW = 32           # bytes whose planes lie side by side in packed states


class Frame:
    """Bodies at one moment.

    step        number of time steps since the beginning
    time        in units of time: G = 1 unless `units` or `gravity` is given
    positions   float64, shape (N, 3), in units of length
    velocities  float64, shape (N, 3), in units of length / time
    masses      float64, shape (N,), in units of mass; a body that has merged into another one has the mass 0
    """

    def __init__(self, content: Any, name: str):
        """The frame of the bytes of a state. Numbers are converted when they are asked for."""
        self._content = content
        words = bytes(content[:64]).split()
        if words[:1] != [b"orrery-run"] or len(words) < 4:
            raise _program.Error(f"{name} is not a state of a run")
        self._begin = 64 + int(words[2])
        header = bytes(content[64:self._begin]).decode()
        told = dict(re.findall(r"^([a-z-]+) = (.*)$", header[header.index("[run]"):], re.M))
        self.step, self.time = int(told["step"]), float(told["time"])
        self._bodies, self._precision = int(told["bodies"]), told["precision"].strip("'\"")
        #: The parameters that every run knows, as text: dt, softening, …
        self.parameters = {name: value.strip("'\"") for name, value in
                           re.findall(r"^([a-z-]+) = (.*)$", header[header.index("[nbody]"):header.index("[run]")], re.M)}

    def _rows(self, number: int) -> Array:
        """Four numbers a body: x, y, z, mass; then velocities; accelerations; and in mixed precision the corrections of both."""
        kind = np.dtype("<f8" if self._precision == "double" else "<f4")
        begin = self._begin + number * 4 * kind.itemsize * self._bodies
        return np.frombuffer(self._content, kind, 4 * self._bodies, begin).reshape(self._bodies, 4)

    def _vectors(self, number: int) -> Array:
        rows = self._rows(number)
        corrections = self._rows(number + 3) if self._precision == "mixed" else None

        def fill(values: Array, begin: int, end: int) -> None:
            values[:] = rows[begin:end, :3]
            if corrections is not None:
                values += corrections[begin:end, :3]
        return gathered((self._bodies, 3), fill)

    @functools.cached_property
    def positions(self) -> Array:
        return self._vectors(0)

    @functools.cached_property
    def velocities(self) -> Array:
        return self._vectors(1)

    @functools.cached_property
    def masses(self) -> Array:
        rows = self._rows(0)

        def fill(values: Array, begin: int, end: int) -> None:
            np.abs(rows[begin:end, 3], out=values)
        return gathered((self._bodies,), fill)

    def __len__(self) -> int:
        return self._bodies

    def __repr__(self) -> str:
        return f"<{self._bodies} bodies at step {self.step}, t = {self.time:g}>"


def read_state(path: pathlib.Path) -> Frame:
    """Maps the file: it may be replaced afterwards, and the frame keeps its numbers. Windows replaces no file that is mapped."""
    content: Any = np.fromfile(path, np.uint8) if os.name == "nt" else np.memmap(path, np.uint8, "r")
    return Frame(memoryview(content), str(path))


def _unpacked(packed: bytes) -> bytes:
    planes = np.frombuffer(zlib.decompress(packed), np.uint8)
    whole = len(planes) // _ROW * _ROW
    return bytes(planes[:whole].reshape(_ROW, -1).T.tobytes() + planes[whole:].tobytes())


class Archive:
    """The states of an archive, in their order, also while it grows. `content` is that of the last one, as a state file has it."""

    def __init__(self, path: pathlib.Path):
        self._path, self._at = path, _ARCHIVE_LINE
        self.content = b""

    def new_frames(self) -> Iterator[Frame]:
        """The frames completed since the last call."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            size = file.seek(0, 2)
            while self._at + _STATE_LINE <= size:
                file.seek(self._at)
                packed = int(file.read(_STATE_LINE).split()[4])
                if self._at + _STATE_LINE + packed > size:
                    return
                self.content = _unpacked(file.read(packed))
                self._at += _STATE_LINE + packed
                yield Frame(self.content, str(self._path))


def _checked(path: pathlib.Path) -> Iterator[Frame]:
    try:
        yield from Archive(path).new_frames()
    except (zlib.error, ValueError, IndexError, KeyError) as error:
        raise _program.Error(f"the archive {path} is damaged: {error}") from None


def read_runs(path: str | pathlib.Path) -> Iterator[Frame]:
    """The moments of an archive of a run (`orrery nbody --archive FILE`), as frames, one after the other."""
    with open(path, "rb") as file:
        if file.read(15) != b"orrery-archive ":
            raise _program.UsageError(f"{path} is not an archive of a run")
    return _checked(pathlib.Path(path))
