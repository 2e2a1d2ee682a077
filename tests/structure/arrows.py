#!/usr/bin/env python3
"""Every #include between the folders of app/ follows the arrows of the architecture.

usage: arrows.py APP-FOLDER
"""
import pathlib
import re
import sys

# Each folder, from the lowest, and the folders that it includes. A row names only rows above it, so that there are no
# cycles. The folders posix/ and windows/ belong to their parent folder.
ROWS = {
    "base": "",
    "base/platform": "base",
    "base/files": "base base/platform",
    "base/work": "base base/platform base/files",
    "base/points": "base base/platform base/files",
    "render": "base base/files",
    "scenes/particles/world": "base base/files base/points",
    "compute/device": "base base/platform base/files base/work",
    "scenes/particles/laws": "base base/files scenes/particles/world",
    "compute/queue": "base base/platform compute/device",
    "scenes/nbody/bodies": "base base/platform base/files base/work base/points compute/device",
    "scenes/particles/files": "base base/files base/points scenes/particles/world scenes/particles/laws",
    "compute/program": "base base/platform base/files base/work compute/device compute/queue",
    "interop": "base base/files render compute/queue",
    "compute/measure": "base base/files compute/device compute/queue compute/program",
    "compute/sort": "compute/queue compute/program",
    "compute/tuning": "base base/files base/work compute/device compute/queue compute/program",
    "scenes/mandelbrot/numbers": "base base/files compute/program",
    "protocol": "base base/files compute/device compute/queue compute/program compute/measure compute/tuning",
    "scenes/mandelbrot/deep": "base base/platform compute/device compute/queue scenes/mandelbrot/numbers",
    "scenes/nbody/model":
        "base base/platform base/work compute/device compute/queue scenes/nbody/bodies compute/program compute/sort "
        "compute/tuning",
    "scenes/particles/model":
        "base base/platform scenes/particles/world compute/device scenes/particles/laws compute/queue "
        "compute/program compute/tuning",
    "scene/keyframes": "base",
    "scene":
        "base base/files base/work render compute/device compute/program interop compute/measure protocol "
        "scene/keyframes",
    "scenes/mandelbrot/model":
        "base compute/device compute/queue compute/program compute/tuning scenes/mandelbrot/deep",
    "scenes/nbody/files":
        "base base/platform base/files base/work scenes/nbody/bodies compute/program scenes/nbody/model",
    "scenes/nbody/tuning": "base compute/device compute/program compute/tuning scenes/nbody/model",
    "ui": "base base/files compute/program protocol",
    "cli":
        "base base/platform base/files base/work compute/device compute/queue compute/program compute/measure "
        "compute/sort compute/tuning scene",
    "scenes/mandelbrot/panels": "base base/files protocol ui",
    "scenes/mandelbrot/tuning": "base compute/device compute/tuning scenes/mandelbrot/model",
    "scenes/nbody/checks":
        "base base/platform scenes/nbody/bodies compute/program compute/measure compute/tuning scenes/nbody/model "
        "scenes/nbody/tuning",
    "scenes/nbody/panels": "base ui",
    "scenes/particles/panels": "base compute/program ui",
    "shell/files": "base base/platform base/files base/work render compute/device compute/program protocol scene ui",
    "ui/panels": "base base/files protocol ui",
    "scenes/mandelbrot/checks":
        "base base/platform compute/device compute/measure compute/tuning scenes/mandelbrot/numbers "
        "scenes/mandelbrot/deep scenes/mandelbrot/model scenes/mandelbrot/tuning",
    "scenes/nbody/headless":
        "base base/files base/work base/points compute/device compute/queue scenes/nbody/bodies compute/program "
        "compute/measure compute/tuning scenes/nbody/model scenes/nbody/files scenes/nbody/tuning cli scenes/nbody/checks",
    "scenes/nbody/window":
        "base base/files base/work render compute/device compute/queue scenes/nbody/bodies compute/program interop "
        "compute/tuning scenes/nbody/model scene scenes/nbody/files scenes/nbody/tuning scenes/nbody/checks "
        "scenes/nbody/panels",
    "scenes/particles/headless":
        "base base/files base/work base/points scenes/particles/world compute/device scenes/particles/files "
        "scenes/particles/model cli",
    "scenes/particles/window":
        "base base/files base/work base/points render scenes/particles/world compute/device scenes/particles/laws compute/queue "
        "scenes/particles/files compute/program interop scenes/particles/model scene scenes/particles/panels",
    "shell/window": "base base/platform base/files render interop protocol scene ui shell/files",
    "scenes/mandelbrot/output":
        "base base/platform base/files base/work compute/device compute/queue compute/program compute/measure "
        "scenes/mandelbrot/numbers scenes/mandelbrot/deep scenes/mandelbrot/model scenes/mandelbrot/tuning "
        "scenes/mandelbrot/checks",
    "scenes/nbody":
        "base base/files scenes/nbody/bodies protocol scene scenes/nbody/files scenes/nbody/checks scenes/nbody/panels "
        "scenes/nbody/headless scenes/nbody/window",
    "scenes/particles": "protocol scene scenes/particles/panels scenes/particles/headless scenes/particles/window",
    "shell/devices":
        "base base/platform base/files base/work compute/device compute/queue scenes/nbody/bodies interop "
        "compute/measure protocol scenes/nbody/model scene scenes/nbody/tuning cli shell/window",
    "scenes/mandelbrot/headless":
        "base compute/program scenes/mandelbrot/numbers scenes/mandelbrot/model cli scenes/mandelbrot/tuning "
        "scenes/mandelbrot/checks scenes/mandelbrot/output",
    "scenes/mandelbrot/pictures":
        "base base/work compute/device compute/program interop scenes/mandelbrot/deep scene scenes/mandelbrot/model "
        "scenes/mandelbrot/tuning scenes/mandelbrot/output",
    "shell/tools":
        "base base/files base/work compute/device compute/queue compute/program compute/measure compute/tuning "
        "protocol scene shell/files shell/window shell/devices",
    "scenes/mandelbrot/drawing":
        "base/files render scenes/mandelbrot/numbers scene scenes/mandelbrot/output scenes/mandelbrot/pictures",
    "shell":
        "base base/platform base/files base/work base/points compute/device compute/queue compute/program protocol scene ui cli "
        "shell/files shell/window shell/devices shell/tools",
    "shell/offline":
        "base base/files base/work render compute/program protocol scene cli shell/files shell/window shell/devices "
        "shell",
    "scenes/mandelbrot/window":
        "base base/platform base/files base/work render compute/device compute/program scenes/mandelbrot/numbers "
        "scenes/mandelbrot/deep scene/keyframes scene scenes/mandelbrot/model ui scenes/mandelbrot/panels "
        "scenes/mandelbrot/tuning scenes/mandelbrot/checks scenes/mandelbrot/output scenes/mandelbrot/pictures scenes/mandelbrot/drawing",
    "scenes/mandelbrot":
        "scenes/mandelbrot/numbers protocol scene scenes/mandelbrot/model scenes/mandelbrot/panels "
        "scenes/mandelbrot/checks "
        "scenes/mandelbrot/output scenes/mandelbrot/headless scenes/mandelbrot/window",
}
# Panels and their commands include no OpenCL and no OpenGL, directly or through other headers.
PLAIN = ("protocol", "ui", "ui/panels", "scenes/mandelbrot/panels", "scenes/nbody/panels", "scenes/particles/panels")
HANDLES = {"compute/device/opencl.hpp", "render/gl.hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_]+/[^"]+)"', re.MULTILINE)


def folder_of(name: str) -> str:
    return re.sub(r"/(posix|windows)$", "", name.rpartition("/")[0])


def scene_of(name: str) -> str:
    """The scene whose folder holds a file; empty for all others."""
    parts = name.split("/")
    return parts[1] if parts[0] == "scenes" and len(parts) > 2 else ""


def faults_of_rows() -> list[str]:
    names = list(ROWS)
    return [f"the row of {name} names {other}, which is not above it" for k, name in enumerate(names)
            for other in ROWS[name].split() if other not in names[:k]]


def faults_of_includes(includes: dict[str, list[str]]) -> list[str]:
    faults, used = [], {name: set() for name in ROWS}
    for own, others in includes.items():
        folder = folder_of(own)
        if folder not in ROWS:
            faults.append(f"{own}: the folder {folder} has no row")
            continue
        for name in others:
            other = folder_of(name)
            if other == folder:
                continue
            used[folder].add(other)
            if other not in ROWS[folder].split():
                faults.append(f"{own} includes {name}: {folder} may not know {other}")
            if scene_of(own) and scene_of(name) not in ("", scene_of(own)):
                faults.append(f"{own} includes {name}: scenes do not know each other")
    return faults + [f"no file of {name} includes one of {other}" for name, row in ROWS.items()
                     for other in row.split() if other not in used[name]]


def faults_of_plain(includes: dict[str, list[str]]) -> list[str]:
    faults = []
    for own in includes:
        if folder_of(own) not in PLAIN:
            continue
        seen, left = {own: own}, [own]
        while left:
            name = left.pop()
            for other in includes.get(name, []):
                if other not in seen:
                    seen[other] = name
                    left.append(other)
        faults += [f"{own} reaches {handle} by {seen[handle]}" for handle in sorted(HANDLES & seen.keys())]
    return faults


def main(app: pathlib.Path) -> int:
    files = [f for f in app.rglob("*") if f.suffix in (".hpp", ".cpp") and len(f.relative_to(app).parts) > 1]
    includes = {str(f.relative_to(app)): INCLUDE.findall(f.read_text(encoding="utf-8")) for f in files}
    faults = faults_of_rows() + faults_of_includes(includes) + faults_of_plain(includes)
    print("\n".join(faults) or f"{len(files)} files follow the arrows")
    return 1 if faults or not files else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
