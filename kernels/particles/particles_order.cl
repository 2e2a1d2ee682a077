// Sorts particles into slots along Hilbert's curve: a counting sort by cell. The particles of a cell are in the order of
// their identities, so that the order does not depend on the device's scheduling. Every kernel does nothing unless the
// order is due.
//   -D SCAN_GROUP=n  work-items per group of scan_cells: a power of two
//
// The radix sort (common/radix_sort.cl) of the cells' numbers would give the same order. With PoCL it takes 0.92 of the
// time for 10,000 particles and as long for 100,000, but 7 and 10 launches in place of 5, and launches dominate for few
// particles.
#include "particles.clh"
#include "hilbert.clh"
#include "ordered_float.clh"

#define CHUNK 1024  // cells that a group of scan_cells sums

// For open space: `bounds` are the three smallest, then the three largest coordinates.
kernel void find_bounds(global const wide4* positions, uint particles, global int* bounds, global const int* status) {
  if (!ordering(status)) return;
  int low[3] = {INT_MAX, INT_MAX, INT_MAX}, high[3] = {INT_MIN, INT_MIN, INT_MIN};
  for (uint i = get_global_id(0); i < particles; i += get_global_size(0)) {
    const wide4 p = positions[i];
    const int at[3] = {ordered((float)p.x), ordered((float)p.y), ordered((float)p.z)};
    for (uint k = 0; k < 3; ++k) {
      low[k] = min(low[k], at[k]);
      high[k] = max(high[k], at[k]);
    }
  }
  for (uint k = 0; k < 3; ++k) {
    atomic_min(&bounds[k], low[k]);
    atomic_max(&bounds[3 + k], high[k]);
  }
}

static uint cell_at(float fraction, uint bits) {
  const uint cells = 1u << bits;
  return min((uint)clamp(fraction * cells, 0.0f, (float)cells), cells - 1);
}

// A particle that is not finite lies in the first cell.
kernel void count_cells(global const wide4* positions, uint particles, uint bits, constant wide4* box,
                        global const int* bounds, global uint* cells, global uint* counts, global const int* status) {
  const uint i = get_global_id(0);
  if (i >= particles || !ordering(status)) return;
  const wide4 p = positions[i];
  const wide at[3] = {p.x, p.y, p.z}, inverse[3] = {box[1].x, box[1].y, box[1].z};
  uint cell[3];
  for (uint k = 0; k < 3; ++k) {
    float fraction;
    if (inverse[k] > 0) {
      const wide turns = at[k] * inverse[k] + (wide)0.5;
      fraction = (float)(turns - floor(turns));
    } else {
      const float low = from_ordered(bounds[k]), size = from_ordered(bounds[3 + k]) - low;
      fraction = size > 0 ? ((float)at[k] - low) / size : 0;
    }
    cell[k] = cell_at(fraction, bits);
  }
  find_hilbert_digits(cell, bits);
  const uint index = (uint)hilbert_number(cell);
  cells[i] = index;
  atomic_inc(&counts[index]);
}

kernel void sum_chunks(global const uint* counts, uint cells, global uint* sums, global const int* status) {
  const uint chunk = get_global_id(0);
  if (chunk * CHUNK >= cells || !ordering(status)) return;
  uint sum = 0;
  for (uint i = chunk * CHUNK; i < min(cells, chunk * CHUNK + CHUNK); ++i) sum += counts[i];
  sums[chunk] = sum;
}

// The start of each cell. One group per chunk.
kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_cells(
    global const uint* counts, uint cells, global const uint* sums, global uint* starts, global const int* status) {
  if (!ordering(status)) return;
  local uint before[SCAN_GROUP], own[SCAN_GROUP];
  const uint item = get_local_id(0), chunk = get_group_id(0), each = CHUNK / SCAN_GROUP;
  const uint first = min(cells, chunk * CHUNK + item * each), end = min(cells, first + each);
  uint earlier = 0, sum = 0;
  for (uint i = item; i < chunk; i += SCAN_GROUP) earlier += sums[i];
  for (uint i = first; i < end; ++i) sum += counts[i];
  before[item] = earlier;
  own[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint start = 0;
  for (uint k = 0; k < SCAN_GROUP; ++k) start += before[k] + (k < item ? own[k] : 0);
  for (uint i = first; i < end; ++i) {
    starts[i] = start;
    start += counts[i];
  }
}

// `starts` become the ends of the cells.
kernel void deal_slots(global const uint* cells, uint particles, global uint* starts, global uint* order,
                       global const int* status) {
  const uint i = get_global_id(0);
  if (i >= particles || !ordering(status)) return;
  order[atomic_inc(&starts[cells[i]])] = i;
}

static void sift_down(global uint* values, uint root, uint count) {
  for (uint child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && values[child] < values[child + 1]) ++child;
    if (values[root] >= values[child]) return;
    const uint value = values[root];
    values[root] = values[child];
    values[child] = value;
  }
}

// Heap sort, which stays fast if all particles are in one cell.
static void sort(global uint* values, uint count) {
  for (uint root = count / 2; root-- > 0;) sift_down(values, root, count);
  for (uint last = count; last-- > 1;) {
    const uint value = values[0];
    values[0] = values[last];
    values[last] = value;
    sift_down(values, 0, last);
  }
}

// Resets the counts and the bounds for the next time.
kernel void sort_cells(global const uint* ends, global uint* counts, uint cells, global uint* order,
                       global int* bounds, global const int* status) {
  const uint cell = get_global_id(0);
  if (cell >= cells || !ordering(status)) return;
  for (uint k = 0; k < 3 && cell == 0; ++k) {
    bounds[k] = INT_MAX;
    bounds[3 + k] = INT_MIN;
  }
  const uint count = counts[cell];
  if (count > 1) sort(order + ends[cell] - count, count);
  counts[cell] = 0;
}

// `columns` have a row of `padded` values each.
kernel void take_slots(global const uint* order, uint particles, uint padded, uint column_count,
                       global const real* columns, global real* slot_columns, global uint* slot_of, global int* status) {
  const uint slot = get_global_id(0);
  if (slot >= particles || !ordering(status)) return;
  if (slot == 0) status[ORDERED] = 1;
  const uint body = order[slot];
  slot_of[body] = slot;
  for (uint column = 0; column < column_count; ++column)
    slot_columns[column * padded + slot] = columns[column * padded + body];
}

// If all are neighbours, in every step: copies the present positions, and resets the last step's range of forces.
kernel void copy_to_slots(global const uint* order, uint particles, global const wide4* positions,
                          global real4* slot_positions, global int* status) {
  const uint slot = get_global_id(0);
  if (slot >= particles || stopped(status)) return;
  if (slot == 0) status[WELL_IN_RANGE] = status[OUT_OF_RANGE] = 0;
  slot_positions[slot] = convert_real4(positions[order[slot]]);
}
