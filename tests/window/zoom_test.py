#!/usr/bin/env python3
"""Zooms have no seams, flashes or changes of colour from frame to frame.

Each frame of a recorded zoom is enlarged onto the next. Away from the set's boundary the two must be alike: the 99th
percentile of the difference of their colours, over all frames, has a bound. zoom_frames.jpg shows eight consecutive
frames beside the Feigenbaum point, without and with the bound.

usage: zoom_test.py PATH-TO-ORRERY [unittest arguments]
"""
import mmap
import pathlib
import struct
import sys
import tempfile
import threading
import time
import unittest

import numpy

from orrery_window import Screen, WindowCase

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
WIDTH, HEIGHT = 640, 360
DETAILED = 40      # levels of 255 between a pixel and its neighbours: finer detail cannot be matched
REACH = 12         # pixels to such neighbours: the size of a coarse pixel before refinement
BOUND = 12         # levels; single steps of a palette are 8
FLASH_BOUND = 0.1  # part of a frame that may differ by more than three times the bound
NEIGHBOURS = 1.35  # larger scales between two frames: a busy machine has skipped frames


class Memory:
    """The X server's screen, read from its memory."""

    def __init__(self, folder):
        with open(pathlib.Path(folder, "Xvfb_screen0"), "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        header = struct.unpack(">25I", self.bytes[:100])
        self.begin, self.row = header[0] + 12 * header[19], header[12]

    def frame(self):
        rows = numpy.frombuffer(self.bytes, numpy.uint8, self.row * HEIGHT, self.begin).reshape(HEIGHT, self.row)
        return rows[:, : 4 * WIDTH].reshape(HEIGHT, WIDTH, 4)[:, :, 2::-1].copy()

    def record(self, seconds):
        """The distinct frames, each read twice to exclude half-drawn ones."""
        frames, end = [], time.time() + seconds
        while time.time() < end:
            frame = self.frame()
            time.sleep(0.003)
            if numpy.array_equal(frame, self.frame()) and not (frames and numpy.array_equal(frame, frames[-1])):
                frames.append(frame)
            time.sleep(0.006)
        return frames


def enlarged(frame, scale, at, step=1):
    """Every `step`-th pixel of the frame, `scale` times as large around the pixel `at`."""
    y, x = numpy.mgrid[0:HEIGHT:step, 0:WIDTH:step].astype(numpy.float32)
    x, y = at[0] + (x - at[0]) / scale, at[1] + (y - at[1]) / scale
    left, top = (numpy.clip(numpy.floor(v).astype(int), 0, most - 2) for v, most in ((x, WIDTH), (y, HEIGHT)))
    right_part, lower_part = (x - left)[..., None], (y - top)[..., None]
    upper = frame[top, left] * (1 - right_part) + frame[top, left + 1] * right_part
    lower = frame[top + 1, left] * (1 - right_part) + frame[top + 1, left + 1] * right_part
    return upper * (1 - lower_part) + lower * lower_part


def scale_between(frame, following, at):
    """The scale of best agreement: a coarse search, then golden sections of its logarithm."""
    def unlike(log_scale, step):
        return numpy.abs(enlarged(frame, numpy.exp(log_scale), at, step) - following[::step, ::step]).mean()

    tried = numpy.linspace(-0.02, 0.9, 93)
    best = int(numpy.argmin([unlike(each, 8) for each in tried]))
    low, high = tried[max(best - 1, 0)], tried[min(best + 1, len(tried) - 1)]
    for _ in range(9):
        a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (low, b) if unlike(a, 4) < unlike(b, 4) else (a, high)
    return numpy.exp((low + high) / 2)


def spread(frame, reach=REACH):
    """The range of colours within `reach` pixels."""
    high = low = frame.astype(numpy.int16)
    for axis in (0, 1):
        seen = 1  # adjacent pixels, doubled in each step
        while seen < 2 * reach + 1:
            more = min(seen, 2 * reach + 1 - seen)
            high, low = numpy.maximum(high, numpy.roll(high, more, axis)), numpy.minimum(low, numpy.roll(low, more, axis))
            seen += more
        high, low = numpy.roll(high, -reach, axis), numpy.roll(low, -reach, axis)
    return (high - low).max(-1)


def differences(frame, following, at):
    """Differences of the smooth pixels, the largest of three channels. None if the frames are not neighbours."""
    scale = scale_between(frame, following, at)
    if scale > NEIGHBOURS:
        return None
    before = enlarged(frame, scale, at)
    smooth = (spread(before) < DETAILED) & (spread(following) < DETAILED)
    return numpy.abs(before - following).max(-1)[smooth]


class Zoom(WindowCase):
    @classmethod
    def setUpClass(cls):
        cls.memory_folder = tempfile.TemporaryDirectory(prefix="orrery-zoom-")
        cls.screen = Screen(WIDTH, HEIGHT, managed=False, memory=cls.memory_folder.name)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.memory_folder.cleanup()

    def zoomed(self, *place, notches=0, pause=0.1, seconds=6, flies_from=None):
        """Frames of a zoom around the middle, by the wheel or in flight to the place."""
        orrery = self.start(BINARY, "--scene", "mandelbrot", "--no-ui", "--size", f"{WIDTH}x{HEIGHT}", "--center", *place)
        memory = Memory(self.memory_folder.name)
        orrery.wait_for(lambda: len(numpy.unique(memory.frame().reshape(-1, 3), axis=0)) > 100)
        orrery.move(WIDTH / 2, HEIGHT / 2)
        time.sleep(2)  # waits until the picture is refined

        def turn():
            for _ in range(notches):
                self.screen.xdotool("click", 4)
                time.sleep(pause)

        if flies_from:
            (orrery.folder / "wide.toml").write_text(flies_from)
            orrery.send_keys("ctrl+c")
            orrery.drop("wide.toml")
            time.sleep(2)
            orrery.send_keys("ctrl+v")
        wheel = threading.Thread(target=turn)
        wheel.start()
        frames = memory.record(seconds)
        wheel.join()
        orrery.quit()
        orrery.temporary.cleanup()
        return frames

    def seamless(self, frames, bound=BOUND):
        self.assertGreater(len(frames), 40)
        at = (WIDTH / 2, HEIGHT / 2)
        every = max(1, len(frames) // 40)  # pairs of neighbours over the whole zoom
        pairs = [differences(frames[i - 1], frames[i], at) for i in range(1, len(frames), every)]
        pairs = [pair for pair in pairs if pair is not None]
        self.assertGreater(len(pairs), 10)
        # One in twenty pairs may have a frame that was read while a busy machine was drawing it.
        pairs = sorted((pair for pair in pairs if pair.size), key=lambda pair: (pair > 3 * bound).mean())
        pairs = pairs[: len(pairs) - len(pairs) // 20]
        percentile = numpy.percentile(numpy.concatenate(pairs), 99)
        flash = float((pairs[-1] > 3 * bound).mean())
        print(f"{self.id()}: {len(frames)} frames, {len(pairs)} pairs, 99th percentile {percentile:.1f}, worst frame {100 * flash:.1f} %")
        self.assertLess(percentile, bound)
        self.assertLess(flash, FLASH_BOUND)

    def test_the_wheel_shows_no_seam_at_the_feigenbaum_point(self):
        self.seamless(self.zoomed("feigenbaum", "--span", "3", notches=100, pause=0.12, seconds=14))

    def test_the_wheel_shows_no_seam_beside_the_feigenbaum_point(self):
        """A view in which the colours change from √ν to log ν."""
        self.seamless(self.zoomed("-1.4005", "0.012", "--span", "0.3", notches=40, pause=0.06, seconds=5))

    def test_a_flight_into_a_seahorse_shows_no_seam(self):
        """A flight is faster than the wheel: a finer picture replaces one that was enlarged ten times."""
        self.seamless(self.zoomed("-0.743643887037151", "0.131825904205330", "--span", "1e-12", seconds=8,
                                  flies_from='center = ["-0.743643887037151", "0.131825904205330"]\nspan = "1"\n'))


if __name__ == "__main__":
    unittest.main()
