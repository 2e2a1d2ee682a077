#!/usr/bin/env python3
"""Millions of bodies: a frame draws a portion as bright as all bodies, and a still picture accumulates all of them.

usage: portions_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import sys
import time
import unittest

from orrery_window import WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
BODIES = 2500000  # beyond 32 MiB, so that the surface is uploaded in parts


def middle(picture):
    """The green of every second pixel of every fourth row, in the middle of the picture."""
    width, height, pixels = picture
    rows = range(height // 4, 3 * height // 4, 4)
    return [pixels[3 * (width * y + width // 4) + 1:3 * (width * y + 3 * width // 4):6] for y in rows]


def brightness(picture):
    rows = middle(picture)
    return sum(map(sum, rows)) / sum(map(len, rows))


def grain(picture):
    """The mean difference of neighbouring pixels."""
    rows = middle(picture)
    return sum(abs(a - b) for row in rows for a, b in zip(row, row[1:])) / sum(map(len, rows))


class Portions(WindowCase):
    def test_a_portion_is_as_bright_as_all_bodies(self):
        orrery = self.start(BINARY, "--scene", "nbody", "--size", "960x640", "--no-ui", "--initial", "plummer",
                            "--bodies", BODIES, "--forces", "tree", "--opening-angle", "1.2", prepared=False,
                            environment={"LP_NUM_THREADS": "1"})  # otherwise llvmpipe would draw all bodies at once
        orrery.key("space")
        orrery.wait_for_a_picture()
        orrery.wait_until_prepared(orrery.patience)
        all_bodies = self.when_full(orrery)

        def moved():
            """A picture of the moving view, unless all bodies have accumulated."""
            picture = orrery.picture()
            return picture if grain(picture) / brightness(picture) > 1.15 * grain(all_bodies) / brightness(all_bodies) else None

        orrery.key("m")
        portion = orrery.wait_for(moved)  # otherwise all bodies are drawn at once
        orrery.key("m")
        self.assertAlmostEqual(brightness(portion) / brightness(all_bodies), 1, delta=0.25)
        again = self.when_full(orrery)
        self.assertAlmostEqual(brightness(again) / brightness(all_bodies), 1, delta=0.02)
        self.assertAlmostEqual(grain(again) / grain(all_bodies), 1, delta=0.1)
        orrery.quit()

    def when_full(self, orrery):
        """A screenshot has all bodies, and so has the following picture, unless it changes."""
        def settled():
            saved = len(list(orrery.pictures.glob("*.png")))
            orrery.key("F12")
            orrery.wait_for(lambda: len(list(orrery.pictures.glob("*.png"))) > saved)
            before = orrery.picture()
            time.sleep(0.5)
            return before if orrery.picture() == before else None

        return orrery.wait_for(settled)


if __name__ == "__main__":
    unittest.main()
