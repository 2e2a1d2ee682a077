#!/usr/bin/env python3
"""Uses the window at random, from a seed, in unforeseen combinations: all commands of the search and the keymap, every field
and dialog, files in and out, quitting and starting. Invariants are checked between the steps (walk_sentences.py,
walk_steps.py). A walk that breaks one is shortened to the fewest steps, and printed as a test.

usage: walker.py PATH-TO-ORRERY [--layer LIBRARY] [--seed N] [--seconds S] [--steps N] [--walks N] [--keep FOLDER] [--replay FILE]
                 [--themes A,B] [--without REGEX] [--first] [--no-shorten] [--continues]
"""
import argparse
import contextlib
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from orrery_window import Orrery, Screen
from walk_sentences import Broken
from walk_steps import Person, key_name
from xdnd import Drag

LARGEST = 200_000  # largest whole number: more bodies take minutes on two cores
SIZES = [(900, 600), (900, 600), (640, 420), (1180, 760), (480, 320), (200, 150)]
WRONG = ["nan", "-5", "1e99", "x", "0,5", "200,000", "1e-400", "", "99999999999999999999"]
PATHS = ["/tm", "/usr/sh", "/usr/share/doc", "{home}/Pic", "{home}/saved/", "{home}/or", ".."]
TYPED = ["0.5", "200000", "-1.4011551890 0 1e-9", "0 1 1e-40", "x", "ä€", "a long text of many words, and more of them", "if (r > 0) {", "argon",
         "mine"]
FIELD_KEYS = {"Tab": 5, "ctrl+z": 8, "ctrl+y": 2, "ctrl+shift+z": 1, "Home": 1, "End": 1, "shift+Left": 1, "shift+Right": 1, "shift+Home": 1,
              "ctrl+a": 1, "ctrl+c": 1, "ctrl+x": 1, "ctrl+v": 2, "BackSpace": 2, "Delete": 1, "ctrl+BackSpace": 1, "Up": 1, "Down": 1,
              "Prior": 0.5, "Next": 0.5, "Return": 2, "dead_acute": 0.5, "Left": 1}
FILES = {
    "paused large.toml": f'[window]\nscene = "nbody"\n[nbody]\nbodies = {LARGEST}\nburst = 1\npaused = true\n',
    "bodies.csv": "mass,x,y,z,vx,vy,vz\n" + "".join(f"1,{i},0,0,0,0.1,0\n" for i in range(5)),
    "view.toml": 'center = ["-1.25", "0.0625"]\nspan = "0.5"\n',
    "wrong.csv": "mass,x,y,z,vx,vy,vz\n1,2,three,4,5,6,7\n",
    "wrong.toml": "[nbody\nbodies = 3\n",
}
# Each walk has one of these themes: its first steps, and the more frequent ones.
THEMES = {
    "any": {},
    "scales": {"scale": 8, "key": 2},
    "fields": {"field": 6},
    "files": {"check": 2, "open": 4, "keep": 3},
    "scenes": {"scene": 5, "end": 4, "check": 1.5},
    "large": {"check": 8, "go_on": 5, "key": 0.2, "field": 0.5, "row": 0.2, "widget": 0.2, "press": 0.2, "end": 0.3, "scene": 0.5, "keep": 0.5, "open": 0.3},
}


class Place:
    """Shared by all walks of a run."""

    def __init__(self, binary, keep, layer=None, continues=False):
        self.binary, self.keep, self.layer, self.continues = str(binary.resolve()), keep, layer, continues
        self.screen, self.side = Screen(1280, 800, repeats=False), Screen(640, 480, managed=False)
        self.patience = Orrery.patience
        self.slowness = 20  # seconds of delay on a loaded machine
        self.tools, self.inputs = keep / "tools", keep / "inputs"
        for folder in (self.tools, self.inputs):
            folder.mkdir(parents=True, exist_ok=True)
        for name, text in FILES.items():
            (self.inputs / name).write_text(text)
        for name in ("xdg-open", "no-editor"):
            (self.tools / name).write_text("#!/bin/sh\nexit 0\n")
            (self.tools / name).chmod(0o755)

    def surroundings(self, home=None):
        """The environment of a program; for a walk, its OpenCL objects are counted in the folder `home`."""
        counted = {"OPENCL_LAYERS": str(self.layer.resolve()), "ORRERY_FAULT_OBJECTS": str(home / "objects-%p.txt")} if home and self.layer else {}
        return {**os.environ, **counted, "PATH": f"{self.tools}:{os.environ['PATH']}", "VISUAL": "no-editor", "POCL_DEVICES": "pthread pthread",
                "ORRERY_PATIENCE": "30", "ORRERY_DRIVER_SECONDS": "300"}

    def close(self):
        self.screen.close()
        self.side.close()


class Wishes:
    """Chooses the next step of a walk from all that the window offers at the moment."""

    def __init__(self, dice, theme, without):
        self.dice, self.theme = dice, theme
        self.without = re.compile(without) if without else None
        self.saved = []
        weights = {"row": 12, "widget": 4, "key": 9, "scale": 1.5, "field": 3, "press": 6, "mouse": 3, "scene": 2, "resize": 1, "wait": 1.5,
                   "check": 5, "keep": 1.5, "open": 2, "undo": 1, "end": 1, "go_on": 1}
        self.weights = {name: weight * THEMES[theme].get(name, 1) for name, weight in weights.items()}

    def begin(self):
        dice, memory = self.dice, ""
        arguments = ["--size", "{}x{}".format(*dice.choice(SIZES[:3])), "--scene", dice.choice(["nbody", "particles", "mandelbrot"])]
        if self.theme == "large":
            arguments = ["--size", "640x420", "--state", "{inputs}/paused large.toml"]
        elif dice.random() < 0.4:
            arguments[3:] = ["nbody", "--bodies", str(dice.choice([3, 300, 2000]))]
        if self.theme == "scales" and dice.random() < 0.3:
            memory = f'scene = "nbody"\nscale = {dice.choice([0.7, 0.9, 1.3, 3])}\ntheme = "{dice.choice(["dark", "light"])}"\n'
        return self.left(["start", arguments, memory]) or ["start", arguments, ""]

    def left(self, step):
        return None if self.without and self.without.search(json.dumps(step)) else step

    def next(self, told):
        name = self.dice.choices(list(self.weights), list(self.weights.values()))[0]
        if told["keyboard"] and self.dice.random() < 0.7:
            steps = self.events(PATHS + TYPED)
        else:
            steps = getattr(self, name)(told)
        return [step for step in steps if self.left(step)]

    # --- values

    def number(self, row):
        dice, whole = self.dice, isinstance(row["value"], int)
        low, high = row["minimum"], min(row["maximum"], LARGEST) if whole else row["maximum"]
        if dice.random() < 0.15:
            return dice.choice(WRONG)
        if row["auto"] and dice.random() < 0.15:
            return "auto"
        if dice.random() < 0.2:
            value = dice.choice([low, high])
        elif high > 0 and (low <= 0 or high / low > 50):
            least = max(low, high * 1e-6 if not whole else 1)
            value = math.exp(dice.uniform(math.log(least), math.log(high)))
        else:
            value = dice.uniform(low, high)
        return str(round(value)) if whole else f"{value:.4g}"

    def value(self, row):
        if isinstance(row["value"], bool):
            return self.dice.choice(["on", "off"])
        if isinstance(row["value"], str):
            return self.dice.choice(row["choices"] or TYPED)
        return self.number(row)

    # --- families of steps

    def row(self, told):
        dice = self.dice
        kinds = sorted({row["kind"] for row in told["rows"]})
        often = {"Parameter": 6, "Choice": 4, "Action": 3, "Preset": 3, "World": 2, "Place": 2, "Guided tour": 1, "Device": 1, "Scene": 1, "Mouse": 0.1}
        kind = dice.choices(kinds, [often.get(kind, 1) for kind in kinds])[0]
        row = dice.choice([row for row in told["rows"] if row["kind"] == kind])
        if row["title"] == "Quit":
            return []
        if kind == "Parameter" and not isinstance(row["value"], bool):
            return [["find", f"{row['title']} {self.value(row)}"]]
        return [["find", row["title"]]]

    def widget(self, told):
        rows = [row for row in told["rows"] if row["kind"] == "Parameter" and "Parameters/" + row["title"] in told["places"]]
        if not rows:
            return []
        row = self.dice.choice(rows)
        if isinstance(row["value"], (bool, str)):
            return [["press", "Parameters/" + row["title"]]]
        return [["set", "Parameters/" + row["title"], self.value(row)]]

    def key(self, told):
        names = sorted({key_name(*key) for key in told["keys"]} - {"ctrl+q"})
        return [["key", name] for name in self.dice.choices(names, k=self.dice.choice([1, 1, 2, 3]))]

    def scale(self, _):
        name = self.dice.choice(["ctrl+minus", "ctrl+minus", "ctrl+equal", "ctrl+0"])
        return [["key", name]] * self.dice.choice([1, 2, 3, 8])

    def events(self, texts):
        """Typed texts, and the keys of a text field."""
        dice = self.dice
        steps = [["type", dice.choice(texts)]] if dice.random() < 0.8 else []
        for _ in range(dice.randrange(2, 7)):
            key = dice.choices(list(FIELD_KEYS), list(FIELD_KEYS.values()))[0]
            steps.append(["key", key] if dice.random() < 0.85 else ["type", dice.choice(texts)])
        return steps

    def field(self, _):
        key = self.dice.choice(["ctrl+o", "ctrl+o", "ctrl+shift+s", "ctrl+shift+s", "ctrl+p", "e", "l"])
        texts = PATHS * 2 + TYPED if key in ("ctrl+o", "ctrl+shift+s") else TYPED
        return [["key", key], *self.events(texts), ["key", "Escape"], ["key", "Escape"]]

    def press(self, told):
        places = sorted(told["places"])
        if not places:
            return []
        scrolled = [["scroll", self.dice.choice([-30, -12, -5, 5, 12])]] if self.dice.random() < 0.4 else []
        return scrolled + [["press", self.dice.choice(places), self.dice.choice([1, 1, 1, 1, 3]), self.dice.choice([None, None, None, "ctrl"])]]

    def mouse(self, _):
        dice = self.dice
        place = lambda: [round(dice.random(), 2), round(dice.random(), 2)]
        modifier = dice.choice([None, None, "shift", "ctrl"])
        if dice.random() < 0.5:
            return [["wheel", *place(), dice.choice([-6, -2, 1, 3, 12]), modifier]]
        return [["drag", place(), place(), dice.choice([1, 1, 3]), modifier]]

    def scene(self, told):
        if self.dice.random() < 0.5:
            return [["key", self.dice.choice(["Tab", "shift+Tab"])], ["wait", 1]]
        return [["find", self.dice.choice([row["title"] for row in told["rows"] if row["kind"] == "Scene"] or ["N-body"])], ["wait", 1]]

    def resize(self, _):
        return [["resize", *self.dice.choice(SIZES)]]

    def wait(self, _):
        return [["wait", self.dice.choice([0.3, 1, 2])]]

    def go_on(self, _):
        return [["key", "n"], ["wait", 2]]

    def check(self, told):
        dice = self.dice
        return [dice.choice([["state_opens", dice.choice(["--state", "file", "file", "ctrl+o", "ctrl+o", "drop"])], ["picture_opens"],
                             ["state_opens", dice.choice(["file", "ctrl+o"])], ["command_starts"],
                             dice.choice([["opens_again"], ["picture_opens"], ["command_starts"]]),
                             ["bookmark_opens"] if told["scene"] == "mandelbrot" else ["picture_opens"]])]

    def keep(self, _):
        if self.dice.random() < 0.5:
            return [["preset_opens", self.dice.choice(["mine", "another one"])]]
        self.saved.append(self.dice.choice(["a.toml", "b.toml", "a name with words.toml"]))
        return [["save", self.saved[-1]]]

    def open(self, _):
        inputs = ["{inputs}/" + name for name in FILES if name != "paused large.toml" and not name.startswith("wrong")]
        return [["open", self.dice.choice(self.saved * 2 + inputs), self.dice.choice(["ctrl+o", "drop"])]]

    def undo(self, _):
        return [["undo_everything"]]

    def end(self, _):
        return [self.dice.choice([["quit"], ["kill"], ["kill"]])]


@contextlib.contextmanager
def at_home(place, leaves=False):
    """A folder without a window yet; both end with the walk."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="walk-", dir=place.keep))
    person = Person(place, home)
    try:
        yield person
    finally:
        if person.window and person.window.process.poll() is None:
            person.window.process.kill()
            person.window.process.wait()
        if not leaves:
            shutil.rmtree(home, ignore_errors=True)


class Walker:
    def __init__(self, given, place):
        self.given, self.place = given, place
        self.began = time.monotonic()
        self.walks = self.steps = 0
        self.found = {}  # failures by kind

    def elapsed(self):
        return time.monotonic() - self.began

    def replay(self, steps):
        """The failure of the steps, or None."""
        with at_home(self.place, self.given.leave) as person:
            return self.broken_by(person, iter(steps))

    def broken_by(self, person, steps):
        try:
            for step in steps:
                if self.given.verbose:
                    print(f"{self.elapsed():7.1f} s  {json.dumps(step, ensure_ascii=False)}", flush=True)
                person.do(step)
        except Broken as broken:
            if person.window and person.window.process.poll() is None:
                with contextlib.suppress(subprocess.SubprocessError):  # a screenshot for debugging
                    self.place.screen.save_picture(person.window.window, self.place.keep / "last-broken.png")
            return broken
        return None

    def chosen(self, person, dice, theme, done):
        """The steps of a walk, each chosen in its turn."""
        wishes = Wishes(dice, theme, self.given.without)
        most = self.given.steps * (0.25 if theme == "large" else 1)
        coming = [wishes.begin()]
        while (len(done) < most or coming) and self.elapsed() < self.given.seconds:
            if coming:
                done.append(coming.pop(0))
                yield done[-1]
            else:
                coming = wishes.next(person.window.tell())

    def walk(self, dice, theme):
        """The steps of one walk, and its failure, if any."""
        done = []
        with at_home(self.place, self.given.leave) as person:
            broken = self.broken_by(person, self.chosen(person, dice, theme, done))
        self.steps += len(done)
        return done, broken

    def run(self):
        number = self.given.seed
        themes = []
        while self.elapsed() < self.given.seconds and (not self.given.walks or self.walks < self.given.walks):
            dice = random.Random(number)
            if not themes:
                themes = self.given.themes.split(",")
                random.Random(number).shuffle(themes)
            theme = themes.pop()
            self.walks += 1
            began = self.elapsed()
            steps, broken = self.walk(dice, theme)
            print(f"{self.elapsed():.0f} s: seed {number}, {theme}: {len(steps)} steps in {self.elapsed() - began:.0f} s"
                  + (f"; {broken.sentence}: NOT: {broken.about}" if broken else ""), flush=True)
            if broken and broken.kind() not in self.found:
                self.found[broken.kind()] = self.tell(number, steps, broken)
                if self.given.first:
                    break
            number += 1
        return not self.found

    def tell(self, seed, steps, broken):
        """Shortens a failing walk and writes it to a file."""
        found = {"seed": seed, "sentence": broken.sentence, "about": broken.about, "details": broken.details, "after_seconds": round(self.elapsed()),
                 "after_steps": self.steps, "steps": steps}
        path = self.place.keep / f"found-{len(self.found) + 1}-seed-{seed}.json"
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False))
        if not self.given.no_shorten:
            began = time.monotonic()
            found["shortened"] = shortened(steps, lambda some: self.breaks_alike(some, broken), began + self.given.shorten)
            path.write_text(json.dumps(found, indent=1, ensure_ascii=False))
        print(f"{path}\n{broken}\n\n{as_test(found)}\n", flush=True)
        return found

    def breaks_alike(self, steps, broken):
        other = self.replay(steps)
        return other is not None and other.kind() == broken.kind()


def shortened(steps, fails, end):
    """The fewest steps, after the first one, that still fail: parts are left out repeatedly. None if the walk does not fail
    again."""
    first, rest = steps[:1], steps[1:]
    if not fails(steps):
        return None
    size = max(1, len(rest) // 2)
    while rest and time.monotonic() < end:
        place, shorter = len(rest), False
        while place > 0 and time.monotonic() < end:  # from the end: the last step is needed, the steps before it matter least
            some = rest[:max(0, place - size)] + rest[place:]
            if len(some) < len(rest) and fails(first + some):
                rest, shorter = some, True
            place -= size
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    return first + rest


def as_test(found):
    name = re.sub(r"\W+", "_", found["sentence"].lower()).strip("_")
    steps = "\n".join(f"            {step}," for step in found.get("shortened") or found["steps"])
    return f"    def test_{name}(self):\n        self.walk([\n{steps}\n        ])"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--layer", type=pathlib.Path, help="the library that counts OpenCL objects (tests/fault/layer.cpp)")
    parser.add_argument("--seed", type=int, default=1, help="of the first walk; each further one has the next")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--steps", type=int, default=50, help="of a walk")
    parser.add_argument("--walks", type=int, default=0, help="at the most; 0: as many as there is time for")
    parser.add_argument("--keep", type=pathlib.Path, help="where what was found is written")
    parser.add_argument("--replay", type=pathlib.Path, help="a file of --keep, or a list of steps as JSON")
    parser.add_argument("--themes", default=",".join(THEMES), help="of the walks, each in its turn: " + ", ".join(THEMES))
    parser.add_argument("--without", help="leave out steps in whose JSON this expression is found")
    parser.add_argument("--first", action="store_true", help="end with the first failure")
    parser.add_argument("--no-shorten", action="store_true")
    parser.add_argument("--shorten", type=float, default=600, help="seconds that one failure may be shortened for")
    parser.add_argument("--patience", type=float, default=60, help="seconds for what takes a moment on an idle machine")
    parser.add_argument("--continues", action="store_true", help="a start goes on where the last run has ended")
    parser.add_argument("--leave", action="store_true", help="leave the folders of the walks")
    parser.add_argument("--verbose", action="store_true", help="print each step")
    return parser.parse_args()


def main():
    given = arguments()
    Drag.patience = Orrery.patience = given.patience
    if "ASAN_OPTIONS" in os.environ:  # OpenGL drivers leak and are unloaded at the end
        os.environ["ASAN_OPTIONS"] += ":detect_leaks=0"
    with tempfile.TemporaryDirectory(prefix="orrery-walks-", ignore_cleanup_errors=True) as folder:
        place = Place(given.binary, (given.keep or pathlib.Path(folder)).resolve(), given.layer, given.continues)
        walker = Walker(given, place)
        try:
            if given.replay:
                steps = json.loads(given.replay.read_text())
                steps = steps if isinstance(steps, list) else steps.get("shortened") or steps["steps"]
                broken = walker.replay(steps)
                if broken:
                    walker.tell(given.seed, steps, broken)
                else:
                    print("holds")
                return 1 if broken else 0
            good = walker.run()
            print(f"{walker.walks} walks of {walker.steps} steps in {walker.elapsed():.0f} s; {len(walker.found)} sentences broken")
            return 0 if good else 1
        finally:
            place.close()


if __name__ == "__main__":
    sys.exit(main())
