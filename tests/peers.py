"""Force errors against direct sums in double, and CPU seconds per evaluation, of Orrery's tree and other programs' trees.

Run by peers.sh as peers.py ORRERY FOLDER BODIES. All runs have no softening, because the programs soften differently.
A cell opens if width / distance > angle in REBOUND and in Orrery, where the width of a node is 2/√3 of its radius.
"""
import csv
import os
import resource
import subprocess
import sys
import time

import numpy
import pytreegrav
import rebound

ORRERY, FOLDER, BODIES = sys.argv[1], sys.argv[2], int(sys.argv[3])
SAMPLE = 2000
ROW = "{:8} {:24} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}"


def positions_of(name, random):
    if name == "cube":
        return random.uniform(-1, 1, (BODIES, 3))
    radius = 1 / numpy.sqrt(random.uniform(0, 1, BODIES) ** (-2 / 3) - 1)
    direction = random.normal(size=(BODIES, 3))
    return direction * (radius / numpy.linalg.norm(direction, axis=1))[:, None]


def direct_sums(x, chosen):
    sums = numpy.zeros((len(chosen), 3))
    for k, i in enumerate(chosen):
        d = x - x[i]
        r2 = (d**2).sum(axis=1)
        r2[i] = 1
        sums[k] = (d * r2[:, None] ** -1.5).sum(axis=0) / BODIES
    return sums


def orrery(*options):
    """The output, and the CPU seconds of all threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([ORRERY, "nbody", *options], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_orrery(x, options):
    """A step of `tutorial` of length 1 from rest ends with the accelerations as velocities."""
    rows = numpy.column_stack([numpy.full(BODIES, 1 / BODIES), x, numpy.zeros_like(x)])
    numpy.save(f"{FOLDER}/in.npy", rows)
    common = ["--initial", f"{FOLDER}/in.npy", "--softening", "0", *options]
    orrery(*common, "--integrator", "tutorial", "--dt", "1", "--steps", "1", "--out", f"{FOLDER}/out.npy")
    # The first run compiles.
    _, short, long = (orrery(*common, "--dt", "1e-9", "--burst", "100", "--steps", str(n))[1] for n in (2, 1, 11))
    return numpy.load(f"{FOLDER}/out.npy")[:, 4:], (long - short) / 10


def timed(evaluate):
    evaluate()  # compiles or builds the tree
    begin = time.process_time()
    result = evaluate()
    return result, time.process_time() - begin


def by_rebound(x, angle):
    simulation = rebound.Simulation()
    simulation.integrator, simulation.gravity, simulation.dt = "leapfrog", "tree", 1e-12
    simulation.opening_angle2, simulation.root_size = angle**2, 2.01 * abs(x).max()
    for p in x:
        simulation.add(m=1 / BODIES, x=p[0], y=p[1], z=p[2])
    _, seconds = timed(lambda: simulation.steps(1))
    return numpy.array([[p.ax, p.ay, p.az] for p in simulation.particles]), seconds


def by_pytreegrav(x, angle, quadrupole):
    masses = numpy.full(BODIES, 1 / BODIES)
    return timed(lambda: pytreegrav.Accel(x, masses, theta=angle, method="tree", quadrupole=quadrupole, parallel=True))


def compare(name):
    random = numpy.random.default_rng(1)
    x = positions_of(name, random).astype(numpy.float32).astype(float)
    chosen = random.choice(BODIES, min(SAMPLE, BODIES), replace=False)
    true = direct_sums(x, chosen)

    def row(method, angle, found):
        errors = numpy.linalg.norm(found[0][chosen] - true, axis=1) / numpy.linalg.norm(true, axis=1)
        figures = [f"{value:.1e}" for value in (*numpy.percentile(errors, [50, 90, 99]), errors.max())]
        print(ROW.format(name, method, angle, *figures, f"{found[1]:.3f} s"), flush=True)

    for angle in (0.5, 0.7):
        row("REBOUND monopole", angle, by_rebound(x, angle))
        for order in ("monopole", "quadrupole"):
            row(f"pytreegrav {order}", angle, by_pytreegrav(x, angle, order == "quadrupole"))
            row(f"Orrery {order}", angle, by_orrery(x, ["--forces", "tree", "--order", order, "--opening-angle", str(angle)]))
    for error in ("5e-3", "5e-4"):
        row(f"Orrery quadrupole {error}", "-", by_orrery(x, ["--forces", "tree", "--force-error", error]))
    row("Orrery all pairs", "-", by_orrery(x, ["--forces", "gather"]))


def energies(forces, *options):
    """The energies of Bonsai's example at the beginning and after 160 steps, by sums over all pairs in double."""
    begin, end = f"{FOLDER}/galaxy.tipsy", f"{FOLDER}/end.npy"
    text, _ = orrery("--initial", begin, "--dt", "0.0625", "--softening", "0.05", "--steps", "160", "--forces", forces,
                     "--out", end, *options)
    totals = []
    for file in (begin, end):
        orrery("--initial", file, "--softening", "0.05", "--steps", "0", "--forces", "gather", "--precision", "double",
               "--diagnostics", f"{FOLDER}/energy.csv")
        with open(f"{FOLDER}/energy.csv") as table:
            totals.append(float(list(csv.DictReader(table))[0]["total"]))
    print(f"{forces:8} {' '.join(options):28} E(0) = {totals[0]:.4f}  E(10) = {totals[1]:.4f}", flush=True)
    return totals[1]


print(ROW.format("set", "method", "angle", "50 %", "90 %", "99 %", "largest", "time"))
for set_of_bodies in ("cube", "plummer"):
    compare(set_of_bodies)
if os.path.exists(f"{FOLDER}/galaxy.tipsy"):
    print("\nBonsai's example galaxy, 22,000 bodies, softening 0.05, time step 1/16; its README prints E(10) = -417.1994")
    exact = energies("gather")
    for options in ([], ["--opening-angle", "0.75"]):
        error = abs(energies("tree", *options) / exact - 1)
        if error > 2e-3:
            sys.exit(f"E(10) differs from all pairs' by {error:.1e}, which is more than 0.2 %")
