#!/usr/bin/env python3
"""Bodies that merge in the window: contacts are selected during motion, undone, and followed by the camera.

usage: contact_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import sys
import time
import unittest

from orrery_window import WindowCase, bodies_after, bodies_of

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SPHERE = ["--initial", "sphere", "--seed", "5", "--bodies", "600", "--dt", "0.005", "--softening", "0.02", "--burst", "1"]


def gone(state):
    return {index for index, row in enumerate(bodies_of(state)[1:]) if row[0].startswith("-")}


class Contact(WindowCase):
    def open(self, *arguments):
        orrery = self.start(BINARY, "--size", "1280x800", *SPHERE, *arguments)
        orrery.wait_for_a_picture(4)
        return orrery

    def test_contacts_are_chosen_while_bodies_move_and_undone(self):
        orrery = self.open("--radius", "0.5")
        orrery.key("ctrl+p")
        orrery.wait_for(lambda: "Find/Search" in orrery.controls()["places"])
        self.screen.xdotool("type", "--delay", "60", "contact merge")
        orrery.key("Return")
        orrery.wait_for(lambda: orrery.controls()["undo"])
        time.sleep(4)
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: orrery.controls()["redo"])
        orrery.settle()
        state, _ = orrery.quit()
        self.assertEqual((state["nbody"]["contact"], state["nbody"]["radius"]), ("pass", 0.5))
        self.assertGreater(len(gone(state)), 10)
        masses = [float(row[0]) for row in bodies_of(state)[1:]]
        self.assertAlmostEqual(sum(masses), 1, delta=600 * 2**-24)

    def test_the_camera_follows_the_body_into_which_the_followed_one_has_merged(self):
        contact = ["--contact", "merge", "--radius", "0.5"]
        orrery = self.open(*contact, "--follow", "8")
        orrery.wait_for(lambda: any("has merged" in text for _, text in orrery.controls()["notices"]))
        orrery.key("space")
        orrery.settle()
        time.sleep(1)
        state, _ = orrery.quit()
        self.assertIn(8, gone(state))
        followed = state["nbody"]["follow"]
        self.assertGreaterEqual(followed, 0)
        self.assertNotIn(followed, gone(state))
        self.assertEqual(bodies_of(state), bodies_after(BINARY, state["nbody"]["step"], [*SPHERE, *contact]))


if __name__ == "__main__":
    unittest.main()
