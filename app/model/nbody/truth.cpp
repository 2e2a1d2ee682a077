#include "model/nbody/truth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/statistics.hpp"

namespace orrery {
namespace {

constexpr std::string_view sum_launch = "truth", compare_launch = "compare";
constexpr std::size_t most_shares = 256, least_share = 64;  // of the sources; bodies in a share

// What the device is taken for until the profiler has measured it.
double guessed_seconds_per_interaction(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? 1e-8 : 1e-10;
}

std::size_t lanes_of(const DeviceInfo& device, Sums kind) {
  if (device.device_class != DeviceClass::cpu || kind != Sums::doubles) return 1;
  return std::clamp<std::size_t>(std::bit_floor(std::max(device.preferred_double_width, 1U)), 1, 16);
}

std::uint64_t split_mix(std::uint64_t counter) {
  std::uint64_t z = (counter + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::size_t bytes_of_sum4() { return 4 * sizeof(double); }  // two floats take as much as a double

}  // namespace

std::uint32_t drawn_body(std::uint64_t draw, std::uint32_t k, std::size_t bodies) {
  if (bodies <= drawn_bodies) return k;
  const std::uint64_t random = split_mix(drawn_bodies * draw + k) >> 32;
  return static_cast<std::uint32_t>(random * bodies >> 32);
}

NbodyTruth::NbodyTruth(ProgramLibrary& programs, Precision precision, std::size_t bodies)
    : NbodyTruth(programs, precision, bodies, programs.device().info().fp64 ? Sums::doubles : Sums::two_floats) {}

NbodyTruth::NbodyTruth(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind)
    : NbodyTruth(programs, Queue(programs.device()), precision, bodies, kind) {}

NbodyTruth::NbodyTruth(ProgramLibrary& programs, Queue queue, Precision precision, std::size_t bodies, Sums kind)
    : kind_(kind),
      bodies_(bodies),
      count_(std::min<std::size_t>(bodies, drawn_bodies)),
      lanes_(lanes_of(programs.device().info(), kind)),
      padded_(round_up(count_, lanes_)),
      share_bodies_(std::max(least_share, (bodies + most_shares - 1) / most_shares)),
      shares_((bodies + share_bodies_ - 1) / share_bodies_),
      group_(std::min<std::size_t>({64, programs.device().info().max_work_group, padded_ / lanes_})),
      done_(shares_),
      drawn_(programs.device().buffer(padded_ * sizeof(cl_uint))),
      sums_(programs.device().buffer(shares_ * padded_ * bytes_of_sum4())),
      truths_(programs.device().buffer(padded_ * bytes_of_sum4())),
      drawn_mirror_(programs.device(), queue, padded_ * sizeof(cl_uint)),
      mirror_(programs.device(), queue, padded_ * bytes_of_sum4()),
      guess_(guessed_seconds_per_interaction(programs.device().info())) {
  ProgramSpec spec{"nbody_truth.cl", precision_definitions(programs.device(), precision)};
  spec.definitions["LANES"] = std::to_string(lanes_);
  if (kind == Sums::doubles) spec.definitions["SUM_DOUBLE"] = "1";
  if (precision == Precision::mixed) spec.definitions["MIXED"] = "1";
  const auto program = programs.build(spec);
  attract_ = program->kernel("attract_drawn");
  compare_ = program->kernel("compare_drawn");
  // Some drivers compile at the first launch of a kernel.
  set_arguments(attract_, sums_, sums_, cl_uint{0}, drawn_, cl_uint{0}, cl_uint{0}, softening(), sums_);
  set_arguments(compare_, sums_, cl_uint{0}, sums_, drawn_, cl_uint{0}, truths_);
  queue.launch(sum_launch, attract_, {{group_, 1}, {group_, 1}});
  queue.launch(compare_launch, compare_, {group_, group_});
  queue.finish();
}

Wide NbodyTruth::softening() const { return {softening_ * softening_, Precision::mixed, kind_ == Sums::doubles}; }

void NbodyTruth::begin(std::uint64_t draw, double softening) {
  softening_ = softening;
  done_ = 0;
  auto* drawn = static_cast<std::uint32_t*>(drawn_mirror_.data());
  for (std::uint32_t k = 0; k < padded_; ++k) drawn[k] = k < count_ ? drawn_body(draw, k, bodies_) : 0;
}

bool NbodyTruth::enqueue_slice(Queue& queue, const NbodySimulation& simulation, double budget) {
  if (enqueued()) return true;
  const auto [positions, velocities, accelerations] = simulation.buffers();
  const auto padded = static_cast<cl_uint>(padded_);
  if (done_ == 0) queue.write(drawn_, drawn_mirror_.data(), drawn_mirror_.size());
  const double per_share = queue.profiler().seconds_per_work(sum_launch).value_or(guess_) *
                           static_cast<double>(padded_) * static_cast<double>(share_bodies_);
  const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(budget / per_share), 1, shares_ - done_);
  set_arguments(attract_, positions,
                simulation.precision() == Precision::mixed ? simulation.corrections().positions : positions,
                static_cast<cl_uint>(bodies_), drawn_, padded, static_cast<cl_uint>(share_bodies_), softening(), sums_);
  queue.launch(sum_launch, attract_, {{round_up(padded_ / lanes_, group_), count}, {group_, 1}, {0, done_}},
               static_cast<double>(padded_) * static_cast<double>(count) * static_cast<double>(share_bodies_));
  done_ += count;
  if (!enqueued()) return false;
  set_arguments(compare_, sums_, static_cast<cl_uint>(shares_), accelerations, drawn_, padded, truths_);
  queue.launch(compare_launch, compare_, {round_up(padded_, group_), group_});
  read_ = queue.read(truths_, mirror_.data(), mirror_.size());
  clock_ = simulation.clock();
  return true;
}

std::vector<DrawnBody> NbodyTruth::drawn() const {
  const auto number = [&](std::size_t k) {
    if (kind_ == Sums::doubles) return mirror_.as<double>(k + 1)[k];
    const auto parts = mirror_.as<float>(2 * k + 2);
    return static_cast<double>(parts[2 * k]) + static_cast<double>(parts[2 * k + 1]);
  };
  std::vector<DrawnBody> drawn(count_);
  for (std::size_t k = 0; k < count_; ++k)
    drawn[k] = {drawn_mirror_.as<std::uint32_t>(count_)[k],
                {number(4 * k), number(4 * k + 1), number(4 * k + 2)},
                number(4 * k + 3)};
  return drawn;
}

AccelerationError NbodyTruth::error() const {
  std::vector<double> errors;
  for (const DrawnBody& body : drawn())
    errors.push_back(std::isfinite(body.error) ? body.error : std::numeric_limits<double>::infinity());
  return {clock_, median(errors), quantile(errors, 0.99)};
}

std::optional<double> NbodyTruth::seconds(Queue& queue) const {
  const auto each = queue.profiler().seconds_per_work(sum_launch);
  if (!each) return {};
  return *each * static_cast<double>(padded_) * static_cast<double>(bodies_);
}

}  // namespace orrery
