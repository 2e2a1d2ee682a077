#!/usr/bin/env python3
"""The fault layer follows its rules, and the headless program names each fault.

usage: layer_test.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [unittest arguments]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FAULT_LAYER = str(pathlib.Path(sys.argv.pop(1)).resolve())
BODIES = ["nbody", "--bodies", "50", "--steps", "6", "--burst", "2"]


class OnLayer(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def run_with(self, faults, arguments=BODIES, **environment):
        """(exit code, standard error, the layer's log without its times)"""
        log = self.folder / "log.txt"
        log.unlink(missing_ok=True)
        done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=120, cwd=self.folder,
                              env=dict(os.environ, OPENCL_LAYERS=FAULT_LAYER, ORRERY_FAULTS=faults,
                                       ORRERY_FAULT_LOG=str(log), **environment))
        lines = log.read_text().splitlines() if log.exists() else []
        return done.returncode, done.stderr, [" ".join(line.split()[:2]) for line in lines]


class Layer(OnLayer):
    def test_without_rules_it_changes_nothing(self):
        code, said, log = self.run_with("")
        self.assertEqual((code, log), (0, []), said)

    def test_each_refused_call_is_named_with_its_code(self):
        for faults, named in [("launch at=2", "CL_OUT_OF_RESOURCES"), ("launch at=2 code=-54", "CL_INVALID_WORK_GROUP_SIZE"),
                              ("enqueue at=3 code=-36", "CL_INVALID_COMMAND_QUEUE"),
                              ("allocation at=2", "CL_MEM_OBJECT_ALLOCATION_FAILURE"), ("build from=1", "CL_BUILD_PROGRAM_FAILURE"),
                              ("finish at=1", "CL_OUT_OF_RESOURCES"), ("context at=1 code=-6", "CL_OUT_OF_HOST_MEMORY"),
                              ("status at=1 code=-14", "CL_EXEC_STATUS_ERROR"), ("lost at=1 code=-34", "CL_INVALID_CONTEXT")]:
            with self.subTest(faults):
                code, said, log = self.run_with(faults)
                self.assertEqual(code, 1, said)
                self.assertIn(named, said)
                self.assertEqual(log[0].split()[0], faults.split()[0])

    def test_a_rule_strikes_at_its_call_and_no_other(self):
        self.assertEqual(self.run_with("stamps at=3 mode=zero")[2], ["stamps 3"])
        self.assertEqual(self.run_with("delay from=2 count=3 ms=1")[2], ["delay 2", "delay 3", "delay 4"])

    def test_only_the_same_seed_gives_the_same_faults(self):
        runs = [self.run_with(f"delay chance=0.5 seed={seed} ms=1")[2] for seed in (7, 7, 8)]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_a_delayed_launch_delays_the_run(self):
        began = time.monotonic()
        code, said, _ = self.run_with("delay at=1 ms=3000")
        self.assertEqual(code, 0, said)
        self.assertGreater(time.monotonic() - began, 3)

    def test_a_device_that_hangs_alone_ends_the_run_with_a_line(self):
        bodies = ["nbody", "--bodies", "50", "--steps", "60", "--burst", "5"]
        runs = [(bodies, 90), (["particles", "cloth", "--steps", "100", "--burst", "5", "--out", "out.csv"], 150),
                (["mandelbrot", "--size", "64x48", "--iterations", "20000", "--samples", "64", "--out", "out.png"], 200)]
        for run, _ in runs:
            self.assertEqual(self.run_with("", run)[0], 0)  # their kernels are compiled now
        for result in self.folder.glob("out.*"):
            result.unlink()
        # The first launch of a kernel has the time limit of a build, 20 times that of other launches.
        for run, at, patience, told in [*((*run, 0.1, "for 3 s") for run in runs), (bodies, 1, 0.01, "for ")]:
            with self.subTest(run, at=at):
                began = time.monotonic()
                code, said, log = self.run_with(f"hang at={at}", run, ORRERY_PATIENCE=str(patience))
                self.assertEqual((code, len(log), said.count("\n")), (1, 1, 1), said)
                self.assertIn(f"the device has not answered {told}", said)
                self.assertLess(time.monotonic() - began, 20)
                self.assertEqual(list(self.folder.glob("*out*")), [])

    def test_a_device_on_another_machine_that_is_gone_ends_the_run_with_a_line(self):
        for at in (2, 5):
            code, said, log = self.run_with(f"gone at={at}")
            self.assertEqual((code, said.count("\n"), len(log)), (1, 1, 1), said)
            self.assertIn("CL_DEVICE_NOT_AVAILABLE", said)

    def test_the_others_go_on_when_a_device_hangs_or_fails(self):
        given = ["nbody", "--bodies", "500", "--initial", "plummer", "--steps", "60", "--burst", "5"]
        files = ["--out", "end.csv", "--diagnostics", "energy.csv"]
        read = lambda: [(self.folder / name).read_text() for name in ("end.csv", "energy.csv")]
        for forces in ("gather", "pairs"):
            code, said, _ = self.run_with("", [*given, *files, "--forces", forces])
            self.assertEqual(code, 0, said)
            expected = read()
            several = ["--forces", forces, "--device", "0:0,0:1"]
            # With a third device, too: when one is left, kernels are compiled for the remaining ones.
            for devices in ("0:0,0:1", "0:0,0:1,0:2"):
                code, said, _ = self.run_with("", [*given, *files, "--forces", forces, "--device", devices],
                                              POCL_DEVICES="pthread pthread pthread")
                self.assertEqual(code, 0, said)
                self.assertEqual(read(), expected)
            faults = [("hang at=90", 1, 0.2), ("lost mode=device at=90", 1, 0.2), ("gone at=90", 1, 0.2)]
            # The first launch of a kernel has the time limit of a build.
            more = [("hang at=90", 0, 0.2), ("hang at=2", 1, 0.03)] if forces == "gather" else []
            for fault, failing, patience in faults + more:
                with self.subTest(forces=forces, fault=fault, failing=failing):
                    code, said, log = self.run_with(f"{fault} device={failing}", [*given, *files, *several],
                                                    POCL_DEVICES="pthread pthread", ORRERY_PATIENCE=str(patience))
                    self.assertEqual(code, 0, said)
                    self.assertEqual(len(log), 1, said)
                    self.assertRegex(said, r"continuing from step \d+ with ")
                    self.assertEqual(read(), expected)

    def test_a_run_whose_driver_never_returns_continues_from_the_state_that_it_names(self):
        given = ["nbody", "--bodies", "500", "--initial", "plummer", "--steps", "400", "--burst", "5", "--out", "end.csv",
                 "--diagnostics", "energy.csv"]
        names = ("end.csv", "energy.csv")
        read = lambda: [(self.folder / name).read_bytes() for name in names]
        state = self.folder / "state"
        for forces, place in (("gather", "launch"), ("tree", "launch"), ("gather", "build")):
            alone = [*given, "--forces", forces]
            self.assertEqual(self.run_with("", alone)[0], 0)
            expected = read()
            for failing in (0, 1):
                with self.subTest(forces=forces, place=place, failing=failing):
                    for name in names:
                        (self.folder / name).unlink()
                    fault = f"block from=400 device={failing}" if place == "launch" else f"block-build at={3 * failing + 1}"
                    fresh = {} if place == "launch" else {"XDG_CACHE_HOME": str(self.folder / f"cache-{failing}")}
                    began = time.monotonic()
                    code, said, _ = self.run_with(fault, [*alone, "--device", "0:0,0:1"], POCL_DEVICES="pthread pthread",
                                                  ORRERY_PATIENCE="0.2", XDG_STATE_HOME=str(state), **fresh)
                    self.assertEqual((code, said.count("\n")), (1, 1), said)
                    self.assertRegex(said, rf"^orrery: 0:{failing} .*: the device has not answered for 6 s; ")
                    self.assertLess(time.monotonic() - began, 60)
                    self.assertEqual(list(self.folder.glob("*.part")), [])
                    if place == "build":  # no step has been computed yet
                        self.assertNotIn("--resume", said)
                        self.run_with("", alone)
                        continue
                    how = re.search(rf"; orrery (nbody --resume (\S+) --steps 400 --device 0:{1 - failing}) continues from "
                                    r"step [1-9][0-9]*$", said.strip())
                    self.assertIsNotNone(how, said)
                    code, said, _ = self.run_with("", [*how[1].split(), "--out", "end.csv", "--diagnostics", "energy.csv"],
                                                  POCL_DEVICES="pthread pthread")
                    self.assertEqual(code, 0, said)
                    self.assertEqual(read(), expected)
                    pathlib.Path(how[2]).unlink()

    def test_a_call_that_never_returns_ends_a_run_on_one_device_with_a_line(self):
        self.assertEqual(self.run_with("")[0], 0)  # its kernels are compiled now
        state = self.folder / "run.state"
        code, said, _ = self.run_with("block from=100", ["nbody", "--bodies", "50", "--steps", "200", "--state", str(state)],
                                      ORRERY_PATIENCE="0.1")
        self.assertEqual((code, said.count("\n")), (1, 1), said)
        self.assertIn("the device has not answered for 3 s", said)
        self.assertEqual(self.run_with("", ["nbody", "--resume", str(state), "--steps", "20"])[0], 0)
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_a_build_may_take_longer_while_its_device_answers(self):
        code, said, log = self.run_with("compile ms=9000 count=1", ORRERY_PATIENCE="0.1", XDG_CACHE_HOME=str(self.folder))
        self.assertEqual((code, said, len(log)), (0, "", 1))

    def test_invalid_times_are_no_reason_to_fail(self):
        for mode in ("zero", "unordered"):
            code, said, log = self.run_with(f"stamps mode={mode}")
            self.assertEqual(code, 0, said)
            self.assertGreater(len(log), 0)

    def test_no_more_objects_are_held_after_more_steps(self):
        counts = []
        for launch in ("500", "2500"):  # one step takes two launches
            file = self.folder / "objects.txt"
            file.unlink(missing_ok=True)
            self.run_with("", ["nbody", "--bodies", "50", "--steps", "1500", "--burst", "2"], ORRERY_FAULT_OBJECTS=str(file),
                          ORRERY_FAULT_OBJECTS_AT=launch)
            counts.append({name: int(held) for name, held in map(str.split, file.read_text().splitlines())})
        self.assertEqual(counts[0].keys(), {"contexts", "alive", "queues", "buffers", "programs", "kernels", "events"})
        for name, held in counts[0].items():
            self.assertGreaterEqual(held, 0 if name == "events" else 1, name)
            if name == "events":  # events of steps in flight
                self.assertLess(abs(counts[1][name] - held), 100, name)
            else:
                self.assertEqual(counts[1][name], held, name)



class SmallDevice(OnLayer):
    """No doubles, 32 KiB of local memory, work-groups of 32 at most: like Intel's GPUs with Mesa's drivers."""

    def written(self, faults, name, *arguments):
        code, said, _ = self.run_with(faults, [*arguments, "--out", name])
        self.assertEqual(code, 0, said)
        return (self.folder / name).read_bytes(), said

    def test_the_selftest_passes_and_skips_missing_features(self):
        done = subprocess.run([BINARY, "selftest"], capture_output=True, text=True, timeout=300, cwd=self.folder,
                              env=dict(os.environ, OPENCL_LAYERS=FAULT_LAYER, ORRERY_FAULTS="small"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"1[0-9] passed, 0 failed")
        self.assertIn("the device has no doubles", done.stdout)
        self.assertIn("a team of pairs has 64 work-items", done.stdout)

    def test_the_bits_are_those_of_other_devices(self):
        for run in ("particles argon --steps 20", "particles water --steps 2", "nbody --bodies 700 --steps 5 --forces gather",
                    "nbody --bodies 3000 --steps 3 --forces tree"):
            with self.subTest(run):
                given = [*run.split(), "--precision", "single"]
                self.assertEqual(self.written("small", "here.csv", *given)[0], self.written("", "there.csv", *given)[0])

    def test_particles_without_doubles_say_so(self):
        for chosen in ([], ["--precision", "single"]):
            _, said = self.written("small", "cloth.csv", "particles", "cloth", "--steps", "1", *chosen)
            self.assertEqual("no double precision: --precision single is used" in said, not chosen, said)
        code, said, _ = self.run_with("small", ["particles", "cloth", "--precision", "mixed"])
        self.assertEqual(code, 2, said)

    def test_pictures_beside_the_feigenbaum_point_are_right(self):
        for span in ("1e-6", "1e-12"):
            place = ["--center", "feigenbaum", "--span", span, "--size", "40x30", "--prove", "24"]
            _, said = self.written("small", "picture.png", "mandelbrot", *place)
            self.assertNotIn("not enough", said)
            self.assertNotIn("wrong", said)


if __name__ == "__main__":
    unittest.main()
