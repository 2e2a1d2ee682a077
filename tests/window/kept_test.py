"""The user's work is restored after a crash, from a file, from a picture, and at the next start."""
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from orrery_window import WindowCase

BINARY = None
MANY = 70_000


def chunks(picture):
    data, at = picture.read_bytes(), 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + length]
        at += length + 12


def state_text(picture):
    """The text of a picture, as any program reads it."""
    for kind, content in chunks(picture):
        keyword, _, rest = content.partition(b"\0")
        if keyword == b"orrery-state" and kind in (b"tEXt", b"zTXt"):
            return (rest if kind == b"tEXt" else zlib.decompress(rest[1:])).decode("ascii")
    return None


class Kept(WindowCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory(prefix="orrery-kept-", ignore_cleanup_errors=True)
        self.addCleanup(self.home.cleanup)
        self.folder = pathlib.Path(self.home.name)
        (self.folder / "orrery").mkdir()
        (self.folder / "orrery" / "window.toml").write_text('scene = "nbody"\n')
        self.sessions = self.folder / "orrery" / "sessions"

    def open(self, *arguments, **how):
        """A window that shares the state folder of this test."""
        return self.start(BINARY, "--size", "900x600", *arguments, environment={"XDG_STATE_HOME": str(self.folder)}, **how)

    def set(self, orrery, row):
        """Pauses by Ctrl+P."""
        orrery.key("ctrl+p")
        orrery.wait_for_a_field()
        orrery.type(row)
        orrery.key("Return")
        orrery.wait_for(lambda: not orrery.controls()["keyboard"])
        orrery.settle()

    def saved_session(self, orrery, *texts):
        file = self.sessions / f"{orrery.process.pid}.toml"
        orrery.wait_for(lambda: all(text in file.read_text() for text in texts))

    def many_bodies(self):
        file = self.folder / "many.npy"
        subprocess.run([BINARY, "nbody", "--initial", "galaxies", "--bodies", str(MANY), "--steps", "0", "--out", file], check=True,
                       stdout=subprocess.DEVNULL)
        return file

    def test_a_session_with_visited_particles_is_restored_after_a_crash(self):
        orrery = self.open("--scene", "particles", "--world", "cloth")
        orrery.key("Tab")
        orrery.settle()
        self.set(orrery, "softening 0.2")
        self.saved_session(orrery, "softening = 0.2", "world-toml", "bodies-csv")
        orrery.process.send_signal(signal.SIGKILL)
        orrery.process.wait()
        again = self.open(prepared=False)
        left = self.sessions / f"{orrery.process.pid}.toml"
        again.press("Restore")
        again.wait_for(lambda: again.controls()["preparing"] == "")
        self.saved_session(again, "softening = 0.2", "world-toml")
        again.wait_for(lambda: not left.exists())
        state, _ = again.quit()
        self.assertEqual(state["nbody"]["softening"], 0.2)
        self.assertIn("[[fill]]", state["particles"]["world-toml"])

    def test_the_next_start_continues_where_the_previous_session_ended(self):
        first = self.open("--scene", "particles", "--world", "cloth")
        first.key("space", "Tab")
        first.settle()
        self.set(first, "softening 0.2")
        first.key("space")
        first.settle()
        before, _ = first.quit()
        second = self.open()
        after, _ = second.quit()
        for scene, changing in (("nbody", ()), ("particles", ()), ("mandelbrot", ())):
            for key, value in before[scene].items():
                if key not in changing:
                    self.assertEqual(after[scene].get(key), value, f"{scene}.{key}")
        third = self.open("--scene", "nbody", "--softening", "0.1")
        fresh, _ = third.quit()
        self.assertEqual(fresh["nbody"]["softening"], 0.1)
        self.assertEqual(fresh["particles"]["world"], "argon")

    def test_many_bodies_come_back_from_a_file_and_from_a_picture(self):
        file = self.many_bodies()
        orrery = self.open("--scene", "nbody", "--initial", file, "--forces", "tree", "--burst", "1")
        orrery.wait_for_a_picture()
        orrery.key("space")
        orrery.settle()
        orrery.key("F12")
        picture = orrery.wait_for(lambda: next(iter(orrery.pictures.glob("*.png")), None))
        orrery.wait_for(lambda: picture.read_bytes().endswith(b"IEND\xaeB`\x82"))
        state, _ = orrery.quit()
        bodies = state["nbody"]["bodies-csv"]
        self.assertEqual(len(bodies.splitlines()), MANY + 1)
        self.assertLess(len(state_text(picture)), 1 << 16)
        for kept in (picture, orrery.state_file):
            again = self.open("--open", kept)
            again.settle()
            opened, _ = again.quit()
            self.assertEqual(opened["nbody"]["bodies-csv"] == bodies, True, kept)
            self.assertEqual(opened["nbody"]["time"], state["nbody"]["time"])


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
