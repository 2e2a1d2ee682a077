#!/usr/bin/env python3
"""Bodies in files of other programs are read correctly or refused with the place, never silently changed.

usage: body_files_test.py PATH-TO-ORRERY [unittest arguments]

Each file is written here, by NumPy or as text, and read by `nbody --steps 0`, whose bodies are compared bit by bit.
"""
import io
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy as np

BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
OWN = "mass,x,y,z,vx,vy,vz"

# Halves and quarters are exact in every type with fractions.
BODIES = np.array([[1.5, 0.25, -2, 0.5, 0, 0.25, -0.5], [2, 1, 0.5, -1, 0.25, 0, 0.125], [0.5, -1, 1, 2, -0.25, 0.5, 0],
                   [3, 2.5, -0.75, 0, 0.5, -0.25, 0.25], [0.25, -3, 4, 1, 0, 0, 1]])
POSITIONS, VELOCITIES = BODIES[:, 1:4], BODIES[:, 4:7]
WITHOUT_MASS, AT_REST, PLACES = BODIES.copy(), BODIES.copy(), BODIES.copy()
WITHOUT_MASS[:, 0] = 1
AT_REST[:, 4:] = 0
PLACES[:, 0], PLACES[:, 4:] = 1, 0
FLAT = BODIES.copy()
FLAT[:, [3, 6]] = 0


def text(rows=BODIES, header=OWN.split(","), separator=",", decimal=".", end="\n", pattern="{!r}"):
    lines = [separator.join(header)] if header else []
    lines += [separator.join(pattern.format(float(value)).replace(".", decimal) for value in row) for row in rows]
    return "".join(line + end for line in lines)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def npz(save=np.savez, **arrays):
    stream = io.BytesIO()
    save(stream, **arrays)
    return stream.getvalue()


def structured(fields, **columns):
    array = np.zeros(len(BODIES), dtype=fields)
    for name, values in columns.items():
        array[name] = values
    return array


class BodyFiles(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_on(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        out = self.folder / "out.npy"
        out.unlink(missing_ok=True)
        done = subprocess.run([BINARY, "nbody", "--initial", name, "--steps", "0", "--precision", "double", "--softening", "0.05", "--out", "out.npy"],
                              cwd=self.folder, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        return done, out

    def same(self, name, content, bodies=BODIES, said=""):
        """`said`: the line on standard error, without the file's name."""
        done, out = self.run_on(name, content)
        self.assertEqual(done.returncode, 0, done.stderr)
        np.testing.assert_array_equal(np.load(out), bodies)
        self.assertEqual(done.stderr, said and f"orrery: warning: {name}: {said}\n")

    def refused(self, name, content, *patterns):
        done, out = self.run_on(name, content)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse(out.exists())
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for pattern in patterns:
            self.assertRegex(done.stderr, pattern)


class Texts(BodyFiles):
    def test_own_files_are_read_without_a_message(self):
        self.same("own.csv", text())
        self.same("dos.csv", b"\xef\xbb\xbf" + text(end="\r\n").encode())
        self.same("mac.csv", text(end="\r"))
        self.same("quoted.csv", text(pattern='"{!r}"', header=[f'"{name}"' for name in OWN.split(",")]))
        self.same("blank.csv", "\n\n" + text(end="\n\n").replace("\n\n", "\n \t\n\n") + "\n\n")
        for mark in ("#", "%", "//", "  # "):
            self.same("comments.csv", f"{mark} of a program\n" + text().replace("\n", f"\n{mark} more\n"))
        self.same("end.csv", text()[:-1])

    def test_a_spreadsheet_with_decimal_commas_is_read(self):
        header = ["Masse", "X", "Y", "Z", "VX", "VY", "VZ"]
        said = "7 of 7 columns read; decimal comma"
        german = text(header=header, separator=";", decimal=",")
        self.same("german.csv", german, said=said)
        self.same("bom.csv", "\ufeff" + german.replace("\n", "\r\n"), said=said)
        self.same("tabs.txt", ("\ufeff" + text(header=header, separator="\t", decimal=",", end="\r\n")).encode("utf-16-le"), said=said)
        self.same("big.tsv", ("\ufeff" + text(header=header, separator="\t", decimal=",")).encode("utf-16-be"), said=said)
        self.same("sep.csv", "sep=;\r\n" + german, said=said)
        self.same("quoted.csv", text(header=header, pattern='"{!r}"', decimal=","), said=said)
        self.same("upper.CSV", german, said=said)
        self.same("empty-rows.csv", ";;;;;;\n" + german + ";;;;;;\n;;;;;;\n", said=said)

    def test_separators_are_recognised(self):
        self.same("semicolons.csv", text(separator=";"))
        self.same("tabs.tsv", text(separator="\t"))
        self.same("blanks.txt", text(separator="   "))
        self.same("columns.dat", text(separator=" ", pattern="{:12.5f}"))
        self.same("bars.txt", text(separator=" | "))
        self.same("spaced.csv", text(separator=" , "))

    def test_columns_are_recognised_by_name_in_any_order(self):
        order = [4, 0, 6, 2, 3, 5, 1]
        names = ["mass", "x", "y", "z", "vx", "vy", "vz"]
        shuffled = text(BODIES[:, order], [names[i] for i in order])
        self.same("order.csv", shuffled, said="7 of 7 columns read")
        for other in (["m", "x", "y", "z", "v_x", "v_y", "v_z"], ["M", "Pos_X", "Pos_Y", "Pos_Z", "Vel_X", "Vel_Y", "Vel_Z"],
                      ["masses", "x_pos", "y_pos", "z_pos", "vel x", "vel y", "vel z"],
                      ["m", "position.x", "position.y", "position.z", "velocity.x", "velocity.y", "velocity.z"],
                      ["mass", "pos[0]", "pos[1]", "pos[2]", "v[0]", "v[1]", "v[2]"]):
            self.same("names.csv", text(header=other), said="7 of 7 columns read")

    def test_units_are_reported(self):
        metres = ["Masse [kg]", "X [m]", "Y [m]", "Z [m]", "VX [m/s]", "VY [m/s]", "VZ [m/s]"]
        self.same("metres.csv", text(header=metres), said="7 of 7 columns read; units (kg, m, m/s) not converted: G is 1")
        suns = ["m (Msun)", "x", "y", "z", "v(x)", "v(y)", "v(z)"]
        self.same("suns.csv", text(header=suns), said="7 of 7 columns read; units (Msun) not converted: G is 1")

    def test_extra_columns_are_named(self):
        rows = [[i, *row, 9] for i, row in enumerate(BODIES)]
        self.same("extra.csv", text(rows, ["id", *OWN.split(","), "energy"]), said="7 of 9 columns read (not id, energy)")
        lines = text().splitlines()
        words = "\n".join([lines[0] + ",name"] + [line + ',"a, ""b"" and c"' for line in lines[1:]])
        self.same("words.csv", words, said="7 of 8 columns read (not name)")
        self.same("index.csv", "\n".join([("" if i == 0 else str(i)) + "," + line for i, line in enumerate(lines)]),
                  said="7 of 8 columns read")

    def test_missing_columns_are_reported(self):
        self.same("places.csv", text(POSITIONS, "xyz"), PLACES, "3 of 3 columns read; mass missing: 1 each; velocities missing: 0 each")
        self.same("massless.csv", text(BODIES[:, 1:], OWN.split(",")[1:]), WITHOUT_MASS, "6 of 6 columns read; mass missing: 1 each")
        self.same("rest.csv", text(BODIES[:, :4], ["m", "x", "y", "z"]), AT_REST, "4 of 4 columns read; velocities missing: 0 each")
        self.same("flat.csv", text(BODIES[:, [0, 1, 2, 4, 5]], ["m", "x", "y", "vx", "vy"]), FLAT, "5 of 5 columns read; z, vz missing: 0 each")
        self.refused("misspelt.csv", text(header=["mass", "x", "y", "z", "vx", "vy", "vs"]), r"misspelt\.csv:1:1: ", "vs", OWN)
        self.refused("no-y.csv", text(BODIES[:, :2], ["mass", "x"]), r"no-y\.csv:1:1: ", "x, y")
        self.refused("twice.csv", text(header=["mass", "x", "pos_x", "y", "z", "vx", "vy"]), r'twice\.csv:1:1: .*"x" and "pos_x"')

    def test_files_without_a_header_are_read_by_their_columns(self):
        self.same("seven.csv", text(header=[]), said=f"no header: read as {OWN}")
        self.same("seven.dat", text(header=[], separator=" "), said=f"no header: read as {OWN}")
        self.same("seven-german.csv", text(header=[], separator=";", decimal=","), said=f"no header: read as {OWN}; decimal comma")
        for count in (1, 2, 3, 4, 5, 6, 8):
            rows = np.hstack([BODIES, BODIES])[:, :count]
            self.refused("count.csv", text(rows, []), r"count\.csv:1:1: ", "columns named x, y", OWN)
        stream = io.StringIO()
        np.savetxt(stream, BODIES[:, [1, 2, 3, 4, 5, 6, 0]], header="x y z vx vy vz m")
        self.same("savetxt.txt", stream.getvalue(), said="7 of 7 columns read")

    def test_numbers_are_read_as_programs_write_them(self):
        fortran = text().replace(",0.25,", ",2.5D-01,").replace(",-0.5\n", ",-5.d-1\n")
        self.assertIn("D-01", fortran)
        self.same("fortran.csv", fortran)
        self.same("minus.csv", text().replace("-", "\u2212"))
        self.same("plus.csv", re.sub(r",(\d)", r",+\1", text()))

    def test_grouped_digits_are_read_only_if_proved(self):
        big = BODIES.copy()
        big[:, 1] = [1234.5, 1234567, 2000, -12345.25, 1234]
        said = "7 of 7 columns read; decimal comma, grouped digits"
        names = ["m", "x", "y", "z", "vx", "vy", "vz"]

        def written(thousands, decimal):
            def one(value):
                plain = f"{value:,.4f}".rstrip("0").rstrip(".")
                return plain.translate(str.maketrans({",": thousands, ".": decimal}))
            return "\n".join([";".join(names)] + [";".join(one(float(v)) for v in row) for row in big]) + "\n"

        self.same("german.csv", written(".", ","), big, said)
        self.same("english.csv", written(",", "."), big, "7 of 7 columns read; grouped digits")
        for mark in ("\u00a0", "\u202f", "'", "\u2019"):
            self.same("mark.csv", written(mark, ","), big, "7 of 7 columns read; decimal comma")
            self.same("mark.csv", written(mark, "."), big, "7 of 7 columns read")
        # The last number of the file decides the meaning of the first one.
        late = "m;x;y;z;vx;vy;vz\n1,234;1;1;1;1;1;1\n1;1;1;1;1;1;0,5\n"
        self.same("late.csv", late, [[1.234, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 0.5]], "7 of 7 columns read; decimal comma")
        late = "m;x;y;z;vx;vy;vz\n1.234;1;1;1;1;1;1\n1;1;1;1;1;1;1.234,5\n"
        self.same("late.csv", late, [[1234, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1234.5]], said)

    def test_ambiguous_numbers_are_refused_with_both_meanings(self):
        ones = "1;1;1;1;1;1;1\n"
        both = '"1[,.]234" has two meanings, (1234 and 1.234|1.234 and 1234)'
        self.refused("comma.csv", f"{OWN.replace(',', ';')}\n{ones}1;1;1,234;1;1;1;1\n", r"comma\.csv:3:5: y: ", both)
        self.refused("point.csv", f"{OWN.replace(',', ';')}\n{ones}1;1;1.234;1;1;1;1\n", r"point\.csv:3:5: y: ", both)
        self.refused("quoted.csv", f'{OWN}\n1,1,"1,234",1,1,1,1\n', r"quoted\.csv:2:5: y: ", both)
        # The file proves the decimal point, but not that commas group digits.
        self.refused("half.csv", f"{OWN.replace(',', ';')}\n1,234;1;1;1;1;1;0.5\n", r"half\.csv:2:1: mass: ", both)
        self.refused("mixed.csv", f"{OWN.replace(',', ';')}\n1,5;1;1;1;1;1;1\n1;1;1;1;1;2.5;1\n", r"mixed\.csv:3:11: vy: ", "decimal comma", '"1,5" in line 2')
        self.refused("mixed.tsv", f"{OWN}\n1\t1\t1\t1\t1\t1\t1\n".replace(",", "\t") + "1\t1,5\t1\t1\t1\t1\t1.5\n", r"mixed\.tsv:3:\d+: vz: ")
        self.refused("unquoted.csv", text(decimal=","), r"unquoted\.csv:2:", "14 values|13 values|12 values", "decimal commas")

    def test_errors_name_their_place(self):
        self.refused("word.csv", "id;x;y;m\nä;1;2;3\nö;1;zwei;3\n", r'word\.csv:3:5: y: expected a finite number, got "zwei"')
        for bad in ("nan", "inf", "-inf", "", "1e999", "1.2.3", "1,2,3", "0x10", "1 2", "--1"):
            self.refused("bad.csv", f"m;x;y\n1;1;1\n1;{bad};1\n", r"bad\.csv:3:3: x: expected a finite number, got")
        self.refused("negative.csv", "x;y;Masse\n1;1;1\n1;1;-0,5\n", r'negative\.csv:3:5: Masse: expected a finite number of 0 or more, got "-0,5"')
        self.refused("short.csv", "m,x,y\n1,1,1\n1,1\n", r"short\.csv:3:3: a row with 2 values: expected 3 values, m,x,y")
        for cell in ('"1', '"', '"1""', '"1"2'):
            self.refused("quote.csv", f"m,x,y\n1,{cell},1\n", r"quote\.csv:2:3: a quote")
            self.refused("quote.csv", f"m,x,y\n{cell},1,1\n", r"quote\.csv:2:1: a quote")
        self.refused("prose.txt", "Dear reader,\nthese are no bodies.\n", r"prose\.txt:1:1: ", OWN)
        self.refused("none.csv", "m,x,y\n", "no bodies")
        self.refused("empty.csv", "", "no bodies")
        self.refused("utf16.csv", text().encode("utf-16-le"), "not a text")
        self.refused("bytes.csv", bytes(range(256)) * 9, r"bytes\.csv")
        self.refused("long.csv", "x" * (1 << 20), r"long\.csv:1:1: ")


class Arrays(BodyFiles):
    def test_own_arrays_are_read_without_a_message(self):
        self.same("own.npy", npy(BODIES))

    def test_every_type_of_number_is_read(self):
        said = f"no header: read as {OWN}"
        for order in "<>":
            for kind in ("f2", "f4", "f8"):
                self.same("float.npy", npy(BODIES.astype(order + kind)), said="" if order + kind == "<f8" else said)
            for kind in ("i2", "i4", "i8", "u2", "u4", "u8"):
                whole = np.abs(BODIES * 8).astype(order + kind)
                self.same("whole.npy", npy(whole), whole.astype(float), said)
        for kind in ("i1", "u1"):
            whole = np.abs(BODIES * 8).astype(kind)
            self.same("bytes.npy", npy(whole), whole.astype(float), said)
        signed = (BODIES * 8).astype("i1")
        self.same("signed.npy", npy(signed), signed.astype(float), said)
        tiny = np.tile(np.array([6e-8, 65504, 0.1, -1e-5, 0, -0.0, 1 / 3], dtype="f2"), (5, 1))
        self.same("half.npy", npy(tiny), tiny.astype(float), said)

    def test_arrays_of_known_shapes_are_read_in_both_orders(self):
        for order in "CF":
            self.same("places.npy", npy(np.array(POSITIONS, order=order)), PLACES,
                      "no names: 3 columns read as x,y,z; mass missing: 1 each; velocities missing: 0 each")
            self.same("rest.npy", npy(np.array(BODIES[:, :4], order=order)), AT_REST,
                      "no names: 4 columns read as mass,x,y,z; velocities missing: 0 each")
            self.same("massless.npy", npy(np.array(BODIES[:, 1:], order=order)), WITHOUT_MASS,
                      "no names: 6 columns read as x,y,z,vx,vy,vz; mass missing: 1 each")
        self.same("columns.npy", npy(np.asfortranarray(BODIES)), said=f"no header: read as {OWN}")
        seven = np.vstack([BODIES, BODIES[:2] + 0.5])
        for order, said in (("C", ""), ("F", f"no header: read as {OWN}")):
            self.same("square.npy", npy(np.array(seven, order=order)), seven, said)

    def test_arrays_are_never_silently_transposed(self):
        for order in "CF":
            for array in (BODIES.T, POSITIONS.T, BODIES[:, 1:].T, BODIES[:, :4].T):
                self.refused("transposed.npy", npy(np.array(array, order=order)), "looks transposed", "N x 7", "array.T")
            self.refused("either.npy", npy(np.array(BODIES[:3, 1:], order=order)), r'"3 x 6"', "3 bodies or, transposed, 6 bodies")
            self.refused("three.npy", npy(np.array(BODIES[:3].T, order=order)), r'"7 x 3"', "transposed")
        self.refused("column.npy", npy(BODIES[:, 0]), "N x 7")
        self.refused("cube.npy", npy(np.zeros((5, 7, 1))), "N x 7")
        self.refused("scalar.npy", npy(np.float64(3)), "N x 7")
        self.refused("eight.npy", npy(np.zeros((5, 8))), r'"5 x 8"')
        self.refused("none.npy", npy(np.zeros((0, 7))), "no bodies")

    def test_structured_arrays_are_read(self):
        names = OWN.split(",")
        columns = dict(zip(names, BODIES.T))
        self.same("own.npy", npy(structured([(name, "<f8") for name in names], **columns)))
        self.same("mixed.npy", npy(structured([("vz", ">f4"), ("id", "<i8"), ("mass", "<f2"), ("x", "<f4"), ("name", "S5"), ("y", "f8"),
                                               ("z", "f8"), ("vx", "f8"), ("vy", "f8")], **columns)),
                  said="7 of 9 columns read (not id, name)")
        vectors = structured([("id", "u4"), ("pos", "<f4", (3,)), ("vel", ">f8", (3,)), ("m", "f4")], pos=POSITIONS, vel=VELOCITIES,
                             m=BODIES[:, 0])
        self.same("vectors.npy", npy(vectors), said="7 of 8 columns read (not id)")
        self.same("aligned.npy", npy(vectors.astype(np.dtype(vectors.dtype.descr, align=True))), said="7 of 8 columns read (not id)")
        self.same("short.npy", npy(structured([("x", "f8", (3,)), ("v", "f8", (3,))], x=POSITIONS, v=VELOCITIES)), WITHOUT_MASS,
                  "6 of 6 columns read; mass missing: 1 each")
        self.refused("nested.npy", npy(structured([("body", [("x", "f8"), ("y", "f8")])])), "fields of its own")
        self.refused("object.npy", npy(np.array([{}, 1], dtype=object)), "fixed size")
        self.refused("flag.npy", npy(structured([("x", "f8"), ("y", "f8"), ("mass", "?")])), 'the type of "mass"')

    def test_values_that_are_not_real_numbers_are_refused(self):
        for array in (BODIES.astype(bool), BODIES.astype(complex), BODIES.astype("S8"), BODIES.astype("longdouble"), BODIES.astype("U8")):
            self.refused("type.npy", npy(array), r"type\.npy: the type of .mass.: expected integers or floating-point numbers")
        for bad in (np.nan, np.inf, -np.inf):
            wrong = BODIES.astype("f4")
            wrong[3, 2] = bad
            self.refused("bad.npy", npy(wrong), r"bad\.npy:4:3: y: expected a finite number")
            self.refused("bad.npy", npy(np.asfortranarray(wrong)), r"bad\.npy:4:3: y: expected a finite number")
        wrong = BODIES.copy()
        wrong[1, 0] = -1
        self.refused("negative.npy", npy(wrong), r'negative\.npy:2:1: mass: expected a finite number of 0 or more, got "-1"')

    def test_hostile_bytes_are_refused(self):
        whole = npy(BODIES.astype("f4"))
        for length in (0, 5, 11, 50, 127, 128, len(whole) - 1):
            self.refused("cut.npy", whole[:length], r"cut\.npy")
        self.refused("more.npy", whole + b"\0", r"more\.npy")
        for shape in ("(4611686018427387904, 7)", "(99999999999999999999, 7)", "(4294967296, 4294967296)", "(-1, 7)", "(1000000000000, 3)"):
            header = "{'descr': '<f4', 'fortran_order': True, 'shape': %s, }\n" % shape
            self.refused("huge.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + bytes(28), r"huge\.npy")


def xyz(rows=BODIES, properties="species:S:1:pos:R:3:velo:R:3:masses:R:1", name="X", end="\n"):
    columns = [[name, *map(repr, map(float, [*row[1:7], row[0]]))] for row in rows]
    return end.join([str(len(rows)), f'pbc="F F F" Properties={properties} Time=1', *map(" ".join, columns)]) + end


def ply(form, rows=BODIES, kind="double", names=OWN.split(","), before="", after=b""):
    order = ">" if "big" in form else "<"
    header = f"ply\nformat {form} 1.0\ncomment by a test\n{before}element vertex {len(rows)}\n"
    header += "".join(f"property {kind} {name}\n" for name in names) + "element face 0\nproperty list uchar int vertex_indices\nend_header\n"
    if form == "ascii":
        return (header + "".join(" ".join(map(repr, map(float, row))) + "\n" for row in rows)).encode()
    return header.encode() + rows.astype(order + {"double": "f8", "float": "f4", "short": "i2"}[kind]).tobytes() + after


class Points(BodyFiles):
    """Extended XYZ, and PLY."""
    def test_xyz_files_are_read(self):
        said = "7 of 8 columns read (not species)"
        self.same("own.xyz", xyz(), said=said)
        self.same("dos.xyz", xyz(end="\r\n"), said=said)
        self.same("frames.xyz", xyz() + xyz(2 * BODIES[:2]), said=said)
        self.same("end.xyz", xyz()[:-1], said=said)
        self.same("numbers.xyz", xyz(properties="Z:I:1:pos:R:3:velo:R:3:masses:R:1", name="18"), said="7 of 8 columns read (not atomic_number)")
        plain = "5\nplaces of stars\n" + "".join("Ar {} {} {}\n".format(*row) for row in POSITIONS)
        self.same("plain.xyz", plain, PLACES, "3 of 4 columns read (not species); mass missing: 1 each; velocities missing: 0 each")

    def test_hostile_xyz_files_are_refused(self):
        for count in ("0", "-5", "five", "", "1e3", "99999999999999999999"):
            self.refused("count.xyz", xyz().replace("5\n", count + "\n", 1), r"count\.xyz:1:1: the number of points: .*a whole number of 1 or more")
        self.refused("many.xyz", xyz().replace("5\n", "99999999999\n", 1), "at most 67108864")
        self.refused("few.xyz", xyz().replace("5\n", "60000000\n", 1), r'few\.xyz: the number of rows: expected 60000000, got "5"')
        self.refused("cut.xyz", xyz()[:-20], r"cut\.xyz:7:12: a row with \d values: expected 8")
        self.refused("nan.xyz", xyz().replace("-0.75", "nan"), r'nan\.xyz:6:7: pos_y: expected a finite number, got "nan"')
        self.refused("none.xyz", "5\nProperties=species:S:1\nX\n", "none.xyz:2:1")
        for properties in ("species:S", "species:S:0", "pos:R:99999", ":R:3", "pos:R:x"):
            self.refused("properties.xyz", xyz(properties=properties), r"properties\.xyz:2:1: Properties: expected NAME:TYPE:COUNT")
        for text in ("5", "5\n", "5\nname\n"):
            self.refused("ends.xyz", text, r"ends\.xyz")

    def test_ply_files_are_read(self):
        for form in ("ascii", "binary_little_endian", "binary_big_endian"):
            self.same("own.ply", ply(form))
            self.same("places.ply", ply(form, POSITIONS, names="xyz"), PLACES, "3 of 3 columns read; mass missing: 1 each; velocities missing: 0 each")
        self.same("float.ply", ply("binary_big_endian", kind="float"))
        self.same("faces.ply", ply("binary_little_endian", after=bytes(99)))
        self.same("colours.ply", ply("ascii", np.hstack([BODIES, BODIES[:, :2]]), names=OWN.split(",") + ["red", "nx"]), said="7 of 9 columns read (not red, nx)")

    def test_hostile_ply_files_are_refused(self):
        whole = ply("binary_little_endian")
        for length in (0, 3, 30, whole.index(b"end_header"), whole.index(b"end_header") + 11, len(whole) - 1):
            self.refused("cut.ply", whole[:length], r"cut\.ply")
        for count in (b"99999999999999999999", b"-1", b"4611686018427387904", b"x", b"0"):
            self.refused("count.ply", whole.replace(b"vertex 5", b"vertex " + count), r"count\.ply")
        self.refused("nan.ply", ply("binary_little_endian", BODIES * [1, 1, np.nan, 1, 1, 1, 1]), r"nan\.ply:1:3: y: expected a finite number")
        self.refused("list.ply", whole.replace(b"property double vx", b"property list uchar int vx"), r"list\.ply:9:1: a property of vertices")
        self.refused("order.ply", ply("ascii", before="element face 3\nproperty list uchar int i\n"), r"order\.ply:4:1: elements before the vertices")
        self.refused("bare.ply", ply("ascii", names=[]), r"bare\.ply:7:1: vertices without properties")
        self.refused("form.ply", whole.replace(b"binary_little_endian", b"zip"), r"form\.ply:2:1: the format")


class Archives(BodyFiles):
    def test_arrays_are_recognised_by_their_names(self):
        for save in (np.savez, np.savez_compressed):
            self.same("vectors.npz", npz(save, pos=POSITIONS, vel=VELOCITIES, mass=BODIES[:, 0].astype("f4")), said="7 of 7 columns read")
            self.same("fortran.npz", npz(save, positions=np.asfortranarray(POSITIONS), velocities=VELOCITIES.astype(">f4"), m=BODIES[:, :1]),
                      said="7 of 7 columns read")
            self.same("columns.npz", npz(save, **dict(zip(OWN.split(","), BODIES.T)), time=np.float64(3), words=np.array(["a"])),
                      said="7 of 9 columns read (not time, words)")
            self.same("one.npz", npz(save, bodies=BODIES))
            self.same("places.npz", npz(save, x=POSITIONS), PLACES, "3 of 3 columns read; mass missing: 1 each; velocities missing: 0 each")

    def test_arrays_that_do_not_fit_are_refused(self):
        self.refused("rows.npz", npz(pos=POSITIONS, mass=BODIES[:4, 0]), r'rows\.npz: the rows of the array "mass": expected 5, as in "pos", got "4"')
        self.refused("transposed.npz", npz(pos=POSITIONS.T, mass=BODIES[:, 0]), "transposed")
        self.refused("unknown.npz", npz(a=BODIES, b=BODIES), r"unknown\.npz: the arrays of the archive: expected arrays named pos", '"a, b"')
        self.refused("nan.npz", npz(pos=POSITIONS * np.nan), r"nan\.npz:1:1: pos_x")
        self.refused("scalar.npz", npz(pos=POSITIONS, mass=np.float64(1)), '"mass"')
        self.refused("complex.npz", npz(pos=POSITIONS.astype(complex)), "the type of")
        self.refused("empty.npz", b"PK\5\6" + bytes(18), r"empty\.npz")

    def test_hostile_bytes_are_refused(self):
        whole = npz(np.savez_compressed, pos=np.tile(POSITIONS, (100, 1)), mass=np.tile(BODIES[:, 0], 100))
        for length in (0, 4, 30, 100, len(whole) // 2, len(whole) - 9):
            self.refused("cut.npz", whole[:length], r"cut\.npz")
        damaged = bytearray(whole)
        damaged[len(whole) // 3] ^= 0xff
        self.refused("damaged.npz", bytes(damaged), r"damaged\.npz")
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            archive.writestr("bodies.npy", "no array")
        self.refused("text.npz", stream.getvalue(), r"text\.npz, bodies\.npy")


if __name__ == "__main__":
    unittest.main()
