#!/usr/bin/env python3
"""Bodies edited by hand: added, thrown, grabbed, removed, copied, and undone, by real mouse and keys.

usage: hands_test.py PATH-TO-ORRERY [unittest arguments]
"""
import os
import pathlib
import sys
import tempfile
import time
import tomllib
import unittest

import numpy as np

from orrery_window import WindowCase, bodies_of

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
PICTURES = os.environ.get("ORRERY_TEST_PICTURES")  # a folder for pictures to look at
PANEL, WIDTH, HEIGHT, STRIP = 340, 1140, 734, 34  # the strip of the past is below the picture
FIELD_OF_VIEW = 0.7  # app/render/camera.hpp


class View:
    """The camera of a state; pixels of the window."""

    def __init__(self, nbody):
        azimuth, elevation = nbody["camera-azimuth"], nbody["camera-elevation"]
        back = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
        self.right = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
        self.up = np.cross(back, self.right)
        self.back = back
        self.eye = np.array([nbody[f"camera-{axis}"] for axis in "xyz"]) + nbody["camera-distance"] * back
        self.focal = (HEIGHT - STRIP) / (2 * np.tan(FIELD_OF_VIEW / 2))
        self.middle = np.array([PANEL + (WIDTH - PANEL) / 2, (HEIGHT - STRIP) / 2])

    def pixel(self, place):
        way = np.asarray(place, float) - self.eye
        depth = -way @ self.back
        return self.middle + self.focal * np.array([way @ self.right, -way @ self.up]) / depth

    def ground(self, pixel):
        """The place in the plane z = 0 at that pixel."""
        x, y = np.asarray(pixel) - self.middle
        ray = -self.focal * self.back + x * self.right - y * self.up
        return self.eye - self.eye[2] / ray[2] * ray


class Hands(WindowCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-hands-")))
        self.document = self.folder / "hands.toml"

    def open(self, *arguments, nbody="", **how):
        """Three bodies, seen from above, at rest."""
        self.document.write_text('[window]\nscene = "nbody"\n[nbody]\ninitial = "figure-eight"\npaused = true\ndt = 0.002\n'
                                 f'softening = 0.0\nburst = 40\ntrails = "off"\n{nbody}')
        orrery = self.start(BINARY, "--size", f"{WIDTH}x{HEIGHT}", "--state", self.document, *arguments, **how)
        orrery.wait_for_a_picture(4)
        orrery.settle()
        return orrery

    def saved(self, orrery):
        """The state that Ctrl+S saves."""
        before = self.document.stat().st_mtime_ns
        orrery.key("ctrl+s")
        orrery.wait_for(lambda: self.document.stat().st_mtime_ns > before)
        with open(self.document, "rb") as file:
            return tomllib.load(file)["nbody"]

    def bodies(self, nbody):
        """Rows of mass, x, y, z, vx, vy, vz."""
        return np.array(bodies_of({"nbody": nbody})[1:], float)

    def picture(self, orrery, name):
        if PICTURES:
            orrery.screen.save_picture(orrery.window, pathlib.Path(PICTURES, name))

    def until(self, orrery, undo):
        orrery.wait_for(lambda: orrery.controls()["undo"] == undo)
        orrery.settle()

    def add(self, orrery, x, y, undo="Add a body"):
        orrery.click(x, y)
        self.until(orrery, undo)

    def test_a_click_adds_a_body_at_rest_and_undo_gives_the_same_bits(self):
        orrery = self.open()
        first = self.saved(orrery)
        view = View(first)
        orrery.key("h")
        self.add(orrery, 900, 520)
        state = self.saved(orrery)
        bodies = self.bodies(state)
        self.assertEqual(state["bodies-csv"].splitlines()[:4], first["bodies-csv"].splitlines(), "the others stay")
        np.testing.assert_allclose(bodies[3, 1:4], view.ground((900.5, 520.5)), atol=2e-3)
        self.assertEqual(list(bodies[3, [0, 3, 4, 5, 6]]), [1, 0, 0, 0, 0], "of mean mass, in their plane, at rest")
        self.assertTrue(state["edited"])
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: orrery.controls()["undo"] == "")
        orrery.settle()
        undone = self.saved(orrery)
        self.assertEqual(undone["bodies-csv"], first["bodies-csv"])
        self.assertNotIn("edited", undone)
        orrery.key("ctrl+y")
        self.until(orrery, "Add a body")
        self.assertEqual(self.saved(orrery)["bodies-csv"], state["bodies-csv"])
        orrery.key("r")
        orrery.settle()
        self.assertEqual(self.saved(orrery)["bodies-csv"], first["bodies-csv"], "reset begins without it")
        self.assertEqual(orrery.controls()["faults"], [])
        orrery.quit()

    def test_a_gallery_card_dragged_into_the_picture_adds_its_bodies(self):
        for card, what, near in (("Disc galaxy", "galaxy", 0.2), ("Plummer cluster", "cluster", 0.2), ("Planet with a ring", "ring", 0.05)):
            with self.subTest(card=card):
                orrery = self.open("--new-bodies", "400")
                view = View(self.saved(orrery))
                if not orrery.shows(f"Gallery/{card}"):
                    orrery.press(next(name for name in orrery.controls()["places"] if name.startswith("Gallery/Show all")))
                start = orrery.find(f"Gallery/{card}")
                orrery.move(*start)
                self.screen.xdotool("mousedown", 1)
                for place in ((start[0] + 30, start[1]), (700, 400), (900, 520)):
                    orrery.move(*place)
                    orrery.catch_up()
                self.picture(orrery, f"drag-{what}.png")
                self.screen.xdotool("mouseup", 1)
                orrery.wait_for(lambda: what in orrery.controls()["undo"])
                orrery.settle()
                bodies = self.bodies(self.saved(orrery))[3:]
                self.assertEqual(len(bodies), 400)
                middle = np.average(bodies[:, 1:4], axis=0, weights=bodies[:, 0])
                np.testing.assert_allclose(middle, view.ground((900.5, 520.5)), atol=near)
                self.assertEqual(orrery.controls()["faults"], [])
                orrery.key("ctrl+z")
                orrery.wait_for(lambda: orrery.controls()["undo"] == "")
                orrery.quit()

    def test_a_thrown_body_flies_the_path_that_was_drawn_to_a_pixel(self):
        orrery = self.open()
        view = View(self.saved(orrery))
        orrery.key("h")
        start, end = (760, 600), (840, 500)
        orrery.move(*start)
        self.screen.xdotool("mousedown", 1)
        orrery.move(800, 550)
        orrery.move(*end)
        time.sleep(1.5)  # the path is computed in the background
        width, _, pixels = orrery.picture()
        drawn = np.frombuffer(pixels, np.uint8).reshape(-1, width, 3).astype(int)
        self.screen.xdotool("mouseup", 1)
        self.until(orrery, "Add a body")
        blue = (drawn[:, :, 2] > 90) & (drawn[:, :, 2] > 1.5 * drawn[:, :, 0])
        thrown = self.bodies(self.saved(orrery))[3]
        velocity = view.ground(np.array(end) + 0.5) - view.ground(np.array(start) + 0.5)
        np.testing.assert_allclose(thrown[4:6] / np.hypot(*thrown[4:6]), velocity[:2] / np.hypot(*velocity[:2]), atol=5e-3)
        for step in range(40, 201, 40):
            orrery.key("n")
            orrery.settle()
            state = self.saved(orrery)
            self.assertEqual(state["step"], step)
            x, y = view.pixel(self.bodies(state)[3, 1:4])
            near = blue[int(y) - 1:int(y) + 2, int(x) - 1:int(x) + 2]
            self.assertTrue(near.any(), f"step {step}: no path at {x:.1f}, {y:.1f}")
            aside = blue[int(y) - 40:int(y) - 20, int(x) - 40:int(x) - 20]
            self.assertLess(aside.mean(), 0.5, "the picture is not blue all over")
        orrery.quit()

    def test_a_body_is_grabbed_marked_copied_and_removed_each_as_one_step(self):
        for precision in ("single", "mixed"):
            with self.subTest(precision=precision):
                self.grab_mark_copy_and_remove(self.open(nbody=f'precision = "{precision}"\n'))

    def grab_mark_copy_and_remove(self, orrery):
        first = self.saved(orrery)
        view, bodies = View(first), self.bodies(first)
        orrery.key("h")
        start = view.pixel(bodies[0, 1:4])
        end = start + np.array([-60, 130])
        orrery.move(*start)
        self.screen.xdotool("mousedown", 1)
        for share in (0.3, 0.6, 1):
            orrery.move(*(start + share * (end - start)))
        orrery.wheel(2)
        self.screen.xdotool("mouseup", 1)
        self.until(orrery, "Move a body")
        moved = self.bodies(self.saved(orrery))
        self.assertAlmostEqual(moved[0, 0], 1.21, places=6)
        np.testing.assert_allclose(view.pixel(moved[0, 1:4]), end, atol=1.5)
        np.testing.assert_array_equal(moved[0, 4:], bodies[0, 4:], "its velocity stays")
        np.testing.assert_array_equal(moved[1:], bodies[1:])

        orrery.click(*end)  # marks the body
        orrery.settle()
        time.sleep(0.5)
        orrery.key("ctrl+d")
        self.until(orrery, "Duplicate a body")
        copied = self.bodies(self.saved(orrery))
        self.assertEqual(len(copied), 4)
        np.testing.assert_array_equal(copied[3, [0, 4, 5, 6]], moved[0, [0, 4, 5, 6]])
        orrery.key("Delete")
        self.until(orrery, "Remove a body")
        removed = self.bodies(self.saved(orrery))
        np.testing.assert_array_equal(removed, copied[1:])
        orrery.key("Delete")  # removes the marked body only
        orrery.settle()
        self.assertEqual(len(self.bodies(self.saved(orrery))), 3)
        for expected in (copied, moved, bodies):
            undo = orrery.controls()["undo"]
            orrery.key("ctrl+z")
            orrery.wait_for(lambda: orrery.controls()["undo"] != undo)
            orrery.settle()
            np.testing.assert_array_equal(self.bodies(self.saved(orrery)), expected)
        orrery.quit()

    def test_the_camera_keeps_its_buttons_and_escape_gives_the_left_one_back(self):
        orrery = self.open()
        first = self.saved(orrery)
        orrery.key("h")
        orrery.wait_for(lambda: orrery.shows("Hands hint"))
        orrery.drag((700, 300), (760, 300), button=3)
        panned = self.saved(orrery)
        self.assertNotEqual(panned["camera-x"], first["camera-x"])
        orrery.move(800, 500)
        orrery.wheel(2)
        self.assertLess(self.saved(orrery)["camera-distance"], first["camera-distance"])
        orrery.key("Escape")
        orrery.settle()
        orrery.drag((700, 300), (760, 300))
        orrery.settle()
        turned = self.saved(orrery)
        self.assertNotEqual(turned["camera-azimuth"], first["camera-azimuth"])
        self.assertEqual(turned["bodies-csv"], first["bodies-csv"])
        self.assertEqual(orrery.controls()["undo"], "")
        orrery.quit()

    def test_a_message_says_that_a_changed_run_cannot_be_recorded_from_its_beginning(self):
        orrery = self.open()
        orrery.key("n", "h")
        orrery.settle()
        self.add(orrery, 900, 520)
        orrery.press("File")
        self.assertNotIn("File/Record the run from its beginning", orrery.controls()["places"])
        orrery.key("Escape")
        state, _ = orrery.quit()
        orrery = self.start(BINARY, "--size", f"{WIDTH}x{HEIGHT}", "--state", orrery.state_file)
        orrery.wait_for_a_picture(4)
        again, _ = orrery.quit()
        self.assertEqual(again["nbody"]["bodies-csv"], state["nbody"]["bodies-csv"], "it is opened as it was")
        self.assertTrue(again["nbody"]["edited"])

    def run_many(self, *arguments, during=lambda orrery: None):
        """Starts with many moving bodies."""
        orrery = self.start(BINARY, "--size", f"{WIDTH}x{HEIGHT}", "--initial", "plummer", "--bodies", "3000", "--dt",
                            "0.005", "--burst", "1", *arguments)
        orrery.wait_for_a_picture(10)
        orrery.wait_for_launches(20)
        orrery.key("h")
        orrery.click(1080, 60)
        during(orrery)
        orrery.wait_for(lambda: orrery.controls()["undo"] == "Add a body")
        orrery.wait_for_launches(20)
        state, _ = orrery.quit()
        return state["nbody"]

    def test_a_thrown_galaxy_has_the_velocity_of_the_drag_and_one_undo(self):
        orrery = self.open(nbody='new-object = "galaxy"\nnew-bodies = 300\nnew-mass = 1e-4\n')
        first = self.saved(orrery)
        view = View(first)
        orrery.key("h")
        start, end = (620, 600), (680, 520)
        orrery.drag(start, end)
        self.until(orrery, "Add a galaxy")
        state = self.saved(orrery)
        bodies = self.bodies(state)
        self.assertEqual(len(bodies), 303)
        self.assertEqual(state["bodies-csv"].splitlines()[:4], first["bodies-csv"].splitlines(), "the others stay")
        added, mass = bodies[3:], bodies[3:, 0].sum()
        self.assertAlmostEqual(mass, 300 * 1e-4, 6)
        place, velocity = (added[:, :1] * added[:, 1:4]).sum(0) / mass, (added[:, :1] * added[:, 4:]).sum(0) / mass
        np.testing.assert_allclose(place, view.ground(np.array(start) + 0.5), atol=2e-3)
        thrown = view.ground(np.array(end) + 0.5) - view.ground(np.array(start) + 0.5)
        np.testing.assert_allclose(velocity[:2] / np.hypot(*velocity[:2]), thrown[:2] / np.hypot(*thrown[:2]), atol=5e-3)
        orrery.key("n")
        orrery.settle()
        self.assertEqual(self.saved(orrery)["step"], 40)
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: orrery.controls()["undo"] == "")
        orrery.settle()
        self.assertEqual(self.saved(orrery)["bodies-csv"], first["bodies-csv"])
        orrery.quit()

    def test_colours_distinguish_added_bodies(self):
        """A ring added to two bodies: by origin and by age it has one colour, and the bodies have another."""
        def hues(orrery, at, reach):
            width, height, pixels = orrery.picture()
            seen = np.frombuffer(pixels, np.uint8).reshape(height, width, 3).astype(float)
            x, y = (int(value) for value in at)
            part = seen[y - reach:y + reach, x - reach:x + reach]
            return (part * part.sum(2, keepdims=True)).sum((0, 1)) / part.sum() ** 2 * part.size / 3

        orrery = self.open(nbody='new-object = "ring"\nnew-bodies = 300\nnew-mass = 1e-4\ncolor-by = "origin"\n')
        orrery.key("n")
        orrery.settle()
        view = View(self.saved(orrery))
        orrery.key("h")
        orrery.click(500, 600)
        self.until(orrery, "Add a ring")
        orrery.key("h")
        self.assertEqual(self.saved(orrery)["cohorts"], "0 1 2 3@0.08")
        orrery.key("n")
        orrery.settle()
        self.picture(orrery, "origin-of-a-ring.png")
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        orrery.type("colour by age")
        orrery.key("Return")
        orrery.settle()
        self.picture(orrery, "age-of-a-ring.png")
        old = hues(orrery, view.pixel(self.bodies(self.saved(orrery))[0, 1:4]), 12)
        young = hues(orrery, (500, 600), 60)
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["color-by"], "age")
        self.assertGreater(np.abs(old / old.sum() - young / young.sum()).max(), 0.05)

    def test_a_followed_body_has_its_orbit_drawn(self):
        """The orbit of a pair at its nearest: half the semi-major axis apart."""
        self.document.write_text('[window]\nscene = "nbody"\n[nbody]\ninitial = "kepler:0.5"\npaused = true\ntrails = "off"\n'
                                 "follow = 1\ncamera-x = 0.0\ncamera-y = 0.0\ncamera-z = 0.0\ncamera-azimuth = -1.5\n"
                                 "camera-elevation = 1.2\ncamera-distance = 6.0\n")
        orrery = self.start(BINARY, "--size", f"{WIDTH}x{HEIGHT}", "--state", self.document)
        orrery.wait_for_a_picture(4)
        orrery.wait_for(lambda: orrery.shows("Followed body"))
        orrery.settle()
        width, _, pixels = orrery.picture()
        drawn = np.frombuffer(pixels, np.uint8).reshape(-1, width, 3).astype(int)
        blue = (drawn[:, :, 2] > 60) & (drawn[:, :, 2] > 1.5 * drawn[:, :, 0])
        state = self.saved(orrery)
        view, places = View(state), self.bodies(state)[:, 1:4]
        along = (places[1] - places[0]) / np.linalg.norm(places[1] - places[0])
        across = np.array([-along[1], along[0], 0])
        for anomaly in np.radians(range(40, 330, 20)):
            place = places[0] + (np.cos(anomaly) - 0.5) * along + np.sqrt(0.75) * np.sin(anomaly) * across
            x, y = np.round(view.pixel(place)).astype(int)
            self.assertTrue(blue[y - 2:y + 3, x - 2:x + 3].any(), f"the orbit is not at {x}, {y}")
        orrery.key("c")
        orrery.wait_for(lambda: not orrery.shows("Followed body"))
        orrery.quit()

    def test_bodies_are_added_while_many_move_over_all_pairs_and_by_a_tree(self):
        for forces in ("gather", "tree"):
            with self.subTest(forces=forces):
                state = self.run_many("--forces", forces)
                bodies = self.bodies(state)
                self.assertEqual(len(bodies), 3001)
                self.assertGreater(state["step"], 5)
                momentum = (bodies[:, :1] * bodies[:, 4:]).sum(0)
                scale = (bodies[:, :1] * np.abs(bodies[:, 4:])).sum()
                self.assertLess(np.abs(momentum).max(), 1e-3 * scale, "a body at rest has brought none")

    def test_bodies_are_added_on_several_devices(self):
        state = self.run_many("--forces", "gather", "--split", "2")
        self.assertEqual(len(self.bodies(state)), 3001)

    def test_a_change_of_scene_and_device_during_an_edit_loses_nothing(self):
        def leave(orrery):
            orrery.wait_for(lambda: orrery.controls()["undo"] == "Add a body")
            orrery.key("d", "Tab")
            orrery.settle()
            orrery.key("shift+Tab")

        self.assertEqual(len(self.bodies(self.run_many("--forces", "tree", during=leave))), 3001)


if __name__ == "__main__":
    unittest.main()
