#!/usr/bin/env python3
"""Individual time steps: the scheme, its accuracy, and its bits for any burst and work-group.

usage: individual_steps_test.py PATH-TO-ORRERY [unittest arguments]
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
PLUMMER = ["--initial", "plummer", "--bodies", 700, "--dt", 0.1, "--softening", 0.01, "--device", "0:0", "--step-accuracy", 0.15]
INDIVIDUAL = ["--time-steps", "individual"]
# A heavy body, a close pair around it, a light body without a partner, and a test particle.
FEW = [(1, 0, 0, 0, 0, -0.002, 0), (0.01, 1, 0.02, 0, -0.4, 1, 0), (0.01, 1, -0.02, 0, 0.4, 1, 0.1), (0.001, -2.5, 0, 0.3, 0, -0.6, 0),
       (0, 0, 0.4, 0, 1.4, 0, 0.3)]
# Nearly circular orbits: no body changes its level.
RINGS = [(1, 0, 0, 0, 0, 0, 0)] + [(1e-9, r, 0, 0, 0, math.sqrt(r**2 / (r**2 + 1e-4)**1.5), 0) for r in (0.3, 0.7, 1.5, 4)]


def accelerations(bodies, places, softening):
    """The acceleration and the potential of each body at these positions, in double."""
    rows = []
    for i, (x, y, z) in enumerate(places):
        sums = [0.0] * 4
        for j, other in enumerate(places):
            if i == j:
                continue
            d = [other[0] - x, other[1] - y, other[2] - z]
            r = math.sqrt(sum(u * u for u in d) + softening**2)
            for k in range(3):
                sums[k] += bodies[j][0] * d[k] / r**3
            sums[3] -= bodies[j][0] / r
        rows.append(sums)
    return rows


def level(mass, a, dt, accuracy, softening):
    pull = math.hypot(*a[:3])
    length = softening or max(math.sqrt(mass / pull), 0.1 * -a[3] / pull)
    longest = accuracy * math.sqrt(length / pull)
    return max(0, math.ceil(math.log2(abs(dt) / longest)))


def moved(bodies, dt, steps, accuracy, softening):
    """The bodies after `steps` steps of dt. Times are whole numbers of dt/2^20."""
    whole = 2**20
    count = len(bodies)
    x, v = [list(b[1:4]) for b in bodies], [list(b[4:]) for b in bodies]
    a = accelerations(bodies, x, softening)

    def kick(i, duration):
        for k in range(3):
            v[i][k] += duration * a[i][k]

    for _ in range(steps):
        begun, step = [0] * count, [0] * count
        for i in range(count):
            step[i] = whole >> level(bodies[i][0], a[i], dt, accuracy, softening)
            kick(i, dt * step[i] / whole / 2)
        while min(begun) < whole:
            now = min(b + s for b, s in zip(begun, step))
            places = [[x[i][k] + v[i][k] * dt * (now - begun[i]) / whole for k in range(3)] for i in range(count)]
            field = accelerations(bodies, places, softening)
            for i in range(count):
                if begun[i] + step[i] != now:
                    continue
                x[i], a[i], begun[i] = places[i], field[i], now
                kick(i, dt * step[i] / whole / 2)
                if now < whole:
                    wanted = whole >> level(bodies[i][0], a[i], dt, accuracy, softening)
                    if wanted > step[i] and softening:
                        wanted = max(step[i], whole >> level(bodies[i][0], a[i], dt, accuracy / math.sqrt(2), softening))
                    while now % wanted:
                        wanted //= 2
                    step[i] = wanted
                    kick(i, dt * step[i] / whole / 2)
    return [(b[0], *x[i], *v[i]) for i, b in enumerate(bodies)]


class IndividualSteps(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-steps-")))

    def nbody(self, *arguments, code=0):
        given = dict(zip(arguments[::2], arguments[1::2]))  # the last one of each option counts
        done = subprocess.run([BINARY, "nbody", *(str(word) for pair in given.items() for word in pair)], cwd=self.folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def bits(self, steps, *settings):
        self.nbody(*settings, "--steps", steps, "--out", "bits.npy")
        return (self.folder / "bits.npy").read_bytes()

    def after(self, bodies, *settings):
        lines = ["mass,x,y,z,vx,vy,vz"] + [",".join(repr(float(value)) for value in row) for row in bodies]
        (self.folder / "first.csv").write_text("\n".join(lines) + "\n")
        self.nbody("--initial", "first.csv", "--precision", "double", "--device", "0:0", *INDIVIDUAL, *settings, "--out", "last.csv")
        return [tuple(map(float, row)) for row in list(csv.reader((self.folder / "last.csv").read_text().splitlines()))[1:]]

    def energy_error(self, *settings):
        said = self.nbody(*settings).stdout
        each = re.search(r"([\d.e+-]+) evaluations? of the field", said)
        return float(re.search(r"off by ([\d.e+-]+)", said)[1]), float(each[1]) if each else 1

    def assert_close(self, bodies, expected, most):
        for row, wanted in zip(bodies, expected, strict=True):
            for value, right in zip(row, wanted, strict=True):
                self.assertLess(abs(value - right), most * (1 + abs(right)))

    def test_the_bodies_follow_the_scheme(self):
        for softening in (0.01, 0):
            for dt in (0.125, -0.125):
                with self.subTest(softening=softening, dt=dt):
                    settings = ["--dt", dt, "--steps", 6, "--step-accuracy", 0.1, "--softening", softening]
                    self.assert_close(self.after(FEW, *settings), moved(FEW, dt, 6, 0.1, softening), 1e-11)

    def test_half_the_step_gives_a_quarter_of_the_error(self):
        def last(accuracy):
            return self.after(FEW[:4], "--dt", 0.25, "--steps", 4, "--step-accuracy", accuracy, "--softening", 0.01)

        right = last(0.0005)
        errors = [math.dist(last(accuracy)[0][1:4], right[0][1:4]) for accuracy in (0.016, 0.008)]
        self.assertGreater(errors[0] / errors[1], 2.5)
        self.assertLess(errors[0] / errors[1], 7)

    def test_steps_that_do_not_change_are_undone_backwards(self):
        settings = ["--softening", 0.01, "--steps", 40, "--step-accuracy", 0.3]
        forth = self.after(RINGS, *settings, "--dt", 0.5)
        self.assertGreater(math.dist(forth[1][1:4], RINGS[1][1:4]), 0.05)
        self.assert_close(self.after(forth, *settings, "--dt", -0.5), RINGS, 1e-11)

    def test_a_cluster_keeps_its_energy_with_a_fraction_of_the_evaluations(self):
        cluster = ["--initial", "plummer", "--bodies", 512, "--softening", 0.002, "--precision", "double", "--device", "0:0"]
        own, each = self.energy_error(*cluster, *INDIVIDUAL, "--dt", 0.125, "--steps", 8, "--burst", 8, "--step-accuracy", 0.1)
        steps = math.ceil(8 * each)
        shared, _ = self.energy_error(*cluster, "--dt", 1 / steps, "--steps", steps, "--burst", steps)
        self.assertLess(10 * own, shared)

    def test_the_bits_depend_on_no_burst_and_no_work_group(self):
        for settings in (["--precision", "single"], ["--precision", "double"], ["--precision", "mixed", "--forces", "tree"],
                         ["--precision", "mixed", "--softening", 0]):
            with self.subTest(settings=settings):
                settings = [*PLUMMER, *INDIVIDUAL, *settings]
                expected = self.bits(14, *settings)
                self.assertEqual(self.bits(14, *settings, "--burst", 7), expected)
                self.assertEqual(self.bits(14, *settings, "--burst", 64, "--work-group", 4), expected)

    def test_a_state_and_an_archive_lead_to_the_same_bits(self):
        for settings in ([], ["--precision", "mixed", "--forces", "tree"], ["--precision", "double", "--softening", 0]):
            with self.subTest(settings=settings):
                settings = [*PLUMMER, *INDIVIDUAL, *settings]
                expected = self.bits(21, *settings)
                self.nbody(*settings, "--steps", 9, "--state", "half.state", "--archive", "run.orrery")
                self.assertEqual(self.bits(21, "--resume", "half.state"), expected)
                expected = self.bits(5, *settings)
                self.nbody("--resume", "run.orrery", "--at-step", 5, "--out", "at.npy")
                self.assertEqual((self.folder / "at.npy").read_bytes(), expected)

    def test_long_steps_for_all_are_the_shared_ones(self):
        settings = [*PLUMMER, "--precision", "double", "--dt", 0.001, "--step-accuracy", 10]
        error, each = self.energy_error(*settings, *INDIVIDUAL, "--steps", 20)
        self.assertEqual(each, 1)
        self.assertEqual(error, self.energy_error(*settings, "--steps", 20)[0])

    def test_options_that_exclude_individual_steps_are_refused(self):
        for wrong in (["--integrator", "yoshida4"], ["--contact", "merge"], ["--forces", "pairs"]):
            said = self.nbody(*PLUMMER, *INDIVIDUAL, *wrong, code=2).stderr
            self.assertIn(wrong[0] + ": expected ", said)
            self.assertIn("with --time-steps individual", said)
        self.assertIn("step-accuracy", self.nbody(*PLUMMER, *INDIVIDUAL, "--step-accuracy", 0, code=2).stderr)


if __name__ == "__main__":
    unittest.main()
