"""A film: two clusters that NumPy makes fall into each other.

The bodies of a Plummer sphere are drawn here: radii from the mass that lies within, speeds from its distribution by von
Neumann's rejection. The program then draws their motion without a window. Without ffmpeg, the film is an animated .png.
"""
import pathlib
import sys

import numpy as np

import orrery

Sphere = tuple[np.ndarray, np.ndarray]


def directions(count: int, random: np.random.Generator) -> np.ndarray:
    vectors = random.normal(size=(count, 3))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1)[:, None])


def plummer(count: int, random: np.random.Generator) -> Sphere:
    """Positions and velocities of a sphere of mass 1 and scale 1, in equilibrium with G = 1."""
    radius = 1 / np.sqrt(random.uniform(0.001, 0.999, count) ** (-2 / 3) - 1)
    part = np.empty(0)  # of the escape velocity: its density is proportional to q² (1 − q²)^3.5
    while len(part) < count:
        q, height = random.uniform(0, 1, 4 * count), random.uniform(0, 0.1, 4 * count)
        part = np.concatenate([part, q[height < q ** 2 * (1 - q ** 2) ** 3.5]])
    speed = part[:count] * np.sqrt(2) * (1 + radius ** 2) ** -0.25
    return radius[:, None] * directions(count, random), speed[:, None] * directions(count, random)


def main(small: bool = False) -> orrery.Film:
    each, seconds, size = (500, 0.4, (160, 90)) if small else (20000, 12, (1280, 720))
    random = np.random.default_rng(7)
    (x1, v1), (x2, v2) = plummer(each, random), plummer(each, random)
    aside, thrown = np.array([4.0, 1.0, 0.0]), np.array([-0.3, 0.0, 0.0])
    sim = orrery.NBody(np.concatenate([x1 - aside, x2 + aside]), np.concatenate([v1 - thrown, v2 + thrown]), 1 / each,
                       dt=0.02, softening=0.05, burst=2)
    film = sim.film(seconds, size, color_by="speed", camera_distance=14, camera_orbit=10, progress=not small)
    path = pathlib.Path("clusters" + (".png" if film.path.is_dir() else film.path.suffix))
    film.save(path)
    print(f"{path}: {seconds} s of {len(sim)} bodies")
    return film


if __name__ == "__main__":
    main("--small" in sys.argv)
