#!/usr/bin/env python3
"""Walks that once broke an invariant, shortened by walker.py: each is a combination that no other test has.

usage: walks_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import sys
import tempfile
import unittest

from walker import Place, at_home

BINARY = pathlib.Path(sys.argv.pop(1))


class Walks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="orrery-walks-", ignore_cleanup_errors=True)
        cls.place = Place(BINARY, pathlib.Path(cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.place.close()
        cls.folder.cleanup()

    def walk(self, steps):
        with at_home(self.place) as person:
            for step in steps:
                person.do(step)

    def test_panels_become_smaller_and_come_back(self):
        self.walk([["start", ["--size", "640x420", "--scene", "mandelbrot"]], *[["key", "ctrl+minus"]] * 4, ["quit"]])

    def test_a_remembered_scale_opens(self):
        for scale in (0.7, 0.9, 3):
            self.walk([["start", ["--size", "640x420"], f'scene = "nbody"\nscale = {scale}\n'], ["key", "Tab"]])

    def test_text_completed_by_the_file_dialog_is_undone(self):
        begin = ["start", ["--size", "640x420", "--scene", "mandelbrot"]]
        for dialog in ("ctrl+o", "ctrl+shift+s"):
            for text, key in (("/usr/sh", "Tab"), ("/usr/share/doc", "Return"), ("{inputs}/", "Down"), ("/tm", "Tab")):
                self.walk([begin, ["key", dialog], ["type", text], ["key", key], *[["key", "ctrl+z"]] * 3, ["key", "ctrl+y"], ["key", "ctrl+z"]])

    def test_a_law_that_changes_while_another_world_is_prepared_is_not_kept_with_that_world(self):
        self.walk([["start", ["--size", "900x600", "--scene", "particles", "--world", "polymer"]], ["key", "1"],
                   ["press", "Laws/R\u2080", 1, None], ["kill"]])

    def test_the_file_dialog_takes_typed_text_while_the_help_is_open(self):
        self.walk([["start", ["--size", "640x420", "--scene", "nbody"]], ["key", "F1"], ["save", "a.toml"]])

    def test_a_killed_session_is_offered_beside_a_column_that_leaves_no_room(self):
        for size, scale in (("900x600", 1.8), ("640x420", 3)):
            self.walk([["start", ["--size", size], f'scene = "nbody"\nscale = {scale}\n'], ["kill"]])

    def test_a_session_with_a_world_is_restored(self):
        self.walk([["start", ["--size", "640x420", "--scene", "particles"]], ["find", "N-body"], ["kill"], ["find", "Particles"], ["kill"]])

    def test_a_state_with_a_world_opens(self):
        begin = ["start", ["--size", "640x420", "--scene", "particles"]]
        self.walk([begin, *(["state_opens", how] for how in ("--state", "file", "ctrl+o", "drop"))])

    def test_a_rigid_world_opens_as_it_was_saved(self):
        self.walk([["start", ["--size", "640x420", "--scene", "particles"]], ["key", "3"], ["state_opens", "--state"]])  # water

    def test_many_bodies_open_as_they_were_saved(self):
        begin = ["start", ["--size", "640x420", "--state", "{inputs}/paused large.toml"]]
        self.walk([begin, ["key", "n"], ["wait", 2], ["picture_opens"], ["state_opens", "file"], ["state_opens", "ctrl+o"]])


if __name__ == "__main__":
    unittest.main(verbosity=2)
