#!/usr/bin/env python3
"""Save as writes the bodies and the particles for other programs, and the window opens readable files.

usage: points_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import sys
import tomllib
import unittest

import numpy as np

from orrery_window import WindowCase, bodies_of

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())


class Points(WindowCase):
    def save(self, orrery, name):
        file = orrery.folder / name
        self.answer(orrery, "ctrl+shift+s", file)
        orrery.wait_for(file.exists)  # renamed when complete
        return file

    def answer(self, orrery, key, file):
        """Answers the file dialog's question."""
        orrery.key(key)
        orrery.find("Files/Name")
        orrery.wait_for_a_field()
        orrery.key("ctrl+a")
        orrery.type(str(file))
        orrery.key("Return")
        orrery.wait_for(lambda: not orrery.shows("Files/Name"))

    def paused(self, *arguments):
        orrery = self.start(BINARY, "--size", "900x600", *arguments)
        orrery.wait_for_a_picture(4)
        orrery.key("space")
        orrery.settle()
        return orrery

    def test_bodies_are_saved_and_opened(self):
        orrery = self.paused("--scene", "nbody", "--bodies", 300)
        state = tomllib.loads(self.save(orrery, "all.toml").read_text())
        wanted = np.array(bodies_of(state)[1:], float)
        np.testing.assert_array_equal(np.load(self.save(orrery, "bodies.npy")), wanted)
        rows = self.save(orrery, "bodies.xyz").read_text().splitlines()
        self.assertEqual(rows[0], "300")
        self.assertIn(f" Step={state['nbody']['step']}", rows[1])
        np.testing.assert_array_equal(np.array([row.split()[1:] for row in rows[2:]], float), wanted[:, [1, 2, 3, 4, 5, 6, 0]])
        self.answer(orrery, "ctrl+o", self.save(orrery, "bodies.vtp"))
        orrery.wait_for(lambda: str(orrery.controls()["rows"]).find("bodies.vtp") > 0)
        self.answer(orrery, "ctrl+o", orrery.folder / "bodies.xyz")
        orrery.find("Preview/Load")  # the bodies' names are ignored
        orrery.key("Return")
        orrery.wait_for(lambda: str(orrery.controls()["rows"]).find("bodies.xyz") > 0)
        orrery.quit()

    def test_particles_are_saved_and_opened(self):
        orrery = self.paused("--scene", "particles", "--world", "salt")
        file = self.save(orrery, "salt.csv")
        header, first = file.read_text().splitlines()[:2]
        self.assertEqual(header, "x,y,z,vx,vy,vz,mass,charge,kind")
        self.assertEqual(first.split(",")[-1], "sodium")
        self.assertEqual(self.save(orrery, "salt.gsd").read_bytes()[112:117], b"hoomd")
        orrery.quit()


if __name__ == "__main__":
    unittest.main()
