"""The steps of a walk (walker.py): each is a list of a name and plain values, and is possible at any moment of any walk. A
step whose target is missing, for example because earlier steps were left out, does nothing."""
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time

import xdnd
from orrery_window import Orrery, wait_for
from walk_sentences import ERROR, MOVING, NUMBERS_ENDED, SCENES, Broken, Files, Fresh, differences, flies, is_whole, read_state, require_same

SPECIAL_KEYS = ["Escape", "Tab", "shift+Tab", "BackSpace", "Delete", "Home", "End", "Prior", "Next", "Left", "Right", "Up", "Down", "F1", "F2",
                "F6", "F9", "F11", "F12"]  # from 256, as protocol/key_binding.hpp numbers them
LAST_WORDS = re.compile(r"Assertion|Sanitizer|runtime error|out of memory")
SIGNS = {" ": "space", "=": "equal", "-": "minus", "[": "bracketleft", "]": "bracketright", ".": "period", ",": "comma", "<": "less",
         ">": "greater"}
TOLD = ("faults", "failures", "notices")
MAY_REMOVE = re.compile(r"Remove|Discard|Replace|Delete|Restore|Revert|Original")


def key_name(code, control, alt, shift):
    """xdotool's name of a key of the window's keymap."""
    name = SPECIAL_KEYS[code - 256] if code >= 256 else SIGNS.get(chr(code), chr(code).lower())
    return "ctrl+" * control + "alt+" * alt + "shift+" * shift + name


def ended_with(code, said):
    lines = said.strip().splitlines() or [""]
    return Broken("the program lives", f"it ended with {code}: " + next(filter(LAST_WORDS.search, lines), lines[-1]), said[-3000:])


class Window(Orrery):
    """The program in the folder of a walk, used without pauses: each input is answered before the next one."""

    def tell(self):
        try:
            return self.controls()
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    def until(self, question, what, seconds=None):
        return wait_for(question, what, seconds or self.patience, self.alive, 0.02)

    def is_told(self, before, meanwhile=None):
        """A message since `before`; messages that begin with `meanwhile` do not count."""
        told = self.controls()
        first = {kind: max([number for number, _ in before[kind]], default=0) for kind in TOLD}
        return any(number > first[kind] and not (meanwhile and text.startswith(meanwhile)) for kind in TOLD for number, text in told[kind])

    def answered(self):
        """Waits until the window has seen all input so far; the pointer's move comes last."""
        x, y = self.pointer
        try:
            if self.reaches((x ^ 1, y), 3) or self.reaches((20, 20), self.patience) or self.reaches((21, 20), self.patience):
                return
        except subprocess.CalledProcessError:
            return self.ended()
        told = {name: told for name, told in self.tell().items() if name not in ("rows", "keys", "places")}
        raise Broken("the window draws", "no frame answers the pointer", json.dumps(told))

    def reaches(self, place, seconds):
        """False if the window does not see the pointer, for example because it has become smaller."""
        self.point(*place)
        try:
            return self.until(lambda: self.controls()["pointer"] == list(place), "a frame", seconds)
        except AssertionError:
            self.alive()
            return False

    def ended(self):
        """xdotool found no window: it has closed or is closing."""
        wait_for(lambda: self.process.poll() is not None, "the end of a program without a window", 30)
        self.alive()

    def press_key(self, name):
        """Holds the key until the window has seen it down."""
        try:
            self.screen.xdotool("keydown", name)
            try:
                self.answered()
            finally:
                self.screen.xdotool("keyup", name)
        except subprocess.CalledProcessError:
            self.ended()
        self.answered()

    def write(self, text):
        self.screen.xdotool("type", "--delay", 8, "--", text)
        self.answered()

    def click_at(self, x, y, button=1, modifier=None):
        self.point(round(x), round(y))
        self.answered()
        if modifier:
            self.screen.xdotool("keydown", modifier)
        self.screen.xdotool("mousedown", button)
        self.answered()
        self.screen.xdotool("mouseup", button)
        if modifier:
            self.screen.xdotool("keyup", modifier)
        self.answered()


class Person:
    """One walk. `do(step)` raises Broken if an invariant does not hold."""

    def __init__(self, place, home):
        self.place, self.home = place, home
        self.files, self.fresh = Files(home), Fresh(place)
        self.window, self.size = None, (900, 600)
        self.heard = dict.fromkeys(TOLD, 0)
        self.provoked = False  # the last action may be refused
        self.wrote_code = False  # edited kernels or laws may be wrong
        self.asked = set()  # files that the last step may replace
        self.may_remove = False
        self.saved = 0
        self.first = {}  # the first values of each scene's parameters in this process
        self.opened = set()  # scenes with opened files, whose history is not complete
        (home / "saved").mkdir(parents=True, exist_ok=True)

    # --- steps and invariants

    def do(self, step):
        name, *values = step
        self.provoked, self.asked, self.may_remove = False, set(), False
        try:
            getattr(self, "do_" + name)(*values)
            self.hold()
        except Broken:
            raise
        except AssertionError as error:
            self.ended()
            told = {name: told for name, told in self.window.tell().items() if name not in ("rows", "keys")}
            raise Broken("the window answers", re.sub(r"^waited \d+ s in vain for ", "", str(error)), f"{error}; it tells {json.dumps(told)}") from None
        except subprocess.SubprocessError as error:
            self.ended()
            raise

    def ended(self):
        process = self.window.process
        if process.poll() is not None:
            raise ended_with(process.returncode, self.window.said()) from None

    def hold(self):
        """Checks all invariants between two steps."""
        if self.window.process.poll() is not None:
            self.ended()
        self.window.answered()
        told = self.window.tell()
        self.listen(told)
        self.remember(told)
        self.files.follow(lambda path: path in self.asked or self.may_remove)
        self.files.check_sessions()

    def listen(self, told):
        for kind in TOLD:
            new = [text for number, text in told[kind] if number > self.heard[kind]]
            self.heard[kind] = max([number for number, _ in told[kind]], default=0)
            for text in new:
                if kind == "faults" and not NUMBERS_ENDED.search(text) and not self.wrote_code:
                    raise Broken("nothing goes wrong by itself", text, text)
                if kind != "faults" and (kind == "failures" or ERROR.search(text)) and not (self.provoked or self.wrote_code):
                    raise Broken("nothing is refused that was right", text, text)

    def remember(self, told):
        """Notes a scene's first values, once it is prepared and before the first step in it."""
        if told["scene"] not in self.first:
            self.window.until(lambda: self.window.controls()["preparing"] == "", "a scene that is shown first")
            told = self.window.tell()
            self.first.setdefault(told["scene"], self.parameters(told))

    @staticmethod
    def parameters(told):
        return {row["name"]: row["value"] for row in told["rows"] if row["kind"] == "Parameter" and not row["view"]}

    # --- single steps

    def do_start(self, arguments, memory=""):
        """`memory`: the contents of window.toml from an earlier run."""
        if memory:
            remembered = self.home / "orrery" / "window.toml"
            remembered.parent.mkdir(exist_ok=True)
            remembered.write_text(memory)
        self.start(*[self.filled(word) for word in arguments])

    def start(self, *arguments):
        if "--size" in arguments:
            self.size = tuple(map(int, arguments[arguments.index("--size") + 1].split("x")))
        else:
            arguments += ("--size", "{}x{}".format(*self.size))
        self.heard, self.first, self.opened, self.wrote_code = dict.fromkeys(TOLD, 0), {}, set(), False
        try:
            self.window = Window(self.place.screen, self.place.binary, *arguments, environment=self.place.surroundings(self.home), home=self.home)
        except AssertionError as error:
            code = re.search(r"ended with (-?\d+)", str(error))
            raise (ended_with(code[1], str(error)) if code else Broken("the window opens", "it does not", str(error))) from None
        self.window.pointer = self.inside()
        self.window.answered()

    def inside(self):
        return min(500, self.size[0] - 5), min(300, self.size[1] - 5)

    def filled(self, text):
        return str(text).replace("{home}", str(self.home)).replace("{inputs}", str(self.place.inputs))

    def do_key(self, name):
        if name == "ctrl+q":
            return self.do_quit()
        keyboard = self.window.tell()["keyboard"]
        self.asked |= self.document()
        self.may_remove = name == "Return"  # Return may confirm the replacement of a file
        self.provoked = name in ("Return", "ctrl+v") or keyboard  # the typed text may be invalid
        self.window.press_key(name)

    def document(self):
        """Ctrl+S replaces the file without a question."""
        document = self.window.tell()["document"]
        return {pathlib.Path(document)} if document else set()

    def do_type(self, text):
        self.window.write(self.filled(text))

    def do_find(self, text):
        self.clear()
        self.window.press_key("ctrl+p")
        self.window.until(lambda: "Find/Search" in self.window.controls()["places"], "the search")
        self.window.write(text)
        self.asked |= self.document()
        self.window.press_key("Return")
        self.provoked = True
        if "Find/Search" in self.window.tell()["places"]:
            self.window.press_key("Escape")

    def do_press(self, control, button=1, modifier=None):
        place = self.window.tell()["places"].get(control)
        if place is None:
            return
        self.may_remove = bool(MAY_REMOVE.search(control))
        self.asked |= self.document()
        x, y, width, height = place
        self.window.click_at(x + width / 2, y + height / 2, button, modifier)

    def do_set(self, control, text):
        """Types into a row's slider."""
        self.clear()
        if control not in self.window.tell()["places"]:
            return
        self.do_press(control, modifier="ctrl")
        if not self.window.tell()["keyboard"]:
            return
        self.window.press_key("ctrl+a")
        self.window.write(text)
        self.window.press_key("Return")
        self.window.press_key("Escape")  # if the value is refused

    def in_picture(self, across, down):
        edge = self.window.tell()["places"].get("Edge of the column", [0, 0, 0, 0])[0]
        return round(edge + 8 + across * max(1, self.size[0] - edge - 16)), round(8 + down * max(1, self.size[1] - 16))

    def do_wheel(self, across, down, notches, modifier=None):
        self.window.point(*self.in_picture(across, down))
        self.window.answered()
        words = ["click", "--repeat", abs(notches), "--delay", 10, 4 if notches > 0 else 5]
        self.window.screen.xdotool(*(["keydown", modifier] if modifier else []), *words, *(["keyup", modifier] if modifier else []))

    def do_scroll(self, notches):
        """Scrolls the column."""
        self.window.point(min(120, self.size[0] // 4), self.size[1] // 2)
        self.window.answered()
        self.window.screen.xdotool("click", "--repeat", abs(notches), "--delay", 5, 4 if notches > 0 else 5)

    def do_drag(self, start, end, button=1, modifier=None):
        self.window.point(*self.in_picture(*start))
        self.window.answered()
        words = ["keydown", modifier] if modifier else []
        self.window.screen.xdotool(*words, "mousedown", button)
        for part in (0.5, 1):
            self.window.point(*self.in_picture(*(a + part * (b - a) for a, b in zip(start, end))))
            self.window.answered()
        self.window.screen.xdotool("mouseup", button, *(["keyup", modifier] if modifier else []))

    def do_resize(self, width, height):
        self.size = (width, height)
        self.window.pointer = self.inside()
        self.window.resize(width, height)

    def do_wait(self, seconds):
        time.sleep(seconds)

    # --- files

    def clear(self):
        """Closes dialogs and fields until keys go to the picture."""
        for _ in range(8):
            told = self.window.tell()
            if not (told["keyboard"] or told["led"] or {"Find/Search", "Files/Name"} & told["places"].keys()):
                return
            self.window.press_key("Escape")
        raise Broken("Escape closes what is open", "something stays open", str([name for name in told["places"]]))

    def come_to_rest(self):
        """Pauses, and waits until the picture rests and all is prepared: then the display and the saved state agree."""
        self.clear()

        def rests():
            told = self.window.controls()
            if told["preparing"]:
                return False
            if told["scene"] == "mandelbrot":
                self.window.press_key("End")
                return not flies(self.window.controls())
            if "Camera path/Stop" in told["places"]:
                self.window.press_key("shift+k")
                return False
            if any(row.get("name") == "camera-orbit" and row["value"] != 0 for row in told["rows"]):
                self.window.press_key("m")
                return False
            if "paused" not in told["idle"]:
                self.window.press_key("space")
                return False
            return True

        self.window.until(rests, "rest")

    def dialog(self, key, name):
        self.window.press_key(key)
        self.window.until(lambda: "Files/Name" in self.window.controls()["places"] and self.window.controls()["keyboard"], "the file dialog")
        self.window.press_key("ctrl+a")
        self.window.write(str(name))

    def save(self, name):
        path = self.home / "saved" / name
        self.asked.add(path)
        before = path.stat().st_mtime_ns if path.exists() else 0
        self.dialog("ctrl+shift+s", path)
        self.window.press_key("Return")
        if before:
            self.window.press_key("Return")  # confirms the replacement
        self.window.until(lambda: path.exists() and path.stat().st_mtime_ns > before and is_whole(path), "a saved state")
        self.window.until(lambda: "Files/Name" not in self.window.controls()["places"], "the end of the file dialog")
        return path

    def save_aside(self):
        self.saved += 1
        return self.save(f"check-{self.saved}.toml")

    def saved_at_rest(self):
        """Saves until two states agree: then the device has delivered the moment."""
        self.come_to_rest()
        before = self.save_aside()
        for _ in range(20):
            after = self.save_aside()
            one, other = read_state(before), read_state(after)
            before.unlink()
            self.files.kept.pop(before, None)
            if not any(differences(one.get(scene, {}), other.get(scene, {})) for scene in SCENES):
                return after, other
            before = after
            time.sleep(0.3)
        raise Broken("what is paused rests", "two states differ", "\n".join(differences(one.get(s, {}), other.get(s, {}))[0] for s in SCENES
                                                                         if differences(one.get(s, {}), other.get(s, {}))))

    def do_save(self, name):
        self.clear()
        self.save(name)

    def open_file(self, path, how):
        if path.name in self.window.tell().get("notice", ""):  # dismisses the present notice about it
            with contextlib.suppress(AssertionError):  # with hidden panels a notice stays
                self.window.until(lambda: path.name not in self.window.controls()["notice"], "the end of a notice", 10)
        before = self.window.tell()
        if how == "drop":
            xdnd.drop(self.place.screen.display, self.window.window, [path])
        else:
            self.dialog("ctrl+o", path)
            self.window.press_key("Return")

        self.window.until(lambda: self.window.is_told(before, "Reading "), "what comes of opening a file")
        self.window.until(lambda: self.window.controls()["preparing"] == "", "the opened file")
        self.opened |= set(SCENES)

    def do_open(self, name, how="ctrl+o"):
        """Opens a file that was saved in this walk or made by the walker."""
        self.clear()
        path = pathlib.Path(self.filled(name))
        path = path if path.is_absolute() else self.home / "saved" / path
        if path.exists():
            self.open_file(path, how)

    def do_state_opens(self, how):
        path, state = self.saved_at_rest()
        if how == "--state":
            end = self.fresh.end(["--state", path])
        elif how == "file":
            end = self.fresh.end([path], opens=True)
        else:
            self.open_file(path, how)
            end = self.saved_at_rest()[1]
        require_same(f"a saved state opens as it was saved ({how})", state, end, SCENES)

    def held(self):
        """The process's OpenCL objects, without events, which vary, and open files."""
        process = self.window.process.pid
        held = {"files": len(os.listdir(f"/proc/{process}/fd"))}
        objects = self.home / f"objects-{process}.txt"
        if objects.exists():
            held.update((name, int(number)) for name, number in map(str.split, objects.read_text().splitlines()) if name != "events")
        return held

    def do_opens_again(self):
        """Opening one file several times needs no more objects than opening it twice."""
        path, _ = self.saved_at_rest()
        other = path.with_name("the same as " + path.name)  # so that its message differs
        shutil.copy(path, other)
        for number in range(4):
            self.open_file((path, other)[number % 2], "ctrl+o")
            self.come_to_rest()
            if number == 1:
                before = self.steady()
        try:
            self.window.until(lambda: not self.grown(before, self.held()), "as many objects as before", 40)
        except AssertionError:
            self.window.alive()
            grown = self.grown(before, self.held())
            raise Broken("what is held at rest does not grow", ", ".join(grown), str(grown)) from None

    def steady(self):
        """The maximum of each number over a while, in which kernels may still be built."""
        most = self.held()
        for _ in range(20):
            time.sleep(0.1)
            most = {name: max(most.get(name, 0), number) for name, number in self.held().items()}
        return most

    @staticmethod
    def grown(before, after):
        return {name: (before.get(name, 0), number) for name, number in after.items() if number > before.get(name, 0)}

    def do_picture_opens(self):
        _, state = self.saved_at_rest()
        pictures = self.home / "Pictures" / "Orrery"
        before = set(pictures.glob("*.png"))
        self.window.press_key("F12")
        made = self.window.until(lambda: [path for path in set(pictures.glob("*.png")) - before if path.stat().st_size and is_whole(path)],
                                 "a saved picture")[0]
        self.window.until(lambda: any(made.name in text for _, text in self.window.controls()["notices"]), "word of the picture")
        word = [text for _, text in self.window.tell()["notices"] if made.name in text][-1]
        end = self.fresh.end([made], opens=True)
        scene = self.window.tell()["scene"]
        left_out = MOVING if word != f"Saved {made}" else frozenset()  # the window lists the values missing in a picture
        if differences(state[scene], end[scene], left_out):  # the state may be of a later moment that the device delivered meanwhile
            state = self.saved_at_rest()[1]
        require_same("a saved picture opens as it was saved", state, end, [scene], left_out)

    def do_preset_opens(self, name):
        self.come_to_rest()
        scene = self.window.tell()["scene"]
        if not {"Gallery/Save as"} <= self.window.tell()["places"].keys():
            return
        _, state = self.saved_at_rest()
        path = self.home / "orrery" / "presets" / scene / f"{name}.png"
        self.asked.add(path)
        self.do_press("Gallery/Save as")
        self.window.press_key("ctrl+a")
        self.window.write(name)
        before = path.stat().st_mtime_ns if path.exists() else 0
        if "Gallery/Save" not in self.window.tell()["places"]:
            return self.clear()
        self.do_press("Gallery/Save")
        self.window.until(lambda: path.exists() and path.stat().st_mtime_ns > before and is_whole(path), "a kept preset")
        end = self.fresh.end([path], opens=True)
        require_same("a kept preset opens as it was kept", state, end, [scene])

    def do_bookmark_opens(self):
        if self.window.tell()["scene"] != "mandelbrot":
            return
        _, state = self.saved_at_rest()
        places = self.home / "orrery" / "places"
        before = set(places.glob("*.png"))
        self.window.press_key("b")
        path = self.window.until(lambda: [path for path in set(places.glob("*.png")) - before if is_whole(path)], "a bookmark")[0]
        end = self.fresh.end([path], opens=True)
        # Other values do not belong to a place: its display and its computation.
        require_same("a bookmark opens as it was kept", state, end, ["mandelbrot"],
                     {"julia", "fly-speed", "work-group", "variant", "camera-path", "camera-constant-speed"})

    def do_command_starts(self):
        _, state = self.saved_at_rest()
        scene = self.window.tell()["scene"]
        before = self.window.tell()
        self.window.press_key("ctrl+shift+c")
        self.window.until(lambda: self.window.is_told(before), "word of the copied command")
        copied = wait_for(lambda: xdnd.clipboard(self.place.screen.display), "the clipboard", self.place.patience)
        end = self.fresh.end(shlex.split(copied)[1:])
        # Values that are not saved: the camera's first place, which depends on the window, or the followed body's.
        camera = {key for key in state[scene] if key.startswith("camera-") and f"--{key}" not in copied}
        require_same("a copied command line starts what was shown", state, end, [scene], MOVING | {"paused"} | camera)

    # --- undo, redo

    def step_to_the_end(self, key, which):
        for _ in range(250):
            told = self.window.tell()
            if not told[which]:
                return
            self.window.press_key(key)
            self.window.until(lambda: self.window.controls()["preparing"] == "", "what was undone")
        raise Broken("undo and redo come to an end", which)

    def do_undo_everything(self):
        self.come_to_rest()
        scene = self.window.tell()["scene"]
        if scene in self.opened:  # the history may include steps of another scene
            return
        end = self.parameters(self.window.tell())
        self.step_to_the_end("ctrl+z", "undo")
        if self.window.tell()["scene"] != scene:
            return
        self.window.until(lambda: self.window.controls()["preparing"] == "", "the beginning")
        self.require_parameters("undo of everything leads to the beginning", scene, self.first[scene])
        self.step_to_the_end("ctrl+shift+z", "redo")
        self.require_parameters("redo of everything leads to the end", scene, end)

    def require_parameters(self, sentence, scene, wanted):
        try:
            self.window.until(lambda: self.parameters(self.window.controls()) == wanted, "the same parameters", 5)
        except AssertionError:
            self.window.alive()
            require_same(sentence, {scene: wanted}, {scene: self.parameters(self.window.tell())}, [scene])

    # --- quitting and starting

    def do_quit(self):
        self.window.screen.xdotool("key", "ctrl+q")
        try:
            self.window.process.wait(self.place.patience)
        except subprocess.TimeoutExpired:
            raise Broken("the window closes on Ctrl+Q", "it does not", self.window.said()[-2000:]) from None
        if self.window.process.returncode != 0:
            self.ended()
        left = read_state(self.window.state_file)
        self.start()
        if not self.place.continues:
            return
        self.come_to_rest()
        require_same("quitting and starting again loses nothing", left, self.saved_at_rest()[1], SCENES, MOVING | {"paused"})

    def session_after(self, began):
        path = self.home / "orrery" / "sessions" / f"{self.window.process.pid}.toml"
        return path if path.exists() and path.stat().st_mtime > began else None

    def do_kill(self):
        """Kills the program, as by a power failure; then restores the session."""
        self.clear()
        began = time.time()
        try:
            session = self.window.until(lambda: self.session_after(began), "the next session", 10 + self.place.slowness)
        except AssertionError:
            self.window.alive()
            raise Broken("at most ten seconds are lost", "no session is kept", str(self.files.sessions())) from None
        kept = self.home / "kept.toml"
        self.window.process.kill()
        self.window.process.wait()
        shutil.copy(session, kept)
        state = read_state(kept)
        self.start()
        if not self.window.tell()["left"]:
            raise Broken("a killed session is offered", "it is not", f"left {session}, there: {list(map(str, session.parent.iterdir()))}; "
                         f"process {self.window.process.pid}; {self.window.said()}")
        self.window.until(lambda: "Restore" in self.window.controls()["places"], "the offer to restore")
        before = self.window.tell()
        self.may_remove = True
        self.do_press("Restore")
        self.opened |= set(SCENES)
        self.window.until(lambda: self.window.is_told(before, "Restoring"), "the restored session")
        self.window.until(lambda: self.window.controls()["preparing"] == "", "the restored session")
        self.window.answered()
        self.listen(self.window.tell())
        end = self.saved_at_rest()[1]
        require_same("a killed session is restored", state, end, SCENES, MOVING | {"paused"})
        if state[state["window"]["scene"]].get("paused"):
            require_same("a killed session is restored", state, end, SCENES, {"paused"})
        before, now = (state_[state["window"]["scene"]].get("step", 0) for state_ in (state, end))
        if now < before:
            raise Broken("a killed session is restored", "it begins before its last step", f"step {before}, then {now}")
