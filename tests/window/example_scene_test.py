#!/usr/bin/env python3
"""A scene that the program knows only by its list: it runs, answers keys, shows its parameters, saves and restores.

usage: example_scene_test.py PATH-TO-ORRERY-WITH-LIFE [unittest arguments]
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from orrery_window import WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())


def said(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60)


class ExampleScene(WindowCase):
    def life(self, *arguments):
        orrery = self.start(BINARY, "--scene", "life", "--size", "1280x720", "--side", "64", *arguments)
        orrery.wait_for_a_picture(colors=1)  # a dead cell beside the background
        orrery.catch_up()  # a key pressed in the first moments may be lost
        return orrery

    def test_help_and_errors_name_the_scene(self):
        self.assertIn("life", said("--help").stdout)
        help_text = said("--scene", "life", "--help").stdout
        for option in ("--side", "--density", "--speed", "--seed"):
            self.assertIn(option, help_text)
        self.assertIn("life", said("--scene", "teapot").stderr)
        refused = said("--scene", "life", "--side", "7")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("from 8 to 4096", refused.stderr)

    def test_the_scene_moves_pauses_and_restarts(self):
        orrery = self.life("--speed", "20")
        orrery.key("F2")
        orrery.wait_until_it_moves()
        orrery.key("space")
        orrery.still_fingerprint()
        orrery.key("r")
        first = orrery.still_fingerprint()
        orrery.key("space")
        orrery.wait_for(lambda: orrery.fingerprint() != first)
        orrery.key("space", "r")
        self.assertEqual(orrery.still_fingerprint(), first, "the same seed gives the same cells")
        state, stats = orrery.quit()
        self.assertEqual((state["life"]["generation"], state["life"]["paused"], state["life"]["side"]), (0, True, 64))
        self.assertEqual(stats["scene"], "life")
        self.assertLessEqual({"life_seed", "life_step"}, {kernel["name"] for kernel in stats["kernels"]})

    def test_a_state_is_saved_and_restored(self):
        orrery = self.life("--speed", "50")
        orrery.wait_until_it_moves()
        orrery.key("space")
        state, _ = orrery.quit()
        generation = state["life"]["generation"]
        self.assertGreater(generation, 0)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "state.toml")
            file.write_bytes(orrery.state_file.read_bytes())
            again = self.start(BINARY, "--state", file)
            again.wait_for_a_picture(colors=1)  # a dead cell beside the background
            restored, _ = again.quit()
        self.assertEqual(restored["life"], state["life"])

    def test_the_tab_of_the_scene_is_beside_the_others(self):
        orrery = self.life()
        orrery.key("Tab")
        state, _ = orrery.quit()
        self.assertEqual(state["window"]["scene"], "nbody", "the last tab is followed by the first one")

    def test_the_parameters_of_the_scene_can_be_set(self):
        orrery = self.life("--seed", "5", "--density", "0.5")
        state, _ = orrery.quit()
        self.assertEqual((state["life"]["seed"], state["life"]["density"]), (5, 0.5))

    def test_a_row_of_its_table_is_in_all_that_follows_from_rows(self):
        self.assertRegex(said("--scene", "life", "--help").stdout, r"--speed X\s+generations\s+\[1/s\]\s+\(1\s+to\s+1,000\);\s+default\s+30")
        refused = said("--scene", "life", "--speed", "0")
        self.assertEqual((refused.returncode, "from 1 to 1000" in refused.stderr), (2, True), refused.stderr)

        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        wrong = folder / "wrong.toml"
        wrong.write_text("[life]\nspeed = 0.0\n")
        refused = said("--state", wrong)
        self.assertEqual((refused.returncode, "from 1 to 1000" in refused.stderr), (2, True), refused.stderr)

        orrery = self.life()
        def row():
            return next(row for row in orrery.controls()["rows"] if row.get("name") == "speed" and row["kind"] == "Parameter")
        def becomes(value):
            orrery.wait_for(lambda: row()["value"] == value)
        self.assertEqual((row()["title"], row()["minimum"], row()["maximum"], row()["value"]), ("Speed", 1, 1000, 30))
        orrery.wait_for(lambda: "Parameters/Speed" in orrery.controls()["places"])
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        self.screen.xdotool("type", "--delay", "60", "speed 25")
        orrery.wait_for(lambda: "Find/Speed" in orrery.controls()["places"])
        orrery.key("Return")
        becomes(25)
        self.assertEqual(orrery.controls()["undo"], "Speed: 25 → 30")
        orrery.key("ctrl+z")
        becomes(30)
        orrery.key("ctrl+y")
        becomes(25)
        x, y = orrery.find("Parameters/Speed")
        orrery.click(40, y, repeat=2)  # its label
        becomes(30)

        tour = folder / "tour.toml"
        tour.write_text('title = "Speed"\nabout = "a row in a tour"\n[[step]]\ncaption = "Slow."\nscene = "life"\n[step.life]\nspeed = 2.0\n')
        orrery.quit()
        orrery = self.start(BINARY, "--open", tour)
        becomes(2)
        state, _ = orrery.quit()
        self.assertEqual(state["life"]["speed"], 2)


if __name__ == "__main__":
    unittest.main()
