#!/usr/bin/env python3
"""The window on a failing driver: it survives, reports the failure, and the bodies go on.

usage: window_test.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER PATH-TO-GL-RESET PATH-TO-SURROUNDINGS [unittest arguments]
"""
import csv
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "window"))
from orrery_window import BODIES, KERNELS, Screen, WindowCase, bodies_after, bodies_of, tomllib, wait_for  # noqa: E402
from xmonitor import unplugged  # noqa: E402

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
FAULT_LAYER = str(pathlib.Path(sys.argv.pop(1)).resolve())
GL_RESET = str(pathlib.Path(sys.argv.pop(1)).resolve())
SURROUNDINGS = str(pathlib.Path(sys.argv.pop(1)).resolve())


class FaultCase(WindowCase):
    def start(self, binary, *arguments, **how):
        """Uses a small window: if OpenGL draws on the CPU, the cost of a test grows with its pixels."""
        return super().start(binary, *(() if "--size" in arguments else ("--size", "960x600")), *arguments, **how)

    def open(self, faults, bodies=BODIES):
        return self.open_scene("nbody", faults, *bodies)

    def open_scene(self, scene, faults, *arguments):
        self.log = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), "faults")  # faults that have struck
        environment = {"OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": faults, "ORRERY_FAULT_LOG": str(self.log)}
        return self.start(BINARY, "--scene", scene, *arguments, environment=environment)

    def check_bodies(self, state):
        """The bodies are those that a working driver computes in as many steps."""
        self.assertEqual(bodies_of(state), bodies_after(BINARY, state["nbody"]["step"]))


def abandon(orrery):
    orrery.press("Abandon")


class Losses(FaultCase):
    def test_the_bodies_go_on_in_a_new_context(self):
        orrery = self.open("lost at=900")
        self.wait_until_it_says(orrery, "CL_OUT_OF_RESOURCES")
        orrery.wait_until_it_moves()
        orrery.wait_for_launches(1000)
        state, stats = orrery.quit()
        self.assertIsNotNone(stats["device"])
        self.assertGreater(state["nbody"]["step"], 100)
        self.check_bodies(state)

    def test_a_device_that_keeps_failing_is_set_aside_and_no_body_is_lost(self):
        orrery = self.open("lost from=900 code=-36")
        self.wait_until_it_says(orrery, "is set aside because it failed three times")
        orrery.catch_up()
        state, stats = orrery.quit()
        self.assertIsNone(stats["device"])
        self.assertGreater(state["nbody"]["step"], 10)
        self.check_bodies(state)

    def test_a_kernel_that_never_ends_blocks_neither_the_window_nor_quitting(self):
        orrery = self.open("hang at=900")
        self.wait_until_it_says(orrery, "has not answered for 6 s")
        before = orrery.fingerprint()
        orrery.key("F2")  # the panels go
        orrery.wait_for(lambda: orrery.fingerprint() != before)
        state, _ = orrery.quit()
        self.assertGreater(state["nbody"]["step"], 10)
        self.check_bodies(state)

    def test_a_refused_launch_loses_neither_the_device_nor_a_body(self):
        orrery = self.open("launch at=900 code=-54")
        self.wait_until_it_says(orrery, "the device allows at most ")
        orrery.wait_until_it_moves()
        state, stats = orrery.quit()
        self.assertIsNotNone(stats["device"])
        self.assertGreater(state["nbody"]["step"], 10)
        self.check_bodies(state)

    def test_a_device_that_hangs_is_abandoned_by_a_click(self):
        orrery = self.open("hang at=900")
        self.wait_until_it_says(orrery, "has not answered for 6 s")
        abandon(orrery)
        self.wait_until_it_says(orrery, "continue from step")
        orrery.wait_until_it_moves()
        state, stats = orrery.quit()
        self.assertIsNotNone(stats["device"])
        self.check_bodies(state)

    def test_objects_of_a_device_are_released_when_it_answers_again(self):
        with tempfile.TemporaryDirectory() as folder:
            now, objects = pathlib.Path(folder, "now"), pathlib.Path(folder, "objects")
            orrery = self.start(BINARY, "--scene", "nbody", *BODIES, environment={
                "OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": f"delay at=1 ms=20000 after={now}", "ORRERY_FAULT_OBJECTS": str(objects)})
            held = lambda: {name: int(count) for name, count in (line.split() for line in objects.read_text().splitlines())}  # noqa: E731
            orrery.wait_until_it_moves()
            seen = []

            def steady():
                """Whether all kernels have been built: the numbers of programs and kernels are stable."""
                time.sleep(0.2)
                seen.append(held())
                latest = seen[-16:]
                return len(latest) == 16 and len({(each["programs"], each["kernels"]) for each in latest}) == 1

            orrery.wait_for(steady)
            before = {name: min(each[name] for each in seen[-16:]) for name in seen[0]}
            now.touch()
            self.wait_until_it_says(orrery, "has not answered for 6 s")
            abandon(orrery)
            self.wait_until_it_says(orrery, "continue from step")
            orrery.wait_until_it_moves()
            orrery.wait_for(lambda: held()["queues"] > before["queues"], 10)  # queues that do not answer are kept
            for name in ("alive", "contexts", "queues", "buffers", "programs", "kernels"):
                orrery.wait_for(lambda: held()[name] <= before[name])
            state, _ = orrery.quit(20)
            self.check_bodies(state)

    def test_a_burst_of_minutes_loses_no_more_than_a_moment(self):
        bodies = ["--initial", "plummer", "--seed", "5", "--bodies", "100", "--dt", "0.001", "--softening", "0.05"]
        with tempfile.TemporaryDirectory() as folder:
            now = pathlib.Path(folder, "now")
            orrery = self.open(f"lost at=1 after={now}", [*bodies, "--burst", "100000"])
            kept = orrery.folder / "orrery" / "sessions" / f"{orrery.process.pid}.toml"
            orrery.wait_for(lambda: any(int(step) > 500 for step in re.findall(r"^step = (\d+)", kept.read_text(), re.MULTILINE)))
            now.touch()
            self.wait_until_it_says(orrery, "continue from step")
            state, _ = orrery.quit(20)
        self.assertGreater(state["nbody"]["step"], 500)
        self.assertEqual(bodies_of(state), bodies_after(BINARY, state["nbody"]["step"], [*bodies, "--burst", "1000"]))

    def test_a_session_that_is_killed_goes_on_from_its_last_copy(self):
        orrery = self.open("")
        kept = orrery.folder / "orrery" / "sessions" / f"{orrery.process.pid}.toml"
        orrery.wait_for(lambda: "bodies-csv" in kept.read_text())
        orrery.process.kill()
        orrery.process.wait()
        again = self.start(BINARY, "--scene", "mandelbrot", environment={"XDG_STATE_HOME": str(orrery.folder)})
        again.press("Restore")
        again.wait_for(lambda: not kept.exists())
        again.wait_for(lambda: again.shows("Parameters/Bodies"))
        again.wait_until_prepared(again.patience)
        state, stats = again.quit()
        self.assertEqual(stats["scene"], "nbody")
        self.assertIsNone(stats["left_session"])
        self.assertGreater(state["nbody"]["step"], 0)
        self.check_bodies(state)

    def test_a_signal_ends_the_session_in_order(self):
        signals = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
        sessions = [self.open("") for _ in signals]
        for number, orrery in zip(signals, sessions):
            kept = orrery.folder / "orrery" / "sessions" / f"{orrery.process.pid}.toml"
            orrery.wait_for(lambda: "bodies-csv" in kept.read_text())
            orrery.process.send_signal(number)
        for number, orrery in zip(signals, sessions):
            self.assertEqual(orrery.process.wait(orrery.patience), 0, f"{number}: {orrery.said()}")
            self.assertIn("bodies-csv", orrery.state_file.read_text())
            self.assertEqual([file.name for file in (orrery.folder / "orrery" / "sessions").iterdir()], ["last.toml"])
        for ended in sessions:
            again = self.start(BINARY, environment={"XDG_STATE_HOME": str(ended.folder)})
            self.assertIsNone(again.quit()[1]["left_session"])

    def test_a_crash_before_anything_was_saved_is_reported_once(self):
        for _ in range(40):  # two of three save before the first launch, which is a race
            home = self.enterContext(tempfile.TemporaryDirectory())
            surroundings = {**self.screen.environment, "XDG_STATE_HOME": home, "XDG_DATA_HOME": home, "OPENCL_LAYERS": FAULT_LAYER,
                            "ORRERY_FAULTS": "crash at=1 mode=address"}
            # The crash may come before the window is visible.
            crashed = subprocess.Popen([BINARY, "--scene", "nbody", *BODIES], env=surroundings, cwd=home, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            said, _ = crashed.communicate(timeout=60)
            if "AddressSanitizer" in said:
                self.skipTest("a sanitizer tells of crashes itself")
            self.assertIn("ended by SIGSEGV", said)
            folder = pathlib.Path(home, "orrery", "sessions")
            if not (folder / f"{crashed.pid}.toml").exists():
                break
        self.assertEqual([file.name for file in folder.iterdir()], [f"{crashed.pid}.crash.txt"])
        self.assertIn("SIGSEGV", next(folder.iterdir()).read_text())
        again = self.start(BINARY, environment={"XDG_STATE_HOME": home})
        again.wait_for_a_picture()
        again.press("Dismiss")
        again.wait_for(lambda: not list(folder.glob("*.crash.txt")))
        self.assertIsNone(again.quit()[1]["left_session"])

    def test_bodies_that_cease_to_be_finite_stop_and_can_be_rewound(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "fast.csv")
            # One body flies off; single precision ends at 3.4e38, after 227 steps.
            file.write_text("mass,x,y,z,vx,vy,vz\n1,0,0,0,1.5e36,0,0\n1,0,0,1,0,0,0\n1,0,1,0,0,0,0\n")
            orrery = self.open("", ["--initial", file, "--dt", "1", "--softening", "0.05", "--burst", "1"])
            self.wait_until_it_says(orrery, "of 3 bodies became NaN or infinite")
            orrery.key("BackSpace", "space")  # continues, to the same end
            self.wait_until_it_says(orrery, "of 3 bodies became NaN or infinite")
            state, _ = orrery.quit()
        self.assertTrue(state["nbody"]["paused"])
        self.assertTrue(0 <= state["nbody"]["step"] < 227, state["nbody"]["step"])
        bodies = list(csv.DictReader(state["nbody"]["bodies-csv"].splitlines()))
        self.assertTrue(all(abs(float(v)) < 3.4e38 for b in bodies for v in b.values()))

    def test_particles_whose_force_is_no_number_stop_and_can_be_rewound(self):
        with tempfile.TemporaryDirectory() as folder:
            world = pathlib.Path(folder, "cliff.toml")
            world.write_text('start_temperature = 0\n[[fill]]\nshape = "list"\npositions = [[0, 0, 0], [0, 5, 0]]\nvelocities = [[1, 0, 0], [0, 0, 0]]\n'
                             '[[group]]\nname = "cliff"\nmembers = 1\nsnippet = "if (position1.x > 2) force1.x = NAN;"\n[ensemble]\ndt = 0.002\n')
            orrery = self.open_scene("particles", "", "--world", world, "--burst", "1")
            for _ in range(4):  # the third failure in a row would set the device aside
                self.wait_until_it_says(orrery, "gives no finite force")
                orrery.key("BackSpace")
                orrery.key("space")
            self.wait_until_it_says(orrery, "gives no finite force")
            state, stats = orrery.quit()
        self.assertTrue(state["particles"]["paused"])
        self.assertTrue(0 <= state["particles"]["step"] <= 1000, state["particles"]["step"])
        self.assertIsNone(stats["left_session"])
        self.assertIsNotNone(stats["device"])


class EditedKernels(FaultCase):
    def test_edited_kernels_are_withdrawn_when_the_device_fails_and_the_state_names_them(self):
        kernel = "nbody_gather.cl"
        original = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "nbody" / kernel
        with tempfile.TemporaryDirectory() as folder:
            now = pathlib.Path(folder, "now")
            orrery = self.open(f"lost at=1 after={now}")
            copy = orrery.folder / "orrery" / "kernels" / kernel
            copy.parent.mkdir(parents=True)
            part = copy.with_suffix(".part")
            part.write_text(original.read_text(encoding="utf-8") + "// no other bits\n", encoding="utf-8")
            part.rename(copy)
            title = lambda: self.screen.xdotool("getwindowname", orrery.window)  # noqa: E731
            orrery.wait_for(lambda: "modified" in title())
            orrery.wait_for_launches(20)
            now.touch()
            self.wait_until_it_says(orrery, "withdrawn: the device failed")
            orrery.wait_for(lambda: "modified" not in title())
            orrery.wait_until_it_moves()
            state, stats = orrery.quit()
            self.assertTrue(copy.exists(), "a person's file is never removed")
        self.assertEqual(stats["kernel_edits"]["in_use"], [])
        self.assertEqual(state["window"]["edited-kernels"], kernel)
        self.check_bodies(state)


class SlowCompilers(FaultCase):
    """A compiler that takes minutes: the window stays responsive, and Cancel returns to the previous settings."""

    SLOW = 45  # seconds; no test waits that long

    def open_slow(self, scene, *arguments):
        """Every build of a program takes long once the file `now` exists."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        now = pathlib.Path(folder.name, "now")
        # Orrery's own cache is empty; the driver's may not be.
        environment = {"OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": f"compile ms={1000 * self.SLOW} after={now}",
                       "XDG_CACHE_HOME": folder.name, "POCL_CACHE_DIR": KERNELS,
                       "ORRERY_COMPILER": self.compiler}
        return self.start(BINARY, "--scene", scene, *arguments, environment=environment), now

    @staticmethod
    def wait_for_bodies(orrery):
        orrery.wait_for(lambda: orrery.controls()["preparing"] == "")

    compiler = "here"

    def cancel(self, orrery):
        """Clicks Cancel beside the progress of the build, which appears after two seconds."""
        orrery.press("Cancel")

    def check_given_up(self, orrery, began):
        self.wait_until_it_says(orrery, "Cancelled the build")
        self.assertLess(time.time() - began, self.SLOW, "it waits for no compiler")

    def give_up_another_size(self):
        """Changes the work-group while bodies move; returns the file that makes compilers slow, and the time of the change."""
        orrery, now = self.open_slow("nbody", *BODIES, "--work-group", "32")
        self.wait_for_bodies(orrery)
        now.touch()
        began = time.time()
        orrery.key("bracketright")
        self.cancel(orrery)
        self.check_given_up(orrery, began)
        return orrery, now, began

    def test_the_bodies_go_on_with_the_kernels_they_had(self):
        orrery, _, began = self.give_up_another_size()
        orrery.wait_until_it_moves()
        state, stats = orrery.quit(20)
        self.assertLess(time.time() - began, self.SLOW, "nor does who leaves")
        self.assertEqual(state["nbody"]["work-group"], 32)
        self.check_bodies(state)

    def test_pictures_go_on_with_the_kernels_they_had(self):
        orrery, now = self.open_slow("mandelbrot", "--precision", "single")
        (orrery.folder / "other.toml").write_text('[mandelbrot]\nvariant = "single: lanes 4, unroll 2"\n')
        orrery.wait_for_a_picture()
        now.touch()
        began = time.time()
        orrery.drop("other.toml")
        self.cancel(orrery)
        self.check_given_up(orrery, began)
        state, _ = orrery.quit(20)
        self.assertEqual(state["mandelbrot"]["variant"], "auto")

    def test_a_device_can_be_left_during_an_unwanted_compilation(self):
        orrery, now, began = self.give_up_another_size()
        now.unlink()
        orrery.key("d")  # the next device, or the same one again
        orrery.wait_until_prepared(orrery.patience)
        orrery.wait_until_it_moves()
        state, _ = orrery.quit(20)
        self.assertLess(time.time() - began, self.SLOW)
        self.check_bodies(state)

    def test_an_edited_kernel_is_given_up_and_the_original_runs_on(self):
        kernel = "nbody_gather.cl"
        original = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "nbody" / kernel
        orrery, now = self.open_slow("nbody", *BODIES)
        self.wait_for_bodies(orrery)
        now.touch()
        began = time.time()
        copy = orrery.folder / "orrery" / "kernels" / kernel
        copy.parent.mkdir(parents=True, exist_ok=True)
        part = copy.with_suffix(".part")
        part.write_text(original.read_text(encoding="utf-8") + "// another text\n", encoding="utf-8")
        part.rename(copy)
        self.cancel(orrery)
        self.check_given_up(orrery, began)
        state, stats = orrery.quit(20)
        self.assertEqual(stats["kernel_edits"]["in_use"], [])
        self.assertEqual(stats["kernel_edits"]["refused"], [kernel])
        self.check_bodies(state)


class SlowCompilersElsewhere(SlowCompilers):
    """The same with a compiler in a separate process, which is ended."""

    compiler = "child"


class NowhereToWrite(FaultCase):
    def test_an_unwritable_home_causes_only_a_message(self):
        nowhere = {name: "/proc" for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME")}
        orrery = self.start(BINARY, "--scene", "nbody", "--no-ui", *BODIES, environment=nowhere)
        orrery.wait_until_it_moves()
        orrery.key("F12", "F2", "e")
        orrery.wait_for(lambda: orrery.shows("Open in editor"))
        _, stats = orrery.quit()
        self.assertIsNotNone(stats["device"], "a driver that wants a folder of its own has one")


class Disks(FaultCase):
    """A full disk: existing files stay whole, the failure is shown, and the window survives."""

    @staticmethod
    def fill(orrery, full):
        """From now on no file can grow."""
        most = 0 if full else resource.RLIM_INFINITY
        resource.prlimit(orrery.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    def open_kept(self):
        """Starts a session and waits for its autosaved copy."""
        orrery = self.open("")
        kept = orrery.folder / "orrery" / "sessions" / f"{orrery.process.pid}.toml"
        orrery.wait_for(lambda: "bodies-csv" in kept.read_text())
        return orrery, kept

    def check_whole(self, kept):
        with open(kept, "rb") as file:
            self.assertIn("bodies-csv", tomllib.load(file)["nbody"])
        self.assertEqual([file.name for file in kept.parent.glob("*.part")], [])

    def test_a_failed_copy_of_the_session_is_reported_and_the_next_one_succeeds(self):
        orrery, kept = self.open_kept()
        self.fill(orrery, True)
        self.wait_until_it_says(orrery, "The session is not saved: ")
        self.check_whole(kept)
        orrery.send_keys("F12")  # the file of controls cannot be written either
        self.wait_until_it_says(orrery, "Cannot write ")
        orrery.wait_until_it_moves()
        self.assertEqual(list(orrery.pictures.glob("*.png*")), [])
        before = kept.stat().st_mtime_ns
        self.fill(orrery, False)
        orrery.wait_for(lambda: kept.stat().st_mtime_ns > before)
        self.check_whole(kept)
        state, _ = orrery.quit()
        self.check_bodies(state)

    def test_quitting_loses_neither_the_old_file_nor_the_session(self):
        orrery, kept = self.open_kept()
        orrery.state_file.write_text("old")
        self.fill(orrery, True)
        orrery.send_keys("ctrl+q")
        self.assertEqual(orrery.process.wait(60), 1)
        self.assertIn(f'cannot write "{orrery.state_file}"', orrery.said())
        self.assertEqual(orrery.state_file.read_text(), "old")
        self.check_whole(kept.with_name("last.toml"))  # the next start continues from it


class Surroundings(FaultCase):
    def test_a_clock_that_jumps_by_a_day_changes_nothing(self):
        orrery = self.start(BINARY, "--scene", "nbody", *BODIES, environment={"LD_PRELOAD": SURROUNDINGS, "ORRERY_CLOCK_STEP": "86400"})
        kept = orrery.folder / "orrery" / "sessions" / f"{orrery.process.pid}.toml"
        for _ in range(3):  # several copies of the session
            before = kept.stat().st_mtime_ns if kept.exists() else 0
            orrery.wait_for(lambda: kept.stat().st_mtime_ns != before)
            orrery.wait_until_it_moves()
        state, stats = orrery.quit()
        self.assertLess(stats["frame_ms"]["max"], 60e3, "a frame that took a day")
        self.assertLess(stats["first_frame_seconds"], 600)
        self.check_bodies(state)

    def processes_with(self, variable):
        """The IDs of processes whose environment has that text."""
        def has(process):
            try:
                return variable.encode() in (process / "environ").read_bytes()
            except OSError:
                return False
        return [process.name for process in pathlib.Path("/proc").glob("[0-9]*") if has(process)]

    def test_the_first_picture_needs_no_device(self):
        for scene in ("nbody", "mandelbrot", "particles"):
            with tempfile.TemporaryDirectory() as folder:  # no cached shaders either
                stats = pathlib.Path(folder, "stats.json")
                environment = {"OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": "enumerate mode=hang", "XDG_STATE_HOME": folder, "XDG_CACHE_HOME": folder}
                subprocess.run([BINARY, "--scene", scene, "--seconds", "4", "--stats", stats], check=True, timeout=60,
                               env={**self.screen.environment, **environment}, stderr=subprocess.DEVNULL)
                told = json.loads(stats.read_text())
                wait_for(lambda: not self.processes_with(folder), "what the run has started to end")
            self.assertIsNone(told["kernels_built_seconds"], scene)
            self.assertGreater(told["first_picture_seconds"], 0, scene)

    def open_slowly(self):
        """The window on a slow disk with a file of 15,000 bodies and 18 MB, and the number of bytes read."""
        orrery = self.start(BINARY, "--scene", "nbody", *BODIES,
                            environment={"LD_PRELOAD": SURROUNDINGS, "ORRERY_SLOW_READS": "500"})
        file = orrery.folder / "many.csv"
        file.write_text("mass,x,y,z,vx,vy,vz\n" + "".join(f"1,{i},0,0,0,0.1,{' ' * 1180}0\n" for i in range(15_000)))
        orrery.wait_until_it_moves()
        counters = pathlib.Path("/proc", str(orrery.process.pid), "io")
        read = lambda: int(counters.read_text().split()[1])  # rchar
        return orrery, file, read

    def open_file(self, orrery, file):
        orrery.key("ctrl+o")
        orrery.find("Files/Name")
        orrery.type(f"{orrery.folder}/{file.stem[:4]}")
        orrery.key("Return")
        orrery.wait_for(lambda: re.fullmatch(f"reading {file.name}: [1-9][0-9]? %", orrery.controls()["preparing"]))

    def test_a_large_file_is_read_once_and_its_reading_can_be_cancelled(self):
        orrery, file, read = self.open_slowly()
        self.open_file(orrery, file)
        orrery.press("Cancel")
        orrery.wait_for(lambda: orrery.controls()["preparing"] == "")
        orrery.wait_until_it_moves()
        before = read()
        self.open_file(orrery, file)
        orrery.wait_for(lambda: "reading" not in orrery.controls()["preparing"])
        orrery.wait_for(lambda: "Many" in self.screen.xdotool("getwindowname", orrery.window))  # its bodies are shown
        orrery.key("ctrl+z")  # back to the first bodies
        orrery.wait_for(lambda: orrery.controls()["preparing"] == "")
        orrery.wait_until_it_moves()
        self.assertLess(read() - before, 1.5 * file.stat().st_size)
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["initial"], "plummer")
        self.check_bodies(state)

    def test_a_file_that_is_changed_while_it_is_read_leaves_everything_as_it_was(self):
        orrery, file, _ = self.open_slowly()
        self.open_file(orrery, file)
        file.write_text("mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n")
        orrery.wait_for(lambda: orrery.controls()["preparing"] == "")
        orrery.wait_until_it_moves()
        state, _ = orrery.quit()
        self.assertEqual(state["nbody"]["initial"], "plummer")
        self.check_bodies(state)

    def test_unplugging_a_monitor_does_not_end_the_window(self):
        orrery = self.start(BINARY, "--scene", "nbody", *BODIES)
        orrery.key("F11")  # fullscreen on the monitor that is removed
        orrery.wait_until_it_moves()
        with unplugged(self.screen.display):
            orrery.wait_until_it_moves()
            for _ in range(3):  # windowed, then fullscreen without a monitor
                orrery.key("F11")
                orrery.wait_until_it_moves()
        orrery.key("F11")
        orrery.wait_until_it_moves()
        state, _ = orrery.quit()
        self.check_bodies(state)

    def test_panels_follow_the_scale_of_the_display(self):
        orrery = self.start(BINARY, "--scene", "nbody", *BODIES, "--size", "1500x900",
                            environment={"LD_PRELOAD": SURROUNDINGS, "ORRERY_SCALES": "1,2,1.25"})
        widths = set()

        def column():
            """The width of the panels' colour from the left, at the upper edge."""
            width, _, pixels = orrery.picture()
            row = [pixels[3 * (2 * width + x):3 * (2 * width + x) + 3] for x in range(width)]
            widths.add(next((x for x in range(width) if row[x] != row[0]), width))
            return {340, 680, 425} <= widths

        orrery.wait_for(column)
        state, _ = orrery.quit()
        self.check_bodies(state)


class GraphicsReset(FaultCase):
    def test_the_session_goes_on_in_a_new_window(self):
        with tempfile.TemporaryDirectory() as folder:
            done = pathlib.Path(folder, "done")
            orrery = self.start(BINARY, "--scene", "nbody", *BODIES, "--no-ui", environment={
                "LD_PRELOAD": GL_RESET, "ORRERY_GL_RESET": "60", "ORRERY_GL_RESET_DONE": str(done)})
            self.wait_until_it_says(orrery, "the graphics driver has been reset")
            begun_with = pathlib.Path("/proc", str(orrery.process.pid), "cmdline")
            orrery.wait_for(lambda: b"--state" in begun_with.read_bytes())
            orrery.window = orrery.wait_for(lambda: self.screen.xdotool(
                "search", "--all", "--onlyvisible", "--pid", orrery.process.pid, "--name", "Orrery")).splitlines()[-1]
            self.screen.xdotool("windowactivate", "--sync", orrery.window)
            orrery.wait_until_it_moves()
            state, stats = orrery.quit()
        self.assertGreater(state["nbody"]["step"], 10)
        self.check_bodies(state)
        self.assertIsNone(stats["left_session"])


class LossesOfPictures(FaultCase):
    """The Mandelbrot scene: its picture is computed anew, at the same place in the same colours."""

    VIEW = {"center-re": "-0.7436", "center-im": "0.1318", "span": "0.01"}
    LOOK = {"palette": "ember", "iterations": 500, "samples": 4}

    def open(self, faults):
        arguments = [word for key, value in {"span": self.VIEW["span"], **self.LOOK}.items() for word in (f"--{key}", str(value))]
        return self.open_scene("mandelbrot", faults, "--size", "640x480", "--center", self.VIEW["center-re"], self.VIEW["center-im"], *arguments)

    def check(self, orrery):
        """The view is kept, and its picture is computed on a device."""
        orrery.wait_for(lambda: (told := orrery.controls())["preparing"] == "" and told["complete"])
        state, stats = orrery.quit()
        for key, value in {**self.VIEW, **self.LOOK}.items():
            self.assertEqual(state["mandelbrot"][key], value, key)
        self.assertIsNotNone(stats["device"])
        launches = sum(kernel["launches"] for kernel in stats["kernels"] if kernel["name"] in ("begin pixels", "publish"))
        self.assertGreater(launches, 5)

    def test_a_lost_context_is_rebuilt(self):
        for faults, name in [("lost at=40 thread=main", "CL_OUT_OF_RESOURCES"), ("lost at=40 thread=main code=-36", "CL_INVALID_COMMAND_QUEUE")]:
            with self.subTest(name):
                orrery = self.open(faults)
                self.wait_until_it_says(orrery, name)
                self.check(orrery)

    def test_a_kernel_that_never_ends_is_reported_and_abandoned_by_a_click(self):
        orrery = self.open("hang at=40 thread=main")
        self.wait_until_it_says(orrery, "has not answered for 6 s")
        hung = orrery.fingerprint()
        abandon(orrery)
        orrery.wait_for(lambda: orrery.fingerprint() != hung)
        self.check(orrery)

    def test_a_refused_launch_loses_neither_the_device_nor_the_view(self):
        orrery = self.open("launch at=40 code=-54 thread=main")
        self.wait_until_it_says(orrery, "the device allows at most ")
        self.check(orrery)

    def test_a_first_launch_that_never_ends_does_not_block_when_the_device_fails_meanwhile(self):
        with tempfile.TemporaryDirectory() as folder:
            now = pathlib.Path(folder, "now")
            orrery = self.open(f"hang at=1 thread=other; enqueue at=1 code=-36 thread=main after={now}")
            orrery.wait_for(lambda: orrery.controls()["preparing"] == "starting the kernels")
            orrery.wait_for(self.log.exists)  # otherwise the first launch would be on the next device
            now.touch()
            self.wait_until_it_says(orrery, "CL_INVALID_COMMAND_QUEUE")
            before = orrery.fingerprint()
            orrery.key("F2")  # the panels go
            orrery.wait_for(lambda: orrery.fingerprint() != before)
            self.check(orrery)

    def test_refused_memory_loses_neither_the_device_nor_the_view(self):
        orrery = self.open("allocation at=3 thread=main")
        self.wait_until_it_says(orrery, "CL_MEM_OBJECT_ALLOCATION_FAILURE")
        orrery.key("plus")  # another view, which must be computed
        orrery.settle()
        orrery.wait_for(lambda: orrery.controls()["complete"])
        state, stats = orrery.quit()
        self.assertIsNotNone(stats["device"])
        self.assertEqual(state["mandelbrot"]["center-re"], self.VIEW["center-re"])


class Waits(FaultCase):
    """Only other threads wait for a device: a long kernel would block the window."""

    def test_scenes_devices_and_files_make_no_blocking_call_on_the_windows_thread(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {"OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULT_WAITS": str(pathlib.Path(folder, "%p.txt")), "POCL_DEVICES": "pthread pthread"}
            orrery = self.start(BINARY, "--scene", "nbody", "--bodies", "2000", environment=environment)
            (orrery.folder / "other.toml").write_text('[nbody]\nbodies = 3000\nprecision = "mixed"\ninitial = "plummer"\n'
                                                      '[particles]\nworld = "cloth"\n[mandelbrot]\niterations = 500\ncolor-scale = "histogram"\n')
            kept = orrery.folder / "orrery" / "sessions" / f"{orrery.process.pid}.toml"
            orrery.wait_for(lambda: "bodies-csv" in kept.read_text())
            for _ in range(3):
                orrery.wait_for_a_picture()
                orrery.drop("other.toml")
                for size in ((800, 500), (1000, 700)):
                    orrery.resize(*size)
                    orrery.wait_for(lambda: orrery.picture()[:2] == size)
                    orrery.wait_for_launches(5)
                orrery.move(700, 300)
                orrery.wheel(3)
                orrery.key("d")
                orrery.catch_up(lambda told: told["preparing"] == "")
                time.sleep(1.5)  # on the other device; backups are made every second
                orrery.key("Tab")
            self.check(folder, orrery)

    @staticmethod
    def measured(orrery):
        """The number of candidates of the sweep with times."""
        sweeps = tomllib.loads((orrery.folder / "orrery" / "tuning.toml").read_text())["sweep"]
        return sum(len(candidate["seconds"]) > 1 for sweep in sweeps for candidate in sweep["candidate"])

    def check(self, folder, orrery):
        _, stats = orrery.quit()
        waits = pathlib.Path(folder, f"{orrery.process.pid}.txt")
        self.assertFalse(waits.exists() and waits.read_text()[:2000])
        return stats

    def test_tuning_makes_no_blocking_call_on_the_windows_thread(self):
        for scene, *arguments in (("mandelbrot", "--iterations", "300"), ("nbody", "--bodies", "500")):
            with tempfile.TemporaryDirectory() as folder:
                # A run of a candidate takes at least a frame, and a small window has more frames per second.
                orrery = self.start(BINARY, "--scene", scene, *arguments, "--size", "480x300", "--tune", "120", environment={
                    "OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULT_WAITS": str(pathlib.Path(folder, "%p.txt"))})
                orrery.wait_for(lambda: self.measured(orrery) >= 3, 120)  # a busy machine compiles a candidate in ten seconds
                stats = self.check(folder, orrery)
                self.assertGreaterEqual(stats["tuner"]["default"]["runs"], 2, "after the one that is checked")


class SlowReleases(FaultCase):
    """A driver may release a context slowly: NVIDIA's takes a tenth of a second, and longer with a layer."""

    def test_a_device_is_left_without_a_wait(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, "log")
            orrery = self.start(BINARY, "--scene", "nbody", "--bodies", "2000", environment={
                "OPENCL_LAYERS": FAULT_LAYER, "ORRERY_FAULTS": "release ms=20000 thread=release", "ORRERY_FAULT_LOG": str(log),
                "POCL_DEVICES": "pthread pthread"})
            for number in (1, 2):
                orrery.wait_until_it_moves()
                orrery.key("d")
                orrery.wait_for(lambda: log.exists() and len(log.read_text().splitlines()) >= number)
            orrery.wait_until_it_moves()
            _, stats = orrery.quit(10)  # quitting does not wait either
            self.assertLess(stats["frame_ms"]["max"], 10e3)


class Exports(FaultCase):
    """Saving a picture on a device that stops answering."""
    SIZE = (1280, 800)
    SAVE = "Export/Save picture"

    @classmethod
    def setUpClass(cls):
        cls.screen = Screen(*cls.SIZE)

    def begin_to_save(self, folder, fault="hang from=1"):
        """The window, and the file that makes every launch hang."""
        now = pathlib.Path(folder, "now")
        size = "x".join(map(str, self.SIZE))
        orrery = self.open_scene("mandelbrot", f"{fault} after={now}", "--size", size, "--iterations", "300")
        orrery.wait_for_a_picture()
        orrery.press("Export")
        self.save(orrery)
        return orrery, now

    def save(self, orrery):
        orrery.press(self.SAVE)
        orrery.wait_for(lambda: self.saving(orrery), 20)

    def saving(self, orrery):
        return list(orrery.pictures.glob("mandelbrot.png.*.part"))

    def test_quitting_during_an_export_is_immediate_and_leaves_no_partial_file(self):
        with tempfile.TemporaryDirectory() as folder:
            orrery, now = self.begin_to_save(folder)
            now.touch()
            orrery.wait_for(self.log.exists)
            orrery.quit(30)
            self.assertFalse(self.saving(orrery) or list(orrery.pictures.glob("*.png")))

    def test_a_failed_export_leaves_no_partial_file_and_the_scene_continues(self):
        with tempfile.TemporaryDirectory() as folder:
            orrery, now = self.begin_to_save(folder, "enqueue thread=export")
            now.touch()
            orrery.wait_for(lambda: not self.saving(orrery), 20)
            _, stats = orrery.quit(30)
            self.assertFalse(list(orrery.pictures.glob("*.png")))
            self.assertIsNotNone(stats["device"])

    def test_another_picture_can_be_saved_after_the_device_was_left(self):
        with tempfile.TemporaryDirectory() as folder:
            orrery, now = self.begin_to_save(folder)
            now.touch()
            orrery.move(800, 400)
            orrery.wheel(1)  # the view also launches kernels: its silence is reported
            self.wait_until_it_says(orrery, "has not answered for 6 s")
            now.unlink()
            abandon(orrery)
            orrery.wait_until_prepared(orrery.patience)
            given_up = self.saving(orrery)
            orrery.press(self.SAVE)
            orrery.wait_for(lambda: (orrery.pictures / "mandelbrot.png").exists())
            self.assertEqual(self.saving(orrery), given_up, "the other's half; the device may still answer")
            orrery.quit(30)
            self.assertFalse(self.saving(orrery), "at the end it goes")


if __name__ == "__main__":
    unittest.main()
