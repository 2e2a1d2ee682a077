#!/usr/bin/env python3
"""`orrery bench window`: the window against the headless command, with a display and without.

usage: bench_test.py PATH-TO-ORRERY [unittest arguments]
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from orrery_window import Screen, WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SMALL = ["--seconds", "0.5", "--size", "640x400"]


class Bench(WindowCase):
    def bench(self, *arguments, environment=None):
        with tempfile.TemporaryDirectory() as folder:
            surroundings = {**self.screen.environment, "XDG_STATE_HOME": folder, **(environment or {})}
            file = pathlib.Path(folder, "rows.json")
            done = subprocess.run([BINARY, "bench", "window", "--json", file, *map(str, arguments)], env=surroundings,
                                  capture_output=True, text=True, timeout=600)
            return done, json.loads(file.read_text()) if file.exists() else None

    def test_each_scene_has_its_row_with_the_promised_keys(self):
        done, document = self.bench(*SMALL, "--bodies", "500,1000", "--worlds", "argon", "--places", "minibrot")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = document["results"]
        self.assertEqual([row["name"] for row in rows], ["nbody", "nbody", "mandelbrot", "particles"])
        for row in rows:
            self.assertLessEqual({"name", "parameters", "median_seconds", "runs", "rate", "unit", "bound", "bound_reason"}, row.keys())
            self.assertGreater(row["rate"], 0)
            self.assertGreater(row["median_seconds"], 0)
            self.assertGreaterEqual(row["runs"], 1)
            self.assertIn("the headless command: orrery " + row["name"], row["bound_reason"])
            found = row["parameters"]
            self.assertAlmostEqual(found["ratio"], row["rate"] / row["bound"])
            for times in ("frame_p50_ms", "frame_p99_ms", "idle_p99_ms"):
                self.assertGreater(found[times], 0, times)
            self.assertGreater(found["device_busy"], 0)
        self.assertEqual([row["parameters"].get("bodies") for row in rows[:2]], [500, 1000])
        for row in rows[:2]:
            bodies, burst = row["parameters"]["bodies"], row["parameters"]["burst"]
            self.assertAlmostEqual(row["rate"] * row["median_seconds"], bodies * bodies, delta=1e-6 * bodies * bodies)
            self.assertGreaterEqual(burst, 1)

    def test_the_burst_may_be_given(self):
        done, document = self.bench(*SMALL, "--scenes", "nbody", "--bodies", "500", "--burst", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["parameters"]["burst"] for row in document["results"]], [3])

    def test_without_a_display_it_fails_and_says_so(self):
        bare = {key: "" for key in ("DISPLAY", "WAYLAND_DISPLAY")}
        done, document = self.bench(*SMALL, "--scenes", "nbody", environment=bare)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot open a window", done.stderr)
        self.assertIn("xvfb-run", done.stderr)
        self.assertIsNone(document)

    def test_wrong_rows_are_refused_before_a_window_opens(self):
        for wrong in (["--scenes", "life"], ["--bodies", "many"], ["--worlds", "nowhere"], ["--places", "nowhere"],
                      ["--burst", "0"], ["--seconds", "0"]):
            began = time.monotonic()
            done, document = self.bench(*wrong)
            self.assertEqual(done.returncode, 2, (wrong, done.stderr))
            self.assertIn(wrong[1], done.stderr)
            self.assertIsNone(document)
            self.assertLess(time.monotonic() - began, 30)

    def test_a_signal_ends_the_window(self):
        with tempfile.TemporaryDirectory() as folder:
            bench = subprocess.Popen([BINARY, "bench", "window", "--scenes", "nbody", "--bodies", "500", "--seconds", "300"],
                                     env={**self.screen.environment, "XDG_STATE_HOME": folder}, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True)
            self.addCleanup(lambda: bench.poll() is None and bench.kill())

            def windows():
                found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Orrery"], capture_output=True,
                                       env=self.screen.environment, text=True)
                return found.stdout.split()

            end = time.monotonic() + 60
            while not windows():
                self.assertLess(time.monotonic(), end, "no window opened")
                time.sleep(0.2)
            os.kill(bench.pid, signal.SIGTERM)
            said, _ = bench.communicate(timeout=60)
            self.assertEqual(bench.returncode, 128 + signal.SIGTERM, said)
            self.assertEqual(windows(), [])


if __name__ == "__main__":
    unittest.main()
