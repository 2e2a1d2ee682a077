"""Large arrays, copied by several threads: NumPy copies without the interpreter's lock, and the system gives memory page by page."""
from __future__ import annotations

import concurrent.futures
import math
import mmap
import os
import pathlib
from typing import Any, Callable

import numpy as np

#: An array of NumPy.
Array = Any

_PIECE = 1 << 16  # rows that are copied at once: they fit in a cache
_MANY = 1 << 18   # rows from which on threads are worth their start
_LARGE = 16 << 20  # bytes


def in_parts(count: int, work: Callable[[int, int], None]) -> None:
    """Calls work(begin, end) for the parts of 0 … count, on several threads if the count is large. Raises its errors."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = max(1, min(cores, 8, count // _MANY))
    each = -(-count // threads)

    def part(begin: int) -> None:
        end = min(count, begin + each)
        for at in range(begin, end, _PIECE):
            work(at, min(end, at + _PIECE))

    if threads == 1:
        return part(0)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(part, begin) for begin in range(0, count, each)]:
            done.result()


def _empty(shape: tuple[int, ...]) -> Array:
    """Memory for float64. NumPy would ask for huge pages, for which Linux may move other pages first: that takes longer than
    all copies."""
    size = 8 * math.prod(shape)
    if size < _LARGE or not hasattr(mmap, "MAP_ANONYMOUS"):
        return np.empty(shape)
    return np.frombuffer(mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), np.float64).reshape(shape)


def gathered(shape: tuple[int, ...], fill: Callable[[Array, int, int], None]) -> Array:
    """An array of float64, whose rows from begin to end are filled by fill(part, begin, end). It is read-only."""
    values = _empty(shape)
    in_parts(shape[0], lambda begin, end: fill(values[begin:end], begin, end))
    return read_only(values)


def read_only(values: Array) -> Array:
    values.flags.writeable = False  # a simulation would not see a change
    return values


def write_bodies(path: pathlib.Path, positions: Array, velocities: Array | None, masses: Any) -> None:
    """Writes the file of bodies that the program reads: mass, x, y, z, vx, vy, vz. `masses`: an array, or one number."""
    count = len(positions)
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (count, 7)})
        begins = file.tell()

    def write(begin: int, end: int) -> None:
        rows = np.empty((end - begin, 7), "<f8")
        rows[:, 0] = masses[begin:end] if np.ndim(masses) else masses
        rows[:, 1:4] = positions[begin:end]
        rows[:, 4:7] = 0 if velocities is None else velocities[begin:end]
        with path.open("r+b", buffering=0) as part:
            part.seek(begins + rows.itemsize * 7 * begin)
            left = memoryview(rows).cast("B")
            while left:
                left = left[part.write(left):]

    in_parts(count, write)
