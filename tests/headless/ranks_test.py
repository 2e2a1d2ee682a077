#!/usr/bin/env python3
"""Ranks started by mpirun share the bodies, end with the bits of one process, and report in one line a rank that ends.

usage: ranks_test.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [unittest arguments]
Exit code 77 without mpirun, or if the build found no MPI.
"""
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = pathlib.Path(sys.argv.pop(1)).resolve()
FAULT_LAYER = str(pathlib.Path(sys.argv.pop(1)).resolve())
BODIES = ["--initial", "plummer", "--seed", "3", "--dt", "0.01"]

# Debian installs one beside the other.
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none"], "mpich": ["mpiexec.mpich"]}
if not shutil.which("mpirun.openmpi"):
    LAUNCHERS["openmpi"][0] = "mpirun"
LAUNCHERS = {mpi: words for mpi, words in LAUNCHERS.items()
             if shutil.which(words[0]) and (BINARY.parent / f"orrery-{mpi}.so").exists()}
if not LAUNCHERS:
    print("no mpirun, or no MPI was found when this was built")
    sys.exit(77)
FIRST = next(iter(LAUNCHERS))
OPEN_MPI = 0
if FIRST == "openmpi":
    told = subprocess.run([LAUNCHERS[FIRST][0], "--version"], capture_output=True, text=True).stdout
    OPEN_MPI = int(re.search(r"\) (\d+)", told)[1])


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        # The sanitizer would report MPI's leaks.
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        # mpirun of Open MPI 5 leaves folders named by its process ID, and refuses to start if one exists.
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR=str(self.folder),
                                ASAN_OPTIONS=sanitizer, XDG_STATE_HOME=str(self.folder / "states"))

    def start(self, ranks, *arguments, mpi=FIRST):
        """The process of mpirun, or of Orrery alone if `ranks` is 0."""
        command = [str(BINARY), *map(str, arguments)]
        if ranks:
            command = [*LAUNCHERS[mpi], "-n", str(ranks), *command]
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.close, process)
        return process

    @staticmethod
    def close(process):
        if process.poll() is None:
            process.terminate()  # a launcher ends its ranks then
            process.wait(timeout=30)
        process.stdout.close()
        process.stderr.close()

    def run_pair(self, first, other, variables=()):
        """Two ranks with different arguments or variables. mpirun's syntax for this, a colon between two programs, crashes
        Open MPI 5.0.7 (PMIx_server_setup_fork)."""
        script = 'program=$1 first=$2; shift 2; [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 0 ] || eval "exec $program $first"; exec env "$@"'
        command = [*LAUNCHERS[FIRST], "-n", "2", "sh", "-c", script, "sh", shlex.quote(str(BINARY)), shlex.join(first), *variables,
                   str(BINARY), *other]
        return subprocess.run(command, cwd=self.folder, env=self.environment, text=True, capture_output=True, timeout=60)

    def run_nbody(self, ranks, *arguments, **how):
        process = self.start(ranks, "nbody", *arguments, **how)
        output, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, f"{ranks} ranks, {arguments}: {output}{said}")
        return output

    def refused(self, expected, ranks, *arguments, code=2, **how):
        process = self.start(ranks, *arguments, **how)
        output, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, code, output + said)
        self.assertEqual(output, "")
        self.assertIn(expected, self.one_line(said))

    def one_line(self, said):
        """Orrery's lines, without the launcher's."""
        lines = [line for line in said.splitlines() if line.startswith("orrery")]
        self.assertEqual(len(lines), 1, said)
        return lines[0]

    def bits_of(self, file):
        return hashlib.sha256((self.folder / file).read_bytes()).hexdigest()


class Bits(Case):
    def check(self, ranks, *arguments, **how):
        def results(number, *more, **launcher):
            self.run_nbody(number, *BODIES, *arguments, *more, "--out", "end.npy", "--diagnostics", "rows.csv", **launcher)
            return self.bits_of("end.npy"), (self.folder / "rows.csv").read_text()

        alone = results(0)
        for number in ranks:
            self.assertEqual(results(number, **how), alone, f"{number} ranks, {arguments}")

    def test_all_pairs_have_the_bits_of_one_process(self):
        self.check([1, 2, 3, 4], "--bodies", "1003", "--steps", "11", "--burst", "4", "--forces", "gather")

    def test_pairs_computed_once_have_the_bits_of_one_process(self):
        self.check([2, 3], "--bodies", "1003", "--steps", "5", "--burst", "4", "--forces", "pairs")

    def test_tree_runs_are_bit_identical_across_ranks(self):
        self.check([2, 3, 4], "--bodies", "3000", "--steps", "33", "--burst", "7", "--forces", "tree")

    def test_individual_steps_have_the_bits_of_one_process(self):
        own = ["--bodies", "1003", "--steps", "5", "--burst", "2", "--time-steps", "individual", "--step-accuracy", "0.02"]
        self.check([2, 3], *own, "--forces", "gather")
        self.check([2], *own, "--forces", "tree", "--precision", "mixed")

    def test_mixed_precision_and_an_integrator_that_leaves_fields_out_have_the_bits_of_one_process(self):
        self.check([3], "--bodies", "1003", "--steps", "5", "--precision", "mixed", "--integrator", "pefrl")

    def test_ranks_of_several_devices_have_the_bits_of_one_process(self):
        for forces in ["gather"], ["tree"], ["gather", "--time-steps", "individual"]:
            settings = [*BODIES, "--bodies", "3000", "--steps", "18", "--forces", *forces]
            alone = self.run_nbody(0, *settings, "--out", "one.npy")
            self.run_nbody(2, *settings, "--split", "2", "--out", "four.npy")
            self.assertEqual(self.bits_of("one.npy"), self.bits_of("four.npy"), alone)

    def test_each_mpi_gives_the_bits_of_one_process(self):
        for mpi in LAUNCHERS:
            with self.subTest(mpi):
                self.check([2], "--bodies", "1003", "--steps", "5", mpi=mpi)

    def test_only_the_first_rank_prints(self):
        output = self.run_nbody(3, *BODIES, "--bodies", "1003", "--steps", "2")
        self.assertRegex(output, r"^1003 bodies, 2 steps .*\n  shared by 3 ranks on 1 machine: (\d+ \+ ){2}\d+ bodies\n$")
        self.assertEqual(list((self.folder / "states").glob("**/*.state")), [], "the state of a run that has succeeded")


class Ends(Case):
    endless = ["nbody", "--initial", "plummer", "--dt", "0.0001", "--bodies", "2000", "--burst", "5", "--steps", "10000000"]

    def state(self):
        return next((self.folder / "states").glob("**/*.state"), None)

    def rank(self, launcher, number):
        """The process of that rank, among the launcher's descendants."""
        waiting = [launcher.pid]
        while waiting:
            process = waiting.pop()
            children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
            waiting += map(int, children)
            variables = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            if process != launcher.pid and (b"OMPI_COMM_WORLD_RANK=%d" % number in variables or b"PMI_RANK=%d" % number in variables):
                return process
        raise AssertionError(f"no rank {number}")

    def wait_for_state(self, process):
        until = time.monotonic() + 60
        while not self.state():
            self.assertLess(time.monotonic(), until, "no state is kept")
            self.assertIsNone(process.poll(), "it has ended")
            time.sleep(0.05)

    def goes_on(self, line, forces):
        """The state leads to the same bits on any number of ranks."""
        state = str(self.state())
        self.assertIn(f"orrery nbody --resume {state} continues", line)
        header = dict(entry.split(" = ") for entry in self.state().read_bytes()[32:2000].decode("latin1").split("\n") if " = " in entry)
        steps = str(int(header["step"]) + 20)
        begun = [word if word != "10000000" else steps for word in self.endless[1:]]
        self.run_nbody(0, *begun, "--forces", forces, "--out", "whole.npy")
        for ranks in 0, 3:
            self.run_nbody(ranks, "--resume", state, "--state", "after.state", "--steps", steps, "--out", "resumed.npy")
            self.assertEqual(self.bits_of("resumed.npy"), self.bits_of("whole.npy"), f"{ranks} ranks")

    def check_kill(self, victim, forces):
        process = self.start(2, *self.endless, "--forces", forces)
        self.wait_for_state(process)
        os.kill(self.rank(process, victim), signal.SIGKILL)
        began = time.monotonic()
        output, said = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 30)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(output, "")
        line = self.one_line(said)
        self.assertIn(f"orrery: rank {victim} on {os.uname().nodename} has ended unexpectedly", line)
        self.goes_on(line, forces)

    @unittest.skipUnless(FIRST == "openmpi", "MPICH's launcher ends the others at once")
    def test_a_killed_rank_is_reported_in_one_line(self):
        self.check_kill(1, "tree")

    @unittest.skipUnless(FIRST == "openmpi", "MPICH's launcher ends the others at once")
    def test_a_killed_first_rank_is_reported_in_one_line(self):
        self.check_kill(0, "gather")

    def told_to_end(self, burst, *arguments):
        """The error lines of ranks with the given launcher."""
        endless = [burst if word == "5" else word for word in self.endless]
        process = self.start(2, *endless, "--forces", "gather", *arguments)
        self.wait_for_state(process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        return self.one_line(said)

    @unittest.skipUnless(FIRST == "openmpi", "MPICH's launcher ends the others at once")
    def test_ranks_that_get_a_signal_agree_on_a_last_step(self):
        line = self.told_to_end("5", "--out", "end.npy")
        in_order = re.match(r"orrery: ended by SIGTERM at step (\d+) of 10000000; .*continues from step \1$", line)
        # Open MPI 5 kills ranks a quarter of a second later, which a busy machine may need for one burst.
        if not in_order and OPEN_MPI >= 5:
            self.assertRegex(line, r"^orrery: ended by SIGTERM; .*continues from step \d+$")
        else:
            self.assertTrue(in_order and (self.folder / "end.npy").exists(), line)

    @unittest.skipUnless(FIRST == "openmpi", "MPICH's launcher ends the others at once")
    def test_ranks_that_get_a_signal_end_within_a_long_burst(self):
        line = self.told_to_end("100000")
        self.assertRegex(line, r"^orrery: ended by SIGTERM; orrery nbody --resume \S+ continues from step \d+$")
        self.goes_on(line, "gather")

    def test_a_lost_device_of_a_rank_ends_all_ranks(self):
        faulty = [f"OPENCL_LAYERS={FAULT_LAYER}", "ORRERY_FAULTS=lost from=400"]
        ended = self.run_pair(self.endless, self.endless, faulty)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        line = self.one_line(ended.stderr)
        self.assertIn(f"orrery: rank 1 on {os.uname().nodename}: ", line)
        self.assertIn("CL_OUT_OF_RESOURCES", line)
        self.assertIn(f"orrery nbody --resume {self.state()} continues", line)


class WrongUse(Case):
    def test_unsupported_options_are_refused(self):
        self.refused("the window is one process", 2, "--frames", "3")
        self.refused('(rank 1 on', 2, "nbody", "--bodies", "2")
        self.refused("--speed-up", 2, "nbody", "--speed-up")
        self.refused('a file written by --state', 2, "nbody", "--resume", __file__)
        self.refused('the folder "/none" does not exist', 2, "nbody", "--out", "/none/x.npy")

    def test_ranks_with_different_arguments_are_refused(self):
        both = ["nbody", "--bodies", "1003", "--steps", "2"]
        ended = self.run_pair(both, [*both, "--dt", "0.1"])
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn("the options of rank 1 on", self.one_line(ended.stderr))

    def test_the_settings_of_a_state_cannot_be_changed(self):
        self.run_nbody(0, *BODIES, "--bodies", "1003", "--steps", "5", "--state", "run.state")
        self.refused('--dt: expected "0.01", which run.state has, got "0.5"', 0, "nbody", "--resume", "run.state", "--dt", "0.5")
        self.refused("--steps", 0, "nbody", "--resume", "run.state", "--steps", "4")
        self.refused('got "tree: leaf 64"', 0, "nbody", "--resume", "run.state", "--variant", "tree: leaf 64")
        state = self.folder / "run.state"
        bytes_of_state = state.read_bytes()
        state.write_bytes(bytes_of_state[:-1])
        self.refused("has the wrong size", 0, "nbody", "--resume", "run.state")
        damaged = bytes_of_state[:2000] + b"zz" + bytes_of_state[2002:]
        state.write_bytes(damaged)
        self.refused("is damaged", 0, "nbody", "--resume", "run.state", code=1)
        self.refused("is damaged", 2, "nbody", "--resume", "run.state", code=1)
        self.assertEqual(state.read_bytes(), damaged, "the evidence is lost")

    def test_variables_without_a_launcher_are_refused(self):
        for rank in "0", "1":
            self.environment.update(OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK=rank)
            self.refused("has started 2 ranks, but MPI", 0, "nbody", "--steps", "1", code=1)
            self.refused('"0"', 0, "nbody", "--bodies", "0")

    def test_a_launcher_of_another_mpi_is_refused(self):
        self.environment.update(OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0")
        self.refused("has started 2 ranks, but MPI", 0, "nbody", "--steps", "1", code=1)


if __name__ == "__main__":
    unittest.main(verbosity=1)
