"""Orrery from Python: bodies under gravity, the Mandelbrot set, and particles under laws that you type, on any OpenCL device.

The module starts the program `orrery` as a child process and exchanges arrays with it by files in memory. Every option of a
command is a keyword of the same name, with `_` for `-`; a wrong one raises an exception with the program's message.

    NBody        bodies under their own gravity
    Particles    particles under the laws of a world
    mandelbrot   smooth iteration counts of a view
    picture      a picture of what the window would show
    film, zoom   films
    show         the window, driven from here
    devices      the devices of this system
    bench, tune  measurements, and the fastest kernels
    read_runs, read_snapshot  bodies of archives, and of other programs

`orrery help python` prints the page of the manual.
"""
from ._devices import Device, bench, devices, tune
from ._nbody import NBody
from ._particles import Particles
from ._pictures import Film, MandelbrotArray, Picture, film, mandelbrot, picture, zoom
from ._program import Error, OrreryWarning, UsageError, program
from ._snapshots import Snapshot, read_snapshot
from ._state import Frame, read_runs
from ._view import View, show

__all__ = ["Device", "Error", "Film", "Frame", "MandelbrotArray", "NBody", "OrreryWarning", "Particles", "Picture", "Snapshot",
           "UsageError", "View", "bench", "devices", "film", "mandelbrot", "picture", "program", "read_runs", "read_snapshot",
           "show", "tune", "zoom"]
