#!/usr/bin/env python3
"""Fills files of tests/oracle/mandelbrot_points/ beside the cusp 1/4, where no orbit can be iterated. Needs mpmath.

  mandelbrot_cusp_points.py FILE...

The files are those of mandelbrot_points.cpp. With z = 1/2 + w and c = 1/4 + e an iteration is F(w) = w + w^2 + e. An
orbit is iterated up to |w| < 1/1000, and again from |w| > 1/1000 to its escape; between these its iterations are the
time of the flow of a vector field X whose map after the time 1 is F, as a formal series of w (of weight 1) and e (of
weight 2): X = w^2 + e - ..., cut at a weight where nothing is left of it (A. Douady and P. Sentenac; J. Ecalle). This
shares neither code nor method with the product, which composes polynomials. Pixels that take more than one passage are
left out. There is no limit: the files have 0 for it.
"""
import pathlib
import random
import sys
from fractions import Fraction

from mpmath import mp, mpc, mpf

WEIGHT = 16
NEAR = mpf(1) / 1000
mp.dps = 90


def product(a, b):
    result = {}
    for (i, k), p in a.items():
        for (m, n), q in b.items():
            if i + m + 2 * (k + n) <= WEIGHT:
                result[i + m, k + n] = result.get((i + m, k + n), 0) + p * q
    return result


def derivative(a):
    return {(i - 1, k): i * p for (i, k), p in a.items() if i > 0}


def flow(x):
    """exp(X) applied to w, less w."""
    term, result, factorial = dict(x), dict(x), 1
    for n in range(2, WEIGHT):
        term = product(derivative(term), x)
        factorial *= n
        for key, p in term.items():
            result[key] = result.get(key, 0) + p / factorial
    return result


def vector_field():
    x = {(2, 0): Fraction(1), (0, 1): Fraction(1)}
    for weight in range(3, WEIGHT + 1):
        for (i, k), p in flow(x).items():
            if i + 2 * k == weight and p != 0:
                x[i, k] = x.get((i, k), Fraction(0)) - p
    return {key: mpf(p.numerator) / p.denominator for key, p in x.items() if p != 0}


X = vector_field()


def time(e, a, b):
    """From a to b, in the variable in which w^2 + e is a constant speed."""
    root = mp.sqrt(e)
    rows = {}
    for (i, k), p in X.items():
        rows[i] = rows.get(i, 0) + p * e**k

    def speed(phase):
        w = root * mp.tan(phase)
        return (w * w + e) / root / mp.polyval([rows.get(i, 0) for i in range(WEIGHT, -1, -1)], w)

    # From end to end 1/speed is nearly constant but for the ends.
    ends = [mp.atan(a / root), mp.atan(b / root)]
    cuts = [root * 10**n / NEAR for n in range(1, 40) if abs(root * 10**n / NEAR) < 1]
    inner = [-mp.pi / 2 + d for d in cuts] + [mpf(0)] + [mp.pi / 2 - d for d in reversed(cuts)]
    return mp.quad(speed, [ends[0], *inner, ends[1]])


def nu(c, radius):
    e, w, n = c - mpf(1) / 4, mpc(-1) / 2, 0
    while abs(w) > NEAR:
        w = w + w * w + e
        n += 1
        if n > 5000:
            raise ValueError("does not come near 1/2")
    whole = int(mp.floor(mp.re(time(e, w, NEAR))))
    after = NEAR
    for _ in range(60):  # Newton's iteration for the point that is so many iterations on
        field = sum(p * after**i * e**k for (i, k), p in X.items())
        step = (time(e, w, after) - whole) * field
        after -= step
        if abs(step) < mpf(10) ** -60:
            break
    n, w = n + whole, after
    for _ in range(6000):
        z = w + mpf(1) / 2
        if abs(z) > radius:
            return n + 1 - mp.log(mp.log(abs(z)) / mp.log(radius), 2)
        w = w + w * w + e
        n += 1
    return None


def fill(path):
    lines = path.read_text().splitlines()
    head = [line for line in lines if not line[0].isdigit()]
    view = dict(line.split(" ", 1) for line in head)
    width, height = map(int, view["size"].split())
    numbers = random.Random(20)
    rows = []
    while len(rows) < int(view["points"]):
        i, j = numbers.randrange(width), numbers.randrange(height)
        at = mpc(mpf(2 * i + 1 - width) / (2 * width), mpf(height - 1 - 2 * j) / (2 * width))
        e = mpc(mpf(view["re"]), mpf(view["im"])) + at * mpf(view["span"]) - mpf(1) / 4
        q = abs(e) ** 2
        if q * (q + e.real) < e.imag**2 / 4:
            rows.append(f"{i} {j} -1")
            continue
        value = nu(e + mpf(1) / 4, mpf(view["radius"]))
        if value is not None:
            rows.append(f"{i} {j} {mp.nstr(value, 26, min_fixed=-99, max_fixed=99)}")
        print(f"{path} {len(rows)} of {view['points']}", file=sys.stderr)
    path.write_text("\n".join(head + rows) + "\n")


for name in sys.argv[1:]:
    fill(pathlib.Path(name))
