#!/usr/bin/env python3
"""Tuning in the real window, beside a scene that goes on.

usage: tuner_test.py PATH-TO-ORRERY PATH-TO-SOURCE PATH-TO-FAULT-LAYER [unittest arguments]
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

from orrery_window import WindowCase, tomllib

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
FAULT_LAYER = str(pathlib.Path(sys.argv.pop(1)).resolve())

NBODY = ["--scene", "nbody", "--bodies", "300", "--burst", "1"]
# No file may grow beyond 1 MiB; a compiler's files are smaller. Calls fail without a signal.
FULL_DISK = '#!/bin/sh\ntrap "" XFSZ\nulimit -Sf 2048\nexec "{binary}" "$@"\n'


RIGHT = "field->x = multiply_add(strength, dx, field->x);"
WRONG = "field->x = multiply_add(WORK_GROUP == {} ? strength * (real)1.001 : strength, dx, field->x);"


def other_group():
    """A work-group size that is not this device's default for few bodies: '2', or '4' if 2 is the default."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "tuned.json")
        subprocess.run([BINARY, "tune", "nbody", "--bodies", "300", "--budget", "0", "--json", file], check=True,
                       capture_output=True, env={**os.environ, "XDG_STATE_HOME": folder})
        default = json.loads(file.read_text())["sweeps"][0]["default"]["values"]["work-group"]
    return "4" if default == "2" else "2"


def replace(folder, before, after):
    file = folder / "kernels" / "nbody" / "nbody_force.clh"
    text = file.read_text()
    assert before in text, "nothing was planted"
    file.write_text(text.replace(before, after))


def planted(folder, group):
    """A copy of the kernels in which that work-group size is fast and wrong."""
    for name in ("kernels", "assets", "shaders"):
        shutil.copytree(SOURCE / name, folder / name)
    replace(folder, RIGHT, WRONG.format(group))


def mend(folder, group):
    replace(folder, WRONG.format(group), RIGHT)


def kept(home):
    """The saved sweeps."""
    file = pathlib.Path(home) / "orrery" / "tuning.toml"
    return tomllib.loads(file.read_text())["sweep"] if file.exists() else []


def candidates(home):
    return [candidate for sweep in kept(home) for candidate in sweep["candidate"]]


class Tuner(WindowCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="orrery-tuner-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)

    def open(self, *arguments, binary=BINARY, environment=None):
        return self.start(binary, *NBODY, *arguments, environment={"XDG_STATE_HOME": str(self.home), **(environment or {})})

    def test_wrong_candidates_are_never_run_and_stale_ones_are_measured_again(self):
        source = self.home / "source"
        group = other_group()
        planted(source, group)
        orrery = self.open("--tune", "300", environment={"ORRERY_HOME": str(source)})
        orrery.wait_for(lambda: [c for c in candidates(self.home) if c["state"] == "wrong"], 120)
        mend(source, group)
        self.wait_until_it_says(orrery, "The kernel changed, so")
        state, stats = orrery.quit()
        self.assertGreater(state["nbody"]["step"], 10, "the scene went on")
        self.assertTrue(stats["tuner"]["stale"])
        self.assertFalse(stats["tuner"]["running"])
        self.assertEqual(stats["tuner"]["states"]["wrong"], 1)
        for choice in (stats["tuner"][of]["values"] for of in ("best", "auto", "default")):
            self.assertNotEqual(choice["work-group"], group)
        self.assertNotEqual(stats["tuner"]["in_use"]["work-group"], group)

        before = kept(self.home)[0]["source"]
        orrery = self.open("--tune", "1", environment={"ORRERY_HOME": str(source)})
        orrery.wait_for(lambda: kept(self.home)[0]["source"] != before)
        _, stats = orrery.quit()
        self.assertFalse(stats["tuner"]["stale"])

    def test_a_variant_that_was_chosen_runs_and_is_remembered(self):
        orrery = self.start(BINARY, "--scene", "mandelbrot", "--no-ui", "--size", "480x320", "--samples", "1",
                            "--variant", "single: lanes 4, unroll 2")
        orrery.wait_for_a_picture()
        orrery.still_fingerprint()
        state, stats = orrery.quit()
        self.assertEqual(state["mandelbrot"]["variant"], "single: lanes 4, unroll 2")
        self.assertEqual({axis: stats["tuner"]["in_use"][axis] for axis in ("lanes", "unroll")}, {"lanes": "4", "unroll": "2"})

    def test_a_candidate_that_never_ends_blocks_neither_the_window_nor_quitting(self):
        # While the bodies rest, the window's thread launches candidates only.
        rest = self.home / "rest.toml"
        rest.write_text("[nbody]\npaused = true\n")
        orrery = self.open("--tune", "300", "--state", rest,
                           environment={"OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": "hang at=40 thread=main"})
        self.wait_until_it_says(orrery, "it did not end in 10 s")
        orrery.key("space")
        orrery.wait_until_it_moves()
        state, stats = orrery.quit()
        self.assertGreater(state["nbody"]["step"], 0)
        self.assertFalse(stats["tuner"] and stats["tuner"]["running"])

    def test_a_full_disk_loses_only_the_saved_results(self):
        program = self.home / "orrery.sh"
        program.write_text(FULL_DISK.format(binary=BINARY))
        program.chmod(0o755)
        full = self.home / "orrery" / "tuning.toml"  # many results of other devices
        full.parent.mkdir()
        subprocess.run([BINARY, "tune", "nbody", "--bodies", "300", "--budget", "0"], check=True, capture_output=True,
                       env={**os.environ, "XDG_STATE_HOME": str(self.home)})
        sweep = full.read_text()[full.read_text().index("[[sweep]]"):]
        with full.open("a") as file:
            file.writelines("\n" + sweep.replace("device = '", f"device = '{k} ") for k in range(2000))
        before = full.read_text()
        self.assertGreater(len(before), 1 << 20)
        orrery = self.open("--tune", "1", binary=program)
        self.wait_until_it_says(orrery, "the results cannot be saved")
        resource.prlimit(orrery.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        _, stats = orrery.quit()
        self.assertGreater(stats["tuner"]["best"]["median_seconds"], 0)
        self.assertEqual(full.read_text(), before)


if __name__ == "__main__":
    unittest.main()
