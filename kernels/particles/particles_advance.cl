// Time steps: velocity Verlet (W. C. Swope et al., J. Chem. Phys. 76 (1982) 637), Langevin's equation in the order BAOAB
// (B. Leimkuhler, C. Matthews, Appl. Math. Res. Express (2013) 34), and Berendsen's scaling (J. Chem. Phys. 81 (1984)
// 3684). Between two evaluations of the forces a step is closed (kick) and the next is opened (kick, drift).
//
//   -D CONSTRAINED=1  stores the drift in `displacements`; constraints correct it before particles move
#include "particles.clh"
#include "random.clh"

enum { VERLET, LANGEVIN, BERENDSEN };

// With lists, slots hold the present positions.
typedef struct {
  global wide4* positions;
  global const wide4* references;
  global const uint* slot_of;
  global real4* slot_positions;
  uint listed;
  wide far2;
} places_t;

// A particle that has moved more than √far2 since it was listed invalidates the lists.
static void move_particle(const places_t* places, uint i, wide4 moved, global int* status) {
  const wide4 at = places->positions[i] + moved, far = at - places->references[i];
  places->positions[i] = at;
  if (!places->listed) return;
  places->slot_positions[places->slot_of[i]] = convert_real4(at);
  if (far.x * far.x + far.y * far.y + far.z * far.z > places->far2) status[MOVED_FAR] = 1;
}

// The same layout as StepNumbers in app/scenes/particles/model/stepper.cpp. keep = e^(−γ dt), noise² = kT (1 − keep²).
typedef struct {
  ulong seed, step;
  wide dt, keep, noise, far2, kinetic_target, relaxation_rate;
  uint listed, particles, closes, opens, thermostat, kinetic_rows;
} step_t;

// The factor of the velocities, from the kinetic energies of groups.
static wide berendsen_factor(global const wide* kinetic, const step_t* step) {
  wide sum = 0;
  for (uint k = 0; k < step->kinetic_rows; ++k) sum += kinetic[k];
  if (!(sum > 0)) return 1;
  return sqrt(clamp(1 + step->relaxation_rate * (step->kinetic_target / sum - 1), (wide)0.64, (wide)1.5625));
}

// velocities: w is 1/mass, 0 for a held particle.
kernel void advance(step_t step, global wide4* positions, global wide4* velocities, global const long* forces,
                    global const int* exponents, global const wide4* references, global wide4* displacements,
                    global const uint* slot_of, global real4* slot_positions, global const wide* kinetic,
                    global int* status) {
  const uint i = get_global_id(0), particles = step.particles;
  if (i == 0 && out_of_range(status)) status[WAITS_FOR_RANGE] = 1;
  if (i == 0 && status[NEEDED] != 0) status[FROZEN] = 1;
  if (i >= particles || halted(status)) return;
  if (i == 0 && step.closes) ++status[CLOSED_STEPS];
  if (i == 0 && step.opens && ++status[STEPS] % ORDER_EVERY == 0) status[ORDER_DUE] = status[MOVED_FAR] = 1;
  const wide4 state = velocities[i];
  const wide over_mass = state.w;
  if (!(over_mass > 0)) {
#ifdef CONSTRAINED
    displacements[i] = (wide4)(0);
#endif
    return;
  }
  const wide4 acceleration = force_on(forces, exponents, particles, i, status) * over_mass;
  wide4 v = (wide4)(state.xyz, 0);
  if (step.closes) v += (step.dt / 2) * acceleration;
  wide4 moved = (wide4)(0);
  if (step.opens) {
    if (step.thermostat == BERENDSEN) v *= berendsen_factor(kinetic, &step);
    v += (step.dt / 2) * acceleration;
    if (step.thermostat == LANGEVIN) {
      moved = v * (step.dt / 2);
      const float4 deviates = normals_of(random_block(step.seed, RANDOM_LANGEVIN, step.step, i));
      v = step.keep * v + step.noise * sqrt(over_mass) * convert_wide4((float4)(deviates.xyz, 0));
      moved += v * (step.dt / 2);
    } else {
      moved = v * step.dt;
    }
  }
  velocities[i] = (wide4)(v.xyz, over_mass);
#ifdef CONSTRAINED
  if (step.opens) displacements[i] = moved;
#else
  const places_t places = {positions, references, slot_of, slot_positions, step.listed, step.far2};
  if (step.opens) move_particle(&places, i, moved, status);
#endif
}

// The drift itself, after the constraints.
kernel void move(global wide4* positions, global const wide4* references, global const wide4* displacements,
                 global const uint* slot_of, global real4* slot_positions, uint listed, uint particles, wide far2,
                 global int* status) {
  const uint i = get_global_id(0);
  if (i >= particles || halted(status)) return;
  const places_t places = {positions, references, slot_of, slot_positions, listed, far2};
  move_particle(&places, i, displacements[i], status);
}

#define KINETIC_GROUP 16

// Kinetic energies, one sum per group.
kernel __attribute__((reqd_work_group_size(KINETIC_GROUP, 1, 1))) void sum_kinetic(global const wide4* velocities,
                                                                                   uint particles, global wide* rows,
                                                                                   global const int* status) {
  if (halted(status)) return;
  local wide sums[KINETIC_GROUP];
  wide sum = 0;
  for (uint i = get_global_id(0); i < particles; i += get_global_size(0)) {
    const wide4 v = velocities[i];
    if (v.w > 0) sum += (v.x * v.x + v.y * v.y + v.z * v.z) / (2 * v.w);
  }
  sums[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) != 0) return;
  for (uint k = 1; k < KINETIC_GROUP; ++k) sum += sums[k];
  rows[get_group_id(0)] = sum;
}

// Steepest descent: along the force, no farther than `longest`.
kernel void descend(global const wide4* velocities, global const long* forces, global const int* exponents,
                    global wide4* displacements, uint particles, wide scale, wide longest, global const int* status) {
  const uint i = get_global_id(0);
  if (i >= particles || halted(status)) return;
  wide4 moved = velocities[i].w > 0 ? scale * force_on(forces, exponents, particles, i, status) : (wide4)(0);
  const wide far = sqrt(moved.x * moved.x + moved.y * moved.y + moved.z * moved.z);
  if (far > longest) moved *= longest / far;
  displacements[i] = moved;
}

// The bits of a non-negative float have its order.
kernel void largest_force(global const wide4* velocities, global const long* forces, global const int* exponents,
                          uint particles, global const int* status, global int* largest) {
  const uint i = get_global_id(0);
  if (i >= particles || !(velocities[i].w > 0)) return;
  const wide4 f = force_on(forces, exponents, particles, i, status);
  atomic_max(largest, as_int((float)sqrt(f.x * f.x + f.y * f.y + f.z * f.z)));
}
