"""Particles under the laws of a world."""
from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _program
from ._simulation import Simulation, read_rows
from ._state import Array, read_only


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


def _with_laws(world: str, laws: str) -> str:
    """The text of a world, with these tables [[pair]] and [[group]] in place of its own."""
    parts = re.split(r"(?m)^(?=\[)", world)
    return "".join(part for part in parts if not re.match(r"\[+ *(pair|group)\b", part)).rstrip() + "\n\n" + laws.strip() + "\n"


class Particles(Simulation):
    """Particles under the laws of a world.

    world        the name of a world ("argon"), a file, or the text of one (TOML; `orrery help particle-worlds`)
    laws         text of tables [[pair]] and [[group]] (`orrery help laws`), in place of the world's own
    device       "0:0" as `orrery.devices()` tells, or a part of the name
    parameters   the options of `orrery particles`, with `_` for `-`: dt=0.005, temperature=1, precision="double" …; a law's
                 number is a keyword with a slash: **{"lennard-jones/sigma": 1.1}

    >>> sim = orrery.Particles("argon", temperature=0.7)
    >>> sim.run(1000)
    >>> sim.observables().temperature[-1]
    """

    def __init__(self, world: str | os.PathLike[str], laws: str | None = None, *, device: Any = None, **parameters: Any):
        self._folder = _program.Folder()
        self._parameters = {"device": device, **parameters}
        self._step, self._time = 0, 0.0
        self._frame: ParticleFrame | None = None
        self._rows: list[Array] = []  # of each run; none: nothing has begun
        self._world = os.fspath(world)
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
        """Computes so many time steps. After Ctrl+C, it is at the step that was reached."""
        end, rows = self._folder / "end.toml", self._folder / "rows.csv"
        for file in (end, rows):
            file.unlink(missing_ok=True)
        try:
            _program.run(["particles", self._world, "--steps", str(steps), "--diagnostics", str(rows), "--out", str(end),
                          *_program.arguments(self._given())], progress)
        finally:
            if end.exists():
                self._take(end, rows)
        return self

    def frames(self, every: int = 1, steps: int | None = None) -> Iterator[ParticleFrame]:
        """The particles after each so many steps: up to `steps` in all, or for ever. Each frame starts the program once."""
        if every < 1:
            raise _program.UsageError(f"every: expected 1 or more steps, got {every}")
        left = steps
        while left is None or left > 0:
            count = every if left is None else min(every, left)
            self.run(count)
            left = None if left is None else left - count
            yield self._present()

    def _given(self) -> dict[str, Any]:
        """The world that a run leaves has taken over what tells how it begins, and its laws."""
        if not self._rows:
            return self._parameters
        return {name: self._parameters.get(name) for name in ("device", "burst", "precision", "work_group")}

    def _take(self, end: pathlib.Path, rows: pathlib.Path) -> None:
        now = end.replace(self._folder / "now.toml")
        self._world, self._frame = str(now), None
        table = read_rows(rows)
        table["step"] += self._step
        table["time"] += self._time
        self._rows.append(table if not self._rows else table[1:])
        self._step, self._time = int(table["step"][-1]), float(table["time"][-1])

    # ---- the present moment

    @property
    def step(self) -> int:
        """Number of time steps since the beginning."""
        return self._step

    @property
    def time(self) -> float:
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
        """The text of the world as it is now: what `Particles` takes."""
        if not self._rows:
            self.run(0)
        return pathlib.Path(self._world).read_text(encoding="utf-8")

    def _present(self) -> ParticleFrame:
        if self._frame is None:
            table = self._folder / "now.npy"
            _program.run(["particles", self._world, "--steps", "0", "--out", str(table), *_program.arguments(self._given())])
            self._frame = ParticleFrame(table, self._step, self._time)
        return self._frame

    def __repr__(self) -> str:
        return f"<orrery.Particles: step {self._step}, t = {self._time:g}>"

    def _source(self, folder: _program.Folder) -> tuple[str, dict[str, Any]]:
        """A file that the window opens, and the parameters with which it goes on."""
        file = folder / "world.toml"
        file.write_text(self.world(), encoding="utf-8")
        return str(file), {}
