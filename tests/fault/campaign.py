#!/usr/bin/env python3
"""A seeded campaign: faults at random points, one after another, in a window with four devices and random input. The
window must survive and quit on request; every fault must be reported; the saved state must be complete and, if the
simulation was not edited, hold exactly the bodies of a working driver.

usage: campaign.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [--faults 25] [--seconds 120] [--seed 1] [--report FILE.json]
The campaign ends after that number of faults or seconds.
"""
import argparse
import collections
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "window"))
from orrery_window import BODIES, KERNELS, STEPS, Orrery, Screen, bodies_after, bodies_of  # noqa: E402
from random_input import RandomInput  # noqa: E402

DELAY = 3  # seconds; consecutive delays are one silence, reported once
# Fault: most calls before it strikes (the logarithm of the number is drawn: machines differ in speed).
FAULTS = {"launch code=-54": 3000, "launch code=-5": 3000, "enqueue code=-5": 4000, "enqueue code=-36": 4000, "allocation": 60,
          "build of=source": 12, "finish": 20, "status code=-14": 3000, "lost": 3000, "lost mode=device code=-36": 3000, "hang": 3000,
          f"delay ms={DELAY * 1000}": 3000, "context": 6, "stamps mode=zero": 4000, "stamps mode=unordered": 4000}
UNTOLD = {"stamps"}  # invalid times read "n/a"
A_RUN = 16  # faults per run; many are never reached
DEVICES = 4
RUN_SECONDS = 12
PAUSE = 10  # seconds within which a fault is reported
EVENTS_A_SECOND = 5
# Input that does not change the bodies.
QUIET = ["drag_the_picture", "turn_the_wheel", "resize", "minimise", "change_device"]


def injected(log):
    """(kind, time) of each fault in the log."""
    if not log.exists():
        return []
    return [(words[0], float(words[2])) for words in map(str.split, log.read_text().splitlines()) if len(words) == 3]


def act_for(orrery, person, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert orrery.process.poll() is None, f"the program ended with {orrery.process.returncode}"
        try:
            person.act()
        except subprocess.TimeoutExpired:
            pass
        except subprocess.CalledProcessError:  # the window is gone or did not take the event
            time.sleep(0.5)
        time.sleep(1 / EVENTS_A_SECOND)


def untold(faults, lines):
    silent = {"delay": DELAY, "hang": DELAY}
    return [kind for kind, when in faults if kind not in UNTOLD
            and not any(when - silent.get(kind, 0) - 0.5 <= said <= when + PAUSE * Orrery.patience / 60 for said, _ in lines)]


def check_state(binary, state, steady):
    assert {"window", "nbody", "mandelbrot"} <= state.keys(), state.keys()
    if not steady:
        return
    if "bodies-csv" not in state["nbody"]:  # no device was ever opened: the state names the initial bodies
        assert state["nbody"].get("step", 0) == 0, state["nbody"]
        return
    # If the device refused a buffer or a launch of the requested bodies, the previous ones continue.
    asked = BODIES if state["nbody"]["initial"] == "plummer" else STEPS
    bodies, steps = bodies_of(state), state["nbody"].get("step", 0)
    assert bodies == bodies_after(binary, steps, asked), f"other bodies than a driver that works computes in {steps} steps"


def run(screen, binary, layer, seed):
    """The injected faults, by kind; raises if a promise is broken."""
    dice = random.Random(seed)
    steady = dice.random() < 0.5
    rules = "; ".join(f"{rule} at={round(math.exp(dice.uniform(0, math.log(FAULTS[rule]))))}" for rule in dice.choices(list(FAULTS), k=A_RUN))
    scene = ["--scene", "nbody", *BODIES] if steady else ["--scene", dice.choice(["nbody", "mandelbrot"])]
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "faults.txt")
        print(f"seed {seed}{', steady' if steady else ''}: {rules}", flush=True)
        environment = {"OPENCL_LAYERS": layer, "ORRERY_FAULTS": rules, "ORRERY_FAULT_LOG": str(log), "POCL_DEVICES": " ".join(["pthread"] * DEVICES),
                       "VISUAL": "true", "ORRERY_DRIVER_SECONDS": "600",
                       # An empty program cache makes every run compile; PoCL's own cache may stay.
                       "XDG_CACHE_HOME": folder, "POCL_CACHE_DIR": KERNELS}
        orrery = Orrery(screen, binary, *scene, "--size", "640x420", environment=environment)
        try:
            person = RandomInput(orrery, dice)
            if steady:
                person.kinds = {kind: weight for kind, weight in person.kinds.items() if kind.__name__ in QUIET}
            act_for(orrery, person, RUN_SECONDS)
            while (faults := injected(log)) and untold(faults, orrery.lines) and time.monotonic() < faults[-1][1] + PAUSE * Orrery.patience / 60:
                act_for(orrery, person, 1)
            screen.xdotool("windowmap", orrery.window)
            orrery.send_keys("Escape", "Escape")  # leaves a text field
            state, _ = orrery.quit()
            check_state(binary, state, steady)
            assert not untold(injected(log), orrery.lines), f"nothing was said of {untold(injected(log), orrery.lines)}"
        except Exception as error:
            raise AssertionError(f"{error}\n  faults: {injected(log)}\n  said: {orrery.said()[-3000:]}") from error
        finally:
            if orrery.process.poll() is None:
                orrery.process.kill()
        return collections.Counter(kind for kind, _ in injected(log))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("layer", type=pathlib.Path)
    parser.add_argument("--faults", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=1, help="so many times longer, on a machine with much else to do")
    parser.add_argument("--report", type=pathlib.Path)
    given = parser.parse_args()
    Orrery.patience *= given.patience
    began = time.monotonic()
    seed, counts, broken = given.seed, collections.Counter(), []
    while counts.total() < given.faults and time.monotonic() < began + given.seconds:
        screen = Screen()  # one screen per run: a button that stays pressed does not affect the next run
        try:
            counts += run(screen, str(given.binary.resolve()), str(given.layer.resolve()), seed)
        except AssertionError as error:
            broken.append({"seed": seed, "what": str(error)})
            print(f"seed {seed}: {error}", flush=True)
        finally:
            screen.close()
        seed += 1
        if given.report:
            given.report.write_text(json.dumps({"runs": seed - given.seed, "first_seed": given.seed, "faults": counts.total(), "of": counts,
                                                "seconds": round(time.monotonic() - began), "broken": broken}, indent=1))
    print(f"{seed - given.seed} runs, {counts.total()} faults injected {dict(counts)}, {len(broken)} runs broke a promise")
    return 1 if broken or not counts.total() else 0


sys.exit(main())
