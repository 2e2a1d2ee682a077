#!/usr/bin/env python3
"""Individual time steps in the window: their bits, their levels as colours, and undo of the choice.

usage: individual_steps_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import sys
import time
import unittest

from orrery_window import WindowCase, bodies_after, bodies_of

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
PLUMMER = ["--initial", "plummer", "--seed", "5", "--bodies", "600", "--dt", "0.05", "--softening", "0.01", "--burst", "3", "--forces", "gather"]
INDIVIDUAL = ["--time-steps", "individual", "--step-accuracy", "0.1"]


class IndividualSteps(WindowCase):
    def test_the_bits_are_those_of_the_command(self):
        orrery = self.start(BINARY, "--size", "1280x800", *PLUMMER, *INDIVIDUAL, "--color-by", "level")
        orrery.wait_for_a_picture(4)
        orrery.wait_until_it_moves()
        time.sleep(2)
        orrery.key("space")
        orrery.settle()
        state, _ = orrery.quit()
        self.assertGreater(state["nbody"]["step"], 6)
        self.assertEqual(state["nbody"]["color-by"], "level")
        self.assertEqual(bodies_of(state), bodies_after(BINARY, state["nbody"]["step"], [*PLUMMER, *INDIVIDUAL]))

    def test_steps_are_chosen_while_bodies_move_and_undone(self):
        orrery = self.start(BINARY, "--size", "1280x800", *PLUMMER)
        orrery.wait_for_a_picture(4)
        orrery.key("ctrl+p")
        orrery.wait_for(lambda: "Find/Search" in orrery.controls()["places"])
        self.screen.xdotool("type", "--delay", "60", "each its own")
        orrery.key("Return")
        orrery.wait_for(lambda: orrery.controls()["undo"])
        time.sleep(2)
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: orrery.controls()["redo"])
        orrery.settle()
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["time-steps"], "shared")


if __name__ == "__main__":
    unittest.main()
