#!/usr/bin/env python3
"""A drawing as an icon file of Windows, which holds PNG pictures of several sizes.

usage: icon.py RSVG-CONVERT DRAWING.svg ICON.ico
"""
import pathlib
import struct
import subprocess
import sys

SIDES = (16, 24, 32, 48, 64, 128, 256)

renderer, drawing, icon = sys.argv[1:4]
pictures = [subprocess.run([renderer, "-w", str(side), "-h", str(side), drawing], stdout=subprocess.PIPE, check=True).stdout
            for side in SIDES]
place = 6 + 16 * len(SIDES)
entries = b""
for side, picture in zip(SIDES, pictures):  # a side of 256 is written as 0
    entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(picture), place)
    place += len(picture)
pathlib.Path(icon).write_bytes(struct.pack("<HHH", 0, 1, len(SIDES)) + entries + b"".join(pictures))
