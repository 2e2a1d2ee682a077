#!/usr/bin/env python3
"""Renders the thumbnails of the presets with the program itself on a virtual display.

usage: make_thumbnails.py ORRERY [NAME …]      (all presets unless names are given: "nbody/03-figure-eight")
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

PRESETS = pathlib.Path(__file__).resolve().parent.parent / "assets" / "presets"
WIDTH, HEIGHT = 192, 108  # as in shell/files/gallery.hpp
BLOCK = 4  # pixels of the program's picture per pixel of the thumbnail, in each direction
SECONDS = 20


def rows_of(png: bytes) -> list:
    """The rows of an 8-bit RGB picture."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", png[at + 8:at + 16])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += length + 12
    data, stride, rows, above = zlib.decompress(data), 3 * width, [], bytes(3 * width)
    for y in range(height):
        method, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride if method else 0):
            left, up, corner = row[x - 3] if x > 2 else 0, above[x], above[x - 3] if x > 2 else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[x] = (row[x] + (0, left, up, (left + up) // 2, nearest)[method]) & 255
        rows.append(row)
        above = row
    return rows


def small_png(rows: list) -> bytes:
    """A picture of a BLOCK-th of the width and height, without texts."""
    lines = b""
    for y in range(HEIGHT):
        block = rows[y * BLOCK:(y + 1) * BLOCK]
        line = [round(sum(row[3 * (x * BLOCK + k) + c] for row in block for k in range(BLOCK)) / BLOCK ** 2)
                for x in range(WIDTH) for c in range(3)]
        lines += b"\1" + bytes((value - (line[i - 3] if i > 2 else 0)) & 255 for i, value in enumerate(line))
    chunks = {b"IHDR": struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0), b"IDAT": zlib.compress(lines, 9), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks.items())


def main(program: str, names: list) -> None:
    presets = [PRESETS / (name + ".toml") for name in names] or sorted(PRESETS.glob("*/*.toml"))
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / "picture.png"
        surroundings = {**os.environ, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder}  # avoids an offer to restore a session
        for preset in presets:
            subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1280x720x24 +extension GLX", program, "--state", preset, "--no-ui",
                            "--size", f"{WIDTH * BLOCK}x{HEIGHT * BLOCK}", "--seconds", str(SECONDS), "--screenshot", picture],
                           env=surroundings, check=True)
            preset.with_suffix(".png").write_bytes(small_png(rows_of(picture.read_bytes())))
            print(preset.with_suffix(".png"), preset.with_suffix(".png").stat().st_size, "bytes", flush=True)


main(sys.argv[1], sys.argv[2:])
