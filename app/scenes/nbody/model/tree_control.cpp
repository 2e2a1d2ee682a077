#include "scenes/nbody/model/tree_control.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/statistics.hpp"
#include "scenes/nbody/model/force.hpp"

namespace orrery {
// ---- the accuracy

namespace {

constexpr std::uint64_t stored_draws = 64;                    // used in turns
constexpr std::uint64_t first_draw = std::uint64_t{1} << 32;  // no other measurement draws the same bodies

}  // namespace

TreeControl::TreeControl(const Device& device, std::size_t bodies, const ForceErrorKernels& kernels)
    : device_(device),
      count_(std::min<std::size_t>(bodies, drawn_bodies)),
      padded_(round_up(count_, kernels.lanes())),
      shares_(kernels.shares()),
      done_(shares_),
      sums_(device.buffer(kernels.sum_bytes(padded_))),
      references_(device.buffer(padded_ * bytes_of_sum4)),
      remembered_(device.buffer(remembered_draws * count_ * sizeof(cl_float))),
      error_(device.buffer(sizeof(cl_float))),
      field_error_(device.buffer(sizeof(cl_float))),
      next_error_(device.buffer(sizeof(cl_float))) {
  std::vector<cl_uint> drawn;
  for (std::uint64_t draw = 0; draw < stored_draws; ++draw)
    for (std::uint32_t k = 0; k < padded_; ++k)
      drawn.push_back(k < count_ ? drawn_body(first_draw + draw, k, bodies) : 0);
  drawn_ = device.read_only(std::span<const cl_uint>(drawn));
  set(tree_accuracy({}), 0, {});
}

void TreeControl::set(const TreeAccuracy& accuracy, double wanted_error, std::span<const double> errors) {
  guard_ = accuracy.guard;
  depth_error_ = accuracy.depth_error;
  wanted_ = errors.size() == remembered_draws * count_ ? wanted_error : 0;
  held_since_field_ = repeats_field_ = false;
  Queue queue(device_);
  const auto error = static_cast<cl_float>(accuracy.error);
  queue.write_blocking(error_, std::span(&error, 1));
  if (!holds()) return;
  std::vector<cl_float> remembered;
  const double scale = std::pow(accuracy.error, -tree_error::slope);
  for (const double each : errors) remembered.push_back(static_cast<cl_float>(each * scale));
  queue.write_blocking(remembered_, std::span<const cl_float>(remembered));
}

bool TreeControl::resume(const TreeAccuracy& accuracy, double wanted_error, const TreeMemory& memory) {
  if (memory.errors.size() != remembered_draws * count_) return false;
  set({accuracy.guard, memory.field_accuracy, accuracy.depth_error}, 0, {});
  wanted_ = wanted_error;
  Queue queue(device_);
  queue.write_blocking(field_error_, std::span(&memory.field_accuracy, 1));
  queue.write_blocking(next_error_, std::span(&memory.accuracy, 1));
  queue.write_blocking(remembered_, std::span<const cl_float>(memory.errors));
  repeats_field_ = true;
  return true;
}

void TreeControl::begin_repeated_field(Queue& queue) {
  if (!held_since_field_) return;
  queue.copy(error_, next_error_, sizeof(cl_float));
  queue.copy(field_error_, error_, sizeof(cl_float));
  repeats_field_ = true;
}

void TreeControl::end_field(Queue& queue) {
  held_since_field_ = std::exchange(repeats_field_, false);
  if (held_since_field_) queue.copy(next_error_, error_, sizeof(cl_float));
}

void TreeControl::read(Queue& queue, TreeMemory& into, std::vector<cl::Event>& reads) const {
  into.errors.resize(remembered_draws * count_);
  reads.push_back(queue.read(held_since_field_ ? field_error_ : error_, &into.field_accuracy, sizeof(cl_float)));
  reads.push_back(queue.read(repeats_field_ ? next_error_ : error_, &into.accuracy, sizeof(cl_float)));
  reads.push_back(queue.read(remembered_, into.errors.data(), into.errors.size() * sizeof(cl_float)));
}

TreeAccuracy TreeControl::accuracy(Queue& queue) const {
  return {guard_, queue.read_blocking<cl_float>(error_, 1).front(), depth_error_};
}

std::vector<cl_float> TreeControl::remembered(Queue& queue) const {
  return holds() ? queue.read_blocking<cl_float>(remembered_, remembered_draws * count_) : std::vector<cl_float>();
}

void TreeControl::restore(const TreeAccuracy& accuracy, double wanted_error, std::span<const cl_float> remembered) {
  set(accuracy, 0, {});
  if (remembered.size() != remembered_draws * count_) return;
  wanted_ = wanted_error;
  Queue(device_).write_blocking(remembered_, remembered);
}

std::optional<double> TreeControl::found(Queue& queue) const {
  if (!holds()) return {};
  std::vector<double> errors;
  const double error = queue.read_blocking<cl_float>(error_, 1).front();
  for (const cl_float each : queue.read_blocking<cl_float>(remembered_, remembered_draws * count_))
    errors.push_back(each * std::pow(error, tree_error::slope));
  return quantile(std::move(errors), 0.99);
}

void TreeControl::begin(std::int64_t draw) {
  draw_ = static_cast<std::uint64_t>(draw) % stored_draws;
  done_ = 0;
}

double TreeControl::enqueue(Queue& queue, ForceErrorKernels& kernels, const cl::Buffer& positions,
                            const cl::Buffer& corrections, const cl::Buffer& field, double softening, double budget) {
  const double each = kernels.seconds_per_share(queue, padded_);
  const std::size_t count = kernels.shares_at_once(queue, padded_, shares_ - done_, budget);
  const std::size_t first = draw_ * padded_;
  kernels.attract(queue, positions, corrections, {drawn_, first, first + padded_, done_, count}, softening, sums_);
  done_ += count;
  if (complete()) {
    kernels.compare(queue, sums_, field, {drawn_, first, padded_}, 1, references_);  // the field is without G
    queue.copy(error_, field_error_, sizeof(cl_float));
    held_since_field_ = true;
    kernels.hold(queue, references_, count_, wanted_, {remembered_, draw_ % remembered_draws, remembered_draws},
                 error_);
  }
  return std::max(launch_seconds, each * static_cast<double>(count));
}

}  // namespace orrery
