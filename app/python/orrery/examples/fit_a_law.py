"""A force law fitted to data: where particles are after some time tells how they repel each other.

The data are the positions of particles that repel each other by an energy strength / r^exponent, with noise. Strength and
exponent are then found again: by Gauss and Newton's method, whose derivatives are differences of two simulations.
"""
import sys

import numpy as np

import orrery

WORLD = """
name = "Particles that repel each other"
[[kind]]
name = "bead"
[[fill]]
shape = "lattice"
kind = "bead"
count = {count}
size = [{side}, {side}, {side}]
jitter = 0.3
[[pair]]
name = "repulsion"
snippet = "energy += strength * pow(r, -exponent);"
parameters = {{ strength = {{ value = 1, minimum = 0, maximum = 10 }}, exponent = {{ value = 1, minimum = 0.1, maximum = 12 }} }}
[ensemble]
dt = 0.01
"""
TRUE_LAW = np.array([1.7, 2.5])  # strength and exponent
NOISE = 0.001


def positions(law: np.ndarray, count: int, steps: int) -> np.ndarray:
    """The coordinates of all particles at the end, under a law of that strength and exponent."""
    numbers = {"repulsion/strength": law[0], "repulsion/exponent": law[1]}
    world = WORLD.format(count=count, side=1.5 * count ** (1 / 3))
    sim = orrery.Particles(world, precision="double", burst=steps, **numbers)
    return np.ravel(sim.run(steps).positions)


def fitted(data: np.ndarray, count: int, steps: int, rounds: int) -> np.ndarray:
    law, difference = np.array([1.0, 2.0]), 1e-4
    for number in range(rounds):
        now = positions(law, count, steps)
        slopes = np.stack([(positions(law + difference * axis, count, steps) - now) / difference for axis in np.eye(2)], axis=1)
        law = law + np.linalg.lstsq(slopes, data - now, rcond=None)[0]
        print(f"round {number + 1}: strength {law[0]:.5f}, exponent {law[1]:.5f}, "
              f"root mean square before {np.sqrt(np.mean((data - now) ** 2)):.2g}")
    return law


def main(small: bool = False) -> np.ndarray:
    count, steps, rounds = (64, 50, 3) if small else (1000, 200, 6)
    data = positions(TRUE_LAW, count, steps)
    data = data + np.random.default_rng(1).normal(0, NOISE, data.shape)
    law = fitted(data, count, steps, rounds)
    print(f"found {law[0]:.4f} and {law[1]:.4f}; the data were made with {TRUE_LAW[0]} and {TRUE_LAW[1]}")
    return law


if __name__ == "__main__":
    main("--small" in sys.argv)
