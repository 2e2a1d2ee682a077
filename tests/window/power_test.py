#!/usr/bin/env python3
"""Powers of z in the window: the planes shown, and powers saved with views.

usage: power_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import sys
import unittest

import numpy

from orrery_window import WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
WIDTH, HEIGHT = 1024, 576


class Powers(WindowCase):
    def open(self, *arguments):
        orrery = self.start(BINARY, "--scene", "mandelbrot", "--size", f"{WIDTH}x{HEIGHT}", "--samples", "1", *arguments)
        orrery.complete()
        return orrery

    def light(self, orrery):
        width, height, pixels = orrery.picture()
        return numpy.frombuffer(pixels, numpy.uint8).reshape(height, width, 3).sum(axis=2, dtype=int)

    def power(self, orrery):
        return next(row["value"] for row in orrery.controls()["rows"] if row["name"] == "power")

    def set_power(self, orrery, power):
        x, y = orrery.find("View/Power")
        orrery.move(x - 40, y)
        self.screen.xdotool("keydown", "ctrl", "click", "1", "keyup", "ctrl")
        orrery.wait_for_a_field()
        self.screen.xdotool("type", "--", str(power))
        orrery.hold("Return")
        orrery.wait_for(lambda: self.power(orrery) == power)
        orrery.complete()

    def test_whole_set_of_a_power_has_its_symmetry(self):
        for power, quarters in ((3, 2), (5, 1)):
            orrery = self.open("--power", power, "--no-ui")
            light = self.light(orrery)
            side = min(light.shape)
            left = (light.shape[1] - side) // 2
            square = light[:, left:left + side].astype(float)
            turned = numpy.rot90(square, quarters)
            self.assertLess(numpy.mean(numpy.abs(square - turned) > 60), 0.02, f"power {power}")
            self.assertGreater(numpy.mean(square < 60), 0.15, f"power {power}")
            orrery.quit()

    def test_another_power_is_drawn_undone_and_kept(self):
        orrery = self.open()
        square = orrery.fingerprint()
        self.set_power(orrery, 4)
        fourth = orrery.fingerprint()
        self.assertNotEqual(fourth, square)
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: self.power(orrery) == 2)
        orrery.key("ctrl+y")
        orrery.wait_for(lambda: self.power(orrery) == 4)
        orrery.complete()
        state, _ = orrery.quit()
        kept = state["mandelbrot"]
        self.assertEqual((kept["power"], float(kept["center-re"]), float(kept["span"])), (4, 0, 5.2))
        again = self.open("--state", orrery.state_file)
        self.assertEqual(self.power(again), 4)

    def test_named_places_are_of_the_square_and_back_leads_to_the_power(self):
        orrery = self.open("--power", "3", "--center", "0.1", "1.1", "--span", "0.4", "--fly-speed", "50")
        orrery.key("2")
        orrery.wait_for(lambda: self.power(orrery) == 2)
        orrery.complete()
        orrery.key("BackSpace")
        orrery.wait_for(lambda: self.power(orrery) == 3)
        orrery.complete()
        state, _ = orrery.quit()
        self.assertEqual(state["mandelbrot"]["power"], 3)
        self.assertEqual((state["mandelbrot"]["center-re"], state["mandelbrot"]["center-im"]), ("0.1", "1.1"))


if __name__ == "__main__":
    unittest.main()
