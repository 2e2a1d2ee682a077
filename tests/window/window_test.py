#!/usr/bin/env python3
"""Use of the window by xdotool, and its expected results.

usage: window_test.py PATH-TO-ORRERY [unittest arguments]
"""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from decimal import Decimal, getcontext

import xdnd
from orrery_window import KERNELS, Screen, WindowCase, tomllib

getcontext().prec = 400
BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SOURCE = pathlib.Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 960, 600  # if OpenGL draws on the CPU, the cost of a test grows with its pixels


def headless(*arguments):
    subprocess.run([BINARY, *map(str, arguments)], check=True, timeout=120, stdout=subprocess.DEVNULL)


class WindowTest(WindowCase):
    def open(self, *arguments, **how):
        return self.start(BINARY, "--size", f"{WIDTH}x{HEIGHT}", *arguments, **how)

    @staticmethod
    def shows_panels(orrery):
        """Whether the left edge of the window has few colours."""
        width, height, pixels = orrery.picture()
        return len({pixels[i:i + 3] for i in range(0, 3 * width * height, 3 * width)}) < 5

    def colours(self, orrery):
        """The number of colours in the picture beside the panels."""
        width, height, pixels = orrery.picture()
        offsets = (3 * (y * width + x) for y in range(0, height, 5) for x in range(400, width, 5))
        return len({pixels[i : i + 3] for i in offsets})


class Frames(WindowTest):
    def test_every_scene_draws_and_keeps_drawing_and_shows_its_statistics(self):
        for scene, rate in (("nbody", "steps_per_second"), ("particles", "steps_per_second"),
                            ("mandelbrot", "iterations_per_second")):
            orrery = self.open("--scene", scene)
            self.assertEqual(orrery.picture()[:2], (WIDTH, HEIGHT))
            orrery.wait_for(lambda: self.colours(orrery) > 100)
            orrery.wait_for_launches(20)  # the first picture may precede the first computation
            time.sleep(1)  # shares are measured meanwhile
            _, stats = orrery.quit()
            self.assertGreater(stats["frames"], 5)
            self.assertGreater(sum(k["launches"] for k in stats["kernels"]), 0)
            self.assertIn(stats["interop"], ("shared", "copied"))
            self.assertTrue(stats["interop_reason"])
            self.assertGreater(stats[scene][rate], 0, scene)
            self.assertGreater(stats["device_busy"], 0, scene)
            busy = min(1, sum(kernel["busy"] for kernel in stats["kernels"]))
            self.assertAlmostEqual(stats["device_busy"], busy, delta=1e-9)
            self.assertIn("opengl_busy", stats)

    def test_tab_changes_the_scene_and_state_remembers_it(self):
        for key, scene in (("Tab", "mandelbrot"), ("shift+Tab", "particles")):  # the next scene, the previous scene
            orrery = self.open("--scene", "nbody", "--bodies", "300")
            orrery.key(key)
            orrery.wait_for(lambda: orrery.controls()["scene"] == scene)
            state, _ = orrery.quit()
            self.assertEqual(state["window"]["scene"], scene)

    def test_a_tour_shows_its_steps_points_and_restores_the_previous_view(self):
        orrery = self.open("--scene", "nbody", "--initial", "figure-eight", "--sprite-size", "12", "--tour", "energy")
        orrery.press("Tour/Next")
        orrery.key("Next")
        orrery.find("Tour/Back")
        orrery.wait_for(lambda: "Conservation" in orrery.controls()["places"])  # the column has scrolled to it
        orrery.key("Escape")
        orrery.press("Tour/Restore my scene")
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["initial"], "figure-eight")
        self.assertEqual(state["nbody"]["integrator"], "leapfrog")
        self.assertEqual(state["nbody"]["sprite-size"], 12)

    def test_a_jump_keeps_the_old_picture_until_the_new_one_shows_more(self):
        """No step of a tour, forward or back, and no undo shows or saves a flat intermediate picture."""
        point = ('center-re = "-0.101096363845622161025785445738622565463805442826253483876931177660780840740470584"\n'
                 'center-im = "0.956286510809141500771096057729977435809833336510529170034314321500524659065716732526"\n')
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        tour = folder / "deep.toml"
        tour.write_text('title = "Deep"\n[[step]]\ncaption = "A"\nscene = "mandelbrot"\n[step.mandelbrot]\n' + point
                        + 'span = "0.05"\ncolor-scale = "histogram"\n'
                        + '[[step]]\ncaption = "B"\n[step.mandelbrot]\nspan = "1e-14"\n'
                        + '[[step]]\ncaption = "C"\n[step.mandelbrot]\nspan = "1e-60"\n')
        orrery = self.open("--scene", "mandelbrot", "--tour", tour)

        def seen():  # the part above the card
            width, _, pixels = orrery.picture()
            return len({pixels[3 * (y * width + x):][:3] for y in range(40, HEIGHT - 280, 40) for x in range(400, width, 4)})

        orrery.wait_for(lambda: seen() > 100)
        orrery.settle()
        for keys in (("Next",), ("Next", "shift+F12"), ("Prior",), ("ctrl+z",)):
            before = orrery.picture()
            orrery.send_keys(*keys)
            rest = 0
            while rest < 4:  # consecutive looks at a complete picture
                self.assertGreater(seen(), 50, keys)
                rest = rest + 1 if orrery.controls()["preparing"] == "" else 0
            if "shift+F12" in keys:
                saved = orrery.wait_for(lambda: list(orrery.pictures.glob("*.png")))[0]
                shown = subprocess.run(["convert", saved, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
                width, height, pixels = before
                self.assertEqual(len(shown), 3 * width * height)
                rows = [slice(3 * (y * width + 400), 3 * (y + 1) * width) for y in range(40, HEIGHT - 280, 10)]
                self.assertGreater(sum(shown[row] != pixels[row] for row in rows), len(rows) / 2)

    def test_a_tour_begins_from_the_defaults(self):
        orrery = self.open("--scene", "nbody", "--sprite-size", "12", "--trails", "on", "--tour", "burst")
        orrery.find("Tour/Next")
        state, _ = orrery.quit()
        self.assertEqual((state["nbody"]["sprite-size"], state["nbody"]["trails"]), (9, "auto"))

    def test_the_window_comes_back_as_it_was_left(self):
        orrery = self.open("--scene", "nbody")
        orrery.press("Parameters")  # folds it
        orrery.wait_for(lambda: "Parameters/Time step" not in orrery.controls()["places"])
        x, y = orrery.find("Edge of the column")
        orrery.drag((x, y), (x + 60, y))
        orrery.key("ctrl+equal", "Tab")  # in a clicked column
        orrery.resize(1100, 650)
        orrery.wait_for(lambda: orrery.picture()[:2] == (1100, 650))
        orrery.wait_for(lambda: "View" in orrery.controls()["places"])
        edge = orrery.controls()["places"]["Edge of the column"][0]
        self.assertGreater(edge, 340 + 40)
        orrery.quit()
        remembered = {"XDG_STATE_HOME": str(orrery.folder)}
        again = self.start(BINARY, environment=remembered)
        again.wait_for(lambda: "View" in again.controls()["places"])
        self.assertEqual(again.picture()[:2], (1100, 650))
        self.assertEqual(again.controls()["places"]["Edge of the column"][0], edge)
        again.key("shift+Tab")
        again.wait_for(lambda: "Parameters" in again.controls()["places"] and "View" not in again.controls()["places"])
        self.assertNotIn("Parameters/Time step", again.controls()["places"])
        again.quit()
        # A given size has priority, and a run that ends by itself uses the defaults.
        given = self.open(environment=remembered)
        self.assertEqual(given.picture()[:2], (WIDTH, HEIGHT))
        given.quit()
        picture = orrery.folder / "picture.png"
        subprocess.run([BINARY, "--seconds", "1", "--screenshot", picture], env={**self.screen.environment, **remembered},
                       check=True, timeout=120, stderr=subprocess.DEVNULL)
        self.assertEqual(picture.read_bytes()[16:24], (1280).to_bytes(4, "big") + (720).to_bytes(4, "big"))

    def test_the_search_sets_a_value_and_remembers_used_entries(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        memory = pathlib.Path(home.name, "orrery", "window.toml")
        orrery = self.open("--scene", "nbody", "--bodies", "300", environment={"XDG_STATE_HOME": home.name})
        self.assertFalse(memory.exists())
        orrery.key("ctrl+p")
        orrery.wait_for(memory.exists)  # the hint of the first start is permanently dismissed
        orrery.wait_for(lambda: "Find/Search" in orrery.controls()["places"])
        self.screen.xdotool("type", "--delay", "60", "soft 1e31")
        orrery.wait_for(lambda: list(orrery.controls()["places"]).count("Find/Softening"))
        orrery.key("Return")  # refused
        orrery.key(*["BackSpace"] * len("1e31"))
        self.screen.xdotool("type", "--delay", "60", "0.25")
        orrery.key("Return")
        orrery.wait_for(lambda: "Find/Search" not in orrery.controls()["places"])
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["softening"], 0.25)
        self.assertIn("Parameter: Softening", memory.read_text())

    def test_f2_hides_the_panels_and_f12_saves_a_screenshot(self):
        tools = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        opener = tools / "xdg-open"  # stand-in for the desktop's program, which shows a folder
        opener.write_text(f'#!/bin/sh\nprintf %s "$1" >"{tools}/opened"\n')
        opener.chmod(0o755)
        orrery = self.open("--scene", "mandelbrot", environment={"PATH": f"{tools}:{os.environ['PATH']}"})
        orrery.wait_for_a_picture()
        self.assertTrue(self.shows_panels(orrery))
        orrery.key("F2")
        orrery.wait_for(lambda: not self.shows_panels(orrery))
        orrery.key("F12")
        orrery.wait_for(lambda: list(orrery.pictures.glob("orrery-*.png")))
        orrery.key("F2", "shift+F12")
        orrery.wait_for(lambda: len(list(orrery.pictures.glob("orrery-*.png"))) == 2)
        orrery.key("F12")
        def widths():  # waits for the file
            heads = [file.read_bytes()[16:20] for file in orrery.pictures.glob("orrery-*.png")]
            return len(heads) == 3 and all(heads) and sorted(struct.unpack(">I", head)[0] for head in heads)
        self.assertEqual(orrery.wait_for(widths), [WIDTH - 340, WIDTH, WIDTH], "one of each is the picture alone, which is all of the window without panels")
        orrery.press("Show")
        orrery.wait_for((tools / "opened").exists)
        orrery.wait_for(lambda: (tools / "opened").read_text() == str(orrery.pictures))
        orrery.quit()

    def test_a_plot_grows_on_a_click_and_is_saved_as_a_table_and_as_a_picture(self):
        orrery = self.open("--scene", "nbody", "--bodies", "300")
        shown = orrery.shows
        if not shown("Conservation/Energy"):
            orrery.press("Conservation")
        orrery.press("Conservation/Energy")
        orrery.press("Plot/Save CSV")
        text = orrery.wait_for(lambda: "".join(path.read_text() for path in orrery.folder.glob("**/orrery-energy-*.csv")))
        lines = text.splitlines()
        self.assertEqual(lines[0], "Time (G = 1),Kinetic (G = 1),Potential (G = 1),Total (G = 1)")
        kinetic, potential, total = map(float, lines[1].split(",")[1:])
        self.assertAlmostEqual(kinetic + potential, total, delta=1e-12 * abs(potential))
        orrery.press("Plot/Save PNG")
        orrery.wait_for(lambda: list(orrery.folder.glob("**/orrery-energy-*.png")))
        orrery.key("Escape", "i")
        orrery.wait_for(lambda: not shown("Plot/Close"))
        orrery.quit()
        self.assertIn("legend = true", next(orrery.folder.glob("**/window.toml")).read_text())

    def cold(self, *arguments):
        """The statistics of a start with only the driver's cache, until kernels are built and a picture is shown."""
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        caches = {"XDG_CACHE_HOME": f"{folder.name}/orrery", "POCL_CACHE_DIR": KERNELS}
        stats = pathlib.Path(folder.name, "stats.json")
        subprocess.run([BINARY, "--size", f"{WIDTH}x{HEIGHT}", *arguments, "--measure", "0.5", "--seconds", "300", "--stats", stats],
                       env={**self.screen.environment, **caches, "XDG_STATE_HOME": folder.name}, check=True, timeout=330,
                       stderr=subprocess.DEVNULL)
        return json.loads(stats.read_text())

    def test_a_picture_in_other_colours_is_not_shown_as_the_first(self):
        stats = self.cold("--scene", "mandelbrot", "--palette", "classic")
        self.assertGreaterEqual(stats["first_picture_seconds"], stats["kernels_built_seconds"])

    def test_the_offered_burst_is_taken_by_a_click(self):
        orrery = self.open("--scene", "nbody", "--bodies", "300", "--burst", "1", "--dt", "0.0005")
        orrery.find("Tuning/Steps per frame")
        def offer():  # after the device's time has been measured; the number may change
            return next((place for name, place in orrery.controls()["places"].items() if name.startswith("Tuning/Use ")), None)
        def chosen():
            return next(row["value"] for row in orrery.controls()["rows"] if row.get("name") == "burst")
        def taken():
            x, y, width, height = orrery.wait_for(offer)
            orrery.click(x + width / 2, y + height / 2)
            orrery.catch_up()
            return chosen() > 1
        orrery.wait_for(taken)
        state, stats = orrery.quit()
        self.assertGreater(state["nbody"]["burst"], 1)
        self.assertGreater(stats["device_busy"], 0)

    def test_no_burst_is_offered_that_makes_an_orbit_jump(self):
        """The period 2π is 6,283 steps of 0.001. The device is nearly idle, but a picture may advance at most a sixtieth."""
        orrery = self.open("--scene", "nbody", "--initial", "kepler:0.5", "--burst", "4")
        orrery.find("Tuning/Steps per frame")
        orrery.wait_for_launches(200)
        offered = [name for name in orrery.controls()["places"] if name.startswith("Tuning/Use ")]
        self.assertTrue(all(int(name.split()[1].replace(",", "")) <= 6283 / 60 for name in offered), offered)
        orrery.quit()

    def test_without_timings_the_use_of_the_device_is_unknown(self):
        orrery = self.open("--scene", "nbody", "--profile", "off")
        _, stats = orrery.quit()
        self.assertIsNone(stats["device_busy"])

    def test_the_window_survives_resizing_and_minimising(self):
        for scene in ("nbody", "mandelbrot", "particles"):
            orrery = self.open("--scene", scene)
            for i in range(40):
                orrery.resize(500 + 37 * (i % 13), 330 + 29 * (i % 11))
            orrery.resize(480, 320)
            orrery.wait_for(lambda: orrery.picture()[:2] == (480, 320))
            self.screen.xdotool("windowminimize", orrery.window)
            time.sleep(0.5)  # without a surface to draw into
            orrery.alive()
            self.screen.xdotool("windowmap", orrery.window)
            orrery.resize(WIDTH, HEIGHT)
            self.screen.xdotool("windowactivate", "--sync", orrery.window)
            orrery.wait_for(lambda: orrery.picture()[:2] == (WIDTH, HEIGHT))
            orrery.catch_up()
            orrery.quit()


class Keys(WindowTest):
    """Every key of the keymap, at the least and the largest scale of the panels, in every scene."""

    SCENE = ["space", "n", "period", "b", "f", "g", "x", "r", "c", "l", "j", "v", "m", "m", "BackSpace", "Return", "Home", "End",
             "plus", "minus", "Left", "Right", "Up", "Down", "alt+Left", "alt+Right", *"15"]
    WINDOW = ["F1", "ctrl+p", "F2", "i", "Next", "Prior", "F9", "F11", "F12", "shift+F12", "ctrl+F12", "ctrl+o", "ctrl+s", "ctrl+shift+s", "ctrl+z", "ctrl+shift+z",
              "ctrl+y", "ctrl+shift+c", "bracketleft", "bracketright", "d", "t", "e", "ctrl+minus", "ctrl+equal", "ctrl+plus",
              "ctrl+0", "Tab", "shift+Tab"]

    def remembering(self, text):
        """A run with this window.toml."""
        home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        (home / "orrery").mkdir()
        (home / "orrery" / "window.toml").write_text(text)
        return self.start(BINARY, "--size", "800x500", "--bodies", "300", environment={"XDG_STATE_HOME": str(home)})

    def press_all(self, orrery, keys):
        for key in keys:
            orrery.key(key)
            orrery.catch_up()
            if key in ("F1", "ctrl+p", "ctrl+o", "ctrl+s", "ctrl+shift+s", "t", "e", "F2", "F11", "l"):
                orrery.key("Escape" if key not in ("F2", "F11") else key)  # closes the dialog that the key has opened
                orrery.catch_up()

    def test_no_key_ends_the_program_at_any_scale(self):
        for scale, change in ((0.7, "ctrl+minus"), (3.0, "ctrl+equal")):
            orrery = self.remembering(f'scene = "nbody"\nscale = {scale}\n')
            for _ in range(3):
                orrery.key(change)
                orrery.catch_up()
                self.press_all(orrery, self.SCENE)
                orrery.key("Tab")
                orrery.catch_up()
            self.press_all(orrery, self.WINDOW)
            orrery.quit()

    def test_every_scale_between_the_least_and_the_largest_draws(self):
        orrery = self.start(BINARY, "--size", "800x500", "--bodies", "300")
        for key in ["ctrl+minus"] * 4 + ["ctrl+equal"] * 24 + ["ctrl+0"]:
            orrery.key(key)
            orrery.catch_up()
        orrery.quit()

    def test_an_implausible_scale_is_ignored_and_reported(self):
        for scale in ("nan", "0", "-1", "100", '"large"', "inf", "[1]"):
            orrery = self.remembering(f"scale = {scale}\n")
            self.wait_until_it_says(orrery, "window.toml: scale: expected a number from 0.7 to 3, got")
            orrery.quit()


class Fields(WindowTest):
    """Ctrl+Z and Ctrl+Y in fields whose text the program changes."""

    def open(self):
        """A small window with resting bodies: its frames are quick and drawn only when needed."""
        orrery = self.start(BINARY, "--size", "800x500", "--bodies", "300")
        orrery.pointer = (700, 450)  # beside the entries of the search
        orrery.key("space")
        return orrery

    def type(self, text):
        self.screen.xdotool("type", "--delay", 30, "--", text)

    def test_undo_works_in_the_file_dialog_after_tab_arrows_return_and_a_click(self):
        orrery = self.open()
        for folder in ("alpha beta", "alphabet"):
            (orrery.folder / folder).mkdir()
        (orrery.folder / "alphabet" / "one.toml").write_text("[nbody]\n")
        path = f"{orrery.folder}/alph"
        for question in ("ctrl+o", "ctrl+shift+s"):
            for ways in (["Tab"], ["Down", "Up"], ["Return"], ["Tab", "Tab", "Down"], ["click"], ["ctrl+a", "BackSpace", "Tab"]):
                orrery.key(question)
                orrery.find("Files/Name")
                orrery.wait_for_a_field()
                self.type(path)
                for way in ways:
                    if way == "click":
                        x, y = orrery.find("Files/Name")
                        orrery.click(x - 60, y - 160)  # an entry of the folder, if any
                    else:
                        orrery.hold(way)
                for key in ("ctrl+z", "ctrl+z", "ctrl+y", "ctrl+z", "ctrl+y", "ctrl+y"):
                    orrery.hold(key)
                self.type("x")
                for _ in range(12 if question == "ctrl+o" else 3):
                    orrery.hold("ctrl+z")
                orrery.catch_up()
                while "Files/Name" in orrery.controls()["places"]:
                    orrery.hold("Escape")
                    orrery.catch_up()
        orrery.quit()

    def test_undo_works_in_the_search_and_in_a_value_that_begin_with_another_text(self):
        orrery = self.open()
        for text in ("softening", "s"):
            orrery.key("ctrl+p")
            orrery.wait_for(lambda: "Find/Search" in orrery.controls()["places"])
            orrery.wait_for_a_field()
            self.type(text)
            orrery.hold("ctrl+z", "ctrl+z", "ctrl+y", "Return", "ctrl+z", "ctrl+z", "ctrl+y", "Escape", "Escape")
            orrery.wait_for(lambda: "Find/Search" not in orrery.controls()["places"])
        for value in ("0.0123456789", "0.5"):
            x, y = orrery.find("Parameters/Softening")
            orrery.move(x, y)
            self.screen.xdotool("keydown", "ctrl", "click", "1", "keyup", "ctrl")
            orrery.wait_for_a_field()
            for _ in range(14):
                orrery.hold("ctrl+z")
            orrery.hold("ctrl+a")
            self.type(value)
            orrery.hold("Return")
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["softening"], 0.5)


class Values(WindowTest):
    """Clicking and typing of numbers in the panels."""

    def begin_to_type(self, orrery, row):
        x, y = orrery.find(row)
        orrery.move(x - 40, y)
        self.screen.xdotool("keydown", "ctrl", "click", "1", "keyup", "ctrl")
        orrery.wait_for_a_field()

    def enter(self, orrery, text):
        self.screen.xdotool("type", "--delay", 30, "--", text)
        orrery.hold("Return")

    def test_a_value_that_is_auto_is_typed_and_digits_after_a_click_on_a_value_open_no_preset(self):
        orrery = self.open("--scene", "nbody", "--initial", "plummer")
        self.begin_to_type(orrery, "Parameters/Bodies")
        self.enter(orrery, "500")
        orrery.settle()
        x, y = orrery.find("Parameters/Softening")
        orrery.click(x, y)
        orrery.key("2", "3")
        orrery.settle()
        state, _ = orrery.quit()
        self.assertEqual((state["nbody"]["bodies"], state["nbody"]["initial"]), (500, "plummer"))

    def test_a_refusal_is_scrolled_to(self):
        orrery = self.open("--scene", "nbody", "--bodies", "300")
        orrery.find("Parameters/Time step")
        shown = {name: place for name, place in orrery.controls()["places"].items()
                 if name.startswith("Parameters/") and place[1] + place[3] <= HEIGHT}
        lowest = max((name for name in shown if name in ("Parameters/Time step", "Parameters/Softening", "Parameters/Bodies")),
                     key=lambda name: shown[name][1])
        self.begin_to_type(orrery, lowest)
        self.enter(orrery, "9e99")
        refusal = orrery.wait_for(lambda: [place for name, place in orrery.controls()["places"].items() if "Expected " in name])[0]
        orrery.settle()
        self.assertLessEqual(refusal[1] + refusal[3], HEIGHT)
        orrery.quit()

    def test_an_opened_preset_equals_the_start_and_counts_as_unchanged(self):
        orrery = self.open("--scene", "nbody")
        first, _ = orrery.quit()
        orrery = self.open("--scene", "nbody", "--initial", "plummer", "--bodies", "300")
        orrery.press("Gallery/Two galaxies")
        orrery.wait_for(lambda: self.screen.xdotool("getwindowname", orrery.window).startswith("Two galaxies"))
        orrery.settle()
        opened, _ = orrery.quit()
        changing = {"step", "time", "bodies-csv", "tree-memory"}
        kept = lambda state: {key: value for key, value in state["nbody"].items() if key not in changing}
        self.assertEqual(kept(first), kept(opened))


class Banner(WindowTest):
    """Failures stay visible until dismissed."""

    def test_a_refused_file_and_a_failed_save_stay_until_they_are_dismissed(self):
        orrery = self.open("--scene", "mandelbrot")
        (orrery.folder / "wrong.csv").write_text("mass,x,y,z,vx,vy,vz\n1,2,three,4,5,6,7\n")
        orrery.drop("wrong.csv")
        orrery.find("Could not open wrong.csv")
        self.wait_until_it_says(orrery, "Could not open wrong.csv: ")
        orrery.key("ctrl+shift+c")
        orrery.wait_for(lambda: orrery.controls()["notice"])
        orrery.wait_for(lambda: not orrery.controls()["notice"])  # a notice has appeared and expired
        self.assertTrue(orrery.shows("Could not open wrong.csv"))
        orrery.press("Dismiss")
        orrery.wait_for(lambda: not orrery.shows("Could not open wrong.csv"))
        orrery.key("ctrl+shift+s")
        orrery.find("Files/Name")
        orrery.wait_for_a_field()
        orrery.type("/proc/no such folder.toml")
        orrery.key("Return")
        orrery.find('Cannot write "/proc/no such folder.toml"')
        orrery.press("Dismiss")
        orrery.wait_for(lambda: "Dismiss" not in orrery.controls()["places"])
        orrery.quit()


class Counted(WindowTest):
    """--frames, without input."""

    def leave(self, *arguments, **environment):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        stats, state = folder / "stats.json", folder / "state.toml"
        subprocess.run([BINARY, "--size", f"{WIDTH}x{HEIGHT}", *arguments, "--stats", stats, "--save-state", state,
                        "--screenshot", folder / "end.png"],
                       env={**self.screen.environment, "XDG_STATE_HOME": str(folder), **environment}, check=True, timeout=300,
                       stderr=subprocess.DEVNULL)
        with open(state, "rb") as file:
            return json.loads(stats.read_text()), tomllib.load(file), (folder / "end.png").exists()

    def test_frames_are_counted_from_the_first_computed_picture(self):
        caches = self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))  # empty: programs are built first
        stats, state, picture = self.leave("--scene", "nbody", "--bodies", "300", "--frames", "200",
                                           POCL_CACHE_DIR=KERNELS, XDG_CACHE_HOME=f"{caches}/orrery")
        self.assertEqual((stats["frames"], picture), (200, True))
        self.assertGreater(state["nbody"]["step"], 0)
        self.assertGreater(stats["device_busy"], 0, "the picture was written after the time was measured")

    def test_frames_end_where_nothing_can_compute(self):
        nowhere = self.enterContext(tempfile.TemporaryDirectory())
        stats, _, picture = self.leave("--scene", "nbody", "--frames", "5", OCL_ICD_VENDORS=nowhere)
        self.assertEqual((stats["device"], picture), (None, True))


class Unmanaged(WindowTest):
    """Without a window manager, windows may be as small as possible."""

    @classmethod
    def setUpClass(cls):
        cls.screen = Screen(WIDTH, HEIGHT, managed=False)

    def shrink(self, windows, widths, height=400):
        def resize(width, height, seconds):
            for orrery in windows:
                self.screen.xdotool("windowsize", orrery.window, width, height)
            time.sleep(seconds)  # some frames

        for width in widths:
            resize(width, height, 0.1)
        for size in ((1, 1), (2, 1), (300, 1)):
            resize(*size, 0.3)
        for orrery in windows:
            orrery.alive()

    def place_in_the_column(self, orrery):
        width, _, pixels = orrery.picture()
        return pixels[3 * ((HEIGHT - 20) * width + 150) :][:3]

    def test_a_window_may_be_a_pixel_wide(self):
        windows = [self.open("--scene", scene) for scene in ("mandelbrot", "nbody", "particles")]
        self.shrink(windows, range(100, 0, -1))
        for orrery in windows:
            orrery.quit()

    def test_the_size_of_the_panels_follows_the_desktops_while_the_window_runs(self):
        orrery = self.open("--scene", "nbody")
        height = lambda: orrery.controls()["places"]["Pause"][3]
        usual = height()
        for dpi, factor in ((192, 2), (120, 1.25), (96, 1)):
            xdnd.set_resources(self.screen.display, f"Xcursor.size:\t24\nXft.dpi:\t{dpi}\n")
            orrery.wait_for(lambda: abs(height() / usual - factor) < 0.06)
        xdnd.set_resources(self.screen.display, "")
        orrery.quit()

    def test_hidden_panels_need_no_room(self):
        orrery = self.open("--scene", "nbody")
        before = self.place_in_the_column(orrery)
        orrery.press("Collapse the column")
        orrery.wait_for(lambda: self.place_in_the_column(orrery) != before)
        self.shrink([orrery], range(20, 0, -1))
        orrery.quit()


class Nbody(WindowTest):
    ARGUMENTS = ("--scene", "nbody", "--bodies", 96, "--initial", "plummer", "--seed", 3, "--dt", 0.002, "--precision", "double")

    def wait_for_steps(self, orrery, number):
        """Waits for steps by a tree, which take up to forty launches each, with the measurement of its error."""
        orrery.wait_for_launches(50 * number)

    def same_as_headless(self, state, arguments=None):
        """The bodies in the window's state have the bits of a headless run of as many steps."""
        steps = state["nbody"]["step"]
        self.assertGreater(steps, 0)
        with tempfile.TemporaryDirectory() as folder:
            expected = pathlib.Path(folder) / "expected.csv"
            headless("nbody", *(arguments or self.ARGUMENTS)[2:], "--steps", steps, "--out", expected)
            self.assertEqual(expected.read_text().splitlines(), state["nbody"]["bodies-csv"].splitlines())

    def test_two_stars_have_two_colours_by_their_origin(self):
        def hues(color_by):
            orrery = self.open("--scene", "nbody", "--initial", "kepler:0.5", "--color-by", color_by, "--palette", "nebula", "--trails", "off",
                               "--burst", 1, "--no-ui")
            orrery.wait_until_it_moves()
            _, _, pixels = orrery.picture()
            orrery.quit()
            bright = [pixel for pixel in zip(*[iter(pixels)] * 3) if max(pixel) > 100]
            return {pixel[0] > pixel[2] for pixel in bright}
        self.assertEqual(hues("origin"), {True, False})
        self.assertEqual(len(hues("speed")), 1)

    def test_a_new_work_group_keeps_the_trajectory(self):
        orrery = self.open(*self.ARGUMENTS, "--work-group", 64, "--no-ui")
        orrery.wait_until_it_moves()
        for name in ("bracketright", "bracketleft", "bracketleft"):
            orrery.key(name)
            orrery.wait_until_prepared(orrery.patience)
            orrery.wait_for_launches(10)
        state, _ = orrery.quit()
        self.assertNotEqual(state["nbody"]["work-group"], 64)
        self.same_as_headless(state)

    def test_a_tree_has_the_bits_of_a_headless_run_and_a_key_leads_to_all_pairs(self):
        arguments = ("--scene", "nbody", "--bodies", 3000, "--initial", "plummer", "--seed", 3, "--forces", "tree")
        orrery = self.open(*arguments, "--no-ui")
        orrery.wait_until_it_moves()
        self.wait_for_steps(orrery, 20)  # the tree's error is measured at each sixteenth step
        state, _ = orrery.quit()
        self.assertGreater(state["nbody"]["step"], 16)
        self.same_as_headless(state, arguments)
        self.assertIn("tree-memory", state["nbody"])
        kept = orrery.state_file
        orrery = self.open("--state", kept, "--no-ui")  # an interrupted session has the same bits
        self.wait_for_steps(orrery, 20)
        later, _ = orrery.quit()
        self.assertGreater(later["nbody"]["step"], state["nbody"]["step"] + 16)
        self.same_as_headless(later, arguments)
        orrery = self.open(*arguments)
        orrery.find("Simulation/Bodies/s")  # shown for a tree
        for rate in ("Simulation/Interactions/s", "Simulation/Bodies/s"):
            orrery.key("f")
            orrery.find(rate)
        orrery.quit()

    def lit(self, orrery):
        """The number of pixels brighter than the sky."""
        width, height, pixels = orrery.picture()
        return sum(max(pixels[i:i + 3]) > 40 for y in range(0, height, 2) for i in range(3 * (y * width + 400), 3 * (y + 1) * width, 3))

    def test_keys_draw_the_cells_of_the_tree_and_its_depth_and_cost_have_colours(self):
        orrery = self.open("--scene", "nbody", "--bodies", 3000, "--initial", "plummer", "--seed", 3, "--forces", "tree", "--no-ui")
        orrery.wait_until_it_moves()
        orrery.key("space")
        looks, lit = [orrery.still_fingerprint()], [self.lit(orrery)]
        for _ in range(3):  # all levels, one level, none
            orrery.key("x")
            orrery.wait_for(lambda: orrery.fingerprint() != looks[-1])
            looks.append(orrery.still_fingerprint())
            lit.append(self.lit(orrery))
        self.assertGreater(min(lit[1:3]), 1.2 * lit[0], "there are lines besides the bodies")
        self.assertEqual(lit[3], lit[0])
        for color in ("Cell depth", "Cost"):
            orrery.key("F2")
            orrery.press("Parameters/Colour by")
            orrery.press("Parameters/" + color)
            orrery.key("F2")
            orrery.wait_for(lambda: orrery.fingerprint() != looks[-1])
            looks.append(orrery.still_fingerprint())
        self.assertEqual(len(set(looks)), 5, "only the first and the fourth are alike")
        state, _ = orrery.quit()
        self.assertEqual((state["nbody"]["cells"], state["nbody"]["color-by"]), ("off", "cost"))

    def test_another_device_continues_with_the_same_bodies(self):
        orrery = self.open(*self.ARGUMENTS, "--no-ui", "--device", "0:0", environment={"POCL_DEVICES": "pthread basic"})
        orrery.wait_until_it_moves()
        first = orrery.controls()["device"]
        orrery.key("d")
        orrery.wait_for(lambda: orrery.controls()["device"] not in ("", first))
        orrery.wait_until_prepared(orrery.patience)
        orrery.wait_for_launches(50)
        orrery.wait_until_it_moves()
        state, stats = orrery.quit()
        self.assertRegex(stats["device"], "^(pthread|cpu-(?!minimal))")  # PoCL's name before and since 5.0
        self.same_as_headless(state)

    def test_more_than_a_million_bodies_are_shown_during_preparation(self):
        orrery = self.open("--scene", "nbody", "--bodies", 2_500_000, prepared=False)
        orrery.wait_for(lambda: self.colours(orrery) > 100)
        self.assertNotEqual(orrery.controls()["preparing"], "")
        orrery.quit()

    def test_a_session_continues_from_its_state_file(self):
        orrery = self.open(*self.ARGUMENTS, "--no-ui")
        orrery.wait_until_it_moves()
        first, _ = orrery.quit()
        orrery = self.open("--state", orrery.state_file, "--no-ui")
        orrery.wait_until_it_moves()
        second, _ = orrery.quit()
        self.assertGreater(second["nbody"]["step"], first["nbody"]["step"])
        self.same_as_headless(second)

    def test_a_broken_kernel_leaves_the_last_good_one_running(self):
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder)
            for part in ("kernels", "shaders", "assets"):
                shutil.copytree(SOURCE / part, home / part)
            orrery = self.open(*self.ARGUMENTS, environment={"ORRERY_HOME": folder})
            kernel = home / "kernels" / "nbody" / "nbody_gather.cl"
            good = kernel.read_text()
            kernel.write_text(good + "\nthis is no kernel\n")
            self.wait_until_it_says(orrery, "unknown type name 'this'")
            orrery.wait_for(lambda: orrery.shows("Show log"))
            orrery.wait_until_it_moves()
            orrery.press("Dismiss")
            kernel.write_text(good + "\n// saved again\n")
            orrery.wait_for_launches(200)
            self.assertFalse(orrery.shows("Show log"))
            state, _ = orrery.quit()
        self.same_as_headless(state)

    def test_r_resets_and_n_takes_a_step_while_the_bodies_are_paused(self):
        orrery = self.open(*self.ARGUMENTS, "--no-ui")
        orrery.wait_until_it_moves()
        orrery.key("space")
        paused = orrery.still_fingerprint()
        orrery.key("r")
        self.assertNotEqual(paused, orrery.still_fingerprint(), "the initial condition is another picture")
        orrery.key("n", "n")
        orrery.still_fingerprint()
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["step"], 2)

    def test_dragging_orbits_and_c_comes_back(self):
        orrery = self.open(*self.ARGUMENTS, "--no-ui")
        orrery.wait_until_it_moves()
        orrery.key("space", "c")
        before = orrery.still_fingerprint()
        orrery.drag((600, 300), (800, 380))
        orrery.wheel(3)
        self.assertNotEqual(before, orrery.still_fingerprint())
        orrery.key("c")
        self.assertEqual(before, orrery.still_fingerprint())
        orrery.quit()


class Edits(WindowTest):
    """Tests of undo, redo, reset and typed values."""
    ARGUMENTS = ("--initial", "plummer", "--bodies", "300", "--dt", "0.01", "--softening", "0.05", "--size", f"{WIDTH}x960")
    LABEL = 40  # x

    def setUp(self):
        self.begin(*self.ARGUMENTS)

    def y(self, row):
        return round(self.orrery.find("Parameters/" + row)[1])

    def begin(self, *arguments):
        self.orrery = self.start(BINARY, *arguments)
        self.orrery.wait_for_a_picture()

    def pause(self):
        self.orrery.key("space")  # frames of a still picture are quick

    def type(self, row, text):
        y = self.y(row)
        self.screen.xdotool("keydown", "ctrl")
        self.orrery.click(230, y)
        self.orrery.wait_for_a_field()
        self.screen.xdotool("keyup", "ctrl")
        self.retype(text)

    def retype(self, text):
        self.orrery.hold("ctrl+a")
        self.screen.xdotool("type", "--delay", "30", text)
        self.orrery.hold("Return")

    def red_pixels(self):
        top = self.y("Softening")
        width, height, pixels = self.orrery.picture()
        column = (3 * (y * width + x) for y in range(top, top + 40) for x in range(330))
        return sum(pixels[i] > 150 and pixels[i + 1] < 0.7 * pixels[i] for i in column)

    def end(self, scene="nbody"):
        return self.orrery.quit()[0][scene]

    def test_a_drag_is_undone_in_one_step_and_redone(self):
        self.pause()
        self.orrery.key("bracketright")
        y = self.y("Time step")
        self.orrery.drag((250, y), (290, y))
        self.orrery.key("ctrl+z")
        self.orrery.key("bracketright", "ctrl+z", "ctrl+z", "ctrl+shift+z")
        end = self.end()
        self.assertEqual(end["dt"], 0.01, "not one of the places on the way")
        self.assertGreater(end["work-group"], 0, "redo made the first key's change again")

    def test_a_refused_value_says_so_and_a_typed_one_may_leave_the_slider(self):
        self.pause()
        self.type("Softening", "1e31")
        self.orrery.move(900, 500)
        self.orrery.wait_for(lambda: self.red_pixels() > 50)  # the reason is below the open field
        self.retype("5")
        self.type("Time step", "1e31")
        self.orrery.hold("Escape")
        end = self.end()
        self.assertEqual((end["softening"], end["dt"]), (5, 0.01))

    def test_a_label_resets_its_parameter(self):
        self.pause()
        self.type("Softening", "0.5")
        self.type("Time step", "0.5")
        self.orrery.move(self.LABEL, self.y("Time step"))
        self.screen.xdotool("click", "--repeat", 2, "--delay", 200, 1)
        self.orrery.catch_up()
        softening = self.y("Softening")
        self.orrery.click(self.LABEL, softening, 3)
        self.orrery.catch_up()
        self.orrery.click(self.LABEL + 30, softening + 18)  # the menu's first line
        self.orrery.catch_up()
        end = self.end()
        self.assertNotEqual(end["dt"], 0.5)
        self.assertNotEqual(end["softening"], 0.5)
        self.assertLess(end["softening"], 0.2, "what suits the bodies")

    def test_bodies_at_one_place_without_softening_are_reported(self):
        self.orrery.quit()
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "one.csv"
        file.write_text("mass,x,y,z,vx,vy,vz\n" + "0.001,1,2,3,0,0,0\n" * 1000 + "1,0,0,0,0,0,0\n")
        self.begin("--initial", file, "--softening", "0.05", "--dt", "0.01", "--size", f"{WIDTH}x960")
        self.orrery.wait_for_launches(20)
        self.type("Softening", "0")
        self.wait_until_it_says(self.orrery, "1,000 bodies are at one place")

    def test_a_change_of_a_law_is_undone(self):
        self.orrery.quit()
        self.begin("--scene", "particles", "--world", "argon", "--size", f"{WIDTH}x960")
        self.pause()
        sigma, epsilon = (self.orrery.find("Laws/" + name)[1] for name in ("σ", "ε"))
        self.orrery.drag((225, sigma), (170, sigma))
        self.orrery.drag((225, epsilon), (300, epsilon))
        self.orrery.key("ctrl+z")
        self.orrery.settle()
        laws = self.end("particles")["laws"]
        self.assertIn("epsilon = { value = 1,", laws, "undone")
        self.assertNotIn("sigma = { value = 1,", laws, "the step before it stays")

    def test_undo_and_rewind_restores_a_run_to_the_moment_before_a_change(self):
        self.orrery.wait_for_launches(100)
        self.type("Time step", "5")
        self.orrery.press("Undo and rewind")
        self.pause()
        end = self.end()
        self.assertEqual(end["dt"], 0.01)
        self.assertAlmostEqual(end["time"], 0.01 * end["step"], delta=1e-6 * end["step"], msg="no step was a long one")


class Presets(WindowTest):
    def test_a_preset_is_chosen_kept_opened_again_and_removed(self):
        orrery = self.open("--scene", "nbody", "--initial", "plummer", "--bodies", "300")
        title = lambda: self.screen.xdotool("getwindowname", orrery.window)
        orrery.press("Gallery/Figure eight")
        orrery.wait_for(lambda: title().startswith("Figure eight"))
        orrery.press("Gallery/Save as")
        orrery.wait_for_a_field()
        self.screen.xdotool("type", "--delay", 60, "mine")
        kept = orrery.folder / "orrery" / "presets" / "nbody" / "mine.png"
        orrery.press("Gallery/Save")
        orrery.wait_for(kept.exists)
        orrery.key("1")  # "mine" had the keyboard until the button was pressed
        orrery.wait_for(lambda: title().startswith("Two galaxies"))
        orrery.press("Gallery/mine")
        orrery.wait_for(lambda: title().startswith("Figure eight"))
        cross = orrery.find("Gallery/Remove mine")
        orrery.press("Gallery/Remove mine")
        self.assertTrue(kept.exists(), "the first press only asks")
        orrery.click(*cross)
        orrery.wait_for(lambda: not kept.exists())
        state, _ = orrery.quit()
        self.assertEqual((state["nbody"]["initial"], "preset" in state), ("figure-eight", False))


class Drops(WindowTest):
    ARGUMENTS = ("--scene", "nbody", "--initial", "figure-eight", "--precision", "double", "--no-ui")
    FOUR = "mass,x,y,z,vx,vy,vz\n" + "".join(f"1,{i},0,0,0,0.1,0\n" for i in range(4))

    def bodies(self, state):
        return len(state["nbody"]["bodies-csv"].splitlines()) - 1

    def row(self, orrery, name):
        return next(row["value"] for row in orrery.controls()["rows"] if row.get("name") == name)

    def test_bodies_begin_with_suggested_numbers(self):
        orrery = self.open(*self.ARGUMENTS)
        orrery.wait_until_it_moves()
        (orrery.folder / "four bodies.csv").write_text(self.FOUR)
        orrery.drop("four bodies.csv")
        orrery.wait_for(lambda: self.screen.xdotool("getwindowname", orrery.window).startswith("Four bodies"))
        orrery.wait_until_it_moves()
        state, _ = orrery.quit()
        self.assertEqual(self.bodies(state), 4)
        self.assertEqual(state["nbody"]["initial"], str(orrery.folder / "four bodies.csv"))
        self.assertEqual(state["nbody"]["softening"], 0, "a few bodies move in bare gravity")
        self.assertEqual(state["nbody"]["dt"], 0.002, "a 200th of a pair's time to fall together, sqrt(1/2), rounded down")

    def test_a_saved_picture_and_a_command_line_bring_it_back(self):
        orrery = self.open("--initial", "plummer", "--bodies", "300", "--softening", "0.125", "--palette", "viridis",
                           "--no-ui", "--camera-distance", "4", "--camera-azimuth=-0.5", "--camera-elevation", "0.25")
        orrery.wait_until_it_moves()
        orrery.key("space")
        orrery.still_fingerprint()
        orrery.key("F12", "ctrl+shift+c")
        saved = orrery.wait_for(lambda: list(orrery.pictures.glob("orrery-*.png")))[0]
        command = orrery.wait_for(lambda: xdnd.clipboard(self.screen.display))
        first, _ = orrery.quit()
        self.assertRegex(command, "^orrery --scene nbody .*--softening 0.125")
        self.assertNotIn("--precision", command, "what has its default is not told")

        other = self.open("--scene", "mandelbrot", "--no-ui")
        other.wait_for_a_picture()
        shutil.copy(saved, other.folder / "somebody's picture.png")
        other.drop("somebody's picture.png")
        other.wait_for(lambda: other.controls()["scene"] == "nbody")
        other.settle()
        again, _ = other.quit()
        self.assertEqual(again["window"]["scene"], "nbody")
        self.assertEqual(again["nbody"], first["nbody"])

        state = other.folder / "by command.toml"
        subprocess.run(["sh", "-c", f'"$0" {command.removeprefix("orrery ")} --seconds 5 --save-state "$1"', BINARY, state],
                       check=True, env={**self.screen.environment, "XDG_STATE_HOME": str(other.folder)}, timeout=120)
        with open(state, "rb") as file:
            by_command = tomllib.load(file)["nbody"]
        changing = {"step", "time", "bodies-csv", "paused"}
        self.assertEqual({k: v for k, v in by_command.items() if k not in changing},
                         {k: v for k, v in first["nbody"].items() if k not in changing})

    def test_the_file_dialog_saves_and_opens_and_opening_is_undone(self):
        orrery = self.open("--scene", "mandelbrot", "--center=-1.25", "0.0625", "--span", "0.5")
        orrery.wait_for(lambda: "View" in orrery.controls()["places"])
        kept = orrery.pictures / "my view.toml"
        orrery.key("ctrl+s")
        orrery.find("Files/Name")
        orrery.type("my view")  # replaces the proposed name
        orrery.key("Return")
        orrery.wait_for(kept.exists)
        orrery.wait_for(lambda: str(kept) in (orrery.folder / "orrery" / "recent.toml").read_text())
        (orrery.folder / "four bodies.csv").write_text(self.FOUR)
        orrery.key("ctrl+o")
        orrery.find("Files/Name")
        orrery.type(f"{orrery.folder}/four")
        orrery.key("Return")
        orrery.wait_for(lambda: "Parameters/Bodies" in orrery.controls()["places"])
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: "View" in orrery.controls()["places"])
        orrery.key("ctrl+shift+z")
        orrery.wait_for(lambda: "Parameters/Bodies" in orrery.controls()["places"])
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: "View" in orrery.controls()["places"])
        state, _ = orrery.quit()
        self.assertEqual(state["window"]["scene"], "mandelbrot")
        self.assertEqual(state["nbody"]["initial"], "galaxies")
        with open(kept, "rb") as file:
            self.assertEqual(Decimal(tomllib.load(file)["mandelbrot"]["span"]), Decimal("0.5"))

    def test_a_table_of_another_form_is_previewed_and_the_user_decides(self):
        orrery = self.open("--scene", "nbody", "--initial", "figure-eight", "--precision", "double")
        (orrery.folder / "stars.csv").write_text("Name;X;Y\n" + "".join(f"{name};{i},5;0\n" for i, name in enumerate("abcde")))
        assumed = "2 of 3 columns read (not Name); mass missing: 1 each; z, velocities missing: 0 each; decimal comma"
        orrery.drop("stars.csv")
        orrery.find(f"Preview/{assumed}")
        self.assertFalse(orrery.shows("Preview/Merge all 1 files"))
        orrery.key("space")  # the question takes the key, so that nothing is paused
        orrery.wait_for_launches(3)  # the simulation continues meanwhile
        orrery.key("Escape")
        orrery.wait_for(lambda: not orrery.shows("Preview/Load"))
        self.assertEqual(self.row(orrery, "initial"), "figure-eight")
        orrery.drop("stars.csv")
        orrery.press("Preview/Cancel")
        orrery.wait_for(lambda: not orrery.shows("Preview/Load"))
        self.assertEqual(self.row(orrery, "initial"), "figure-eight")
        orrery.drop("stars.csv")
        orrery.find("Preview/Load")
        orrery.hold("Return")
        orrery.wait_for(lambda: self.row(orrery, "initial") == str(orrery.folder / "stars.csv"))
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: self.row(orrery, "initial") == "figure-eight")
        orrery.drop("stars.csv")
        orrery.find("Preview/Load")
        orrery.hold("Tab", "Return")  # the next answer
        orrery.wait_for(lambda: not orrery.shows("Preview/Load"))
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["initial"], "figure-eight")

    def test_several_files_of_bodies_become_one_on_request(self):
        orrery = self.open("--scene", "nbody", "--initial", "figure-eight", "--precision", "double")
        (orrery.folder / "four.csv").write_text(self.FOUR)
        (orrery.folder / "two.csv").write_text("x,y\n7,8\n9,10\n")
        (orrery.folder / "notes.doc").write_text("hello")
        orrery.drop("four.csv", "notes.doc", "two.csv")
        orrery.wait_for(lambda: self.row(orrery, "initial") == str(orrery.folder / "four.csv"))
        orrery.wait_for(lambda: any("notes.doc, two.csv" in text for _, text in orrery.controls()["notices"]))
        orrery.press("Merge all 2 files")
        orrery.wait_for(lambda: self.row(orrery, "initial") == str(orrery.pictures / "four + two.npy"))
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: self.row(orrery, "initial") == str(orrery.folder / "four.csv"))
        orrery.drop("two.csv", "four.csv")
        orrery.press("Preview/Merge all 2 files")
        orrery.wait_for(lambda: self.row(orrery, "initial") == str(orrery.pictures / "two + four.npy"))
        orrery.wait_for(lambda: orrery.controls()["preparing"] == "")
        state, _ = orrery.quit()
        self.assertEqual(self.bodies(state), 6)

    def test_a_wrong_file_leaves_everything_as_it_was(self):
        orrery = self.open("--scene", "mandelbrot")
        orrery.settle()
        (orrery.folder / "wrong.csv").write_text("mass,x,y,z,vx,vy,vz\n1,2,three,4,5,6,7\n")
        (orrery.folder / "wrong.doc").write_text("hello")
        orrery.drop("wrong.csv")
        orrery.wait_for(lambda: orrery.shows("Could not open wrong.csv"))
        orrery.drop("wrong.doc")
        orrery.drop("wrong.csv", "wrong.doc")
        orrery.settle()
        state, _ = orrery.quit()
        self.assertEqual(state["window"]["scene"], "mandelbrot")
        self.assertEqual(state["nbody"]["initial"], "galaxies")

    def test_a_file_manager_that_crashes_while_dragging_does_not_end_the_window(self):
        orrery = self.open(*self.ARGUMENTS)
        for _ in range(20):
            xdnd.hover_and_die(self.screen.display, orrery.window)
        orrery.wait_until_it_moves()
        orrery.quit()

    def test_a_dropped_view_or_session_opens_in_its_scene(self):
        orrery = self.open(*self.ARGUMENTS)
        orrery.wait_until_it_moves()
        (orrery.folder / "view.toml").write_text('center = ["-1.25", "0.0625"]\nspan = "0.5"\n')
        orrery.drop("view.toml")
        orrery.wait_for(lambda: orrery.controls()["scene"] == "mandelbrot")
        orrery.settle()
        shown = orrery.folder / "session.toml"
        shown.write_text('[nbody]\ninitial = "kepler"\ndt = 0.0005\n')
        told = max((number for number, _ in orrery.controls()["notices"]), default=0)
        orrery.drop("session.toml")
        orrery.wait_for(lambda: orrery.controls()["notices"][-1][0] > told)
        state, _ = orrery.quit()
        self.assertEqual(state["window"]["scene"], "mandelbrot", "a session that names no scene shows none")
        self.assertEqual(Decimal(state["mandelbrot"]["center-re"]), Decimal("-1.25"))
        self.assertEqual(Decimal(state["mandelbrot"]["span"]), Decimal("0.5"))
        self.assertEqual(state["nbody"]["initial"], "kepler")
        self.assertEqual(state["nbody"]["dt"], 0.0005, "given, so not the pair's own")


class Mandelbrot(WindowTest):
    def test_the_export_takes_numbers_as_people_write_them(self):
        orrery = self.open("--scene", "mandelbrot", "--center", "-2", "0", "--span", "1e-3")
        orrery.settle()
        orrery.press("Export")
        for field, text in (("Width", "1 28"), ("Samples", "2.5")):
            orrery.enter(f"Export/{field}", text)
            orrery.find(f"Export/Expected a whole number from 1 to {65536 if field == 'Width' else 4096}, got {text}")
        for field, text in (("Width", "0,128e3"), ("Height", "72"), ("Samples", "1")):
            orrery.enter(f"Export/{field}", text)
        orrery.press("Export/Save picture")
        saved = orrery.pictures / "mandelbrot.png"
        orrery.wait_for(saved.exists)
        self.assertEqual(struct.unpack(">II", saved.read_bytes()[16:24]), (128, 72))
        orrery.key("shift+Tab")
        orrery.wait_for(lambda: orrery.controls()["scene"] == "nbody")
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        orrery.type("save film")
        orrery.key("Return")
        orrery.wait_for(lambda: orrery.controls()["scene"] == "mandelbrot")
        orrery.press("Export")  # folds it
        orrery.wait_for(lambda: not orrery.shows("Export/Save film"))
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        orrery.type("save film")
        orrery.key("Return")
        orrery.press("Export/Cancel")
        orrery.enter("Export/From span", "1e-3")
        orrery.find("Export/Expected more than the span of the last frame (present view), 1e-3")
        orrery.quit()

    def test_a_film_of_the_first_view_begins_with_the_whole_set(self):
        orrery = self.open("--scene", "mandelbrot")
        orrery.settle()
        orrery.press("Export")
        for field, text in (("Width", "32"), ("Height", "18"), ("Samples", "1"), ("Seconds", "0.1")):
            orrery.enter(f"Export/{field}", text)
        orrery.press("Export/Save film")
        orrery.wait_for(lambda: list(orrery.pictures.glob("mandelbrot*")))
        orrery.quit()

    ARGUMENTS = ("--scene", "mandelbrot", "--center", "-0.743643887037158704752191506114774", "0.131825904205311970493132056385139",
                 "--span", "0.01", "--iterations", "300", "--no-ui")

    def view(self, state):
        m = state["mandelbrot"]
        return Decimal(m["center-re"]), Decimal(m["center-im"]), Decimal(m["span"])

    def point_at(self, view, x, y):
        re, im, span = view
        pixel = span / WIDTH
        return re + pixel * (Decimal(x) + Decimal("0.5") - WIDTH // 2), im - pixel * (Decimal(y) + Decimal("0.5") - HEIGHT // 2)

    @staticmethod
    def rest(orrery):
        """Waits long enough for the view to count as visited."""
        orrery.settle()
        time.sleep(0.8)

    def test_the_wheel_keeps_the_point_under_the_cursor(self):
        for x, y, steps in ((900, 200, 5), (250, 500, -3), (WIDTH // 2, HEIGHT // 2, 2)):
            start = (Decimal(self.ARGUMENTS[3]), Decimal(self.ARGUMENTS[4]), Decimal("0.01"))
            orrery = self.open(*self.ARGUMENTS)
            orrery.move(x, y)
            orrery.wheel(steps)
            orrery.settle()
            state, _ = orrery.quit()
            end = self.view(state)
            self.assertEqual(end[2] < start[2], steps > 0)
            wanted, found = self.point_at(start, x, y), self.point_at(end, x, y)
            pixel = end[2] / WIDTH
            self.assertLess(abs(wanted[0] - found[0]), pixel)
            self.assertLess(abs(wanted[1] - found[1]), pixel)

    def test_the_wheel_keeps_the_point_under_the_cursor_at_any_depth(self):
        """A view around the point i of the set's boundary, computed by perturbation."""
        for exponent in (20, 50, 300):
            span = f"1e-{exponent}"
            orrery = self.open("--scene", "mandelbrot", "--center", "0", "1", "--span", span, "--no-ui")
            orrery.wait_for(lambda: self.colours(orrery) > 20)
            orrery.move(900, 200)
            orrery.wheel(4)
            orrery.settle()
            state, stats = orrery.quit()
            end = self.view(state)
            start = (Decimal(0), Decimal(1), Decimal(span))
            self.assertLess(end[2], Decimal("0.4") * start[2])
            wanted, found = self.point_at(start, 900, 200), self.point_at(end, 900, 200)
            self.assertLess(abs(wanted[0] - found[0]), end[2] / WIDTH)
            self.assertLess(abs(wanted[1] - found[1]), end[2] / WIDTH)
            kernels = [kernel["name"] for kernel in stats["kernels"]]
            self.assertTrue({"begin perturbed", "begin extended"} & set(kernels), kernels)

    def test_ctrl_and_shift_change_the_wheel(self):
        orrery = self.open(*self.ARGUMENTS)
        for key, steps in (("ctrl", 3), ("shift", 1)):
            orrery.move(900, 200)
            self.screen.xdotool("keydown", key)
            orrery.wheel(steps)
            orrery.catch_up()
            self.screen.xdotool("keyup", key)
            orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        centre, after_ctrl = (Decimal(self.ARGUMENTS[3]), Decimal(self.ARGUMENTS[4])), Decimal("0.01") * Decimal("0.75") ** 3
        self.assertAlmostEqual(float(span / (after_ctrl * Decimal("0.75") ** 8)), 1, delta=1e-3)
        wanted, found = self.point_at((*centre, after_ctrl), 900, 200), self.point_at((re, im, span), 900, 200)
        self.assertLess(abs(wanted[0] - found[0]), span / WIDTH)
        self.assertLess(abs(wanted[1] - found[1]), span / WIDTH)

    def test_r_and_a_drag_turn_the_view_around_its_middle(self):
        """Drags from right of the middle to below it, which turns the view by a quarter."""
        orrery = self.open(*self.ARGUMENTS)
        orrery.settle()
        orrery.drag((WIDTH // 2 + 200, HEIGHT // 2), (WIDTH // 2, HEIGHT // 2 + 200), key="r")
        orrery.settle()
        state, _ = orrery.quit()
        self.assertAlmostEqual(state["mandelbrot"]["rotation"], 90, delta=1)
        self.assertEqual(self.view(state), (Decimal(self.ARGUMENTS[3]), Decimal(self.ARGUMENTS[4]), Decimal("0.01")))

    def test_ctrl_r_turns_the_view_back_to_level(self):
        orrery = self.open(*self.ARGUMENTS, "--rotation", "75", "--stretch", "2", "--stretch-angle", "30")
        self.rest(orrery)
        orrery.key("ctrl+r")
        self.rest(orrery)
        orrery.key("alt+Left")
        orrery.settle()
        orrery.key("ctrl+r")
        orrery.settle()
        state, _ = orrery.quit()
        self.assertEqual((state["mandelbrot"]["rotation"], state["mandelbrot"]["stretch"]), (0, 1))

    def test_the_wheel_stays_on_a_named_point(self):
        """The cursor is some pixels beside the Feigenbaum point of the default view."""
        orrery = self.open("--scene", "mandelbrot", "--no-ui")
        pixel = Decimal("2.45") / HEIGHT
        point = Decimal("-1.4011551890920506005238267878938612922263080433973196")
        x = WIDTH // 2 + (point + Decimal("0.651155")) / pixel
        orrery.move(float(x) + 6, HEIGHT / 2 - 5)
        orrery.wheel(100)
        orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        self.assertLess(span, Decimal("1e-11"))
        self.assertAlmostEqual(float(WIDTH // 2 + (point - re) / span * WIDTH), float(x), delta=0.01)
        self.assertAlmostEqual(float(im / span * WIDTH), 0, delta=0.01)

    def test_a_copy_is_found_and_flown_to(self):
        orrery = self.open("--scene", "mandelbrot", "--center", "-1.76", "0.003", "--span", "0.05")
        orrery.key("f")
        orrery.find("View/Fly to it")
        orrery.key("g", "End")
        orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        nucleus, size = -1.7548776662466927601, float(span) / 4
        self.assertAlmostEqual(size, 0.019, delta=0.001)
        self.assertAlmostEqual(float(re), nucleus - 0.65 * size, delta=1e-4)
        self.assertAlmostEqual(float(im), 0, delta=1e-9)

    def test_a_copied_place_is_flown_to(self):
        re, im, span = "-1.40115518909205060052382678789386129222630804", "1e-31", "3e-30"
        orrery = self.open("--scene", "mandelbrot", "--center", re, im, "--span", span, "--no-ui")
        orrery.settle()
        orrery.key("ctrl+c", "Home", "End")
        orrery.settle()
        before = orrery.controls()["launches"]
        orrery.key("ctrl+v", "End")
        orrery.settle()
        orrery.wait_for(lambda: orrery.controls()["launches"] != before)  # the next picture has begun
        state, stats = orrery.quit()
        self.assertEqual(self.view(state), (Decimal(re), Decimal(im), Decimal(span)))
        self.assertIn("begin renormalised", [kernel["name"] for kernel in stats["kernels"]])

    def test_a_wrong_place_is_reported_and_the_view_stays(self):
        orrery = self.open(*self.ARGUMENTS[:-1])
        orrery.settle()
        orrery.wait_for(lambda: self.colours(orrery) > 20)
        for place in ("0 1 1e-100001", "0 one 3"):
            orrery.enter("View/Fly to", place)
            orrery.settle()
        state, _ = orrery.quit()
        self.assertEqual(self.view(state), (Decimal(self.ARGUMENTS[3]), Decimal(self.ARGUMENTS[4]), Decimal("0.01")))

    def test_input_within_one_slow_frame_is_not_lost(self):
        """The program is stopped meanwhile, and then gets a click elsewhere, a text and Enter at once."""
        orrery = self.open(*self.ARGUMENTS[:-1])
        field = orrery.find("View/Fly to")
        orrery.process.send_signal(signal.SIGSTOP)
        orrery.point(*map(round, field))
        self.screen.xdotool("click", 1, "type", "--delay", 5, "--", "-0.75 0.1 1e-3")
        self.screen.xdotool("key", "Return")
        orrery.point(900, 300)
        orrery.process.send_signal(signal.SIGCONT)
        orrery.catch_up()
        orrery.key("End")
        orrery.settle()
        state, _ = orrery.quit()
        self.assertEqual(self.view(state), (Decimal("-0.75"), Decimal("0.1"), Decimal("0.001")))

    def test_numbers_of_the_view_are_typed_in_place(self):
        orrery = self.open(*self.ARGUMENTS[:-1])
        digits = "-0.74364388703715870475219150611477400000000000000000000000000000000001"
        orrery.settle()  # rows move while the first picture comes
        orrery.enter("View/Centre, real", digits)
        orrery.enter("View/Magnification", "5000")
        orrery.settle()  # a flight has a row of its own
        orrery.enter("View/Iterations", "777")
        orrery.enter("View/Iterations", "0.5")  # refused
        orrery.enter("View/Span", "7", "Escape")  # Escape discards the value
        orrery.enter("View/Centre, imag.", "one")  # refused
        orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        self.assertEqual(state["mandelbrot"]["center-re"], digits)
        self.assertEqual(im, Decimal(self.ARGUMENTS[4]))
        width = WIDTH - 340
        self.assertAlmostEqual(float(span), 4 / 5000 * width / HEIGHT, delta=1e-8)
        self.assertEqual(state["mandelbrot"]["iterations"], 777)

    def test_esc_closes_one_dialog_at_a_time_and_other_keys_have_no_effect(self):
        orrery = self.open(*self.ARGUMENTS[:-1])
        shown = lambda name: lambda: name in orrery.controls()["places"]
        orrery.key("t")
        orrery.wait_for(shown("Close the timeline (T)"))
        orrery.press("Device/Split")
        orrery.wait_for(shown("Device/2 parts"))
        orrery.key("j", "Tab", "Escape")  # the list has the keyboard
        orrery.wait_for(lambda: not shown("Device/2 parts")())
        self.assertTrue(shown("Close the timeline (T)")())
        orrery.key("Escape")
        orrery.wait_for(lambda: not shown("Close the timeline (T)")())
        state, _ = orrery.quit()
        self.assertEqual((state["window"]["scene"], state["mandelbrot"]["julia"]), ("mandelbrot", False))

    def test_a_flight_is_measured(self):
        orrery = self.open("--scene", "mandelbrot", "--center", "feigenbaum", "--span", "1e-3", "--fly", "--fly-speed", 4, "--no-ui")
        orrery.settle()
        state, stats = orrery.quit()
        self.assertEqual(self.view(state)[2], Decimal("0.001"), "the flight has arrived")
        self.assertGreater(stats["behind_seconds"]["frames"], 10)
        self.assertLessEqual(stats["behind_seconds"]["p50"], stats["behind_seconds"]["max"])

    def test_dragging_moves_the_plane_with_the_cursor(self):
        orrery = self.open(*self.ARGUMENTS)
        orrery.drag((700, 300), (580, 360))
        orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        pixel = span / WIDTH
        self.assertAlmostEqual(float((re - Decimal(self.ARGUMENTS[3])) / pixel), 120, delta=1.01)
        self.assertAlmostEqual(float((im - Decimal(self.ARGUMENTS[4])) / pixel), 60, delta=1.01)

    def test_a_double_click_centres(self):
        orrery = self.open(*self.ARGUMENTS)
        start = (Decimal(self.ARGUMENTS[3]), Decimal(self.ARGUMENTS[4]), Decimal("0.01"))
        orrery.click(800, 250, repeat=2)
        orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        wanted = self.point_at(start, 800, 250)
        self.assertLess(abs(re - wanted[0]), span / WIDTH)
        self.assertLess(abs(im - wanted[1]), span / WIDTH)

    def test_back_leads_out_of_a_box_zoom_and_forward_into_it_again(self):
        orrery = self.open(*self.ARGUMENTS)
        self.rest(orrery)
        orrery.drag((500, 200), (820, 380), key="shift")
        self.rest(orrery)
        orrery.key("alt+Left")
        self.rest(orrery)
        orrery.key("alt+Right")
        self.rest(orrery)
        orrery.key("alt+Left")
        orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        self.assertAlmostEqual(float(span), 0.01, delta=1e-9)
        self.assertAlmostEqual(float(re), float(self.ARGUMENTS[3]), delta=1e-9)

    def test_keys_zoom_and_pan_around_the_middle(self):
        orrery = self.open(*self.ARGUMENTS)
        orrery.key("plus", "plus")
        orrery.settle()
        orrery.key("Right")
        orrery.settle()
        state, _ = orrery.quit()
        re, im, span = self.view(state)
        self.assertAlmostEqual(float(span) / 0.01, 0.8 * 0.8, delta=1e-6)
        self.assertAlmostEqual(float((re - Decimal(self.ARGUMENTS[3])) / span), 0.12 * HEIGHT / WIDTH, delta=1e-3)
        self.assertAlmostEqual(float((im - Decimal(self.ARGUMENTS[4])) / span), 0, delta=1e-9)

    def test_a_picture_at_rest_becomes_the_mean_of_its_samples(self):
        """The colours of the window's shaders and of the headless command agree for each sample."""
        arguments = [*self.ARGUMENTS[2:-1], "--samples", "8", "--palette", "dusk", "--shading", "both"]
        size = (640, 360)
        orrery = self.start(BINARY, "--size", "{}x{}".format(*size), "--scene", "mandelbrot", *arguments, "--no-ui")
        orrery.wait_for(lambda: orrery.controls()["complete"], 300)
        orrery.still_fingerprint()
        width, height, pixels = orrery.picture()
        orrery.quit()
        with tempfile.TemporaryDirectory() as folder:
            expected = pathlib.Path(folder) / "expected.ppm"
            headless("mandelbrot", *arguments, "--size", "{}x{}".format(*size), "--out", expected)
            rows = expected.read_bytes().split(b"\n", 3)[3]
        self.assertEqual((width, height, len(rows)), (*size, len(pixels)))
        differences = sorted(abs(a - b) for a, b in zip(rows[::7], pixels[::7]))
        self.assertLess(sum(differences) / len(differences), 1.5)
        self.assertLess(differences[len(differences) * 98 // 100], 12)

    def test_other_colours_compute_nothing(self):
        def iterations(*more):
            orrery = self.start(BINARY, "--size", "640x360", *self.ARGUMENTS, "--samples", "1", *more)
            orrery.wait_for(lambda: orrery.controls()["complete"])
            time.sleep(1.5)  # frames without computation
            _, stats = orrery.quit()
            self.assertGreater(stats["frames"], 20)
            return stats["mandelbrot"]["iterations"]

        plain = iterations()
        self.assertLessEqual(iterations("--cycling", "1"), 1.5 * plain)  # rounds of different lengths end at different steps

    def test_a_flat_view_offers_a_way_out(self):
        """A view outside the set, of a single colour, and one inside."""
        for center, span, steps in ((("1.5", "1.5"), "1e-6", 1), (("-0.1", "0.1"), "0.02", 2)):
            orrery = self.open("--scene", "mandelbrot", "--center", *center, "--span", span, "--samples", "1")
            for _ in range(steps):
                orrery.press("View/Zoom out")  # offered only if the picture is flat
                orrery.settle()
            if steps == 2:  # now the whole set is in view
                orrery.wait_for(lambda: orrery.controls()["complete"] and "View/Zoom out" not in orrery.controls()["places"])
            state, _ = orrery.quit()
            self.assertAlmostEqual(float(self.view(state)[2]) / (float(span) * 16**steps), 1, delta=1e-6)

    def test_a_bookmark_is_a_picture_that_leads_back(self):
        orrery = self.open(*self.ARGUMENTS)
        orrery.wait_for_a_picture()
        orrery.key("b")
        orrery.wait_for(lambda: list(orrery.folder.glob("orrery/places/*.png")))
        bookmark = list(orrery.folder.glob("orrery/places/*.png"))[0]
        kept = pathlib.Path(tempfile.mkdtemp()) / "bookmark.png"
        shutil.copy(bookmark, kept)
        orrery.quit()
        orrery = self.open("--scene", "mandelbrot", "--view", kept, "--no-ui")
        orrery.settle()
        state, _ = orrery.quit()
        shutil.rmtree(kept.parent)
        self.assertEqual(state["mandelbrot"]["center-re"], self.ARGUMENTS[3])
        self.assertEqual(state["mandelbrot"]["center-im"], self.ARGUMENTS[4])
        self.assertEqual(state["mandelbrot"]["iterations"], 300)

    def test_a_number_key_goes_to_the_feigenbaum_point(self):
        orrery = self.open(*self.ARGUMENTS)
        orrery.key("1")
        orrery.settle()
        state, _ = orrery.quit()
        re, im, _ = self.view(state)
        self.assertAlmostEqual(float(re), -1.401155189092050, delta=1e-6)
        self.assertAlmostEqual(float(im), 0, delta=1e-6)


if __name__ == "__main__":
    unittest.main(verbosity=2)
