// Keeps distances: SHAKE for the positions (J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, J. Comput. Phys. 23
// (1977) 327), RATTLE for the velocities (H. C. Andersen, J. Comput. Phys. 52 (1983) 24), and SETTLE for rigid molecules
// of three (S. Miyamoto, P. A. Kollman, J. Comput. Chem. 13 (1992) 952). The step's displacement is corrected: it is
// small, so that no digits are lost. Particles that constraints join are a cluster, and one work-item handles all of it:
// no other item writes to them.
#include "particles.clh"

#define MOST_ROUNDS 500

static wide4 nearest_wide(wide4 delta, constant wide4* box) {
  delta -= box[0] * rint(delta * box[1]);
  return (wide4)(delta.xyz, 0);
}

static wide dot3(wide4 a, wide4 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// `pairs`: the particles of each constraint, a cluster's from starts[c] to starts[c + 1]; `distances`: of each.
// Corrects displacements so that all distances are kept, and velocities with them; gradients are those before the step.
kernel void shake(global const wide4* positions, global wide4* displacements, global wide4* velocities,
                  global const uint2* pairs, global const wide* distances, global const uint* starts, uint clusters,
                  constant wide4* box, wide over_dt, wide tolerance, global int* status) {
  const uint cluster = get_global_id(0);
  if (cluster >= clusters || halted(status)) return;
  const uint begin = starts[cluster], end = starts[cluster + 1];
  bool solved = false;
  for (uint round = 0; round < MOST_ROUNDS && !solved; ++round) {
    solved = true;
    for (uint c = begin; c < end; ++c) {
      const uint a = pairs[c].x, b = pairs[c].y;
      const wide4 before = nearest_wide(positions[b] - positions[a], box);
      const wide4 after = before + displacements[b] - displacements[a];
      const wide d2 = distances[c] * distances[c], off = dot3(after, after) - d2;
      if (fabs(off) <= 2 * tolerance * d2) continue;
      solved = false;
      const wide wa = velocities[a].w, wb = velocities[b].w, along = dot3(before, after);
      if (!(wa + wb > 0) || !(fabs(along) > (wide)1e-3 * d2)) continue;  // both held, or turned by a right angle
      const wide4 shift = off / (2 * (wa + wb) * along) * (wide4)(before.xyz, 0);
      displacements[a] += wa * shift;
      displacements[b] -= wb * shift;
      velocities[a].xyz += wa * over_dt * shift.xyz;
      velocities[b].xyz -= wb * over_dt * shift.xyz;
    }
  }
  if (!solved) status[UNSOLVED] = 1;
}

// Removes the components of velocities that would change a distance.
kernel void rattle(global const wide4* positions, global wide4* velocities, global const uint2* pairs,
                   global const wide* distances, global const uint* starts, uint clusters, constant wide4* box,
                   wide tolerance, wide dt, global int* status) {
  const uint cluster = get_global_id(0);
  if (cluster >= clusters || halted(status)) return;
  const uint begin = starts[cluster], end = starts[cluster + 1];
  bool solved = false;
  for (uint round = 0; round < MOST_ROUNDS && !solved; ++round) {
    solved = true;
    for (uint c = begin; c < end; ++c) {
      const uint a = pairs[c].x, b = pairs[c].y;
      const wide4 apart = nearest_wide(positions[b] - positions[a], box), va = velocities[a], vb = velocities[b];
      const wide d2 = distances[c] * distances[c], rate = dot3(apart, vb - va);
      if (fabs(rate) * dt <= tolerance * d2 || !(va.w + vb.w > 0)) continue;
      solved = false;
      const wide push = rate / ((va.w + vb.w) * dot3(apart, apart));
      velocities[a].xyz += va.w * push * apart.xyz;
      velocities[b].xyz -= vb.w * push * apart.xyz;
    }
  }
  if (!solved) status[UNSOLVED] = 1;
}

// Molecules of three: 0 is apart from 1 and 2 by `leg`, these by `base`; 1 and 2 have equal masses. After Miyamoto and
// Kollman's figure 2: the triangle is put into the plane of the old one, with its centre of mass where the free
// displacement has it, and turned about three axes. `molecules`: three identities and no fourth.
kernel void settle(global const wide4* positions, global wide4* displacements, global wide4* velocities,
                   global const uint4* molecules, global const wide2* shapes, uint count, constant wide4* box,
                   wide over_dt, global int* status) {
  const uint i = get_global_id(0);
  if (i >= count || halted(status)) return;
  const uint a = molecules[i].x, b = molecules[i].y, c = molecules[i].z;
  const wide leg = shapes[i].x, base = shapes[i].y;
  const wide ma = 1 / velocities[a].w, mb = 1 / velocities[b].w, over_mass = 1 / (ma + 2 * mb);
  const wide4 da = displacements[a], db = displacements[b], dc = displacements[c];
  // Old arms, and new places about the new centre of mass (the old place of 0 is the origin).
  const wide4 b0 = nearest_wide(positions[b] - positions[a], box), c0 = nearest_wide(positions[c] - positions[a], box);
  const wide4 free_a = da, free_b = b0 + db, free_c = c0 + dc;
  const wide4 centre = (free_a * ma + (free_b + free_c) * mb) * over_mass;
  const wide4 a1 = free_a - centre, b1 = free_b - centre, c1 = free_c - centre;
  // Axes: z across the old plane, x across z and the new arm of 0.
  const wide4 across = cross((wide4)(b0.xyz, 0), (wide4)(c0.xyz, 0));
  const wide4 z = normalize(across), x = normalize(cross((wide4)(a1.xyz, 0), z)), y = cross(z, x);
  const wide b0x = dot3(x, b0), b0y = dot3(y, b0), c0x = dot3(x, c0), c0y = dot3(y, c0);
  const wide a1z = dot3(z, a1), b1x = dot3(x, b1), b1y = dot3(y, b1), b1z = dot3(z, b1);
  const wide c1x = dot3(x, c1), c1y = dot3(y, c1), c1z = dot3(z, c1);
  // The triangle at rest: 0 at (0, ra), 1 and 2 at (∓rc, −rb).
  const wide rc = base / 2, height = sqrt(leg * leg - rc * rc), ra = 2 * mb * height * over_mass, rb = height - ra;
  const wide sin_phi = clamp(a1z / ra, (wide)-1, (wide)1), cos_phi = sqrt(1 - sin_phi * sin_phi);
  const wide sin_psi = clamp((b1z - c1z) / (2 * rc * cos_phi), (wide)-1, (wide)1), cos_psi = sqrt(1 - sin_psi * sin_psi);
  const wide ya2 = ra * cos_phi;
  wide xb2 = -rc * cos_psi;
  const wide yb2 = -rb * cos_phi - rc * sin_psi * sin_phi, yc2 = -rb * cos_phi + rc * sin_psi * sin_phi;
  // The rounding error of the base's length.
  const wide base2 = 4 * xb2 * xb2 + (yb2 - yc2) * (yb2 - yc2) + (b1z - c1z) * (b1z - c1z);
  xb2 -= xb2 + sqrt(fmax(4 * xb2 * xb2 - base2 + base * base, (wide)0)) / 2;
  // Equations A15 … A18.
  const wide alpha = xb2 * (b0x - c0x) + b0y * yb2 + c0y * yc2, beta = xb2 * (c0y - b0y) + b0x * yb2 + c0x * yc2;
  const wide gamma = b0x * b1y - b1x * b0y + c0x * c1y - c1x * c0y, hypotenuse2 = alpha * alpha + beta * beta;
  const wide sin_theta = (alpha * gamma - beta * sqrt(fmax(hypotenuse2 - gamma * gamma, (wide)0))) / hypotenuse2;
  const wide cos_theta = sqrt(1 - sin_theta * sin_theta);
  const wide xa3 = -ya2 * sin_theta, ya3 = ya2 * cos_theta, za3 = a1z;
  const wide xb3 = xb2 * cos_theta - yb2 * sin_theta, yb3 = xb2 * sin_theta + yb2 * cos_theta, zb3 = b1z;
  const wide xc3 = -xb2 * cos_theta - yc2 * sin_theta, yc3 = -xb2 * sin_theta + yc2 * cos_theta, zc3 = c1z;
  const wide4 moved_a = centre + xa3 * x + ya3 * y + za3 * z;
  const wide4 moved_b = centre + xb3 * x + yb3 * y + zb3 * z - b0;
  const wide4 moved_c = centre + xc3 * x + yc3 * y + zc3 * z - c0;
  velocities[a].xyz += over_dt * (moved_a - da).xyz;
  velocities[b].xyz += over_dt * (moved_b - db).xyz;
  velocities[c].xyz += over_dt * (moved_c - dc).xyz;
  displacements[a] = (wide4)(moved_a.xyz, 0);
  displacements[b] = (wide4)(moved_b.xyz, 0);
  displacements[c] = (wide4)(moved_c.xyz, 0);
}

// The constraints' part of the virial: λ d² of each, where λ d is the force along it under which distances keep their
// length now, d²(r²)/dt² = 0 (M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids (2017), section 3.4).
// `accelerations` temporarily hold the members'; one sum per cluster.
kernel void constraint_virial(global const wide4* positions, global const wide4* velocities, global const long* forces,
                              global const int* exponents, global const int* status, global wide4* accelerations, uint particles, global const uint2* pairs, global const uint* starts,
                              uint clusters, constant wide4* box, wide tolerance, global real* virials) {
  const uint cluster = get_global_id(0);
  if (cluster >= clusters) return;
  const uint begin = starts[cluster], end = starts[cluster + 1];
  for (uint c = begin; c < end; ++c)
    for (uint k = 0; k < 2; ++k) {
      const uint i = k == 0 ? pairs[c].x : pairs[c].y;
      accelerations[i] = velocities[i].w * force_on(forces, exponents, particles, i, status);
    }
  wide virial = 0;
  bool solved = false;
  for (uint round = 0; round < MOST_ROUNDS && !solved; ++round) {
    solved = true;
    for (uint c = begin; c < end; ++c) {
      const uint a = pairs[c].x, b = pairs[c].y;
      const wide4 apart = nearest_wide(positions[b] - positions[a], box), va = velocities[a], vb = velocities[b];
      const wide4 pa = accelerations[a], pb = accelerations[b], pull = pb - pa;
      const wide v2 = dot3(vb - va, vb - va), d2 = dot3(apart, apart), off = dot3(apart, pull) + v2;
      if (!(va.w + vb.w > 0) || fabs(off) <= tolerance * (v2 + sqrt(d2) * (length(pa) + length(pb)))) continue;
      solved = false;
      const wide lambda = -off / ((va.w + vb.w) * d2);  // on b along `apart`, and on a against it
      accelerations[a] -= va.w * lambda * apart;
      accelerations[b] += vb.w * lambda * apart;
      virial += lambda * d2;
    }
  }
  virials[cluster] = (real)virial;
}

// The largest |r − d| / d; its bits are compared as a whole number.
kernel void constraint_error(global const wide4* positions, global const uint2* pairs, global const wide* distances,
                             uint constraints, constant wide4* box, global int* largest) {
  const uint c = get_global_id(0);
  if (c >= constraints) return;
  const wide4 apart = nearest_wide(positions[pairs[c].y] - positions[pairs[c].x], box);
  atomic_max(largest, as_int((float)fabs(sqrt(dot3(apart, apart)) / distances[c] - 1)));
}
