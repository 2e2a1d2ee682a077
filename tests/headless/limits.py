"""Forces at the limits of numbers and of laws, against closed forms: gravity without softening in any unit, pair laws for
two particles at one place, periodic boxes.   usage: limits.py PATH-TO-ORRERY"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile

ORRERY = str(pathlib.Path(sys.argv[1]).resolve())
FOLDER = tempfile.TemporaryDirectory()
HERE = pathlib.Path(FOLDER.name)
failures = 0


def expect(holds, *what):
    global failures
    if not holds:
        failures += 1
        print(*what)


def run(*words):
    """Exit code and standard error."""
    done = subprocess.run([ORRERY, *map(str, words)], cwd=HERE, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr.strip()


def bodies(rows):
    lines = [",".join(map(repr, map(float, row))) for row in rows]
    (HERE / "in.csv").write_text("\n".join(["mass,x,y,z,vx,vy,vz", *lines]) + "\n")


def moved(*options):
    code, said = run("nbody", "--initial", "in.csv", "--out", "out.csv", *options)
    rows = []
    if code == 0:
        with open(HERE / "out.csv", newline="") as file:
            rows = [[float(value) for value in row] for row in list(csv.reader(file))[1:]]
    return code, said, rows


def circle(distance, mass, precision, forces, softening="0"):
    """The error of a quarter of a circle, in radii, or the message."""
    light = mass / 1024
    speed = math.sqrt((mass + light) / distance**3)
    outer, inner = distance * mass / (mass + light), distance * light / (mass + light)
    bodies([(mass, -inner, 0, 0, 0, -inner * speed, 0), (light, outer, 0, 0, 0, outer * speed, 0)])
    step = math.pi / 2 / speed / 200
    code, said, rows = moved("--softening", softening, "--dt", repr(step), "--steps", 200, "--integrator", "yoshida6",
                             "--precision", precision, "--forces", forces)
    return said if code else math.hypot(rows[1][1], rows[1][2] - outer) / outer


# In single precision, the rounding errors of 200 steps of 7 positions each add up at random.
ALLOWED = {"single": 1e-5, "mixed": 1e-6, "double": 1e-12}
UNITS = {"the unit": (1, 1), "1e-8": (1e-8, 1), "1e-10": (1e-10, 1), "AU in Mpc": (4.85e-12, 1), "Moon in Mpc": (1.2e-14, 1e-6),
         "Earth in SI": (1.496e11, 1.327e20), "Pluto in SI": (5.9e12, 1.327e20), "Moon in SI": (3.84e8, 3.986e14),
         "parsec in SI": (3.1e16, 1.327e20), "heavy": (7000, 1e9)}
for unit, (distance, mass) in UNITS.items():
    for precision, forces in [("single", "gather"), ("single", "tree"), ("mixed", "pairs"), ("mixed", "gather"), ("double", "pairs")]:
        error = circle(distance, mass, precision, forces)
        expect(isinstance(error, float) and error < ALLOWED[precision], unit, precision, forces, error)
# A tiny softening counts: it slows the circle by a known factor.
for softening in (0.25e-12, 1e-11):
    mass, distance = 1, 1e-10
    expected = 1 - (1 + (softening / distance) ** 2) ** -0.75
    error = circle(distance, mass, "mixed", "gather", repr(softening))
    expect(isinstance(error, float) and error < 4 * expected + 1e-6, "softening", softening, error, expected)
for distance, mass in ((3e19, 1.327e20), (1e-19, 1)):
    said = circle(distance, mass, "single", "gather")
    expect(isinstance(said, str) and "single precision" in said and "--precision double" in said, distance, said)
    expect(circle(distance, mass, "double", "gather") < 1e-12, distance, "in double")

# Bodies at one place.
bodies([(1e-3, 1, 2, 3, 0, 0, 0)] * 1000 + [(1, 0, 0, 0, 0, 0, 0)])
for precision in ("single", "double"):
    code, said, _ = moved("--softening", 0, "--dt", 0.01, "--steps", 8, "--precision", precision)
    expect(code == 0 and "1,000 bodies are at one place" in said and "softening is 0" in said, said)
    expect("time step of" not in said and len(said.splitlines()) == 1, said)
bodies([(1, 1, 0, 0, 0, 0, 0), (1, 1 + 1e-10, 0, 0, 0, 0, 0)])
code, said, _ = moved("--softening", 0, "--dt", 1e-20, "--steps", 1)
expect("2 bodies are at one place in single precision" in said and "--precision double" in said, said)

WORLD = """start_temperature = 0
{top}
[[kind]]
name = "a"
{kind}
[[fill]]
shape = "list"
kind = "a"
positions = {positions}
{fill}
{law}
[ensemble]
thermostat = "none"
dt = {dt}
"""


def world(law, positions, top="", kind="", fill="", dt=1e-9):
    text = WORLD.format(law=law, positions=positions, top=top, kind=kind, fill=fill, dt=dt)
    (HERE / "world.toml").write_text(text)


def particles(precision="double", steps=0):
    """The first and last row of diagnostics, or the message."""
    code, said = run("particles", "world.toml", "--steps", steps, "--precision", precision, "--diagnostics", "rows.csv")
    if code:
        return said
    with open(HERE / "rows.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return [{key: float(value) for key, value in row.items() if key in ("potential", "kinetic", "total")} for row in rows], said


def snippet(text, more=""):
    return f"[[pair]]\nname = \"mine\"\nsnippet = '''{text}'''\n{more}"


def ready(name, **parameters):
    values = ", ".join(f"{key} = {value}" for key, value in parameters.items())
    return f'[[pair]]\nlaw = "{name}"\nparameters = {{ {values} }}\n'


LIMITS = [(ready("gravity", G=1, softening=0.05), -20), (ready("gravity", G=2, softening=0.25), -8),
          (snippet("energy += r * r;"), 0), (snippet("energy += r2 + 3;"), 3), (snippet("energy += 7 * exp(-r2);"), 7),
          (snippet("energy += 100 * r;"), 0), (snippet("energy += 0 * invR;"), 0), (snippet("energy += 1 / (r2 + 0.5);"), 2),
          (ready("lennard-jones", epsilon=0), 0), (ready("soft-sphere", epsilon=0), 0), (ready("coulomb", k=3), 0),
          (ready("morse", depth=0), 0), (ready("yukawa", k=0), 0),
          (snippet("energy += k * pow(1 / r, 12) - k * pow(r, -6) + cos(r);", "parameters.k = 0"), 1),
          (snippet("energy += charge1 * charge2 * pow(invR, 9);"), 0)]
for law, energy in LIMITS:
    for precision, second in (("single", "[1, 1, 1]"), ("double", "[1, 1, 1]"), ("mixed", "[1, 1, 1]"), ("single", "[1e-30, 0, 0]")):
        if precision == "mixed" and "exp" not in law:
            continue
        world(law, f"[{second.replace('1e-30', '0')}, {second}]")
        found = particles(precision, 2)
        expect(not isinstance(found, str) and abs(found[0][-1]["total"] - energy) <= 1e-6 * abs(energy), law, precision, second, found)
for law, name in [(ready("lennard-jones", epsilon=1), "lennard-jones"), (ready("gravity", softening=0), "gravity"),
                  (snippet("energy += log(r);"), "mine"), (snippet("energy += 1e-3 / r;"), "mine"),
                  (snippet("energy += r2;") + '[[pair]]\nname = "other"\nsnippet = "energy += 1 / r2;"\n', "other")]:
    for precision in ("single", "double"):
        world(law, "[[0, 0, 0], [2, 0, 0], [4, 0, 0], [2, 0, 0]]")
        said = particles(precision)
        expect(isinstance(said, str) and f"the law {name} gives no finite force between particles 1 and 3 at step 0" in said, law, precision, said)
# Two particles fly at each other and meet exactly at step 64.
world(snippet("energy += 1e-30 / r2;"), "[[-0.5, 0, 0], [0.5, 0, 0]]", fill="velocities = [[0.5, 0, 0], [-0.5, 0, 0]]", dt=0.015625)
said = particles("double", 100)
expect(isinstance(said, str) and "between particles 0 and 1 at step 64" in said, said)

# A tether that crosses the face of the box conserves the energy.
BOX = "[box]\nlengths = 20\n"
for place, warned in (("nearest(position1 - (real4)(9.9, 0, 0, 0)).x", False), ("(position1.x - 9.9)", True)):
    tether = f'[[group]]\nname = "tether"\nmembers = 1\nsnippet = "energy += 500 * pow({place}, 2);"\n'
    world(tether, "[[9.8, 0, 0]]", BOX, fill="velocities = [[5, 0, 0]]", dt=0.0005)
    found = particles("double", 2000)
    said = found if isinstance(found, str) else found[1]
    expect(("the law tether uses positions" in said and "nearest(" in said) == warned, said)
    if not warned:
        expect(not isinstance(found, str) and abs(found[0][-1]["total"] - 17.5) < 0.01, found)

# Positions far outside a box are wrapped before they are rounded.
energies = []
for shift in (0, -2e4, 2e7, -4e9):
    world(ready("lennard-jones", epsilon=1) + "cutoff = 2.5\n", f"[[{9.5 + shift}, 0.5, 0.25], [{10.75 + shift}, 0.5, 0.25]]", BOX)
    energies.append([particles(precision)[0][0]["potential"] for precision in ("single", "mixed", "double")])
exact = 4 * (1.25**-12 - 1.25**-6)
expect(all(abs(energy - exact) < 2e-6 for row in energies for energy in row), energies, exact)

# Held particles.
world(ready("lennard-jones", epsilon=1), "[[0, 0, 0], [1.1, 0, 0]]", 'constraints = [[0, 1, 1]]', kind="mass = 0")
said = particles()
expect(isinstance(said, str) and "between the particles 0 and 1, which are both held" in said, said)
world(ready("lennard-jones", epsilon=1), "[[0, 0, 0], [1.5, 0, 0]]", kind="mass = 0", fill="velocities = [[0, 0, 0], [3, 0, 0]]")
found = particles("double", 2)
expect(not isinstance(found, str) and "particle 1 is held in place" in found[1], found)

# All loops together may have 4096 iterations.
for text, allowed in (("for (int i = 0; i < 4096; ++i) s += 1;", True), ("for (int i = 0; i < 4097; ++i) s += 1;", False),
                      ("int i = 0; do { s += 1; ++i; } while (i < 4096);", True), ("int i = 0; do { s += 1; ++i; } while (i < 4097);", False),
                      ("for (int k = 0; k < 2; ++k) for (int i = 0; i < 2047; ++i) s += 1;", True),
                      ("for (int k = 0; k < 2; ++k) for (int i = 0; i < 2048; ++i) s += 1;", False)):
    world(snippet(f"real s = 0; {text} energy += s * r2;"), "[[0, 0, 0], [1, 0, 0]]")
    found = particles()
    expect(isinstance(found, str) != allowed, text, found)

print("all is as the closed forms are" if failures == 0 else f"{failures} failures")
sys.exit(failures != 0)
