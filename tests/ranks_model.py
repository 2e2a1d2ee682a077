#!/usr/bin/env python3
"""Checks a model of the scaling of ranks: not in the test run, as root, about four minutes.

usage: ranks_model.py PATH-TO-ORRERY

Ranks run in a network namespace whose loopback is limited to a rate (tc tbf), so that all their messages share one link.
Each rank computes on one core. The cost of computing is the CPU time of a step of one rank (for a tree also of two: the
part that both repeat). The model then predicts the time of a step on several ranks at several rates, and is printed beside
the least of several measured times, because other load on the machine lengthens these.

The model of a step of N bodies on K ranks, over a network with R bytes/s and L seconds a message:

  all pairs   max(W/K², X) + (W/K − W/K²)     W: pairs of N bodies on one device
  tree        B + W/K + X                     W: the walk; B: work of every rank: building the tree, moving the bodies
  exchange    X = 16 N (K−1)/K / R + (K−1) L  one machine receives and sends this
  here        X = 16 N (K−1) / R + (K−1) L    all messages pass through one link

The part of all pairs that needs no other rank's bodies, W/K², is computed while positions are exchanged. A tree of 524,288
bodies a rank or more is walked in two rounds: the first one's field travels during the second one's walk. Where ranks are
more than cores, computing takes K/cores times as long.
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

BINARY = pathlib.Path(sys.argv[1]).resolve()
SPACE = "orrery-ranks"
CORES = len(os.sched_getaffinity(0))
REPEATS = 3
LATENCY = 100e-6  # seconds per message: MPI over TCP, and the polls of its thread
BYTES = 16


def limit(megabits):
    """Creates the namespace again with that rate of its loopback; 0: unlimited."""
    subprocess.run(["ip", "netns", "del", SPACE], stderr=subprocess.DEVNULL, check=False)
    for command in (f"ip netns add {SPACE}", f"ip -n {SPACE} link set lo mtu 9000 up"):
        subprocess.run(command.split(), check=True)
    if megabits:  # a burst must be small against the data of a step
        subprocess.run(f"tc -n {SPACE} qdisc add dev lo root tbf rate {megabits}mbit burst 16kb latency 500ms".split(), check=True)


def run(ranks, steps, arguments):
    """(seconds of the steps, CPU seconds of all cores)"""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", POCL_MAX_PTHREAD_COUNT="1")
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo",
                "--mca", "oob_tcp_if_include", "lo", "-n", str(ranks)]
    command = ["ip", "netns", "exec", SPACE, *launcher, str(BINARY), "nbody", "--initial", "plummer", "--dt", "1e-4",
               "--steps", str(steps), "--burst", str(steps), *arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, env=dict(environment, XDG_STATE_HOME=folder), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = float(re.search(r" in ([0-9.e+-]+) s on ", done.stdout)[1])
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def seconds_of_step(ranks, steps, arguments):
    return min(run(ranks, steps, arguments)[0] for _ in range(REPEATS)) / steps


def processor_seconds_of_step(ranks, steps, arguments):
    """Seconds without the start of the run, which is the same for few steps."""
    few = steps // 5
    return (min(run(ranks, steps, arguments)[1] for _ in range(REPEATS)) -
            min(run(ranks, few, arguments)[1] for _ in range(REPEATS))) / (steps - few)


def exchange(bodies, ranks, rate, shared):
    if ranks == 1:
        return 0
    carried = BYTES * bodies * (ranks - 1) / (1 if shared else ranks)
    return (carried / rate if rate else 0) + (ranks - 1) * LATENCY


def step(kind, times, bodies, ranks, rate, shared=False, cores=None):
    fixed, work = times
    crowd = max(1, ranks / cores) if cores else 1
    x = exchange(bodies, ranks, rate, shared)
    if kind == "tree":
        own = work / ranks * crowd
        rounds = min(max(bodies // ranks // (4096 * 64), 1), 2) if ranks > 1 else 1
        late = x if rounds == 1 else x / 2 + max(0, x / 2 - own / 2)
        return fixed * crowd + own + late
    own = work / ranks ** 2 * crowd
    return fixed * crowd + max(own, x) + (work / ranks * crowd - own)


def check(kind, bodies, steps, arguments, rates):
    """The times of one device, and the error of the model."""
    arguments = ["--bodies", str(bodies), *arguments]
    limit(0)
    alone = processor_seconds_of_step(1, steps, arguments)
    times = 0.0, alone
    if kind == "tree":  # one rank: B + W; two ranks: 2 B + W
        every = min(max(processor_seconds_of_step(2, steps, arguments) - alone, 0), alone)
        times = every, alone - every
    print(f"{kind}, {bodies} bodies: a core takes {1e3 * alone:.1f} ms a step, of which every rank does {1e3 * times[0]:.1f} ms")
    print("  ranks   Mbit/s    measured      model   measured/model")
    for ranks in (2, 4):
        for rate in (0, *rates):
            limit(rate)
            measured = seconds_of_step(ranks, steps, arguments)
            model = step(kind, times, bodies, ranks, rate * 1e6 / 8, shared=True, cores=CORES)
            print(f"  {ranks:5}   {rate or 'none':>6}   {1e3 * measured:6.1f} ms  {1e3 * model:6.1f} ms   {measured / model:.2f}", flush=True)
    return times


def predict(name, kind, of_times):
    print(f"predicted, 4 nodes of {name}:")
    for bodies in (10 ** 6, 10 ** 7):
        times = of_times(bodies)
        for gigabits in (10, 100):
            four = step(kind, times, bodies, 4, gigabits * 1e9 / 8)
            print(f"  {bodies:>8} bodies, {gigabits:3} Gb/s: a step takes {1e3 * four:.4g} ms in place of {1e3 * sum(times):.4g} ms, efficiency {sum(times) / 4 / four:.0%}")


def main():
    if os.geteuid() != 0 or not shutil.which("mpirun") or not shutil.which("tc"):
        sys.exit("this needs root (a network namespace), mpirun (openmpi-bin) and tc (iproute2)")
    try:
        pairs, sources = 8192, 16384
        gather = check("all pairs", pairs, 20, ["--forces", "gather"], (100, 20))
        tree = check("tree", sources, 10, ["--forces", "tree"], (100, 20))
    finally:
        subprocess.run(["ip", "netns", "del", SPACE], check=False)
    predict("one such core, all pairs", "all pairs", lambda n: (gather[0] * n / pairs, gather[1] * (n / pairs) ** 2))
    predict("one such core, tree", "tree", lambda n: tuple(t * n / sources for t in tree))
    # The manual: all pairs of an H100 at 2.4e12 interactions/s; its tree takes 24 ms for 8,388,608 bodies of a cube. The share
    # of B is assumed to be as large as here.
    predict("an H100, all pairs", "all pairs", lambda n: (0, n * n / 2.4e12))
    part = tree[0] / sum(tree)
    predict(f"an H100, tree ({part:.0%} done by all, as here)", "tree", lambda n: (part * 24e-3 * n / 8388608, (1 - part) * 24e-3 * n / 8388608))


if __name__ == "__main__":
    main()
