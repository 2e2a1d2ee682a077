#include "scenes/particles/model/forces.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "compute/program/arguments.hpp"
#include "scenes/particles/laws/law_text.hpp"

namespace orrery::particles {
namespace {

constexpr double launch_seconds = 20e-6;  // the cost of the shortest launch
constexpr double longest_launch = 0.1;    // far below any driver's watchdog
constexpr double worth_finishing = 1.5;   // times the rest of a slice: a launch that ends within it is not cut

double guessed_seconds_per_pair(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? 2e-9 : 1e-11;
}

// Turns a row per group into a row per column.
std::vector<double> transposed(const Groups& groups) {
  const std::size_t columns = groups.law.columns.size(), count = groups.size();
  std::vector<double> result(groups.values.size());
  for (std::size_t g = 0; g < count; ++g)
    for (std::size_t c = 0; c < columns; ++c) result[c * count + g] = groups.values[g * columns + c];
  return result;
}

}  // namespace

ParticleForces::ParticleForces(ProgramLibrary& programs, Queue& queue, const World& world, const DeviceParticles& state,
                               std::shared_ptr<LawKernels> laws)
    : neighbours_(std::make_shared<Neighbours>(programs, queue, world, state, laws->variant.team())) {
  use(queue, world, state, std::move(laws));
}

void ParticleForces::use(Queue& queue, const World& world, const DeviceParticles& state,
                         std::shared_ptr<LawKernels> laws) {
  laws_ = std::move(laws);
  neighbours_->use_columns(queue, state, column_rows(world, laws_->columns, state.padded), laws_->columns.size());
  sliders_ = real_buffer(state.device, queue, state.precision, slider_values(world));
  pair_energies_ = state.device.buffer((laws_->laws + 1) * state.count * state.bytes_of_real());
  state.set_words(queue, pair_energies_, 0, (laws_->laws + 1) * state.count * state.bytes_of_real() / sizeof(cl_int),
                  0);
  make_groups(queue, world, state);
  queue.finish();
}

void ParticleForces::make_groups(Queue& queue, const World& world, const DeviceParticles& state) {
  groups_.clear();
  rows_ = {};
  shares_ = {};
  std::size_t rows = 0;
  std::vector<std::uint32_t> starts(state.count + 1, 0), places;
  for (std::size_t k = 0; k < world.groups.size(); ++k) {
    const Groups& groups = world.groups[k];
    const std::size_t count = groups.size();
    const std::size_t bytes = std::max<std::size_t>(count, 1) * 2 * state.bytes_of_real();
    GroupBuffers buffers{.count = count,
                         .members = uint_buffer(state.device, groups.members),
                         .values = real_buffer(state.device, queue, state.wide(), transposed(groups)),
                         .columns = real_buffer(state.device, queue, state.wide(),
                                                column_rows(world, laws_->groups[k].columns, state.padded)),
                         .sliders = real_buffer(state.device, queue, state.wide(), slider_values(groups.law)),
                         .energies = state.device.buffer(bytes),
                         .first_row = rows};
    state.set_words(queue, buffers.energies, 0, bytes / sizeof(cl_int), 0);
    for (const std::uint32_t member : groups.members) ++starts[member + 1];
    rows += groups.members.size();
    groups_.push_back(std::move(buffers));
  }
  if (rows == 0) return;
  sharing_ = static_cast<cl_int>(std::bit_width(*std::ranges::max_element(starts) - 1));
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  places.resize(rows);
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  std::uint32_t row = 0;
  for (const Groups& groups : world.groups)
    for (const std::uint32_t member : groups.members) places[next[member]++] = row++;
  shares_ = {state.device.buffer(rows * state.bytes_of_real()), uint_buffer(state.device, starts),
             uint_buffer(state.device, places)};
  state.set_words(queue, shares_.shares, 0, rows * state.bytes_of_real() / sizeof(cl_int), 0);
  if (!laws_->variant.fixed_atomics) rows_ = state.device.buffer(rows * bytes_of_real4(state.precision));
}

void ParticleForces::write_sliders(Queue& queue, const World& world, const DeviceParticles& state) {
  fill_reals(queue, state.precision, sliders_, slider_values(world));
  for (std::size_t k = 0; k < groups_.size(); ++k)
    fill_reals(queue, state.wide(), groups_[k].sliders, slider_values(world.groups[k].law));
}

void ParticleForces::begin(bool observed, bool may_order) {
  may_order_ = may_order;
  stage_ = Stage::lists;
  observed_ = observed;
  next_team_ = 0;
}

double ParticleForces::progress() const { return stage_ == Stage::done ? 1 : stage_ == Stage::pairs ? 0.5 : 0; }

double ParticleForces::enqueue(Queue& queue, const DeviceParticles& state, double budget) {
  double spent = 0;
  if (stage_ == Stage::lists) {
    if (laws_->laws > 0)
      neighbours_->enqueue(queue, state, may_order_);
    else
      state.clear_forces(queue);
    spent += launch_seconds;
    stage_ = laws_->laws > 0 ? Stage::pairs : Stage::groups;
  }
  if (stage_ == Stage::pairs) {
    spent += enqueue_pairs(queue, state, budget);
    if (next_team_ < neighbours_->teams()) return spent;
    stage_ = Stage::groups;
  }
  enqueue_groups(queue, state);
  stage_ = Stage::done;
  return spent + launch_seconds;
}

double ParticleForces::enqueue_pairs(Queue& queue, const DeviceParticles& state, double budget) {
  const DeviceInfo& info = state.device.info();
  const ForceVariant& v = laws_->variant;
  const std::size_t team = v.team();
  const auto all = static_cast<double>(state.count);
  const double pairs =
      (neighbours_->listed() ? std::min(300.0, all) : all) * static_cast<double>(team);  // approximate, per team
  const double each =
      queue.profiler().seconds_per_work(particles_launch::pairs).value_or(guessed_seconds_per_pair(info)) * pairs;
  const std::size_t left = neighbours_->teams() - next_team_, items = team / v.lanes * v.split;
  const std::size_t filling = std::max<std::size_t>(
      1, (info.device_class == DeviceClass::cpu ? 4 : 1024) * std::max(1U, info.compute_units) / items);
  const double fit = std::max(std::min(budget, longest_launch) / each, static_cast<double>(filling));
  const std::size_t count = static_cast<double>(left) <= worth_finishing * fit ? left : static_cast<std::size_t>(fit);
  cl::Kernel& kernel = observed_ ? laws_->observed_pairs : laws_->pairs;
  const Neighbours::Lists& lists = neighbours_->lists();
  set_arguments(kernel, neighbours_->positions(), neighbours_->order(), neighbours_->columns(),
                static_cast<cl_uint>(state.padded), state.particles(), lists.plain, lists.capacity, lists.masked,
                lists.masked_capacity, lists.counts, state.exponents, state.box, sliders_, state.forces, pair_energies_,
                static_cast<cl_uint>(next_team_), static_cast<cl_uint>(next_team_ + count),
                static_cast<cl_uint>(observed_), state.status);
  queue.launch(particles_launch::pairs, kernel,
               {cl::NDRange(round_up(count * items, v.work_group)), cl::NDRange(v.work_group)},
               Work(static_cast<double>(count) * pairs));
  next_team_ += count;
  return std::max(launch_seconds, each * static_cast<double>(count));
}

std::optional<ParticleForces::BrokenPair> ParticleForces::broken_pair(ProgramLibrary& programs, Queue& queue,
                                                                      const World& world,
                                                                      const DeviceParticles& state) const {
  constexpr cl_uint any = 0xffffffff;
  cl::Kernel kernel = blame_kernel(programs, world, laws_->variant);
  const cl::Buffer least = state.device.buffer(sizeof(cl_uint));
  const Neighbours::Lists& lists = neighbours_->lists();
  const auto find = [&](cl_uint first, cl_uint second) {
    state.set_words(queue, least, 0, 1, -1);
    set_arguments(kernel, neighbours_->positions(), neighbours_->order(), neighbours_->columns(),
                  static_cast<cl_uint>(state.padded), state.particles(), lists.plain, lists.capacity, lists.masked,
                  lists.masked_capacity, lists.counts, state.box, sliders_, first, second, least);
    queue.launch(particles_launch::pairs, kernel, elementwise(state.device.info(), state.count));
    return queue.read_blocking<cl_uint>(least, 1).front();
  };
  const cl_uint first = find(any, any);
  if (first == any) return std::nullopt;
  const cl_uint second = find(first, any);
  return BrokenPair{find(first, second), first, second};
}

void ParticleForces::enqueue_groups(Queue& queue, const DeviceParticles& state) {
  const DeviceInfo& info = state.device.info();
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    GroupBuffers& g = groups_[k];
    if (g.count == 0) continue;
    set_arguments(laws_->groups[k].kernel, state.positions, state.particles(), g.members, static_cast<cl_uint>(g.count),
                  g.values, g.columns, static_cast<cl_uint>(state.padded), state.exponents, sharing_, state.box,
                  g.sliders, state.forces, rows_() != nullptr ? rows_ : g.energies, static_cast<cl_uint>(g.first_row),
                  g.energies, shares_.shares, static_cast<cl_uint>(observed_), static_cast<cl_int>(k), state.status);
    queue.launch(particles_launch::groups, laws_->groups[k].kernel, elementwise(info, g.count),
                 Work(static_cast<double>(g.count)));
  }
  if (rows_() == nullptr) return;
  set_arguments(laws_->gather, shares_.starts, shares_.places, rows_, state.particles(), state.exponents, state.forces,
                state.status);
  queue.launch(particles_launch::groups, laws_->gather, elementwise(info, state.count));
}

}  // namespace orrery::particles
