#!/usr/bin/env python3
"""The file of --trace is checked against the statistics, the frames and the wall clock.

usage: trace_test.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [unittest arguments]
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

from orrery_window import WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FAULT_LAYER = str(pathlib.Path(sys.argv.pop(1)).resolve())
RECENT = 512  # launches in the statistics' medians
QUEUES = 2    # the trace's process with the queues


class Trace(WindowCase):
    def traced(self, *arguments, environment=None, launches=100):
        """(trace, statistics, upper bound of the run's seconds)"""
        began = time.monotonic()
        orrery = self.start(BINARY, "--size", "640x480", "--trace", "trace.json", *arguments, environment=environment)
        orrery.wait_for_launches(launches)
        orrery.catch_up()
        _, stats = orrery.quit()
        took = time.monotonic() - began
        trace = json.loads((orrery.folder / "trace.json").read_text())
        self.assertEqual(trace["otherData"]["older_spans_lost"], 0, "run for less time")
        return trace, stats, took

    def spans(self, trace, process=None):
        return [e for e in trace["traceEvents"] if e["ph"] == "X" and process in (None, e["pid"])]

    def check(self, trace, stats, took):
        frames = {e["args"]["frame"]: (e["ts"], e["ts"] + e["dur"]) for e in self.spans(trace) if e["name"] == "frame"}
        self.assertGreater(len(frames), 5)
        lanes = trace["otherData"]["lanes"]
        launches, last_end, inside = {}, {}, 0
        for span in self.spans(trace):
            self.assertGreaterEqual(span["ts"], 0)
            self.assertLessEqual(span["ts"] + span["dur"], took * 1e6)
            if span["pid"] != QUEUES:
                continue
            error = lanes[span["tid"]]["clock_error_us"]
            self.assertLess(error, 1000, "the clocks agree to a millisecond")
            self.assertGreaterEqual(span["ts"], last_end.get(span["tid"], 0) - 0.0015, "an in-order queue runs one at a time")
            last_end[span["tid"]] = span["ts"] + span["dur"]
            launches.setdefault(span["name"], []).append(span["dur"])
            waited = span["args"]["queued_to_submitted_us"] + span["args"]["submitted_to_running_us"]
            if span["args"]["frame"] in frames:  # enqueued in that frame
                begin, end = frames[span["args"]["frame"]]
                self.assertGreaterEqual(span["ts"] - waited, begin - error - 0.01)
                self.assertLessEqual(span["ts"] - waited, end + error + 0.01)
                inside += 1
        self.assertGreater(inside, 10)
        self.assertEqual({k["name"]: k["launches"] for k in stats["kernels"]}, {n: len(d) for n, d in launches.items()})
        for kernel in stats["kernels"]:
            if kernel["first_launches"] == 1 and kernel["launches"] > 1:
                durations = launches[kernel["name"]][1:][-RECENT:]
                self.assertAlmostEqual(statistics.median(durations), kernel["median_us"], delta=0.002)

    def test_the_trace_of_both_scenes_agrees_with_the_statistics_and_the_frames(self):
        self.check(*self.traced("--scene", "nbody", "--bodies", 512))
        self.check(*self.traced("--scene", "mandelbrot", launches=20))

    def test_phases_of_the_window_thread_lie_in_their_frames(self):
        trace, _, _ = self.traced("--scene", "nbody", "--bodies", 64)
        frames = {e["args"]["frame"]: (e["ts"], e["ts"] + e["dur"]) for e in self.spans(trace) if e["name"] == "frame"}
        phases = {}
        for span in self.spans(trace, 1):
            if span["name"] == "frame" or span["args"]["frame"] not in frames:
                continue
            begin, end = frames[span["args"]["frame"]]
            self.assertGreaterEqual(span["ts"], begin - 0.001)
            self.assertLessEqual(span["ts"] + span["dur"], end + 0.001)
            phases[span["args"]["frame"]] = phases.get(span["args"]["frame"], ()) + (span["name"],)
        drawn, left_out = ("wait", "input", "update", "size", "draw", "panels", "hold", "present"), ("wait", "input", "update", "wait")
        self.assertIn(drawn, phases.values())
        self.assertLessEqual(set(phases.values()), {drawn, left_out})

    def test_passes_of_opengl_are_timed_in_their_order(self):
        for scene, passes in (("nbody", {"bodies", "glow", "tone map", "panels"}), ("mandelbrot", {"colour", "compose", "panels"})):
            trace, _, took = self.traced("--scene", scene, launches=20)
            lane = next(i for i, lane in enumerate(trace["otherData"]["lanes"]) if lane["name"] == "OpenGL")
            error, untimed = (trace["otherData"]["lanes"][lane][key] for key in ("clock_error_us", "untimed"))
            spans = self.spans(trace, 3)
            if not spans:
                self.assertGreater(untimed, 0)  # a driver without a clock
                continue
            self.assertLessEqual(passes, {span["name"] for span in spans})
            frames = {e["args"]["frame"]: e["ts"] for e in self.spans(trace) if e["name"] == "frame"}
            last_end = 0
            for span in spans:
                self.assertGreaterEqual(span["ts"], last_end - 2 * error)
                last_end = span["ts"] + span["dur"]
                self.assertLessEqual(last_end, took * 1e6)
                if span["args"]["frame"] in frames:
                    self.assertGreaterEqual(span["ts"], frames[span["args"]["frame"]] - error)

    def test_stamps_of_zero_are_no_bars_and_no_numbers(self):
        environment = {"OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": "stamps mode=zero"}
        trace, stats, _ = self.traced("--scene", "nbody", "--bodies", 512, environment=environment)
        self.assertEqual(self.spans(trace, QUEUES), [])
        queue = next(lane for lane in trace["otherData"]["lanes"] if lane["untimed"] > 0)
        self.assertIsNone(queue["clock_error_us"])
        self.assertGreater(len(self.spans(trace, 1)), 10)
        self.assertEqual(sum(k["launches"] for k in stats["kernels"]), queue["untimed"])
        for kernel in stats["kernels"]:
            self.assertEqual(kernel["untimed"], kernel["launches"])
            self.assertIsNone(kernel["median_us"])

    def test_a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        for bad in ("missing/trace.json", "."):
            done = subprocess.run([BINARY, "--size", "320x240", "--frames", "5", "--trace", bad], capture_output=True, text=True,
                                  cwd=folder, env=self.screen.environment, timeout=60)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("cannot write", done.stderr)
            self.assertEqual(list(folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
