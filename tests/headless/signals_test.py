#!/usr/bin/env python3
"""A signal ends each command in order: its results are in complete files, and it says where it ended.

usage: signals_test.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [unittest arguments]
"""
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FAULT_LAYER = str(pathlib.Path(sys.argv.pop(1)).resolve())
BODIES = ["nbody", "--bodies", "300", "--initial", "plummer", "--burst", "10"]


class Case(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def start(self, *arguments, **environment):
        process = self.process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, **environment))
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_for(self, condition, seconds=60):
        until = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), until, "it has not come to that")
            self.assertIsNone(self.process.poll(), "it has ended")
            time.sleep(0.02)

    def lines_of(self, name):
        file = self.folder / name
        return file.read_text().count("\n") if file.exists() else 0

    def leftovers(self):
        return [file.name for file in self.folder.iterdir() if ".part" in file.name or ".probe" in file.name]

    def end(self, process, number, seconds=30):
        """(exit code, the last line on standard error); the answer to the signal may precede it."""
        process.send_signal(number)
        _, said = process.communicate(timeout=seconds)
        *answers, last = said.splitlines(keepends=True)
        self.assertLessEqual(len(answers), 1, said)
        for answer in answers:
            self.assertRegex(answer, r"^orrery \w+: the command ends after the current [a-z ]+; press Ctrl\+C again to end it now$")
        return process.returncode, last


class Runs(Case):
    def whole_rows(self, name):
        text = (self.folder / name).read_text()
        self.assertTrue(text.endswith("\n"))
        rows = list(csv.reader(text.splitlines()))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        return rows[1:]

    def test_bodies_end_after_a_burst_with_the_files_of_a_run_of_as_many_steps(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]:
            with self.subTest(number):
                files = ["--out", "end.csv", "--diagnostics", "energy.csv"]
                run = self.start(*BODIES, "--steps", "100000000", *files)
                self.wait_for(lambda: self.lines_of("energy.csv") > 3)
                ended, said = self.end(run, number)
                self.assertEqual(ended, code, said)
                step = int(re.search(rf"orrery: ended by {number.name} at step (\d+) of 100000000; end.csv and energy.csv hold",
                                     said).group(1))
                self.assertEqual(self.leftovers(), [])
                kept = [(self.folder / name).read_text() for name in ("end.csv", "energy.csv")]
                self.assertEqual(int(self.whole_rows("energy.csv")[-1][0]), step)
                self.assertEqual(self.start(*BODIES, "--steps", str(step), *files).wait(timeout=60), 0)
                self.assertEqual([(self.folder / name).read_text() for name in ("end.csv", "energy.csv")], kept)
                for name in ("end.csv", "energy.csv"):
                    (self.folder / name).unlink()

    def test_particles_end_after_a_burst_and_go_on_from_there(self):
        run = self.start("particles", "salt", "--steps", "100000000", "--burst", "5", "--out", "end.toml",
                         "--diagnostics", "rows.csv")
        self.wait_for(lambda: self.lines_of("rows.csv") > 2)
        code, said = self.end(run, signal.SIGTERM)
        self.assertEqual(code, 143, said)
        step = int(re.search(r"ended by SIGTERM at step (\d+) of 100000000; end.toml and rows.csv hold", said).group(1))
        self.assertEqual(int(self.whole_rows("rows.csv")[-1][0]), step)
        again = self.start("particles", "end.toml", "--steps", "1")
        self.assertEqual(again.wait(timeout=60), 0, again.stderr.read())

    def test_a_long_burst_is_cut_short_at_a_whole_step(self):
        for integrator in ("leapfrog", "yoshida4"):
            with self.subTest(integrator):
                given = ["nbody", "--bodies", "1500", "--initial", "plummer", "--integrator", integrator, "--out", "end.csv", "--diagnostics",
                         "energy.csv"]
                inside = self.folder / f"inside-{integrator}"  # during the first burst, this number of launches later
                run = self.start(*given, "--steps", "100000000", "--burst", "100000", OPENCL_LAYERS=FAULT_LAYER,
                                 ORRERY_FAULTS="delay at=100 ms=1", ORRERY_FAULT_LOG=str(inside))
                self.wait_for(inside.exists)
                code, said = self.end(run, signal.SIGINT)
                self.assertEqual(code, 130, said)
                step = int(re.search(r"at step (\d+) of 100000000", said).group(1))
                self.assertGreater(step, 0)
                kept = [(self.folder / name).read_text() for name in ("end.csv", "energy.csv")]
                again = self.start(*given, "--steps", str(step), "--burst", str(step))
                self.assertEqual(again.wait(timeout=60), 0)
                self.assertEqual([(self.folder / name).read_text() for name in ("end.csv", "energy.csv")], kept)
                for name in ("end.csv", "energy.csv"):
                    (self.folder / name).unlink()

    def test_the_second_signal_ends_at_once(self):
        struck = self.folder / "struck"
        run = self.start(*BODIES, "--steps", "1000", "--out", "end.csv", "--diagnostics", "energy.csv",
                         OPENCL_LAYERS=FAULT_LAYER, ORRERY_FAULTS="hang at=200", ORRERY_PATIENCE="100",
                         ORRERY_FAULT_LOG=str(struck))
        self.wait_for(struck.exists)
        run.send_signal(signal.SIGINT)
        self.assertIn("the command ends after the current step", run.stderr.readline())
        self.assertIsNone(run.poll(), "the burst is not over")
        code, said = self.end(run, signal.SIGINT, 5)
        self.assertEqual(code, 130)
        self.assertIn("orrery nbody: ended by SIGINT; no half-written file is left", said)
        self.assertFalse((self.folder / "end.csv").exists())
        self.assertEqual(self.leftovers(), [])
        self.whole_rows("energy.csv")

    def test_a_signal_is_answered_while_the_work_goes_on(self):
        struck = self.folder / "struck"
        run = self.start(*BODIES, "--steps", "1000", "--diagnostics", "energy.csv", OPENCL_LAYERS=FAULT_LAYER,
                         ORRERY_FAULTS="hang at=200", ORRERY_PATIENCE="100", ORRERY_FAULT_LOG=str(struck))
        self.wait_for(struck.exists)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.stderr.readline(), "orrery nbody: the command ends after the current step; press Ctrl+C again to end it now\n")
        self.assertEqual(self.end(run, signal.SIGTERM, 5)[0], 143)

    def test_a_signal_while_kernels_are_compiled_ends_at_once(self):
        for command in (BODIES, ["particles", "argon"]):
            for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGQUIT, -signal.SIGQUIT)]:
                cache = self.folder / f"cache-{command[0]}-{number}"
                run = self.start(*command, "--steps", "100000000", POCL_CACHE_DIR=str(cache), XDG_CACHE_HOME=str(cache))
                self.wait_for(lambda: list(cache.rglob("*/*")))
                run.send_signal(number)
                _, said = run.communicate(timeout=10)
                self.assertEqual(run.returncode, code, said)
                self.assertEqual(said, "" if code < 0 else f"orrery {command[0]}: ended by {signal.Signals(number).name}; "
                                 "no half-written file is left\n")

    def test_a_killed_run_leaves_whole_rows(self):
        for _ in range(5):
            run = self.start(*BODIES, "--steps", "100000000", "--diagnostics", "energy.csv")
            self.wait_for(lambda: self.lines_of("energy.csv") > 5)
            run.kill()
            run.wait()
            rows = self.whole_rows("energy.csv")
            self.assertEqual([int(row[0]) for row in rows], [10 * k for k in range(len(rows))])
            (self.folder / "energy.csv").unlink()

    def test_rows_that_find_their_file_removed_are_a_failure(self):
        run = self.start(*BODIES, "--steps", "100000000", "--diagnostics", "energy.csv")
        self.wait_for(lambda: self.lines_of("energy.csv") > 2)
        (self.folder / "energy.csv").unlink()
        code, said = self.end(run, signal.SIGINT)
        self.assertEqual(code, 1, said)
        self.assertIn("energy.csv", said)
        self.assertIn("it was removed or replaced", said)

    def test_a_failure_on_the_way_keeps_the_rows_before_it(self):
        (self.folder / "fast.csv").write_text("mass,x,y,z,vx,vy,vz\n1,0,0,0,1.5e36,0,0\n1,0,0,1,0,0,0\n1,0,1,0,0,0,0\n")
        run = self.start("nbody", "--initial", "fast.csv", "--dt", "1", "--steps", "1000", "--burst", "50", "--diagnostics",
                         "energy.csv", "--precision", "single")
        _, said = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1, said)
        self.assertEqual([int(row[0]) for row in self.whole_rows("energy.csv")], [0, 50, 100, 150, 200])

    def test_a_sweep_of_the_tuner_continues_where_a_signal_ended_it(self):
        state = {"XDG_STATE_HOME": str(self.folder)}
        run = self.start("tune", "nbody", "--bodies", "512", "--budget", "600", **state)
        self.wait_for(lambda: (self.folder / "orrery" / "tuning.toml").exists())
        code, said = self.end(run, signal.SIGINT, 60)
        self.assertEqual(code, 130, said)
        self.assertRegex(said, r"ended by SIGINT after \d+ candidates; repeat the command to continue")
        again = self.start("tune", "nbody", "--bodies", "512", "--budget", "0.1", **state)
        printed, said = again.communicate(timeout=120)
        self.assertEqual(again.returncode, 0, said)
        self.assertIn("continuing from the results", printed)

    def test_a_benchmark_reports_its_measurements_so_far(self):
        run = self.start("bench", "nbody", "--bodies", "64,128,256,20000", "--precision", "single", "--seconds", "2", "--no-baselines",
                         "--json", "rows.json")
        time.sleep(4)
        code, said = self.end(run, signal.SIGTERM, 60)
        self.assertEqual(code, 143, said)
        count = int(re.search(r"ended by SIGTERM after (\d+) measurements", said).group(1))
        self.assertEqual((self.folder / "rows.json").exists(), count > 0)
        if count > 0:
            self.assertEqual(len(json.loads((self.folder / "rows.json").read_text())["results"]), count)


class Pictures(Case):
    def test_an_interrupted_picture_leaves_no_file(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]:
            run = self.start("mandelbrot", "--center", "-0.1", "0", "--span", "0.2", "--size", "20000x20000", "--iterations",
                             "100000000", "--out", "half.png")
            self.wait_for(self.leftovers)
            ended, said = self.end(run, number)
            self.assertEqual((ended, list(self.folder.iterdir())), (code, []))
            self.assertEqual(said, f"orrery mandelbrot: ended by {number.name}; no half-written file is left\n")


class Films(Case):
    FILM = ["mandelbrot", "--size", "160x160", "--span", "1", "--iterations", "60", "--zoom-from", "3", "--seconds", "0.2"]
    # A frame is larger than a pipe holds.
    COPY = 'for last; do :; done\ncat > "${last#file:}"\n'

    def film(self, script, *arguments, **environment):
        (self.folder / "bin").mkdir(exist_ok=True)
        ffmpeg = self.folder / "bin" / "ffmpeg"
        ffmpeg.write_text("#!/bin/sh\n" + script)
        ffmpeg.chmod(0o755)
        return self.start(*self.FILM, *arguments, PATH=f"{ffmpeg.parent}:{os.environ['PATH']}", **environment)

    def made(self, script, *arguments, **environment):
        process = self.film(script, *arguments, **environment)
        _, said = process.communicate(timeout=60)
        return process.returncode, said

    def test_files_beside_the_film_are_not_touched(self):
        target = self.folder / "target.txt"
        target.write_text("precious")
        (self.folder / "zoom.part.mp4").symlink_to(target)
        (self.folder / "film.part.mp4").write_text("precious")
        for name in ("zoom.mp4", "film.mp4"):
            code, said = self.made(self.COPY, "--out", name)
            self.assertEqual((code, (self.folder / name).stat().st_size), (0, 6 * 160 * 160 * 3), said)
            self.assertFalse((self.folder / name).is_symlink())
        self.assertEqual([target.read_text(), (self.folder / "film.part.mp4").read_text()], ["precious"] * 2)
        self.assertTrue((self.folder / "zoom.part.mp4").is_symlink())

    def test_any_file_name_works(self):
        for name in ("-y.mp4", "http:foo.mp4", "pipe:1.mp4", "%d.mp4", "a b.mkv", "ü.webm"):
            code, said = self.made('printf "%s\\n" "$@" > arguments.txt\n' + self.COPY, f"--out={name}")
            self.assertEqual((code, (self.folder / name).stat().st_size), (0, 6 * 160 * 160 * 3), said)
            *_, kind, form, last = (self.folder / "arguments.txt").read_text().splitlines()
            self.assertRegex(last, "^file:" + re.escape(str(self.folder / name)) + r"\.\d+-\d+\.part$")
            self.assertEqual((kind, form), ("-f", {".mp4": "mp4", ".mkv": "matroska", ".webm": "webm"}[pathlib.Path(name).suffix]))

    def test_invalid_films_are_refused_before_anything_is_computed(self):
        for name in ("a.txt", "a.sh", "a.png", "a."):
            code, said = self.made(self.COPY, "--out", name)
            self.assertEqual(code, 2, said)
            self.assertIn(name, said)
            self.assertIn(".mkv", said)

    def test_the_reason_of_a_failure_of_ffmpeg_is_one_line(self):
        for script in ('echo "Unknown encoder" >&2\nexit 3\n', 'cat > /dev/null\necho noise\necho "Unknown encoder" >&2\nexit 3\n'):
            code, said = self.made(script, "--out", "zoom.mp4")
            self.assertEqual((code, said.count("\n")), (1, 1), said)
            self.assertIn("ffmpeg failed with exit code 3: Unknown encoder", said)
            self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["bin"])

    def test_the_lines_of_ffmpeg_are_not_among_those_of_orrery(self):
        code, said = self.made('yes "a line of its own" | head -n 100000 >&2\n' + self.COPY, "--out", "zoom.mp4")
        self.assertEqual((code, said), (0, ""))

    def test_an_ffmpeg_that_hangs_is_given_up(self):
        for script, reason in [("sleep 100", "read nothing for 1.5 s"), ("cat > /dev/null; sleep 100", "did not end within 6 s")]:
            code, said = self.made(f"echo $$ > pid\n{script}\n", "--out", "zoom.mp4", ORRERY_PATIENCE="0.05")
            self.assertEqual(code, 1, said)
            self.assertIn(reason, said)
            self.assertFalse(pathlib.Path("/proc", (self.folder / "pid").read_text().strip()).exists())
            self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["bin", "pid"])
            (self.folder / "pid").unlink()

    def test_a_signal_ends_a_film_whose_ffmpeg_hangs(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]:
            began = self.folder / f"began-{number}"
            run = self.film(f"touch {began}\nexec sleep 100\n", "--out", "zoom.mp4")
            self.wait_for(began.exists)
            self.wait_for(self.leftovers)
            ended, said = self.end(run, number, 5)
            self.assertEqual((ended, self.leftovers()), (code, []), said)


class Crashes(Case):
    def test_a_command_that_crashes_says_so(self):
        for mode, name in [("address", "SIGSEGV"), ("abort", "SIGABRT"), ("stack", "SIGSEGV")]:
            run = self.start(*BODIES, "--steps", "1000", "--diagnostics", "energy.csv", "--out", "end.csv",
                             OPENCL_LAYERS=FAULT_LAYER, ORRERY_FAULTS=f"crash at=100 mode={mode}")
            _, said = run.communicate(timeout=60)
            if "AddressSanitizer" in said:
                self.skipTest("a sanitizer tells of crashes itself")
            self.assertEqual(-run.returncode, getattr(signal, name), said)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn(f"orrery nbody: ended by {name}", said)
            self.assertEqual(self.leftovers(), [])
            self.assertGreater(self.lines_of("energy.csv"), 2)


if __name__ == "__main__":
    unittest.main()
