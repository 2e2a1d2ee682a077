#!/usr/bin/env python3
"""Kernels are edited while they run: on disk, as by another editor, and in the window's own pane.

usage: kernel_editor_test.py PATH-TO-ORRERY [unittest arguments]
"""
import os
import pathlib
import sys
import tempfile
import unittest

from orrery_window import WindowCase, bodies_of

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SOURCE = pathlib.Path(__file__).resolve().parents[2]
KERNEL = "nbody_gather.cl"
ORIGINAL = (SOURCE / "kernels" / "nbody" / KERNEL).read_text(encoding="utf-8")
SUM = "= (real4)(lane_of(field.x, k)"

# Two bodies of mass 1, at rest, at a distance of 1: the acceleration is 1, and they hardly move in a few steps.
TWO = "mass,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,0,0\n1,0.5,0,0,0,0,0\n"
DT = 1e-3


class KernelEditor(WindowCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="orrery-kernels-")
        self.addCleanup(temporary.cleanup)
        self.data = pathlib.Path(temporary.name)
        self.copy = self.data / "orrery" / "kernels" / KERNEL
        self.assertEqual(ORIGINAL.count(SUM), 1)

    def open(self, state=None):
        """Starts paused, with one step per burst, from the two bodies or a session."""
        if state is None:
            (self.data / "two.csv").write_text(TWO)
            state = self.data / "begin.toml"
            state.write_text(f'[window]\nscene = "nbody"\n[nbody]\ninitial = "{self.data}/two.csv"\ndt = {DT}\nsoftening = 0.0\n'
                             'burst = 1\npaused = true\ntrails = "off"\ncolor-by = "mass"\n')  # nothing glides
        return self.start(BINARY, "--size", "1280x720", "--state", state, environment={"XDG_DATA_HOME": str(self.data)})

    def open_editor(self, orrery):
        """Opens the pane and puts the caret into a line of the text."""
        orrery.key("e")
        orrery.find("Open in editor")
        orrery.wait_for(lambda: self.takes_a_caret(orrery))

    def takes_a_caret(self, orrery):
        orrery.click(900, 600)
        orrery.settle()
        return orrery.controls()["keyboard"]

    def save(self, text):
        """Saves like an editor: writes a new file, then renames it."""
        self.copy.parent.mkdir(parents=True, exist_ok=True)
        part = self.copy.with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, self.copy)

    def title(self, orrery):
        return self.screen.xdotool("getwindowname", orrery.window)

    def steps(self, orrery):
        for _ in range(3):
            before = orrery.controls()["launches"]
            orrery.key("n")
            orrery.wait_for(lambda: orrery.controls()["launches"] > before)
            orrery.settle()

    def pull(self, state):
        """The first body's velocity in units of the velocity per step, and the steps."""
        bodies = bodies_of(state)
        return float(bodies[1][bodies[0].index("vx")]) / DT, state["nbody"]["step"]

    def test_a_broken_edit_leaves_the_old_kernel_running_and_a_mended_one_runs(self):
        orrery = self.open()
        lines = ORIGINAL.splitlines(keepends=True)
        wrong = lines.index(next(line for line in lines if SUM in line))
        self.save("".join(lines[:wrong] + ["  this is wrong;\n"] + lines[wrong:]))
        self.wait_until_it_says(orrery, f"{KERNEL}:{wrong + 1}:")
        self.steps(orrery)
        self.assertNotIn("modified", self.title(orrery))
        self.save(ORIGINAL.replace(SUM, SUM.replace("=", "= 2 *")))
        orrery.wait_for(lambda: "modified" in self.title(orrery))
        orrery.settle()  # the new kernel takes over the bodies
        self.steps(orrery)
        state, stats = orrery.quit()
        self.assertEqual(stats["kernel_edits"]["in_use"], [KERNEL])
        self.assertEqual(stats["kernel_edits"]["refused"], [])
        force = next(kernel for kernel in stats["kernels"] if kernel["name"] == "force")
        self.assertEqual((force["file"], force["modified"]), (KERNEL, True))
        pull, steps = self.pull(state)
        doubled = pull - steps  # steps with the doubled pull
        self.assertAlmostEqual(doubled, round(doubled), delta=0.05)
        self.assertTrue(1 <= round(doubled) < steps, (doubled, steps))

        # The next session names the copy and does not use it.
        session = self.data / "session.toml"
        session.write_bytes(orrery.state_file.read_bytes())
        orrery = self.open(session)
        self.steps(orrery)
        self.assertNotIn("modified", self.title(orrery))
        state, stats = orrery.quit()
        self.assertEqual(stats["kernel_edits"]["kept"], [KERNEL])
        self.assertEqual(stats["kernel_edits"]["in_use"], [])
        later, more = self.pull(state)
        self.assertGreater(more, steps)
        self.assertAlmostEqual(later - pull, more - steps, delta=0.05)

    def test_text_typed_in_the_pane_is_built_and_removing_the_copy_restores_the_original(self):
        orrery = self.open()
        self.open_editor(orrery)
        orrery.hold("End", "w", "r", "o", "n", "g", "Escape", "ctrl+s")  # Esc undoes nothing
        self.wait_until_it_says(orrery, "use of undeclared identifier 'wrong'")
        typed = self.copy.read_text(encoding="utf-8")
        self.assertEqual(typed.count("wrong\n"), 1)
        self.assertEqual(typed.replace("wrong\n", "\n"), ORIGINAL)
        orrery.click(900, 600)
        orrery.hold("End", *["BackSpace"] * 5, "slash", "slash", "ctrl+s")
        orrery.wait_for(lambda: "modified" in self.title(orrery))
        self.copy.unlink()
        orrery.wait_for(lambda: "modified" not in self.title(orrery))
        _, stats = orrery.quit()
        self.assertEqual(stats["kernel_edits"], {"in_use": [], "refused": [], "kept": [], "errors": []})

    def test_the_pane_opens_without_timings(self):
        for scene in ("nbody", "mandelbrot", "particles"):
            with self.subTest(scene=scene):
                orrery = self.start(BINARY, "--scene", scene, "--profile", "off", "--size", "1280x720")
                self.open_editor(orrery)
                orrery.quit()

    def test_unsaved_text_is_kept_for_the_next_session(self):
        orrery = self.open()
        self.open_editor(orrery)
        orrery.hold("End", "x", "y", "z", "z", "y", "Escape")
        orrery.quit()  # without a question
        self.assertFalse(self.copy.exists(), "it has not been saved")
        orrery = self.open()
        self.open_editor(orrery)
        orrery.hold("ctrl+s")
        orrery.wait_for(self.copy.exists)
        self.assertEqual(self.copy.read_text(encoding="utf-8").count("xyzzy"), 1)
        orrery.quit()


if __name__ == "__main__":
    unittest.main()
