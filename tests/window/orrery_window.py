"""The real window on a virtual display, driven by real mouse and key events (xdotool), read back by screenshots."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

import xdnd

try:
    import tomllib
except ImportError:  # Python < 3.11
    tomllib = None


def wait_for(question, what, seconds=60, during=lambda: None, pause=0.02):
    """Repeats the question until the answer is true, and returns it; `during` is called in between and may raise. Slow
    questions, such as those for pictures, are asked less often."""
    end = time.monotonic() + seconds
    while (asked := time.monotonic()) < end:
        try:
            answer = question()
            if answer:
                return answer
        except (subprocess.CalledProcessError, FileNotFoundError):
            pass
        during()
        time.sleep(max(pause, time.monotonic() - asked))
    raise AssertionError(f"waited {seconds} s in vain for {what}")


class Screen:
    """An X server that draws into memory, with a window manager (for minimising) unless a window may have any size.
    `memory` is a folder for the screen's contents, as the file Xvfb_screen0. Held keys repeat unless `repeats` is false."""

    def __init__(self, width=1600, height=1000, managed=True, memory=None, repeats=True):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "+extension", "GLX", "-nolisten", "tcp", "-noreset",
             *(["-fbdir", str(memory)] if memory else []), *([] if repeats else ["-r"])],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:  # the line is complete when the server listens
            self.display = ":" + answer.readline().strip()
        self.environment = dict(os.environ, DISPLAY=self.display)
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.manager = None
        if not managed:
            return
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: self.xdotool("get_num_desktops"), "the window manager")  # a window opened earlier is unmapped and mapped again

    def close(self):
        for process in filter(None, (self.manager, self.server)):
            process.terminate()
            process.wait(10)

    def save_picture(self, window, file):
        subprocess.run(["import", "-window", window, str(file)], env=self.environment, check=True, timeout=30)

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, capture_output=True,
                              text=True, timeout=30).stdout.strip()


class Orrery:
    """One run of the program. `quit()` ends it like a user and returns its files. The constructor waits until the scene can
    compute, unless `prepared` is false. The program's files are in a new folder, or in `home` with those of earlier runs."""

    patience = 60  # seconds, for operations that take a moment on an idle machine

    def __init__(self, screen, binary, *arguments, environment=None, prepared=True, home=None):
        self.screen = screen
        self.temporary = None if home else tempfile.TemporaryDirectory(prefix="orrery-window-", ignore_cleanup_errors=True)
        self.folder = pathlib.Path(home or self.temporary.name)
        self.state_file = self.folder / "state.toml"
        self.stats_file = self.folder / "stats.json"
        self.controls_file = self.folder / "controls.json"
        self.controls_file.unlink(missing_ok=True)  # the file of an earlier run
        self.pictures = self.folder / "Pictures" / "Orrery"
        surroundings = {**screen.environment, "XDG_STATE_HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder),
                        "XDG_PICTURES_DIR": str(self.pictures.parent), "ORRERY_CONTROLS": str(self.controls_file), **(environment or {})}
        remembered = self.folder / "orrery" / "window.toml"  # avoids the first start's hint over the picture
        remembered.parent.mkdir(exist_ok=True)
        if not remembered.exists():
            remembered.write_text('scene = "nbody"\n')
        self.process = subprocess.Popen(
            [binary, "--save-state", self.state_file, "--stats", self.stats_file, *map(str, arguments)],
            env=surroundings, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.pointer = (450, 200)
        self.lines, self.heard = [], 0  # all lines of output with their times, and the number that a test has waited for
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        try:
            self.window = self.wait_for(lambda: screen.xdotool("search", "--all", "--onlyvisible", "--pid", self.process.pid, "--name", "Orrery"))
            self.window = self.window.splitlines()[-1]
            screen.xdotool(*(("windowactivate", "--sync") if screen.manager else ("windowfocus",)), self.window)
            if prepared:
                self.wait_until_prepared(1.5 if "OPENCL_LAYERS" in surroundings else self.patience)
        except BaseException:
            self.process.kill()  # no clean-up is registered yet
            raise

    def wait_for(self, question, seconds=None):
        return wait_for(question, "the window", seconds or self.patience, self.alive)

    def wait_until_prepared(self, seconds):
        """Waits until the scene can compute, or for that number of seconds."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            if self.controls_file.exists() and self.controls()["preparing"] == "":
                break
            time.sleep(0.05)

    def alive(self):
        assert self.process.poll() is None, f"the program ended with {self.process.returncode}: {self.said()}"

    def listen(self):
        """Reads the output: a full pipe would block a long run."""
        with self.process.stdout:
            for line in self.process.stdout:
                self.lines.append((time.monotonic(), line))

    def said(self):
        """All of the output, after the program has ended."""
        if self.process.poll() is not None:
            self.listener.join(10)
        return "".join(line for _, line in self.lines)

    def says(self, text):
        """Waits for the text in lines that answered no earlier question."""
        for number in range(self.heard, len(self.lines)):
            self.heard = number + 1
            if text in self.lines[number][1]:
                return True
        return False

    # --- the user's actions

    def move(self, x, y):
        """Moves the pointer; returns when the window has seen it."""
        self.point(round(x), round(y))
        self.wait_for(lambda: self.controls()["pointer"] == list(self.pointer))

    def point(self, x, y):
        self.pointer = (x, y)
        self.screen.xdotool("mousemove", "--window", self.window, x, y)

    def click(self, x, y, button=1, repeat=1):
        self.move(x, y)
        self.screen.xdotool("click", "--repeat", repeat, "--delay", 60, button)

    def find(self, control):
        """The middle of the control of that name ("View/Fly to"), once it is visible and does not move. Scrolls down the column,
        then through its other face."""
        column, last, before, faces = (120, 400), [], {}, ["Explore", "Measure"]

        def settled():
            places = self.controls()["places"]
            if control not in places:
                last.clear()
                self.move(*column)
                at_end = places == before
                before.clear()
                before.update({} if at_end else places)
                self.wheel(80 if at_end else -4, delay=2)
                if at_end and faces[-1] in places:
                    left, top, width, height = places[faces[-1]]
                    self.click(left + width / 2, top + height / 2)
                    faces.reverse()
                self.catch_up()
                return None
            last.append(places[control])
            if last[-2:-1] == last[-1:]:
                return last[-1]
            self.catch_up()  # the next answer comes from another frame
            return None

        x, y, width, height = self.wait_for(settled)
        return x + width / 2, y + height / 2

    def press(self, control):
        """Clicks the control, and waits for the effect."""
        self.catch_up()  # earlier actions may move the control
        x, y = self.find(control)
        before = self.controls()["clicks"]
        self.click(x, y)
        self.wait_for(lambda: self.controls()["clicks"] > before)
        self.catch_up()  # a field has the keyboard some frames later

    def wait_for_a_field(self):
        """Waits until a field takes typed text."""
        self.wait_for(lambda: self.controls()["keyboard"])

    def enter(self, field, text, key="Return"):
        """Replaces the text of the field of that name, and ends typing with the key."""
        self.press(field)
        self.wait_for_a_field()
        self.screen.xdotool("type", "--delay", 20, "--", text)
        self.hold(key)
        self.wait_for(lambda: not self.controls()["keyboard"])
        self.catch_up()  # a refusal moves the rows below it

    def hold(self, *names):
        """Presses keys, each held until the window has seen it down: Dear ImGui before 1.87 does not see a press and release
        within a frame."""
        for name in names:
            self.catch_up(after=["keydown", name])
            self.catch_up(after=["keyup", name])

    def catch_up(self, reached=lambda told: True, after=()):
        """Waits until the window has taken all earlier input and then these words of xdotool. Input is taken in order: here, a
        step of the pointer aside or back comes last."""
        x, y = self.pointer
        self.pointer = (x ^ 1, y)
        self.screen.xdotool(*after, "mousemove", "--window", self.window, *self.pointer)
        self.wait_for(lambda: (told := self.controls())["pointer"] == list(self.pointer) and reached(told))

    def settle(self):
        """Waits like catch_up(), and until all motion has come to rest."""
        self.catch_up(lambda told: told["preparing"] == "" and not told["moving"])

    def complete(self):
        """Waits until the picture is completely computed."""
        self.settle()
        self.wait_for(lambda: self.controls()["complete"])

    def wait_for_launches(self, number):
        """Waits until the scene has launched that many more kernels, on this device or the next."""
        seen, launched = self.controls()["launches"], 0

        def enough():
            nonlocal seen, launched
            before, seen = seen, self.controls()["launches"]
            launched += seen - before if seen >= before else seen
            return launched >= number

        self.wait_for(enough)

    def controls(self):
        return json.loads(self.controls_file.read_text())

    def shows(self, control):
        return control in self.controls()["places"]

    def wheel(self, steps, delay=50):
        """Turns the wheel by a number of notches, with a pause in milliseconds."""
        self.screen.xdotool("click", "--repeat", abs(steps), "--delay", delay, 4 if steps > 0 else 5)

    def drag(self, start, end, button=1, key=None):
        self.move(*start)
        if key:
            self.screen.xdotool("keydown", key)
        self.screen.xdotool("mousedown", button)
        for i in range(1, 11):
            self.move(start[0] + (end[0] - start[0]) * i / 10, start[1] + (end[1] - start[1]) * i / 10)
        self.screen.xdotool("mouseup", button)
        if key:
            self.screen.xdotool("keyup", key)
        self.catch_up()

    def send_keys(self, *names):
        for name in names:
            self.screen.xdotool("key", "--window", self.window, name)

    def key(self, *names):
        """Presses keys; returns when the window has seen each in a separate frame."""
        for name in names:
            self.catch_up(after=["key", "--window", self.window, name])

    def type(self, text):
        self.screen.xdotool("type", "--window", self.window, "--delay", 15, "--", text)

    def drop(self, *names):
        """Drops files of the run's folder, like a file manager."""
        xdnd.drop(self.screen.display, self.window, [self.folder / name for name in names])

    def resize(self, width, height):
        self.screen.xdotool("windowsize", self.window, width, height)

    # --- the user's observations

    def picture(self):
        """(width, height, RGB bytes) of the window as the X server shows it."""
        dump = subprocess.run(["import", "-window", self.window, "-depth", "8", "ppm:-"], env=self.screen.environment,
                              check=True, capture_output=True, timeout=30).stdout
        assert dump.startswith(b"P6"), dump[:20]
        _, size, _, pixels = dump.split(b"\n", 3)
        width, height = map(int, size.split())
        return width, height, pixels

    def fingerprint(self):
        return zlib.crc32(self.picture()[2])

    def wait_for_a_picture(self, colors=10):
        """Waits until a row right of the panels has more than `colors` colours: an empty picture is still, too."""
        def shown():
            width, height, pixels = self.picture()
            row = pixels[3 * width * (height // 2):3 * width * (height // 2 + 1)]
            return len({row[3 * x:3 * x + 3] for x in range(400, width)}) > colors

        self.wait_for(shown)

    def wait_until_it_moves(self):
        """Waits until the picture changes; the first build of kernels takes seconds. With hidden panels only bodies move."""
        first = self.fingerprint()
        self.wait_for(lambda: self.fingerprint() != first)

    def still_fingerprint(self):
        """A screenshot after all motion has ended (colour ranges follow slowly)."""
        self.catch_up()
        last = self.fingerprint()

        def settled():
            nonlocal last
            time.sleep(0.4)
            before, last = last, self.fingerprint()
            return before == last

        self.wait_for(settled)
        return last

    def quit(self, seconds=None):
        """Quits and returns the state and the statistics; the program must end in order, within the given seconds."""
        self.alive()
        try:
            self.send_keys("ctrl+q")
        except subprocess.CalledProcessError:  # the window closed before the keys were released
            pass
        try:
            self.process.wait(seconds or self.patience)
        except subprocess.TimeoutExpired:
            before = self.controls_file.read_text()
            time.sleep(1)
            frames = "draws no frames" if self.controls_file.read_text() == before else "still draws frames"
            self.process.kill()
            raise AssertionError(f"the window did not close on Ctrl+Q and {frames}: {before} {self.said()}") from None
        assert self.process.returncode == 0, f"exit code {self.process.returncode}: {self.said()}"
        with open(self.state_file, "rb") as file:
            state = tomllib.load(file)
        return state, json.loads(self.stats_file.read_text())


class WindowCase(unittest.TestCase):
    """Tests that share a screen; their windows end with them."""

    @classmethod
    def setUpClass(cls):
        cls.screen = Screen()

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()

    def run(self, result=None):
        began = time.monotonic()
        super().run(result)
        print(f"{time.monotonic() - began:6.1f} s {self.id()}", file=sys.stderr)

    def start(self, binary, *arguments, **how):
        orrery = Orrery(self.screen, binary, *arguments, **how)
        self.addCleanup(lambda: orrery.process.poll() is None and orrery.process.kill())
        return orrery

    def wait_until_it_says(self, orrery, text):
        orrery.wait_for(lambda: orrery.says(text))


# PoCL's own cache, for tests that begin without other caches.
KERNELS = os.environ.get("POCL_CACHE_DIR") or str(
    pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "pocl", "kcache"))

# A system whose state is compared with that of a headless run of as many steps on one working device.
STEPS = ["--dt", "0.01", "--softening", "0.05", "--burst", "1"]
BODIES = ["--initial", "plummer", "--seed", "5", "--bodies", "600", *STEPS]


def bodies_after(binary, steps, bodies=BODIES):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "end.csv")
        subprocess.run([binary, "nbody", *bodies, "--steps", str(steps), "--out", file], check=True, stdout=subprocess.DEVNULL)
        return list(csv.reader(file.read_text().splitlines()))


def bodies_of(state):
    return list(csv.reader(state["nbody"]["bodies-csv"].splitlines()))
