"""Runs every example of README.md and the manual, taken from their text, and judges the results; checks their links.

   usage: readme.py PATH-TO-ORRERY SOURCE-FOLDER

An example that no judge here claims fails, and so does a judge without an example: text and test cannot drift apart.
Sizes and durations are replaced by smaller ones; each replacement stands at its judge, and must be in the command of the page.
"""
import array
import csv
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ORRERY, SOURCE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
MANUAL = SOURCE / "assets/manual"
PAGES = {path: path.read_text() for path in [SOURCE / "README.md", *sorted(MANUAL.glob("*.md"))]}
TEXT = "\n".join(PAGES.values())
MOST_WORDS_OF_README = 1500
JUDGES = []
JUDGED_ELSEWHERE = ("python", "json")  # by tests/python


def example(beginning, instead=None, also="", window=False):
    """Judges the example that begins with these words. `instead`: parts of the page's command and their replacements; `also`
    is appended, for example to close a window."""
    def take(judge):
        JUDGES.append((beginning, instead or {}, also, window, judge))
        return judge
    return take


# ---- contents of files

class Picture:
    """An 8-bit RGB .png: its size, its texts, and `rows`, bytes each."""

    def __init__(self, path):
        content = pathlib.Path(path).read_bytes()
        assert content[:8] == b"\x89PNG\r\n\x1a\n", path
        at, packed, self.texts = 8, b"", {}
        while at < len(content):
            length, kind = struct.unpack(">I4s", content[at:at + 8])
            data = content[at + 8:at + 8 + length]
            at += length + 12
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", data[:10])
                assert (depth, color) in ((8, 2), (8, 6)), (depth, color)
                self.channels = 3 if color == 2 else 4
            elif kind == b"IDAT":
                packed += data
            elif kind in (b"tEXt", b"zTXt"):
                key, _, value = data.partition(b"\0")
                self.texts[key.decode()] = (value if kind == b"tEXt" else zlib.decompress(value[1:])).decode("ascii")
            elif kind == b"iTXt":  # key, flags (compressed, how), language, translated key, text
                key, _, value = data.partition(b"\0")
                text = value[2:].split(b"\0", 2)[2]
                self.texts[key.decode()] = (zlib.decompress(text) if value[0] else text).decode()
        raw, stride = zlib.decompress(packed), self.width * self.channels
        self.rows, above = [], bytes(stride)
        for j in range(self.height):
            filtered, line = raw[j * (stride + 1)], bytearray(raw[j * (stride + 1) + 1:(j + 1) * (stride + 1)])
            for k in range(stride):
                left = line[k - self.channels] if k >= self.channels else 0
                corner = above[k - self.channels] if k >= self.channels else 0
                line[k] = (line[k] + self.predicted(filtered, left, above[k], corner)) & 255
            above = bytes(line)
            self.rows.append(above)

    @staticmethod
    def predicted(filtered, left, up, corner):
        if filtered < 3:
            return (0, left, up)[filtered]
        if filtered == 3:
            return (left + up) // 2
        return min((left, up, corner), key=lambda p: abs(left + up - corner - p))

    def pixels(self):
        n = self.channels
        return [row[k:k + 3] for row in self.rows for k in range(0, len(row), n)]


def expect_structure(pixels, what):
    """The picture is not black and has several colours."""
    dark = sum(max(pixel) < 16 for pixel in pixels)
    colors = len(set(pixels))
    assert dark < 0.95 * len(pixels), f"{what}: {dark} of {len(pixels)} pixels are black"
    assert colors > 50, f"{what}: only {colors} colours"


def table(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows, path
    for row in rows:
        for name, value in row.items():
            assert name in ("hash", "kind") or value == "" or math.isfinite(float(value)), (path, name, value)
    return rows


def numbers(rows, name):
    return [float(row[name]) for row in rows]


def npy(path):
    content = pathlib.Path(path).read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00", path
    length = struct.unpack("<H", content[8:10])[0]
    header = content[10:10 + length].decode()
    assert "'<f8'" in header and "'fortran_order': False" in header, header
    shape = tuple(int(side) for side in re.search(r"\(([^)]*)\)", header)[1].split(",") if side.strip())
    values = array.array("d", content[10 + length:])
    assert len(values) == math.prod(shape), (shape, len(values))
    return shape, values


def promised(pattern):
    """The pages' texts, to compare with results."""
    found = re.search(pattern, TEXT, re.S)
    assert found, f"no page says any more: {pattern}"
    return re.sub(r"\s", "", found[1]).split(",")


class Run:
    """One example that was run: `value("--size")` is the option's value, `written("--out")` its output file."""

    def __init__(self, words, folder, output):
        self.words, self.folder, self.output = words, folder, output

    def value(self, flag, count=1):
        at = self.words.index(flag)
        return self.words[at + 1] if count == 1 else self.words[at + 1:at + 1 + count]

    def written(self, flag):
        path = self.folder / self.value(flag)
        assert path.exists(), f"{flag} wrote nothing"
        return path

    def size(self):
        return tuple(int(side) for side in self.value("--size").split("x"))


# ---- the examples

@example("orrery nbody --bodies 4096", {"--bodies 4096": "--bodies 512", "--steps 1000": "--steps 100"})
def a_plummer_sphere_keeps_its_energy(run):
    rows = table(run.written("--diagnostics"))
    assert list(rows[0]) == promised(r"Diagnostics: `([^`]*)`"), rows[0]
    assert numbers(rows, "step") == list(range(0, 101, 10))
    assert math.isclose(float(rows[-1]["time"]), 100 * float(run.value("--dt")))
    energies = numbers(rows, "total")
    assert energies[0] < 0 and max(abs(e / energies[0] - 1) for e in energies) < 1e-4, energies
    assert max(abs(p) for name in ("px", "py", "pz") for p in numbers(rows, name)) < 1e-5
    assert all(0.8 < virial < 1.25 for virial in numbers(rows, "virial"))
    bodies = table(run.written("--out"))
    assert list(bodies[0]) == promised(r"`\.csv` with the header `([^`]*)`")
    assert len(bodies) == 512 and math.isclose(sum(numbers(bodies, "mass")), 1, rel_tol=1e-4)


# One device in two parts, because not every machine has two devices.
@example("orrery nbody --bodies 262144",
         {"--bodies 262144": "--bodies 2048", "--steps 200 --burst 50": "--steps 20 --burst 5", "--device 0:0,0:1": "--split 2"})
def two_devices_compute_what_one_does(run):
    shares = re.search(r"(\d+) \+ (\d+) bodies", run.output)
    assert shares and sum(map(int, shares.groups())) == 2048, run.output
    assert "bit-identical bodies" in run.output and re.search(r"speed-up [\d.]+", run.output), run.output


@example("orrery nbody --initial merger", {"--bodies 1048576": "--bodies 4096", "--steps 100": "--steps 2"})
def a_tree_sums_the_forces_of_two_galaxies(run):
    assert npy(run.written("--out"))[0] == (4096, 7)
    found = re.search(r"a relative error below ([\d.e-]+)", run.output)
    assert found and 0 < float(found[1]) <= float(run.value("--force-error")), run.output


@example("orrery nbody --bodies 16384", {"--bodies 16384": "--bodies 512", "--steps 2000": "--steps 20"})
def a_run_keeps_its_state(run):
    assert run.written("--state").read_bytes().startswith(b"orrery-run 4 "), run.output


@example("orrery nbody --resume run.state", {"--steps 5000": "--steps 30"})
def a_run_goes_on(run):
    assert npy(run.written("--out"))[0] == (512, 7)
    assert "512 bodies, 30 steps" in run.output, run.output


@example("orrery nbody --bodies 8192", {"--bodies 8192": "--bodies 200", "--steps 2000": "--steps 20"})
def all_frames_are_in_one_file(run):
    data = run.written("--out").read_bytes()
    index, entries = struct.unpack_from("<2Q", data, 8)
    assert data[:8] == struct.pack("<Q", 0x65DF65DF65DF65DF)
    frames = [struct.unpack_from("<Q8xq", data, index + 32 * k) for k in range(entries)]
    assert max(frame for frame, place in frames if place) == 2, frames


@example("orrery particles argon --steps 5000", {"--steps 5000": "--steps 100"})
def each_frame_is_a_file(run):
    outs = [run.words[k + 1] for k, word in enumerate(run.words) if word == "--out"]
    for out in outs:
        names = sorted(file.name for file in run.folder.glob(out.replace("%06d", "*")))
        assert names == [out % k for k in range(3)], names


@example("orrery nbody --initial solar-system --date", {"--steps 50000": "--steps 20"})
def sky(run):
    units, _, *bodies = run.written("--out").read_text().splitlines()
    assert units == "# AU, years, suns" and len(bodies) == 17, units
    sun, earth = ([float(number) for number in bodies[k].split(",")] for k in (0, 3))
    assert 0.98 < math.dist(sun[1:4], earth[1:4]) < 1.02, "the Earth is an astronomical unit from the Sun"
    assert abs(math.dist(sun[4:], earth[4:]) / (2 * math.pi) - 1) < 0.02, "and goes around it in a year"


@example("orrery nbody --initial pythagorean", {"--steps 4480": "--steps 256", "--step-accuracy 0.0003": "--step-accuracy 0.001"})
def each_body_takes_steps_of_its_own(run):
    energies = numbers(table(run.written("--diagnostics")), "total")
    assert max(abs(e / energies[0] - 1) for e in energies) < 1e-4, energies
    assert float(re.search(r"individual steps: ([\d.]+) evaluations", run.output)[1]) > 5, run.output


@example("orrery nbody --initial sphere", {"--bodies 20000": "--bodies 500"})
def bodies_grow(run):
    merged, left = map(int, re.search(r"(\d+) bodies have merged into others, (\d+) are left", run.output).groups())
    masses = numbers(table(run.written("--out")), "mass")
    assert merged > 100 and merged + left == 500 and sum(mass > 0 for mass in masses) == left, run.output
    assert math.isclose(sum(masses), 1, rel_tol=1e-5) and max(masses) > 3 / 500, max(masses)


@example("orrery nbody --bodies 32768 --steps 2000 --archive", {"--bodies 32768": "--bodies 512", "--steps 2000": "--steps 20"})
def a_run_keeps_its_past(run):
    assert run.written("--archive").read_bytes().startswith(b"orrery-archive 1 "), run.output


@example("orrery nbody --resume run.orrery", {"--at 12.3": "--at 0.1"})
def a_moment_of_the_past_is_computed_again(run):
    assert npy(run.written("--out"))[0] == (512, 7)


@example("orrery mandelbrot --center -1.401155189092050601 0", {"--size 1920x1080": "--size 192x108"})
def the_feigenbaum_point_is_a_picture(run):
    picture = Picture(run.written("--out"))
    assert (picture.width, picture.height) == run.size()
    expect_structure(picture.pixels(), "the picture")
    assert picture.texts["center"].split() == run.value("--center", 2), picture.texts
    assert float(picture.texts["span"]) == float(run.value("--span"))


@example("orrery mandelbrot --center feigenbaum --size 640x360 --out nu.npy", {"--size 640x360": "--size 128x72"})
def the_feigenbaum_point_is_numbers(run):
    shape, values = npy(run.written("--out"))
    assert shape == run.size()[::-1], shape
    inside = sum(value == -1 for value in values)
    assert 0 < inside < 0.5 * len(values), inside
    assert all(value == -1 or 0 < value < 1e9 for value in values)
    # Symmetric about the real axis like the set; the width follows from the place's height.
    width, height = shape[1], shape[0]
    assert all(values[j * width:(j + 1) * width] == values[(height - 1 - j) * width:(height - j) * width] for j in range(height))
    assert max(values) > 300, "N follows the view: no pixel took long"


@example("orrery mandelbrot --center feigenbaum --span 1e-10 --zoom-from 3",
         {"--seconds 20": "--seconds 0.8", "--size 1280x720": "--size 64x36", "--samples 4": "--samples 1"})
def the_film_shows_something_in_every_frame(run):
    width, height = run.size()
    content, size = run.written("--out").read_bytes(), 3 * width * height
    assert len(content) == 24 * size, f"{len(content) / size} frames"  # 0.8 seconds of 30
    frames = [content[k:k + size] for k in range(0, len(content), size)]
    for k, frame in enumerate(frames):
        expect_structure([frame[at:at + 3] for at in range(0, size, 3)], f"frame {k + 1}")
    # Zoom and colours are steady: neighbouring frames differ, but only a little.
    steps = [sum(abs(a - b) for a, b in zip(*pair)) / size for pair in zip(frames, frames[1:])]
    assert all(1 < step < 90 for step in steps), steps


@example("orrery mandelbrot --view deep.kfr", {"--size 3840x2160": "--size 96x54", "--samples 9": "--samples 2"})
def a_place_of_another_program_is_a_picture(run):
    picture = Picture(run.written("--out"))
    assert (picture.width, picture.height) == run.size()
    expect_structure(picture.pixels(), "the picture")
    # 4/Zoom is the height: see write_inputs().
    assert math.isclose(float(picture.texts["span"]), 4e-20 * picture.width / picture.height, rel_tol=1e-9), picture.texts


@example("orrery particles salt", {"--steps 10000 --burst 100": "--steps 20 --burst 5"})
def salt_is_observed_and_kept(run):
    rows = table(run.written("--diagnostics"))
    assert [int(row["step"]) for row in rows] == [0, 5, 10, 15, 20]
    assert {"time", "kinetic", "potential", "total", "temperature", "pressure"} <= rows[0].keys(), rows[0]
    for row in rows:
        assert math.isclose(float(row["kinetic"]) + float(row["potential"]), float(row["total"]), rel_tol=1e-9)
    energies = numbers(rows, "total")
    assert energies[0] < 0 and max(abs(e / energies[0] - 1) for e in energies) < 0.02, energies
    # The saved state is a world that continues.
    again = run.folder / "again.csv"
    subprocess.run([ORRERY, "particles", run.written("--out"), "--steps", "0", "--diagnostics", again], check=True,
                   stdout=subprocess.DEVNULL, cwd=run.folder)
    went_on = table(again)[0]
    assert math.isclose(float(went_on["potential"]), float(rows[-1]["potential"]), rel_tol=1e-4), went_on
    assert math.isclose(float(went_on["kinetic"]), float(rows[-1]["kinetic"]), rel_tol=1e-4), went_on


@example("orrery --scene nbody --bodies 16384", {"--bodies 16384": "--bodies 1000", "--frames 300": "--frames 200"}, window=True)
def the_window_leaves_picture_figures_and_session(run):
    picture = Picture(run.written("--screenshot"))
    assert picture.width >= 640 and picture.height >= 360
    expect_structure(picture.pixels(), "the screenshot")
    stats = json.loads(run.written("--stats").read_text())
    assert stats["frames"] == 200 and stats["interop"] in ("shared", "copied") and stats["device"], stats
    assert {"p50", "p95", "p99", "max"} <= stats["frame_ms"].keys() and stats["interop_reason"], stats
    assert {"bytes_copied_per_frame"} <= stats.keys()
    assert all({"name", "launches", "median_us", "p99_us"} <= kernel.keys() for kernel in stats["kernels"]) and stats["kernels"]
    assert re.search(r"^bodies = 1000$", run.written("--save-state").read_text(), re.M)


@example("orrery --state session.toml", also="--frames 5 --save-state again.toml", window=True)
def the_session_goes_on(run):
    assert re.search(r"^bodies = 1000$", run.written("--save-state").read_text(), re.M)


@example("orrery picture session.toml", {"--size 7680x4320": "--size 192x108"}, window=True)  # the session exists
def the_session_is_a_picture(run):
    picture = Picture(run.written("--out"))
    assert (picture.width, picture.height) == run.size()
    assert len(set(picture.pixels())) > 50
    assert "scene = 'nbody'" in picture.texts["orrery-state"]


@example("orrery film session.toml", {"--seconds 20": "--seconds 0.4", "--size 1920x1080": "--size 192x108"}, window=True)
def the_session_is_a_film(run):
    width, height = run.size()
    content, size = run.written("--out").read_bytes(), 3 * width * height
    frames = {content[k:k + size] for k in range(0, len(content), size)}
    assert len(content) == 12 * size and len(frames) == 12, (len(content) / size, len(frames))


@example("orrery --state end.png", also="--frames 5 --save-state again.toml", window=True)
def the_picture_goes_on(run):
    assert re.search(r"^bodies = 1000$", run.written("--save-state").read_text(), re.M)


@example("orrery --scene nbody --seconds 10 --trace trace.json", {"--seconds 10": "--seconds 2"}, window=True)
def the_trace_names_what_ran(run):
    trace = json.loads(run.written("--trace").read_text())
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    lasting = [event for event in events if event.get("ph") == "X"]
    assert len(lasting) > 100 and all(event["dur"] >= 0 for event in lasting), len(lasting)
    assert len({event["name"] for event in lasting}) > 5


def the_world_comes_to_rest(folder, world):
    """The dumbbells fall, stay together, and come to rest on the floor."""
    (folder / "world.toml").write_text(world)
    subprocess.run([ORRERY, "particles", "world.toml", "--steps", "8000", "--burst", "8000", "--out", "rest.csv"], check=True,
                   stdout=subprocess.DEVNULL, cwd=folder)
    ends = [tuple(float(row[name]) for name in "xyz") for row in table(folder / "rest.csv")]
    assert len(ends) == 1000, len(ends)
    # Between floor (−15) and top. In equilibrium the weight of the column compresses its lowest part, and 0.5 kT
    # supports a mean height of a few lengths.
    assert all(-17 < z < 20 for _, _, z in ends)
    assert sum(z + 15 for _, _, z in ends) / len(ends) < 5
    def across(a, b):
        return math.dist((0, 0, 0), [d - side * round(d / side) for d, side in zip((p - q for p, q in zip(a, b)), (20, 20, 40))])
    bonds = [across(ends[k], ends[k + 1]) for k in range(0, len(ends), 2)]  # length 0.97, in the order of the file
    assert all(0.7 < bond < 1.25 for bond in bonds), (min(bonds), max(bonds))


def the_law_is_whole(folder, law):
    """Two particles under this law have and conserve the Lennard-Jones energy: the force is its derivative."""
    (folder / "two.toml").write_text('start_temperature = 0\n[[kind]]\nname = "argon"\nradius = 0.3\n'
                                     '[[fill]]\nshape = "list"\nkind = "argon"\npositions = [[0, 0, 0], [1.2, 0, 0]]\n'
                                     f'[ensemble]\ndt = 0.002\n{law}')
    subprocess.run([ORRERY, "particles", "two.toml", "--steps", "200", "--burst", "100", "--diagnostics", "two.csv"],
                   check=True, stdout=subprocess.DEVNULL, cwd=folder)
    rows = table(folder / "two.csv")
    right = 4 * (1.2 ** -12 - 1.2 ** -6)
    assert abs(float(rows[0]["potential"]) - right) < 1e-6 and float(rows[1]["kinetic"]) > 0.05, rows
    assert all(abs(float(row["total"]) - right) < 1e-4 for row in rows), rows


def the_integrators_are_those_of_the_program():
    """The manual's table has the order and the force evaluations that --help gives, in the same order."""
    help_text = subprocess.run([ORRERY, "nbody", "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    help_text = " ".join(help_text.split())
    listed = re.search(r"order and force evaluations per step: ((?:\w+ \d+, \d+(?:; )?)+)", help_text)
    assert listed, help_text
    expected = [tuple(re.split(r"[ ,]+", row)) for row in listed[1].split("; ")]
    assert re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", TEXT, re.M) == expected, expected


# ---- words and links

def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M))


def anchors(text):
    """Anchors of the headings by GitHub's rules: a repeated one gets a number."""
    found = {}
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), re.M):
        anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {f"{anchor}-{k}" if k else anchor for anchor, count in found.items() for k in range(count + 1)}


def links(path):
    """(file, anchor) of each link of a page; the file of a link within the page is the page."""
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(PAGES[path])):
        assert "://" not in target, f"{path.name} links to {target}, which is not a file here"
        file, _, anchor = target.partition("#")
        yield (path.parent / file).resolve() if file else path, anchor


def the_readme_is_short():
    words = len(PAGES[SOURCE / "README.md"].split())
    assert words <= MOST_WORDS_OF_README, f"README.md: expected at most {MOST_WORDS_OF_README} words, got {words}"


def all_links_work():
    for path in PAGES:
        for file, anchor in links(path):
            assert file.exists(), f"{path.name} links to {file}, which does not exist"
            assert not anchor or anchor in anchors(file.read_text()), f"{path.name} links to {file.name}#{anchor}: no such heading"


def all_pages_are_found_from_the_index():
    found, left = set(), [MANUAL / "index.md"]
    while left:
        page = left.pop()
        found.add(page)
        left += [file for file, _ in links(page) if file in PAGES and file not in found]
    assert set(PAGES) - found <= {SOURCE / "README.md"}, f"index.md leads to all pages but {sorted(set(PAGES) - found)}"
    listed = {file for file, _ in links(MANUAL / "index.md")}
    assert listed == set(PAGES) - {SOURCE / "README.md", MANUAL / "index.md"}, "index.md lists each page"


def help_prints_the_pages():
    """`help` shows a page for each topic, the options of a command, and the names of the pages for other words."""
    def said(*words, code=0):
        ran = subprocess.run([ORRERY, "help", *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert ran.returncode == code, (words, ran)
        return ran.stdout + ran.stderr
    topics = said()
    for page in MANUAL.glob("*.md"):
        assert f"\n  {page.stem} " in topics, topics
        title = re.search("^# (.*)$", page.read_text(), re.M)[1]
        assert said(page.stem).startswith(f"{title}\n{'=' * len(title)}\n"), page.stem
    assert "--bodies N" in said("nbody") and "--center RE" in said("mandelbrot"), "a command has its options"
    assert "expected n-body" in said("n-boyd", code=2) and "n-body | " in said("nonsense", code=2)
    assert "unknown argument" in said("keys", "laws", code=2)


# ---- the pages, and running them

def fences():
    """(language, text) of each block of code."""
    return [block for text in PAGES.values() for block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M)]


def commands(language):
    joined = "".join(text for kind, text in fences() if kind == language).replace("\\\n", " ")
    return [line.strip() for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def write_inputs(folder):
    """The inputs of the examples: a place of another program, and an ffmpeg that copies the raw frames."""
    # A Misiurewicz point, around which the set looks alike at any depth; without a number of iterations.
    (folder / "deep.kfr").write_text("Re: -0.775683768009053797469483503934741045728\n"
                                     "Im: 0.136467368294690124733274409617848765198\nZoom: 1E20\n")
    tools = folder / "tools"
    tools.mkdir()
    (tools / "ffmpeg").write_text('#!/bin/sh\nfor last; do :; done\ncat > "${last#file:}"\n')
    (tools / "ffmpeg").chmod(0o755)
    return dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", XDG_STATE_HOME=str(folder / "state"), XDG_DATA_HOME=str(folder / "data"))


def run_example(command, instead, also, window, folder, environment):
    for part, other in instead.items():
        assert command.count(part) == 1, f"the page says {part} no more: {command}"
        command = command.replace(part, other)
    words = shlex.split(f"{command} {also}")
    display = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"] if window else []
    if window:  # OpenGL's driver leaks, and is unloaded before the sanitizer can attribute the leaks
        environment = environment | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    ran = subprocess.run([*display, ORRERY, *words[1:]], cwd=folder, env=environment, timeout=300, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert ran.returncode == 0, f"exit code {ran.returncode}: {ran.stdout[-1000:]}"
    warnings = re.findall("orrery: warning: (?!.*preparing kernels).*", ran.stdout)  # slow machines compile for a long time
    assert not warnings, warnings
    return Run(words[1:], folder, ran.stdout)


def judge_all(folder):
    failures = []

    def judged(name, work):
        began = time.time()
        try:
            work()
            print(f"{time.time() - began:6.1f} s  {name}", flush=True)
        except (AssertionError, subprocess.SubprocessError, KeyError, ValueError, OSError) as fault:
            failures.append(name)
            print(f"FAILED: {name}: {type(fault).__name__} {fault}", flush=True)

    environment = write_inputs(folder)
    examples = [line for line in commands("sh") if line.startswith("orrery ")]
    for line in examples:
        claims = [judge for judge in JUDGES if line.startswith(judge[0])]
        if len(claims) != 1:
            failures.append(line)
            print(f"FAILED: {len(claims)} judges for the example: {line}")
            continue
        _, instead, also, window, judge = claims[0]
        if window and shutil.which("xvfb-run") is None:
            print(f"NOT RUN, for want of Xvfb: {line}")
            continue
        judged(line, lambda: judge(run_example(line, instead, also, window, folder, environment)))
    for beginning, *_ in JUDGES:
        if not any(line.startswith(beginning) for line in examples):
            failures.append(beginning)
            print(f"FAILED: no page has such an example any more: {beginning}")
    # Commands that run this test, or the program without arguments.
    others = {line.split("#")[0].strip() for line in commands("sh")} - set(examples)
    known = {"app/run.sh", "tests/run.sh", "cmake --preset release && cmake --build --preset release && ctest --preset release"}
    if others != known:
        failures.append("scripts")
        print(f"FAILED: examples that are not known here: {others ^ known}")
    for line in commands(""):
        name = re.match(r"orrery ([a-z]+) ", line)
        if name:
            judged(f"orrery {name[1]} --help", lambda: subprocess.run([ORRERY, name[1], "--help"], check=True, stdout=subprocess.DEVNULL))
    judged("the words of README", the_readme_is_short)
    judged("the links of all pages", all_links_work)
    judged("the index of the manual", all_pages_are_found_from_the_index)
    judged("orrery help", help_prints_the_pages)
    judged("the integrators", the_integrators_are_those_of_the_program)
    for kind, text in fences():
        if kind == "toml":
            judged("the world", lambda: the_world_comes_to_rest(folder, text))
        elif text.startswith("[[pair]]"):
            judged("the law", lambda: the_law_is_whole(folder, text))
        elif kind not in ("sh", *JUDGED_ELSEWHERE) and not text.startswith(("orrery ", "app/ ")):
            failures.append(text)
            print(f"FAILED: no judge for {text}")
    return failures


with tempfile.TemporaryDirectory(prefix="orrery-readme-") as name:
    failed = judge_all(pathlib.Path(name))
sys.exit(f"{len(failed)} checks of README and the manual fail" if failed else 0)
