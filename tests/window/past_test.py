#!/usr/bin/env python3
"""The past of a run below its picture: each moment has the bits of a run that never went back.

usage: past_test.py PATH-TO-ORRERY [unittest arguments]
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest

import numpy as np

from orrery_window import BODIES, WindowCase, bodies_after, bodies_of

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SIZE = "960x600"
PICTURES = os.environ.get("ORRERY_TEST_PICTURES")  # a folder for pictures to look at


class Past(WindowCase):
    def open(self, *arguments, size=SIZE):
        orrery = self.start(BINARY, "--size", size, *BODIES, *arguments)
        orrery.wait_for_a_picture(4)
        return orrery

    def run_for(self, orrery, seconds):
        """Runs to that step, then pauses."""
        time.sleep(seconds)
        orrery.key("space")
        orrery.settle()

    def strip(self, orrery):
        orrery.wait_for(lambda: orrery.shows("Past"))
        return orrery.controls()["places"]["Past"]

    def scrub(self, orrery, *shares, rest=0.0):
        """Drags on the strip over these shares of its length."""
        x, y, width, height = self.strip(orrery)
        places = [(x + share * width, y + height / 2 - 6) for share in shares]
        orrery.move(*places[0])
        orrery.screen.xdotool("mousedown", 1)
        for place in places:
            orrery.move(*place)
            orrery.catch_up()
        time.sleep(rest)
        orrery.screen.xdotool("mouseup", 1)
        orrery.catch_up()
        time.sleep(1)
        orrery.settle()

    def empty_place(self, orrery):
        """A place without bodies, for a click that adds one."""
        width, _, pixels = orrery.picture()
        light = np.frombuffer(pixels, np.uint8).reshape(-1, width, 3).max(2)
        places = [(x, y) for x in range(580, 920, 20) for y in range(60, 520, 20)]
        return min(places, key=lambda place: light[place[1] - 40:place[1] + 40, place[0] - 40:place[0] + 40].max())

    def step_to(self, orrery, key):
        orrery.key(key)
        time.sleep(0.5)
        orrery.settle()

    def branched(self):
        """A run that branched off at an earlier moment."""
        orrery = self.open()
        self.run_for(orrery, 3)
        self.scrub(orrery, 0.3)
        orrery.key("b")  # time runs backwards
        orrery.key("space")
        self.run_for(orrery, 1)
        return orrery

    def open_document(self):
        """The bodies of the state that Ctrl+S writes."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-past-"))
        self.document = pathlib.Path(folder, "past.toml")
        self.document.write_text('[window]\nscene = "nbody"\n[nbody]\ninitial = "plummer"\nseed = 5\nbodies = 600\ndt = 0.01\n'
                                 'softening = 0.05\nburst = 1\n')
        orrery = self.start(BINARY, "--size", SIZE, "--state", self.document)
        orrery.wait_for_a_picture(4)
        return orrery

    def saved(self, orrery):
        before = self.document.stat().st_mtime_ns
        orrery.key("ctrl+s")
        orrery.wait_for(lambda: self.document.stat().st_mtime_ns > before)
        return tomllib.loads(self.document.read_text())

    def step_at_rest(self, orrery):
        """Saves until two states agree: then the device has delivered the moment."""
        step = None
        while step != (step := self.saved(orrery)["nbody"]["step"]):
            time.sleep(0.3)
        return step

    def picture(self, orrery, name):
        if PICTURES:
            orrery.screen.save_picture(orrery.window, pathlib.Path(PICTURES, name))

    def expect_bits(self, orrery, *settings):
        """The final state has the bodies of a run of as many steps."""
        state, _ = orrery.quit()
        step = state["nbody"]["step"]
        self.assertEqual(bodies_of(state), bodies_after(BINARY, step, [*BODIES, *settings]), f"step {step}")
        return step

    def test_a_drag_goes_to_a_moment_with_the_same_bits(self):
        for settings in ([], ["--precision", "mixed"], ["--forces", "tree"], ["--integrator", "yoshida4", "--precision", "double"],
                         ["--contact", "merge", "--radius", "0.3"]):
            with self.subTest(settings=settings):
                orrery = self.open(*settings)
                self.run_for(orrery, 4)
                self.scrub(orrery, 0.9, 0.2, 0.7, 0.4)
                self.picture(orrery, "past.png")
                self.assertGreater(self.expect_bits(orrery, *settings), 0)

    def test_a_run_that_goes_on_from_an_earlier_moment_has_the_bits_of_one_that_did_not_go_back(self):
        orrery = self.open()
        self.run_for(orrery, 3)
        self.scrub(orrery, 0.5)
        orrery.key("space")
        self.run_for(orrery, 4)
        self.assertGreater(self.expect_bits(orrery), 0)

    def test_keys_step_back_and_forth(self):
        orrery = self.open_document()
        self.run_for(orrery, 3)
        steps = [self.saved(orrery)["nbody"]["step"]]
        for key in ("comma", "comma", "period"):
            self.step_to(orrery, key)
            steps.append(self.saved(orrery)["nbody"]["step"])
        self.assertEqual([step - steps[0] for step in steps], [0, -1, -2, -1])
        self.assertGreater(self.expect_bits(orrery), 0)

    def test_a_branch_from_an_earlier_moment_keeps_the_first_one(self):
        orrery = self.branched()
        self.picture(orrery, "branches.png")
        x, y, width, height = self.strip(orrery)
        orrery.click(x + 0.8 * width, y + height / 2 + 6)  # the lower row
        time.sleep(1.5)
        orrery.settle()
        self.expect_bits(orrery)

    def test_an_archive_opens_with_the_past_of_its_whole_run(self):
        for settings in ([], ["--precision", "mixed"]):
            with self.subTest(settings=settings):
                orrery = self.open()
                subprocess.run([BINARY, "nbody", *BODIES, *settings, "--steps", "400", "--archive", "run.orrery",
                                "--archive-every", "90"], check=True, stdout=subprocess.DEVNULL, cwd=orrery.folder)
                orrery.drop("run.orrery")
                time.sleep(2)
                self.strip(orrery)
                orrery.settle()
                self.picture(orrery, "archive.png")
                self.scrub(orrery, 0.95, 0.33)
                step = self.expect_bits(orrery, *settings)
                self.assertAlmostEqual(step, 132, delta=2)

    def light(self, orrery):
        """The brightness of the picture, without the strip and its sides."""
        width, _, pixels = orrery.picture()
        return np.frombuffer(pixels, np.uint8).reshape(-1, width, 3).max(2)[60:480, 400:920].astype(float)

    def test_until_a_moment_has_been_computed_the_picture_lies_between_the_kept_ones_beside_it(self):
        orrery = self.open()
        subprocess.run([BINARY, "nbody", "--initial", "plummer", "--seed", "5", "--bodies", "6000", "--dt", "0.002", "--softening", "0.05",
                        "--burst", "10", "--steps", "600", "--archive", "run.orrery", "--archive-every", "300"],
                       check=True, stdout=subprocess.DEVNULL, cwd=orrery.folder)
        orrery.drop("run.orrery")
        time.sleep(2)
        self.strip(orrery)
        orrery.settle()
        self.scrub(orrery, 0.9, 0.0)
        kept = self.light(orrery)
        x, y, width, height = self.strip(orrery)
        orrery.click(x + 0.25 * width, y + height / 2)  # step 150, in the middle between two kept moments
        orrery.wait_for(lambda: (self.light(orrery) != kept).any())
        between = self.light(orrery)
        self.picture(orrery, "between.png")
        orrery.wait_for(lambda: (self.light(orrery) != between).any())  # the moment has been computed
        orrery.settle()
        exact = self.light(orrery)
        self.picture(orrery, "exact.png")
        away, before = np.abs(between - exact).mean(), np.abs(kept - exact).mean()
        self.assertLess(away, before / 3)

    def test_a_body_that_was_added_by_hand_is_there_from_then_on_and_not_before(self):
        orrery = self.open_document()
        self.run_for(orrery, 2)
        count = len(bodies_of(self.saved(orrery)))
        orrery.key("h")
        orrery.click(*self.empty_place(orrery))
        orrery.wait_for(lambda: orrery.controls()["undo"] == "Add a body")
        orrery.key("h")
        orrery.settle()
        orrery.key("space")
        self.run_for(orrery, 2)
        self.step_to(orrery, "comma")
        present = self.saved(orrery)  # also goes back once, because the present lies between two bursts
        self.assertEqual(len(bodies_of(present)), count + 1)
        self.scrub(orrery, 0.02)
        self.assertEqual(len(bodies_of(self.saved(orrery))), count)
        self.scrub(orrery, 0.97)
        for _ in range(200):
            step = self.saved(orrery)["nbody"]["step"]
            if step == present["nbody"]["step"]:
                break
            self.step_to(orrery, "comma" if step > present["nbody"]["step"] else "period")
        self.assertEqual(bodies_of(self.saved(orrery)), bodies_of(present), "the same bits")
        orrery.quit()

    def test_undo_of_a_change_by_hand_makes_the_past_that_of_the_unchanged_run(self):
        orrery = self.open_document()
        self.run_for(orrery, 2)
        orrery.key("h")
        orrery.click(*self.empty_place(orrery))
        orrery.wait_for(lambda: orrery.controls()["undo"] == "Add a body")
        orrery.key("h", "ctrl+z")
        orrery.wait_for(lambda: orrery.controls()["undo"] == "")
        orrery.settle()
        orrery.key("space")
        self.run_for(orrery, 2)
        self.scrub(orrery, 0.9)
        self.expect_bits(orrery)

    def test_a_drag_near_a_mark_goes_to_the_mark(self):
        orrery = self.open_document()
        self.run_for(orrery, 3)
        self.set_row(orrery, "softening 0.06")
        changed = self.step_at_rest(orrery)
        orrery.key("space")
        self.run_for(orrery, 3)
        last = self.step_at_rest(orrery)
        x, _, width, _ = self.strip(orrery)
        for beside in (-3, 3):
            self.scrub(orrery, 0.05, changed / last + beside / width)
            self.assertEqual(self.step_at_rest(orrery), changed)
        self.scrub(orrery, changed / last + 30 / width)
        self.assertGreater(self.step_at_rest(orrery), changed)
        orrery.quit()

    def test_the_other_branch_is_drawn_as_a_ghost(self):
        def green(picture):
            _, _, pixels = picture
            red, green, blue = np.frombuffer(pixels, np.uint8).reshape(-1, 3).astype(int).T
            return int(((green > red + 12) & (green > blue + 12)).sum())

        orrery = self.branched()
        before = green(orrery.picture())
        self.set_row(orrery, "ghost on")
        orrery.wait_for(lambda: green(orrery.picture()) > before + 200)
        self.picture(orrery, "ghost.png")
        self.scrub(orrery, 0.1)  # before the branch point there is one branch
        orrery.wait_for(lambda: green(orrery.picture()) < before + 50)
        self.expect_bits(orrery)

    def test_the_past_reaches_to_the_beginning(self):
        orrery = self.open()
        self.run_for(orrery, 1)
        self.scrub(orrery, 0.5, 0.0)
        self.assertEqual(self.expect_bits(orrery), 0)

    def set_row(self, orrery, words):
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        orrery.type(words)
        orrery.key("Return")
        orrery.settle()

    def save_past(self, orrery, file):
        orrery.press("Save …")
        orrery.wait_for(lambda: orrery.shows("Files/Name"))
        self.picture(orrery, "save-past.png")
        orrery.wait_for_a_field()
        orrery.type(str(file))
        orrery.key("Return")
        orrery.wait_for(file.exists)
        orrery.wait_for(lambda: not orrery.shows("Files/Name"))

    @staticmethod
    def moments_of(archive):
        """The word, the step and the end of each record, by the format's description."""
        first_line, line = 32, 128
        content, at, found = archive.read_bytes(), first_line, []
        while at < len(content):
            words = content[at:at + line].split()
            at += line + int(words[4])
            found.append((words[0], int(words[1]), at))
        return found

    def cut_behind_the_last_change(self, archive, cut):
        """Cuts the archive after the last change of settings; returns the step of that moment."""
        _, step, end = [moment for moment in self.moments_of(archive) if moment[0] == b"edit"][-1]
        cut.write_bytes(archive.read_bytes()[:end])
        return step

    def open_past(self, archive, **how):
        orrery = self.start(BINARY, "--size", SIZE, *BODIES, **how)
        orrery.wait_for_a_picture(4)
        (orrery.folder / "run.orrery").write_bytes(archive.read_bytes())
        orrery.drop("run.orrery")
        orrery.wait_for(lambda: "from run.orrery" in orrery.controls()["notice"])
        orrery.settle()
        return orrery

    def test_a_past_that_was_saved_is_the_same_past_in_another_window_and_without_one(self):
        for settings in (["--precision", "mixed", "--forces", "tree"], ["--precision", "double", "--contact", "merge", "--radius", "0.2"]):
            with self.subTest(settings=settings), tempfile.TemporaryDirectory(prefix="orrery-past-") as folder:
                archive, cut, end = (pathlib.Path(folder, name) for name in ("a.orrery", "cut.orrery", "end.csv"))
                orrery = self.open(*settings)
                self.run_for(orrery, 2)
                self.set_row(orrery, "time step 0.004")
                orrery.key("space")
                self.run_for(orrery, 2)
                self.save_past(orrery, archive)
                state, _ = orrery.quit()
                last = state["nbody"]["step"]
                changed = self.cut_behind_the_last_change(archive, cut)
                self.assertTrue(0 < changed < last)
                subprocess.run([BINARY, "nbody", "--resume", cut, "--at-step", str(last), "--out", end], check=True, stdout=subprocess.DEVNULL)
                self.assertEqual(list(csv.reader(end.read_text().splitlines())), bodies_of(state), "what follows the change")
                orrery = self.open_past(archive)
                self.scrub(orrery, 0.9, 0.4 * changed / last)
                self.picture(orrery, "opened-past.png")
                again, _ = orrery.quit()
                step = again["nbody"]["step"]
                self.assertTrue(0 < step < changed)
                self.assertEqual(bodies_of(again), bodies_after(BINARY, step, [*BODIES, *settings]), f"step {step}")

    def test_on_a_device_that_rounds_otherwise_only_the_kept_moments_of_a_saved_past_are_reached(self):
        with tempfile.TemporaryDirectory(prefix="orrery-past-") as folder:
            archive = pathlib.Path(folder, "a.orrery")
            orrery = self.open()
            self.run_for(orrery, 3)
            self.save_past(orrery, archive)
            orrery.quit()
            kept = [step for _, step, _ in self.moments_of(archive)]
            orrery = self.open_past(archive, environment={"POCL_DEVICES": "basic"})
            self.scrub(orrery, 0.9, (0.3 * kept[0] + 0.7 * kept[1]) / kept[-1])
            state, _ = orrery.quit()
            self.assertEqual(state["nbody"]["step"], kept[1])

    def test_the_strip_can_be_hidden(self):
        orrery = self.open()
        self.strip(orrery)
        orrery.key("p")
        orrery.wait_for(lambda: not orrery.shows("Past"))
        orrery.key("p")
        self.strip(orrery)


if __name__ == "__main__":
    unittest.main(verbosity=2)
