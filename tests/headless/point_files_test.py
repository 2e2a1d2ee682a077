#!/usr/bin/env python3
"""Points in GSD and .vtp files are read correctly or refused with the place.

usage: point_files_test.py PATH-TO-ORRERY [unittest arguments]

This test writes the files by the descriptions of the two formats. If the packages gsd and vtk are installed, their files
are read too.
"""
import base64
import itertools
import struct
import subprocess
import unittest
import zlib

import numpy as np
from body_files_test import AT_REST, BINARY, BODIES, FLAT, PLACES, POSITIONS, VELOCITIES, BodyFiles

MASSES = BODIES[:, 0]
TYPES = {"u1": 1, "u2": 2, "u4": 3, "u8": 4, "i1": 5, "i2": 6, "i4": 7, "i8": 8, "f4": 9, "f8": 10}
BLOCKS = {"configuration/step": np.uint64(7), "particles/N": np.uint32(5), "particles/position": POSITIONS.astype("f4"),
          "particles/velocity": VELOCITIES.astype("f4"), "particles/mass": MASSES.astype("f4")}


def gsd(*frames, version=2, schema=b"hoomd", room=3):
    """https://gsd.readthedocs.io/en/stable/file-layer.html"""
    names = list(dict.fromkeys(name for frame in frames for name in frame))
    listed = b"".join(name.encode().ljust(64, b"\0") for name in names) if version == 1 else \
        "".join(name + "\0" for name in names).encode()
    rows = len(listed) // 64 + 1
    entries = sum(map(len, frames)) + room
    at = 256 + 64 * rows
    index, blocks = b"", b""
    for k, frame in enumerate(frames):
        for name, values in sorted(frame.items(), key=lambda item: names.index(item[0])):
            values = np.asarray(values)
            rows_columns = values.reshape(values.shape[0], -1).shape if values.ndim else (1, 1)
            index += struct.pack("<QQqIHBB", k, rows_columns[0], at + 32 * entries + len(blocks), rows_columns[1], names.index(name),
                                 TYPES[values.dtype.str[1:]], 0)
            blocks += values.tobytes()
    header = struct.pack("<5Q2I64s64s80x", 0x65DF65DF65DF65DF, at, entries, 256, rows, 1 << 16 | 4, version << 16, b"a test", schema)
    return header + listed.ljust(64 * rows, b"\0") + index.ljust(32 * entries, b"\0") + blocks


def without(*names, **others):
    return {**{name: values for name, values in BLOCKS.items() if name.split("/")[1] not in names}, **others}


class Gsd(BodyFiles):
    def test_both_versions_are_read(self):
        for version in (1, 2):
            self.same("own.gsd", gsd(BLOCKS, version=version))
        double = {name: values.astype("f8") if values.dtype == "f4" else values for name, values in BLOCKS.items()}
        self.same("double.GSD", gsd(double, room=0))
        more = {**BLOCKS, "particles/typeid": np.zeros(5, "u4"), "particles/types": np.frombuffer(b"A\0B\0", "i1").reshape(2, 2),
                "particles/image": np.ones((5, 3), "i4"), "log/particles/heat": np.ones(5), "log/energy": np.ones(1), "bonds/N": np.uint32(0)}
        self.same("more.gsd", gsd(more), said="7 of 10 columns read (not kind, image, heat)")

    def test_the_last_frame_inherits_blocks_of_the_first(self):
        moved = {"configuration/step": np.uint64(9), "particles/position": (POSITIONS + 1).astype("f4")}
        expected = BODIES.copy()
        expected[:, 1:4] += 1
        for version in (1, 2):
            self.same("run.gsd", gsd(BLOCKS, BLOCKS, moved, version=version), expected)
        # A frame with another number of particles inherits nothing from the first frame.
        two = {"particles/N": np.uint32(2), "particles/position": POSITIONS[:2].astype("f4")}
        self.same("two.gsd", gsd(BLOCKS, two), PLACES[:2], "3 of 3 columns read; mass missing: 1 each; velocities missing: 0 each")

    def test_missing_blocks_have_the_defaults_of_the_schema(self):
        self.same("rest.gsd", gsd(without("velocity")), AT_REST, "4 of 4 columns read; velocities missing: 0 each")
        one = BODIES.copy()
        one[:, 0] = 1
        self.same("mass.gsd", gsd(without("mass")), one, "6 of 6 columns read; mass missing: 1 each")
        origin = BODIES.copy()
        origin[:, 1:4] = 0
        self.same("origin.gsd", gsd(without("position")), origin)

    def test_a_plane_has_z_0(self):
        self.same("flat.gsd", gsd({**BLOCKS, "configuration/dimensions": np.uint8(2), "configuration/box": np.array([9, 9, 0, 0, 0, 0], "f4")}), FLAT,
                  "5 of 5 columns read; z, vz missing: 0 each")

    def test_hostile_files_are_refused(self):
        whole = gsd(BLOCKS)
        index = 256 + struct.unpack_from("<Q", whole, 32)[0] * 64
        for length in (0, 8, 100, 255, 256, 300, index + 40, len(whole) - 1):
            self.refused("cut.gsd", whole[:length], r"cut\.gsd")

        def patched(at, form, *values):
            return whole[:at] + struct.pack(form, *values) + whole[at + struct.calcsize(form):]
        self.refused("magic.gsd", patched(0, "<Q", 1), "the beginning of the file: expected that of a GSD file")
        self.refused("version.gsd", patched(44, "<I", 3 << 16), r'the version of the GSD format: expected 1 or 2, got "3"')
        self.refused("schema.gsd", gsd(BLOCKS, schema=b"mine"), r'the schema: expected hoomd, got "mine"')
        for at, value in itertools.product((8, 16, 24, 32), (0xFFFFFFFFFFFFFFFF, 1 << 58, len(whole))):
            self.refused("place.gsd", patched(at, "<Q", value), r"place\.gsd")
        position = index + 2 * 32
        for at, form, value in ((0, "<Q", 1 << 63), (8, "<Q", 1 << 62), (8, "<Q", 4), (16, "<q", 1 << 62), (16, "<q", len(whole) - 8), (24, "<I", 0),
                                (24, "<I", 2), (24, "<I", 0xFFFFFFFF), (28, "<H", 999), (30, "<B", 0), (30, "<B", 200)):
            self.refused("entry.gsd", patched(position + at, form, value), r"entry\.gsd")
        self.refused("many.gsd", gsd({"particles/N": np.uint32(60_000_000)}), "the number of particles without positions")
        self.refused("more.gsd", gsd({**BLOCKS, "particles/N": np.uint32(0xFFFFFFFF)}), "the number of particles: expected at most 67108864")
        self.refused("none.gsd", gsd({**BLOCKS, "particles/N": np.uint32(0)}), r"none\.gsd")
        self.refused("nan.gsd", gsd(without("mass", **{"particles/mass": np.array([1, 2, np.nan, 4, 5], "f4")})), r"nan\.gsd:3:7: mass: expected a finite number")
        self.refused("order.gsd", whole[:index] + struct.pack("<Q", 5) + whole[index + 8:], "the frame of entry 1 of the index: expected 5 or more, got \"0\"")


VTK = {"f4": "Float32", "f8": "Float64", "i1": "Int8", "u1": "UInt8", "i2": "Int16", "u2": "UInt16", "i4": "Int32", "u4": "UInt32", "i8": "Int64",
       "u8": "UInt64"}


class Vtp:
    """A writer by the description of the format."""

    def __init__(self, form, order="<", word="I", block=0, encoding="raw"):
        self.form, self.order, self.word, self.block, self.encoding = form, order, word, block, encoding
        self.appended = b""

    def words(self, *numbers):
        return struct.pack(f"{self.order}{len(numbers)}{self.word}", *numbers)

    def parts(self, data):
        """Adds appended data."""
        if not self.block:
            return [self.words(len(data)) + data]
        parts = [zlib.compress(data[at:at + self.block]) for at in range(0, len(data), self.block)]
        return [self.words(len(parts), self.block, len(data) % self.block, *map(len, parts)), b"".join(parts)]

    def array(self, name, values):
        kind = values.dtype.str[1:]
        tag = f'<DataArray type="{VTK[kind]}" Name="{name}" NumberOfComponents="{1 if values.ndim == 1 else values.shape[1]}" format="{self.form}"'
        key = '<InformationKey name="L2_NORM_RANGE" location="vtkDataArray" length="2">\n<Value index="0">\n0\n</Value>\n</InformationKey>\n'
        if self.form == "ascii":
            return f"{tag}>\n  {' '.join(repr(each.item()) for each in values.ravel())}\n  {key}</DataArray>\n"
        parts = self.parts(values.astype(self.order + kind).tobytes())
        if self.form == "binary":
            return f"{tag}>\n   {b''.join(map(base64.b64encode, parts)).decode()}\n{key}</DataArray>\n"
        offset = len(self.appended)
        self.appended += b"".join(map(base64.b64encode, parts) if self.encoding == "base64" else parts)
        return f'{tag} RangeMin="0" offset="{offset}"/>\n'

    def piece(self, points, **arrays):
        return (f'<Piece NumberOfPoints="{len(points)}" NumberOfVerts="0" NumberOfLines="0">\n<PointData Scalars="mass">\n'
                + "".join(self.array(name, values) for name, values in arrays.items()) + "</PointData>\n<CellData/>\n<Points>\n"
                + self.array("Points", points) + "</Points>\n<Verts>\n" + self.array("offsets", np.zeros(1, "i8")) + "</Verts>\n</Piece>\n")

    def file(self, *pieces, more=""):
        header = f' header_type="{VTK["u4" if self.word == "I" else "u8"]}"' if self.word == "Q" else ""
        compressor = ' compressor="vtkZLibDataCompressor"' if self.block else ""
        order = "LittleEndian" if self.order == "<" else "BigEndian"
        text = (f'<?xml version="1.0"?>\n<!-- a > b -->\n<VTKFile type="PolyData" version="0.1" byte_order="{order}"{header}{compressor}>\n<PolyData>\n'
                f"{more}{''.join(pieces)}</PolyData>\n").encode()
        if self.form == "appended":
            text += f'<AppendedData encoding="{self.encoding}">\n   _'.encode() + self.appended + b"\n</AppendedData>\n"
        return text + b"</VTKFile>\n"


def vtp(*form, points=POSITIONS.astype("f4"), **how):
    writer = Vtp(*form, **how)
    return writer.file(writer.piece(points, velocity=VELOCITIES, mass=MASSES.astype("f4"), id=np.arange(5, dtype="i4")))


SAID = "7 of 8 columns read (not id)"


class VtkPoints(BodyFiles):
    def test_each_encoding_is_read(self):
        for form, encoding in (("ascii", "raw"), ("binary", "raw"), ("appended", "raw"), ("appended", "base64")):
            for order, word, block in itertools.product("<>", "IQ", (0, 32, 1 << 16)):
                self.same("own.vtp", vtp(form, order, word, block, encoding), said=SAID)

    def test_every_type_of_number_is_read(self):
        whole = np.round(POSITIONS * 4).astype("i2")
        expected = PLACES.copy()
        expected[:, 1:4] = whole
        for kind in VTK:
            numbers = np.abs(whole) if kind[0] == "u" else whole
            expected[:, 1:4] = numbers
            for form in ("ascii", "binary"):
                writer = Vtp(form)
                self.same("kind.vtp", writer.file(writer.piece(numbers.astype(kind))), expected,
                          "3 of 3 columns read; mass missing: 1 each; velocities missing: 0 each")

    def test_pieces_are_joined(self):
        for form in ("ascii", "binary", "appended"):
            writer = Vtp(form, block=24)
            parts = [writer.piece(POSITIONS[part], velocity=VELOCITIES[part], mass=MASSES[part]) for part in (slice(0, 2), slice(0, 0), slice(2, 5))]
            self.same("pieces.vtp", writer.file(*parts))
        writer = Vtp("ascii")
        self.refused("other.vtp", writer.file(writer.piece(POSITIONS[:2], mass=MASSES[:2]), writer.piece(POSITIONS[2:])),
                     r'other\.vtp, the array "mass": a piece has no such array')

    def test_only_points_are_places(self):
        writer = Vtp("binary")
        self.same("named.vtp", writer.file(writer.piece(POSITIONS, x=np.zeros(5), Velocity=VELOCITIES, Masses=MASSES, coords=np.zeros((5, 3)))),
                  said="7 of 9 columns read (not another x, coords)")

    def test_hostile_files_are_refused(self):
        whole = vtp("appended", block=32)
        for length in (0, 10, 60, 200, whole.index(b"<AppendedData"), whole.index(b"_") + 1, whole.index(b"   _") + 4, whole.index(b"   _") + 70):
            self.refused("cut.vtp", whole[:length], r"cut\.vtp")
        text = vtp("ascii")
        for old, new, pattern in (
                (b"PolyData\" v", b"ImageData\" v", r'a\.vtp:3:1: type: expected PolyData, got "ImageData"'),
                (b"LittleEndian", b"PDP", r'a\.vtp:3:1: byte_order: expected LittleEndian or BigEndian, got "PDP"'),
                (b"NumberOfPoints=\"5\"", b"NumberOfPoints=\"99999999999\"", r"a\.vtp:5:1: NumberOfPoints: expected a whole number from 0 to 67108864"),
                (b"NumberOfPoints=\"5\"", b"NumberOfPoints=\"6\"", r'the array "position": the number of values of the array: expected 18, got "15"'),
                (b"NumberOfPoints=\"5\"", b"NumberOfPoints=\"60000000\"", r"the number of values of the array: expected 180000000"),
                (b"NumberOfPoints=\"5\"", b"", r"a\.vtp:5:1: NumberOfPoints"),
                (b"-0.75", b"-0.75x", r'a\.vtp, the array "position": value 11 of the array: expected a number, got "-0\.75x"'),
                (b"-0.75", b"nan", r"a\.vtp:4:2: position_y: expected a finite number"),
                (b"Name=\"Points\" NumberOfComponents=\"3\"", b"Name=\"Points\" NumberOfComponents=\"2\"", r"a\.vtp:\d+:1: the array of the points"),
                (b"<Points>", b"<Point>", "5 points has no array in <Points>"),
                (b"</VTKFile>", b"", "the text ends too early"),
                (b"<CellData/>", b"<CellData", r"a\.vtp:\d+:\d+: an attribute: expected name=\"value\"")):
            self.assertIn(old, text)
            self.refused("a.vtp", text.replace(old, new), pattern)
        self.refused("lz4.vtp", whole.replace(b"vtkZLib", b"vtkLZ4"), r'lz4\.vtp:3:1: compressor: expected vtkZLibDataCompressor, got "vtkLZ4DataCompressor"')
        self.refused("base64.vtp", vtp("binary").replace(b"AAA", b"A*A"), r'base64\.vtp, the array ".*": a letter of base64: .*got "\*"')
        for offset in (b"99999", b"999999999999999999", b"-1", b"x"):
            self.refused("offset.vtp", vtp("appended").replace(b'offset="0"', b'offset="' + offset + b'"'), r"offset\.vtp")
        start = whole.index(b"   _") + 4
        for word, value in itertools.product(range(4), (0, 1, 5, 31, 0x7FFFFFFF, 0xFFFFFFFF)):
            bad = bytearray(whole)
            struct.pack_into("<I", bad, start + 4 * word, value)
            self.refused("words.vtp", bytes(bad), r'words\.vtp, the array "velocity"')
        bad = whole[:start + 44] + b"\0\0" + whole[start + 46:]
        self.refused("zlib.vtp", bad, r'zlib\.vtp, the array "velocity": a compressed part')


WORLD = '''[[kind]]
name = "Na"
[[kind]]
name = "Cl"
[[fill]]
shape = "file"
file = "{}"
'''


class Worlds(BodyFiles):
    """The same files as particles of a world."""

    def particles(self, name, content):
        (self.folder / name).write_bytes(content)
        (self.folder / "world.toml").write_text(WORLD.format(name))
        return subprocess.run([BINARY, "particles", "world.toml", "--steps", "0", "--out", "out.npy"], cwd=self.folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL)

    def check(self, name, content):
        done = self.particles(name, content)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = np.load(self.folder / "out.npy")
        for column, expected in zip(["mass", "x", "y", "z", "vx", "vy", "vz"], BODIES.T):
            np.testing.assert_array_equal(found[column], expected, column)
        np.testing.assert_array_equal(found["charge"], [1, -1, 1, -1, 1])
        np.testing.assert_array_equal(found["kind"], ["Na", "Cl", "Na", "Cl", "Na"])
        np.testing.assert_array_equal(found["heat"], np.arange(5))

    def test_particles_are_read_from_gsd_and_vtp(self):
        charges, kinds, heat = np.array([1, -1, 1, -1, 1], "f4"), np.array([0, 1, 0, 1, 0]), np.arange(5.0)
        blocks = {**BLOCKS, "particles/charge": charges, "particles/typeid": kinds.astype("u4"), "log/particles/heat": heat,
                  "particles/types": np.frombuffer(b"Na\0Cl\0", "i1").reshape(2, 3), "particles/image": np.ones((5, 3), "i4")}
        self.check("salt.gsd", gsd(blocks))
        writer = Vtp("binary", block=64)
        piece = writer.piece(POSITIONS, velocity=VELOCITIES, mass=MASSES, charge=charges, kind=kinds.astype("i4"), heat=heat,
                             **{"a name with blanks": heat, "x": heat})
        self.check("salt.vtp", writer.file(piece, more="<!-- kind 0: Na -->\n<!-- kind 1: Cl -->\n"))
        for name, out in (("again.gsd", "salt.gsd"), ("again.vtp", "salt.vtp")):  # reads its own output
            done = subprocess.run([BINARY, "particles", "world.toml", "--steps", "0", "--out", name], cwd=self.folder, text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.check(out, (self.folder / name).read_bytes())
        done = self.particles("none.gsd", gsd({**blocks, "particles/types": np.frombuffer(b"K\0", "i1").reshape(1, 2)}))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r'the kind: expected Na \| Cl, got "K"')


class OtherWriters(BodyFiles):
    def test_files_of_the_package_gsd_are_read(self):
        try:
            import gsd.hoomd
        except ImportError:
            self.skipTest("the package gsd is not installed")
        with gsd.hoomd.open(self.folder / "run.gsd", "w") as file:
            for k in range(3):
                frame = gsd.hoomd.Frame()
                frame.configuration.step, frame.configuration.box = k, [20, 20, 20, 0, 0, 0]
                frame.particles.N, frame.particles.mass = 5, MASSES
                frame.particles.position, frame.particles.velocity = POSITIONS + k - 2, VELOCITIES
                frame.log["particles/net_force"], frame.log["energy"] = np.zeros((5, 3)), [1.0]
                file.append(frame)
        self.same("run.gsd", (self.folder / "run.gsd").read_bytes(), said="7 of 8 columns read (not net_force)")

    def test_files_of_the_package_vtk_are_read(self):
        try:
            import vtk
            from vtk.util.numpy_support import numpy_to_vtk
        except ImportError:
            self.skipTest("the package vtk is not installed")
        points, data = vtk.vtkPoints(), vtk.vtkPolyData()
        points.SetData(numpy_to_vtk(POSITIONS.astype("f4"), deep=True))
        data.SetPoints(points)
        for name, values in (("velocity", VELOCITIES), ("mass", MASSES), ("id", np.arange(5))):
            array = numpy_to_vtk(values, deep=True)
            array.SetName(name)
            data.GetPointData().AddArray(array)
        writer = vtk.vtkXMLPolyDataWriter()
        writer.SetFileName(str(self.folder / "own.vtp"))
        writer.SetInputData(data)
        for mode, word, order, compressor, encoded in itertools.product((0, 1, 2), (32, 64), (0, 1), (0, 1), (0, 1)):
            writer.SetDataMode(mode)
            writer.SetHeaderType(word)
            writer.SetByteOrder(order)
            writer.SetCompressorType(compressor and vtk.vtkXMLWriter.ZLIB)
            writer.SetEncodeAppendedData(encoded)
            writer.SetBlockSize(40)
            self.assertEqual(writer.Write(), 1)
            self.same("own.vtp", (self.folder / "own.vtp").read_bytes(), said=SAID)


if __name__ == "__main__":
    unittest.main()
