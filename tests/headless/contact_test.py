#!/usr/bin/env python3
"""Bodies that merge: runs continue from states and archives with the same bits, for any burst and work-group.

usage: contact_test.py PATH-TO-ORRERY [unittest arguments]
"""
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SPHERE = ["--initial", "sphere", "--bodies", 600, "--dt", 0.02, "--softening", 0.02, "--radius", 0.3, "--device", "0:0"]
MERGE = [*SPHERE, "--contact", "merge"]


class Contact(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-contact-")))

    def nbody(self, *arguments, code=0):
        given = dict(zip(arguments[::2], arguments[1::2]))  # the last one of each option counts
        done = subprocess.run([BINARY, "nbody", *(str(word) for pair in given.items() for word in pair)], cwd=self.folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def bits(self, steps, *settings):
        self.nbody(*settings, "--steps", steps, "--out", "bits.npy")
        return (self.folder / "bits.npy").read_bytes()

    def bodies(self, steps, *settings):
        said = self.nbody(*settings, "--steps", steps, "--out", "bodies.csv").stdout
        return said, list(csv.DictReader((self.folder / "bodies.csv").read_text().splitlines()))

    def test_mass_and_the_number_of_bodies_are_accounted_for(self):
        for precision in ("single", "mixed", "double"):
            for forces in ("gather", "pairs", "tree"):
                if (precision, forces) == ("double", "tree"):
                    continue
                with self.subTest(precision=precision, forces=forces):
                    said, rows = self.bodies(120, *MERGE, "--precision", precision, "--forces", forces)
                    merged, left = map(int, re.search(r"(\d+) bodies have merged into others, (\d+) are left", said).groups())
                    gone = [row for row in rows if row["mass"].startswith("-")]
                    self.assertGreater(merged, 200)
                    self.assertEqual((merged, merged + left), (len(gone), 600))
                    self.assertTrue(all(float(row[of]) == 0 for row in gone for of in ("mass", "vx", "vy", "vz")))
                    # Each merger rounds a sum in single precision once.
                    masses = [float(row["mass"]) for row in rows]
                    self.assertLess(abs(sum(masses) - 1), 1e-13 if precision == "double" else 600 * 2**-24)
                    for of in ("vx", "vy", "vz"):
                        self.assertLess(abs(math.fsum(m * float(row[of]) for m, row in zip(masses, rows))),
                                        1e-12 if precision == "double" else 1e-4 if forces == "tree" else 2e-6)

    def test_the_bits_depend_on_no_burst_and_no_work_group(self):
        for settings in ([], ["--precision", "mixed", "--forces", "tree"], ["--integrator", "pefrl", "--contact", "bounce"]):
            with self.subTest(settings=settings):
                expected = self.bits(60, *MERGE, *settings)
                self.assertEqual(self.bits(60, *MERGE, *settings, "--burst", 7), expected)
                self.assertEqual(self.bits(60, *MERGE, *settings, "--burst", 60, "--work-group", 4), expected)

    def test_a_state_and_an_archive_lead_to_the_same_bits(self):
        for settings in ([], ["--precision", "mixed", "--forces", "tree"]):
            with self.subTest(settings=settings):
                expected = self.bits(80, *MERGE, *settings)
                self.nbody(*MERGE, *settings, "--steps", 45, "--state", "half.state", "--archive", "run.orrery")
                self.assertEqual(self.bits(80, "--resume", "half.state"), expected)
                expected = self.bits(31, *MERGE, *settings)
                self.nbody("--resume", "run.orrery", "--at-step", 31, "--out", "at.npy")
                self.assertEqual((self.folder / "at.npy").read_bytes(), expected)

    def test_a_file_of_bodies_keeps_merged_bodies(self):
        said, rows = self.bodies(80, *MERGE)
        merged = re.search(r"\d+ bodies have merged", said)[0]
        for file in ("again.csv", "again.npy"):
            self.nbody(*MERGE, "--steps", 80, "--out", file)
            settings = ["--initial", file, "--dt", 0.02, "--softening", 0.02, "--device", "0:0"]
            self.assertIn(merged, self.nbody(*settings, "--steps", 1).stdout, "without contacts")

    def test_nothing_touches_without_a_radius(self):
        passing = self.bits(40, *SPHERE)
        self.assertEqual(self.bits(40, *SPHERE, "--contact", "merge", "--radius", 0), passing)
        self.assertNotEqual(self.bits(40, *MERGE), passing)

    def test_values_out_of_range_are_refused(self):
        for wrong, named in ([["--radius", "-1"], "--radius"], [["--restitution", "1.5"], "from 0 to 1"],
                             [["--contact", "stick"], "merge"], [["--split", "2"], "one device"]):
            said = self.nbody(*MERGE, *wrong, code=2).stderr
            self.assertIn(named, said)
            self.assertIn(wrong[-1] if wrong[0] != "--split" else "merge", said)


if __name__ == "__main__":
    unittest.main()
