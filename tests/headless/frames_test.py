#!/usr/bin/env python3
"""Points and the numbers of pictures written for other programs are those of the run. This file has its own readers of
the formats.

usage: frames_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
NAMES = ["mass", "x", "y", "z", "vx", "vy", "vz"]
RUN = ["nbody", "--bodies", "60", "--initial", "plummer", "--precision", "double", "--dt", "0.01", "--burst", "7"]
GSD_TYPES = {1: "<u1", 3: "<u4", 4: "<u8", 5: "<i1", 7: "<i4", 9: "<f4", 10: "<f8"}


def read_gsd(data):
    """The frames of a GSD file, by the description of its file layer: a dictionary of arrays per frame."""
    magic, index, entries, names, rows = struct.unpack_from("<5Q", data)
    schema, version = struct.unpack_from("<2I", data, 40)
    assert (magic, schema, version, data[112:118]) == (0x65DF65DF65DF65DF, 0x10004, 0x20000, b"hoomd\0")
    known = data[names:names + 64 * rows].split(b"\0\0")[0].decode().split("\0")
    frames, order = [], []
    for k in range(entries):
        frame, n, location, m, name, kind, _ = struct.unpack_from("<QQqIHBB", data, index + 32 * k)
        if location == 0:
            break
        order.append((frame, name))
        values = np.frombuffer(data, GSD_TYPES[kind], n * m, location).reshape(n, m)
        while len(frames) <= frame:
            frames.append({} if not frames else {key: value for key, value in frames[0].items() if "log/" not in key})
        frames[frame][known[name]] = values
    assert order == sorted(order) and len(set(order)) == len(order)
    return frames


def read_xyz(text):
    frames, lines = [], text.split("\n")
    while lines[0]:
        count, keys = int(lines[0]), dict(re.findall(r'(\w+)="?([^" ]*(?:[^"]*(?="))?)"?', lines[1]))
        columns = keys["Properties"].split(":")
        dtype = [(name, "U20" if kind == "S" else "f8", int(n)) for name, kind, n in zip(*[iter(columns)] * 3)]
        rows = [line.split() for line in lines[2:2 + count]]
        table, at = {}, 0
        for name, kind, n in dtype:
            table[name] = np.array([row[at:at + n] for row in rows]).astype(kind)
            at += n
        assert all(len(row) == at for row in rows)
        frames.append((keys, table))
        lines = lines[2 + count:]
    return frames


def read_ply(data):
    header, _, body = data.partition(b"end_header\n")
    assert header.startswith(b"ply\nformat binary_little_endian 1.0\n")
    fields = [(name, {"double": "<f8", "int": "<i4"}[kind]) for kind, name in re.findall(r"property (\w+) (\w+)", header.decode())]
    return np.frombuffer(body, fields), int(re.search(rb"element vertex (\d+)", header)[1])


def read_vtp(data):
    import xml.etree.ElementTree as tree
    text, _, rest = data.partition(b'<AppendedData encoding="raw">\n_')
    root = tree.fromstring(text + b"</VTKFile>")
    arrays = {}
    for array in root.iter("DataArray"):
        if array.get("format") == "appended":
            offset = int(array.get("offset"))
            size, = struct.unpack_from("<Q", rest, offset)
            kind = {"Float64": "<f8", "Int64": "<i8", "Int32": "<i4"}[array.get("type")]
            arrays[array.get("Name")] = np.frombuffer(rest, kind, size // int(kind[2]), offset + 8).reshape(-1, int(array.get("NumberOfComponents")))
    end = offset + 8 + size
    assert rest[end:] == b"\n</AppendedData>\n</VTKFile>\n"
    return root, arrays


def read_exr(data):
    """The attributes and the channels of an uncompressed picture of floats, by the layout of OpenEXR files."""
    assert data[:8] == struct.pack("<2I", 20000630, 0x402)
    at, attributes = 8, {}
    while data[at]:
        name, kind, _ = data[at:].split(b"\0", 2)
        at += len(name) + len(kind) + 2
        size, = struct.unpack_from("<I", data, at)
        attributes[name.decode()] = (kind.decode(), data[at + 4:at + 4 + size])
        at += 4 + size
    names, channels = [], attributes["channels"][1]
    while channels != b"\0":
        name, _, rest = channels.partition(b"\0")
        assert rest[:16] == struct.pack("<4I", 2, 0, 1, 1)
        names.append(name.decode())
        channels = rest[16:]
    assert names == sorted(names) and attributes["compression"] == ("compression", b"\0")
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"][1])
    assert (left, top) == (0, 0) and attributes["displayWindow"] == attributes["dataWindow"]
    width, height = right + 1, bottom + 1
    offsets = struct.unpack_from(f"<{height}Q", data, at + 1)
    picture = np.empty((len(names), height, width), "<f4")
    for row, offset in enumerate(offsets):
        assert struct.unpack_from("<2i", data, offset) == (row, 4 * width * len(names))
        picture[:, row] = np.frombuffer(data, "<f4", width * len(names), offset + 8).reshape(-1, width)
    assert len(data) == offsets[-1] + 8 + 4 * width * len(names)
    return attributes, dict(zip(names, picture))


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_orrery(self, *arguments, code=0):
        done = subprocess.run([BINARY, *map(str, arguments)], cwd=self.folder, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def names(self):
        return sorted(file.name for file in self.folder.iterdir())


class Bodies(Case):
    def frames(self, name, every=5, steps=15):
        self.run_orrery(*RUN, "--steps", steps, "--every", every, "--out", name)

    def arrays(self):
        """The arrays of four frames, read by NumPy."""
        self.frames("frame-%03d.npy")
        self.assertEqual(self.names(), [f"frame-00{k}.npy" for k in range(4)])
        return [np.load(self.folder / f"frame-00{k}.npy") for k in range(4)]

    def test_frames_are_the_states_of_the_run(self):
        arrays = self.arrays()
        for k, array in enumerate(arrays):
            self.run_orrery(*RUN, "--steps", 5 * k, "--out", "end.npy")
            np.testing.assert_array_equal(array, np.load(self.folder / "end.npy"))
        self.run_orrery(*RUN, "--steps", 15, "--diagnostics", "alone.csv")
        self.run_orrery(*RUN, "--steps", 15, "--diagnostics", "beside.csv", "--every", 5, "--out", "f%d.csv")
        self.assertEqual(self.bytes_of("alone.csv"), self.bytes_of("beside.csv"))

    def test_each_format_has_numbered_files(self):
        arrays = self.arrays()
        for extension in ("csv", "tipsy", "ply", "vtp", "xyz", "gsd"):
            self.frames(f"f%d.{extension}")
        for k, array in enumerate(arrays):
            np.testing.assert_array_equal(np.loadtxt(self.folder / f"f{k}.csv", delimiter=",", skiprows=1), array)
            tipsy = np.frombuffer(self.bytes_of(f"f{k}.tipsy"), ">f4", offset=32).reshape(-1, 9)
            np.testing.assert_array_equal(tipsy[:, :7], array.astype("f4"))
            rows, count = read_ply(self.bytes_of(f"f{k}.ply"))
            self.assertEqual((count, list(rows.dtype.names)), (60, NAMES))
            np.testing.assert_array_equal(np.stack([rows[name] for name in NAMES], 1), array)
            root, vtp = read_vtp(self.bytes_of(f"f{k}.vtp"))
            np.testing.assert_array_equal(np.hstack([vtp["mass"], vtp["Points"], vtp["velocity"]]), array)
            np.testing.assert_array_equal(vtp["connectivity"][:, 0], np.arange(60))
            self.assertEqual(root.find(".//Piece").get("NumberOfPoints"), "60")
            self.assertAlmostEqual(float(root.find(".//FieldData/DataArray").text), 0.05 * k)
            (_, table), = read_xyz(self.bytes_of(f"f{k}.xyz").decode())
            np.testing.assert_array_equal(np.hstack([table["mass"], table["pos"], table["velo"]]), array)
            self.assertEqual(len(read_gsd(self.bytes_of(f"f{k}.gsd"))), 1)

    def test_one_file_holds_all_frames(self):
        arrays = self.arrays()
        self.frames("run.xyz")
        self.frames("run.gsd")
        texts, binary = read_xyz(self.bytes_of("run.xyz").decode()), read_gsd(self.bytes_of("run.gsd"))
        self.assertEqual((len(texts), len(binary)), (4, 4))
        for k, (array, (keys, table), frame) in enumerate(zip(arrays, texts, binary)):
            np.testing.assert_array_equal(np.hstack([table["mass"], table["pos"], table["velo"]]), array)
            self.assertEqual((keys["Step"], float(keys["Time"])), (str(5 * k), frame["log/time"][0, 0]))
            self.assertEqual((frame["configuration/step"][0, 0], frame["particles/N"][0, 0]), (5 * k, 60))
            together = np.hstack([frame["particles/mass"], frame["particles/position"], frame["particles/velocity"]])
            np.testing.assert_array_equal(together, array.astype("f4"))
            self.assertLessEqual(2 * np.abs(array[:, 1:4]).max(), frame["configuration/box"][0, 0])

    def test_the_index_of_a_long_gsd_grows(self):
        self.frames("long.gsd", 1, 300)
        frames = read_gsd(self.bytes_of("long.gsd"))
        self.assertEqual([frame["configuration/step"][0, 0] for frame in frames], list(range(301)))
        self.run_orrery(*RUN, "--steps", 300, "--out", "end.npy")
        np.testing.assert_array_equal(frames[300]["particles/position"], np.load(self.folder / "end.npy")[:, 1:4].astype("f4"))

    def test_wrong_names_are_refused(self):
        for name in ("a.npy", "a-%s.npy", "a-%d-%d.npy", "a%%d.npy", "a-%6d.npy", "a-%06f.npy", "a-%00d.npy", "a-%.gsd", "a-%d.doc"):
            said = self.run_orrery(*RUN, "--steps", 1, "--every", 1, "--out", name, code=2)
            self.assertIn("--out: expected with --every a name with one %d or %06d", said)
            self.assertIn(f'got "{name}"', said)
        self.assertIn("--every needs --out", self.run_orrery(*RUN, "--every", 1, code=2))
        self.assertIn("--every", self.run_orrery(*RUN, "--every", -1, "--out", "a.xyz", code=2))
        self.assertIn("does not exist", self.run_orrery(*RUN, "--every", 1, "--out", "no/a-%d.npy", code=2))
        self.assertEqual(self.names(), [])

    def test_a_resumed_run_writes_the_same_frames(self):
        self.run_orrery(*RUN, "--steps", 15, "--every", 5, "--out", "whole-%d.npy")
        self.run_orrery(*RUN, "--steps", 7, "--every", 5, "--out", "part-%d.npy", "--state", "run.state")
        self.run_orrery("nbody", "--resume", "run.state", "--steps", 15, "--every", 5, "--out", "part-%d.npy")
        for k in range(4):
            self.assertEqual(self.bytes_of(f"whole-{k}.npy"), self.bytes_of(f"part-{k}.npy"))
        for name, read in (("run.xyz", lambda data: read_xyz(data.decode())), ("run.gsd", read_gsd)):
            self.run_orrery(*RUN, "--steps", 20, "--every", 5, "--out", "whole-" + name)
            self.run_orrery(*RUN, "--steps", 7, "--every", 5, "--out", name, "--state", "run.state")
            (self.folder / "later.state").write_bytes(self.bytes_of("run.state"))
            self.run_orrery("nbody", "--resume", "later.state", "--steps", 10, "--every", 5, "--out", name)
            self.run_orrery("nbody", "--resume", "run.state", "--steps", 20, "--every", 5, "--out", name)  # repeats from step 7
            np.testing.assert_equal(read(self.bytes_of(name)), read(self.bytes_of("whole-" + name)))
            self.run_orrery(*RUN, "--steps", 7, "--state", "run.state")
            (self.folder / name).write_bytes(before := b"something else " * 99)
            said = self.run_orrery("nbody", "--resume", "run.state", "--steps", 15, "--every", 5, "--out", name, code=2)
            self.assertIn(f'"{name}" exists and has no frame before step 7', said)
            self.assertEqual(self.bytes_of(name), before)

    def test_a_run_that_is_stopped_leaves_whole_frames(self):
        for name, number in (("run.xyz", signal.SIGTERM), ("run.gsd", signal.SIGKILL), ("f%d.npy", signal.SIGKILL)):
            with self.subTest(name):
                process = subprocess.Popen([BINARY, *RUN, "--steps", "100000000", "--every", "1", "--out", name], cwd=self.folder,
                                           stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                file = self.folder / name.replace("%d", "5")
                until = time.monotonic() + 60
                while not file.exists() or (file.name != "f5.npy" and file.stat().st_size < 100_000):
                    self.assertLess(time.monotonic(), until)
                    time.sleep(0.02)
                process.send_signal(number)
                _, said = process.communicate()
                if name == "run.xyz":
                    self.assertIn("run.xyz holds the results so far", said)
                    steps = [int(keys["Step"]) for keys, _ in read_xyz(self.bytes_of(name).decode())]
                elif name == "run.gsd":
                    steps = [frame["configuration/step"][0, 0] for frame in read_gsd(self.bytes_of(name))]
                else:
                    steps = sorted(int(file.stem[1:]) for file in self.folder.glob("f*.npy"))
                    self.assertTrue(all(np.load(self.folder / f"f{k}.npy").shape == (60, 7) for k in steps))
                self.assertGreater(len(steps), 2)
                self.assertEqual(steps, list(range(len(steps))))


class Particles(Case):
    def test_frames_have_kinds_charges_and_the_box(self):
        run = ["particles", "salt", "--steps", 6, "--burst", 4]
        self.run_orrery(*run, "--out", "end.csv")
        header, *rows = [line.split(",") for line in self.bytes_of("end.csv").decode().splitlines()]
        numbers = np.array([[float(cell) for cell in row[:8]] for row in rows])
        kinds = [row[8] for row in rows]
        self.assertEqual(header, "x,y,z,vx,vy,vz,mass,charge,kind".split(","))
        for extension in ("csv", "npy", "ply", "vtp"):
            self.run_orrery(*run, "--every", 3, "--out", f"p%d.{extension}")
            self.assertTrue((self.folder / f"p2.{extension}").exists() and not (self.folder / f"p3.{extension}").exists())
        self.assertEqual(self.bytes_of("p2.csv"), self.bytes_of("end.csv"))
        array = np.load(self.folder / "p2.npy")
        self.assertEqual(list(array.dtype.names), header)
        self.assertEqual(list(array["kind"]), kinds)
        for k, name in enumerate(header[:8]):
            np.testing.assert_array_equal(array[name], numbers[:, k])
        rows, _ = read_ply(self.bytes_of("p2.ply"))
        self.assertEqual([["sodium", "chloride"][k] for k in rows["kind"]], kinds)
        _, vtp = read_vtp(self.bytes_of("p2.vtp"))
        np.testing.assert_array_equal(np.hstack([vtp["Points"], vtp["velocity"], vtp["mass"], vtp["charge"]]), numbers)
        self.run_orrery(*run, "--every", 3, "--out", "run.xyz")
        self.run_orrery(*run, "--every", 3, "--out", "run.gsd")
        keys, table = read_xyz(self.bytes_of("run.xyz").decode())[2]
        self.assertEqual((keys["Lattice"], keys["Origin"], keys["pbc"]), ("20 0 0 0 20 0 0 0 20", "-10 -10 -10", "T T T"))
        np.testing.assert_array_equal(np.hstack([table[name] for name in ("pos", "velo", "mass", "charge")]), numbers)
        self.assertEqual(list(table["type"][:, 0]), kinds)
        frame = read_gsd(self.bytes_of("run.gsd"))[2]
        np.testing.assert_array_equal(frame["configuration/box"][:, 0], [20, 20, 20, 0, 0, 0])
        self.assertEqual([bytes(row).rstrip(b"\0") for row in frame["particles/types"]], [b"sodium", b"chloride"])
        self.assertEqual([["sodium", "chloride"][k] for k in frame["particles/typeid"][:, 0]], kinds)
        inside, image = frame["particles/position"], frame["particles/image"]
        self.assertLessEqual(np.abs(inside).max(), 10)
        np.testing.assert_allclose(inside + 20.0 * image, numbers[:, :3], atol=10 * 2.0**-24, rtol=0)
        np.testing.assert_array_equal(frame["particles/charge"][:, 0], numbers[:, 7])

    def test_several_files_have_the_same_frames_and_a_world_goes_on_from_its_own(self):
        run = ("particles", "salt", "--precision", "double", "--burst", 2, "--steps", 4)
        self.run_orrery(*run, "--every", 2, "--out", "world-%d.toml", "--out", "frame-%d.npy", "--out", "all.xyz")
        self.run_orrery(*run, "--out", "end.npy", "--out", "end.toml")
        self.assertEqual([name for name in self.names() if "-" in name],
                         [f"frame-{k}.npy" for k in range(3)] + [f"world-{k}.toml" for k in range(3)])
        for k in range(3):
            self.run_orrery("particles", f"world-{k}.toml", "--precision", "double", "--steps", 0, "--out", "again.npy")
            self.assertEqual(self.bytes_of("again.npy"), self.bytes_of(f"frame-{k}.npy"))
        self.assertEqual(self.bytes_of("end.npy"), self.bytes_of("frame-2.npy"))
        self.assertEqual(self.bytes_of("end.toml"), self.bytes_of("world-2.toml"))
        self.assertEqual(len(read_xyz(self.bytes_of("all.xyz").decode())), 3)

    def test_a_frame_is_the_start_of_another_world(self):
        self.run_orrery("particles", "salt", "--steps", 4, "--every", 4, "--out", "run%d.xyz")
        world = '[box]\nlengths = 20\n[[kind]]\nname = "sodium"\n[[kind]]\nname = "chloride"\n[[fill]]\nshape = "file"\nfile = "%s"\nkinds = ["sodium", "chloride"]\n'
        (self.folder / "again.toml").write_text(world % "run1.xyz")
        self.run_orrery("particles", "again.toml", "--precision", "double", "--steps", 0, "--out", "again.xyz")
        (_, before), = read_xyz(self.bytes_of("run1.xyz").decode())
        (_, after), = read_xyz(self.bytes_of("again.xyz").decode())
        np.testing.assert_equal(after, before)
        (self.folder / "few.xyz").write_bytes(self.bytes_of("run1.xyz").replace(b"4096\n", b"4097\n"))
        (self.folder / "other.xyz").write_bytes(self.bytes_of("run1.xyz").replace(b"\nsodium", b"\niron", 1))
        for name, said in (("few", r'few\.xyz: the number of rows: expected 4097, got "4096"'), ("other", "iron")):
            (self.folder / "wrong.toml").write_text(world % f"{name}.xyz")
            self.assertRegex(self.run_orrery("particles", "wrong.toml", "--steps", 0, code=2), said)

    def test_other_files_are_refused(self):
        self.assertIn("FILE.toml, or a file named", self.run_orrery("particles", "salt", "--steps", 1, "--out", "a.doc", code=2))
        self.assertIn("--out: expected with --every", self.run_orrery("particles", "salt", "--every", 1, "--out", "a.toml", code=2))


class Pictures(Case):
    def test_an_exr_has_the_numbers_of_both_arrays(self):
        view = ["mandelbrot", "--center", "-0.7463", "0.1102", "--span", "0.02", "--size", "64x48", "--iterations", 2000]
        self.run_orrery(*view, "--out", "nu.npy", "--detail", "distance.npy")
        self.run_orrery(*view, "--out", "both.exr")
        attributes, channels = read_exr(self.bytes_of("both.exr"))
        self.assertEqual(list(channels), ["distance", "nu"])
        for name, picture in channels.items():
            np.testing.assert_array_equal(picture, np.load(self.folder / f"{name}.npy").astype("f4"))
        self.assertEqual(attributes["iterations"], ("string", b"2000"))
        self.assertIn("1 for a .exr file", self.run_orrery(*view, "--out", "a.exr", "--samples", 4, code=2))
        self.assertIn("--detail", self.run_orrery(*view, "--out", "a.exr", "--detail", "d.npy", code=2))


if __name__ == "__main__":
    unittest.main()
