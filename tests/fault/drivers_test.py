#!/usr/bin/env python3
"""A driver that crashes or hangs while devices are listed is named; the others' devices work.

usage: drivers_test.py PATH-TO-ORRERY PATH-TO-BAD-DRIVER [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
BAD_DRIVER = str(pathlib.Path(sys.argv.pop(1)).resolve())
INSTALLED = pathlib.Path(os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"))


class Drivers(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.vendors = self.folder / "vendors"
        self.vendors.mkdir()
        for file in INSTALLED.glob("*.icd"):
            (self.vendors / file.name).write_text(file.read_text())

    def devices(self, mode, seconds="15"):
        """(usable devices, faults of platforms by name, seconds it took)"""
        began = time.monotonic()
        done = subprocess.run([BINARY, "devices", "--json"], capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env=dict(os.environ, OCL_ICD_VENDORS=str(self.vendors), XDG_STATE_HOME=str(self.folder),
                                       ORRERY_BAD_DRIVER=mode, ORRERY_DRIVER_SECONDS=seconds))
        self.assertEqual(done.returncode, 0, done.stderr)
        platforms = json.loads(done.stdout)["platforms"]
        usable = [device["name"] for platform in platforms for device in platform["devices"] if not device.get("fault")]
        faults = {platform["name"]: platform["fault"] for platform in platforms if platform.get("fault")}
        return usable, faults, time.monotonic() - began

    def compute(self, mode, seconds="15"):
        """A headless command: (standard error, seconds it took)."""
        began = time.monotonic()
        done = subprocess.run([BINARY, "nbody", "--bodies", "20", "--steps", "1"], capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env=dict(os.environ, OCL_ICD_VENDORS=str(self.vendors), XDG_STATE_HOME=str(self.folder),
                                       ORRERY_BAD_DRIVER=mode, ORRERY_DRIVER_SECONDS=seconds))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr, time.monotonic() - began

    def install_the_bad_one(self):
        (self.vendors / "bad.icd").write_text(BAD_DRIVER + "\n")

    def test_a_driver_that_crashes_is_named_and_the_others_work(self):
        good, faults, _ = self.devices("crash")
        self.assertEqual(faults, {})
        self.assertGreater(len(good), 0, "no driver to test with")
        self.install_the_bad_one()
        usable, faults, _ = self.devices("crash")
        self.assertEqual(usable, good)
        self.assertEqual(list(faults), ["the driver bad.icd"])
        self.assertIn("crashed", faults["the driver bad.icd"])

    def test_a_driver_that_hangs_is_named_once_the_time_is_up_and_remembered(self):
        self.install_the_bad_one()
        usable, faults, first = self.devices("hang", "3")
        self.assertGreater(len(usable), 0)
        self.assertIn("did not answer within 3 s", faults["the driver bad.icd"])
        again, faults, second = self.devices("hang", "3")
        self.assertEqual(again, usable)
        self.assertIn("did not answer", faults["the driver bad.icd"])
        self.assertGreater(first, 3)
        self.assertLess(second, 3)  # it was not asked again

    def test_headless_commands_leave_a_bad_driver_out_and_name_it(self):
        self.compute("well")
        self.install_the_bad_one()
        said, first = self.compute("hang", "3")
        self.assertIn("the driver bad.icd: it did not answer within 3 s", said)
        self.assertGreater(first, 3)

    def test_a_trusted_driver_that_crashes_later_does_so_once(self):
        self.install_the_bad_one()
        self.compute("well")
        with self.assertRaises(AssertionError):  # nobody has looked
            self.compute("crash")
        self.assertIn("the driver bad.icd: it crashed", self.compute("crash")[0])

    def test_a_driver_that_has_changed_is_tried_again(self):
        self.install_the_bad_one()
        self.assertIn("the driver bad.icd", self.devices("crash")[1])
        (self.vendors / "bad.icd").write_text(BAD_DRIVER + "\n\n")
        self.assertEqual(self.devices("well")[1], {})

    def test_where_every_driver_crashes_there_is_no_device_and_no_crash(self):
        for file in self.vendors.glob("*.icd"):
            file.unlink()
        self.install_the_bad_one()
        usable, faults, _ = self.devices("crash")
        self.assertEqual(usable, [])
        self.assertEqual(list(faults), ["the driver bad.icd"])


if __name__ == "__main__":
    unittest.main()
