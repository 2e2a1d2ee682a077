#!/usr/bin/env python3
"""A seeded campaign: random mouse, keys and resizes on drivers that fail at random. The window must live, leave when
asked to with exit code 0, and leave a whole state file behind.

usage: campaign.py PATH-TO-ORRERY PATH-TO-FAULT-LAYER [--seconds 120] [--seed 1]
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "window"))
from orrery_window import Orrery, Screen  # noqa: E402

KINDS = ["enqueue chance={} code=-5", "enqueue chance={} code=-36", "launch chance={} code=-54", "allocation chance={}",
         "build chance={}", "status chance={}", "lost chance={}", "finish chance={}", "stamps chance={} mode=zero",
         "delay chance={} ms=200"]
KEYS = ["space", "b", "n", "r", "c", "F2", "F1", "Tab", "plus", "minus", "Left", "Right", "1", "3", "j", "bracketleft", "bracketright"]
RUN_SECONDS = 12
EVENTS_A_SECOND = 5


def act(orrery, dice):
    what = dice.random()
    if what < 0.4:
        orrery.key(dice.choice(KEYS))
    elif what < 0.7:
        orrery.click(dice.randrange(20, 600), dice.randrange(20, 400), dice.choice([1, 1, 3]))
    elif what < 0.85:
        orrery.wheel(dice.choice([-2, -1, 1, 2]))
    else:
        orrery.resize(dice.randrange(100, 800), dice.randrange(80, 600))


def run(screen, binary, layer, seed, seconds):
    """How many faults were injected; raises where the promise is broken."""
    dice = random.Random(seed)
    rules = "; ".join(f"{kind.format(dice.choice(['0.0005', '0.002', '0.01']))} seed={seed}" for kind in dice.sample(KINDS, 3))
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "faults.txt")
        print(f"seed {seed}: {rules}", flush=True)
        orrery = Orrery(screen, binary, "--scene", dice.choice(["nbody", "mandelbrot"]), "--size", "640x420",
                        environment={"OPENCL_LAYERS": layer, "ORRERY_FAULTS": rules, "ORRERY_FAULT_LOG": str(log)})
        try:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                orrery.alive()
                try:
                    act(orrery, dice)
                except subprocess.CalledProcessError:  # its window is gone
                    orrery.process.wait(10)
                    orrery.alive()
                time.sleep(1 / EVENTS_A_SECOND)
            orrery.key("Escape")  # out of a text field
            state, _ = orrery.quit()
            assert {"window", "nbody", "mandelbrot"} <= state.keys(), state.keys()
        finally:
            if orrery.process.poll() is None:
                orrery.process.kill()
        return len(log.read_text().splitlines()) if log.exists() else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("layer", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    screen = Screen()
    end, seed, injected, broken = time.monotonic() + given.seconds, given.seed, 0, 0
    while time.monotonic() < end:
        try:
            injected += run(screen, str(given.binary.resolve()), str(given.layer.resolve()), seed, RUN_SECONDS)
        except AssertionError as error:
            broken += 1
            print(f"seed {seed}: {error}", flush=True)
        seed += 1
    screen.close()
    print(f"{seed - given.seed} runs, {injected} faults injected, {broken} promises broken")
    return 1 if broken or not injected else 0


sys.exit(main())
