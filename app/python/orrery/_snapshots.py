"""Snapshots and initial conditions of Gadget, AREPO and SWIFT, which are HDF5."""
from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _program
from ._state import Array

_NEWTON = 6.67430e-8  # cm³/(g s²), CODATA 2018
# A file that does not tell its units has kpc, 10¹⁰ solar masses and km/s, as Gadget's examples have.
_USUAL = {"length": 3.085678e21, "mass": 1.989e43, "velocity": 1e5}
_GADGET = {"length": "UnitLength_in_cm", "mass": "UnitMass_in_g", "velocity": "UnitVelocity_in_cm_per_s"}


@dataclass(frozen=True)
class Snapshot:
    """The bodies of a file, in its units of length and velocity.

    positions   float64, shape (N, 3)
    velocities  float64, shape (N, 3)
    masses      float64, shape (N,): times the file's G, so that G is 1 as in `NBody`
    kinds       int, shape (N,): the number of the file's PartType
    ids         int, shape (N,)
    time        of the file, in its unit of time
    gravity     the file's G, by which the masses were multiplied
    """
    positions: Array
    velocities: Array
    masses: Array
    kinds: Array
    ids: Array
    time: float
    gravity: float

    def arrays(self) -> tuple[Array, Array, Array]:
        """The arguments of `NBody`: `orrery.NBody(*snapshot.arrays(), softening=0.1)`."""
        return self.positions, self.velocities, self.masses


def _number(value: Any) -> float:
    return float(np.ravel(value)[0])


def _units(file: Any) -> dict[str, float]:
    swift = file["Units"].attrs if "Units" in file else {}
    if "Unit length in cgs (U_L)" in swift:
        length, mass, seconds = (_number(swift[f"Unit {what} in cgs ({sign})"])
                                 for what, sign in (("length", "U_L"), ("mass", "U_M"), ("time", "U_t")))
        return {"length": length, "mass": mass, "velocity": length / seconds}
    told: dict[str, Any] = {}
    for group in ("Parameters", "Units", "Header"):
        told.update(file[group].attrs if group in file else {})
    return {what: _number(told.get(name, _USUAL[what])) for what, name in _GADGET.items()}


def _check_isolated(path: pathlib.Path, file: Any) -> None:
    header = file["Header"].attrs
    redshift = _number(header.get("Redshift", 0))
    cosmological = "Cosmology" in file and bool(_number(file["Cosmology"].attrs.get("Cosmological run", 0)))
    if redshift != 0 or cosmological:
        raise _program.UsageError(f"{path}: expected bodies in a space that does not expand, got a cosmological run (redshift "
                                  f"{redshift:g})")


def _masses(path: pathlib.Path, file: Any, kind: int, count: int) -> Array:
    group = file[f"PartType{kind}"]
    if "Masses" in group:
        return np.asarray(group["Masses"], float)
    table = np.ravel(file["Header"].attrs.get("MassTable", []))
    if kind >= len(table) or table[kind] == 0:
        raise _program.UsageError(f"{path}: PartType{kind} has neither Masses nor an entry in the header's MassTable")
    return np.full(count, float(table[kind]))


def _h5py() -> Any:
    try:
        import h5py  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise _program.Error("read_snapshot needs the package h5py: pip install h5py") from None
    return h5py


def _part(path: pathlib.Path, kinds: set[int] | None) -> tuple[list[Any], float, float, int]:
    """The columns of one file; its time, its G, and of how many files it is one."""
    h5py = _h5py()
    try:
        opened = h5py.File(path, "r")
    except OSError as error:
        raise _program.UsageError(f"{path}: not an HDF5 file that can be read: {error}") from None
    columns: list[Any] = []
    with opened as file:
        if "Header" not in file:
            raise _program.UsageError(f"{path}: expected a group Header, as snapshots of Gadget and SWIFT have")
        _check_isolated(path, file)
        units = _units(file)
        for kind in range(32):
            group = file.get(f"PartType{kind}")
            if group is None or "Coordinates" not in group or (kinds is not None and kind not in kinds):
                continue
            positions = np.asarray(group["Coordinates"], float)
            count = len(positions)
            if "Velocities" not in group or group["Velocities"].shape != positions.shape:
                raise _program.UsageError(f"{path}: PartType{kind}: expected Velocities of the shape {positions.shape}")
            ids = np.asarray(group["ParticleIDs"], np.int64) if "ParticleIDs" in group else np.arange(count)
            columns.append((positions, np.asarray(group["Velocities"], float), _masses(path, file, kind, count),
                            np.full(count, kind), ids))
        header = file["Header"].attrs
        gravity = _NEWTON * units["mass"] / (units["length"] * units["velocity"] ** 2)
        return columns, _number(header.get("Time", 0)), gravity, int(_number(header.get("NumFilesPerSnapshot", 1)))


def read_snapshot(path: Any, kinds: Any = None) -> Snapshot:
    """Reads bodies of a Gadget, AREPO or SWIFT file; of a file in parts, "snap.0.hdf5" …, all parts. It needs h5py.

    kinds   the numbers of the PartTypes to read, as [1, 4]; default: all

    >>> galaxy = orrery.read_snapshot("isolated_galaxy.hdf5", kinds=[1, 2, 3])
    >>> sim = orrery.NBody(*galaxy.arrays(), dt=0.001, softening=0.05, forces="tree")
    """
    first = pathlib.Path(os.fspath(path))
    wanted = None if kinds is None else {int(kind) for kind in kinds}
    columns, moment, gravity, count = _part(first, wanted)
    if count > 1:
        stem, number, suffix = first.name.rsplit(".", 2) if first.name.count(".") > 1 else ("", "", "")
        if number != "0":
            raise _program.UsageError(f"{first}: expected the first of {count} files, NAME.0.hdf5")
        for part in range(1, count):
            columns += _part(first.with_name(f"{stem}.{part}.{suffix}"), wanted)[0]
    if not columns:
        raise _program.UsageError(f"{first}: it has no bodies" + ("" if wanted is None else f" of the kinds {sorted(wanted)}"))
    positions, velocities, masses, types, ids = (np.concatenate(column) for column in zip(*columns))
    return Snapshot(positions, velocities, masses * gravity, types, ids, moment, gravity)
