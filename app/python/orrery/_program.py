"""The program as a child process: where it is, its arguments, its messages, and its end."""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import importlib.metadata
import numbers
import operator
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Callable, Union

_PACKAGE = pathlib.Path(__file__).resolve().parent
_WINDOWS = os.name == "nt"
_SECONDS_TO_END = 60  # for the current step, after a signal
# Packages that bring a driver for processors, and its library.
_DRIVERS = {"intel-opencl-rt": r"libintelocl\.so", "pocl-binary-distribution": r"libpocl.*\.so.*"}

#: A value of an option: what the program would be given as text.
Value = Any
#: True: a bar; or a function of the part that is done (0 … 1) and a text.
ProgressChoice = Union[bool, Callable[[float, str], None], None]


class Error(Exception):
    """The program failed; the text is its error message."""


class UsageError(Error, ValueError):
    """A name or a value that the program does not accept; the text is its error message."""


class OrreryWarning(UserWarning):
    """A warning of the program."""


# ---- where it is

def program() -> str:
    """The program that the module starts: ORRERY_PROGRAM, or the one that was installed with the module, or `orrery` of PATH."""
    named = os.environ.get("ORRERY_PROGRAM")
    own = _PACKAGE / "tree" / ("orrery.exe" if _WINDOWS else "bin/orrery")
    if _PACKAGE.parent.name == "dist-packages":  # of Debian's package: /usr/lib/python3/dist-packages and /usr/bin
        own = _PACKAGE.parents[3] / "bin" / "orrery"
    found = named or (str(own) if own.exists() else shutil.which("orrery"))
    if not found:
        raise Error("the program orrery was not found: install the wheel, or name the program in ORRERY_PROGRAM")
    return found


def environment() -> dict[str, str]:
    """The variables of the child. Where the system has no OpenCL driver, they name that of orrery[cpu]."""
    variables = dict(os.environ)
    if not variables.get("OCL_ICD_VENDORS") and not variables.get("OPENCL_VENDOR_PATH") and not _has_system_driver():
        if driver := _driver_of_packages():
            variables["OCL_ICD_VENDORS"] = driver
    return variables


def _has_system_driver() -> bool:
    return _WINDOWS or any(pathlib.Path("/etc/OpenCL/vendors").glob("*.icd"))


def _driver_of_packages() -> str | None:
    """The library of a driver that pip has installed: of the extra [cpu], or PoCL."""
    for package, library in _DRIVERS.items():
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            for file in importlib.metadata.files(package) or []:
                if re.fullmatch(library, file.name):
                    return str(pathlib.Path(file.locate()).resolve())
    return None


# ---- what it is given

def option(name: str) -> str:
    """time_step -> --time-step. Names of laws' numbers, "lennard-jones/sigma", stay as they are."""
    return "--" + (name if "/" in name else name.replace("_", "-"))


def text(value: Value) -> str:
    """True is on, (640, 480) is 640x480 in `size`, and a list is separated by commas."""
    if isinstance(value, (bool,)) or type(value).__name__ in ("bool_", "bool"):
        return "on" if value else "off"
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:  # a number of NumPy
        value = value.item()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return ",".join(text(each) for each in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def whole(name: str, value: Any, least: int) -> int:
    """The value as a whole number of at least `least`. Raises UsageError for any other value."""
    try:
        number = operator.index(value)
    except TypeError:
        number = int(value) if isinstance(value, float) and value.is_integer() else least - 1
    if number < least:
        raise UsageError(f"{option(name)}: expected a whole number, {least} or more, got {value!r}")
    return number


def one_value(name: str, value: Value) -> str:
    """The text of a value. A list has no numbers: with a comma between them, they would be taken for one."""
    has_numbers = isinstance(value, (list, tuple)) and any(isinstance(each, numbers.Number) for each in value)
    if has_numbers or getattr(value, "ndim", 0) > 0:
        raise UsageError(f"{option(name)}: expected one value, got {value!r}")
    return text(value)


def refuse(parameters: Mapping[str, Value], names: Iterable[str], reason: str) -> None:
    """Raises UsageError for keywords that the module itself gives to the program."""
    for name in names:
        if parameters.get(name) is not None:
            raise UsageError(f"{name}: {reason}")


def arguments(parameters: Mapping[str, Value]) -> list[str]:
    """Options of the program; None is left out. `size` is a pair, and `center` a pair, a complex number or a name."""
    refuse(parameters, ("help",), "not a parameter; orrery help commands tells of the options")
    given: list[str] = []
    for name, value in parameters.items():
        if value is None:
            continue
        if getattr(value, "ndim", 0) == 1:
            value = value.tolist()
        if name == "size" and isinstance(value, (list, tuple)):
            given.append("--size=" + "x".join(text(side) for side in value))
        elif name == "center":
            if isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c":
                value = (value.real, value.imag)
            if isinstance(value, (list, tuple)) and len(value) != 2:
                raise UsageError(f"--center: expected two numbers or a name, got {value!r}")
            given += ["--center", *([text(each) for each in value] if isinstance(value, (list, tuple)) else [text(value)])]
        else:
            given.append(f"{option(name)}={one_value(name, value)}")
    return given


# ---- what it tells

_MESSAGE = re.compile(r"^orrery: (?:(note|warning|error): )?(.*)$")
_PROGRESS = re.compile(r"^progress ([0-9.]+) (.*)$")


class Messages:
    """Its standard error, line by line: the last message that is not a warning, with the lines that follow it."""

    def __init__(self, progress: Callable[[float, str], None] | None):
        self.progress = progress
        self.fault: BaseException | None = None  # what the function of progress raised
        self.sentence: list[str] = []
        self.warnings: list[str] = []
        self.others: list[str] = []  # the last lines of libraries

    def take(self, line: str) -> None:
        if match := _PROGRESS.match(line):
            if self.progress and self.fault is None:
                try:
                    self.progress(float(match[1]), match[2])
                except BaseException as fault:  # raised again by the thread that waits for the child
                    self.fault = fault
            return
        match = _MESSAGE.match(line)
        if match and match[1] in ("note", "warning"):
            self.warnings.append(match[2])
        elif match:
            self.sentence = [match[2]]
        elif self.sentence:
            self.sentence.append(line)
        else:
            self.others = [*self.others[-4:], line]

    def warn(self) -> None:
        for each in self.warnings:
            warnings.warn(each, OrreryWarning, stacklevel=4)
        self.warnings = []

    def error(self, code: int) -> Error:
        end = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
        told = "\n".join(self.sentence or [f"the program ended with {end}", *self.others])
        return UsageError(told) if code == 2 else Error(told)


# ---- progress

def _bar(fraction: float, detail: str) -> None:
    print(f"\r\033[K{100 * fraction:3.0f} % {detail}", end="\n" if fraction >= 1 else "", file=sys.stderr, flush=True)


@contextlib.contextmanager
def shown(progress: ProgressChoice) -> Iterator[Callable[[float, str], None] | None]:
    """A function that shows progress: the given one, or a bar, by tqdm if that is installed."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            yield _bar
            return
        with tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}<{remaining} {postfix}") as bar:
            def show(fraction: float, detail: str) -> None:
                bar.set_postfix_str(detail, refresh=False)
                bar.update(100 * fraction - bar.n)
            yield show
            bar.update(100 - bar.n)


# ---- its life

_children: set[subprocess.Popen[bytes]] = set()
_console = threading.Lock()  # a process has one at a time


@atexit.register
def _end_children() -> None:
    for child in list(_children):
        if child.poll() is None:
            child.kill()
            child.wait()


def start(words: Iterable[str], **how: Any) -> subprocess.Popen[bytes]:
    """A child in a group of its own: Ctrl+C reaches this process alone, which ends the child in order."""
    if _WINDOWS:
        how["creationflags"] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP")
        if not _has_console():  # the child would open a window for one of its own
            how["creationflags"] |= getattr(subprocess, "CREATE_NO_WINDOW")
    else:
        how["start_new_session"] = True
    how.setdefault("stdin", subprocess.DEVNULL)
    try:
        child = subprocess.Popen([program(), *words], env=environment(), **how)
    except OSError as error:
        raise Error(f"cannot start {program()}: {error.strerror}") from error
    _children.add(child)
    return child


def interrupt(child: subprocess.Popen[bytes]) -> None:
    """Ends the child as Ctrl+C in a terminal does: after its current step, when it has written its files."""
    if child.poll() is not None:
        return
    if not _WINDOWS:
        child.send_signal(signal.SIGINT)
    elif _has_console():
        child.send_signal(getattr(signal, "CTRL_BREAK_EVENT"))
    else:
        _break_in_console_of(child)


def _kernel() -> Any:
    return getattr(ctypes, "windll").kernel32


def _has_console() -> bool:
    """Programs without one, such as some kernels of notebooks, cannot send Ctrl+Break from where they are."""
    return bool(_kernel().GetConsoleCP())


def _break_in_console_of(child: subprocess.Popen[bytes]) -> None:
    """Ctrl+Break from within the console that the child was given. It reaches the child's group alone."""
    with _console:
        if _kernel().AttachConsole(child.pid):
            _kernel().GenerateConsoleCtrlEvent(getattr(signal, "CTRL_BREAK_EVENT"), child.pid)
            _kernel().FreeConsole()


def end(child: subprocess.Popen[bytes]) -> None:
    """Waits for the end of the child; does not wait after a second Ctrl+C, or if the child cannot be told to end in time."""
    try:
        interrupt(child)
        child.wait(_SECONDS_TO_END)
    except (subprocess.TimeoutExpired, KeyboardInterrupt, OSError):
        child.kill()
        child.wait()
    finally:
        _children.discard(child)


class Run:
    """A command that runs. As a context it ends with its block, in order."""

    def __init__(self, words: Iterable[str], progress: Callable[[float, str], None] | None = None):
        self.messages = Messages(progress)
        self.child = start([*words, "--progress"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.output = b""
        self._readers = [threading.Thread(target=self._read_output, daemon=True),
                         threading.Thread(target=self._read_messages, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        assert self.child.stdout
        with self.child.stdout as pipe:
            self.output = pipe.read()

    def _read_messages(self) -> None:
        assert self.child.stderr
        with self.child.stderr as pipe:
            for line in pipe:
                ended = self.messages.fault is not None
                self.messages.take(line.decode(errors="replace").rstrip("\r\n"))
                if self.messages.fault is not None and not ended:
                    interrupt(self.child)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        end(self.child)
        for reader in self._readers:
            reader.join()

    def wait(self) -> str:
        """Its standard output. Raises its error."""
        code = self.child.wait()
        for reader in self._readers:
            reader.join()
        self.messages.warn()
        if self.messages.fault is not None:
            raise self.messages.fault
        if code != 0:
            raise self.messages.error(code)
        return self.output.decode(errors="replace")


def while_running(words: Iterable[str]) -> Iterator[None]:
    """Runs a command, and yields again and again, also after its end: time to look at the files that it writes. Raises its
    error. If it is closed before that, it ends the command in order."""
    with Run(words) as command:
        running = True
        while running:
            running = command.child.poll() is None
            yield
            time.sleep(0.002 if running else 0)
        command.wait()


def run(words: Iterable[str], progress: ProgressChoice = None) -> str:
    """Runs a command to its end and returns its standard output. Ctrl+C ends it in order, and is raised again."""
    with shown(progress) as show, Run(words, show) as command:
        return command.wait()


# ---- files between the two

_IN_USE = "in-use"  # a file that the owner of a folder has open


class Folder:
    """A private folder for files of about this many bytes: in memory if the system supports that, else among temporary files.
    It is removed with its owner, or after a crash by the next one."""

    def __init__(self, need: int = 0) -> None:
        memory = pathlib.Path("/dev/shm")
        roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > need + (16 << 20)
        place = memory if roomy else pathlib.Path(tempfile.gettempdir())
        _remove_left(place)
        self.path = pathlib.Path(tempfile.mkdtemp(prefix=f"orrery-{os.getpid()}-", dir=place))
        mark = (self.path / _IN_USE).open("wb") if _WINDOWS else None
        self._end = weakref.finalize(self, _remove, self.path, os.getpid(), mark)

    def __truediv__(self, name: str) -> pathlib.Path:
        return self.path / name

    def close(self) -> None:
        self._end()


def _remove(path: pathlib.Path, owner: int, mark: IO[bytes] | None) -> None:
    if os.getpid() == owner:  # and not a fork of it
        if mark:
            mark.close()
        shutil.rmtree(path, ignore_errors=True)


def _remove_left(place: pathlib.Path) -> None:
    """Folders of processes that have ended without removing them."""
    for folder in place.glob("orrery-[0-9]*-*"):
        with contextlib.suppress(OSError, ValueError):
            if _WINDOWS:
                (folder / _IN_USE).unlink()  # refused while its process has it open
                shutil.rmtree(folder, ignore_errors=True)
            elif folder.stat().st_uid == os.getuid() and not pathlib.Path("/proc", folder.name.split("-")[1]).exists() and \
                    pathlib.Path("/proc/self").exists():
                shutil.rmtree(folder, ignore_errors=True)
