#!/usr/bin/env python3
"""The module orrery: arrays in and out, the program's messages as exceptions, no leftover files, and its examples.

usage: module_test.py PATH-TO-ORRERY SOURCE-FOLDER [unittest arguments]
"""
import ast
import copy
import decimal
import importlib
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from unittest import mock

import numpy as np

BINARY, SOURCE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
HOME = tempfile.TemporaryDirectory(prefix="orrery-python-", ignore_cleanup_errors=True)
os.environ.update(ORRERY_PROGRAM=str(BINARY), XDG_STATE_HOME=HOME.name, XDG_DATA_HOME=HOME.name, TMPDIR=HOME.name)
tempfile.tempdir = None
sys.path.insert(0, str(SOURCE / "app/python"))
import orrery  # noqa: E402
from orrery import _arrays, _program  # noqa: E402

EXAMPLES = ("energy_against_step", "feigenbaum", "film", "fit_a_law", "rotation_curve", "tune_a_kernel")


def sphere(count=60, seed=1):
    random = np.random.default_rng(seed)
    return random.normal(size=(count, 3)), 0.3 * random.normal(size=(count, 3)), random.uniform(0.5, 1.5, count) / count


def accelerations(x, m, softening):
    apart = x[None] - x[:, None]
    return np.sum(m[None, :, None] * apart / (np.sum(apart ** 2, axis=2) + softening ** 2)[..., None] ** 1.5, axis=1)


def leapfrog(x, v, m, dt, softening, steps):
    """Kick, drift, kick."""
    a = accelerations(x, m, softening)
    for _ in range(steps):
        v = v + dt / 2 * a
        x = x + dt * v
        a = accelerations(x, m, softening)
        v = v + dt / 2 * a
    return x, v


def left_folders():
    return {path.name for place in ("/dev/shm", HOME.name) for path in pathlib.Path(place).glob(f"orrery-{os.getpid()}-*")}


class Snapshots(unittest.TestCase):
    """Files in the formats of Gadget-4 and SWIFT, made here."""

    def setUp(self):
        import h5py
        self.h5py = h5py
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.x, self.v, self.m = sphere(50)

    def write(self, name, attributes=None, kinds=((1, slice(0, 30)), (4, slice(30, 50))), masses=True, units=None):
        path = self.folder / name
        with self.h5py.File(path, "w") as file:
            file.create_group("Header").attrs.update({"Time": 0.5, "MassTable": [0.0] * 6, **(attributes or {})})
            for group, values in (units or {}).items():
                file.create_group(group).attrs.update(values)
            for kind, part in kinds:
                group = file.create_group(f"PartType{kind}")
                group["Coordinates"] = self.x[part]
                group["Velocities"] = self.v[part].astype("f4")
                group["ParticleIDs"] = np.arange(50, dtype="u8")[part]
                if masses:
                    group["Masses"] = self.m[part]
        return path

    def test_bodies_of_gadget_are_those_of_the_file_with_its_gravity(self):
        seen = orrery.read_snapshot(self.write("snap.hdf5"))
        self.assertAlmostEqual(seen.gravity, 43007.1, delta=20)  # the value in Gadget-2's guide, with an older G
        np.testing.assert_array_equal(seen.positions, self.x)
        np.testing.assert_array_equal(seen.velocities, self.v.astype("f4"))
        np.testing.assert_allclose(seen.masses, self.m * seen.gravity, rtol=1e-15)
        self.assertEqual((list(seen.kinds[[0, 49]]), list(seen.ids), seen.time), ([1, 4], list(range(50)), 0.5))
        stars = orrery.read_snapshot(self.folder / "snap.hdf5", kinds=[4])
        np.testing.assert_array_equal(stars.positions, self.x[30:])
        sim = orrery.NBody(*stars.arrays(), dt=1e-6, softening=0.1)
        sim.run(1)
        self.assertEqual(sim.positions.shape, (20, 3))

    def test_units_and_tables_of_masses_are_read_as_declared(self):
        units = {"Units": {"Unit length in cgs (U_L)": [1.0], "Unit mass in cgs (U_M)": [1 / 6.67430e-8], "Unit time in cgs (U_t)": [1.0]}}
        seen = orrery.read_snapshot(self.write("swift.hdf5", {"MassTable": [0, 0.25, 0, 0, 2.0, 0]}, masses=False, units=units))
        self.assertAlmostEqual(seen.gravity, 1, places=12)
        np.testing.assert_allclose(seen.masses[[0, 49]], [0.25, 2.0], rtol=1e-12)

    def test_parts_of_a_snapshot_are_joined(self):
        parts = {"NumFilesPerSnapshot": 2}
        self.write("snap.0.hdf5", parts, ((1, slice(0, 30)),))
        self.write("snap.1.hdf5", parts, ((1, slice(30, 50)),))
        np.testing.assert_array_equal(orrery.read_snapshot(self.folder / "snap.0.hdf5").positions, self.x)

    def test_unsupported_snapshots_are_refused_with_the_reason(self):
        for name, how, sentence in (("a.hdf5", {"attributes": {"Redshift": 1.0}}, "cosmological"),
                                    ("b.hdf5", {"masses": False}, "MassTable"), ("c.hdf5", {"kinds": ()}, "no bodies"),
                                    ("d.0.hdf5", {"attributes": {"NumFilesPerSnapshot": 2}}, "d.1.hdf5"),
                                    ("e.1.hdf5", {"attributes": {"NumFilesPerSnapshot": 2}}, "the first of 2 files")):
            with self.subTest(name), self.assertRaisesRegex(orrery.UsageError, sentence):
                orrery.read_snapshot(self.write(name, **how))
        (self.folder / "text.hdf5").write_text("no HDF5")
        with self.assertRaisesRegex(orrery.UsageError, "text.hdf5: not an HDF5 file"):
            orrery.read_snapshot(self.folder / "text.hdf5")


class Bodies(unittest.TestCase):
    def test_bodies_move_as_numpy_moves_them(self):
        x, v, m = sphere()
        sim = orrery.NBody(x, v, m, dt=0.01, softening=0.1, precision="double", forces="gather")
        np.testing.assert_array_equal(sim.positions, x)
        np.testing.assert_array_equal(sim.masses, m)
        sim.run(20)
        wanted_x, wanted_v = leapfrog(x, v, m, 0.01, 0.1, 20)
        np.testing.assert_allclose(sim.positions, wanted_x, rtol=0, atol=1e-12)
        np.testing.assert_allclose(sim.velocities, wanted_v, rtol=0, atol=1e-12)
        self.assertEqual((sim.step, len(sim), sim.positions.shape, sim.positions.dtype), (20, 60, (60, 3), np.float64))
        self.assertAlmostEqual(sim.time, 0.2, places=12)

    def test_energies_are_those_of_the_bodies(self):
        x, v, m = sphere()
        sim = orrery.NBody(x, v, m, dt=0.01, softening=0.1, precision="double").run(3)
        rows = sim.energies()
        self.assertEqual(rows.step.tolist(), [0, 1, 2, 3])
        apart = np.sqrt(np.sum((x[None] - x[:, None]) ** 2, axis=2) + 0.01)
        potential = -np.sum(np.triu(m[None] * m[:, None] / apart, 1))
        self.assertAlmostEqual(rows.kinetic[0], np.sum(m * np.sum(v ** 2, axis=1)) / 2, places=6)
        self.assertAlmostEqual(rows.potential[0], potential, places=6)

    def test_runs_one_after_the_other_have_the_bits_of_one_run(self):
        for precision in ("single", "mixed"):
            settings = {"dt": 0.01, "softening": 0.1, "precision": precision}
            whole = orrery.NBody(*sphere(), **settings).run(24)
            parts = orrery.NBody(*sphere(), **settings).run(5).run(7)
            for frame in parts.frames(every=4, steps=8):
                pass
            for frame in parts.frames(every=2):
                if frame.step == 22:
                    break  # the child is ahead: the simulation is here
            self.assertEqual(parts.step, 22)
            np.testing.assert_array_equal(parts.positions, frame.positions)
            parts.run(2)
            np.testing.assert_array_equal(parts.positions, whole.positions)
            np.testing.assert_array_equal(parts.velocities, whole.velocities)
            self.assertTrue(np.all(np.diff(parts.energies().step) > 0))

    def test_frames_are_every_so_many_steps(self):
        sim = orrery.NBody("plummer", bodies=50)
        frames = list(sim.frames(every=10, steps=25))
        self.assertEqual([frame.step for frame in frames], [10, 20, 25])
        self.assertTrue(np.any(frames[0].positions != frames[1].positions))
        with self.assertRaises(orrery.Error):
            for _ in sim.frames(every=10, steps=10):
                sim.run(1)

    def test_an_archive_has_the_frames_of_its_run(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.orrery")
            subprocess.run([BINARY, "nbody", "--initial", "plummer", "--bodies", "40", "--steps", "6", "--archive", file,
                            "--archive-every", "3"], check=True, stdout=subprocess.DEVNULL)
            frames = list(orrery.read_runs(file))
            self.assertEqual([frame.step for frame in frames], [0, 3, 6])
            np.testing.assert_array_equal(frames[2].positions, orrery.NBody("plummer", bodies=40).run(6).positions)

    def test_single_precision_arrays_and_files_go_in_and_out(self):
        x, v, m = (values.astype(np.float32) for values in sphere())
        sim = orrery.NBody(x, v, m)
        np.testing.assert_array_equal(sim.positions, x)
        with tempfile.TemporaryDirectory() as folder:
            sim.save(pathlib.Path(folder, "bodies.npy"))
            again = orrery.NBody(pathlib.Path(folder, "bodies.npy"))
            np.testing.assert_array_equal(again.velocities, v)
        with self.assertRaises(ValueError):
            sim.positions[0, 0] = 1  # would have no effect

    def test_wrong_names_and_values_raise_the_programs_messages(self):
        def sentence(make):
            with self.assertRaises(orrery.UsageError) as caught:
                make()
            self.assertIsInstance(caught.exception, ValueError)
            return str(caught.exception)

        x, v, m = sphere()
        self.assertIn('unknown argument "--softning=1"', sentence(lambda: orrery.NBody(x, softning=1).run()))
        self.assertIn('--softening: expected a number from 0 to 1e+30, got "-1"', sentence(lambda: orrery.NBody(x, softening=-1).run()))
        self.assertIn('got "no such"', sentence(lambda: orrery.NBody(x, device="no such").run()))
        self.assertIn("expected the shape (N, 3), got (60, 2)", sentence(lambda: orrery.NBody(x[:, :2])))
        self.assertIn("velocities: expected the shape (60, 3), got (59, 3)", sentence(lambda: orrery.NBody(x, v[1:])))
        self.assertIn("masses: expected the shape (60,), got (60, 1)", sentence(lambda: orrery.NBody(x, v, m[:, None])))
        self.assertIn("--steps: expected", sentence(lambda: orrery.Particles("argon").run(-1)))
        x[3, 1] = np.nan
        self.assertEqual(sentence(lambda: orrery.NBody(x).run()), 'positions[3, 1]: expected a finite number, got "nan"')
        self.assertEqual(sentence(lambda: next(orrery.NBody(v, x).frames())), 'velocities[3, 1]: expected a finite number, got "nan"')
        m[7] = -1
        self.assertEqual(sentence(lambda: orrery.NBody(v, v, m).run()), 'masses[7]: expected a finite number of 0 or more, got "-1"')
        self.assertIn("60 bodies, not begun", repr(orrery.NBody(v)))
        self.assertEqual(sentence(lambda: orrery.NBody(v).run(-1)), "--steps: expected a whole number, 0 or more, got -1")

    def test_no_value_is_taken_for_another_one(self):
        positions = np.random.default_rng(1).normal(size=(64, 3))
        masked = np.ma.array(positions, mask=False)
        masked[3] = np.ma.masked
        sim = orrery.NBody(positions, dt=0.01, softening=0.1)
        for act in [lambda: list(sim.frames(2, 2.5)), lambda: list(sim.frames(2, -5)), lambda: sim.run("3"), lambda: sim.run(None),
                    lambda: orrery.NBody(positions, softening=[1, 2]).run(), lambda: orrery.NBody(positions, dt=np.array([0.01])).run(),
                    lambda: orrery.NBody(masked), lambda: orrery.NBody(positions, masses="0.1"), lambda: orrery.NBody([[1, 2], [3]]),
                    lambda: orrery.NBody(positions, help=True).run(), lambda: orrery.NBody(positions, out="x.npy"),
                    lambda: orrery.mandelbrot((0, 0, 0), 1, (64, 48)), lambda: orrery.mandelbrot(size="64x48"),
                    lambda: orrery.mandelbrot(size=(64, 48), out="x.npy"), lambda: orrery.Particles("argon", laws=5)]:
            with self.subTest(act), self.assertRaises(orrery.UsageError):
                act()

    def test_devices_and_numbers_of_any_type_are_values(self):
        positions = np.random.default_rng(1).normal(size=(64, 3))
        device = orrery.devices()[0]
        for masses in (0.5, np.float32(0.5), np.array(0.5), decimal.Decimal("0.5")):
            sim = orrery.NBody(positions, masses=masses, device=[device], dt=np.float64(0.01), softening=0.1)
            np.testing.assert_array_equal(sim.masses, np.full(64, 0.5))

    def test_a_simulation_is_not_copied(self):
        for sim in [orrery.NBody(np.zeros((2, 3))), orrery.Particles("argon")]:
            for act in [copy.copy, copy.deepcopy, pickle.dumps]:
                with self.assertRaisesRegex(orrery.Error, "cannot be copied"):
                    act(sim)

    def test_what_a_function_of_progress_raises_is_raised(self):
        def fail(part, text):
            raise LookupError("mine")
        with self.assertRaisesRegex(LookupError, "mine"):
            orrery.NBody("plummer", bodies=2000).run(100000, progress=fail)

    def test_laws_replace_those_of_a_world_however_it_is_written(self):
        law = '[[pair]]\nname = "mine"\ncutoff = 2\nparameters = {k = 1}\nsnippet = "energy += k / r;"\n'
        world = orrery.Particles("argon").world()
        self.assertIn("[[pair]]", world)
        rows = '[[kind]]\nname = "a"\n[[fill]]\nshape = "list"\nkind = "a"\npositions = [\n[0, 0, 0],\n[1, 0, 0],\n]\n[[pair]]\nlaw = "lennard-jones"\n'
        for text in [world.replace("[[pair]]", "  [[ pair ]]  # mine"), rows]:
            names = orrery.Particles(text, laws=law).observables().dtype.names
            self.assertEqual(names[names.index("pz") + 1:], ("mine",))

    def test_a_damaged_archive_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.orrery")
            subprocess.run([BINARY, "nbody", "--bodies", "64",
                            "--steps", "20", "--no-summary", "--archive", file], check=True)
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 16
            file.write_bytes(content)
            with self.assertRaisesRegex(orrery.Error, "damaged"):
                list(orrery.read_runs(file))

    def test_many_bodies_go_by_several_threads(self):
        x, v, m = sphere(1000)
        plain = orrery.NBody(x, v, m, precision="mixed")
        written = (plain._folder / "bodies.npy").read_bytes()
        arrays = {name: getattr(plain, name) for name in ("positions", "velocities", "masses")}
        with mock.patch.object(_arrays, "_MANY", 100), mock.patch.object(_arrays, "_PIECE", 7):
            threaded = orrery.NBody(x, v, m, precision="mixed")
            self.assertEqual((threaded._folder / "bodies.npy").read_bytes(), written)
            for name, values in arrays.items():
                np.testing.assert_array_equal(getattr(threaded, name), values)
            np.testing.assert_allclose(threaded.positions, x, rtol=1e-13)
            with self.assertRaises(ZeroDivisionError):
                _arrays.in_parts(1000, lambda begin, end: 1 / (end - 1000))


class ParticleFrames(unittest.TestCase):
    SETTINGS = {"precision": "double", "burst": 5}

    def test_one_child_has_many_frames(self):
        sim = orrery.Particles("argon", **self.SETTINGS)
        sim.positions
        with mock.patch.object(_program, "start", wraps=_program.start) as starts:
            frames = list(sim.frames(every=10, steps=45))
        self.assertEqual([frame.step for frame in frames], [10, 20, 30, 40, 45])
        self.assertEqual(starts.call_count, 2)  # the last five steps are no multiple
        whole = orrery.Particles("argon", **self.SETTINGS).run(20)
        np.testing.assert_allclose(frames[1].positions, whole.positions, atol=1e-9)
        self.assertEqual(frames[1].time, whole.time)
        self.assertEqual(frames[1].kinds.tolist(), whole.kinds.tolist())

    def test_the_loop_may_end_at_any_frame_and_the_run_goes_on_from_there(self):
        sim = orrery.Particles("argon", **self.SETTINGS)
        for frame in sim.frames(every=10):
            self.assertEqual((sim.step, sim.observables().step[-1]), (frame.step, frame.step))
            np.testing.assert_array_equal(sim.positions, frame.positions)
            if frame.step == 20:
                break  # the child is ahead: the simulation is here
        self.assertEqual(_program._children, set())
        sim.run(10)
        self.assertEqual((sim.step, sim.observables().step.tolist()), (30, [0, 5, 10, 15, 20, 25, 30]))
        same = orrery.Particles("argon", **self.SETTINGS).run(20).run(10)
        np.testing.assert_allclose(sim.positions, same.positions, atol=1e-6)
        self.assertEqual([path.name for path in sim._folder.path.iterdir() if path.is_dir()], [])

    def test_a_run_within_the_loop_goes_on_from_its_frame(self):
        sim, seen = orrery.Particles("argon", **self.SETTINGS), []
        for frame in sim.frames(every=5, steps=15):
            seen.append(frame.step)
            sim.run(5)
        self.assertEqual((seen, sim.step), ([5, 15, 25], 30))
        self.assertEqual(sim.observables().step.tolist(), [0, 5, 10, 15, 20, 25, 30])


class Life(unittest.TestCase):
    def test_ctrl_c_ends_the_child_in_order(self):
        sim = orrery.NBody("plummer", bodies=2000, dt=1e-6)
        sim.run(1)
        timer = threading.Timer(0.7, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.run(10_000_000)
        timer.join()
        self.assertGreater(sim.step, 1)
        self.assertEqual(_program._children, set())
        self.assertEqual(sim.run(1).energies().step[-1], sim.step)

    def test_no_file_is_left(self):
        before = left_folders()
        sim = orrery.NBody(*sphere()).run(2)
        self.assertGreater(left_folders(), before)
        with self.assertRaises(orrery.Error):
            orrery.NBody(*sphere(), dt=0).run()
        del sim
        self.assertEqual(left_folders(), before)

    def test_files_of_a_killed_process_are_removed_by_the_next(self):
        script = "import orrery, os, sys; sim = orrery.NBody('plummer', bodies=9).run(); print(sim._folder.path); sys.stdout.flush(); os._exit(9)"
        told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(SOURCE / "app/python")})
        left = pathlib.Path(told.stdout.strip())
        self.assertTrue(left.exists(), told)
        orrery.NBody("plummer", bodies=9)
        self.assertFalse(left.exists())

    def test_progress_is_reported(self):
        told = []
        orrery.NBody("plummer", bodies=9, dt=1e-6).run(300, progress=lambda part, text: told.append((part, text)))
        self.assertEqual(told, sorted(told))
        self.assertGreater(told[-1][0], 0.9)
        self.assertRegex(told[-1][1], "n-body: step [0-9]+ of 300")

    def test_warnings_of_the_program_are_warnings(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            orrery.NBody("pythagorean", dt=0.05, softening=0, burst=100).run(2000)
        self.assertTrue(any(issubclass(each.category, orrery.OrreryWarning) for each in caught), caught)

    def test_the_driver_of_packages_is_used_where_the_system_has_none(self):
        with tempfile.TemporaryDirectory() as folder:
            library, told = pathlib.Path(folder, "lib/libintelocl.so"), pathlib.Path(folder, "site/intel_opencl_rt-1.dist-info")
            for each in (library.parent, told):
                each.mkdir(parents=True)
            library.touch()
            (told / "METADATA").write_text("Metadata-Version: 2.1\nName: intel-opencl-rt\nVersion: 1\n")
            (told / "RECORD").write_text("../lib/libintelocl.so.1,,\n../lib/libintelocl.so,,\n")
            with mock.patch.object(sys, "path", [f"{folder}/site"]), mock.patch.dict(os.environ):
                for name in ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"):
                    os.environ.pop(name, None)
                with mock.patch.object(_program, "_has_system_driver", lambda: False):
                    self.assertEqual(_program.environment()["OCL_ICD_VENDORS"], str(library))
                    os.environ["OCL_ICD_VENDORS"] = "/mine"
                    self.assertEqual(_program.environment()["OCL_ICD_VENDORS"], "/mine")
                    del os.environ["OCL_ICD_VENDORS"]
                with mock.patch.object(_program, "_has_system_driver", lambda: True):
                    self.assertNotIn("OCL_ICD_VENDORS", _program.environment())

    def test_a_program_that_is_not_there_is_an_error(self):
        with mock.patch.dict(os.environ, ORRERY_PROGRAM="/nowhere/orrery"), self.assertRaises(orrery.Error):
            orrery.devices()


class Windows(unittest.TestCase):
    """The module on Windows, with stand-ins: tests/windows.sh tests the program, and no Python runs under Wine."""

    def setUp(self):
        self.kernel, self.child = mock.Mock(), mock.Mock(pid=77)
        self.child.poll.return_value = None
        for name, value in (("_WINDOWS", True), ("_kernel", lambda: self.kernel)):
            changed = mock.patch.object(_program, name, value)
            changed.start()
            self.addCleanup(changed.stop)

    def test_ctrl_break_ends_the_child_in_order(self):
        with mock.patch.object(signal, "CTRL_BREAK_EVENT", 1, create=True):
            self.kernel.GetConsoleCP.return_value = 437
            _program.interrupt(self.child)
            self.child.send_signal.assert_called_once_with(1)
            self.kernel.GetConsoleCP.return_value = 0  # no console, as in a notebook's kernel
            _program.interrupt(self.child)
        self.assertEqual([str(call) for call in self.kernel.mock_calls],
                         ["call.GetConsoleCP()", "call.GetConsoleCP()", "call.AttachConsole(77)", "call.GenerateConsoleCtrlEvent(1, 77)", "call.FreeConsole()"])
        self.child.send_signal.assert_called_once()

    def test_a_child_opens_no_window_of_a_console(self):
        self.kernel.GetConsoleCP.side_effect = [437, 0]
        flags = {"CREATE_NEW_PROCESS_GROUP": 0x200, "CREATE_NO_WINDOW": 0x8000000}
        with mock.patch.multiple(subprocess, create=True, Popen=mock.Mock(), **flags):
            for expected in (0x200, 0x8000200):
                _program._children.discard(_program.start(["nbody"]))
                self.assertEqual(subprocess.Popen.call_args.kwargs["creationflags"], expected)

    def test_a_folder_that_a_killed_process_left_has_no_owner(self):
        left, held = (pathlib.Path(tempfile.mkdtemp(prefix="orrery-1-")) for _ in range(2))
        (left / _program._IN_USE).touch()  # Windows does not remove open files: `held` has none here
        with mock.patch.object(_program.os, "access", return_value=False):
            own = _program.Folder()
        self.assertEqual((left.exists(), held.exists(), (own / _program._IN_USE).exists()), (False, True, True))
        own.close()
        self.assertFalse(own.path.exists())
        held.rmdir()


class Others(unittest.TestCase):
    def test_smooth_values_are_those_of_the_formula(self):
        nu = orrery.mandelbrot((-0.75, 0.1), 0.5, (40, 30), iterations=60, escape_radius=50)
        self.assertEqual((nu.shape, nu.dtype), ((30, 40), np.float64))
        j, i = np.mgrid[0:30, 0:40]
        c = (-0.75 + 0.5 * ((i + 0.5) / 40 - 0.5)) + 1j * (0.1 + 0.5 * 30 / 40 * (0.5 - (j + 0.5) / 30))
        wanted, z = np.full(c.shape, -1.0), np.zeros_like(c)
        for n in range(60):
            out = (np.abs(z) > 50) & (wanted < 0)
            with np.errstate(all="ignore"):
                wanted[out] = n + 1 - np.log2(np.log(np.abs(z[out])) / np.log(50))
            z = np.where(wanted < 0, z * z + c, z)
        self.assertEqual(np.count_nonzero((nu < 0) != (wanted < 0)), 0)
        np.testing.assert_allclose(nu, wanted, atol=1e-6)

    def test_a_zoom_is_a_film(self):
        with tempfile.TemporaryDirectory() as folder:
            film = orrery.zoom("feigenbaum", "1", (32, 24), pathlib.Path(folder, "frames"), seconds=0.2, frames_per_second=20)
            self.assertEqual([path.name for path in film.frames()], [f"frame-{number:05}.png" for number in range(1, 5)])
            self.assertEqual(film.path, pathlib.Path(folder, "frames"))

    def test_an_array_shows_itself_and_a_part_of_it_does_not(self):
        nu = orrery.mandelbrot("feigenbaum", size=(32, 24), detail=True)
        self.assertEqual(nu.detail.shape, (24, 32))
        self.assertEqual(nu.picture(palette="twilight").size, (32, 24))
        self.assertTrue(nu._repr_png_().startswith(b"\x89PNG"))
        self.assertIsNone(nu[3:]._repr_png_())

    def test_a_world_runs_on_and_its_laws_can_be_text(self):
        sim = orrery.Particles("argon", precision="double", burst=10).run(10).run(10)
        rows = sim.observables()
        self.assertEqual(rows.step.tolist(), [0, 10, 20])
        self.assertRegex(repr(sim), "^<orrery.Particles: argon, step 20, t = [0-9.]+>$")
        self.assertEqual((sim.positions.shape, set(sim.kinds.tolist())), ((4000, 3), {"argon"}))
        self.assertAlmostEqual(rows.kinetic[-1] / np.sum(sim.masses[:, None] * sim.velocities ** 2) * 2, 1, places=6)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("now.npy", "now.toml"):
                sim.save(pathlib.Path(folder, name))
            np.testing.assert_array_equal(np.load(pathlib.Path(folder, "now.npy"))["vx"], sim.velocities[:, 0])
            np.testing.assert_array_equal(orrery.Particles(pathlib.Path(folder, "now.toml"), precision="double").positions, sim.positions)
        free = orrery.Particles(sim.world(), laws='[[pair]]\nname = "none"\nsnippet = "energy += 0 * r;"\ncutoff = 1')
        self.assertEqual(free.observables()["none"].tolist(), [0])
        with self.assertRaises(orrery.UsageError):
            orrery.Particles("argon", laws='[[pair]]\nname = "none"\nsnippet = "energy += oops;"').run()

    def test_devices_are_those_of_the_program(self):
        device = orrery.devices()[0]
        self.assertIn(device.name, subprocess.run([BINARY, "devices"], capture_output=True, text=True).stdout)
        self.assertEqual(len(orrery.NBody("plummer", bodies=9, device=device)), 9)

    def test_the_module_is_typed_and_fits_python_3_9(self):
        package = SOURCE / "app/python/orrery"
        self.assertTrue((package / "py.typed").exists())
        for file in package.rglob("*.py"):
            tree = ast.parse(file.read_text(), feature_version=(3, 9))
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and "examples" not in file.parts:
                    untyped = [each.arg for each in node.args.args if each.annotation is None and each.arg not in ("self", "bar")]
                    self.assertEqual(untyped, [], f"{file.name}: {node.name}")


class Pages(unittest.TestCase):
    def test_the_examples_of_the_pages_run(self):
        x, v, m = sphere()
        names = {"positions": x, "velocities": v, "masses": m}
        with tempfile.TemporaryDirectory() as folder, mock.patch("builtins.print") as printed:
            before = os.getcwd()
            os.chdir(folder)
            try:
                for page in ("README.md", "assets/manual/python.md"):
                    blocks = re.findall(r"^```python\n(.*?)^```$", (SOURCE / page).read_text(), re.M | re.S)
                    self.assertTrue(blocks, page)
                    for block in (each for each in blocks if "orrery.show" not in each):  # view_test.py runs those with show()
                        exec(compile(block.replace("run(1000)", "run(10)"), page, "exec"), names)
            finally:
                os.chdir(before)
            self.assertTrue(pathlib.Path(folder, "seahorses.png").exists())
        self.assertEqual(names["sim"].step, 150)
        self.assertGreater(len(printed.call_args_list), 8)

    def test_the_page_names_all_of_the_module(self):
        page = (SOURCE / "assets/manual/python.md").read_text()
        for name in set(orrery.__all__) - {"Device", "Film", "Frame", "MandelbrotArray", "Picture", "View", "program"}:
            self.assertRegex(page, rf"\b{name}\b")
        for name in EXAMPLES:
            self.assertIn(f"`{name}`", page)
        for name in (each for each in vars(orrery.View) if not each.startswith("_") and each not in ("close", "is_open", "scene", "step", "wait")):
            self.assertRegex(page, rf"\b{name}\b")


class Examples(unittest.TestCase):
    def run_small(self, name):
        with tempfile.TemporaryDirectory() as folder, mock.patch("builtins.print"):
            before = os.getcwd()
            os.chdir(folder)
            try:
                return importlib.import_module(f"orrery.examples.{name}").main(small=True)
            finally:
                os.chdir(before)

    def test_all_are_tested(self):
        found = {path.stem for path in (SOURCE / "app/python/orrery/examples").glob("[a-z]*.py")}
        self.assertEqual(found, set(EXAMPLES))

    def test_energy_against_step(self):
        orders = self.run_small("energy_against_step")
        self.assertAlmostEqual(orders["leapfrog"], 2, delta=0.05)
        self.assertAlmostEqual(orders["pefrl"], 4, delta=0.1)

    def test_feigenbaum(self):
        quotient = (1.3680989394 - 1.25) / (1.3940461566 - 1.3680989394)  # from the known doublings
        self.assertAlmostEqual(self.run_small("feigenbaum"), quotient, delta=0.01)

    def test_fit_a_law(self):
        np.testing.assert_allclose(self.run_small("fit_a_law"), [1.7, 2.5], rtol=0.002)

    def test_rotation_curve(self):
        found, wanted = self.run_small("rotation_curve")
        self.assertTrue(np.all((found > 0.85 * wanted) & (found < 1.05 * wanted)), (found, wanted))

    def test_tune_a_kernel(self):
        self.assertEqual(set(self.run_small("tune_a_kernel")), {32, 64, 128})

    def test_film(self):
        film = self.run_small("film")
        content = film._content()
        self.assertTrue(content.startswith(b"\x89PNG") or content[4:8] == b"ftyp", content[:16])
        self.assertIn(";base64,", film._repr_html_())
        if film.frames():  # the number of pictures follows the name of the animation's chunk
            self.assertEqual(int.from_bytes(content.split(b"acTL", 1)[1][:4], "big"), len(film.frames()))
            self.assertEqual(content.count(b"fcTL"), len(film.frames()))


if __name__ == "__main__":
    warnings.simplefilter("ignore", orrery.OrreryWarning)
    unittest.main(warnings="ignore")
