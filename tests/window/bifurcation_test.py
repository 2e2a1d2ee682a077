#!/usr/bin/env python3
"""The bifurcation diagram below the set: the places of its curves, keys, and mouse.

usage: bifurcation_test.py PATH-TO-ORRERY [unittest arguments]
"""
import math
import pathlib
import sys
import unittest

import numpy

from orrery_window import WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
WIDTH, HEIGHT = 640, 400
ROWS = round(0.4 * HEIGHT)
DELTA = 4.669201609102990


class Bifurcation(WindowCase):
    def open(self, *arguments):
        orrery = self.start(BINARY, "--scene", "mandelbrot", "--size", f"{WIDTH}x{HEIGHT}", "--samples", "1", "--no-ui",
                            *arguments)
        orrery.complete()
        return orrery

    def diagram(self, orrery):
        """The diagram's brightness, by rows and columns."""
        width, height, pixels = orrery.picture()
        return numpy.frombuffer(pixels, numpy.uint8).reshape(height, width, 3)[-ROWS:].sum(axis=2, dtype=int)

    def center_and_span(self, orrery):
        state, _ = orrery.quit()
        seen = state["mandelbrot"]
        return float(seen["center-re"]), float(seen["center-im"]), float(seen["span"])

    def test_curves_lie_where_cycles_are(self):
        span, center = 2.0, -0.6
        orrery = self.open("--bifurcation", "on", "--center", center, 0, "--span", span)
        light = self.diagram(orrery)
        half = 0.876 * math.exp(0.59535 * math.log(span))  # half of the visible range of x
        for column in range(40, WIDTH - 8, 16):
            c = center + span * ((column + 0.5) / WIDTH - 0.5)
            if c > 0.24 or abs(c + 0.75) < 0.02 or c < -1.24:
                continue
            cycle = [0.5 - math.sqrt(0.25 - c)] if c > -0.75 else [-0.5 + sign * math.sqrt(-0.75 - c) for sign in (1, -1)]
            for x in cycle:
                row = 0.5 * ROWS * (1 - x / half)
                if 4 < row < ROWS - 4:
                    near = light[round(row) - 3:round(row) + 4, column]
                    self.assertGreater(near.max(), 500, f"c = {c}, x = {x}")
            dark = [row for row in range(16, ROWS - 4) if all(abs(row - 0.5 * ROWS * (1 - x / half)) > 5 for x in cycle)]
            self.assertLess(numpy.median(light[dark, column]), 120, f"c = {c}")

    def test_keys_show_the_diagram_and_lead_down_the_cascade(self):
        orrery = self.open("--center", "-1.0", "0", "--span", "1.2")
        without = orrery.fingerprint()
        orrery.key("p")
        orrery.complete()
        self.assertNotEqual(orrery.fingerprint(), without)
        for _ in range(3):
            orrery.key("n")
            orrery.complete()
        orrery.key("shift+n")
        orrery.complete()
        re, im, span = self.center_and_span(orrery)
        self.assertAlmostEqual(span, 1.2 / DELTA ** 2, delta=1e-9)
        self.assertEqual(im, 0)
        self.assertAlmostEqual(re, -1.381547484432, delta=1e-9)  # c₈: −1 was in the middle

    def test_the_mouse_zooms_pans_and_clicks_on_the_axis(self):
        orrery = self.open("--bifurcation", "on", "--center", "-1.0", "0.05", "--span", "1.2")
        orrery.click(WIDTH / 2, HEIGHT - ROWS / 2)  # on the line of c₂
        orrery.complete()
        orrery.drag((WIDTH / 2, HEIGHT - 40), (WIDTH / 2 + 64, HEIGHT - 90))
        orrery.complete()
        re, im, span = self.center_and_span(orrery)
        self.assertAlmostEqual(span, 1.2 / DELTA, delta=1e-9)
        self.assertAlmostEqual(im, 0, delta=1e-12)
        self.assertAlmostEqual(re, -1.310702641336833 - 64 / WIDTH * span, delta=1e-6)

    def test_the_diagram_is_saved_with_the_state_and_hidden_by_its_key(self):
        orrery = self.open("--bifurcation", "on", "--bifurcation-height", "0.5")
        state, _ = orrery.quit()
        self.assertEqual((state["mandelbrot"]["bifurcation"], state["mandelbrot"]["bifurcation-height"]), (True, 0.5))
        orrery = self.open("--state", orrery.state_file)
        orrery.key("p")
        orrery.complete()
        state, _ = orrery.quit()
        self.assertFalse(state["mandelbrot"]["bifurcation"])


if __name__ == "__main__":
    unittest.main()
