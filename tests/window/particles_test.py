#!/usr/bin/env python3
"""Use of the particles scene: a typed law moves the particles; a bad law leaves the old one running.

usage: particles_test.py PATH-TO-ORRERY [unittest arguments]
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy

import xdnd
from orrery_window import WindowCase, tomllib

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())

# Two particles at rest without interaction.
TWO = """
name = "Two"
start_temperature = 0
[[kind]]
name = "ball"
[[fill]]
shape = "list"
kind = "ball"
positions = [[-0.5, 0, 0], [0.5, 0, 0]]
[[pair]]
name = "mine"
snippet = "energy += 0 * r2;"
[ensemble]
thermostat = "none"
dt = 0.001
temperature = 1
"""
# More particles than are drawn as spheres, at rest.
CROWD = """
name = "Crowd"
seed = 5
start_temperature = 0
[box]
lengths = 100
[[kind]]
name = "blue"
radius = 0.4
[[kind]]
name = "orange"
radius = 0.2
[[fill]]
shape = "random"
kind = "blue"
count = 100000
[[fill]]
shape = "random"
kind = "orange"
count = 101001
[ensemble]
thermostat = "none"
dt = 0.001
temperature = 0
[view]
color = "kind"
"""
RADIUS = {"blue": 0.4, "orange": 0.2}
PANE = (352, 500)  # left and top of the text of a law in a window of 1280 × 720
LEFT_BALL, RIGHT_BALL, SKY = (572, 308), (1142, 433), (860, 100)  # places of the two particles and of the background in that window
ERROR, GOOD = (240, 122, 116), (127, 194, 144)  # colours of a refused and of a running text


class Particles(WindowCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="orrery-particles-")
        self.addCleanup(temporary.cleanup)
        self.world = pathlib.Path(temporary.name, "two.toml")
        self.world.write_text(TWO)

    def open(self):
        orrery = self.start(BINARY, "--size", "1280x720", "--world", self.world)
        orrery.key("l")
        orrery.wait_for(lambda: self.says(orrery, GOOD))
        orrery.click(900, 516)
        orrery.hold("ctrl+End")
        return orrery

    def says(self, orrery, ink):
        """Whether the line above the text has that colour; it says whether the text runs."""
        width, _, pixels = orrery.picture()
        left, bottom = PANE
        offsets = (3 * (y * width + x) for y in range(bottom - 24, bottom) for x in range(left + 176, left + 560))
        return sum(all(abs(pixels[i + k] - ink[k]) < 40 for k in range(3)) for i in offsets) > 10

    def type(self, text):
        self.screen.xdotool("type", "--delay", "30", text)

    def test_a_typed_law_acts_and_a_bad_one_leaves_it_acting(self):
        orrery = self.open()
        self.type(" energy += r2; dEdR += 2*r;")
        orrery.wait_for(lambda: not self.bright(orrery, *LEFT_BALL))  # it falls
        orrery.wait_for(lambda: self.says(orrery, GOOD))
        self.type(" wrong")
        orrery.wait_for(lambda: self.says(orrery, ERROR))
        orrery.wait_for_launches(50)
        state, stats = orrery.quit()
        seen = stats["particles"]
        (law,) = seen["laws"]
        self.assertIn("unknown name", law["refused"])
        self.assertIn("dEdR += 2*r; wrong", law["text"])
        # Harmonic: the energy is that of rest at the distance 1; the kinetic share oscillates.
        self.assertGreater(seen["mean_kinetic"], 0)
        self.assertAlmostEqual(2 * (seen["mean_kinetic"] + seen["energy"]), 1, delta=2e-3)
        self.assertGreater(seen["step"], 5)
        self.assertIn("dEdR += 2*r", state["particles"]["world-toml"])
        self.assertNotIn("wrong", state["particles"]["world-toml"])

    def test_options_override_a_state(self):
        orrery = self.start(BINARY, "--scene", "particles", "--world", "argon")
        orrery.wait_for_a_picture()
        orrery.key("space")
        y = orrery.find("Laws/σ")[1]
        orrery.drag((225, y), (200, y))
        laws = orrery.quit()[0]["particles"]["laws"]
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "given.toml"
        file.write_text(f"[window]\nscene = 'particles'\n[particles]\nworld = 'argon'\ncolor-by = 'kind'\nlaws = \'\'\'\n{laws}\'\'\'\n")
        orrery = self.start(BINARY, "--state", file, "--radius-scale", "2")
        orrery.wait_for_a_picture()
        orrery.settle()
        end = orrery.quit()[0]["particles"]
        self.assertEqual((end["color-by"], end["radius-scale"], end["laws"]), ("kind", 2, laws))

    def test_the_numbers_of_laws_are_parameters(self):
        """Numbers of laws are options, keys of a state, rows of the search; they are undone, and saved with the laws."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "given.toml"
        file.write_text("[window]\nscene = 'particles'\n[particles]\nworld = 'argon'\npaused = true\n'lennard-jones/cutoff' = 2\n")
        orrery = self.start(BINARY, "--state", file, "--lennard-jones/epsilon", "3",
                            environment={"POCL_DEVICES": "pthread pthread"})
        orrery.wait_for_a_picture()
        orrery.settle()
        rows = {row.get("name"): row for row in orrery.controls()["rows"]}
        self.assertEqual([rows["lennard-jones/" + name]["value"] for name in ("epsilon", "sigma", "cutoff")], [3, 1, 2])
        self.assertEqual((rows["lennard-jones/cutoff"]["minimum"], rows["lennard-jones/cutoff"]["maximum"]), (0.14, 14))
        orrery.key("ctrl+p")
        orrery.wait_for(lambda: "Find/Search" in orrery.controls()["places"])
        orrery.type("sigma 1.5")
        orrery.key("Return")

        def sigma():
            return next(row["value"] for row in orrery.controls()["rows"] if row.get("name") == "lennard-jones/sigma")

        orrery.wait_for(lambda: sigma() == 1.5)
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: sigma() == 1)
        orrery.key("d", "ctrl+shift+c")  # at once, before the next device has the particles
        self.assertIn("--laws", orrery.wait_for(lambda: xdnd.clipboard(self.screen.display)))
        (law,) = tomllib.loads(orrery.quit()[0]["particles"]["laws"])["pair"]
        self.assertEqual((law["parameters"]["epsilon"]["value"], law["parameters"]["sigma"]["value"], law["cutoff"]), (3, 1, 2))

    def parameters(self, orrery):
        return {row["name"]: row["value"] for row in orrery.controls()["rows"] if row.get("name", "").startswith("own-law/")}

    def test_a_new_law_gets_a_parameter(self):
        """The new parameter's slider acts; it is undone and redone, copied as options, and saved with the law."""
        orrery = self.start(BINARY, "--size", "1280x720", "--world", self.world)
        orrery.press("Laws/Add a law")
        orrery.press("Laws/Empty law")
        orrery.wait_for(lambda: self.says(orrery, GOOD))
        orrery.wait_for_a_field()
        self.type("energy += strength * r2; ")
        orrery.press("Make strength a parameter")
        orrery.wait_for(lambda: "own-law/strength" in self.parameters(orrery))
        orrery.wait_for(lambda: self.says(orrery, GOOD))
        orrery.wait_for(lambda: not self.bright(orrery, *LEFT_BALL))  # it falls
        orrery.key("Escape")
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: "own-law/strength" not in self.parameters(orrery))
        orrery.key("ctrl+shift+z")
        orrery.wait_for(lambda: self.parameters(orrery).get("own-law/strength") == 1)
        y = orrery.find("Laws/Strength")[1]
        orrery.drag((225, y), (270, y))
        orrery.settle()
        value = self.parameters(orrery)["own-law/strength"]
        self.assertGreater(value, 1)
        orrery.key("ctrl+shift+c")
        self.assertIn("strength", orrery.wait_for(lambda: xdnd.clipboard(self.screen.display)))
        state, _ = orrery.quit()
        orrery = self.start(BINARY, "--state", orrery.state_file)
        orrery.settle()
        self.assertEqual(self.parameters(orrery)["own-law/strength"], value)
        self.assertIn("strength * r2", state["particles"]["world-toml"])

    def test_one_undo_takes_back_one_visible_change(self):
        """Undo removes a refused text first, then earlier changes; a corrected refused text is no step."""
        orrery = self.open()
        self.type(" energy += r2;")
        orrery.wait_for(lambda: not self.bright(orrery, *LEFT_BALL))
        orrery.click(900, 200)  # ends typing
        for text in ("wrong", "ly"):  # a blank followed by a pause would be a separate change
            orrery.click(900, 516)
            orrery.hold("ctrl+End")
            self.type(text)
            orrery.wait_for(lambda: self.says(orrery, ERROR))
            orrery.click(900, 200)
            orrery.settle()  # the text is applied before the next key
        orrery.wait_for(lambda: self.says(orrery, ERROR))
        orrery.key("ctrl+z")
        orrery.wait_for(lambda: self.says(orrery, GOOD))
        orrery.key("ctrl+z")
        orrery.settle()
        state, stats = orrery.quit()  # perhaps while the previous law still runs
        self.assertEqual(stats["particles"]["laws"][0]["refused"], "")
        kept = state["particles"]["world-toml"]
        self.assertIn("energy += 0 * r2;", kept)
        self.assertNotIn("energy += r2", kept)

    def test_a_law_whose_derivative_is_not_the_energys_is_refused(self):
        orrery = self.open()
        self.type(" energy += r2; dEdR += r;")
        orrery.wait_for(lambda: self.says(orrery, ERROR))
        _, stats = orrery.quit()
        self.assertTrue(stats["particles"]["laws"][0]["refused"])
        self.assertEqual(stats["particles"]["mean_kinetic"], 0)

    def followed_after(self, *clicks):
        orrery = self.start(BINARY, "--size", "1280x720", "--world", self.world, "--radius-scale", "0.8")
        orrery.wait_for(lambda: self.bright(orrery, *LEFT_BALL) and self.bright(orrery, *RIGHT_BALL))
        for place in clicks:
            orrery.click(*place)
            orrery.wait_for_launches(20)  # the device searches for the particle
        state, _ = orrery.quit()
        return state["particles"]["follow"]

    def bright(self, orrery, x, y):
        width, _, pixels = orrery.picture()
        return sum(pixels[3 * (y * width + x):][:3]) > 80

    def test_a_click_follows_a_particle_and_a_click_beside_them_none(self):
        self.assertEqual({self.followed_after(LEFT_BALL), self.followed_after(RIGHT_BALL)}, {0, 1})
        self.assertEqual(self.followed_after(LEFT_BALL, SKY), -1)

    def test_each_pixel_of_a_crowd_shows_the_nearest_of_its_particles(self):
        self.world.write_text(CROWD)
        orrery = self.start(BINARY, "--size", "640x480", "--world", self.world, "--no-ui", "--box", "off")
        orrery.wait_for_a_picture()
        orrery.still_fingerprint()
        width, height, pixels = orrery.picture()
        seen = numpy.frombuffer(pixels, numpy.uint8).reshape(height, width, 3).astype(int)
        state, _ = orrery.quit()
        table = self.world.with_suffix(".csv")
        subprocess.run([BINARY, "particles", self.world, "--steps", "0", "--out", table], check=True, capture_output=True)
        with open(table) as file:
            rows = list(csv.DictReader(file))
        # Every particle, every 2nd, every 4th … is drawn, as time allows.
        agreements = (agreement(seen, rows, state["particles"], 2 ** k) for k in range(6, -1, -1))
        best = max(agreements, key=sum)
        self.assertGreater(best[0], 0.99, "pixels that are covered")
        self.assertGreater(best[1], 0.99, "kinds of covered pixels")


def agreement(seen, rows, view, every):
    """The parts of the pixels for which an independent search agrees: on any particle, and on its kind."""
    height, width, _ = seen.shape
    at = numpy.array([[float(row[axis]) for axis in "xyz"] for row in rows])
    azimuth, elevation = view["camera-azimuth"], view["camera-elevation"]
    back = numpy.array([math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)])
    right = numpy.array([-math.sin(azimuth), math.cos(azimuth), 0])
    depth = view["camera-distance"] - at @ back
    focal = height / (2 * math.tan(0.7 / 2))
    x, y = width / 2 + focal * (at @ right) / depth, height / 2 - focal * (at @ numpy.cross(back, right)) / depth
    size = numpy.maximum(2 * numpy.array([RADIUS[row["kind"]] for row in rows]) * focal / depth + 1, 1.5)
    first = numpy.arange(0, len(at), every)
    drawn = first + ((first * 2654435761 % 2**32) >> 16) % every  # shaders/particles/grain_splat.comp
    foremost = numpy.full((height, width), -1)
    drawn = drawn[drawn < len(at)]
    for i in drawn[numpy.argsort(-depth[drawn])]:  # nearest last
        columns = slice(max(math.ceil(x[i] - size[i] / 2 - 0.5), 0), max(math.ceil(x[i] + size[i] / 2 - 0.5), 0))
        lines = slice(max(math.ceil(y[i] - size[i] / 2 - 0.5), 0), max(math.ceil(y[i] + size[i] / 2 - 0.5), 0))
        foremost[lines, columns] = i
    some, covered = seen.sum(axis=2) > 60, foremost >= 0
    blue = numpy.array([row["kind"] == "blue" for row in rows])
    alike = (seen[..., 2] > seen[..., 0]) == blue[foremost]
    return (some == covered).mean(), alike[some & covered].mean()


if __name__ == "__main__":
    unittest.main()
