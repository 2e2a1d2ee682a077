#!/usr/bin/env python3
"""The solar system in named units on the command line: a year against DE421, files that come back, resumed runs.

usage: sky_test.py PATH-TO-ORRERY PATH-TO-SOURCE [unittest arguments]
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
YEARS = ["--units", "AU-years-suns"]
KILOMETRES = ["--units", "km-s-kg"]
SUN, EARTH = 0, 3
AU = 149597870.7  # km
YEAR = 365.25 * 86400  # s


def doubles():
    devices = subprocess.run([BINARY, "devices"], text=True, capture_output=True).stdout
    return "double" in devices or "fp64" in devices


class Sky(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def nbody(self, *arguments, code=0, said=None):
        done = subprocess.run([BINARY, "nbody", *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stderr)
        if said is not None:
            self.assertIn(said, done.stdout + done.stderr)
        return done

    def rows(self, name):
        lines = [line for line in (self.folder / name).read_text().splitlines() if not line.startswith("#")]
        return [list(map(float, line.split(","))) for line in lines[1:]]

    def earth(self, name):
        rows = self.rows(name)
        return [rows[EARTH][axis] - rows[SUN][axis] for axis in (1, 2, 3)]

    def de421(self, day):
        """The Earth from the Sun in AU, by the table's row of that Julian day."""
        for line in (SOURCE / "assets/sky/de421.csv").read_text().splitlines():
            if line.startswith(f"{day:.2f},"):
                return list(map(float, line.split(",")))[1 + 12:1 + 15]
        self.fail(f"no row {day}")

    def apart(self, a, b):
        return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5

    @unittest.skipUnless(doubles(), "no double precision")
    def test_after_a_year_the_earth_is_where_de421_has_it(self):
        for units, scale, dt, tolerance in ((YEARS, 1, 2e-5, 1e-6), (KILOMETRES, AU, YEAR / 60000, 1e-6)):
            self.nbody("--initial", "solar-system", *units, "--precision", "double", "--dt", repr(dt), "--steps",
                       round((1 if units is YEARS else YEAR) / dt), "--burst", 1000, "--out", "end.csv")
            earth = [x / scale for x in self.earth("end.csv")]
            self.assertLess(self.apart(earth, self.de421(2451545 + 365.25)), tolerance)

    def test_files_of_bodies_come_back_in_their_units(self):
        self.nbody("--initial", "solar-system", "--date", "2026-01-01", *KILOMETRES, "--steps", 0, "--out", "now.csv")
        self.assertEqual((self.folder / "now.csv").read_text().splitlines()[0], "# km, s, kg")
        self.assertAlmostEqual(sum(x * x for x in self.earth("now.csv")) ** 0.5 / AU, 0.98334, delta=1e-4)
        self.nbody("--initial", "now.csv", *KILOMETRES, "--steps", 0, "--out", "again.csv")
        self.assertEqual((self.folder / "again.csv").read_bytes(), (self.folder / "now.csv").read_bytes())
        self.nbody("--initial", "now.csv", *KILOMETRES, "--steps", 1, "--diagnostics", "rows.csv",
                   said="kg·km²/s²")
        self.assertEqual((self.folder / "rows.csv").read_text().splitlines()[0], "# km, s, kg")
        self.nbody("--initial", "plummer", "--bodies", 50, "--steps", 1, "--out", "plain.csv", "--diagnostics", "plain-rows.csv")
        for name in ("plain.csv", "plain-rows.csv"):
            self.assertFalse((self.folder / name).read_text().startswith("#"), name)

    def test_resumed_runs_have_the_same_bits(self):
        belt = ["--initial", "asteroid-belt", "--bodies", 700, *YEARS, "--gravity", "1.5", "--dt", "0.001"]
        self.nbody(*belt, "--steps", 60, "--out", "whole.npy", "--diagnostics", "whole.csv")
        self.nbody(*belt, "--steps", 30, "--state", "run.state", "--diagnostics", "rows.csv")
        self.nbody("--resume", "run.state", "--steps", 60, "--out", "resumed.npy", "--diagnostics", "rows.csv")
        self.assertEqual((self.folder / "resumed.npy").read_bytes(), (self.folder / "whole.npy").read_bytes())
        self.assertEqual(self.rows("rows.csv"), self.rows("whole.csv"))
        self.nbody(*belt, "--steps", 60, "--archive", "run.orrery", "--archive-every", 20)
        self.nbody("--resume", "run.orrery", "--at-step", 60, "--out", "archived.npy")
        self.assertEqual((self.folder / "archived.npy").read_bytes(), (self.folder / "whole.npy").read_bytes())
        self.nbody("--resume", "run.state", "--steps", 60, "--units", "none", code=2, said="--units")

    def test_several_devices_share_test_particles(self):
        self.nbody("--initial", "asteroid-belt", "--bodies", 900, *YEARS, "--steps", 20, "--split", 2, "--speed-up",
                   said="bit-identical")

    def test_wrong_input_is_refused(self):
        for arguments, said in ((["--date", "2060-01-01"], "--date: expected YYYY-MM-DD"),
                                (["--date", "today"], "--date: expected YYYY-MM-DD"),
                                (["--units", "miles"], "--units: expected none | AU-years-suns | km-s-kg"),
                                (["--gravity", "-1"], "--gravity: expected a number from 0"),
                                (["--bodies", "18"], "--bodies: expected auto or 17")):
            self.nbody("--initial", "solar-system", *arguments, code=2, said=said)


if __name__ == "__main__":
    unittest.main()
