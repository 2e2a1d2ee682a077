// Builds the table of bilinear approximation, a level a launch, from the level below.
//
// Definitions: those of mandelbrot_complex.clh.
#include "mandelbrot_table.clh"

// The program mirrors this struct.
typedef struct {
  uint last;     // of the reference orbit
  uint levels;   // of the table
  uint level;    // to be built, 1 ...
  float log2_epsilon;       // of the part of δ that a step may be wrong by
  float log2_reach;         // of the largest |Δc| that there will be
  float largest;            // a step passes over no |Z| beyond
} Building;

typedef struct {
  complex a, b;
  int a_exponent, b_exponent;
  float log2_radius;
} Merging;

inline float log2_of(complex z, int exponent) {
  const real x = fabs(RE(z)), y = fabs(IM(z)), larger = fmax(x, y);
  if (larger == 0) return -INFINITY;
  const real part = fmin(x, y) / larger;
  return (float)log2(larger) + 0.5f * (float)log2(1 + part * part) + (float)exponent;
}

// |Z|; 0 where it is next to nothing.
inline real modulus_of(uint m, global const complex* orbit, global const int* exponents) {
#if EXTENDED
  if (exponents[m] != 0) return 0;
#endif
  return hypot(RE(orbit[m]), IM(orbit[m]));
}

// A = 2Z, B = 1: what is left out is δ², a part δ / 2Z of the whole.
inline Merging single_step(uint i, float log2_epsilon, global const complex* orbit, global const int* exponents) {
  Merging step;
  step.a = orbit[i + 1] + orbit[i + 1];
  step.b = COMPLEX(1, 0);
  step.a_exponent = step.b_exponent = 0;
#if EXTENDED
  step.a_exponent = exponents[i + 1];
#endif
  step.log2_radius = log2_of(step.a, step.a_exponent) + log2_epsilon;
  return step;
}

inline Merging step_of_table(uint entry, global const Step* steps, global const float* radii) {
  Merging step;
  step.a = steps[entry].a;
  step.b = steps[entry].b;
  step.a_exponent = step.b_exponent = 0;
#if EXTENDED
  step.a_exponent = steps[entry].a_exponent;
  step.b_exponent = steps[entry].b_exponent;
#endif
  step.log2_radius = radii[entry];
  return step;
}

// y after x: δ may be so large that what x makes of it is within y's radius.
inline Merging merged(const Merging* x, const Merging* y, float log2_reach) {
  Merging both;
#if EXTENDED
  const extended ax = normal(x->a, x->a_exponent), bx = normal(x->b, x->b_exponent);
  const extended ay = normal(y->a, y->a_exponent), by = normal(y->b, y->b_exponent);
  const extended a = extended_product(ay, ax), b = extended_sum(extended_product(ay, bx), by);
  both.a = a.value;
  both.b = b.value;
  both.a_exponent = a.exponent;
  both.b_exponent = b.exponent;
#else
  both.a = multiply(y->a, x->a);
  both.b = multiply_then_add(y->a, x->b, y->b);
  both.a_exponent = both.b_exponent = 0;
#endif
  const float moved = log2_of(x->b, x->b_exponent) + log2_reach - y->log2_radius;  // by Δc alone, of y's radius
  const float left = moved < 0 ? y->log2_radius + log2(1 - exp2(moved)) - log2_of(x->a, x->a_exponent) : NEVER;
  both.log2_radius = isfinite(left) ? fmin(x->log2_radius, left) : NEVER;  // A and B may have overflown
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
    x = single_step(i, building.log2_epsilon, orbit, exponents);
    y = single_step(i + 1, building.log2_epsilon, orbit, exponents);
  } else {
    x = step_of_table(entry - 1, steps, radii);
    y = step_of_table(first_step(i + reach, building.levels) + building.level - 2, steps, radii);
  }
  const Merging both = merged(&x, &y, building.log2_reach);
  const bool passes_escape = !(modulus_of(i + reach + 1, orbit, exponents) <= building.largest);
  steps[entry].a = both.a;
  steps[entry].b = both.b;
#if EXTENDED
  steps[entry].a_exponent = both.a_exponent;
  steps[entry].b_exponent = both.b_exponent;
#endif
  radii[entry] = passes_escape ? NEVER : both.log2_radius;
}
