#!/usr/bin/env python3
"""A driver that crashes, hangs or ends the process while devices are listed is named; the others' devices work.

usage: drivers_test.py PATH-TO-ORRERY PATH-TO-BAD-DRIVER [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
BAD_DRIVER = str(pathlib.Path(sys.argv.pop(1)).resolve())
SANITIZED = any(name in pathlib.Path(BINARY).read_bytes() for name in (b"__asan_init", b"__tsan_init"))
INSTALLED = pathlib.Path(os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"))


class DriverCase(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.vendors = self.folder / "vendors"
        self.vendors.mkdir()
        for file in INSTALLED.glob("*.icd"):
            (self.vendors / file.name).write_text(file.read_text())

    def run_with(self, *arguments, limit=None, **environment):
        """(exit code, standard output, standard error)"""
        command = [BINARY, *arguments] if limit is None else ["bash", "-c", f'ulimit -v {limit}; exec "$0" "$@"', BINARY, *arguments]
        given = {**os.environ, "OCL_ICD_VENDORS": str(self.vendors), "XDG_STATE_HOME": str(self.folder), **environment}
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env={name: value for name, value in given.items() if value is not None})
        return done.returncode, done.stdout, done.stderr

    def devices(self, mode, seconds="15"):
        """(usable devices, faults of platforms by name, seconds)"""
        began = time.monotonic()
        done = subprocess.run([BINARY, "devices", "--json"], capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env=dict(os.environ, OCL_ICD_VENDORS=str(self.vendors), XDG_STATE_HOME=str(self.folder),
                                       ORRERY_BAD_DRIVER=mode, ORRERY_DRIVER_SECONDS=seconds))
        self.assertEqual(done.returncode, 0, done.stderr)
        platforms = json.loads(done.stdout)["platforms"]
        usable = [device["name"] for platform in platforms for device in platform["devices"] if not device.get("fault")]
        faults = {platform["name"]: platform["fault"] for platform in platforms if platform.get("fault")}
        return usable, faults, time.monotonic() - began

    def compute(self, mode, seconds="15"):
        """A headless command: (standard error, seconds)."""
        began = time.monotonic()
        done = subprocess.run([BINARY, "nbody", "--bodies", "20", "--steps", "1"], capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env=dict(os.environ, OCL_ICD_VENDORS=str(self.vendors), XDG_STATE_HOME=str(self.folder),
                                       ORRERY_BAD_DRIVER=mode, ORRERY_DRIVER_SECONDS=seconds))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr, time.monotonic() - began

    def install_the_bad_one(self):
        (self.vendors / "bad.icd").write_text(BAD_DRIVER + "\n")


class Drivers(DriverCase):
    def test_a_driver_that_crashes_is_named_and_the_others_work(self):
        good, faults, _ = self.devices("crash")
        self.assertEqual(faults, {})
        self.assertGreater(len(good), 0, "no driver to test with")
        self.install_the_bad_one()
        usable, faults, _ = self.devices("crash")
        self.assertEqual(usable, good)
        self.assertEqual(list(faults), ["the driver bad.icd"])
        self.assertIn("crashed", faults["the driver bad.icd"])

    def test_a_driver_that_hangs_is_named_once_the_time_is_up_and_remembered(self):
        self.install_the_bad_one()
        usable, faults, first = self.devices("hang", "3")
        self.assertGreater(len(usable), 0)
        self.assertIn("did not answer within 3 s", faults["the driver bad.icd"])
        again, faults, second = self.devices("hang", "3")
        self.assertEqual(again, usable)
        self.assertIn("did not answer", faults["the driver bad.icd"])
        self.assertGreater(first, 3)
        self.assertLess(second, 3)  # the driver was not asked again

    def test_headless_commands_leave_a_bad_driver_out_and_name_it(self):
        self.compute("well")
        self.install_the_bad_one()
        said, first = self.compute("hang", "3")
        self.assertIn("the driver bad.icd: it did not answer within 3 s", said)
        self.assertGreater(first, 3)

    def test_a_trusted_driver_that_crashes_later_does_so_once(self):
        self.install_the_bad_one()
        self.compute("well")
        with self.assertRaises(AssertionError):  # a trusted driver is not probed
            self.compute("crash")
        self.assertIn("the driver bad.icd: it crashed", self.compute("crash")[0])

    def test_state_files_that_are_pipes_do_not_block_the_start(self):
        state = self.folder / "orrery"
        state.mkdir()
        for name in ("drivers-trusted", "drivers-left-out", "tuning.toml"):
            os.mkfifo(state / name)
        code, _, said = self.run_with("nbody", "--bodies", "20", "--steps", "1")
        self.assertEqual(code, 0, said)

    def test_a_driver_that_has_changed_is_tried_again(self):
        self.install_the_bad_one()
        self.assertIn("the driver bad.icd", self.devices("crash")[1])
        (self.vendors / "bad.icd").write_text(BAD_DRIVER + "\n\n")
        self.assertEqual(self.devices("well")[1], {})

    def test_where_every_driver_crashes_there_is_no_device_and_no_crash(self):
        for file in self.vendors.glob("*.icd"):
            file.unlink()
        self.install_the_bad_one()
        usable, faults, _ = self.devices("crash")
        self.assertEqual(usable, [])
        self.assertEqual(list(faults), ["the driver bad.icd", "the environment"])  # "the environment" names this folder of drivers

    def test_the_only_driver_is_tried_again(self):
        for file in self.vendors.glob("*.icd"):
            file.unlink()
        self.install_the_bad_one()
        fault = self.devices("crash")[1]["the driver bad.icd"]
        self.assertIn(f", or {self.folder / 'orrery' / 'drivers-left-out'} is deleted", fault)
        self.assertNotIn("the driver bad.icd", self.devices("well")[1])

    def test_a_driver_is_tried_again_in_another_environment(self):
        self.install_the_bad_one()
        self.assertIn("the driver bad.icd", self.devices("crash")[1])
        self.assertIn("the driver bad.icd", self.devices("well")[1])
        for name in ("POCL_CACHE_DIR", "HOME", "CUDA_CACHE_PATH"):
            code, _, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER="well", **{name: str(self.folder)})
            self.assertEqual((code, said), (0, ""))

    def test_the_first_of_several_conflicting_copies_is_kept(self):
        for name in ("a", "b", "c"):
            (self.folder / f"{name}.so").write_bytes(pathlib.Path(BAD_DRIVER).read_bytes())
            (self.vendors / f"{name}.icd").write_text(f"{self.folder / name}.so\n")
        usable, faults, _ = self.devices("second")
        self.assertGreater(len(usable), 0)
        self.assertEqual(list(faults), ["the driver b.icd", "the driver c.icd"])
        self.assertIn("beside the driver a.icd", faults["the driver b.icd"])

    def test_a_driver_that_is_listed_twice_counts_once(self):
        good, _, _ = self.devices("well")
        for file in list(self.vendors.glob("*.icd")):
            library = file.read_text().split()[0]
            path = next(pathlib.Path("/usr/lib").glob(f"*/{library}"), pathlib.Path(library))
            (self.vendors / f"again-{file.name}").write_text(f"{path}\n")
            link = self.folder / f"linked-{file.stem}"  # in its folder, where a driver looks for its parts
            link.symlink_to(path.parent)
            (self.vendors / f"linked-{file.name}").write_text(f"{link / path.name}\n")
        self.assertEqual(self.devices("well")[:2], (good, {}))

    def test_variables_that_leave_no_device_are_named(self):
        for given in ({"OCL_ICD_VENDORS": "/nowhere"}, {"POCL_DEVICES": "nonsense"}):
            code, _, said = self.run_with(*BODIES, **given)
            self.assertEqual((code, said.count("\n")), (1, 1), said)
            for name, value in given.items():
                self.assertIn(f"{name}={value}", said)
            self.assertNotIn("install", said)

    def test_empty_variables_count_as_unset(self):
        empty = {name: "" for name in ("POCL_CACHE_DIR", "POCL_DEVICES", "XDG_CACHE_HOME", "TMPDIR", "LD_LIBRARY_PATH", "XDG_RUNTIME_DIR",
                                       "ORRERY_PATIENCE", "ORRERY_DRIVER_SECONDS", "ORRERY_HOME")}
        code, _, said = self.run_with(*BODIES, **empty)
        self.assertEqual((code, said), (0, ""))

    def test_records_of_drivers_are_readable_by_their_owner_only(self):
        os.umask(0)
        self.addCleanup(os.umask, 0o022)
        self.install_the_bad_one()
        state = self.folder / "new" / "state"
        self.run_with("devices", ORRERY_BAD_DRIVER="crash", XDG_STATE_HOME=str(state))
        self.assertEqual((state / "orrery" / "drivers-left-out").stat().st_mode & 0o777, 0o600)
        for folder in (state / "orrery", state, state.parent):
            self.assertEqual(folder.stat().st_mode & 0o777, 0o700, folder)


BODIES = ["nbody", "--bodies", "20", "--steps", "1"]


class NoWayRoundTheChild(DriverCase):
    def test_a_driver_that_ends_the_process_is_named_and_the_others_compute(self):
        self.install_the_bad_one()
        for mode in ("exit", "exit-later"):
            (self.vendors / "bad.icd").write_text(BAD_DRIVER + "\n" * len(mode))
            code, printed, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER=mode)
            self.assertEqual(code, 0, said)
            self.assertIn("20 bodies, 1 steps", printed)
            self.assertIn("the driver bad.icd: it ended the process", said)

    def test_a_trusted_driver_that_ends_the_process_is_no_success(self):
        self.install_the_bad_one()
        for mode in ("exit", "exit-later"):
            (self.vendors / "bad.icd").write_text(BAD_DRIVER + "\n" * len(mode))
            self.assertEqual(self.run_with(*BODIES, ORRERY_BAD_DRIVER="well")[0], 0)
            code, printed, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER=mode)
            self.assertEqual((code, printed), (1, ""))
            self.assertIn("an OpenCL driver has ended the program", said)
            code, printed, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER=mode)
            self.assertEqual(code, 0, said)
            self.assertIn("the driver bad.icd: it ended the process", said)

    def test_a_driver_named_by_a_variable_is_tried_too(self):
        self.install_the_bad_one()
        library = self.folder / "bad.so"
        library.symlink_to(BAD_DRIVER)
        for place in (self.vendors / "bad.icd", library):
            for mode, how in (("crash", "crashed"), ("exit", "ended the process")):
                (self.folder / "orrery" / "drivers-left-out").unlink(missing_ok=True)
                code, _, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER=mode, OCL_ICD_VENDORS=str(place))
                self.assertEqual(code, 1, said)
                self.assertIn(f"no OpenCL device can be used; the driver {place.name}: it {how}", said)

    def test_a_working_driver_named_by_a_variable_computes(self):
        for icd in INSTALLED.glob("*.icd"):
            for place in (str(icd), icd.read_text().split()[0]):
                code, printed, said = self.run_with(*BODIES, OCL_ICD_VENDORS=place)
                self.assertEqual(code, 0, said)

    @unittest.skipIf(SANITIZED, "the sanitizers reserve more addresses than the limit leaves")
    def test_a_driver_is_tried_again_under_a_memory_limit(self):
        self.install_the_bad_one()
        self.assertEqual(self.run_with(*BODIES, ORRERY_BAD_DRIVER="small")[0], 0)
        for _ in range(2):
            code, _, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER="small", limit=8000000)
            self.assertEqual(code, 0, said)
            self.assertIn("the driver bad.icd: it crashed", said)
        code, _, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER="small")
        self.assertEqual((code, said), (0, ""))  # failures there do not count here

    def test_a_driver_is_tried_without_a_folder_for_temporary_files(self):
        self.install_the_bad_one()
        for temporary in (full_disk(self), "/nowhere"):
            (self.folder / "orrery" / "drivers-left-out").unlink(missing_ok=True)
            code, _, said = self.run_with(*BODIES, ORRERY_BAD_DRIVER="crash", TMPDIR=str(temporary))
            self.assertEqual(code, 0, said)
            self.assertIn("the driver bad.icd: it crashed", said)

    def test_a_library_that_cannot_be_loaded_is_reported_with_the_reason(self):
        for file in self.vendors.glob("*.icd"):
            file.unlink()
        (self.vendors / "gone.icd").write_text("/nowhere/libgone.so\n")
        (self.vendors / "text.icd").write_text(str(self.vendors / "gone.icd") + "\n")
        (self.vendors / "empty.icd").write_text("")
        for _ in range(2):
            code, _, said = self.run_with(*BODIES)
            self.assertEqual(code, 1, said)
            self.assertIn("the driver gone.icd: cannot be loaded: /nowhere/libgone.so: cannot open shared object file", said)
            self.assertRegex(said, "the driver text.icd: cannot be loaded: .*(invalid ELF header|file too short)")
            self.assertIn("the driver empty.icd: cannot be loaded: the file names no library", said)
            self.assertNotIn("install", said)
        code, printed, _ = self.run_with("devices")
        self.assertIn("the driver gone.icd: cannot be loaded: /nowhere/libgone.so", printed)
        self.assertNotIn("Install", printed)


def full_disk(case, bytes="64k"):
    """A folder without free space; skips the test if none can be made."""
    place = pathlib.Path(tempfile.mkdtemp())
    case.addCleanup(place.rmdir)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={bytes}", "none", place], capture_output=True, text=True)
    if mounted.returncode != 0:
        case.skipTest("no small disk can be mounted here: " + mounted.stderr.strip())
    case.addCleanup(subprocess.run, ["umount", "-l", place])
    try:
        with open(place / "filling", "wb") as file:
            while True:
                file.write(bytes_of_filling)
                file.flush()
    except OSError:
        return place


bytes_of_filling = b"." * 4096


class Cache(DriverCase):
    """PoCL's folder of compiled libraries."""

    def setUp(self):
        super().setUp()
        self.own = self.folder / "tmp" / f"orrery-driver-cache-{os.getuid()}"
        self.own.parent.mkdir()

    def compute_without_home(self):
        code, _, said = self.run_with(*BODIES, HOME=None, XDG_CACHE_HOME=None, POCL_CACHE_DIR=None, TMPDIR=str(self.own.parent))
        self.assertEqual(code, 0, said)
        return said

    def test_without_a_home_orrery_keeps_a_private_folder(self):
        os.umask(0)
        self.addCleanup(os.umask, 0o022)
        for _ in range(2):
            self.assertEqual(self.compute_without_home(), "")
            self.assertEqual(self.own.stat().st_mode & 0o777, 0o700)
            self.assertEqual(list(self.own.parent.iterdir()), [self.own])
        if "pocl" in self.run_with("devices")[1].lower():
            self.assertNotEqual(list(self.own.iterdir()), [])

    def test_a_folder_that_others_may_have_written_to_is_not_used(self):
        def open_to_all():
            self.own.mkdir()
            self.own.chmod(0o777)

        def a_link():
            elsewhere = self.folder / "elsewhere"
            elsewhere.mkdir(mode=0o700)
            self.own.symlink_to(elsewhere)

        def of_somebody_else():
            if os.geteuid() != 0:
                self.skipTest("only root can make a folder of somebody else's")
            self.own.mkdir(mode=0o700)
            os.chown(self.own, 65534, 65534)

        for plant in (open_to_all, a_link, of_somebody_else):
            with self.subTest(plant.__name__):
                plant()
                self.compute_without_home()
                self.assertEqual(list(self.own.iterdir()), [])
                self.assertEqual(list(self.own.parent.iterdir()), [self.own], "the one that was used instead is gone")
                self.own.unlink() if self.own.is_symlink() else self.own.rmdir()

    def test_a_home_on_a_full_disk_is_reported_and_not_needed(self):
        home = full_disk(self)
        code, _, said = self.run_with(*BODIES, HOME=str(home), XDG_CACHE_HOME=None, XDG_DATA_HOME=None, POCL_CACHE_DIR=None,
                                      TMPDIR=str(self.own.parent))
        self.assertEqual(code, 0, said)
        self.assertIn(f"the disk of {home}/.cache/orrery is full; compiled kernels go to {self.own}", said)
        code, _, said = self.run_with(*BODIES, HOME=str(home), XDG_CACHE_HOME=None, XDG_DATA_HOME=None, POCL_CACHE_DIR=None,
                                      TMPDIR=str(home))
        self.assertIn(f"the disk of {home}/.cache/orrery is full, and so is that of {home}", said)


if __name__ == "__main__":
    unittest.main()
