#!/usr/bin/env python3
"""Several devices in the window: the bodies are those of one device, and go on when a device stops working.

usage: devices_test.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from orrery_window import BODIES, Screen, WindowCase, bodies_after, bodies_of

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FAULT_LAYER = str(pathlib.Path(sys.argv.pop(1)).resolve())


class Devices(WindowCase):
    def open(self, *arguments, environment=None):
        return self.start(BINARY, "--scene", "nbody", *BODIES, *arguments, environment=environment)

    def leave(self, orrery):
        """The bodies must be those of one device after as many steps."""
        orrery.wait_for_launches(100)  # a step takes about five launches on each of two devices
        state, stats = orrery.quit()
        self.assertGreater(state["nbody"]["step"], 10)
        self.assertEqual(bodies_of(state), bodies_after(BINARY, state["nbody"]["step"]))
        return state, stats

    def test_a_split_device_computes_the_bits_of_the_whole_one(self):
        orrery = self.open("--split", "2")
        orrery.wait_until_it_moves()
        state, stats = self.leave(orrery)
        self.assertTrue(stats["device"].startswith("2 parts of "), stats["device"])
        self.assertEqual(state["window"]["split"], 2)

    def test_a_split_device_is_made_whole_while_it_computes(self):
        orrery = self.open("--split", "2")
        orrery.wait_until_it_moves()
        orrery.press("Device/Split")
        orrery.press("Device/whole")
        orrery.wait_for(lambda: not orrery.controls()["device"].startswith("2 parts of "))
        orrery.wait_until_prepared(orrery.patience)
        state, stats = self.leave(orrery)
        self.assertEqual(state["window"]["split"], 1)
        self.assertFalse(stats["device"].startswith("2 parts of "), stats["device"])

    def test_a_session_remembers_its_devices(self):
        several = {"POCL_DEVICES": "pthread pthread"}
        orrery = self.open("--device", "0:1,0:0", environment=several)
        orrery.wait_until_it_moves()
        state, stats = self.leave(orrery)
        self.assertTrue(stats["device"].startswith("2 of "), stats["device"])
        self.assertEqual(state["window"]["devices"], "0:1,0:0")
        again = self.start(BINARY, "--state", orrery.state_file, environment=several)
        again.wait_until_it_moves()
        state, stats = self.leave(again)
        self.assertTrue(stats["device"].startswith("2 of "), stats["device"])

    def goes_on_without(self, failing):
        orrery = self.open("--split", "2", environment={
            "OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": f"lost mode=device at=400 device={failing}"})
        orrery.wait_until_it_moves()
        self.wait_until_it_says(orrery, "CL_OUT_OF_RESOURCES")
        orrery.wait_until_it_moves()  # restarted if there was no backup on the host yet
        orrery.wait_until_prepared(orrery.patience)
        _, stats = self.leave(orrery)
        self.assertFalse(stats["device"].startswith("2 "), stats["device"])

    def test_the_bodies_go_on_when_the_second_device_fails(self):
        self.goes_on_without("1")

    def test_the_bodies_go_on_when_the_first_device_fails(self):
        self.goes_on_without("0")


class BenchInterop(unittest.TestCase):
    def bench(self, environment, *arguments):
        return subprocess.run([BINARY, "bench", "interop", *arguments], env=environment, capture_output=True, text=True, timeout=120)

    def test_every_burst_has_a_rate_for_copies_and_for_shared_surfaces_or_the_reason_why_not(self):
        screen = Screen()
        self.addCleanup(screen.close)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "interop.json")
            done = self.bench(screen.environment, "--bodies", "300", "--seconds", "0", "--longest", "4", "--json", file)
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = json.loads(file.read_text())["results"]
        for form in ("shared", "copied"):
            of_form = [row for row in rows if row["parameters"]["surface"] == form]
            if form == "shared" and of_form[0]["runs"] == 0:
                self.assertIn("not available here", of_form[0]["bound_reason"])
                self.assertIn("not here: ", done.stdout)
                continue
            self.assertEqual([row["parameters"]["burst"] for row in of_form], [1, 2, 4])
            for row in of_form:
                self.assertGreaterEqual(row["runs"], 3)
                self.assertAlmostEqual(row["parameters"]["steps_per_second"] * row["median_seconds"], row["parameters"]["burst"])
                self.assertEqual(row["parameters"]["bytes_copied"], 0 if form == "shared" else 300 * 32)

    def test_without_a_display_an_error_says_so(self):
        environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = self.bench(environment)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot open a window", done.stderr)


if __name__ == "__main__":
    unittest.main()
