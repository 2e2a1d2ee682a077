// Individual time steps, in blocks of powers of two (nbody_blocks.clh): kick, drift and kick, where a body's level
// determines its step. Makino, Publ. Astron. Soc. Japan 43, 859 (1991), section 2; Springel, MNRAS 364, 1105 (2005),
// section 4.
//
// Positions are those at the beginning of each body's own step, and are moved from there to any moment within it: the
// bits depend only on the moments at which bodies feel a force.
#include "nbody_blocks.clh"
#include "nbody_field.clh"

// A step is short compared to the time √(ℓ/|a|) in which the acceleration moves a body by the length ℓ over which it
// changes: `scale`·|a|/ℓ is the square of the number of such steps in dt. Where nothing softens, ℓ is the distance at
// which one body of the same mass would pull as much, but a tenth of |φ|/|a| at least, which is a distance from a much
// heavier one. The stored field has its potential then.
typedef struct {
  real scale, softening, gravity;
} criterion_t;

// The level whose step is short enough and may begin at this moment.
static uint level_of(real4 a, real mass, criterion_t criterion, uint moment) {
  const real pull = sqrt(multiply_add(a.x, a.x, multiply_add(a.y, a.y, a.z * a.z)));
  real length = criterion.softening;
  if (length == 0) length = fmax(sqrt(criterion.gravity * mass / pull), (real)0.1 * -a.w / pull);
  const float wanted = pull > 0 ? (float)(criterion.scale * pull / length) : 0;
  uint level = 0;
  while (level < DEEPEST && wanted > (float)(1UL << 2 * level)) ++level;
  const uint aligned = moment == 0 ? 0 : DEEPEST - popcount((moment & -moment) - 1);
  return max(level, aligned);
}

// The level of the next step of a body whose step ends. Where forces are softened, it becomes longer only where it
// would be short enough with twice the acceleration, too: otherwise bodies would go back and forth between two levels,
// and each change costs energy. In encounters that nothing softens, delay on one side alone would cost more.
static uint next_level(real4 a, real mass, criterion_t criterion, uint level, uint moment) {
  const uint wanted = level_of(a, mass, criterion, moment);
  criterion.scale *= 2;
  return wanted < level && criterion.softening > 0 ? min(level, level_of(a, mass, criterion, moment)) : wanted;
}

static wide duration_of(wide dt, uint ticks) { return wide_times(dt, wide_of((real)ticks / TICKS)); }

static void kick(wide3* v, real4 a, wide duration) {
  const wide3 pull = {wide_of(a.x), wide_of(a.y), wide_of(a.z)};
  move(v, &pull, wide_times(duration, wide_of((real)0.5)));
  round_to_stored(v);
}

// Each body gets a level, and half a kick by the stored field.
kernel void open_steps(global const real4* positions, global real4* velocities, global real4* velocities_low,
                       global const real4* accelerations, global uchar* levels, uint bodies, wide dt, real scale,
                       real softening, real gravity, uint parity, global block_clock_t* clock) {
  local uint counts[STEP_LEVELS];
  const uint i = get_global_id(0), item = get_local_id(0), moment = clock->moments[parity];
  if (i == 0) clock->moments[1 - parity] = moment == TICKS ? 0 : moment;
  if (moment != TICKS) return;
  for (uint k = item; k < STEP_LEVELS; k += get_local_size(0)) counts[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < bodies) {
    const real4 a = accelerations[i];
    const bool gone = is_gone(positions[i].w);
    const uint level = gone ? 0 : level_of(a, positions[i].w, (criterion_t){scale, softening, gravity}, 0);
    levels[i] = (uchar)level;
    atomic_inc(&counts[level]);
    if (!gone) {
      wide3 v;
      load(&v, velocities, velocities_low, i);
      kick(&v, a, duration_of(dt, TICKS >> level));
      store(&v, 0, velocities, velocities_low, i);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = item; k < STEP_LEVELS; k += get_local_size(0))
    if (counts[k] > 0) atomic_add(&clock->counts[k], counts[k]);
}

// The end of the substep that begins at this moment; the moment itself unless `last` is set exactly for the last
// substep of the step.
static uint moment_after(global const block_clock_t* clock, uint moment, uint last) {
  if (moment == TICKS) return moment;
  uint deepest = DEEPEST;
  while (deepest > 0 && clock->counts[deepest] == 0) --deepest;
  const uint next = moment + (TICKS >> deepest);
  return (next == TICKS) == (last != 0) ? next : moment;
}

// Moves all bodies to the end of the substep; lists those of [listed_first, listed_end) whose steps end there, in any
// order, unless it is `last`.
kernel void begin_substep(global const real4* positions, global const real4* low, global real4* moved,
                          global real4* moved_low, global const real4* velocities,
                          global const real4* velocities_low, global const uchar* levels, uint bodies, wide dt,
                          uint last, uint listed_first, uint listed_end, global uint* list, uint parity,
                          global block_clock_t* clock) {
  local uint end, count, unlisted, first;
  const uint i = get_global_id(0), item = get_local_id(0), moment = clock->moments[parity];
  if (item == 0) {
    end = moment_after(clock, moment, last);
    count = unlisted = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) clock->moments[1 - parity] = end;
  if (end == moment) return;
  bool ends = false;
  if (i < bodies) {
    const uint level = levels[i], begin = (end - 1) & ~((TICKS >> level) - 1);
    ends = last == 0 && ends_at(level, end);
    wide3 x, v;
    load(&x, positions, low, i);
    load(&v, velocities, velocities_low, i);
    move(&x, &v, duration_of(dt, end - begin));
    store(&x, positions[i].w, moved, moved_low, i);
  }
  const bool listed = ends && i >= listed_first && i < listed_end;
  const uint place = listed ? atomic_inc(&count) : 0;
  if (ends && !listed) atomic_inc(&unlisted);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0 && count > 0) first = atomic_add(&clock->bodies, count);
  if (item == 0 && unlisted > 0) atomic_add(&clock->unlisted, unlisted);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (listed) list[first + place] = i;
}

// The bodies whose steps end take their moved positions, and get the second half of the kick by the field of `parts`;
// if the step dt continues, also a new level and the first half of its kick. Else the field is stored.
kernel void end_substep(global real4* positions, global real4* low, global const real4* moved,
                        global const real4* moved_low, global real4* velocities, global real4* velocities_low,
                        global const real4* parts, uint part_count, global real4* accelerations, global uchar* levels,
                        uint bodies, wide dt, real scale, real softening, real gravity,
                        wide wide_gravity, uint last, uint parity, global block_clock_t* clock) {
  local int changes[STEP_LEVELS];
  const uint i = get_global_id(0), item = get_local_id(0), end = clock->moments[1 - parity];
  if (clock->moments[parity] == end) return;
  for (uint k = item; k < STEP_LEVELS; k += get_local_size(0)) changes[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint level = i < bodies ? levels[i] : 0;
  if (i < bodies && ends_at(level, end)) {
    const real4 place = moved[i];
    const real4 a = sum_of_parts(parts, part_count, bodies, i, wide_gravity);
    const bool gone = is_gone(place.w);
    const uint next =
        last || gone ? level : next_level(a, place.w, (criterion_t){scale, softening, gravity}, level, end);
    positions[i] = place;
#ifdef MIXED
    low[i] = moved_low[i];
#endif
    if (!gone) {
      wide3 v;
      load(&v, velocities, velocities_low, i);
      kick(&v, a, duration_of(dt, TICKS >> level));
      if (!last) kick(&v, a, duration_of(dt, TICKS >> next));
      store(&v, 0, velocities, velocities_low, i);
    }
    if (last) accelerations[i] = a;
    if (next != level) {
      levels[i] = (uchar)next;
      atomic_dec(&changes[level]);
      atomic_inc(&changes[next]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = item; k < STEP_LEVELS; k += get_local_size(0)) {
    if (changes[k] != 0) atomic_add(&clock->counts[k], (uint)changes[k]);
    if (last && get_group_id(0) == 0) clock->counts[k] = 0;
  }
  if (i != 0) return;
  clock->evaluations += last ? bodies : clock->bodies + clock->unlisted;
  clock->steps += last;
  clock->bodies = clock->groups = clock->unlisted = 0;
}

// The field of the bodies [first, end), for devices that did not sum its parts.
kernel void sum_field(global const real4* parts, uint part_count, uint bodies,
                      uint first, uint end, wide gravity, global real4* fields) {
  const uint i = first + get_global_id(0);
  if (i < end) fields[i] = sum_of_parts(parts, part_count, bodies, i, gravity);
}

// Writes for each body 2^level of the step that it would begin now.
kernel void tell_levels(global const real4* positions, global const real4* accelerations, uint bodies, real scale,
                        real softening, real gravity, global float* ratios) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const uint level = level_of(accelerations[i], positions[i].w, (criterion_t){scale, softening, gravity}, 0);
  ratios[i] = (float)(1u << level);
}
