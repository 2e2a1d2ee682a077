#!/usr/bin/env python3
"""A camera path is made by keys and by mouse on its strip: played, saved in the state, undone.

usage: camera_path_test.py PATH-TO-ORRERY [unittest arguments]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

from orrery_window import WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
PICTURES = os.environ.get("ORRERY_TEST_PICTURES")  # a folder for pictures to look at
STATE = """[window]
scene = "{}"
[nbody]
bodies = 300
paused = true
[particles]
world = "argon"
paused = true
[mandelbrot]
samples = 1
"""
VIEWS = {"nbody": 6, "particles": 6, "mandelbrot": 3}  # numbers per view


class CameraPath(WindowCase):
    def open(self, scene, *arguments, size="960x600", state=None, **how):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-path-"))
        self.document = pathlib.Path(folder, "path.toml")
        self.document.write_text(state or STATE.format(scene))
        orrery = self.start(BINARY, "--size", size, "--state", self.document, *arguments, **how)
        orrery.wait_for_a_picture(3)
        orrery.settle()
        return orrery

    def saved(self, orrery, scene):
        before = self.document.stat().st_mtime_ns
        orrery.key("ctrl+s")
        orrery.wait_for(lambda: self.document.stat().st_mtime_ns > before)
        return tomllib.loads(self.document.read_text())[scene]

    def keyframes(self, orrery, scene):
        """Each keyframe as numbers, the time first."""
        text = self.saved(orrery, scene)["camera-path"]
        return [[float(word) for word in each.split()] for each in text.split(";") if each]

    def look_from_elsewhere(self, orrery, scene):
        """Moves the view by mouse."""
        if scene == "mandelbrot":
            orrery.move(900, 250)
            orrery.wheel(2)
        else:
            orrery.drag((700, 200), (780, 240))
        orrery.settle()

    def make(self, orrery, scene):
        """Makes three keyframes of three views."""
        for k in range(3):
            if k:
                self.look_from_elsewhere(orrery, scene)
            orrery.key("k")
            orrery.wait_for(lambda k=k: orrery.shows(f"Keyframe {k + 1}"))
        orrery.settle()

    def middle(self, orrery, control):
        x, y, width, height = orrery.controls()["places"][control]
        return x + width / 2, y + height / 2

    def on_strip(self, orrery, share):
        x, y, width, height = orrery.controls()["places"]["Camera path"]
        return x + share * width, y + height / 2

    def view(self, orrery, scene):
        state = self.saved(orrery, scene)
        names = (("center-re", "center-im", "span") if scene == "mandelbrot" else
                 ("camera-azimuth", "camera-elevation", "camera-distance", "camera-x", "camera-y", "camera-z"))
        return [float(state[name]) for name in names]

    def picture(self, orrery, name):
        if PICTURES:
            orrery.screen.save_picture(orrery.window, pathlib.Path(PICTURES, name))

    def play(self, orrery):
        """Plays the path to its end."""
        orrery.key("shift+k")
        orrery.wait_for(lambda: orrery.shows("Camera path/Play"))
        orrery.settle()

    def test_a_path_is_made_dragged_played_saved_and_undone(self):
        for scene in VIEWS:
            with self.subTest(scene=scene):
                orrery = self.open(scene)
                self.assertFalse(orrery.shows("Camera path"), "there is no strip without a path")
                self.make(orrery, scene)
                self.picture(orrery, f"path-{scene}.png")
                made = self.keyframes(orrery, scene)
                self.assertEqual([len(each) for each in made], 3 * [1 + VIEWS[scene]])
                self.assertEqual([each[0] for each in made], [0, 3, 6])
                self.assertEqual(len({tuple(each[1:]) for each in made}), 3)

                start, end = self.middle(orrery, "Keyframe 2"), self.on_strip(orrery, 0.1)
                orrery.drag(start, end)
                orrery.settle()
                moved = self.keyframes(orrery, scene)
                self.assertAlmostEqual(moved[1][0], 0.66, delta=0.1)  # the strip is 6.6 s long
                self.assertEqual([each[1:] for each in moved], [each[1:] for each in made])
                self.assertEqual(orrery.controls()["undo"], "Camera path")
                orrery.key("ctrl+z")
                self.assertEqual(self.keyframes(orrery, scene), made, "one drag is one step")
                orrery.key("ctrl+shift+z")
                self.assertEqual(self.keyframes(orrery, scene), moved)

                orrery.click(*self.middle(orrery, "Keyframe 1"))
                orrery.settle()
                self.assertEqual(self.view(orrery, scene), made[0][1:])
                self.play(orrery)
                self.assertEqual(self.view(orrery, scene), made[2][1:])

                again = self.open(scene, state=self.document.read_text())
                self.assertEqual(self.keyframes(again, scene), moved)
                again.quit()
                orrery.quit()

    def test_input_to_the_view_ends_the_play(self):
        for scene in ("nbody", "mandelbrot"):
            with self.subTest(scene=scene):
                orrery = self.open(scene)
                self.make(orrery, scene)
                orrery.key("shift+k")
                orrery.wait_for(lambda: orrery.shows("Camera path/Stop"))
                self.look_from_elsewhere(orrery, scene)
                orrery.wait_for(lambda: orrery.shows("Camera path/Play"))
                orrery.quit()

    def test_keyframes_are_removed_and_replaced_on_the_strip(self):
        orrery = self.open("nbody")
        self.make(orrery, "nbody")
        made = self.keyframes(orrery, "nbody")
        orrery.move(*self.middle(orrery, "Keyframe 2"))
        orrery.key("Delete")
        orrery.wait_for(lambda: not orrery.shows("Keyframe 3"))
        self.assertEqual(self.keyframes(orrery, "nbody"), [made[0], made[2]])
        orrery.click(*self.middle(orrery, "Keyframe 1"))  # K replaces it
        self.look_from_elsewhere(orrery, "nbody")
        orrery.key("k")
        orrery.settle()
        replaced = self.keyframes(orrery, "nbody")
        self.assertEqual([len(replaced), replaced[0][0], replaced[1]], [2, 0, made[2]])
        self.assertNotEqual(replaced[0], made[0])
        orrery.click(*self.on_strip(orrery, 0.5))  # K inserts one there
        orrery.settle()
        orrery.key("k")
        orrery.wait_for(lambda: orrery.shows("Keyframe 3"))
        self.assertAlmostEqual(self.keyframes(orrery, "nbody")[1][0], 3.3, delta=0.1)
        orrery.quit()

    def follow(self, orrery, row):
        """Lets a row follow the path, or no longer: by the menu of its name."""
        _, y = orrery.find(row)
        orrery.click(orrery.controls()["places"][row][0] - 115, y, button=3)
        choice = row.split("/")[0] + "/Follow the camera path"
        orrery.wait_for(lambda: orrery.shows(choice))
        self.picture(orrery, "follow-menu.png")
        orrery.press(choice)
        orrery.settle()

    def test_a_row_follows_the_path_until_its_menu_releases_it(self):
        for scene, row, name in (("nbody", "Parameters/Softening", "softening"),
                                 ("mandelbrot", "Colour/Offset", "offset"),
                                 ("particles", "Laws/σ", "sigma")):
            with self.subTest(scene=scene):
                orrery = self.open(scene)
                self.make(orrery, scene)
                self.follow(orrery, row)
                self.assertEqual(self.saved(orrery, scene)["camera-path"].count(f"{name}="), 3)
                self.follow(orrery, row)
                self.assertEqual(self.saved(orrery, scene)["camera-path"].count("="), 0)
                orrery.quit()

    def test_a_row_has_the_values_that_its_keyframes_keep(self):
        orrery = self.open("nbody")
        self.make(orrery, "nbody")
        self.follow(orrery, "Parameters/Softening")
        before = self.saved(orrery, "nbody")["softening"]
        orrery.click(*self.middle(orrery, "Keyframe 3"))
        orrery.settle()
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        orrery.type("softening 0.3")
        orrery.key("Return")
        orrery.settle()
        orrery.key("k")
        orrery.settle()
        self.picture(orrery, "followed-row.png")
        values = re.findall("softening=([^ ;]*)", self.saved(orrery, "nbody")["camera-path"])
        self.assertEqual([float(each) for each in values], [before, before, 0.3])
        orrery.click(*self.middle(orrery, "Keyframe 1"))
        orrery.settle()
        self.assertEqual(self.saved(orrery, "nbody")["softening"], before)
        orrery.click(*self.on_strip(orrery, 4.5 / 6.6))
        orrery.settle()
        between = self.saved(orrery, "nbody")["softening"]
        self.assertTrue(before < between < 0.3, (before, between))
        self.play(orrery)
        self.assertEqual(self.saved(orrery, "nbody")["softening"], 0.3)
        orrery.quit()

    def test_a_recording_of_a_play_has_a_frame_for_each_step(self):
        """Sixty frames a second of simulated time: the film of a path of one second, then of one at rest."""
        tools = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-film-")))
        ffmpeg = tools / "ffmpeg"  # copies the raw frames
        ffmpeg.write_text('#!/bin/sh\nfor last; do :; done\nexec /bin/cat > "${last#file:}"\n')
        ffmpeg.chmod(0o755)
        state = '[window]\nscene = "nbody"\n[nbody]\nbodies = 300\npaused = true\ncolor-by = "mass"\n'
        orrery = self.open("nbody", "--camera-path", "0 -1 0.5 7 0 0 0; 1 1 0.2 4 0 0 0", size="740x480", state=state,
                           environment={"PATH": f"{tools}:{os.environ['PATH']}"})
        orrery.key("shift+k")
        orrery.wait_for(lambda: orrery.shows("Camera path/Play"))
        orrery.settle()
        orrery.key("F9")
        orrery.wait_for(lambda: orrery.shows("Stop"))
        self.play(orrery)
        orrery.key("F9")
        orrery.wait_for(lambda: list(orrery.pictures.glob("orrery-*.mp4")) and orrery.shows("Show"))
        film, = orrery.pictures.glob("orrery-*.mp4")
        size = 3 * (740 - 340) * (int(orrery.controls()["places"]["Past"][1]) // 2 * 2)  # the picture ends above both strips
        data = film.read_bytes()
        frames = [data[at:at + size] for at in range(0, len(data), size)]
        different = [frame for k, frame in enumerate(frames) if k == 0 or frame != frames[k - 1]]
        self.assertEqual(len(data) % size, 0)
        self.assertLessEqual(abs(len(different) - 61), 1)  # the first frame shows the rest before the path
        orrery.quit()


if __name__ == "__main__":
    unittest.main(verbosity=2)
