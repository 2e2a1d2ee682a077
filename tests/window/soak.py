#!/usr/bin/env python3
"""A long run of the window under random input, on two devices: it must not end, and its memory must not grow.

At intervals the window is brought to rest: the same scene with the same numbers, on a device opened anew. Then its memory
and its OpenCL objects are compared with those of earlier rests. A run that dies is counted, kept and restarted. The report
(JSON, and the same in words) is written at every rest.

usage: soak.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [--seconds 7200] [--seed 1] [--rest 480] [--settle 15]
               [--warm-up 900] [--report FILE.json] [--keep FOLDER]
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from orrery_window import Orrery, Screen
from random_input import RandomInput
from xdnd import Drag

EVENTS_A_SECOND = 5
SCENES = ["particles", "mandelbrot", "nbody"]  # shown one after another at rest: each keeps the buffers of its last picture
REST = """[window]
scene = "SCENE"
[nbody]
bodies = 500
initial = "plummer"
seed = 1
dt = 0.001
softening = 0.05
burst = 1
integrator = "leapfrog"
precision = "single"
forces = "auto"
work-group = 0
variant = "auto"
color-by = "speed"
follow = -1
trails = "auto"
paused = false
[mandelbrot]
center-re = "-0.5"
center-im = "0"
span = "3"
iterations = 200
julia = false
precision = "auto"
samples = 4
work-group = 0
variant = "auto"
[particles]
world = "cloth"
precision = "mixed"
burst = 1
work-group = 0
paused = false
"""
MOST_BOOKMARKS = 20  # each is a picture in memory, as requested
LARGEST_GROWTH = 0.01
LONGEST_EXPORT = 60  # seconds that a rest waits for a film; then a device failure ends it, because it has its own context


def is_exporting(pid):
    for name in pathlib.Path("/proc", str(pid), "task").glob("*/comm"):
        try:
            if name.read_text().strip() == "export":
                return True
        except OSError:  # a thread that has ended meanwhile
            pass
    return False


def memory(pid):
    """Resident memory, and the part of it without files, in MiB."""
    found = {}
    for line in pathlib.Path("/proc", str(pid), "status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("VmRSS", "RssAnon"):
            found[name] = int(value.split()[0]) / 1024
    return found["VmRSS"], found["RssAnon"]


class Soak:
    def __init__(self, given):
        self.given = given
        self.dice = random.Random(given.seed)
        self.keep = given.keep
        self.screen, self.orrery = Screen(1280, 800), None
        self.deaths, self.rests, self.samples, self.runs, self.frames, self.done = [], [], [], 0, 0, {}
        self.failed_exports = 0
        self.waits = []  # files of waiting calls, one per run
        self.refused = 0  # events for a closed or busy window
        self.began = time.monotonic()

    def elapsed(self):
        return time.monotonic() - self.began

    # --- one run of the program

    def start_again(self):
        for _ in range(5):
            try:
                return self.start()
            except (AssertionError, subprocess.SubprocessError) as error:
                print(f"{self.elapsed():.0f} s: it does not start: {error}", flush=True)
        raise RuntimeError("the program does not start any more")

    def start(self):
        self.runs += 1
        here = self.keep / f"run-{self.runs}"
        here.mkdir(parents=True, exist_ok=True)
        surroundings = {"OPENCL_LAYERS": str(self.given.layer.resolve()), "ORRERY_FAULT_OBJECTS": str(here / "objects-%p.txt"),
                        "ORRERY_FAULT_WAITS": str(here / "waits-%p.txt"), "ORRERY_FAULTS": f"enqueue thread=export after={here / 'no-exports'}",
                        "POCL_DEVICES": "pthread pthread", "VISUAL": "true", "ORRERY_DRIVER_SECONDS": "600",
                        "ORRERY_PATIENCE": "60"}  # on a busy machine, a slow device does not count as hanging
        for name in ("ASAN", "UBSAN", "TSAN"):
            before = os.environ.get(f"{name}_OPTIONS", "")
            surroundings[f"{name}_OPTIONS"] = f"{before}:log_path={here / 'sanitizer'}".lstrip(":")
        self.orrery = Orrery(self.screen, str(self.given.binary.resolve()), "--scene", "nbody", "--size", "640x420", "--device", "0:0",
                             environment=surroundings)
        self.objects = here / f"objects-{self.orrery.process.pid}.txt"
        self.waits.append(here / f"waits-{self.orrery.process.pid}.txt")
        self.screen.xdotool("windowmove", self.orrery.window, 0, 0)
        self.person = RandomInput(self.orrery, self.dice)
        self.person.done = self.done

    def died(self, why):
        process = self.orrery.process
        if process.poll() is None:  # no answer: capture its stacks
            process.send_signal(signal.SIGABRT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        here = self.keep / f"run-{self.runs}"
        for part in ("orrery", "dropped.toml"):
            found = self.orrery.folder / part
            if found.is_dir():
                shutil.copytree(found, here / "left", dirs_exist_ok=True)
        (here / "output.txt").write_text(self.orrery.said())
        self.deaths.append({"run": self.runs, "seconds": round(self.elapsed()), "code": process.returncode, "why": why[-4000:],
                            "said": self.orrery.said()[-4000:]})
        print(f"{self.elapsed():.0f} s: the end of run {self.runs}: {why[-600:]}", flush=True)

    def sweep_up(self):
        """Removes saved files."""
        for pattern in ("orrery-*", "*.npy", "*.ppm", "*.mp4", "*.png"):
            for path in (*self.orrery.folder.glob(pattern), *self.orrery.pictures.glob(pattern)):
                if path.is_file() and time.time() - path.stat().st_mtime > 60:
                    path.unlink()
        if len(list(self.orrery.folder.glob("orrery/places/*.png"))) >= MOST_BOOKMARKS:
            self.person.unwanted = {"b"}

    def act(self):
        try:
            self.person.act()
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            self.refused += 1
            if self.orrery.process.poll() is None:
                return
        self.orrery.alive()

    # --- at rest

    def counts(self):
        return {name: int(held) for name, held in map(str.split, self.objects.read_text().splitlines())}

    def steady_counts(self):
        """The minimum of each type over a while, because work in flight needs objects temporarily."""
        taken = []
        for _ in range(round(2 * self.given.settle)):
            taken.append(self.counts())
            time.sleep(0.5)
        return {name: min(one[name] for one in taken) for name in taken[0]}

    def step(self):
        """The step of the bodies in the last saved session."""
        kept = (self.orrery.folder / "orrery" / "sessions" / f"{self.orrery.process.pid}.toml").read_text()
        found = re.search(r"^step = (\d+)", kept, re.MULTILINE)
        return int(found[1]) if found else 0

    def bring_to_rest(self):
        orrery = self.orrery
        self.screen.xdotool("windowmap", orrery.window, "windowactivate", orrery.window)
        self.screen.xdotool("windowsize", orrery.window, 900, 600)
        self.person.size = (900, 600)
        orrery.send_keys("Escape", "Escape", "Escape")
        for scene in SCENES:
            (orrery.folder / "rest.toml").write_text(REST.replace("SCENE", scene))
            for _ in range(5):
                try:
                    orrery.drop("rest.toml")
                    break
                except AssertionError:
                    orrery.alive()
            time.sleep(max(2, self.given.settle / 2))
        orrery.send_keys("d")
        time.sleep(self.given.settle)

    def wait_for_exports(self, seconds):
        end = time.monotonic() + seconds
        while is_exporting(self.orrery.process.pid) and time.monotonic() < end:
            time.sleep(1)
            self.orrery.alive()
        return is_exporting(self.orrery.process.pid)

    def rest(self):
        self.bring_to_rest()
        orrery, steps = self.orrery, []
        orrery.wait_for(lambda: steps.append(self.step()) or steps[-1] not in (0, steps[0]))  # all kernels are built and run
        for _ in range(2):  # hides or shows the panels: frames are presented with any picture
            first = orrery.fingerprint()
            orrery.send_keys("F2")
            orrery.wait_for(lambda: orrery.fingerprint() != first)
        exporting = self.wait_for_exports(LONGEST_EXPORT)
        if exporting:
            no_exports = self.keep / f"run-{self.runs}" / "no-exports"
            no_exports.touch()
            exporting = self.wait_for_exports(LONGEST_EXPORT)
            no_exports.unlink()
            self.failed_exports += 1
        counts, end = self.steady_counts(), time.monotonic() + 120
        while time.monotonic() < end:  # a comparison, measurement or compilation may still run
            before, counts = counts, self.steady_counts()
            if before == counts:
                break
        held = [memory(orrery.process.pid) for _ in range(5) if not time.sleep(1)]
        resident, anonymous = (statistics.median(column) for column in zip(*held))
        self.rests.append({"seconds": round(self.elapsed()), "run": self.runs, "resident_mib": round(resident, 1),
                           "anonymous_mib": round(anonymous, 1), "objects": counts, "exporting": exporting})
        print(f"{self.elapsed():.0f} s: {self.rests[-1]}", flush=True)

    # --- the whole

    def run(self):
        self.start()
        next_rest, next_sample, tick = self.given.rest, 0, time.monotonic()
        while self.elapsed() < self.given.seconds:
            try:
                self.act()
                if self.elapsed() > next_sample:
                    next_sample = self.elapsed() + 10
                    self.samples.append([round(self.elapsed()), *(round(mib, 1) for mib in memory(self.orrery.process.pid))])
                    self.sweep_up()
                if self.elapsed() > next_rest:
                    self.rest()
                    next_rest = self.elapsed() + self.given.rest
                    self.write()
            except Exception as error:  # noqa: BLE001: every error is reported, and the run continues
                self.died(str(error) or repr(error))
                self.start_again()
            tick = max(tick + 1 / EVENTS_A_SECOND, time.monotonic() - 1)
            time.sleep(max(0, tick - time.monotonic()))
        self.leave()
        return self.write()

    def leave(self):
        try:
            self.rest()
            _, stats = self.orrery.quit()
            self.frames += stats["frames"]
            self.frame_ms = stats["frame_ms"]
        except Exception as error:  # noqa: BLE001
            self.died(f"on leaving: {error}")

    def comparable(self):
        return [rest for rest in self.rests if not rest["exporting"]]

    def growth(self):
        """Growth of the memory at rest: the last third of the rests after the warm-up against the first, in the longest run."""
        after = [rest for rest in self.comparable() if rest["seconds"] >= self.given.warm_up]
        if not after:
            return {}
        run = statistics.mode(rest["run"] for rest in after)
        after = [rest for rest in after if rest["run"] == run]
        third = len(after) // 3
        if third == 0:
            return {}
        of = {}
        for name in ("resident_mib", "anonymous_mib"):
            first, last = (statistics.median(rest[name] for rest in some) for some in (after[:third], after[-third:]))
            of[name] = {"first": first, "last": last, "growth": round(last / first - 1, 5)}
        return of

    def object_changes(self):
        """Types with different numbers at the rests of one run, without events, which vary."""
        found = {}
        for run in {rest["run"] for rest in self.comparable()}:
            held = [rest["objects"] for rest in self.comparable() if rest["run"] == run]
            for name in held[0]:
                numbers = sorted({one[name] for one in held})
                if len(numbers) > 1 and name != "events":
                    found.setdefault(name, []).append({"run": run, "held": numbers})
        return found

    def write(self):
        waits = sum(len(re.findall(r"^(?:a |cl)", path.read_text(), re.MULTILINE)) for path in self.waits if path.exists())
        reports = [path.read_text(errors="replace") for path in sorted(self.keep.glob("run-*/sanitizer*"))]
        growth, changes = self.growth(), self.object_changes()
        grown = growth.get("resident_mib", {}).get("growth", 0) > LARGEST_GROWTH
        document = {"seed": self.given.seed, "seconds": round(self.elapsed()), "events": sum(self.done.values()), "refused": self.refused,
                    "failed_exports": self.failed_exports, "waits": waits, "done": self.done, "runs": self.runs, "deaths": self.deaths,
                    "sanitizer_reports": len(reports), "frames": self.frames,
                    "frame_ms": getattr(self, "frame_ms", None), "memory": growth, "object_changes": changes, "rests": self.rests,
                    "samples": self.samples, "sanitizers_said": [text[:20000] for text in reports]}
        self.given.report.write_text(json.dumps(document, indent=1))
        resident = growth.get("resident_mib")
        words = (f"seed {self.given.seed}: {document['events']} events in {document['seconds']} s ({self.done}), {self.frames} frames\n"
                 f"{len(self.deaths)} deaths, {len(reports)} sanitizer reports, {len(self.rests)} rests, {len(self.comparable())} of them compared\n"
                 + f"{waits} calls of the window's thread waited for a device\n"
                 + (f"memory at rest: {resident['first']} MiB, at the end {resident['last']} MiB: {100 * resident['growth']:+.2f} %\n" if resident
                    else "memory: the run was too short to tell\n")
                 + (f"objects: {changes}\n" if changes else
                    f"objects: the same at every rest that is compared: {self.comparable()[-1]['objects']}\n" if self.comparable() else
                    "objects: no rest could be compared\n"))
        self.given.report.with_suffix(".txt").write_text(words)
        self.words = words
        return not (self.deaths or reports or waits or grown or changes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("layer", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rest", type=float, default=480, help="seconds between two rests")
    parser.add_argument("--settle", type=float, default=15, help="seconds that a rest takes to become one, and to be seen as one")
    parser.add_argument("--warm-up", type=float, default=900, help="seconds after which memory counts")
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("soak.json"))
    parser.add_argument("--keep", type=pathlib.Path, help="where outputs, reports of sanitizers and caches go")
    given = parser.parse_args()
    given.report = given.report.resolve()
    Orrery.patience, Drag.patience = 900, 60  # the soak runs at the lowest priority
    with tempfile.TemporaryDirectory(prefix="orrery-soak-", ignore_cleanup_errors=True) as folder:
        given.keep = (given.keep or pathlib.Path(folder)).resolve()
        soak = Soak(given)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            good = soak.run()
            print(soak.words)
        finally:
            if soak.orrery and soak.orrery.process.poll() is None:
                soak.orrery.process.kill()
            soak.screen.close()
    return 0 if good else 1


sys.exit(main())
