"""The rotation curve of a disc: the speed of its bodies by their distance from the middle, and that of circular orbits.

On a circle, speed² / radius is the pull towards the middle. The pull is summed here by NumPy, over all bodies, at points of
circles; the speeds are those of the disc's stars, which have the smallest masses, and move among a bulge and a halo. Stars
do not move on circles exactly: their mean speed is lower, most of all in the middle (the asymmetric drift).
"""
import sys

import numpy as np

import orrery


class Disc:
    """The bodies as the disc has them: around its middle, with its axis, which is that of the angular momentum, as third axis."""

    def __init__(self, sim: orrery.NBody):
        self.masses = sim.masses
        x = sim.positions - np.average(sim.positions, axis=0, weights=self.masses)
        v = sim.velocities - np.average(sim.velocities, axis=0, weights=self.masses)
        axis = np.sum(self.masses[:, None] * np.cross(x, v), axis=0)
        axes, _ = np.linalg.qr(np.stack([axis, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], axis=1))
        turned = np.stack([axes[:, 1], axes[:, 2], axis / np.linalg.norm(axis)])
        self.x, self.v = x @ turned.T, v @ turned.T
        self.radii = np.hypot(self.x[:, 0], self.x[:, 1])
        self.stars = self.masses < 1.01 * self.masses.min()

    def rotation(self, edges: np.ndarray) -> np.ndarray:
        """The mean speed of the stars around the axis in each ring between the edges."""
        around = np.abs(self.x[:, 0] * self.v[:, 1] - self.x[:, 1] * self.v[:, 0]) / self.radii
        ring = np.digitize(self.radii, edges) - 1
        return np.array([np.mean(around[self.stars & (ring == k)]) for k in range(len(edges) - 1)])

    def circular(self, radii: np.ndarray, softening: float) -> np.ndarray:
        """The speed on circles of these radii in the plane of the disc, from the pull at 32 points of each."""
        speeds = []
        for radius in radii:
            pulls = []
            for angle in np.linspace(0, 2 * np.pi, 32, endpoint=False):
                out = np.array([np.cos(angle), np.sin(angle), 0.0])
                apart = self.x - radius * out
                cubes = (np.sum(apart ** 2, axis=1) + softening ** 2) ** 1.5
                pulls.append(-np.sum(self.masses * (apart @ out) / cubes))
            speeds.append(np.sqrt(max(0.0, radius * np.mean(pulls))))
        return np.array(speeds)


def main(small: bool = False) -> tuple[np.ndarray, np.ndarray]:
    bodies, steps = (4096, 20) if small else (65536, 400)
    sim = orrery.NBody("disc", bodies=bodies, seed=3, burst=steps).run(steps, progress=not small)
    disc = Disc(sim)
    nearest, farthest = np.quantile(disc.radii[disc.stars], [0.1, 0.95])
    edges = np.linspace(nearest, farthest, 9)
    radii = (edges[1:] + edges[:-1]) / 2
    found, wanted = disc.rotation(edges), disc.circular(radii, float(sim.parameters["softening"]))
    print(f"{sim!r}\nradius   mean speed   speed on a circle")
    for radius, speed, circle in zip(radii, found, wanted):
        print(f"{radius:6.3f}   {speed:10.4f}   {circle:10.4f}")
    return found, wanted


if __name__ == "__main__":
    main("--small" in sys.argv)
