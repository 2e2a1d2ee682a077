"""How the error of the energy falls with the time step: as its square for leapfrog, as its fourth power for pefrl.

Two bodies go round each other on an ellipse of eccentricity 0.5. Their energy should stay; the largest difference from the
first value is the error of an integrator and its step. On a plot with two logarithmic axes, the slope is the order.
"""
import sys

import numpy as np

import orrery


def largest_error(integrator: str, steps: int, time: float) -> float:
    """The largest relative error of the energy on the way to that time."""
    sim = orrery.NBody("kepler:0.5", integrator=integrator, dt=time / steps, softening=0, precision="double", burst=max(1, steps // 100))
    total = sim.run(steps).energies().total
    return float(np.max(np.abs(total / total[0] - 1)))


def main(small: bool = False) -> dict[str, float]:
    time, orders = 2.0, {}
    steps = np.array([400, 800, 1600] if small else [200, 400, 800, 1600, 3200])
    print("integrator   " + "".join(f"dt = {time / n:<10.5g}" for n in steps) + "order")
    for integrator in ("leapfrog", "pefrl"):
        errors = [largest_error(integrator, int(n), time) for n in steps]
        orders[integrator] = float(np.polyfit(np.log(time / steps), np.log(errors), 1)[0])
        print(f"{integrator:13}" + "".join(f"{error:<15.3g}" for error in errors) + f"{orders[integrator]:.2f}")
    return orders


if __name__ == "__main__":
    main("--small" in sys.argv)
