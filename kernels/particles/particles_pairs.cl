// Forces between pairs: each particle gathers the forces of all others and adds them as whole numbers: the sum depends
// neither on the order nor on the work-group.
//
//   -D LANES=n       particles per work-item, side by side: a processor's vector register; 1 on a GPU
//   -D SPLIT=n       work-items that share the neighbours of a team, at most WAYS; work-groups are multiples of n × TEAM
//   -D OBSERVED=0|1  where SPLIT > 1: replaces the argument, which PoCL loses in kernels with barriers
//   -D CHECKED=1     with check_pair_law, in double: one program builds faster than two where each has a high start cost
//   -D ALL_PAIRS=1   every particle is a neighbour; else those of the lists
#include "particles.clh"
#include "particles_law_numbers.clh"
#include "particles_law_frame.clh"
#include "particles_law.clh"

static real pair_laws(PAIR_ARGUMENTS, bool apart, real* energies) {
  real sum = 0;
  EACH_PAIR_LAW
  return sum;
}

#define ITEMS (TEAM / LANES)  // per team, for each of SPLIT shares
// Neighbours are dealt to WAYS sums. Each adds the forces of FLUSH neighbours as floats; this grouping does not depend
// on SPLIT. Lanes are not split, because one sum has the longest loops.
#if LANES > 1
#define WAYS 1
#else
#define WAYS 8
#endif
#ifdef ALL_PAIRS
#define FLUSH 32
#else
#define FLUSH 64
#endif

typedef struct {
  real x[LANES], y[LANES], z[LANES];
#if LANES > 1
  real near_x[LANES], near_y[LANES], near_z[LANES];  // the images nearest to the first lane's particle
#endif
  uint body[LANES];
  real column[COLUMNS + 1][LANES];
  uint lanes;  // number of lanes that hold a particle
} own_t;

// Per lane: the unit of its particle's forces, and the largest force that was added at once.
typedef struct {
  int exponent[LANES];
  real first[LANES], second[LANES];  // factors to units of a force
  real peak[LANES];
} range_t;

typedef struct {
  real x[LANES], y[LANES], z[LANES];
} push_t;

typedef struct {
  long x[LANES], y[LANES], z[LANES];
#ifdef DOUBLE
  long fine_x[LANES], fine_y[LANES], fine_z[LANES];
#endif
} sum_t;

typedef struct {
  real energy[LAWS + 1][LANES], virial[LANES];
} account_t;

typedef struct {
  global const real4* positions;
  global const uint* order;
  global const real* columns;
  uint padded;
} slots_t;

static void load_own(own_t* own, const slots_t* slots, uint first, uint particles) {
  own->lanes = min((uint)LANES, particles - min(first, particles));
  for (uint k = 0; k < LANES; ++k) {
    const uint slot = min(first + k, particles - 1);
    const real4 at = slots->positions[slot];
    own->x[k] = at.x;
    own->y[k] = at.y;
    own->z[k] = at.z;
    own->body[k] = slots->order[slot];
    for (uint column = 0; column < COLUMNS; ++column) own->column[column][k] = slots->columns[column * slots->padded + slot];
  }
}

static void begin_range(range_t* range, const own_t* own, global const int* exponents, global const int* status) {
  for (uint k = 0; k < LANES; ++k) {
    range->exponent[k] = status[FORCE_EXPONENT] + exponents[own->body[k]];
    const scale_t units = scale_of(-range->exponent[k]);
    range->first[k] = units.first;
    range->second[k] = units.second;
    range->peak[k] = 0;
  }
}

// `parts`: number of additions to a force.
static void end_range(const range_t* range, uint lanes, uint parts, global int* status) {
  int most = INT_MIN;
  for (uint k = 0; k < lanes; ++k)
    if (range->peak[k] > 0) most = max(most, bits_of(range->peak[k]) - range->exponent[k]);
  if (most > INT_MIN) watch_range(most + bits_of_count(parts), status);
}

// inverse_root(0) is the least number whose square is infinite. Its product with 0 is 0; its product with a slope is
// finite, unless the slope is so large that the law has no limit there. It exceeds the root of each normal number.
#ifdef DOUBLE
#define ROOT_OF_0 1.35e154
#else
#define ROOT_OF_0 1.85e19f
#endif

// 1/√x of 0 or a normal number. Processors divide and take roots slowly: here an estimate from the exponent (J. Kadlec,
// relative error 6.5e-4) is improved by one step of third order (error below that of rounding). Intel's compiler also
// vectorises over work-items.
static real inverse_root(real x) {
#if (LANES > 1 || defined(__INTEL_LLVM_COMPILER)) && !defined(DOUBLE)
  const real guess = as_float(0x5f1ffff9 - (as_int(x) >> 1));
  const real near = guess * 0.703952253f * multiply_add(-x * guess, guess, 2.38924456f);
  const real error = multiply_add(-x * near, near, 1.0f);
  return x > 0 ? multiply_add(near * error, multiply_add(0.375f, error, 0.5f), near) : ROOT_OF_0;
#else
  return fmin(rsqrt(x), (real)ROOT_OF_0);
#endif
}

// `narrow`: for a particle within the cutoff of any lane, the image nearest to the first lane is nearest to that lane
// too. One image then serves all lanes.
typedef struct {
  real4 lengths, inverse, origin;  // origin: the first lane's place
  bool narrow;
} frame_t;

static frame_t frame_of(own_t* own, box_t box) {
  frame_t frame = {box.lengths, box.inverse, (real4)(own->x[0], own->y[0], own->z[0], 0), false};
#if LANES > 1 && !defined(ALL_PAIRS)
  real4 far = (real4)(0);
  for (uint k = 0; k < LANES; ++k) {
    const real4 at = (real4)(own->x[k], own->y[k], own->z[k], 0);
    const real4 near = at - box.lengths * whole((at - frame.origin) * box.inverse);
    own->near_x[k] = near.x;
    own->near_y[k] = near.y;
    own->near_z[k] = near.z;
    far = fmax(far, fabs(near - frame.origin));
  }
  const real4 reach = far + sqrt(LARGEST_CUTOFF2), most = (real)0.499 * box.lengths;
  frame.narrow = (most.x == 0 || reach.x < most.x) && (most.y == 0 || reach.y < most.y) && (most.z == 0 || reach.z < most.z);
#endif
  return frame;
}

// The vectors from each lane's particle to the nearest image of another one.
typedef struct {
  real4 at;  // place of the other
  real x[LANES], y[LANES], z[LANES], r2[LANES];
} gap_t;

ALWAYS_INLINE void measure(const own_t* own, const slots_t* slots, uint slot, const frame_t* frame, bool narrow,
                           gap_t* gap) {
  const real4 at = gap->at = slots->positions[slot];
#if LANES > 1
  const real4 near = at - frame->lengths * whole((at - frame->origin) * frame->inverse);
#endif
  SIDE_BY_SIDE
  for (uint k = 0; k < LANES; ++k) {
#if LANES > 1
    const real dx = narrow ? near.x - own->near_x[k] : nearest_image(at.x - own->x[k], frame->lengths.x, frame->inverse.x);
    const real dy = narrow ? near.y - own->near_y[k] : nearest_image(at.y - own->y[k], frame->lengths.y, frame->inverse.y);
    const real dz = narrow ? near.z - own->near_z[k] : nearest_image(at.z - own->z[k], frame->lengths.z, frame->inverse.z);
#else
    const real dx = nearest_image(at.x - own->x[k], frame->lengths.x, frame->inverse.x);
    const real dy = nearest_image(at.y - own->y[k], frame->lengths.y, frame->inverse.y);
    const real dz = nearest_image(at.z - own->z[k], frame->lengths.z, frame->inverse.z);
#endif
    gap->x[k] = dx;
    gap->y[k] = dy;
    gap->z[k] = dz;
    gap->r2[k] = multiply_add(dx, dx, multiply_add(dy, dy, dz * dz));
  }
}

// `mask`: a bit for each lane whose particle excludes the one in `slot`; `first`: the slot of the first lane;
// `stranger`: the slot is known not to be of this team.
ALWAYS_INLINE void meet(const own_t* own, push_t* push, account_t* account, const slots_t* slots, uint slot,
                        const gap_t* gap, uint mask, bool stranger, uint first, constant real* sliders, bool observed) {
  const uint body = NEEDS_BODIES ? slots->order[slot] : 0;
  real other_column[COLUMNS + 1];
  for (uint column = 0; column < COLUMNS; ++column) other_column[column] = slots->columns[column * slots->padded + slot];
  const uint lanes = LANES == 1 ? 1 : own->lanes;  // an item without a particle meets none
  SIDE_BY_SIDE
  for (uint k = 0; k < LANES; ++k) {
    const real dx = gap->x[k], dy = gap->y[k], dz = gap->z[k], r2 = gap->r2[k];
    real own_column[COLUMNS + 1], energy[LAWS + 1];
    for (uint column = 0; column < COLUMNS; ++column) own_column[column] = own->column[column][k];
    for (uint law = 0; law < LAWS; ++law) energy[law] = 0;
    // A particle does not meet itself. Lanes without a particle repeat the last one, and their sums are dropped.
    const bool apart = stranger ? LANES > 1 || k < lanes : first + k != slot && k < lanes;
    const bool excluded = (mask >> k & 1) != 0;
    if (LANES == 1 && !(apart && r2 < LARGEST_CUTOFF2)) continue;
    const real invR = inverse_root(r2), r = r2 * invR;
    const real slope = pair_laws((real4)(own->x[k], own->y[k], own->z[k], 0), gap->at, (real4)(dx, dy, dz, 0), r2, r,
                                 invR, own->body[k], body, excluded, own_column, other_column, sliders, apart, energy);
    const bool acts = apart && r2 < LARGEST_CUTOFF2;
    const real pull = acts ? slope * invR : (real)0;  // dE/dr over r: along delta, which is 0 at distance 0
    push->x[k] = multiply_add(pull, dx, push->x[k]);
    push->y[k] = multiply_add(pull, dy, push->y[k]);
    push->z[k] = multiply_add(pull, dz, push->z[k]);
    if (!observed) continue;
    for (uint law = 0; law < LAWS; ++law) account->energy[law][k] += energy[law];
    account->virial[k] -= acts ? slope * r : (real)0;
  }
}

// Every WAYS-th of the listed slots. Lanes measure the next gap while the present forces are computed: each is a long
// chain of dependent operations, and a processor overlaps the two.
ALWAYS_INLINE void meet_plain(const own_t* own, push_t* push, account_t* account, const slots_t* slots,
                              global const uint* plain, uint begin, uint end, uint first, const frame_t* frame,
                              bool narrow, constant real* sliders, bool observed) {
  uint slot = plain[begin];
  gap_t gap;
#if LANES > 1
  measure(own, slots, slot, frame, narrow, &gap);
#endif
  for (uint n = begin; n < end; n += WAYS) {
    const uint next = plain[min(n + WAYS, end - 1)];
#if LANES > 1
    gap_t ahead;
    measure(own, slots, next, frame, narrow, &ahead);
#else
    measure(own, slots, slot, frame, narrow, &gap);
#endif
    meet(own, push, account, slots, slot, &gap, 0, true, first, sliders, observed);
#if LANES > 1
    gap.at = ahead.at;
    SIDE_BY_SIDE
    for (uint k = 0; k < LANES; ++k) {
      gap.x[k] = ahead.x[k];
      gap.y[k] = ahead.y[k];
      gap.z[k] = ahead.z[k];
      gap.r2[k] = ahead.r2[k];
    }
#endif
    slot = next;
  }
}

// Returns whether all values are finite.
ALWAYS_INLINE bool flush(push_t* push, sum_t* sum, range_t* range) {
  uint broken = 0;
  SIDE_BY_SIDE
  for (uint k = 0; k < LANES; ++k) {
    const real all = fabs(push->x[k]) + fabs(push->y[k]) + fabs(push->z[k]);
    broken |= all < INFINITY ? 0 : 1;
    range->peak[k] = range->peak[k] < all ? all : range->peak[k];
    const real x = push->x[k] * range->first[k] * range->second[k];
    const real y = push->y[k] * range->first[k] * range->second[k];
    const real z = push->z[k] * range->first[k] * range->second[k];
    sum->x[k] += fixed_of(x);
    sum->y[k] += fixed_of(y);
    sum->z[k] += fixed_of(z);
#ifdef DOUBLE
    sum->fine_x[k] += fine_of(x);
    sum->fine_y[k] += fine_of(y);
    sum->fine_z[k] += fine_of(z);
#endif
    push->x[k] = push->y[k] = push->z[k] = 0;
  }
  return broken == 0;
}

#if SPLIT > 1
// Adds the sums of the items that share a team into the first of them; only the first writes results.
static void join(sum_t* sum, account_t* account, local long* sums, local real* accounts) {
  const uint item = get_local_id(0), lane = item % TEAM, group = item / TEAM, part = group % SPLIT, home = (group - part) * TEAM + lane;
  local long* own = sums + FORCE_ROWS * item;
  own[0] = sum->x[0];
  own[1] = sum->y[0];
  own[2] = sum->z[0];
#ifdef DOUBLE
  own[3] = sum->fine_x[0];
  own[4] = sum->fine_y[0];
  own[5] = sum->fine_z[0];
#endif
  for (uint law = 0; law < LAWS; ++law) accounts[(LAWS + 1) * item + law] = account->energy[law][0];
  accounts[(LAWS + 1) * item + LAWS] = account->virial[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (part != 0) return;
  for (uint other = 1; other < SPLIT; ++other) {
    const uint there = home + other * TEAM;
    local const long* its = sums + FORCE_ROWS * there;
    sum->x[0] += its[0];
    sum->y[0] += its[1];
    sum->z[0] += its[2];
#ifdef DOUBLE
    sum->fine_x[0] += its[3];
    sum->fine_y[0] += its[4];
    sum->fine_z[0] += its[5];
#endif
    for (uint law = 0; law < LAWS; ++law) account->energy[law][0] += accounts[(LAWS + 1) * there + law];
    account->virial[0] += accounts[(LAWS + 1) * there + LAWS];
  }
}
#endif

// Energies and virials: each particle gets half of those of its pairs.
static void write_own(const sum_t* sum, const account_t* account, const own_t* own, uint first, uint particles,
                      global long* forces, global real* energies, bool observed) {
  for (uint k = 0; k < LANES; ++k) {
    if (first + k >= particles) return;
    const uint body = own->body[k];
    forces[body] = sum->x[k];
    forces[particles + body] = sum->y[k];
    forces[2 * particles + body] = sum->z[k];
#ifdef DOUBLE
    forces[3 * particles + body] = sum->fine_x[k];
    forces[4 * particles + body] = sum->fine_y[k];
    forces[5 * particles + body] = sum->fine_z[k];
#endif
    if (!observed) continue;
    for (uint law = 0; law < LAWS; ++law) energies[law * particles + body] = account->energy[law][k] * (real)0.5;
    energies[LAWS * particles + body] = account->virial[k] * (real)0.5;
  }
}

#if SPLIT > 1
#define GROUP_SIZE __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1)))
#else
#define GROUP_SIZE
#endif

// `order`: identities by slot; `counts`: numbers of plain and masked neighbours of each team. `energies`: a row of
// `particles` for each law, then one of virials.
kernel GROUP_SIZE void pairs(global const real4* positions, global const uint* order, global const real* columns,
                             uint padded, uint particles, global const uint* plain, uint capacity,
                             global const uint2* masked, uint masked_capacity, global const uint2* counts,
                             global const int* exponents, constant wide4* space, constant real* sliders, global long* forces, global real* energies,
                             uint first_team, uint end_team, uint observed, global int* status) {
#ifdef OBSERVED
  const bool wanted = OBSERVED;
#else
  const bool wanted = observed != 0;
#endif
#if SPLIT > 1
  local long sums[FORCE_ROWS * WORK_GROUP];
  local real accounts[(LAWS + 1) * WORK_GROUP];
#endif
  if (stopped(status)) return;
  const uint item = get_global_id(0) - get_global_offset(0), team = first_team + item / (ITEMS * SPLIT);
  const uint part = item / ITEMS % SPLIT, lane = item % ITEMS * LANES, first = team * TEAM + lane;
  const bool busy = first < particles && team < end_team;
  if (busy && team == 0 && item == 0) status[MOVED_FAR] = 0;
  const slots_t slots = {positions, order, columns, padded};
  own_t own;
  push_t push;
  sum_t sum;
  account_t account;
  range_t range;
  load_own(&own, &slots, first, particles);
  const frame_t frame = frame_of(&own, box_of(space));
  begin_range(&range, &own, exponents, status);
  for (uint k = 0; k < LANES; ++k) {
    push.x[k] = push.y[k] = push.z[k] = account.virial[k] = 0;
    sum.x[k] = sum.y[k] = sum.z[k] = 0;
#ifdef DOUBLE
    sum.fine_x[k] = sum.fine_y[k] = sum.fine_z[k] = 0;
#endif
    for (uint law = 0; law < LAWS; ++law) account.energy[law][k] = 0;
  }
  bool numbers = true;
  const uint2 count = busy ? counts[team] : (uint2)(0);
  global const uint2* own_masked = masked + (size_t)team * masked_capacity;
#ifdef ALL_PAIRS
  // All particles in turn; the masked ones come in the same order. The forces that are added as floats do not depend on
  // SPLIT.
  const uint share = ((particles + SPLIT - 1) / SPLIT + FLUSH - 1) / FLUSH * FLUSH, parts = (particles + FLUSH - 1) / FLUSH;
  const uint end = busy ? min(particles, (part + 1) * share) : 0;
  uint next = 0;
  while (next < count.y && own_masked[next].x < part * share) ++next;
  for (uint begin = part * share; begin < end; begin += FLUSH) {
    for (uint slot = begin; slot < min(end, begin + FLUSH); ++slot) {
      const bool unmasked = !(next < count.y && own_masked[next].x == slot);
      const uint mask = unmasked ? 0 : own_masked[next++].y;
      gap_t gap;
      measure(&own, &slots, slot, &frame, false, &gap);
      meet(&own, &push, &account, &slots, slot, &gap, mask >> lane, false, first, sliders, wanted);
    }
    numbers = flush(&push, &sum, &range) && numbers;
  }
#else
  global const uint* own_plain = plain + (size_t)team * capacity;
  const uint parts = WAYS + (count.x + count.y) / FLUSH;
  for (uint way = part; way < WAYS; way += SPLIT) {
    for (uint begin = way; begin < count.y; begin += WAYS * FLUSH) {
      if (begin != way) numbers = flush(&push, &sum, &range) && numbers;
      for (uint n = begin; n < min(count.y, begin + WAYS * FLUSH); n += WAYS) {
        const uint2 other = own_masked[n];
        gap_t gap;
        measure(&own, &slots, other.x, &frame, false, &gap);
        meet(&own, &push, &account, &slots, other.x, &gap, other.y >> lane, false, first, sliders, wanted);
      }
    }
    for (uint begin = way; begin < count.x; begin += WAYS * FLUSH) {
      if (begin != way) numbers = flush(&push, &sum, &range) && numbers;
      const uint stop = min(count.x, begin + WAYS * FLUSH);
      if (LANES == 1 || !frame.narrow)
        meet_plain(&own, &push, &account, &slots, own_plain, begin, stop, first, &frame, false, sliders, wanted);
      else if (wanted)
        meet_plain(&own, &push, &account, &slots, own_plain, begin, stop, first, &frame, true, sliders, true);
      else
        meet_plain(&own, &push, &account, &slots, own_plain, begin, stop, first, &frame, true, sliders, false);
    }
    numbers = flush(&push, &sum, &range) && numbers;
  }
#endif
  if (wanted)
    for (uint k = 0; k < own.lanes; ++k)
      for (uint law = 0; law < LAWS; ++law) numbers = numbers && fabs(account.energy[law][k]) < INFINITY;
  if (!numbers) status[NOT_A_NUMBER] = 1;
  if (busy) end_range(&range, own.lanes, parts, status);
#if SPLIT > 1
  join(&sum, &account, sums, accounts);
  if (part != 0) return;
#endif
  if (busy) write_own(&sum, &account, &own, first, particles, forces, energies, wanted);
}

#ifdef CHECKED
#ifndef DOUBLE
#define real double
#define real4 double4
#endif
#include "particles_law_checked.clh"
#include "particles_check.clh"
#endif
