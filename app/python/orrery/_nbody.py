"""Bodies under their own gravity."""
from __future__ import annotations

import contextlib
import math
import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _arrays, _program, _state
from ._simulation import CHUNK_BYTES, Simulation, frames_ahead, read_rows
from ._state import Array, Frame

def _need(count: int) -> int:
    """Bytes of the files for this number of bodies: the given ones, a state and its successor, and frames."""
    return 160 * count + CHUNK_BYTES // 2


def _column(name: str, values: Any, count: int | None, width: int) -> Array:
    """The values as an array of (count, width) numbers, or (count,) where the width is 1."""
    if np.ma.is_masked(values):
        raise _program.UsageError(f"{name}: expected an array without masked values; compressed() has the others")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise _program.UsageError(f"{name}: expected an array of numbers: {error}") from None
    expected = f"({'N' if count is None else count}{', ' + str(width) if width > 1 else ','})"
    if array.dtype.kind not in "fiub":
        raise _program.UsageError(f"{name}: expected numbers, got the type {array.dtype}")
    if array.ndim != (2 if width > 1 else 1) or (width > 1 and array.shape[1] != width) or \
            (count is not None and len(array) != count):
        raise _program.UsageError(f"{name}: expected the shape {expected}, got {array.shape}")
    return array


class NBody(Simulation):
    """Bodies under their own gravity, in units with G = 1 or in named units.

    positions    array of shape (N, 3); or the name of an initial condition ("plummer", "galaxies" …), or a file of bodies
    velocities   array of shape (N, 3); default: at rest
    masses       array of shape (N,), or one number for all; default 1
    device       "0:0" as listed by `orrery.devices()`, or a part of the name; the devices of a list share the bodies
    parameters   the options of `orrery nbody`, with `_` for `-`: dt=0.01, softening=0.02, forces="tree", precision="mixed" …

    >>> sim = orrery.NBody(positions, velocities, masses, dt=0.001, softening=0.01)
    >>> sim.run(1000)
    >>> sim.positions

    A run of 100 steps and then one of 200 are bit-identical to one run of 300.
    """

    def __init__(self, positions: Any = "galaxies", velocities: Any = None, masses: Any = None, *,
                 device: Any = None, **parameters: Any):
        _program.refuse(parameters, ("out", "every", "archive", "archive_every", "state", "resume", "steps", "diagnostics"),
                        "the module keeps the run itself: see save(), frames() and energies()")
        self._parameters = {"device": device, **parameters}
        self._frame: Frame | None = None  # the present one; before the first run there is none
        self._in_frames = False
        if isinstance(positions, (str, os.PathLike)):
            if velocities is not None or masses is not None:
                raise _program.UsageError("velocities and masses belong to arrays of positions: the file or the name "
                                          f"\"{os.fspath(positions)}\" has its own")
            bodies = parameters.get("bodies", 0)
            self._folder = _program.Folder(need=_need(int(bodies) if str(bodies).isdigit() else 0))
            self._initial = self._origin = os.fspath(positions)
            return
        positions = _column("positions", positions, None, 3)
        count = len(positions)
        velocities = None if velocities is None else _column("velocities", velocities, count, 3)
        masses = 1 if masses is None else masses
        if np.ndim(masses) == 0 and not isinstance(masses, (str, bytes)) and hasattr(masses, "__float__") and \
                not np.iscomplexobj(masses):
            masses = float(masses)
        else:
            masses = _column("masses", masses, count, 1)
        self._folder = _program.Folder(need=_need(count))
        self._initial, self._origin = str(self._folder / "bodies.npy"), f"{count} bodies"
        _arrays.write_bodies(pathlib.Path(self._initial), positions, velocities, masses)

    # ---- time

    def run(self, steps: int = 1, *, progress: _program.ProgressChoice = None) -> NBody:
        """Computes this number of time steps. After Ctrl+C, the simulation is at the step that was reached."""
        steps = _program.whole("steps", steps, 0)
        try:
            self._compute(self._words(self.step + steps), progress)
        finally:
            self._take_state()
        return self

    def frames(self, every: int = 1, steps: int | None = None) -> Iterator[Frame]:
        """Yields the bodies after every `every` steps: up to `steps` in total, or without end. The loop may end at any
        frame; the simulation is then at that frame and continues from there."""
        every = _program.whole("every", every, 1)
        end = math.inf if steps is None else self.step + _program.whole("steps", steps, 0)
        self._check_free()
        self._in_frames = True
        try:
            while self.step < end:
                yield from self._chunk(every, end)
        finally:
            self._in_frames = False

    def _chunk(self, every: int, end: float) -> Iterator[Frame]:
        """Frames of one child."""
        begin, count = self.step, frames_ahead(self._frame, 48)
        target = int(min(begin + count * every, end))
        file = self._folder / "frames"
        file.unlink(missing_ok=True)
        burst = self._parameters.get("burst")
        burst = burst if burst and every % int(burst) == 0 else every
        archive = _state.Archive(file)
        try:
            words = [*self._words(target, burst=burst), "--archive", str(file), "--archive-every", str(every)]
            with self._naming_arrays(), contextlib.closing(_program.while_running(words)) as looks:
                for _ in looks:
                    for frame in archive.new_frames():
                        if frame.step > begin:
                            self._frame = frame
                            yield frame
        finally:
            if archive.content and self._frame:
                _replace(self._folder / "state", archive.content)
                self._take_state()
            file.unlink(missing_ok=True)

    # ---- the present moment

    @property
    def step(self) -> int:
        """Number of time steps since the beginning."""
        return self._frame.step if self._frame else 0

    @property
    def time(self) -> float:
        """In units of time."""
        return self._frame.time if self._frame else 0.0

    @property
    def parameters(self) -> dict[str, str]:
        """The value of each parameter, as text, also where it follows from the bodies."""
        return dict(self._present().parameters)

    def energies(self) -> Array:
        """A record for each burst since the beginning, the last one now. Fields, in the units of the run:
        step, time, kinetic, potential, total, px, py, pz (momentum), lx, ly, lz (angular momentum), virial (2K / |W|).

        >>> sim.energies().total[-1]
        """
        self._present()
        rows = read_rows(self._folder / "rows.csv")
        return rows[rows["step"] <= self.step].view(np.recarray)

    def __repr__(self) -> str:
        return f"<orrery.NBody: {self._frame!r}>" if self._frame else f"<orrery.NBody: {self._origin}, not begun>"

    # ---- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bodies as `.npy` or `.csv` with the columns mass, x, y, z, vx, vy, vz, or in another format that
        `orrery nbody --out` writes: `.xyz`, `.gsd`, `.ply`, `.vtp`, `.tipsy`."""
        self._check_free()
        self._present()
        _program.run([*self._words(self.step), "--out", os.fspath(path)])

    def _source(self, folder: _program.Folder) -> tuple[str, dict[str, Any]]:
        """A file that the window opens, and the parameters for continuing."""
        frame, file = self._present(), folder / "bodies.npy"
        _arrays.write_bodies(file, frame.positions, frame.velocities, frame.masses)
        beginning = ("bodies", "seed", "date", "device", "split", "exchange")
        return str(file), {**{name: value for name, value in self._parameters.items() if name not in beginning},
                           "dt": frame.parameters["dt"], "softening": frame.parameters["softening"]}

    # ---- the child

    def _words(self, steps: int, **other: Any) -> list[str]:
        """The words of a command that continues up to this step."""
        state = self._folder / "state"
        files = ["--steps", str(steps), "--diagnostics", str(self._folder / "rows.csv"), "--no-summary"]
        if self._frame is None:
            return ["nbody", "--initial", self._initial, "--state", str(state), *files,
                    *_program.arguments({**self._parameters, **other})]
        free = ("burst", "work_group", "variant", "device", "split", "exchange")  # all else is in the state
        return ["nbody", "--resume", str(state), *files,
                *_program.arguments({**{name: self._parameters[name] for name in free if name in self._parameters}, **other})]

    def _compute(self, words: list[str], progress: _program.ProgressChoice = None) -> None:
        self._check_free()
        with self._naming_arrays():
            _program.run(words, progress)

    @contextlib.contextmanager
    def _naming_arrays(self) -> Iterator[None]:
        """Replaces a place in the file of the arrays by the array and its index."""
        def place(match: re.Match[str]) -> str:
            body, column = int(match[1]) - 1, int(match[2]) - 1
            name, axis = ("masses", "") if column == 0 else ("positions" if column < 4 else "velocities", f", {(column - 1) % 3}")
            return f"{name}[{body}{axis}]:"
        try:
            yield
        except _program.UsageError as error:
            raise _program.UsageError(re.sub(re.escape(self._initial) + r":(\d+):(\d+): \w+:", place, str(error))) from None

    def _check_free(self) -> None:
        if self._in_frames:
            raise _program.Error("the simulation is in a loop over its frames(): end that first")

    def _present(self) -> Frame:
        if self._frame is None:
            self.run(0)
        assert self._frame
        return self._frame

    def _take_state(self) -> None:
        state = self._folder / "state"
        if not state.exists():
            return
        self._frame = _state.read_state(state)
        if self._initial == str(self._folder / "bodies.npy"):
            pathlib.Path(self._initial).unlink(missing_ok=True)  # all is in the state


def _replace(path: pathlib.Path, content: bytes) -> None:
    part = path.with_suffix(".part")
    part.write_bytes(content)
    part.replace(path)
