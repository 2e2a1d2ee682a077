#!/usr/bin/env python3
"""Fills files of tests/oracle/mandelbrot_points/ for views in which no orbit can be iterated: beside the cusp 1/4, and in
the valley at -3/4. Needs mpmath.

  mandelbrot_passage_points.py FILE...

The files are those of mandelbrot_points.cpp. With z = 1/2 + w and c = 1/4 + e an iteration is F(w) = w + w^2 + e; with
z = -1/2 + w and c = -3/4 + e it is h(w) = -w + w^2 + e, and two of them are F(w) = h(h(w)) = w - 2w^3 - 2ew + ... An
orbit is iterated until it is near 0, and again until it escapes; between these its iterations are the time of the flow
of a vector field X whose map after the time 1 is F, as a formal series of w (weight 1) and e (weight 2), truncated at a
weight beyond which the terms are negligible (A. Douady and P. Sentenac; J. Ecalle). This shares neither code nor method
with the product, which composes polynomials. Pixels with more than one passage are left out. The limit 0 in the files
means no limit.
"""
import pathlib
import random
import sys
from fractions import Fraction

from mpmath import mp, mpc, mpf

mp.dps = 50


class Passage:
    def __init__(self, near, weight):
        self.near, self.weight = mpf(near), weight
        self.x = self.vector_field()

    def product(self, a, b):
        result = {}
        for (i, k), p in a.items():
            for (m, n), q in b.items():
                if i + m + 2 * (k + n) <= self.weight:
                    result[i + m, k + n] = result.get((i + m, k + n), 0) + p * q
        return result

    def flow(self, x):
        """exp(X) applied to w, minus w."""
        term, result, factorial = dict(x), dict(x), 1
        for n in range(2, self.weight):
            term = self.product({(i - 1, k): i * p for (i, k), p in term.items() if i > 0}, x)
            factorial *= n
            for key, p in term.items():
                result[key] = result.get(key, 0) + p / factorial
        return result

    def vector_field(self):
        """Solves exp(X) = map, weight by weight."""
        x = {}
        for weight in range(2, self.weight + 1):
            flow = self.flow(x) if x else {}
            for key in {*flow, *self.MAP}:
                rest = self.MAP.get(key, 0) - flow.get(key, Fraction(0))
                if key[0] + 2 * key[1] == weight and rest != 0:
                    x[key] = x.get(key, Fraction(0)) + rest
        return {key: mpf(p.numerator) / p.denominator for key, p in x.items() if p != 0}

    def field(self, e, w):
        return sum(p * w**i * e**k for (i, k), p in self.x.items())

    def time(self, e, a, b):
        """The integral from a to b along the path of the flow of X's first terms, parametrised by its phase."""
        rows = [mpf(0)] * (self.weight + 1)
        for (i, k), p in self.x.items():
            rows[i] += p * e**k
        ends = self.phase(e, a), self.phase(e, b)

        def speed(phase):
            w, dw = self.at_phase(e, phase)
            return dw / mp.polyval(rows[::-1], w)

        gaps = [d for d in (abs(e) ** mpf(0.5) * mpf(10) ** n for n in range(-2, 40)) if d < 1]
        middle = (ends[1] - ends[0]) / 2
        cuts = [ends[0] + middle * d for d in gaps] + [ends[1] - middle * d for d in reversed(gaps)]
        return mp.quad(speed, [ends[0], *cuts, ends[1]])

    def nu(self, e, radius):
        w, n = mpc(-self.FIXED), 0
        while abs(w) > self.near or n % self.STEPS or (self.STEPS > 1 and w.real < 0):
            w = self.step(e, w)
            n += 1
            if n > 20000:
                return None
        after = self.far_end(e)
        whole = int(mp.floor(mp.re(self.time(e, w, after))))
        for _ in range(60):  # Newton's iteration for the point after this number of iterations of F
            step = (self.time(e, w, after) - whole) * self.field(e, after)
            after -= step
            if abs(step) < mpf(10) ** (10 - mp.dps):
                break
        n, w = n + self.STEPS * whole, after
        for _ in range(20000):
            z = w + self.FIXED
            if abs(z) > radius:
                return n + 1 - mp.log(mp.log(abs(z)) / mp.log(radius), 2)
            w = self.step(e, w)
            n += 1
        return None


class Cusp(Passage):
    POINT, FIXED, STEPS = mpf(1) / 4, mpf(1) / 2, 1
    MAP = {(2, 0): Fraction(1), (0, 1): Fraction(1)}

    def step(self, e, w):
        return w + w * w + e

    def inside(self, e):
        q = abs(e) ** 2
        return q * (q + e.real) < e.imag**2 / 4

    def far_end(self, e):
        return self.near

    def phase(self, e, w):  # w = sqrt(e) tan(phase)
        return mp.atan(w / mp.sqrt(e))

    def at_phase(self, e, phase):
        w = mp.sqrt(e) * mp.tan(phase)
        return w, (w * w + e) / mp.sqrt(e)


class Valley(Passage):
    POINT, FIXED, STEPS = mpf(-3) / 4, mpf(-1) / 2, 2
    # h(h(w)) - w
    MAP = {(3, 0): Fraction(-2), (4, 0): Fraction(1), (1, 1): Fraction(-2), (2, 1): Fraction(2), (0, 2): Fraction(1)}

    def step(self, e, w):
        return -w + w * w + e

    def inside(self, e):
        q = abs(e - 1) ** 2
        return q * (q + e.real - 1) < e.imag**2 / 4 or abs(e + mpf(1) / 4) < mpf(1) / 4

    def far_end(self, e):
        return mpc(0, -self.near if e.imag > 0 else self.near)

    # u = w^2 passes around 0 from right to left: u' = -4u(u + e), u / (u + e) = exp(phase).
    def phase(self, e, w):
        u = w * w
        turn = 0 if u.real > 0 else (-2j if e.imag > 0 else 2j) * mp.pi
        return mp.log(u / (u + e)) + turn

    def at_phase(self, e, phase):
        u = e / mp.expm1(-phase)
        root = mp.sqrt(1j if e.imag > 0 else -1j)
        w = mp.sqrt(u * root * root) / root
        return w, u * (u + e) / e / (2 * w)


def fill(path):
    lines = path.read_text().splitlines()
    head = [line for line in lines if not line[0].isdigit()]
    view = dict(line.split(" ", 1) for line in head)
    passage = Cusp("1e-3", 16) if mpf(view["re"]) > 0 else Valley("1e-2", 20)
    width, height = map(int, view["size"].split())
    numbers = random.Random(20)
    rows = []
    while len(rows) < int(view["points"]):
        i, j = numbers.randrange(width), numbers.randrange(height)
        at = mpc(mpf(2 * i + 1 - width) / (2 * width), mpf(height - 1 - 2 * j) / (2 * width))
        e = mpc(mpf(view["re"]), mpf(view["im"])) - passage.POINT + at * mpf(view["span"])
        value = mpf(-1) if passage.inside(e) else passage.nu(e, mpf(view["radius"]))
        if value is not None:
            rows.append(f"{i} {j} " + ("-1" if value == -1 else mp.nstr(value, 26, min_fixed=-99, max_fixed=99)))
        print(f"{path} {len(rows)} of {view['points']}", file=sys.stderr)
    path.write_text("\n".join(head + rows) + "\n")


for name in sys.argv[1:]:
    fill(pathlib.Path(name))
