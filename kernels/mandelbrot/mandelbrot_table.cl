// Builds the table of bilinear approximation, one level per launch, from the level below.
//
// Definitions: those of mandelbrot_complex.clh.
#include "mandelbrot_table.clh"

// The program mirrors this struct.
typedef struct {
  uint last;     // of the reference orbit
  uint levels;   // of the table
  uint level;    // to be built, 1 ...
  float log2_epsilon;       // relative error of δ that a step may cause
  float log2_reach;         // log2 of the largest |Δc| of the picture
  float largest;            // a step never crosses a larger |Z|
} Building;

typedef struct {
  complex a, b, k;
  int a_exponent, b_exponent, k_exponent;
  float log2_radius;
} Merging;

inline float log2_of(complex z, int exponent) {
  const real x = fabs(RE(z)), y = fabs(IM(z)), larger = fmax(x, y);
  if (larger == 0) return -INFINITY;
  const real part = fmin(x, y) / larger;
  return (float)log2(larger) + 0.5f * (float)log2(1 + part * part) + (float)exponent;
}

// |Z|; 0 if it is negligible.
inline real modulus_of(uint m, global const complex* orbit, global const int* exponents) {
#if EXTENDED
  if (exponents[m] != 0) return 0;
#endif
  return hypot(RE(orbit[m]), IM(orbit[m]));
}

#if POWER == 2
// A = 2Z, B = 1, K = 1 / 2Z. This is exact; but z must stay farther from 0 than from Z, and |K·δ| within a quarter.
inline Merging single_step(uint i, global const complex* orbit, global const int* exponents, float log2_epsilon) {
  Merging step;
  step.a = orbit[i + 1] + orbit[i + 1];
  step.b = COMPLEX(1, 0);
  step.a_exponent = step.b_exponent = 0;
#if EXTENDED
  step.a_exponent = exponents[i + 1];
#endif
  const int shift = exponent_of(magnitude(step.a));
  step.k = reciprocal(scaled(step.a, -shift));
  step.k_exponent = -shift - step.a_exponent;
#if !EXTENDED
  step.k = scaled(step.k, step.k_exponent);
  step.k_exponent = 0;
#endif
  step.log2_radius = log2_of(step.a, step.a_exponent) - 3;
  return step;
}
#else
// A = d Z^(d - 1), B = 1, K = (d - 1) / 2Z. Omitted terms, (d - 1)(d - 2)/6 (δ/Z)² of the whole and higher powers, are
// at most epsilon.
inline Merging single_step(uint i, global const complex* orbit, global const int* exponents, float log2_epsilon) {
  Merging step;
  int exponent = exponent_of(magnitude(orbit[i + 1]));
  const complex z = scaled(orbit[i + 1], -exponent);
#if EXTENDED
  exponent += exponents[i + 1];
#endif
  step.a = z;
  for (int k = 2; k < POWER; ++k) step.a = multiply(step.a, z);
  step.a = times_real(step.a, POWER);
  step.b = COMPLEX(1, 0);
  step.k = times_real(reciprocal(z), (real)0.5 * (POWER - 1));
  step.a_exponent = (POWER - 1) * exponent;
  step.b_exponent = 0;
  step.k_exponent = -exponent;
  step.log2_radius = log2_of(z, exponent) + 0.5f * (log2_epsilon + log2(6.0f / ((POWER - 1) * (POWER - 2)))) - 0.1f;
#if !EXTENDED
  step.a = scaled(step.a, step.a_exponent);
  step.k = scaled(step.k, step.k_exponent);
  step.a_exponent = step.k_exponent = 0;
#endif
  return step;
}
#endif

inline Merging step_of_table(uint entry, global const Step* steps, global const float* radii) {
  Merging step;
  step.a = steps[entry].a;
  step.b = steps[entry].b;
  step.k = steps[entry].k;
  step.a_exponent = step.b_exponent = step.k_exponent = 0;
#if EXTENDED
  step.a_exponent = steps[entry].a_exponent;
  step.b_exponent = steps[entry].b_exponent;
  step.k_exponent = steps[entry].k_exponent;
#endif
  step.log2_radius = radii[entry];
  return step;
}

// The largest |δ|, as log2, for y after x:
//   - the result of x, at most 5/4·|A_x·δ| + |B_x·Δc|, is within y's radius;
//   - the omitted term in δ³, K_y·A_x·K_x·(2 + 1/4), is no more than epsilon of the whole;
//   - and |K·δ| is within a quarter.
// Omitted terms in δ·Δc and Δc², K_y·B_x·Δc·(2 + 1/2) of the whole, are no more than epsilon for any δ, or for none.
inline float merged_radius(const Merging* x, const Merging* y, const Merging* both, float log2_epsilon,
                           float log2_reach) {
  const float ax = log2_of(x->a, x->a_exponent), by_dc = log2_of(x->b, x->b_exponent) + log2_reach;
  const float kx = log2_of(x->k, x->k_exponent), ky = log2_of(y->k, y->k_exponent);
  if (!(by_dc < y->log2_radius && ky + by_dc + 1.33f < log2_epsilon)) return NEVER;
  const float within_y = y->log2_radius + log2(1 - exp2(by_dc - y->log2_radius)) - ax - 0.33f;
  const float cubic = 0.5f * (log2_epsilon - ky - ax - kx - 1.17f);
  const float quarter = -2 - log2_of(both->k, both->k_exponent);
  const float radius = fmin(fmin(x->log2_radius, within_y), fmin(cubic, quarter));
  return isfinite(within_y + cubic + quarter) ? radius : NEVER;  // A, B and K may overflow
}

// y after x: A = A_y·A_x, B = A_y·B_x + B_y, K = K_x + K_y·A_x.
inline Merging merged(const Merging* x, const Merging* y, float log2_epsilon, float log2_reach) {
  Merging both;
#if EXTENDED
  const extended ax = normal(x->a, x->a_exponent), bx = normal(x->b, x->b_exponent), kx = normal(x->k, x->k_exponent);
  const extended ay = normal(y->a, y->a_exponent), by = normal(y->b, y->b_exponent), ky = normal(y->k, y->k_exponent);
  const extended a = extended_product(ay, ax), b = extended_sum(extended_product(ay, bx), by);
  const extended k = extended_sum(kx, extended_product(ky, ax));
  both.a = a.value;
  both.b = b.value;
  both.k = k.value;
  both.a_exponent = a.exponent;
  both.b_exponent = b.exponent;
  both.k_exponent = k.exponent;
#else
  both.a = multiply(y->a, x->a);
  both.b = multiply_then_add(y->a, x->b, y->b);
  both.k = multiply_then_add(y->k, x->a, x->k);
  both.a_exponent = both.b_exponent = both.k_exponent = 0;
#endif
  both.log2_radius = merged_radius(x, y, &both, log2_epsilon, log2_reach);
  return both;
}

kernel void build_level(const Building building, global const complex* orbit, global const int* exponents,
                        global Step* steps, global float* radii) {
  const uint all = building.last - 1;  // single steps
  const uint reach = 1u << (building.level - 1);
  const uint i = (uint)get_global_id(0) * 2 * reach;
  if (i >= all) return;
  const uint entry = first_step(i, building.levels) + building.level - 1;
  if (all - i < 2 * reach) {
    radii[entry] = NEVER;
    return;
  }
  Merging x, y;
  if (building.level == 1) {
    x = single_step(i, orbit, exponents, building.log2_epsilon);
    y = single_step(i + 1, orbit, exponents, building.log2_epsilon);
  } else {
    x = step_of_table(entry - 1, steps, radii);
    y = step_of_table(first_step(i + reach, building.levels) + building.level - 2, steps, radii);
  }
  const Merging both = merged(&x, &y, building.log2_epsilon, building.log2_reach);
  const bool passes_escape = !(modulus_of(i + reach + 1, orbit, exponents) <= building.largest);
  steps[entry].a = both.a;
  steps[entry].b = both.b;
  steps[entry].k = both.k;
#if EXTENDED
  steps[entry].a_exponent = both.a_exponent;
  steps[entry].b_exponent = both.b_exponent;
  steps[entry].k_exponent = both.k_exponent;
#endif
  radii[entry] = passes_escape ? NEVER : both.log2_radius;
}
