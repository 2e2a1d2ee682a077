"""Devices, and what they can do."""
from __future__ import annotations

import dataclasses
import json
from typing import Any

from . import _program


@dataclasses.dataclass(frozen=True)
class Device:
    """A device of OpenCL. Every `device=` of this module takes it."""

    id: str             #: "0:0": platform and device
    name: str
    type: str           #: "GPU", "CPU" …
    platform: str       #: with its version
    compute_units: int
    global_bytes: int   #: memory
    fp64: bool          #: has double precision
    details: dict[str, Any] = dataclasses.field(repr=False, compare=False)  #: all that `orrery devices --json` tells

    def __str__(self) -> str:
        return self.id


def devices() -> list[Device]:
    """The devices that this system's drivers offer; empty where there is no driver."""
    found = []
    for platform in json.loads(_program.run(["devices", "--json"]))["platforms"]:
        for told in platform["devices"]:
            own = {name: told[name] for name in ("id", "name", "type", "compute_units", "global_bytes", "fp64")}
            found.append(Device(platform=f"{platform['name']} ({platform['version']})", details=told, **own))
    return found


def _report(words: list[str], parameters: dict[str, Any], progress: _program.ProgressChoice) -> dict[str, Any]:
    folder = _program.Folder()
    file = folder / "report.json"
    lists = {name: _program.text(list(value)) if isinstance(value, (list, tuple, range)) or getattr(value, "ndim", 0) == 1 else value
             for name, value in parameters.items()}  # of values that are measured one after the other
    _program.run([*words, "--json", str(file), *_program.arguments(lists)], progress)
    report: dict[str, Any] = json.loads(file.read_text())
    return report


def bench(name: str, *, device: Any = None, progress: _program.ProgressChoice = None, **parameters: Any) -> dict[str, Any]:
    """Measures: "nbody", "mandelbrot", "particles", "reduce", "sort", "device". `parameters`: the options of `orrery bench NAME`.
    The result has `device`, `driver` and `results`, a list with `name`, `parameters`, `median_seconds`, `rate`, `unit` …"""
    return _report(["bench", name], {"device": device, **parameters}, progress)


def tune(name: str, *, device: Any = None, progress: _program.ProgressChoice = None, **parameters: Any) -> dict[str, Any]:
    """Finds the fastest variant of a kernel of "nbody" or "mandelbrot"; all later runs on the device use it. `parameters`:
    the options of `orrery tune NAME`."""
    return _report(["tune", name], {"device": device, **parameters}, progress)
