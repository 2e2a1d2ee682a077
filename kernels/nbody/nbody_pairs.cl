// Each pair of bodies is computed once and pulls both: 17 operations for two interactions instead of 26.
//
// Bodies are divided into blocks, and blocks into parts (parts.hpp). A task is one block I of part G against a run of
// blocks J of part H ≥ G. A team of 64 work-items holds I in registers, BODIES each, and turns J past them: a warp of 32
// holds 32 bodies of J with their partial sums, and passes them on to the neighbour after each round. The forces on I
// are one row for each run, the forces on J one row for each I; both wait in `scratch` until add_rows adds them in their
// order.
//
//   -D WORK_GROUP=n  work-items per group: teams × 64, or 64 if the device passes no values within a warp
//   -D BODIES=n      of I, per work-item
//   -D UNROLL=n      of the 32 rounds
#include "nbody_force.clh"

#define TEAM 64
#define WARP 32
#define WARPS (TEAM / WARP)
#define TEAMS (WORK_GROUP / TEAM)
#define BLOCK (TEAM * BODIES)
#define TILE TEAM

#ifdef __NV_CL_C_VERSION
static float from_neighbour_float(float value) {
  float next;
  __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                   : "=f"(next)
                   : "f"(value), "r"((uint)(get_local_id(0) + 1) & (WARP - 1)));
  return next;
}
#ifdef DOUBLE
static double from_neighbour(double value, local real* exchange) {
  const float2 halves = as_float2(value);
  return as_double((float2)(from_neighbour_float(halves.x), from_neighbour_float(halves.y)));
}
#else
static float from_neighbour(float value, local real* exchange) { return from_neighbour_float(value); }
#endif
#else
static real from_neighbour(real value, local real* exchange) {
  const uint item = get_local_id(0);
  exchange[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  const real next = exchange[(item & ~(uint)(WARP - 1)) | ((item + 1) & (WARP - 1))];
  barrier(CLK_LOCAL_MEM_FENCE);
  return next;
}
#endif

typedef struct {
  real x[BODIES], y[BODIES], z[BODIES], mass[BODIES];
  field_t field[BODIES];
} block_t;

static real4 body_at(global const real4* positions, uint i, uint bodies) {
  return i < bodies ? positions[i] : (real4)(0);
}

static real4 as_row(const field_t* field) { return (real4)(field->x, field->y, field->z, field->potential); }

// Block I with itself, where every pair is computed twice. Like turn and attract_pairs it is inlined, so that `gravity`
// is known.
ALWAYS_INLINE void attract_block(block_t* block, local const real4* tile, gravity_t gravity) {
  for (uint j = 0; j < TILE; ++j)
#pragma unroll
    for (uint k = 0; k < BODIES; ++k)
      attract(&block->field[k], tile[j], block->x[k], block->y[k], block->z[k], gravity);
}

// One body of J and the BODIES of I that this item holds.
static void attract_both(block_t* block, field_t* other, real4 source, gravity_t gravity) {
#pragma unroll
  for (uint k = 0; k < BODIES; ++k) {
    const real dx = source.x - block->x[k], dy = source.y - block->y[k], dz = source.z - block->z[k];
    const real r2 = squared_distance(dx, dy, dz, gravity.softening2);
    if (gravity.scaled) {
      const real y1 = inverse_or_zero(r2), ux = dx * y1, uy = dy * y1, uz = dz * y1;
      const real depth = source.w * y1, own_depth = block->mass[k] * y1;
      add_pull(&block->field[k], ux, uy, uz, depth * y1);
      add_pull(other, ux, uy, uz, own_depth * y1);
      block->field[k].potential -= r2 > gravity.least ? depth : (real)0;
      other->potential += r2 > gravity.least ? own_depth : (real)0;
      continue;
    }
    const real over_r3 = inverse_cube(r2);
    add_pull(&block->field[k], dx, dy, dz, source.w * over_r3);
    add_pull(other, dx, dy, dz, block->mass[k] * over_r3);
    if (!gravity.potential) continue;
    const real over_r = r2 > gravity.least ? inverse(r2) : (real)0;
    block->field[k].potential = multiply_add(-source.w, over_r, block->field[k].potential);
    other->potential = multiply_add(block->mass[k], over_r, other->potential);
  }
}

// A tile of J past block I. `received`: the forces on its bodies from each warp, with the sign of a push.
ALWAYS_INLINE void turn(block_t* block, local const real4* tile, local real4* received, local real* exchange,
                 gravity_t gravity) {
  const uint item = get_local_id(0) % TEAM, lane = item % WARP, warp = item / WARP;
  for (uint group = 0; group < TILE; group += WARP) {
    field_t other;
    clear(&other);
#pragma unroll UNROLL
    for (uint round = 0; round < WARP; ++round) {
      if (round > 0) {
        other.x = from_neighbour(other.x, exchange);
        other.y = from_neighbour(other.y, exchange);
        other.z = from_neighbour(other.z, exchange);
        if (gravity.potential) other.potential = from_neighbour(other.potential, exchange);
      }
      attract_both(block, &other, tile[group + ((lane + round) & (WARP - 1))], gravity);
    }
    received[warp * TILE + group + ((lane + WARP - 1) & (WARP - 1))] = as_row(&other);
  }
}

// Rows of BLOCK values in the scratch of one pair of parts: `runs` for each block I, then one for each I and J.
static size_t run_row(uint i, uint run, uint runs) { return (size_t)i * runs + run; }
static size_t reaction_row(uint i, uint j, uint blocks, uint runs) {
  return (size_t)blocks * runs + (size_t)i * blocks + j;
}

#ifdef __NV_CL_C_VERSION
#define EXCHANGE 1
#else
#define EXCHANGE WORK_GROUP
#endif

typedef struct {
  global const real4* positions;
  global real4* scratch;
  uint bodies;
  global const uint2* list;
  uint blocks, run_blocks, first_pair, first_task, tasks;
} launch_t;

ALWAYS_INLINE void attract_pairs(const launch_t* launch, local real4* tiles, local real4* received_by_team,
                          local real* exchange, gravity_t gravity) {
  const uint team = get_local_id(0) / TEAM, item = get_local_id(0) % TEAM;
  local real4* tile = tiles + team * TILE;
  local real4* received = received_by_team + team * WARPS * TILE;
  const uint bodies = launch->bodies, blocks = launch->blocks, run_blocks = launch->run_blocks;
  const uint runs = (blocks + run_blocks - 1) / run_blocks;
  const uint team_of_all = get_group_id(0) * TEAMS + team;
  const bool busy = team_of_all < launch->tasks;
  const uint task = launch->first_task + team_of_all;
  const uint pair = task / (blocks * runs), i = task / runs % blocks, run = task % runs;
  const uint2 part = launch->list[busy ? launch->first_pair + pair : 0];
  const uint own = (part.x * blocks + i) * BLOCK;
  global real4* rows = launch->scratch + (size_t)(busy ? pair : 0) * blocks * (blocks + runs) * BLOCK;
  block_t block;
#pragma unroll
  for (uint k = 0; k < BODIES; ++k) {
    const real4 body = body_at(launch->positions, own + k * TEAM + item, bodies);
    block.x[k] = body.x;
    block.y[k] = body.y;
    block.z[k] = body.z;
    block.mass[k] = body.w;
    clear(&block.field[k]);
  }
  for (uint j = run * run_blocks; j < run * run_blocks + run_blocks; ++j) {
    const bool same = part.x == part.y && i == j;
    const uint theirs = (part.y * blocks + j) * BLOCK;
    const bool active = busy && j < blocks && own < bodies && theirs < bodies && !(part.x == part.y && j < i);
    for (uint base = 0; base < BLOCK; base += TILE) {
      for (uint k = item; k < TILE; k += TEAM)
        tile[k] = active ? body_at(launch->positions, theirs + base + k, bodies) : (real4)(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (active && same) attract_block(&block, tile, gravity);
      if (active && !same) turn(&block, tile, received, exchange, gravity);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (active && !same)
        for (uint k = item; k < TILE; k += TEAM) {
          real4 sum = -received[k];
#pragma unroll
          for (uint warp = 1; warp < WARPS; ++warp) sum -= received[warp * TILE + k];
          rows[reaction_row(i, j, blocks, runs) * BLOCK + base + k] = sum;
        }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  if (!busy) return;
#pragma unroll
  for (uint k = 0; k < BODIES; ++k) {
    const bool with_itself = part.x == part.y && i / run_blocks == run;
    block.field[k].potential = potential_of(&block.field[k], with_itself ? block.mass[k] : (real)0, gravity);
    rows[run_row(i, run, runs) * BLOCK + k * TEAM + item] = as_row(&block.field[k]);
  }
}

// `list`: pairs of parts (G, H). `scratch`: rows as in run_row and reaction_row, for each of them from `first_pair` on.
// The launch has `tasks` of their tasks, from the task `first_task` on.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void pairs(
    global const real4* positions, global real4* scratch, uint bodies, global const uint2* list, uint blocks,
    uint run_blocks, uint first_pair, uint first_task, uint tasks, real softening2, real least) {
  local real4 tiles[TEAMS * TILE], received[TEAMS * WARPS * TILE];
  local real exchange[EXCHANGE];
  const gravity_t gravity = {softening2, least, false, false};
  const launch_t launch = {positions, scratch, bodies, list, blocks, run_blocks, first_pair, first_task, tasks};
  attract_pairs(&launch, tiles, received, exchange, gravity);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void pairs_with_potential(
    global const real4* positions, global real4* scratch, uint bodies, global const uint2* list, uint blocks,
    uint run_blocks, uint first_pair, uint first_task, uint tasks, real softening2, real least) {
  local real4 tiles[TEAMS * TILE], received[TEAMS * WARPS * TILE];
  local real exchange[EXCHANGE];
  const gravity_t gravity = {softening2, least, true, false};
  const launch_t launch = {positions, scratch, bodies, list, blocks, run_blocks, first_pair, first_task, tasks};
  attract_pairs(&launch, tiles, received, exchange, gravity);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void pairs_scaled(
    global const real4* positions, global real4* scratch, uint bodies, global const uint2* list, uint blocks,
    uint run_blocks, uint first_pair, uint first_task, uint tasks, real softening2, real least) {
  local real4 tiles[TEAMS * TILE], received[TEAMS * WARPS * TILE];
  local real exchange[EXCHANGE];
  const gravity_t gravity = {softening2, least, true, true};
  const launch_t launch = {positions, scratch, bodies, list, blocks, run_blocks, first_pair, first_task, tasks};
  attract_pairs(&launch, tiles, received, exchange, gravity);
}

// The pull of part H on the bodies of part G, and the reverse (second dimension: 0, 1), for each pair of parts
// (third dimension). `sums`: a row of `bodies` for each part that pulls.
kernel void add_rows(global const real4* scratch, global real4* sums, uint bodies, global const uint2* list, uint blocks,
                     uint run_blocks, uint first_pair) {
  const uint at = get_global_id(0), block = at / BLOCK;
  const uint2 part = list[first_pair + get_global_id(2)];
  const bool one = part.x == part.y, reaction = get_global_id(1) == 1;
  const uint pulled = (reaction ? part.y : part.x) * blocks * BLOCK + at;
  if (block >= blocks || pulled >= bodies || (one && reaction)) return;
  const uint runs = (blocks + run_blocks - 1) / run_blocks;
  global const real4* rows = scratch + (size_t)get_global_id(2) * blocks * (blocks + runs) * BLOCK + at % BLOCK;
  real4 sum = (real4)(0);
  if (!reaction)
    for (uint run = 0; run < runs; ++run) sum += rows[run_row(block, run, runs) * BLOCK];
  const uint end = reaction ? blocks : one ? block : 0;
  for (uint i = 0; i < end && (part.x * blocks + i) * BLOCK < bodies; ++i)
    sum += rows[reaction_row(i, block, blocks, runs) * BLOCK];
  sums[(size_t)(reaction ? part.x : part.y) * bodies + pulled] = sum;
}
