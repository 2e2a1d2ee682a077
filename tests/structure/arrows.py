#!/usr/bin/env python3
"""Every #include between the rooms of app/ follows the arrows of the architecture.

usage: arrows.py APP-FOLDER
"""
import pathlib
import re
import sys

MAY_KNOW = {
    "base": set(),
    "protocol": {"base"},
    "compute": {"base"},
    "model": {"base", "compute"},
    "render": {"base"},
    "interop": {"base", "compute", "render"},
    "panels": {"base", "protocol", "ui"},
    "scene": {"base", "protocol", "compute", "model", "render", "interop", "ui", "panels"},
    "ui": {"base", "protocol"},
    "cli": {"base", "protocol", "compute", "model"},
    "kind": {"base", "protocol", "compute", "model", "render", "interop", "scene", "ui", "panels", "cli"},
    "shell": {"base", "protocol", "compute", "model", "render", "interop", "scene", "ui", "cli"},
}
# Plain structs without OpenCL or OpenGL, which the protocol and panels may see.
SNAPSHOTS = {"compute/measure/comparison.hpp", "compute/device/device_info.hpp", "compute/queue/kernel_statistics.hpp",
             "compute/measure/roofline.hpp", "compute/queue/work.hpp", "compute/device/work_group.hpp",
             "compute/tuning/tune_space.hpp", "compute/program/build_log.hpp"}
PLAIN = ("ui", "protocol", "panels")
# The folders of a scene that are not of the room "model".
OF_SCENES = {"window": "scene", "drawing": "scene", "pictures": "scene", "panels": "panels", "headless": "cli"}
# What is known of a scene without its window: no OpenGL in it.
DESCRIPTION = "scene/scene_kind.hpp"
# The sharing of surfaces is measured with the n-body step.
EXCEPTIONS = {("shell/devices/bench_interop.cpp", "nbody")}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+/[^"]+)"', re.MULTILINE)


def room_of(name: str) -> str:
    """The room of a file, which is named from app/ on."""
    parts = name.split("/")
    if parts[0] != "scenes":
        return parts[0]
    if parts[-1] == "kind.cpp":
        return "kind"
    return OF_SCENES.get(parts[2], "model") if len(parts) > 3 else "model"


def scene_of(name: str) -> str:
    """The scene whose folder holds a file; empty for all others."""
    parts = name.split("/")
    return parts[1] if parts[0] == "scenes" and len(parts) > 2 else ""


def main(app: pathlib.Path) -> int:
    faults = []
    files = [f for f in app.rglob("*") if f.suffix in (".hpp", ".cpp") and len(f.relative_to(app).parts) > 1]
    for file in files:
        own = str(file.relative_to(app))
        room = room_of(own)
        for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
            other = room_of(name)
            theirs, mine = scene_of(name), scene_of(own)
            if theirs and theirs != mine and (own, theirs) not in EXCEPTIONS:
                faults.append(f"{own} includes {name}: only the scene itself and its kind may know the scene {theirs}")
                continue
            if other == room or other in MAY_KNOW[room] or (room in PLAIN and name in SNAPSHOTS):
                continue
            if room == "cli" and name == DESCRIPTION:
                continue
            faults.append(f"{own} includes {name}: {room} may not know {other}")
    for name in sorted(SNAPSHOTS):
        for other in INCLUDE.findall((app / name).read_text(encoding="utf-8")):
            if room_of(other) != "base" and other not in SNAPSHOTS:
                faults.append(f"{name} includes {other}: it is no plain snapshot any more")
    print("\n".join(faults) or f"{len(files)} files follow the arrows")
    return 1 if faults or not files else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
