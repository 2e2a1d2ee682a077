"""The invariants of a walk (walker.py), which hold at each moment after any input, and their checks."""
import array
import hashlib
import json
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import time
import zipfile

from orrery_window import tomllib, wait_for

SCENES = ("nbody", "mandelbrot", "particles")
MOVING = frozenset({"time", "step", "bodies-csv", "tree-memory", "world-toml", "force-exponent"})  # keys that a running simulation changes
ERROR = re.compile(r"\b(expected|cannot|could not|too (large|many|long)|failed|no longer|went wrong|does not|is not)\b", re.IGNORECASE)
NUMBERS_ENDED = re.compile(r"NaN|infinite|not finite")


class Broken(AssertionError):
    """An invariant does not hold. `about` distinguishes kinds of its failures."""

    def __init__(self, sentence, about="", details=""):
        super().__init__(f"{sentence}: {about}\n{details}".rstrip())
        self.sentence, self.about, self.details = sentence, about, details

    def kind(self):
        """A key for equal failures: without numbers and file names."""
        text = re.sub(r'"[^"]*"|/\S+|\'[^\']*\'', "…", self.about)
        return self.sentence, re.sub(r"-?\d[\d.,e+-]*", "0", text)[:160]


def is_whole(path):
    """Writes a file atomically."""
    data = path.read_bytes()
    if path.suffix == ".png":
        return data.endswith(b"IEND\xaeB`\x82")
    if path.suffix in (".toml", ".npz"):
        try:
            read_state(path)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError, zipfile.BadZipFile):
            return False
    return True


def csv_of(npy):
    """The rows of an array of bodies, as in the text of a state."""
    header = int.from_bytes(npy[8:10], "little")
    numbers = array.array("d", npy[10 + header:])
    rows = (",".join(format(number, ".17g") for number in numbers[at:at + 7]) for at in range(0, len(numbers), 7))
    return "\n".join(["mass,x,y,z,vx,vy,vz", *rows, ""])


def read_state(path):
    """Reads a text, or an archive with a text and separate long values."""
    data = path.read_bytes()
    if not data.startswith(b"PK"):
        return tomllib.loads(data.decode())
    with zipfile.ZipFile(path) as archive:
        state = tomllib.loads(archive.read("state.toml").decode())
        state.get("window", {}).pop("kept-apart", None)
        for name in archive.namelist():
            scene, _, key = name.partition("/")
            if key.endswith(".npy"):
                state[scene][key[:-4] + "-csv"] = csv_of(archive.read(name))
            elif key:
                state[scene][key.replace(".toml", "-toml").replace(".txt", "")] = archive.read(name).decode()
    return state


def flies(told):
    """Whether the view itself moves, not only the colours."""
    cycles = any(row.get("name") == "cycling" and row["value"] != 0 for row in told["rows"])
    return told["scene"] == "mandelbrot" and told["moving"] and not cycles


def is_first_view(view):
    return (view.get("center-re"), view.get("center-im")) == ("-0.651155", "0")


def differences(wanted, found, but=frozenset()):
    """The keys of a scene whose values differ, as short texts."""
    told = []
    for key in sorted((wanted.keys() | found.keys()) - set(but)):
        a, b = (str(side.get(key, "nothing")) for side in (wanted, found))
        if a != b:
            place = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            begin = max(0, place - 20)
            told.append(f"{key}: {a[begin:begin + 60]!r} ({len(a)} characters) became {b[begin:begin + 60]!r} ({len(b)})")
    return told


def require_same(sentence, wanted, found, scenes, but=frozenset()):
    for scene in scenes:
        a, b = wanted.get(scene, {}), found.get(scene, {})
        fits = {"span"} if is_first_view(a) and is_first_view(b) else set()  # the whole set fits windows of any shape
        laws = set() if "laws" in a else {"laws"}  # a state does not say which laws the world's file had
        # Values from a scene's world are unknown before the scene has been shown.
        unseen = {key for key in b.keys() - a.keys() if key.startswith("camera-") or scene == "particles"}
        told = differences(a, b, but | fits | laws | unseen)
        if told:
            raise Broken(sentence, f"{scene}: " + ", ".join(text.split(":")[0] for text in told), "\n".join(told))


class Fresh:
    """Another process of the program, with its own screen and folder, that opens a file."""

    def __init__(self, place):
        self.place = place

    def end(self, arguments, opens=False):
        """The state after the files of the command line have been opened. `opens`: a message says that a file was opened."""
        with tempfile.TemporaryDirectory(prefix="orrery-fresh-", ignore_cleanup_errors=True) as name:
            folder = pathlib.Path(name)
            controls, state = folder / "controls.json", folder / "end.toml"
            surroundings = {**self.place.surroundings(), **self.place.side.environment, "XDG_STATE_HOME": name, "XDG_DATA_HOME": name,
                            "XDG_PICTURES_DIR": name, "ORRERY_CONTROLS": str(controls)}
            output = open(folder / "output.txt", "w+", encoding="utf-8", errors="replace")
            process = subprocess.Popen([self.place.binary, *map(str, arguments), "--size", "480x320", "--save-state", state],
                                       env=surroundings, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
            try:
                self.wait(process, controls, opens)
                told = json.loads(controls.read_text())
                process.send_signal(signal.SIGTERM)
                process.wait(self.place.patience)
            except (subprocess.TimeoutExpired, AssertionError) as error:
                raise Broken("a fresh process takes what was saved", "it does not end" if process.poll() is None else
                             f"it ended with {process.returncode}", f"{shlex.join(map(str, arguments))}\n{error}\n{self.said(output)}") from None
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            said = self.said(output)
            output.close()
            faults = [text for _, text in told["faults"] + told["failures"]]
            faults += [text for _, text in told["notices"] if opens and ERROR.search(text)]
            if faults or process.returncode not in (0, 128 + signal.SIGTERM) or not state.exists():
                raise Broken("a fresh process takes what was saved", (faults or [f"it ended with {process.returncode}"])[0], f"{shlex.join(map(str, arguments))}\n{said}")
            return read_state(state)

    @staticmethod
    def said(output):
        output.flush()
        return pathlib.Path(output.name).read_text(errors="replace")[-2000:]

    def wait(self, process, controls, opens):
        quiet = []  # the last state: equal twice, some frames apart

        def alive():
            assert process.poll() is None, f"it ended with {process.returncode}"

        def is_there():
            told = json.loads(controls.read_text())
            opened = not opens or told["faults"] or told["failures"] or any(not text.startswith("Reading ") for _, text in told["notices"])
            if told["preparing"] != "" or flies(told) or not opened:
                quiet.clear()
                return False
            quiet.append(told["faults"])
            return len(quiet) > 3 and quiet[-1] == quiet[-4]

        wait_for(is_there, "a fresh process", self.place.patience, alive)


class Files:
    """Saved files in the folder of a walk stay unchanged unless a step asks for a change."""
    KEPT = ("saved/*", "Pictures/Orrery/*", "orrery/presets/*/*", "orrery/places/*", "orrery/kernels/*")

    def __init__(self, home):
        self.home = home
        self.kept = {}  # contents by path

    def present(self):
        found = {}
        for pattern in self.KEPT:
            for path in self.home.glob(pattern):
                if path.is_file() and not path.name.endswith(".part"):
                    found[path] = hashlib.sha1(path.read_bytes()).hexdigest()
        return found

    def follow(self, allowed):
        """`allowed(path)`: whether the last step may replace or remove that file."""
        present = self.present()
        for path, content in self.kept.items():
            if present.get(path) != content and not allowed(path):
                raise Broken("files stay as they were saved", f"{path.suffix} in {path.parent.name}",
                             f"{path} " + ("is another one" if path in present else "is gone"))
        for path in present.keys() - self.kept.keys():
            if path.stat().st_size == 0:  # the name is reserved before the file is written
                present.pop(path)
            elif not is_whole(path):
                raise Broken("files are whole or not there", f"{path.suffix} in {path.parent.name}", str(path))
        self.kept = present

    def sessions(self):
        return sorted((self.home / "orrery" / "sessions").glob("*.toml"))

    def check_sessions(self):
        for path in self.sessions():
            try:
                if not is_whole(path):
                    raise Broken("files are whole or not there", "a session", str(path))
            except FileNotFoundError:
                pass
