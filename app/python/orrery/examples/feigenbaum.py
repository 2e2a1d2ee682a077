"""Feigenbaum's number δ = 4.6692…, measured from pictures of the Mandelbrot set.

On the real axis, left of the set's main body, the orbits of z² + c run into cycles of 2, 4, 8 … points. `detail` tells the
period at each pixel. A picture around the end of a period shows where it doubles; a narrower one there shows it more exactly.
The distances from doubling to doubling shrink by the factor δ.
"""
import sys

import numpy as np

import orrery


def doubling(period: int, guess: float, span: float, pictures: int) -> float:
    """The point c of the real axis where cycles of the period become cycles of twice as many points. Close to it, cycles
    attract slowly, and their period is known only after many iterations."""
    for _ in range(pictures):
        nu = orrery.mandelbrot((repr(guess), "0"), span, (257, 1), iterations=100000 * period, detail=True, prove=0)
        assert nu.detail is not None
        periods = -np.round(nu.detail[0])  # of the real axis; 0: unknown
        before = np.flatnonzero(periods == period)
        if not len(before) or before.min() == 0:
            break  # closer than what the iterations tell apart
        guess += float(before.min() - 0.5 - 128) * span / 257
        span /= 50
    return guess


def main(small: bool = False) -> float:
    levels, pictures = (4, 2) if small else (7, 2)
    ends = [doubling(1, -0.75, 0.5, pictures), doubling(2, -1.25, 0.2, pictures)]
    delta = 4.7  # a guess, to know where to look
    print("period      doubles at c            δ")
    print(f"{1:6}  {ends[0]:.14f}\n{2:6}  {ends[1]:.14f}")
    for level in range(2, levels):
        step = (ends[-1] - ends[-2]) / delta
        ends.append(doubling(2 ** level, ends[-1] + step, abs(step), pictures))
        delta = (ends[-2] - ends[-3]) / (ends[-1] - ends[-2])
        print(f"{2 ** level:6}  {ends[-1]:.14f}  {delta:.6f}")
    return delta


if __name__ == "__main__":
    main("--small" in sys.argv)
