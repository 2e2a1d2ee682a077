#include "scenes/particles/model/neighbours.hpp"
#include "compute/program/arguments.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace orrery::particles {
namespace {

constexpr double skin_of_cutoff = 0.16, cpu_skin_of_cutoff = 0.12;  // larger: lists last longer, but are longer
constexpr std::size_t chunk = 1024;                                 // as in kernels/particles/particles_order.cl
constexpr std::uint32_t most_side_bits = 8;
constexpr std::size_t first_capacity = 256;
constexpr std::size_t few_blocks = 1024;  // with fewer, boxes around groups of blocks save less than their launch costs
constexpr std::size_t most_search_groups = 8192;  // they fill any GPU; more cost time when idle

/// A grid with about one cell per particle: 2^bits cells per side.
std::uint32_t bits_for(std::size_t particles) {
  std::uint32_t bits = 1;
  while (bits < most_side_bits && (std::size_t{1} << (3 * bits)) < particles) ++bits;
  return bits;
}

struct ExclusionTable {
  std::vector<std::uint32_t> starts, others;
  std::size_t most = 0;  // largest number for one particle
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

bool is_grouped(const DeviceParticles& state) { return state.blocks() > few_blocks; }

std::size_t groups_of_blocks(const DeviceParticles& state) { return (state.blocks() + block_size - 1) / block_size; }

std::size_t chunks_of(std::size_t cells) { return (cells + chunk - 1) / chunk; }

// Work-items per group, a divisor of `chunk`.
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
      cutoff_(cutoff_of(world)),
      skin_((is_cpu(state.device.info()) ? cpu_skin_of_cutoff : skin_of_cutoff) * cutoff_),
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
  lists_.counts = device.buffer(teams_ * sizeof(cl_uint2));

  const auto order = programs.build(order_spec(device, state.precision));
  copy_ = order->kernel("copy_to_slots");
  list_exclusions(world, state, queue);
  if (!listed()) {
    lists_.plain = device.buffer(word);
    set_arguments(copy_, order_, state.particles(), state.positions, positions_, state.status);
    return;
  }
  ordering_ = {.find_bounds = order->kernel("find_bounds"),
               .count_cells = order->kernel("count_cells"),
               .sum_chunks = order->kernel("sum_chunks"),
               .scan_cells = order->kernel("scan_cells"),
               .deal_slots = order->kernel("deal_slots"),
               .sort_cells = order->kernel("sort_cells"),
               .take_slots = order->kernel("take_slots")};
  const auto lists = programs.build(list_spec(device, state.precision, team_));
  listing_ = {.bound_blocks = lists->kernel("bound_blocks"),
              .bound_groups = lists->kernel("bound_groups"),
              .find = lists->kernel("find_neighbours")};

  const std::uint32_t bits = bits_for(n);
  const std::size_t cells = std::size_t{1} << (3 * bits);
  cells_ = {.bits = bits,
            .count = cells,
            .of_particles = device.buffer(n * word),
            .counts = device.buffer(cells * word),
            .starts = device.buffer(cells * word),
            .sums = device.buffer(chunks_of(cells) * word),
            .bounds = device.buffer(6 * sizeof(cl_int))};
  const std::size_t blocks = state.blocks() * real4, groups = groups_of_blocks(state) * real4;
  blocks_ = {.middles = device.buffer(blocks), .halves = device.buffer(blocks)};
  groups_ = {.middles = device.buffer(groups), .halves = device.buffer(groups)};
  state.set_words(queue, cells_.counts, 0, cells, 0);
  state.set_words(queue, cells_.bounds, 0, 3, CL_INT_MAX);
  state.set_words(queue, cells_.bounds, 3, 3, CL_INT_MIN);
  set_order_arguments(state);
  grow(first_capacity, state);
  queue.finish();
}

// If all particles are neighbours, the lists hold only those that a team's particles exclude, including themselves.
void Neighbours::list_exclusions(const World& world, const DeviceParticles& state, Queue& queue) {
  const ExclusionTable table = table_of(world);
  const std::size_t capacity = std::min(team_ * (1 + table.most), state.padded);
  exclusions_ = {.starts = uint_buffer(state.device, table.starts), .others = uint_buffer(state.device, table.others)};
  lists_.masked_capacity = static_cast<cl_uint>(capacity);
  lists_.masked = state.device.buffer(teams_ * capacity * sizeof(cl_uint2));
  if (listed()) return;
  std::vector<cl_uint2> masked(teams_ * capacity), counts(teams_);
  for (std::size_t team = 0; team < teams_; ++team) {
    std::map<std::uint32_t, std::uint32_t> masks;
    for (std::size_t i = team * team_; i < std::min(state.count, (team + 1) * team_); ++i) {
      const std::uint32_t bit = 1U << (i % team_);
      masks[static_cast<std::uint32_t>(i)] |= bit;
      for (std::size_t e = table.starts[i]; e < table.starts[i + 1]; ++e) masks[table.others[e]] |= bit;
    }
    std::size_t at = team * capacity;
    for (const auto& [slot, mask] : masks) masked[at++] = {{slot, mask}};
    counts[team] = {{0, static_cast<std::uint32_t>(masks.size())}};
  }
  queue.write_blocking(lists_.masked, std::span<const cl_uint2>(masked));
  queue.write_blocking(lists_.counts, std::span<const cl_uint2>(counts));
}

void Neighbours::use_columns(Queue& queue, const DeviceParticles& state, const std::vector<double>& rows,
                             std::size_t columns) {
  column_count_ = columns;
  body_columns_ = real_buffer(state.device, queue, state.precision, rows);
  columns_ = listed() ? real_buffer(state.device, queue, state.precision, rows) : body_columns_;
  if (listed()) set_order_arguments(state);
}

void Neighbours::set_order_arguments(const DeviceParticles& state) {
  Ordering& o = ordering_;
  const Cells& c = cells_;
  const auto cells = static_cast<cl_uint>(c.count);
  const cl_uint n = state.particles();
  set_arguments(o.find_bounds, state.positions, n, c.bounds, state.status);
  set_arguments(o.count_cells, state.positions, n, c.bits, state.box, c.bounds, c.of_particles, c.counts, state.status);
  set_arguments(o.sum_chunks, c.counts, cells, c.sums, state.status);
  set_arguments(o.scan_cells, c.counts, cells, c.sums, c.starts, state.status);
  set_arguments(o.deal_slots, c.of_particles, n, c.starts, order_, state.status);
  set_arguments(o.sort_cells, c.starts, c.counts, cells, order_, c.bounds, state.status);
  if (body_columns_() != nullptr)
    set_arguments(o.take_slots, order_, n, static_cast<cl_uint>(state.padded), static_cast<cl_uint>(column_count_),
                  body_columns_, columns_, slot_of_, state.status);
}

void Neighbours::grow(std::size_t needed, const DeviceParticles& state) {
  const std::size_t capacity = std::min(round_up(needed, block_size), state.padded);
  lists_.capacity = static_cast<cl_uint>(capacity);
  lists_.plain = state.device.buffer(teams_ * capacity * sizeof(cl_uint));
  const cl_uint n = state.particles();
  set_arguments(listing_.bound_blocks, order_, n, state.box, state.positions, state.references, positions_,
                blocks_.middles, blocks_.halves, state.status);
  set_arguments(listing_.bound_groups, blocks_.middles, blocks_.halves, static_cast<cl_uint>(state.blocks()), state.box,
                groups_.middles, groups_.halves, state.status);
  set_arguments(listing_.find, positions_, n, state.box, blocks_.middles, blocks_.halves, groups_.middles,
                groups_.halves, order_, slot_of_, exclusions_.starts, exclusions_.others, state.real(cutoff_ + skin_),
                lists_.capacity, lists_.masked_capacity, static_cast<cl_uint>(is_grouped(state)), lists_.plain,
                lists_.masked, lists_.counts, state.status);
}

void Neighbours::enqueue(Queue& queue, const DeviceParticles& state, bool may_order) {
  if (!listed())
    return queue.launch(particles_launch::slots, copy_, elementwise(state.device.info(), state.count),
                        Work(static_cast<double>(state.count)));
  if (may_order) enqueue_order(queue, state);
  const bool alone = is_cpu(state.device.info());  // a work-item searches by itself
  const std::size_t group = alone ? 1 : block_size,
                    groups = alone ? state.blocks() : std::min(state.blocks(), most_search_groups);
  const Range blockwise{cl::NDRange(groups * group), cl::NDRange(group)};
  queue.launch(particles_launch::lists, listing_.bound_blocks, blockwise);
  if (is_grouped(state))
    queue.launch(particles_launch::lists, listing_.bound_groups,
                 elementwise(state.device.info(), groups_of_blocks(state)));
  queue.launch(particles_launch::lists, listing_.find, blockwise);
}

void Neighbours::enqueue_order(Queue& queue, const DeviceParticles& state) {
  const DeviceInfo& info = state.device.info();
  const std::size_t scanning = scan_group(state.device);
  const Range each = elementwise(info, state.count);
  const std::size_t chunks = chunks_of(cells_.count);
  if (open_) queue.launch(particles_launch::order, ordering_.find_bounds, elementwise(info, 4096));
  queue.launch(particles_launch::order, ordering_.count_cells, each);
  queue.launch(particles_launch::order, ordering_.sum_chunks, elementwise(info, chunks));
  queue.launch(particles_launch::order, ordering_.scan_cells, {cl::NDRange(chunks * scanning), cl::NDRange(scanning)});
  queue.launch(particles_launch::order, ordering_.deal_slots, each);
  queue.launch(particles_launch::order, ordering_.sort_cells, elementwise(info, cells_.count));
  queue.launch(particles_launch::order, ordering_.take_slots, each);
}

}  // namespace orrery::particles
