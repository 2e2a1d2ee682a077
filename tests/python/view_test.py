#!/usr/bin/env python3
"""The window driven by another program: by the module's show(), and by plain lines of JSON.

usage: view_test.py PATH-TO-ORRERY SOURCE-FOLDER [unittest arguments]
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import numpy as np

BINARY, SOURCE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
HOME = tempfile.TemporaryDirectory(prefix="orrery-view-", ignore_cleanup_errors=True)
os.environ.update(ORRERY_PROGRAM=str(BINARY), XDG_STATE_HOME=HOME.name, XDG_DATA_HOME=HOME.name)
sys.path[:0] = [str(SOURCE / "app/python"), str(SOURCE / "tests/window")]
import orrery  # noqa: E402
from orrery_window import Screen  # noqa: E402

SMALL = {"size": (400, 300), "no_ui": True}


def wait_for(question, seconds=60):
    end = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.screen = Screen(800, 600, managed=False)
        os.environ["DISPLAY"] = cls.screen.display
        os.environ.pop("WAYLAND_DISPLAY", None)

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()


class Shown(Case):
    def test_bodies_of_a_simulation_are_shown_and_read_back(self):
        sim = orrery.NBody("plummer", bodies=100, dt=1e-7, burst=1).run(3)
        with orrery.show(sim, **SMALL) as view:
            self.assertEqual((view.scene, view.get("dt")), ("nbody", 1e-7))
            np.testing.assert_allclose(view.positions(), sim.positions, atol=1e-3)
            np.testing.assert_allclose(view.velocities(), sim.velocities, atol=1e-3)
            view.set("softening", 0.125)
            self.assertEqual(view.get("softening"), 0.125)
            view.set("color_by", "mass")
            self.assertEqual(view.get("color-by"), "mass")
            for wrong in (lambda: view.set("softening", -1), lambda: view.set("softning", 1), lambda: view.get("softning")):
                with self.assertRaises(orrery.UsageError) as caught:
                    wrong()
                self.assertIn(": expected", str(caught.exception))
            self.assertEqual(view.screenshot().size, (400, 300))
            view.pause()
            wait_for(lambda: view._ask("get")["paused"])
            step = view.step
            view.step_once()
            wait_for(lambda: view.step > step)
            view.pause(False)
            seen = []
            view.on_frame(lambda number: seen.append((number, len(view.positions()))))
            wait_for(lambda: len(seen) > 2)
            self.assertEqual([number for number, _ in seen], sorted(number for number, _ in seen))
            child = view._child
        self.assertEqual((child.poll(), view.is_open, repr(view)), (0, False, "<orrery.View: closed>"))
        with self.assertRaises(orrery.Error):
            view.get("dt")

    def test_particles_and_views_are_shown(self):
        nu = orrery.mandelbrot((-0.75, 0.1), 0.25, (40, 30))
        with orrery.show(nu, **SMALL) as view:
            self.assertEqual((view.scene, view.get("span"), view.get("center-re")), ("mandelbrot", "0.25", "-0.75"))
            with self.assertRaises(orrery.Error):
                view.positions()
            world = orrery.Particles("argon").run(2)
            view.open(world)
            self.assertEqual(view.scene, "particles")
            self.assertEqual(view.positions().shape, (4000, 3))
            view.restart()
            view.wait()
            self.assertEqual((view._ask("get")["fault"], view.positions().shape), ("", (4000, 3)))
            for _ in range(4):  # more often than the window shows failures
                with self.assertRaises(orrery.Error) as caught:
                    view.open(SOURCE / "LICENSE")
                self.assertIn("LICENSE", str(caught.exception))

    def test_a_scene_is_ready_when_its_simulation_is(self):
        with orrery.show(orrery.mandelbrot((-0.75, 0.1), 0.25, (40, 30)), **SMALL) as view:
            for scene in ("particles", "nbody", "mandelbrot", "particles", "nbody"):
                view.show(scene)
                told = view._ask("get")
                self.assertEqual((told["scene"], told["fault"]), (scene, ""))
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "world.toml")
                file.write_text((SOURCE / "assets/worlds/argon.toml").read_text())
                view.open(file)
            self.assertEqual((view.scene, view.positions().shape), ("particles", (4000, 3)))

    def test_a_failed_preparation_is_reported(self):
        with tempfile.TemporaryDirectory() as folder, orrery.show("plummer", bodies=9, **SMALL) as view:
            file = pathlib.Path(folder, "two.csv")
            file.write_text("x,y,z,mass\n0,0,0,1\n1,0,0,1\n")
            view.open(file)
            self.assertEqual(view.positions().shape, (2, 3))
            file.unlink()
            view.restart()
            view.wait()
            self.assertIn("two.csv", view._ask("get")["fault"])
            view.set("initial", "figure-eight")
            view.wait()
            self.assertEqual((view._ask("get")["fault"], view.positions().shape), ("", (3, 3)))

    def test_numbers_that_are_told_can_be_set(self):
        for scene in ("nbody", "mandelbrot"):
            with orrery.show(scene=scene, size=(400, 300)) as view:
                for name, value in view.parameters().items():
                    if not isinstance(value, str) or value == "auto":
                        with self.subTest(name, value=value):
                            view.set(name, value)

    def test_the_example_of_the_page_runs(self):
        page = (SOURCE / "assets/manual/python.md").read_text()
        block = next(each for each in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if "orrery.show" in each)
        with tempfile.TemporaryDirectory() as folder, mock.patch("builtins.print"):
            names = {"orrery": orrery, "sim": orrery.NBody("plummer", bodies=50, dt=1e-6)}
            exec(block.replace("now.png", f"{folder}/now.png"), names)
            self.assertTrue(pathlib.Path(folder, "now.png").exists())
            self.assertFalse(names["view"].is_open)

    def test_a_view_without_references_closes(self):
        view = orrery.show("plummer", bodies=9, **SMALL)
        child = view._child
        del view
        self.assertEqual(child.wait(20), 0)

    def test_a_wrong_option_raises_the_programs_message(self):
        with self.assertRaises(orrery.UsageError) as caught:
            orrery.show("plummer", softening=-1)
        self.assertIn('--softening: expected a number from 0 to 1e+30, got "-1"', str(caught.exception))


class Lines(Case):
    def answers(self, *lines):
        ran = subprocess.run([BINARY, "--remote", "--bodies", "9", "--size", "400x300", "--no-ui"], timeout=60, text=True,
                             input="".join(line + "\n" for line in lines), capture_output=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def test_each_line_has_an_answer_and_the_end_closes_the_window(self):
        told = self.answers("no JSON", "[1]", '{"id": "a", "do": "get"}', '{"do": "fly"}', '{"id": 2, "do": "set", "name": "dt", "value": []}',
                            '{"id": 3, "do": "set", "name": "dt", "value": 0.5}', '{"id": {"k": 1}, "do": "save", "file": "a.txt"}',
                            '{"id": 5, "do": "screenshot"}')
        self.assertEqual([each["id"] for each in told], [None, None, "a", None, 2, 3, {"k": 1}, 5])
        self.assertEqual([index for index, each in enumerate(told) if "result" in each], [2, 5])
        self.assertEqual(told[2]["result"]["parameters"]["bodies"], 9)
        self.assertIn("get | set", told[3]["error"])
        self.assertIn('expected FILE.toml or FILE.npz, got "a.txt"', told[6]["error"])

    def test_the_lines_of_the_page_have_its_answers(self):
        block = re.search(r"^```json\n(.*?)^```$", (SOURCE / "assets/manual/remote.md").read_text(), re.M | re.S)[1]
        pairs = [[part.strip() for part in line.split("→")] for line in block.splitlines() if "→" in line]
        told = self.answers(*(request for request, _ in pairs if '"save"' not in request))
        wanted = [json.loads(answer) for request, answer in pairs if '"save"' not in request]
        self.assertEqual([each for each in told if "id" in each], wanted)

    def test_the_saved_state_is_the_shown_one(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "state.toml")
            child = subprocess.Popen([BINARY, "--remote", "--bodies", "9", "--size", "400x300"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
            for request in ({"do": "set", "name": "softening", "value": 0.75}, {"do": "save", "file": str(file)},
                            {"do": "save", "file": "/no/such/folder/state.toml"}):
                child.stdin.write(json.dumps(request) + "\n")
                child.stdin.flush()
                answer = json.loads(child.stdout.readline())
            self.assertIn("softening = 0.75", file.read_text())
            self.assertIn("/no/such/folder", answer["error"])
            child.communicate(timeout=60)
            self.assertEqual(child.returncode, 0)

    def test_a_window_that_is_closed_while_kernels_are_built_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen([BINARY, "--remote", "--bodies", "9", "--size", "400x300"], stdin=subprocess.PIPE,
                                     stdout=subprocess.DEVNULL, text=True,
                                     env=dict(os.environ, POCL_CACHE_DIR=folder, XDG_CACHE_HOME=folder))
            time.sleep(0.5)
            child.stdin.write('{"do": "quit"}\n')  # its input remains open: the program waits for its next request
            child.stdin.flush()
            self.assertEqual(child.wait(20), 0)
            child.stdin.close()

    def test_a_failed_save_is_reported_to_its_caller(self):
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen([BINARY, "--remote", "--bodies", "9", "--size", "400x300"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
            requests = [{"id": 1, "do": "screenshot", "file": str(pathlib.Path(folder, "picture.png"))},
                        {"id": 2, "do": "save", "file": "/no/such/folder/state.toml"}]
            child.stdin.write("".join(json.dumps(each) + "\n" for each in requests))
            child.stdin.flush()
            told = {answer["id"]: answer for answer in (json.loads(child.stdout.readline()) for _ in requests)}
            self.assertEqual(told[1]["result"], requests[0]["file"])
            self.assertIn("/no/such/folder", told[2]["error"])
            child.communicate(timeout=60)
            self.assertEqual(child.returncode, 0)


if __name__ == "__main__":
    unittest.main()
