#!/usr/bin/env python3
"""Pictures and films without a window and a display: complete, in simulated time, and reproducible.

usage: offline_test.py PATH-TO-ORRERY [unittest arguments]
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
SIZE = "320x200"
SCENES = ("nbody", "mandelbrot", "particles")
# A view with cycling colours, and simulations with changing colours and cameras.
STATE = """[window]
scene = "{}"
[nbody]
bodies = 300
burst = 3
camera-orbit = 20.0
[mandelbrot]
samples = 2
cycling = 0.5
color-scale = "histogram"
[particles]
world = "argon"
burst = 2
camera-orbit = 20.0
follow = 7
"""
# Bodies with constant colours.
STILL_COLORS = 'scene = "nbody"\n[nbody]\nbodies = 200\nburst = 4\ndt = 0.01\nsoftening = 0.05\ncolor-by = "mass"\nforces = "gather"\n'
CROWD = 'initial = "bodies.npy"\ncolor-by = "mass"\nforces = "tree"\nopening-angle = 1.2\norder = "monopole"\n'


class Offline(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="orrery-offline-")))
        tools = self.folder / "tools"
        tools.mkdir()
        ffmpeg = tools / "ffmpeg"  # copies the raw frames
        ffmpeg.write_text('#!/bin/sh\nfor last; do :; done\nexec /bin/cat > "${last#file:}"\n')
        ffmpeg.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "XDG_PICTURES_DIR": str(self.folder / "pictures")}
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(display, None)

    def state(self, text, name="state.toml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def scene(self, name, more=""):
        return self.state(STATE.format(name) + more, f"{name}.toml")

    def run_orrery(self, *arguments, code=0, prefix=(), **more):
        done = subprocess.run([*prefix, BINARY, *map(str, arguments)], env={**self.environment, **more}, capture_output=True, text=True,
                              cwd=self.folder, check=False)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def picture(self, state, *arguments, name="picture.ppm"):
        self.run_orrery("picture", state, "--size", SIZE, "--out", name, *arguments)
        header, pixels = (self.folder / name).read_bytes().split(b"255\n", 1)
        self.assertEqual(header.split(), [b"P6", *SIZE.encode().split(b"x")])
        return pixels

    def film(self, state, *arguments, name="film.mp4", **more):
        """The frames of a film."""
        self.run_orrery("film", state, "--size", SIZE, "--out", name, *arguments, **more)
        width, height = map(int, SIZE.split("x"))
        data, size = (self.folder / name).read_bytes(), 3 * width * height
        self.assertEqual(len(data) % size, 0)
        return [data[at:at + size] for at in range(0, len(data), size)]

    def require_alike(self, a, b, most):
        off = np.abs(np.frombuffer(a, np.uint8).astype(int) - np.frombuffer(b, np.uint8))
        self.assertLessEqual(off.max(), most, np.count_nonzero(off > most))

    def refused(self, code, words, *arguments):
        done = self.run_orrery(*arguments, code=code)
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    # ---- films

    def test_the_same_film_twice_has_the_same_frames(self):
        for scene in SCENES:
            with self.subTest(scene=scene):
                state = self.scene(scene)
                first = self.film(state, "--seconds", 0.4)
                self.assertEqual(len(first), 12)
                self.assertEqual(len({*first}), 12, "something moves")
                # A machine of another speed.
                self.assertEqual(first, self.film(state, "--seconds", 0.4, prefix=("taskset", "-c", "0")))

    def test_each_frame_is_the_picture_after_its_number_of_bursts(self):
        """The bodies are those of the headless simulation, which has a different loop."""
        view = "camera-distance = 7.0\ncamera-azimuth = 0.5\ncamera-elevation = 0.4\n"
        frames = self.film(self.state(f"[window]\n{STILL_COLORS}{view}"), "--seconds", 0.5)
        self.assertEqual(frames[0], self.picture(self.folder / "state.toml"))
        for burst in (1, 9):
            with self.subTest(burst=burst):
                steps = 4 * burst
                self.run_orrery("nbody", "--bodies", 200, "--dt", 0.01, "--softening", 0.05, "--forces", "gather", "--steps", steps,
                                "--burst", 4, "--out", "bodies.csv")
                bodies = (self.folder / "bodies.csv").read_text()
                later = self.state(f"[window]\n{STILL_COLORS}{view}step = {steps}\ntime = {steps * 0.01}\nbodies-csv = '''\n{bodies}'''\n",
                                   "later.toml")
                self.assertEqual(frames[burst], self.picture(later))
                self.assertNotEqual(frames[burst], frames[burst - 1])

    def test_a_camera_goes_round_by_the_time_of_the_film(self):
        rest = STILL_COLORS.replace("dt = 0.01", "dt = 1e-12")
        view = "camera-distance = 7.0\ncamera-elevation = 0.4\n"
        frames = self.film(self.state(f"[window]\n{rest}{view}camera-azimuth = 0.25\ncamera-orbit = 90.0\n"), "--seconds", 1,
                           "--frames-per-second", 8)
        for k in (0, 3, 7):
            angle = 0.25 + np.pi / 2 * k / 8
            self.require_alike(frames[k], self.picture(self.state(f"[window]\n{rest}{view}camera-azimuth = {angle}\n", "turned.toml")), 2)

    def test_a_camera_path_gives_its_film(self):
        """The film has the path's length, is reproducible, and shows the keyframes at their times."""
        views = {"nbody": ("-1 0.6 7 0 0 0", "0.5 0.3 3 0.5 0.25 0", "2 -0.5 5 0 0 1"),
                 "mandelbrot": ("-0.65 0 3", "-1.749081269019 0.00000000001 1e-9", "-0.1 0.9 0.4 30")}
        names = {"nbody": ("azimuth", "elevation", "distance", "x", "y", "z"), "mandelbrot": ("center-re", "center-im", "span", "rotation")}
        still = {"nbody": f"[window]\n{STILL_COLORS}paused = true\n",
                 "mandelbrot": '[window]\nscene = "mandelbrot"\n[mandelbrot]\nsamples = 2\n'}
        for scene, keyframes in views.items():
            with self.subTest(scene=scene):
                path = "; ".join(f"{time} {view}" for time, view in zip((0, 0.5, 1), keyframes))
                placed = "camera-distance = 9.0\n" if scene == "nbody" else ""  # present in every saved state
                state = self.state(f'{still[scene]}{placed}camera-path = "{path}"\n')
                frames = self.film(state, "--frames-per-second", 8)
                self.assertEqual([len(frames), len({*frames})], [9, 9])
                self.assertEqual(frames, self.film(state, "--frames-per-second", 8, prefix=("taskset", "-c", "0")))
                self.assertEqual(frames[:5], self.film(state, "--frames-per-second", 8, "--seconds", 0.625))
                for k, view in zip((0, 4, 8), keyframes):
                    text = [f'"{word}"' if scene == "mandelbrot" and i < 3 else str(float(word)) for i, word in enumerate(view.split())]
                    keys = [("" if scene == "mandelbrot" else "camera-") + name for name in names[scene]]
                    told = "".join(f"{key} = {word}\n" for key, word in zip(keys, text))
                    self.assertEqual(frames[k], self.picture(self.state(still[scene] + told, "keyframe.toml")), k)
                steady = self.film(state, "--frames-per-second", 8, "--camera-constant-speed", "on")
                self.assertEqual([steady[0], steady[8]], [frames[0], frames[8]])
                self.assertNotEqual(steady[4], frames[4])

    def test_a_simulation_goes_on_while_the_camera_follows_its_path(self):
        path = 'camera-path = "0 0 0.4 7 0 0 0; 0.5 0 0.4 7 0 0 0"\n'
        running = self.film(self.state(f"[window]\n{STILL_COLORS}{path}"))
        self.assertEqual([len(running), len({*running})], [16, 16])
        paused = self.film(self.state(f"[window]\n{STILL_COLORS}{path}paused = true\n"))
        self.assertEqual([len(paused), len({*paused})], [16, 1])

    def test_colours_cycle_by_the_time_of_the_film(self):
        view = '[window]\nscene = "mandelbrot"\n[mandelbrot]\nsamples = 2\n'
        frames = self.film(self.state(view), "--cycling", 0.5, "--seconds", 1, "--frames-per-second", 8)
        for k in (0, 5):
            self.require_alike(frames[k], self.picture(self.folder / "state.toml", "--offset", 0.5 * k / 8), 2)

    def test_a_film_of_a_tour_shows_each_step_for_its_time(self):
        tour = self.state('title = "t"\n[[step]]\ncaption = "a"\nscene = "nbody"\nseconds = 1\n[step.nbody]\nbodies = 100\npaused = true\n'
                          '[[step]]\ncaption = "b"\nscene = "mandelbrot"\nseconds = 2\n[step.mandelbrot]\nsamples = 1\n', "tour.toml")
        frames = self.film(tour, "--frames-per-second", 4)
        self.assertEqual([len(frames), len({*frames[:4]}), len({*frames[4:]})], [12, 1, 1])
        self.assertNotEqual(frames[3], frames[4])

    def test_existing_frames_are_not_made_again(self):
        state = self.scene("nbody")
        make = ("film", state, "--size", SIZE, "--seconds", 0.2, "--out", "frames")
        self.run_orrery(*make)
        pictures = sorted((self.folder / "frames").glob("frame-*.png"))
        before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in pictures]
        self.assertEqual(len(before), 6)
        pictures[3].unlink()
        pictures[4].write_bytes(before[4][0][:900])
        self.run_orrery(*make)
        after = [(path.read_bytes(), path.stat().st_mtime_ns) for path in pictures]
        self.assertEqual([data for data, _ in after], [data for data, _ in before])
        self.assertEqual([k for k in range(6) if after[k][1] != before[k][1]], [3, 4])
        self.refused(2, ["softening"], *make, "--softening", "0.2")
        self.run_orrery("film", "join", "frames", "--out", "joined.mp4")
        self.assertEqual((self.folder / "joined.mp4").read_bytes(), b"".join(self.film(state, "--seconds", 0.2)))

    def test_parts_of_a_film_are_the_frames_of_the_whole(self):
        for scene in ("nbody", "mandelbrot"):
            with self.subTest(scene=scene):
                state, make = self.scene(scene), ("--seconds", 0.3)
                whole = self.film(state, *make)
                for part in ("2/3", "7:9", "1/3"):
                    said = self.run_orrery("film", state, "--size", SIZE, *make, "--out", f"parts-{scene}", "--frames", part).stdout
                    self.assertIn(f"frames {part} of 9 frames", said)
                self.run_orrery("film", "join", f"parts-{scene}", "--out", "joined.mp4")
                self.assertEqual((self.folder / "joined.mp4").read_bytes(), b"".join(whole))

    def test_the_script_for_a_cluster_makes_the_film_in_parts(self):
        """This sbatch runs each task of an array at once."""
        sbatch = self.folder / "tools" / "sbatch"
        sbatch.write_text("""#!/bin/bash
for word; do case $word in --array=*) last=${word##*-} ;; esac; done
script=$(mktemp) && cat > "$script"
for task in $(seq ${last:-1}); do SLURM_ARRAY_TASK_ID=$task bash "$script" >&2; done
echo 7
""")
        sbatch.chmod(0o755)
        state = self.scene("particles")
        make = ("film", state, "--size", SIZE, "--seconds", 0.2, "--out", "film.mp4")
        script = self.run_orrery(*make, "--cluster", "slurm", "--jobs", 2).stdout
        self.assertEqual([*self.folder.rglob("*.mp4")], [], "the script is all")
        subprocess.run(["bash", "-c", script], env={**self.environment, "ORRERY": BINARY}, check=True, capture_output=True, cwd=self.folder)
        in_parts = (self.folder / "film.mp4").read_bytes()
        self.assertEqual(in_parts, b"".join(self.film(state, "--seconds", 0.2)))

    def test_a_blurred_frame_is_the_mean_light_of_its_pictures(self):
        state = self.state(f"[window]\n{STILL_COLORS}camera-distance = 7.0\n")
        blurred = self.film(state, "--seconds", 0.5, "--frames-per-second", 4, "--motion-blur", 5)
        sharp = self.film(state, "--seconds", 0.5, "--frames-per-second", 20)
        self.assertEqual([len(blurred), len(sharp)], [2, 10])
        encoded = np.frombuffer(b"".join(sharp), np.uint8).reshape(2, 5, -1) / 255
        light = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4).mean(1)
        mean = 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
        for k in range(2):
            self.require_alike(blurred[k], np.round(mean[k]).astype(np.uint8).tobytes(), 1)
            self.assertNotEqual(blurred[k], sharp[5 * k])

    def test_without_ffmpeg_there_are_numbered_pictures(self):
        self.run_orrery("film", self.scene("nbody"), "--size", SIZE, "--seconds", 0.1, "--out", "film.mp4", PATH="/nowhere")
        self.assertEqual(sorted(path.name for path in (self.folder / "film").glob("*.png")), [f"frame-0000{k}.png" for k in (1, 2, 3)])

    def test_a_signal_ends_a_film_in_order(self):
        state = self.scene("nbody")
        running = subprocess.Popen([BINARY, "film", state, "--size", SIZE, "--seconds", "1000", "--out", "film.mp4"], env=self.environment,
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while not any(path.stat().st_size > 10**6 for path in self.folder.glob("*film*")) and time.monotonic() < end:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130)
        self.assertRegex(told, "at frame [0-9]+ of 30000")
        self.assertEqual([*self.folder.glob("*film*")], [])

    # ---- pictures

    def test_a_picture_holds_its_state(self):
        for scene in SCENES:
            with self.subTest(scene=scene):
                first = self.picture(self.scene(scene))
                self.run_orrery("picture", self.scene(scene), "--size", SIZE, "--out", "carries.png")
                self.assertEqual(first, self.picture("carries.png"))

    def test_a_crowd_looks_like_fewer_bodies(self):
        """From 2^18 bodies on, sums of light replace points, except for bodies near the camera."""
        most, random = 1 << 18, np.random.default_rng(5)
        bodies = np.zeros((most + 1, 7), np.float32)
        bodies[:, 0] = random.lognormal(0, 1, most + 1) / most
        bodies[:, 1:4] = random.normal(0, 0.4, (most + 1, 3))
        bodies[most, :4] = 1e-9, 0.0, 0.0, -1e6  # outside of the view
        # In the last view, the sums of most pixels need more than 32 bits.
        for view in ("camera-distance = 3.0\n", "camera-distance = 0.2\nsprite-size = 30.0\n", "camera-distance = 3.0\nsprite-size = 30.0\n"):
            with self.subTest(view=view):
                pictures = []
                for count in (most, most + 1):
                    np.save(self.folder / "bodies.npy", bodies[:count])
                    pictures.append(self.picture(self.state(f"[nbody]\n{CROWD}{view}")))
                points, sums = (np.frombuffer(picture, np.uint8).astype(int) for picture in pictures)
                self.assertGreater(np.count_nonzero(points > 40), points.size // 20)
                self.assertLessEqual(np.abs(points - sums).max(), 2)

    def test_options_may_stand_before_the_file(self):
        state = self.scene("nbody")
        self.run_orrery("picture", "--size", SIZE, "--out", "before.png", state)
        self.run_orrery("picture", state, "--out", "after.png", "--size", SIZE)
        self.assertEqual((self.folder / "before.png").read_bytes(), (self.folder / "after.png").read_bytes())

    def test_a_picture_has_a_new_name_where_none_is_given(self):
        for _ in range(2):
            self.run_orrery("picture", self.scene("nbody"), "--size", SIZE)
        self.assertEqual(len([*self.folder.rglob("orrery-*.png")]), 2)

    # ---- errors

    def test_bodies_that_cannot_be_read_give_an_error_and_no_picture(self):
        """Small files are read before a device is opened, large ones are not."""
        for count, code in ((3, 2), (300000, 1)):
            bodies = np.ones((count, 7))
            bodies[-1, 0] = -5
            np.save(self.folder / "bodies.npy", bodies)
            state = self.state('[nbody]\ninitial = "bodies.npy"\n', "unreadable.toml")
            for command in (["picture", state, "--out", "instead.png"], ["film", state, "--seconds", 0.1, "--out", "instead.mp4"]):
                with self.subTest(count=count, command=command[0]):
                    done = self.run_orrery(*command, code=code)
                    self.assertRegex(done.stderr.splitlines()[-1], "bodies.npy:.*mass.*got \"-5")
        self.assertEqual([*self.folder.glob("instead*")], [])

    def test_bad_input_is_refused_with_its_place(self):
        state = self.scene("nbody")
        for size in ("0x0", "0", "1e9x5", "1000000000x1000000000", "16384x16384", "-5x7", "x"):
            with self.subTest(size=size):
                self.refused(2, ["--size", "pixels"], "picture", state, f"--size={size}")
                self.refused(2, ["--size", "pixels"], "film", state, f"--size={size}")
        self.refused(2, ["nothing.toml", "exists"], "picture", "nothing.toml")
        self.refused(2, ["nothing.toml", "exists"], "film", "nothing.toml")
        self.refused(2, ["picture.gif", ".png"], "picture", state, "--out", "picture.gif")
        self.refused(2, ["film.gif", ".mp4"], "film", state, "--out", "film.gif")
        self.refused(2, ["absent"], "picture", state, "--out", "absent/p.png")
        self.refused(2, ["absent"], "film", state, "--out", "absent/f.mp4")
        self.refused(2, ["321x200", "even"], "film", state, "--size", "321x200", "--out", "f.mp4")
        for seconds in ("0", "-1", "nan", "1e9"):
            self.refused(2, ["--seconds"], "film", state, f"--seconds={seconds}")
        self.refused(2, ["--frames-per-second"], "film", state, "--frames-per-second", "0")
        self.refused(2, ["number of frames"], "film", state, "--seconds", "1e6")
        for blur in ("0", "-3", "1001", "2.5", "many"):
            self.refused(2, ["--motion-blur", "1000"], "film", state, f"--motion-blur={blur}")
        for part in ("0/3", "4/3", "3", "9:3", "1:100000", "x"):
            self.refused(2, ["--frames"], "film", state, "--out", "parts", "--frames", part)
        self.refused(2, ["--frames", "folder"], "film", state, "--out", "f.mp4", "--frames", "1/3")
        self.refused(2, ["--frames", "folder"], "film", state, "--frames", "1/3")
        self.refused(2, ["--cluster", "slurm"], "film", state, "--out", "f", "--cluster", "pbs")
        self.refused(2, ["--jobs"], "film", state, "--out", "f", "--jobs", "4")
        self.refused(2, ["--jobs", "1000"], "film", state, "--out", "f", "--cluster", "slurm", "--jobs", "0")
        self.refused(2, ["state"], "picture")
        self.refused(2, ["--bodies"], "picture", "--bodies", "10", state)  # before the file whose scene has that option
        self.refused(2, ["--bodies"], "picture", state, "--bodies", "0")
        self.refused(2, ["--camera-path", "keyframe 2", "0.5"], "film", state, "--camera-path", "1 0 0 1 0 0 0; 0.5 0 0 1 0 0 0")
        self.refused(2, ["text.md"], "picture", self.state("# text\n", "text.md"))
        self.refused(2, ["nothing moves", "--zoom-from"], "film", self.state('[window]\nscene = "mandelbrot"\n[mandelbrot]\nsamples = 1\n'))
        self.assertEqual([*self.folder.rglob("*.png"), *self.folder.rglob("*.mp4")], [])

    def test_numbers_that_are_not_finite_end_a_film_without_a_file(self):
        wild = self.state("[window]\n" + STILL_COLORS.replace("dt = 0.01", "dt = 1e30"))
        done = self.run_orrery("film", wild, "--size", SIZE, "--out", "film.mp4", code=1)
        self.assertIn("NaN or infinite", done.stderr)
        self.assertEqual([*self.folder.glob("*film*")], [])

    def test_a_view_file_is_zoomed_into_by_the_command_for_it(self):
        view = self.state('center = ["-0.75", "0.1"]\nspan = "0.5"\niterations = 200\n', "view.toml")
        zoom = ("--zoom-from", 2, "--size", "64x48", "--seconds", 0.2)
        self.run_orrery("film", view, *zoom, "--out", "a.mp4")
        self.run_orrery("mandelbrot", "--view", view, *zoom, "--out", "b.mp4")
        self.assertEqual((self.folder / "a.mp4").read_bytes(), (self.folder / "b.mp4").read_bytes())


if __name__ == "__main__":
    unittest.main()
