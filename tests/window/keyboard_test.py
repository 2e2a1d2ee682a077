#!/usr/bin/env python3
"""Keys mean the labels printed on them, for each keyboard layout.

usage: keyboard_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import subprocess
import sys
import time
import unittest

import xdnd
from orrery_window import Screen, WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
START = ["--size", "900x600", "--scene", "nbody", "--bodies", "300", "--work-group", "16"]


class Keyboard(WindowCase):
    @classmethod
    def setUpClass(cls):
        cls.screen = Screen(repeats=False)

    def layout(self, *names):
        subprocess.run(["setxkbmap", "-display", self.screen.display, *names], check=True)

    def tearDown(self):
        self.layout("us")

    def row(self, orrery, name):
        return next(row["value"] for row in orrery.controls()["rows"] if row.get("name") == name)

    def expect(self, orrery, question, answer, what):
        try:
            orrery.wait_for(lambda: question() == answer, 5)
        except AssertionError:
            self.fail(f"{what}: {question()}, expected {answer}")

    def use(self, *names):
        """xdotool presses the keys that have these characters in the layout."""
        self.layout(*names)
        orrery = self.start(BINARY, *START)
        group, scale = (lambda: self.row(orrery, "work-group")), (lambda: orrery.controls()["scale"])
        usual = scale()
        orrery.key("bracketright")
        self.expect(orrery, group, 24, "]")
        orrery.key("bracketleft")
        self.expect(orrery, group, 16, "[")
        orrery.key("ctrl+z")
        self.expect(orrery, group, 24, "Ctrl+Z")
        orrery.key("ctrl+y")
        self.expect(orrery, group, 16, "Ctrl+Y")
        orrery.key("ctrl+plus")
        self.expect(orrery, lambda: scale() > usual, True, "Ctrl and +")
        self.assertEqual(group(), 16)
        orrery.key("ctrl+minus")
        self.expect(orrery, scale, usual, "Ctrl and -")
        burst = self.row(orrery, "burst")
        orrery.key("greater")
        self.expect(orrery, lambda: self.row(orrery, "burst"), 2 * burst, ">")
        orrery.key("less")
        self.expect(orrery, lambda: self.row(orrery, "steps-per-second") > 0, True, "<")
        self.assertEqual(self.row(orrery, "burst"), 2 * burst)
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        orrery.type("zzz")
        orrery.key("ctrl+a", "BackSpace")
        orrery.type("bodies 200")
        orrery.key("Return")
        self.expect(orrery, lambda: self.row(orrery, "bodies"), 200, "a field in which Ctrl+A marked all")
        orrery.quit()

    def test_keys_of_an_american_keyboard_mean_their_labels(self):
        self.use("us")

    def test_keys_of_a_german_keyboard_mean_their_labels(self):
        self.use("de")

    def test_keys_of_a_french_keyboard_mean_their_labels(self):
        self.use("fr")

    def test_keys_of_a_dvorak_keyboard_mean_their_labels(self):
        self.use("us", "-variant", "dvorak")

    def test_keys_of_an_international_keyboard_mean_their_labels(self):
        self.use("us", "-variant", "intl")

    def test_keys_of_letters_that_are_not_latin_are_the_american_ones(self):
        """One of two layouts: characters missing in one are pressed in the other."""
        self.layout("ru")
        orrery = self.start(BINARY, *START)
        for code, group in ((35, 24), (34, 16)):  # positions of ] and [
            orrery.screen.xdotool("key", code)
            self.expect(orrery, lambda: self.row(orrery, "work-group"), group, str(code))
        orrery.screen.xdotool("keydown", 37, "key", 52, "keyup", 37)  # Control, and the position of Z
        self.expect(orrery, lambda: self.row(orrery, "work-group"), 24, "Ctrl+Z")
        orrery.screen.xdotool("keydown", 37, "key", 24, "keyup", 37)  # the position of Q
        orrery.process.wait(60)

    def values(self, orrery):
        return {row["name"]: row.get("value") for row in orrery.controls()["rows"] if row.get("name")}

    def change_by_keys(self, orrery):
        """Types another value into a slider's field; returns the values before."""
        orrery.key("F6")
        before = self.values(orrery)
        for _ in range(60):
            orrery.key("Tab", "Right")
            if self.values(orrery) != before:
                break
        changed = [name for name in before if self.values(orrery)[name] != before[name]]
        self.assertEqual(len(changed), 1, "an arrow changes the value of the slider to which Tab leads")
        orrery.key("Return")
        orrery.wait_for_a_field()
        orrery.key("ctrl+a")
        orrery.type(str(before[changed[0]]))
        return before

    def test_the_panels_answer_to_keys_alone(self):
        orrery = self.start(BINARY, *START)
        before = self.change_by_keys(orrery)
        orrery.key("Return")
        self.expect(orrery, lambda: self.values(orrery), before, "what is typed behind Enter")
        scene = orrery.controls()["scene"]
        orrery.key("Tab")
        self.assertEqual(orrery.controls()["scene"], scene, "Tab leads through the panels")
        orrery.key("Escape", "Tab")
        orrery.wait_for(lambda: orrery.controls()["scene"] != scene)
        orrery.quit()

    def test_consecutive_keys_mean_the_same_as_single_ones(self):
        """A field releases the keyboard as soon as Enter closes it."""
        orrery = self.start(BINARY, *START)
        scene = lambda: orrery.controls()["scene"]  # noqa: E731
        before = self.change_by_keys(orrery)
        orrery.screen.xdotool("key", "--delay", 4, "Return", "Tab", "Escape", "Tab")  # GLFW drops the same key in the same millisecond
        self.expect(orrery, scene, "mandelbrot", "Tab after Esc, which leaves the panels")
        orrery.key("shift+Tab")
        self.expect(orrery, lambda: (scene(), self.values(orrery)), ("nbody", before), "what is typed behind Enter")
        orrery.click(*orrery.find("Parameters/Softening"), repeat=2)
        orrery.wait_for_a_field()
        orrery.key("ctrl+a")
        orrery.type("0.25")
        orrery.screen.xdotool("key", "--delay", 4, "Return", "Tab")
        self.expect(orrery, scene, "mandelbrot", "Tab after Enter")
        orrery.quit()

    def test_dialogs_over_panels_that_answer_to_keys_take_typed_text(self):
        orrery = self.start(BINARY, *START)
        orrery.key("F6")
        saved = orrery.folder / "typed.toml"
        orrery.key("ctrl+shift+s")
        orrery.find("Files/Name")
        orrery.wait_for_a_field()
        orrery.key("ctrl+a")
        orrery.type(str(saved))
        orrery.key("Return")
        orrery.wait_for(saved.exists)
        orrery.key("ctrl+p")
        orrery.wait_for(lambda: orrery.shows("Find/Search"))
        orrery.wait_for_a_field()
        orrery.type("softening 0.25")
        orrery.key("Return")
        self.expect(orrery, lambda: self.row(orrery, "softening"), 0.25, "the search")
        orrery.key("F6", "e")
        orrery.wait_for(lambda: orrery.shows("Open in editor"))
        orrery.key("F6")

        def typed():  # after the text has been read
            orrery.click(600, 500)
            orrery.settle()
            return orrery.controls()["keyboard"]

        orrery.wait_for(typed)
        orrery.hold("x", "x", "ctrl+s")
        orrery.wait_for(lambda: list(orrery.folder.glob("orrery/kernels/*.cl")))
        orrery.quit()


class Motion(WindowCase):
    """If the desktop's animations are off, views change at once."""

    START = ["--size", "900x600", "--scene", "mandelbrot", "--fly-speed", "0.5"]

    def flies(self, orrery):
        orrery.wait_for_a_picture()
        orrery.key("3")
        time.sleep(3)
        return orrery.controls()["moving"]

    def test_views_fly_to_their_targets(self):
        self.assertTrue(self.flies(self.start(BINARY, *self.START)))

    def test_views_do_not_fly_where_the_desktop_shows_no_animations(self):
        desktop = xdnd.Desktop(self.screen.display, {"Gtk/EnableAnimations": 0})
        self.assertFalse(self.flies(self.start(BINARY, *self.START)))
        desktop.close()


if __name__ == "__main__":
    unittest.main()
