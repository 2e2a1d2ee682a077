"""The window, driven from here by its remote control (`orrery help remote`)."""
from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import pathlib
import queue
import subprocess
import threading
import time
import traceback
import weakref
import zipfile
from typing import Any, Callable, Optional

import numpy as np

from . import _pictures, _program
from ._particles import Particles
from ._state import Array, read_only

_SECONDS_TO_BEGIN = 30


class View:
    """An open window. As a context, it closes with its block; it closes with this process at the latest.

    >>> with orrery.show("plummer", softening=0.05) as view:
    ...     view.set("softening", 0.02)
    ...     view.positions()
    """

    def __init__(self, words: list[str], folder: _program.Folder):
        self._folder, self._numbers = folder, itertools.count(1)
        self._opened: list[_program.Folder] = []  # the window reads a file again where its scene begins again
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._listeners: list[Callable[[int], None]] = []
        self._messages = _program.Messages(None)
        self._child = _program.start(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._lock, self._closing = threading.Lock(), False
        self._frames: queue.Queue[int | None] = queue.Queue(maxsize=1)
        for work in (_listen, _call, _hear):
            threading.Thread(target=work, args=(weakref.ref(self), self._child, self._frames), daemon=True).start()

    # ---- what it does

    def set(self, name: str, value: Any) -> None:
        """Sets a parameter of the scene, by the name of its option, with `_` or `-`: view.set("softening", 0.02)."""
        self._ask("set", name=_program.option(name)[2:], value=_program.one_value(name, value))

    def get(self, name: str) -> Any:
        """The present value of a parameter of the scene."""
        name = _program.option(name)[2:]
        values = self.parameters()
        if name not in values:
            raise _program.UsageError(f"the parameter: expected one of {', '.join(sorted(values))}, got \"{name}\"")
        return values[name]

    def parameters(self) -> dict[str, Any]:
        """All parameters of the scene, and their values."""
        values: dict[str, Any] = self._ask("get")["parameters"]
        return values

    @property
    def scene(self) -> str:
        """"nbody", "mandelbrot" or "particles"."""
        return str(self._ask("get")["scene"])

    @property
    def step(self) -> int:
        """Number of time steps since the simulation's beginning."""
        return int(self._ask("get").get("step", 0))

    def show(self, scene: str) -> None:
        """Changes the scene."""
        self._ask("scene", name=scene)
        self.wait()

    def open(self, source: Any) -> None:
        """Opens a simulation of this module, or a file."""
        self._opened.append(_program.Folder())
        before = self._ask("get")["failed"]
        self._ask("open", file=os.path.abspath(_pictures.source_of(source, self._opened[-1])[0]))
        self.wait()
        told = self._ask("get")
        if told["failed"] > before:
            raise _program.Error(told["failures"][-1])
        if told["fault"]:
            raise _program.Error(told["fault"])

    def pause(self, on: bool = True) -> None:
        """Pauses the simulation, or continues it."""
        self._ask("pause", on=bool(on))

    def step_once(self) -> None:
        """Computes one burst, then pauses."""
        self._ask("step")

    def restart(self) -> None:
        """Restarts the simulation, or resets the view."""
        self._ask("restart")

    def wait(self, seconds: float = 120) -> None:
        """Waits until the scene can compute: devices are open, files read and kernels built."""
        end = time.monotonic() + seconds
        while (told := self._ask("get"))["preparing"]:
            if time.monotonic() > end:
                raise _program.Error(f"the window is not ready after {seconds} s: {told['preparing']}")
            time.sleep(0.05)

    # ---- what it shows

    def state(self, path: str | os.PathLike[str]) -> None:
        """Writes the session: .toml, or .npz with the numbers as arrays."""
        self._ask("save", file=os.path.abspath(os.fspath(path)))

    def positions(self) -> Array:
        """Positions of bodies or particles: float64, shape (N, 3), in units of length."""
        return self._vectors("positions")

    def velocities(self) -> Array:
        """Velocities of bodies or particles: float64, shape (N, 3), in units of length / time."""
        return self._vectors("velocities")

    def _vectors(self, quantity: str) -> Array:
        """A session has the bodies from the first step on."""
        file, end = self._folder / f"state-{next(self._numbers)}.npz", time.monotonic() + _SECONDS_TO_BEGIN
        while (scene := self.scene) in ("nbody", "particles") and time.monotonic() < end:
            self.state(file)
            found = _vectors_in(file, scene, quantity)
            file.unlink()
            if found is not None:
                return found
            time.sleep(0.05)
        raise _program.Error(f"the scene {scene} has no bodies before its first step")

    def screenshot(self, panels: bool = False) -> _pictures.Picture:
        """The picture as it is now, or all of the window."""
        file = self._folder / "screenshot.png"
        self._ask("screenshot", file=str(file), on=panels)
        return _pictures.Picture(file.read_bytes())

    def _repr_png_(self) -> bytes | None:
        return self.screenshot().png if self.is_open else None

    def on_frame(self, listener: Callable[[int], None]) -> None:
        """Calls a function with the step number when another moment is shown, on a thread of its own; if the function
        is slow, moments are skipped. It may use the view."""
        if not callable(listener):
            raise _program.UsageError(f"listener: expected a function of the step number, got {listener!r}")
        self._listeners.append(listener)
        self._ask("frames", on=True)

    # ---- its end

    @property
    def is_open(self) -> bool:
        return self._child.poll() is None

    def wait_closed(self) -> None:
        """Waits until a person closes the window."""
        try:
            self._child.wait()
        finally:
            self.close()

    def close(self) -> None:
        """Closes the window; it ends in order."""
        self._closing = True
        assert self._child.stdin
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._child.stdin.close()  # the end of its input
            self._child.wait(10)
        _program.end(self._child)
        self._folder.close()

    def __reduce__(self) -> Any:
        raise _program.Error("a window cannot be copied or pickled")

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_child"):
            self.close()

    def __repr__(self) -> str:
        return f"<orrery.View: {'open' if self.is_open else 'closed'}>"

    # ---- its answers

    def _ask(self, what: str, **more: Any) -> Any:
        number, answer = next(self._numbers), queue.Queue[dict[str, Any]](1)
        self._answers[number] = answer
        line = json.dumps({"id": number, "do": what, **more}) + "\n"
        try:
            with self._lock:
                assert self._child.stdin
                self._child.stdin.write(line.encode())
                self._child.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._ended() from error
        while True:
            try:
                told = answer.get(timeout=0.5)
                break
            except queue.Empty:
                if not self.is_open:
                    raise self._ended() from None
        if "error" in told:
            expects = ": expected " in told["error"]
            raise (_program.UsageError if expects else _program.Error)(told["error"])
        return told["result"]

    def _ended(self) -> _program.Error:
        code = self._child.wait()
        time.sleep(0.05)  # for what it said last
        return self._messages.error(code) if code else _program.Error("the window is closed")

    def _take(self, line: bytes) -> None:
        try:
            told = json.loads(line)
        except ValueError:
            return  # what a driver prints
        if "frame" in told:
            try:
                self._frames.put_nowait(int(told["step"]))
            except queue.Full:
                pass
        elif answer := self._answers.pop(told.get("id"), None):
            answer.put(told)


# The threads do not keep the view: it closes when nobody has it any more.

_Frames = queue.Queue[Optional[int]]


def _listen(view: weakref.ref[View], child: subprocess.Popen[bytes], frames: _Frames) -> None:
    assert child.stdout
    with child.stdout as pipe:
        for line in pipe:
            if here := view():
                here._take(line)
            del here
    frames.put(None)


def _hear(view: weakref.ref[View], child: subprocess.Popen[bytes], _: _Frames) -> None:
    assert child.stderr
    with child.stderr as pipe:
        for line in pipe:
            if here := view():
                here._messages.take(line.decode(errors="replace").rstrip("\r\n"))
            del here


def _call(view: weakref.ref[View], child: subprocess.Popen[bytes], frames: _Frames) -> None:
    while (step := frames.get()) is not None:
        here = view()
        for listener in list(here._listeners) if here else []:
            try:
                listener(step)
            except Exception:  # told, and the others are called as before; while a window closes, it refuses
                if here and here.is_open and not here._closing:
                    traceback.print_exc()
        del here


# ---- what a session has

def _vectors_in(file: pathlib.Path, scene: str, quantity: str) -> Array | None:
    with zipfile.ZipFile(file) as archive:
        if scene == "nbody" and "nbody/bodies.npy" in archive.namelist():
            bodies = np.lib.format.read_array(io.BytesIO(archive.read("nbody/bodies.npy")))  # mass, x, y, z, vx, vy, vz
            return read_only(np.ascontiguousarray(bodies[:, 1:4] if quantity == "positions" else bodies[:, 4:7]))
        if scene == "particles" and "particles/world.toml" in archive.namelist():
            found: Array = getattr(Particles(archive.read("particles/world.toml").decode()), quantity)
            return found
    return None


def show(source: Any = None, *, scene: str | None = None, size: tuple[int, int] = (1280, 720), device: Any = None,
         **parameters: Any) -> View:
    """Opens the window, and returns when the scene can compute.

    source      a simulation of this module, from its present moment on; an array of `mandelbrot`; a file that the window opens;
                the name of an initial condition ("galaxies"); None: the scene as it begins
    scene       "nbody", "mandelbrot" or "particles"
    parameters  the window's options, with `_` for `-`: softening=0.05, palette="inferno", no_ui=True …
    """
    folder = _program.Folder()
    given: dict[str, Any] = {"scene": scene, "size": size, "device": device, **parameters}
    words = ["--remote"]
    if isinstance(source, _pictures.MandelbrotArray):
        if source.parameters is None:
            raise _program.Error("a part of an array has no view: show the whole array")
        of_command = ("size", "device", *_pictures.COMMAND_ONLY)
        own = {name: value for name, value in source.parameters.items() if name not in of_command}
        given = {**given, "scene": "mandelbrot", **own, **parameters}
    elif hasattr(source, "_source"):
        file, own = source._source(folder)
        given = {**given, "scene": "particles" if file.endswith(".toml") else "nbody", **own, **parameters}
        words += ["--open", file] if file.endswith(".toml") else ["--initial", file]
    elif source is not None and os.path.exists(source):
        words += ["--open", os.path.abspath(source)]
    elif source is not None:
        given = {**given, "scene": "nbody", "initial": source}
    view = View([*words, *_program.arguments(given)], folder)
    try:
        view.wait()
    except BaseException:
        view.close()
        raise
    return view
