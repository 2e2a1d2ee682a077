#!/usr/bin/env python3
"""Recorded films: one frame per burst, as shown by the window, and none while the picture rests.

usage: record_test.py PATH-TO-ORRERY [unittest arguments]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

from orrery_window import WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
PANEL = 340


class Record(WindowCase):
    width, height = 740, 400

    def setUp(self):
        self.tools = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-film-")))
        ffmpeg = self.tools / "ffmpeg"  # copies the raw frames
        ffmpeg.write_text('#!/bin/sh\nfor last; do :; done\nexec /bin/cat > "${last#file:}"\n')
        ffmpeg.chmod(0o755)
        self.path = f"{self.tools}:{os.environ['PATH']}"

    def open(self, *arguments, path=None):
        orrery = self.start(BINARY, "--size", f"{self.width}x{self.height}", *arguments, environment={"PATH": path or self.path})
        orrery.wait_for_a_picture(4)
        return orrery

    def begin(self, orrery):
        orrery.key("F9")
        orrery.wait_for(lambda: orrery.shows("Stop"))

    def end(self, orrery):
        """The frames of the complete film."""
        orrery.key("F9")
        orrery.wait_for(lambda: orrery.shows("Record") and orrery.shows("Show"))
        return self.frames(orrery)

    def frames(self, orrery):
        film, = orrery.pictures.glob("orrery-*.mp4")
        return self.frames_of(film)

    def frames_of(self, film):
        data, size = film.read_bytes(), 3 * (self.width - PANEL) * self.height
        self.assertEqual(len(data) % size, 0)
        return [data[at:at + size] for at in range(0, len(data), size)]

    def shown(self, orrery):
        width, _, pixels = orrery.picture()
        return b"".join(pixels[3 * (y * width + PANEL):3 * (y + 1) * width] for y in range(self.height))

    def rest(self, orrery):
        """The picture, once it is constant; the numbers beside it may change."""
        last = self.shown(orrery)

        def same():
            nonlocal last
            time.sleep(0.5)
            before, last = last, self.shown(orrery)
            return before == last

        orrery.settle()
        orrery.wait_for(same)
        return last

    def require_alike(self, frame, picture):
        """Waits for a picture at rest, with all bodies and settled colours."""
        self.assertEqual(len(frame), len(picture))
        off = np.abs(np.frombuffer(frame, np.uint8).astype(int) - np.frombuffer(picture, np.uint8))
        self.assertTrue(off.max() <= 3, (off.max(), np.count_nonzero(off > 3)))

    def open_paused(self, scene="nbody", more="", arguments=(), **how):
        begin = self.tools / "begin.toml"
        begin.write_text(f'[window]\nscene = "{scene}"\n[nbody]\nbodies = 300\nburst = 3\npaused = true\n'
                         f'color-by = "mass"\n{more}[particles]\nworld = "argon"\nburst = 3\npaused = true\ncolor-by = "charge"\n{more}')
        return self.open("--state", begin, *arguments, **how)

    def run_for(self, orrery, launches):
        orrery.key("space")
        orrery.wait_for_launches(launches)
        orrery.key("space")
        orrery.settle()

    def test_each_burst_is_a_frame_however_long_it_takes(self):
        for scene in ("nbody", "particles"):
            with self.subTest(scene=scene):
                orrery = self.open_paused(scene)
                orrery.settle()
                self.begin(orrery)
                first = self.shown(orrery)
                self.run_for(orrery, 60)
                last = self.shown(orrery)
                frames = self.end(orrery)
                state, _ = orrery.quit()
                self.assertGreater(len(frames), 5)
                self.assertEqual(len(frames), 1 + state[scene]["step"] / 3)
                self.assertEqual(len({*frames}), len(frames), "no two are alike")
                self.require_alike(frames[0], first)
                self.require_alike(frames[-1], last)

    def test_a_slowed_run_has_the_film_of_any_other(self):
        """A limit on steps per second delays the run, but not the film's frames."""
        for scene in ("nbody", "particles"):
            with self.subTest(scene=scene):
                orrery = self.open_paused(scene, more="steps-per-second = 30\n")
                orrery.settle()
                began = time.monotonic()
                orrery.key("space")
                time.sleep(2)
                orrery.key("space")
                passed = time.monotonic() - began
                orrery.settle()
                slow, _ = orrery.quit()
                self.assertTrue(6 <= slow[scene]["step"] <= 30 * passed + 6, (slow[scene]["step"], passed))
                orrery = self.open("--state", orrery.state_file)
                orrery.settle()
                self.begin(orrery)
                self.run_for(orrery, 60)
                frames = self.end(orrery)
                fast, _ = orrery.quit()
                self.assertEqual(fast[scene]["steps-per-second"], 30)
                self.assertEqual(len(frames), 1 + (fast[scene]["step"] - slow[scene]["step"]) / 3)

    def test_the_picture_without_a_window_is_that_of_the_window(self):
        """`orrery picture` of the state that the window has saved, without a display."""
        view = ["--samples", "3", "--center", "-0.7436+0.1318i", "--span", "0.01"]
        for scene in ("nbody", "particles", "mandelbrot"):
            with self.subTest(scene=scene):
                orrery = self.open_paused(scene, arguments=["--no-ui", *(view if scene == "mandelbrot" else [])])
                orrery.settle()
                if scene != "mandelbrot":
                    self.run_for(orrery, 30)
                    orrery.quit()  # the size of sprites depends on the extent of the first bodies
                    orrery = self.open("--state", orrery.state_file, "--no-ui")
                self.rest(orrery)
                width, height, shown = orrery.picture()
                state, _ = orrery.quit()
                if scene != "mandelbrot":
                    self.assertGreater(state[scene]["step"], 0)
                environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
                made = self.tools / "made.ppm"
                subprocess.run([BINARY, "picture", orrery.state_file, "--size", f"{width}x{height}", "--out", made], env=environment,
                               check=True, stdout=subprocess.DEVNULL, timeout=120)
                self.require_alike(made.read_bytes().split(b"255\n", 1)[1], shown)

    def test_a_view_that_moves_is_recorded_by_the_clock_and_one_that_rests_is_not(self):
        orrery = self.open("--scene", "mandelbrot")
        self.rest(orrery)
        self.begin(orrery)
        time.sleep(2)  # rests
        orrery.move(550, 200)
        began = time.monotonic()
        orrery.wheel(12)
        last = self.rest(orrery)
        passed = time.monotonic() - began
        frames = self.end(orrery)
        orrery.quit()
        self.assertTrue(10 < len(frames) < 60 * (passed + 0.5), (len(frames), passed))
        self.require_alike(frames[-1], last)

    def test_a_film_keeps_its_size_over_scenes_and_windows(self):
        orrery = self.open_paused()
        orrery.settle()
        self.begin(orrery)
        orrery.key("Tab")
        orrery.wait_for(lambda: orrery.controls()["scene"] == "mandelbrot")
        orrery.settle()
        orrery.key("F2")  # the picture fills the window
        orrery.settle()
        orrery.resize(1200, 500)
        orrery.wait_for(lambda: orrery.picture()[:2] == (1200, 500))
        orrery.settle()
        orrery.key("F2")
        frames = self.end(orrery)
        orrery.quit()
        self.assertGreater(len({*frames}), 2)

    def test_a_run_is_recorded_from_its_beginning_up_to_the_shown_moment(self):
        orrery = self.open_paused()
        orrery.settle()
        first = self.shown(orrery)
        self.run_for(orrery, 60)
        last = self.shown(orrery)
        orrery.press("File")
        orrery.press("File/Record the run from its beginning")
        orrery.wait_for(lambda: orrery.shows("Record") and orrery.shows("Show"))
        frames = self.frames(orrery)
        self.assertEqual(len({*frames}), len(frames), "no two are alike")
        self.require_alike(frames[0], first)
        self.require_alike(frames[-1], last)
        orrery.quit()

    def has_pointer(self, orrery):
        """A restored window moves for a moment."""
        for x in (500, 520):
            orrery.point(x, 220)
            time.sleep(0.2)
        return orrery.controls()["pointer"] == [520, 220]

    def test_a_film_waits_while_the_window_is_minimised(self):
        orrery = self.open_paused()
        orrery.settle()
        self.begin(orrery)
        orrery.key("space")
        orrery.wait_for_launches(20)
        self.screen.xdotool("windowminimize", "--sync", orrery.window)
        time.sleep(1)  # pending frames are written
        written = lambda: sum(path.stat().st_size for path in orrery.pictures.rglob("*"))
        before = written()
        self.assertGreater(before, 0)
        time.sleep(1)
        self.assertEqual(written(), before)
        self.screen.xdotool("windowactivate", "--sync", orrery.window)
        orrery.wait_for(lambda: self.has_pointer(orrery))
        orrery.wait_for_launches(20)
        orrery.key("space")
        orrery.settle()
        frames = self.end(orrery)
        state, _ = orrery.quit()
        self.assertEqual(len(frames), 1 + state["nbody"]["step"] / 3)
        self.assertEqual(len({*frames}), len(frames), "no two are alike")

    def test_a_film_is_complete_when_the_program_ends(self):
        orrery = self.open_paused()
        orrery.settle()
        self.begin(orrery)
        self.run_for(orrery, 30)
        state, _ = orrery.quit()
        self.assertEqual(len(self.frames(orrery)), 1 + state["nbody"]["step"] / 3)

    def test_an_unattended_run_is_recorded_from_its_first_picture_on(self):
        out = self.tools / "run.mp4"
        orrery = self.open("--bodies", "300", "--record", out, "--frames", "40")
        orrery.process.wait(60)
        self.assertEqual(orrery.process.returncode, 0, orrery.said())
        self.assertTrue(5 <= len(self.frames_of(out)) <= 40)
        (self.tools / "ffmpeg").write_text('#!/bin/sh\necho "no such encoder" >&2\nexit 1\n')
        orrery = self.start(BINARY, "--record", self.tools / "other.mp4", "--frames", "40", prepared=False,
                            environment={"PATH": self.path})
        orrery.process.wait(60)
        self.assertEqual(orrery.process.returncode, 1)
        self.assertIn("no such encoder", orrery.said())
        self.assertFalse((self.tools / "other.mp4").exists())

    def test_without_ffmpeg_a_film_is_numbered_pictures(self):
        orrery = self.open_paused(path="/nothing" if shutil.which("ffmpeg") else os.environ["PATH"])
        orrery.settle()
        self.begin(orrery)
        self.run_for(orrery, 30)
        last = self.shown(orrery)
        orrery.key("F9")
        orrery.wait_for(lambda: orrery.shows("Show"))
        state, _ = orrery.quit()
        folder, = orrery.pictures.iterdir()
        pictures = sorted(folder.glob("*.png"))
        self.assertEqual(len(pictures), 1 + state["nbody"]["step"] / 3)
        kept = subprocess.run(["convert", pictures[-1], "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
        self.require_alike(kept, last)

    def test_a_failing_encoder_is_reported_and_another_film_can_be_made(self):
        orrery = self.open_paused()
        orrery.settle()
        whole = (self.tools / "ffmpeg").read_text()
        (self.tools / "ffmpeg").write_text('#!/bin/sh\necho "no such encoder" >&2\nexit 1\n')
        orrery.key("F9", "n")
        orrery.wait_for(lambda: any("no such encoder" in text for _, text in orrery.controls()["failures"]))
        self.assertEqual(list(orrery.pictures.glob("*")), [])
        (self.tools / "ffmpeg").write_text(whole)
        self.begin(orrery)
        orrery.key("n")
        orrery.settle()
        self.assertEqual(len(self.end(orrery)), 2)
        orrery.quit()


if __name__ == "__main__":
    unittest.main()
