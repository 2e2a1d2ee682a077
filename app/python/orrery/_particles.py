"""Particles under the laws of a world."""
from __future__ import annotations

import contextlib
import math
import os
import pathlib
import re
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _program
from ._simulation import Rows, Simulation, frames_ahead, read_rows
from ._arrays import Array, read_only


class ParticleFrame:
    """Particles at one moment.

    step, time   since the beginning
    positions    float64, shape (N, 3); in a periodic box, the image inside it
    velocities   float64, shape (N, 3)
    masses       float64, shape (N,)
    charges      float64, shape (N,)
    kinds        text, shape (N,): the names of the world's kinds

    Units are those of the world.
    """

    def __init__(self, table: pathlib.Path, step: int, time: float):
        records = np.load(table)
        numbers = {name: np.ascontiguousarray(records[name]) for name in records.dtype.names}
        self.step, self.time = step, time
        self.positions = read_only(np.stack([numbers[axis] for axis in ("x", "y", "z")], axis=1))
        self.velocities = read_only(np.stack([numbers[axis] for axis in ("vx", "vy", "vz")], axis=1))
        self.masses, self.charges, self.kinds = (read_only(numbers[name]) for name in ("mass", "charge", "kind"))
        #: The world's own columns: a number for each particle.
        self.columns = {name: values for name, values in list(numbers.items())[9:]}

    def __len__(self) -> int:
        return len(self.masses)

    def __repr__(self) -> str:
        return f"<{len(self)} particles at step {self.step}, t = {self.time:g}>"


def _joined(before: Array | None, new: Array) -> Array:
    return new if before is None or not len(before) else np.concatenate([before, new]) if len(new) else before


# The first line of a table: [box], [[pair]], [pair.parameters]. A row of an array, [0, 1], is none.
_HEADER = r"""[ \t]*\[\[?[ \t]*["']?[A-Za-z_][^\[\],=\n]*\]\]?[ \t]*(?:#.*)?\r?$"""


def _with_laws(world: str, laws: str) -> str:
    """The text of a world, with these tables [[pair]] and [[group]] in place of its own."""
    parts = re.split(rf"(?m)^(?={_HEADER})", world)
    own = re.compile(r"""[ \t]*\[+[ \t]*["']?(pair|group)\b""")
    return "".join(part for part in parts if not own.match(part)).rstrip() + "\n\n" + laws.strip() + "\n"


class Particles(Simulation):
    """Particles under the laws of a world.

    world        the name of a world ("argon"), a file, or the text of one (TOML; `orrery help particle-worlds`)
    laws         text of tables [[pair]] and [[group]] (`orrery help laws`), in place of the world's own
    device       "0:0" as listed by `orrery.devices()`, or a part of the name
    parameters   the options of `orrery particles`, with `_` for `-`: dt=0.005, temperature=1, precision="double" …; a law's
                 number is a keyword with a slash: **{"lennard-jones/sigma": 1.1}

    >>> sim = orrery.Particles("argon", temperature=0.7)
    >>> sim.run(1000)
    >>> sim.observables().temperature[-1]
    """

    def __init__(self, world: str | os.PathLike[str], laws: str | None = None, *, device: Any = None, **parameters: Any):
        _program.refuse(parameters, ("out", "every", "steps", "diagnostics"),
                        "the module keeps the run itself: see save(), frames() and observables()")
        if not isinstance(world, (str, os.PathLike)):
            raise _program.UsageError(f"world: expected a name, a file or the text of a world, got {world!r}")
        if not isinstance(laws, (str, type(None))):
            raise _program.UsageError(f"laws: expected a text, got {laws!r}")
        self._folder = _program.Folder()
        self._parameters = {"device": device, **parameters}
        self._step, self._time = 0, 0.0
        self._table: pathlib.Path | None = None  # of the present moment; before the first run there is none
        self._frame: ParticleFrame | None = None
        self._rows: list[Array] = []  # in order; none: nothing has begun
        self._world = os.fspath(world)
        self._origin = "the world of a text" if "\n" in self._world else self._world
        if "\n" in self._world:
            self._world = self._keep("world.toml", self._world)
        if laws is not None:
            if not os.path.exists(self._world):
                named = self._world
                self._world = str(self._folder / "named.toml")
                _program.run(["particles", named, "--steps", "0", "--out", self._world])
            self._world = self._keep("laws.toml", _with_laws(pathlib.Path(self._world).read_text(encoding="utf-8"), laws))

    def _keep(self, name: str, text: str) -> str:
        (self._folder / name).write_text(text, encoding="utf-8")
        return str(self._folder / name)

    # ---- time

    def run(self, steps: int = 1, *, progress: _program.ProgressChoice = None) -> Particles:
        """Computes this number of time steps. After Ctrl+C, the simulation is at the step that was reached."""
        steps = _program.whole("steps", steps, 0)
        world, table, rows = (self._folder / name for name in ("end.toml", "end.npy", "rows.csv"))
        for file in (world, table, rows):
            file.unlink(missing_ok=True)
        try:
            _program.run(["particles", self._world, "--steps", str(steps), "--diagnostics", str(rows), "--out", str(table),
                          "--out", str(world), *_program.arguments(self._given())], progress)
        finally:
            if world.exists():
                self._world = str(world.replace(self._folder / "now.toml"))
                self._table, self._frame = table.replace(self._folder / "now.npy"), None
                self._take(read_rows(rows), self._step, self._time)
        return self

    def frames(self, every: int = 1, steps: int | None = None) -> Iterator[ParticleFrame]:
        """Yields the particles after every `every` steps: up to `steps` in total, or without end. The loop may end at any
        frame; the simulation is then at that frame and continues from there."""
        every = _program.whole("every", every, 1)
        left = math.inf if steps is None else _program.whole("steps", steps, 0)
        while left >= every:
            with tempfile.TemporaryDirectory(dir=self._folder.path) as folder, \
                    contextlib.closing(self._chunk(pathlib.Path(folder), every, left)) as frames:
                for frame in frames:
                    left -= every
                    yield frame
        if left > 0:
            self.run(int(left))
            yield self._present()

    def _chunk(self, folder: pathlib.Path, every: int, left: float) -> Iterator[ParticleFrame]:
        """Frames of one child, which ends if the loop computes steps itself."""
        count = int(min(left, every * frames_ahead(self._present(), 96))) // every
        burst = self._parameters.get("burst")
        burst = burst if burst and every % int(burst) == 0 else every
        words = ["particles", self._world, "--steps", str(count * every), "--every", str(every),
                 "--diagnostics", str(folder / "rows.csv"), "--out", str(folder / "%d.toml"), "--out", str(folder / "%d.npy"),
                 *_program.arguments({**self._given(), "burst": burst})]
        begin, rows, number = (self._step, self._time), Rows(folder / "rows.csv"), 0
        new = None  # rows behind the present frame
        try:
            with contextlib.closing(_program.while_running(words)) as looks:
                for _ in looks:
                    new = _joined(new, rows.new())
                    while number < count and (folder / f"{number + 1}.npy").exists() and len(new) and \
                            new["step"][-1] >= (number + 1) * every:
                        number += 1
                        known = new["step"] <= number * every
                        self._take(new[known], *begin)
                        new = new[~known]
                        self._world, self._table = str(folder / f"{number}.toml"), folder / f"{number}.npy"
                        frame = self._frame = ParticleFrame(self._table, self._step, self._time)
                        yield frame
                        if self._frame is not frame:
                            return
                        for suffix in (".toml", ".npy"):
                            (folder / f"{number - 1}{suffix}").unlink(missing_ok=True)
        finally:
            if pathlib.Path(self._world).parent == folder:
                self._world = str(pathlib.Path(self._world).replace(self._folder / "now.toml"))
                self._table = self._table and self._table.replace(self._folder / "now.npy")

    def _given(self) -> dict[str, Any]:
        """The parameters for the next child: after a run, its world contains all others."""
        if not self._rows:
            return self._parameters
        return {name: self._parameters.get(name) for name in ("device", "burst", "precision", "work_group")}

    def _take(self, rows: Array, step: int, time: float) -> None:
        """Rows of a child that began at this step and time; the first one of a child is the last one before it."""
        rows = rows[rows["step"] > 0] if self._rows else rows.copy()
        rows["step"] += step
        rows["time"] += time
        self._rows.append(rows)
        if len(rows):
            self._step, self._time = int(rows["step"][-1]), float(rows["time"][-1])

    # ---- the present moment

    @property
    def step(self) -> int:
        """Number of time steps since the beginning."""
        return self._step

    @property
    def time(self) -> float:
        """Since the beginning, in the world's unit of time."""
        return self._time

    @property
    def charges(self) -> Array:
        """float64, shape (N,)."""
        return self._present().charges

    @property
    def kinds(self) -> Array:
        """The name of each particle's kind, shape (N,)."""
        return self._present().kinds

    def observables(self) -> Array:
        """A record for each burst since the beginning, the last one now. Fields, in units of the world: step, time, kinetic,
        potential, total, temperature, pressure (NaN where it is unknown), px, py, pz, and the energy of each law by its name.

        >>> sim.observables().temperature
        """
        if not self._rows:
            self.run(0)
        return np.concatenate(self._rows).view(np.recarray)

    def world(self) -> str:
        """The text of the world as it is now; `Particles` accepts it."""
        if not self._rows:
            self.run(0)
        return pathlib.Path(self._world).read_text(encoding="utf-8")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the world as `.toml`, or its particles as `.npy`, `.csv` or in another format that `orrery particles --out` writes:
        `.xyz`, `.gsd`, `.ply`, `.vtp`, `.tipsy`."""
        if os.fspath(path).endswith(".toml"):
            pathlib.Path(path).write_text(self.world(), encoding="utf-8")
        else:
            _program.run(["particles", self._world, "--steps", "0", "--out", os.fspath(path), *_program.arguments(self._given())])

    def _present(self) -> ParticleFrame:
        if self._table is None:
            table = self._folder / "now.npy"
            _program.run(["particles", self._world, "--steps", "0", "--out", str(table), *_program.arguments(self._given())])
            self._table = table
        if self._frame is None:
            self._frame = ParticleFrame(self._table, self._step, self._time)
        return self._frame

    def __repr__(self) -> str:
        return f"<orrery.Particles: {self._origin}, step {self._step}, t = {self._time:g}>"

    def _source(self, folder: _program.Folder) -> tuple[str, dict[str, Any]]:
        """A file that the window opens, and the parameters for continuing."""
        file = folder / "world.toml"
        file.write_text(self.world(), encoding="utf-8")
        return str(file), {}
