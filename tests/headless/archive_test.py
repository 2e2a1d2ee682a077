#!/usr/bin/env python3
"""The archive of a run leads to each of its moments with the same bits, however the run ended.

usage: archive_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SIZE = ["--bodies", "300", "--device", "0:0"]
FIRST_LINE, LINE = 32, 128  # bytes


class Archive(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def nbody(self, *arguments, code=0, said=None):
        done = subprocess.run([BINARY, "nbody", *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stderr)
        if said is not None:
            self.assertIn(said, done.stderr)
        if code:
            self.assertRegex(done.stderr, r"\A(orrery: warning: [^\n]+\n)*orrery: (?!warning)[^\n]+\n\Z", "one line")
        return done

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def frames(self, name="run.orrery"):
        """Step, place and end of each state, by the format's description."""
        content, at, found = self.bytes_of(name), FIRST_LINE, []
        while at + LINE <= len(content):
            words = content[at:at + LINE].split()
            end = at + LINE + int(words[4])
            if end > len(content):
                break
            found.append((int(words[1]), at, end))
            at = end
        return found

    def directly(self, steps, *settings):
        self.nbody("--steps", steps, *settings, "--out", "direct.npy")
        return self.bytes_of("direct.npy")

    def at(self, *moment):
        self.nbody("--resume", "run.orrery", *moment, "--out", "at.npy")
        return self.bytes_of("at.npy")

    def test_each_moment_has_the_bits_of_the_run(self):
        ways = [["--integrator", integrator, "--precision", precision, "--forces", "gather"]
                for integrator in ("tutorial", "leapfrog", "yoshida4") for precision in ("single", "mixed")]
        ways += [["--forces", forces, "--precision", precision]
                 for forces, precision in (("pairs", "single"), ("tree", "single"), ("tree", "mixed"), ("gather", "double"))]
        for settings in ways:
            with self.subTest(settings=settings):
                self.nbody(*SIZE, *settings, "--steps", 70, "--burst", 3, "--archive", "run.orrery", "--archive-every", 20)
                self.assertEqual([step for step, _, _ in self.frames()], [0, 21, 42, 60, 70])
                before = self.bytes_of("run.orrery")
                for step in (0, 1, 20, 21, 59, 70, 75):
                    self.assertEqual(self.at("--at-step", step), self.directly(step, *SIZE, *settings), step)
                self.assertEqual(self.bytes_of("run.orrery"), before, "the archive stays")

    def test_a_time_means_the_nearest_step(self):
        for dt in (0.01, -0.01):
            with self.subTest(dt=dt):
                settings = [*SIZE, "--dt", dt]
                self.nbody(*settings, "--steps", 40, "--archive", "run.orrery", "--archive-every", 15)
                self.assertEqual(self.at("--at", 23.4 * dt), self.directly(23, *settings))
                self.assertEqual(self.at("--at", 0), self.directly(0, *settings))
                self.nbody("--resume", "run.orrery", "--at", -3 * dt, code=2, said="the time: expected one from t = 0 on")

    def test_a_killed_run_loses_one_interval_at_most(self):
        draw = random.Random(7)
        settings = ["--bodies", "1500", "--device", "0:0"]
        steps = 150
        expected = self.directly(steps, *settings)
        for _ in range(4):
            run = subprocess.Popen([BINARY, "nbody", *settings, "--steps", str(steps), "--archive", "run.orrery",
                                    "--archive-every", "5"], cwd=self.folder, stdout=subprocess.DEVNULL)
            while not (self.folder / "run.orrery").exists() and run.poll() is None:
                time.sleep(0.01)
            time.sleep(draw.uniform(0, 1.5))
            run.send_signal(signal.SIGKILL)
            run.wait()
            kept = self.frames()
            if not kept:
                continue
            self.assertEqual([step for step, _, _ in kept], list(range(0, kept[-1][0] + 1, 5)))
            self.nbody("--resume", "run.orrery", "--steps", steps, "--archive-every", 5, "--out", "end.npy")
            self.assertEqual(self.bytes_of("end.npy"), expected)
            self.assertEqual([step for step, _, _ in self.frames()], list(range(0, steps + 1, 5)))
            self.assertEqual(self.at("--at-step", 37), self.directly(37, *settings))
            (self.folder / "run.orrery").unlink()

    def test_a_truncated_archive_is_read_up_to_its_last_whole_state(self):
        self.nbody(*SIZE, "--steps", 30, "--archive", "whole.orrery", "--archive-every", 10)
        content, frames = self.bytes_of("whole.orrery"), self.frames("whole.orrery")
        expected = self.directly(30, *SIZE)
        _, at, end = frames[2]
        for length in (at + 1, at + LINE - 1, at + LINE, at + LINE + 1, (at + LINE + end) // 2, end - 1, end, end + 1):
            with self.subTest(length=length - at):
                (self.folder / "run.orrery").write_bytes(content[:length])
                done = self.nbody("--resume", "run.orrery", "--steps", 30, "--out", "end.npy")
                self.assertEqual(self.bytes_of("end.npy"), expected)
                self.assertEqual("an incomplete state" in done.stderr, length != end)
                self.assertEqual(self.bytes_of("run.orrery")[:at], content[:at])
                self.assertEqual(self.frames()[-1][0], 30)
        for length in (*range(0, FIRST_LINE + 1), FIRST_LINE + 1, FIRST_LINE + LINE, frames[0][2] - 1):
            (self.folder / "run.orrery").write_bytes(content[:length])
            self.nbody("--resume", "run.orrery", "--steps", 30, code=2)

    def test_damage_is_reported_and_never_computed_with(self):
        self.nbody(*SIZE, "--steps", 30, "--archive", "whole.orrery", "--archive-every", 10)
        content, frames = self.bytes_of("whole.orrery"), self.frames("whole.orrery")
        expected = self.directly(25, *SIZE)
        draw = random.Random(3)
        for _ in range(12):
            changed = bytearray(content)
            place = draw.randrange(frames[0][2], len(content))
            changed[place] ^= 1 << draw.randrange(8)
            (self.folder / "run.orrery").write_bytes(changed)
            with self.subTest(place=place):
                self.assertEqual(self.at("--at-step", 25), expected)  # continues from an undamaged state
        changed = bytearray(content)
        changed[frames[0][1] + LINE + 50] ^= 1
        (self.folder / "run.orrery").write_bytes(changed)
        self.nbody("--resume", "run.orrery", "--at-step", 5, code=2, said="run.orrery, step 0 is damaged")

    def test_wrong_sizes_are_refused(self):
        self.nbody(*SIZE, "--steps", 10, "--archive", "whole.orrery", "--archive-every", 10)
        content, (_, at, _) = self.bytes_of("whole.orrery"), self.frames("whole.orrery")[0]
        words = content[at:at + LINE].split()
        for word, value in ((3, 10**12), (4, 10**15), (4, 2**63 - 1), (1, 10**14), (3, 0), (4, 0)):
            lie = list(words)
            lie[word] = str(value).encode()
            line = b" ".join(lie).ljust(LINE - 1) + b"\n"
            (self.folder / "run.orrery").write_bytes(content[:at] + line + content[at + LINE:])
            began = time.monotonic()
            self.nbody("--resume", "run.orrery", "--at-step", 5, code=2, said="run.orrery")
            self.assertLess(time.monotonic() - began, 30)

    def test_a_run_without_a_summary_has_the_same_files(self):
        run = (*SIZE, "--forces", "tree", "--steps", 3)
        told = [self.nbody(*run, *option, "--state", name, "--diagnostics", f"{name}.csv").stdout
                for option, name in (((), "told"), (("--no-summary",), "quiet"))]
        self.assertIn("potential by the tree", told[0])
        self.assertEqual(told[1], "")
        self.assertEqual(self.bytes_of("quiet"), self.bytes_of("told"))
        self.assertEqual(self.bytes_of("quiet.csv"), self.bytes_of("told.csv"))

    def test_bad_options_are_refused(self):
        (self.folder / "text.orrery").write_text("orrery-archive 9\n")
        self.nbody(*SIZE, "--steps", 3, "--state", "run.state")
        self.nbody(*SIZE, "--steps", 3, "--archive", "run.orrery")
        for said, arguments in {
                "--at-step needs --resume": ["--at-step", 3],
                "--at needs --resume": ["--at", 0.1],
                "--at and --at-step exclude each other": ["--resume", "run.orrery", "--at", 0.1, "--at-step", 3],
                "leave out --steps": ["--resume", "run.orrery", "--at-step", 3, "--steps", 9],
                "--archive-every needs --archive": ["--archive-every", 5],
                "--archive-every: expected": ["--archive", "a.orrery", "--archive-every", -5],
                "text.orrery is not an archive of a run": ["--resume", "text.orrery", "--at-step", 2],
                "a file written by --archive": ["--resume", "run.state", "--at", 0.01],
                "does not exist": ["--archive", "nowhere/a.orrery"],
                "--at: expected a number": ["--resume", "run.orrery", "--at", "nan"],
                "--at-step: expected a whole number of 0 or more": ["--resume", "run.orrery", "--at-step", "-1"],
                "--dt: expected": ["--resume", "run.orrery", "--steps", 9, "--dt", 0.5]}.items():
            with self.subTest(said=said):
                self.nbody(*arguments, code=2, said=said)

    def test_200_states_are_kept_of_a_run_of_any_length(self):
        self.nbody("--bodies", 3, "--device", "0:0", "--steps", 3000, "--archive", "run.orrery")
        self.assertEqual([step for step, _, _ in self.frames()], list(range(0, 3001, 15)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
