"""The common part of simulations of bodies and of particles: the present moment, and how it is shown."""
from __future__ import annotations

import abc
import pathlib
from typing import Any

import numpy as np

from . import _pictures, _program
from ._state import Array


class Simulation(abc.ABC):
    """A simulation that shows itself in notebooks."""

    @abc.abstractmethod
    def _present(self) -> Any:
        """The frame of the present moment."""

    @abc.abstractmethod
    def _source(self, folder: _program.Folder) -> tuple[str, dict[str, Any]]:
        """A file that the window opens, and the parameters for continuing."""

    @property
    def positions(self) -> Array:
        """float64, shape (N, 3), in units of length. In single precision, numbers have 24 bits."""
        return self._present().positions

    @property
    def velocities(self) -> Array:
        """float64, shape (N, 3), in units of length / time."""
        return self._present().velocities

    @property
    def masses(self) -> Array:
        """float64, shape (N,), in units of mass; 0 for a body that has merged into another one."""
        return self._present().masses

    def __len__(self) -> int:
        return len(self._present())

    def __reduce__(self) -> Any:
        raise _program.Error("a simulation cannot be copied or pickled, because its files belong to it: "
                             "begin another one with its positions, velocities and masses, or save() it")

    def picture(self, size: tuple[int, int] = (960, 540), **look: Any) -> _pictures.Picture:
        """The picture of the window. `look`: its options: color_by="mass", camera_distance=3 …"""
        return _pictures.picture(self, size, **look)

    def film(self, seconds: float = 10, size: tuple[int, int] = (960, 540), out: Any = None, *,
             progress: _program.ProgressChoice = None, **look: Any) -> _pictures.Film:
        """A film from the present moment on, with a burst for each frame; the simulation itself stays where it is."""
        return _pictures.film(self, seconds, size, out, progress=progress, **look)

    def _repr_png_(self) -> bytes | None:
        try:
            return self.picture().png
        except _program.Error:  # without OpenGL there is no picture
            return None


CHUNK_BYTES = 256 << 20  # of the frames that a child computes ahead of the loop that reads them
_CHUNK_FRAMES = 200


def frames_ahead(present: Any, bytes_of_one: int) -> int:
    """The number of frames that a child may compute before they are read: one if the size of a frame is not known."""
    return max(1, min(_CHUNK_FRAMES, CHUNK_BYTES // (bytes_of_one * max(1, len(present))))) if present else 1


class Rows:
    """The records of a table that a command writes, also while it writes; an empty field is unknown."""

    def __init__(self, path: pathlib.Path):
        self._path, self._at = path, 0
        self._kinds: list[Any] = []

    def new(self) -> Array:
        """The rows completed since the last call."""
        lines: list[list[str]] = []
        if self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._at)
                whole = file.read().rpartition(b"\n")[0]
            self._at += len(whole) + 1 if whole else 0
            lines = [line.split(",") for line in whole.decode().splitlines() if line and not line.startswith("#")]
        if lines and not self._kinds:
            self._kinds = [(name, np.int64 if name in ("step", "hash") else np.float64) for name in lines.pop(0)]
        texts = [tuple(field or "nan" for field in line) for line in lines]
        return np.array(texts, dtype=[(name, "U32") for name, _ in self._kinds]).astype(self._kinds)


def read_rows(path: pathlib.Path) -> Array:
    """The records of a table that a command has written."""
    return Rows(path).new()
