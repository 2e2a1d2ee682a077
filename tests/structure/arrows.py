#!/usr/bin/env python3
"""Every #include between the rooms of app/ follows the arrows of the architecture.

usage: arrows.py APP-FOLDER
"""
import pathlib
import re
import sys

MAY_KNOW = {
    "base": set(),
    "compute": {"base"},
    "model": {"base", "compute"},
    "render": {"base"},
    "interop": {"base", "compute", "render"},
    "scene": {"base", "compute", "model", "render", "interop"},
    "ui": {"base"},
    "cli": {"base", "compute", "model"},
    "shell": {"base", "compute", "model", "render", "interop", "scene", "ui", "cli"},
}
# Plain structs without OpenCL or OpenGL, which panels may see.
SNAPSHOTS = {"scene/snapshot.hpp", "scene/command.hpp", "scene/mandelbrot_snapshot.hpp",
             "scene/mandelbrot_command.hpp", "compute/comparison.hpp", "compute/device_info.hpp", "compute/kernel_statistics.hpp", "compute/roofline.hpp",
             "compute/work.hpp", "compute/work_group.hpp", "compute/tune_space.hpp", "compute/tune_entry.hpp",
             "scene/particles_command.hpp", "scene/particles_snapshot.hpp",
             "scene/tuner_snapshot.hpp", "compute/build_log.hpp", "scene/editor_snapshot.hpp", "scene/kernel_command.hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+)/([^"]+)"', re.MULTILINE)


def main(app: pathlib.Path) -> int:
    faults = []
    files = [f for f in app.rglob("*") if f.suffix in (".hpp", ".cpp") and len(f.relative_to(app).parts) > 1]
    for file in files:
        room = file.relative_to(app).parts[0]
        for other, rest in INCLUDE.findall(file.read_text(encoding="utf-8")):
            name = f"{other}/{rest}"
            if other == room or other in MAY_KNOW[room] or (room == "ui" and name in SNAPSHOTS):
                continue
            faults.append(f"{file.relative_to(app)} includes {name}: {room} may not know {other}")
    for name in sorted(SNAPSHOTS):
        for other, rest in INCLUDE.findall((app / name).read_text(encoding="utf-8")):
            if other != "base" and f"{other}/{rest}" not in SNAPSHOTS:
                faults.append(f"{name} includes {other}/{rest}: it is no plain snapshot any more")
    print("\n".join(faults) or f"{len(files)} files follow the arrows")
    return 1 if faults or not files else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
