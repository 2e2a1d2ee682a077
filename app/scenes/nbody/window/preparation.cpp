#include "scenes/nbody/window/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include "compute/device/refusal.hpp"
#include "scenes/nbody/bodies/between.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/memory.hpp"
#include "scenes/nbody/model/range.hpp"

namespace orrery {
namespace {

template <class Quantity>
LogSpread spread_of(const Bodies& bodies, Quantity&& quantity) {
  std::vector<double> values(bodies.size());
  std::ranges::transform(bodies, values.begin(), quantity);
  return log_spread(values);
}

}  // namespace

namespace {

// Rows of unchanged bodies keep their bits.
void change_rows(NbodyState& state, const BodyEdit& edit) {
  constexpr std::size_t entry = sizeof(cl_float4);
  const auto* const changed = std::get_if<BodyChanged>(&edit);
  auto before = std::exchange(state.mixed_rows, rows_of(state.bodies, Precision::mixed));
  for (std::size_t row = 0; row < before.size(); ++row)
    for (std::uint32_t k = 0; k < before[row].size() / entry; ++k)
      if (const auto now = index_after(edit, k); now && (changed == nullptr || changed->index != k))
        std::memcpy(&state.mixed_rows[row][*now * entry], &before[row][k * entry], entry);
}

}  // namespace

void change_by_hand(NbodyState& state, const BodyEdit& edit, std::string_view initial) {
  const std::size_t before = state.bodies.size();
  Cohorts cohorts = state.clock.edited() ? *state.clock.cohorts : cohorts_of(initial, before);
  edit_bodies(edit, state.bodies);
  follow(edit, before, state.clock.time, cohorts);
  state.clock.cohorts = std::make_shared<const Cohorts>(std::move(cohorts));
  if (!state.mixed_rows.empty()) change_rows(state, edit);
}

std::size_t memory_of(const NbodyState& state) {
  std::size_t sum = sizeof state + state.bodies.size() * sizeof(Body);
  for (const std::vector<std::byte>& row : state.mixed_rows) sum += row.size();
  return sum;
}

NbodyStart start_of(const NbodySettings& settings, const DeviceInfo& device, std::shared_ptr<const NbodyState> state) {
  const bool given = settings.bodies > 0 || find_initial(settings.initial) == nullptr;
  const std::int64_t automatic = given ? 0 : automatic_bodies(settings.initial, device);
  return {settings.initial, settings.bodies, automatic, settings.seed, terms_of(settings), std::move(state)};
}

Bodies fresh_bodies(const NbodyStart& start) {
  return make_bodies(start.initial, start.bodies, start.automatic, static_cast<std::uint64_t>(start.seed), {},
                     start.terms);
}

namespace {

void allocate(PreparedNbody& prepared, std::span<ProgramLibrary* const> devices, Precision precision,
              const Bodies& bodies, const NbodyState* state) {
  ProgramLibrary& programs = *devices.front();
  const std::size_t count = bodies.size();
  try {
    prepared.simulation = std::make_unique<NbodySimulation>(
        nbody_simulation(devices, prepared.settings, bodies, state != nullptr ? state->clock : NbodyClock(), {},
                         state != nullptr ? state->tree : TreeMemory()));
    if (precision == Precision::mixed && state != nullptr) prepared.simulation->set_rows(state->mixed_rows);
    prepared.publisher = std::make_unique<NbodyPublisher>(programs, precision, count);
    prepared.error_sample = std::make_unique<ForceErrorSample>(programs, precision, count);
    prepared.error_map = std::make_unique<ForceErrorMap>(programs, precision, count);
  } catch (const Error& error) {
    if (!is_memory_refusal(error)) throw;
    throw with_most_bodies(error, programs.device().info(), {prepared.settings, precision}, count);
  }
}

}  // namespace

namespace {

double speed_of(const Body& body) { return std::hypot(body.vx, body.vy, body.vz); }

BodyNumbers numbers_of(const Bodies& bodies) {
  BodyNumbers numbers;
  numbers.extent = extent_of(bodies);
  numbers.mass = spread_of(bodies, [](const Body& b) { return b.mass; });
  numbers.speed = spread_of(bodies, speed_of);
  for (const Body& b : bodies) numbers.mean_mass += b.mass / static_cast<double>(bodies.size());
  return numbers;
}

// kernels/nbody/nbody_publish.cl
std::vector<std::array<float, 4>> published(const Bodies& bodies) {
  std::vector<std::array<float, 4>> rows;
  rows.reserve(2 * bodies.size());
  const auto row = [&](double x, double y, double z, double w) {
    rows.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<float>(w)});
  };
  for (const Body& b : bodies) row(b.x, b.y, b.z, b.mass);
  for (const Body& b : bodies) row(speed_of(b), 0, 0, 0);
  return rows;
}

// The programs of all objects that allocate() makes.
std::vector<ProgramPlan::Part> programs_of(std::span<ProgramLibrary* const> devices, const NbodySettings& settings,
                                           Precision precision, std::size_t bodies) {
  std::vector<ProgramPlan::Part> all = nbody_programs(devices, settings, bodies);
  const Device& first = devices.front()->device();
  const Sums sums = sums_on(first.info());
  std::vector<ProgramSpec> others = NbodyPublisher::programs(first, precision, bodies, sums);
  others.push_back(ForceErrorKernels::program(first, precision, sums));
  std::ranges::move(ProgramPlan::parts(*devices.front(), std::move(others)), std::back_inserter(all));
  return all;
}

}  // namespace

BodySketch sketch_bodies(const NbodyStart& start, BodyReading* file) {
  const Bodies fresh = start.state || file != nullptr ? Bodies() : fresh_bodies(start);
  const Bodies& bodies = start.state ? start.state->bodies : file != nullptr ? file->bodies() : fresh;
  return {numbers_of(bodies), start.initial, start.terms.units, published(bodies)};
}

double NbodyGlimpse::time() const {
  return to == nullptr ? from->clock.time : std::lerp(from->clock.time, to->clock.time, share);
}

BodySketch sketch_bodies(const NbodyGlimpse& glimpse, const NbodyStart& start) {
  const auto sketched = [&](const Bodies& bodies) {
    return BodySketch{numbers_of(bodies), start.initial, start.terms.units, published(bodies)};
  };
  const NbodyState& from = *glimpse.from;
  if (glimpse.to == nullptr) return sketched(from.bodies);
  const double time = glimpse.to->clock.time - from.clock.time;
  return sketched(bodies_between(from.bodies, glimpse.to->bodies, time, glimpse.share));
}

PreparedNbody prepare_nbody(std::span<ProgramLibrary* const> devices, const NbodySettings& settings, const Unset& unset,
                            const std::shared_ptr<const NbodyState>& state, Announced<ProgramPlan>* plan,
                            BodyReading* file) {
  const DeviceInfo& first = devices.front()->device().info();
  const Precision precision = precision_of(settings, first);
  check_memory(first, {settings, precision}, static_cast<std::size_t>(state ? 0 : settings.bodies));
  const bool is_read = !state && file != nullptr;
  const Bodies fresh = state || is_read ? Bodies() : fresh_bodies(start_of(settings, first));
  const Bodies& bodies = state ? state->bodies : is_read ? file->bodies() : fresh;
  const std::size_t count = bodies.size();
  if (is_read) check_count(settings.initial, settings.bodies, static_cast<std::int64_t>(count));
  check_memory(first, {settings, precision}, count);
  PreparedNbody prepared;
  static_cast<BodyNumbers&>(prepared) = numbers_of(bodies);
  prepared.settings = settings;
  prepared.suggestion = suggestion_of(settings.initial, bodies, settings.units, gravity_of(settings));
  take(prepared.settings, prepared.suggestion, unset);
  if (prepared.settings.softening == 0) prepared.crowd = crowd_among(bodies, precision);
  if (plan != nullptr)
    plan->tell(std::make_shared<const ProgramPlan>(
        programs_of(devices, for_sources(prepared.settings, sources_of(bodies), count), precision, count)));
  allocate(prepared, devices, precision, bodies, state.get());
  return prepared;
}

}  // namespace orrery
