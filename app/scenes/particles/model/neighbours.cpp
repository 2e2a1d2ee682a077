#include "scenes/particles/model/neighbours.hpp"
#include "compute/program/arguments.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace orrery::particles {
namespace {

constexpr double skin_of_cutoff = 0.16, cpu_skin_of_cutoff = 0.12;  // more: lists last longer, and are longer
constexpr std::size_t chunk = 1024;                                 // as in kernels/particles/particles_order.cl
constexpr std::uint32_t most_side_bits = 8;
constexpr std::size_t first_capacity = 256;
constexpr std::size_t few_blocks = 1024;  // with fewer, boxes around groups of blocks save less than their launch costs
constexpr std::size_t most_search_groups = 8192;  // they fill any GPU; more only cost time where there is nothing to do

/// A grid with about one cell per particle: 2^bits cells per side.
std::uint32_t bits_for(std::size_t particles) {
  std::uint32_t bits = 1;
  while (bits < most_side_bits && (std::size_t{1} << (3 * bits)) < particles) ++bits;
  return bits;
}

struct ExclusionTable {
  std::vector<std::uint32_t> starts, others;
  std::size_t most = 0;  // of one particle
};

ExclusionTable table_of(const World& world) {
  ExclusionTable table;
  table.starts.assign(world.particles.size() + 1, 0);
  const std::vector<Bond> pairs = exclusions_of(world);
  for (const auto& [a, b] : pairs) {
    ++table.starts[a + 1];
    ++table.starts[b + 1];
  }
  for (std::size_t i = 1; i < table.starts.size(); ++i) {
    table.most = std::max<std::size_t>(table.most, table.starts[i]);
    table.starts[i] += table.starts[i - 1];
  }
  table.others.resize(2 * pairs.size());
  std::vector<std::uint32_t> next(table.starts.begin(), table.starts.end() - 1);
  for (const auto& [a, b] : pairs) {
    table.others[next[a]++] = b;
    table.others[next[b]++] = a;
  }
  return table;
}

// Divides a chunk.
std::size_t scan_group(const Device& device) {
  return std::bit_floor(std::clamp<std::size_t>(device.info().max_work_group, 1, 64));
}

ProgramSpec order_spec(const Device& device, Precision precision) {
  ProgramSpec spec{"particles_order.cl", particle_definitions(device, precision)};
  spec.definitions["SCAN_GROUP"] = std::to_string(scan_group(device));
  return spec;
}

ProgramSpec list_spec(const Device& device, Precision precision, std::size_t team) {
  ProgramSpec spec{"particles_list.cl", particle_definitions(device, precision)};
  spec.definitions["TEAM"] = std::to_string(team);
  if (is_cpu(device.info())) spec.definitions["ALONE"] = "1";
  return spec;
}

}  // namespace

std::vector<ProgramSpec> Neighbours::programs(const Device& device, const World& world, Precision precision,
                                              std::size_t team) {
  std::vector<ProgramSpec> all{order_spec(device, precision)};
  if (cutoff_of(world) > 0) all.push_back(list_spec(device, precision, team));
  return all;
}

Neighbours::Neighbours(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state,
                       std::size_t team)
    : team_(team),
      teams_(state.padded / team),
      alone_(is_cpu(state.device.info())),
      cutoff_(cutoff_of(world)),
      skin_((alone_ ? cpu_skin_of_cutoff : skin_of_cutoff) * cutoff_),
      open_(!world.box.periodic()) {
  const Device& device = state.device;
  const std::size_t real4 = bytes_of_real4(state.precision), n = state.count, word = sizeof(cl_uint);
  std::vector<std::uint32_t> identities(state.padded, 0);
  std::iota(identities.begin(), identities.begin() + static_cast<std::ptrdiff_t>(n), 0U);
  order_ = device.buffer(state.padded * word);
  slot_of_ = device.buffer(state.padded * word);
  queue.write_blocking(order_, std::span<const std::uint32_t>(identities));
  queue.write_blocking(slot_of_, std::span<const std::uint32_t>(identities));
  positions_ = device.buffer(state.padded * real4);
  counts_ = device.buffer(teams_ * sizeof(cl_uint2));

  grouped_ = state.blocks() > few_blocks;
  bits_ = bits_for(n);
  cells_ = std::size_t{1} << (3 * bits_);
  const auto order = programs.build(order_spec(device, state.precision));
  copy_ = order->kernel("copy_to_slots");
  list_exclusions(world, state, queue);
  if (!listed()) {
    plain_ = device.buffer(word);
    set_arguments(copy_, order_, state.particles(), state.positions, positions_, state.status);
    return;
  }
  find_bounds_ = order->kernel("find_bounds");
  count_cells_ = order->kernel("count_cells");
  sum_chunks_ = order->kernel("sum_chunks");
  scan_cells_ = order->kernel("scan_cells");
  deal_slots_ = order->kernel("deal_slots");
  sort_cells_ = order->kernel("sort_cells");
  take_slots_ = order->kernel("take_slots");
  const auto lists = programs.build(list_spec(device, state.precision, team_));
  bound_blocks_ = lists->kernel("bound_blocks");
  bound_groups_ = lists->kernel("bound_groups");
  find_ = lists->kernel("find_neighbours");

  cell_of_ = device.buffer(n * word);
  counts_of_cells_ = device.buffer(cells_ * word);
  starts_ = device.buffer(cells_ * word);
  sums_ = device.buffer((cells_ + chunk - 1) / chunk * word);
  bounds_ = device.buffer(6 * sizeof(cl_int));
  const std::size_t groups = (state.blocks() + block_size - 1) / block_size;
  middles_ = device.buffer(state.blocks() * real4);
  halves_ = device.buffer(state.blocks() * real4);
  group_middles_ = device.buffer(groups * real4);
  group_halves_ = device.buffer(groups * real4);
  state.set_words(queue, counts_of_cells_, 0, cells_, 0);
  state.set_words(queue, bounds_, 0, 3, CL_INT_MAX);
  state.set_words(queue, bounds_, 3, 3, CL_INT_MIN);
  set_order_arguments(state);
  grow(first_capacity, state);
  queue.finish();
}

// Where all are neighbours, the lists hold only particles that a team's particles exclude, including themselves.
void Neighbours::list_exclusions(const World& world, const DeviceParticles& state, Queue& queue) {
  const ExclusionTable table = table_of(world);
  masked_capacity_ = std::min(team_ * (1 + table.most), state.padded);
  exclusion_starts_ = uint_buffer(state.device, table.starts);
  exclusions_ = uint_buffer(state.device, table.others);
  masked_ = state.device.buffer(teams_ * masked_capacity_ * sizeof(cl_uint2));
  if (listed()) return;
  std::vector<cl_uint2> masked(teams_ * masked_capacity_), counts(teams_);
  for (std::size_t team = 0; team < teams_; ++team) {
    std::map<std::uint32_t, std::uint32_t> masks;
    for (std::size_t i = team * team_; i < std::min(state.count, (team + 1) * team_); ++i) {
      const std::uint32_t bit = 1U << (i % team_);
      masks[static_cast<std::uint32_t>(i)] |= bit;
      for (std::size_t e = table.starts[i]; e < table.starts[i + 1]; ++e) masks[table.others[e]] |= bit;
    }
    std::size_t at = team * masked_capacity_;
    for (const auto& [slot, mask] : masks) masked[at++] = {{slot, mask}};
    counts[team] = {{0, static_cast<std::uint32_t>(masks.size())}};
  }
  queue.write_blocking(masked_, std::span<const cl_uint2>(masked));
  queue.write_blocking(counts_, std::span<const cl_uint2>(counts));
}

void Neighbours::use_columns(Queue& queue, const DeviceParticles& state, const std::vector<double>& rows,
                             std::size_t columns) {
  column_count_ = columns;
  body_columns_ = real_buffer(state.device, queue, state.precision, rows);
  columns_ = listed() ? real_buffer(state.device, queue, state.precision, rows) : body_columns_;
  if (listed()) set_order_arguments(state);
}

void Neighbours::set_order_arguments(const DeviceParticles& state) {
  const auto cells = static_cast<cl_uint>(cells_);
  const cl_uint n = state.particles();
  set_arguments(find_bounds_, state.positions, n, bounds_, state.status);
  set_arguments(count_cells_, state.positions, n, bits_, state.box, bounds_, cell_of_, counts_of_cells_, state.status);
  set_arguments(sum_chunks_, counts_of_cells_, cells, sums_, state.status);
  set_arguments(scan_cells_, counts_of_cells_, cells, sums_, starts_, state.status);
  set_arguments(deal_slots_, cell_of_, n, starts_, order_, state.status);
  set_arguments(sort_cells_, starts_, counts_of_cells_, cells, order_, bounds_, state.status);
  if (body_columns_() != nullptr)
    set_arguments(take_slots_, order_, n, static_cast<cl_uint>(state.padded), static_cast<cl_uint>(column_count_),
                  body_columns_, columns_, slot_of_, state.status);
}

void Neighbours::grow(std::size_t needed, const DeviceParticles& state) {
  capacity_ = std::min(round_up(needed, block_size), state.padded);
  plain_ = state.device.buffer(teams_ * capacity_ * sizeof(cl_uint));
  set_list_arguments(state);
}

void Neighbours::set_list_arguments(const DeviceParticles& state) {
  const cl_uint n = state.particles();
  set_arguments(bound_blocks_, order_, n, state.box, state.positions, state.references, positions_, middles_, halves_,
                state.status);
  set_arguments(bound_groups_, middles_, halves_, static_cast<cl_uint>(state.blocks()), state.box, group_middles_,
                group_halves_, state.status);
  set_arguments(find_, positions_, n, state.box, middles_, halves_, group_middles_, group_halves_, order_, slot_of_,
                exclusion_starts_, exclusions_, state.real(cutoff_ + skin_), static_cast<cl_uint>(capacity_),
                static_cast<cl_uint>(masked_capacity_), static_cast<cl_uint>(grouped_), plain_, masked_, counts_,
                state.status);
}

void Neighbours::enqueue(Queue& queue, const DeviceParticles& state, bool may_order) {
  if (!listed())
    return queue.launch(particles_launch::slots, copy_, elementwise(state.device.info(), state.count),
                        Work(static_cast<double>(state.count)));
  if (may_order) enqueue_order(queue, state);
  const std::size_t group = alone_ ? 1 : block_size,
                    groups = alone_ ? state.blocks() : std::min(state.blocks(), most_search_groups);
  const Range blockwise{cl::NDRange(groups * group), cl::NDRange(group)};
  queue.launch(particles_launch::lists, bound_blocks_, blockwise);
  if (grouped_)
    queue.launch(particles_launch::lists, bound_groups_,
                 elementwise(state.device.info(), (state.blocks() + block_size - 1) / block_size));
  queue.launch(particles_launch::lists, find_, blockwise);
}

void Neighbours::enqueue_order(Queue& queue, const DeviceParticles& state) {
  const DeviceInfo& info = state.device.info();
  const std::size_t scanning = scan_group(state.device);
  const Range each = elementwise(info, state.count);
  const std::size_t chunks = (cells_ + chunk - 1) / chunk;
  if (open_) queue.launch(particles_launch::order, find_bounds_, elementwise(info, 4096));
  queue.launch(particles_launch::order, count_cells_, each);
  queue.launch(particles_launch::order, sum_chunks_, elementwise(info, chunks));
  queue.launch(particles_launch::order, scan_cells_, {cl::NDRange(chunks * scanning), cl::NDRange(scanning)});
  queue.launch(particles_launch::order, deal_slots_, each);
  queue.launch(particles_launch::order, sort_cells_, elementwise(info, cells_));
  queue.launch(particles_launch::order, take_slots_, each);
}

}  // namespace orrery::particles
