#include "scenes/nbody/model/member.hpp"

#include <utility>

#include "compute/program/arguments.hpp"

namespace orrery {
namespace {

// The share of the near pairs that begins before the far ones, while the others' positions arrive. During the rest, the
// pull of the far pairs on the others' bodies is sent to them.
constexpr double head = 0.25;

}  // namespace

NbodyMember::NbodyMember(const Device& device, std::size_t bodies, Precision precision)
    : device_(device),
      precision_(precision),
      bodies_(bodies),
      near_(device, bodies, precision),
      far_(device, bodies, precision) {
  const std::size_t bytes = bodies * bytes_of_real4(precision);
  for (cl::Buffer& buffer : positions_) buffer = device.buffer(bytes);
  velocities_ = device.buffer(bytes);
  accelerations_ = device.buffer(bytes);
  if (precision != Precision::mixed) return;
  for (cl::Buffer& buffer : position_corrections_) buffer = device.buffer(bytes);
  velocity_corrections_ = device.buffer(bytes);
}

void NbodyMember::use(NbodyKernels kernels, const NbodyShare& share, bool alone) {
  share_ = share;
  const bool by_tree = kernels.variant.forces == Forces::tree;
  const std::size_t rows = by_tree ? 1 : parts_of(share.near.sources).count;
  if (rows != rows_) {
    tree_.reset();
    parts_ = {};
    parts_ = device_.buffer(rows * bodies_ * bytes_of_real4(precision_));
    rows_ = rows;
  }
  near_.use(kernels.variant, share.near, parts_);
  far_.use(kernels.variant, share.far, parts_);
  if (!by_tree) {
    tree_.reset();
    control_.reset();
  } else if (const TreeShape& shape = kernels.variant.tree; !tree_ || tree_->shape() != shape) {
    tree_.emplace(device_, bodies_, parts_, shape);
    if (!control_) control_.emplace(device_, bodies_, kernels.tree->errors);
  }
  if (tree_) tree_->walk_for(share.targets);
  if (!kernels.contact)
    contacts_.reset();
  else if (!contacts_)
    contacts_.emplace(device_, bodies_, precision_);
  if (!kernels.blocks)
    blocks_.reset();
  else if (!blocks_)
    blocks_.emplace(device_, bodies_, precision_, kernels.doubles);
  if (!blocks_ || tree_ || worked_for() == bodies_)
    summed_ = {};
  else if (summed_() == nullptr)
    summed_ = device_.buffer(bodies_ * bytes_of_real4(precision_));
  kernels_ = std::move(kernels);
  if (!alone && !link_) link_.emplace(device_);
}

void NbodyMember::set_accuracy(const TreeAccuracy& accuracy, double wanted_error, std::span<const double> errors) {
  if (control_) control_->set(accuracy, wanted_error, errors);
}

std::size_t NbodyMember::worked_for() const {
  return moves_all() ? count_in(share_.targets) : share_.end - share_.first;
}

void NbodyMember::begin_force(bool with_potential, bool again) {
  repeats_field_ = again;
  if (tree_) return tree_->begin(with_potential);
  near_.begin(with_potential);
  far_.begin(with_potential);
}

std::vector<cl::Buffer> NbodyMember::state(std::size_t index) const {
  if (precision_ != Precision::mixed) return {positions_[index], velocities_, accelerations_};
  return {positions_[index], velocities_, accelerations_, position_corrections_[index], velocity_corrections_};
}

double NbodyMember::force_progress() const {
  return tree_ ? tree_->progress() : std::min(near_.progress(), far_.progress());
}

double NbodyMember::enqueue_force(Queue& queue, const NbodyFieldTerms& terms) {
  const auto& [index, pull, budget] = terms;
  if (tree_ && std::exchange(repeats_field_, false)) control_->begin_repeated_field(queue);
  const cl::Buffer& positions = positions_[index];
  if (tree_) return tree_->enqueue(queue, *kernels_, *control_, positions, pull.softening, budget);
  const bool pairs = kernels_->variant.forces == Forces::pairs;
  const double before_far = pairs && !far_.complete() ? head : 1;
  if (near_.progress() >= before_far && !far_.complete())
    return far_.enqueue(*link_, *kernels_, positions, pull.softening, budget);
  const double until = near_.progress() < before_far ? before_far : 1;
  return near_.enqueue(queue, *kernels_, positions, pull.softening, budget, until);
}

void NbodyMember::sum_parts(Queue& queue, const NbodyFieldTerms& terms) {
  if (summed_() == nullptr) return;
  const TargetRange& own = share_.targets.front();
  blocks_->sum(queue, *kernels_->blocks, {parts_, rows_, own, terms.pull}, summed_);
}

double NbodyMember::enqueue_control(Queue& queue, const NbodyFieldTerms& terms) {
  return control_->enqueue(queue, kernels_->tree->errors, positions_[terms.index], position_corrections_[terms.index],
                           parts_, terms.pull.softening, terms.budget);
}

void NbodyMember::enqueue_advance(Queue& queue, const NbodyAdvance& step) {
  constexpr cl_uint closing = 1, opening = 2, kicking = 4;  // CLOSES, OPENS and KICKS in nbody_advance.cl
  const bool mixed = precision_ == Precision::mixed, doubles = kernels_->doubles;
  const cl::Buffer& unused = accelerations_;
  const auto correction = [&](const cl::Buffer& buffer) -> const cl::Buffer& { return mixed ? buffer : unused; };
  const std::size_t count = share_.end - share_.first;
  set_arguments(kernels_->advance, positions_[step.from], correction(position_corrections_[step.from]),
                positions_[step.to], correction(position_corrections_[step.to]), velocities_,
                correction(velocity_corrections_), moving_field(), static_cast<cl_uint>(rows_of_field()),
                accelerations_, static_cast<cl_uint>(bodies_), static_cast<cl_uint>(share_.end),
                (step.closes ? closing : 0U) | (step.opens ? opening : 0U) | (step.open_kick != 0 ? kicking : 0U),
                Wide{step.close_kick, precision_, doubles}, Wide{step.open_kick, precision_, doubles},
                Wide{step.drift, precision_, doubles}, Wide{step.pull.gravity, precision_, doubles});
  Range range = elementwise(kernels_->variant.advance, count);
  range.offset = cl::NDRange(share_.first);
  queue.launch(nbody_launch::advance, kernels_->advance, range,
               Work(static_cast<double>(count), advance_cost(precision_, step.closes ? rows_of_field() : 0),
                    precision_ == Precision::double_));
}

void NbodyMember::enqueue_contacts(Queue& queue, std::size_t index, const NbodyTouch& touch, bool backwards) {
  const bool mixed = precision_ == Precision::mixed;
  const cl::Buffer& unused = accelerations_;
  contacts_->enqueue(queue, *kernels_->contact,
                     {positions_[index], mixed ? position_corrections_[index] : unused, velocities_,
                      mixed ? velocity_corrections_ : unused},
                     touch, backwards);
}

NbodyBlockBodies NbodyMember::block_bodies(std::size_t present, bool exchanged) const {
  const bool mixed = precision_ == Precision::mixed;
  const auto correction = [&](const cl::Buffer& buffer) -> const cl::Buffer& {
    return mixed ? buffer : accelerations_;
  };
  return {positions_[present],
          correction(position_corrections_[present]),
          positions_[1 - present],
          correction(position_corrections_[1 - present]),
          velocities_,
          correction(velocity_corrections_),
          accelerations_,
          exchanged ? moving_field() : parts_,
          exchanged ? rows_of_field() : rows_};
}

void NbodyMember::open_step(Queue& queue, std::size_t present, const NbodyBlockTerms& terms) {
  blocks_->open(queue, *kernels_->blocks, block_bodies(present), terms);
}

void NbodyMember::begin_substep(Queue& queue, std::size_t present, const NbodyBlockTerms& terms, NbodySubstep substep) {
  const TargetRange listed =
      substep == NbodySubstep::shared && !tree_ ? share_.targets.front() : TargetRange{0, bodies_};
  blocks_->begin(queue, *kernels_->blocks, block_bodies(present), terms, listed, substep == NbodySubstep::last);
  if (substep == NbodySubstep::last) return;
  const bool shared = substep == NbodySubstep::shared;
  if (tree_) return tree_->begin_listed(terms.by_potential(), shared);
  near_.begin_listed(terms.by_potential(), shared);
}

double NbodyMember::enqueue_listed(Queue& queue, const NbodyFieldTerms& terms) {
  const auto& [index, pull, budget] = terms;
  const double softening = pull.softening;
  const cl::Buffer& positions = positions_[index];
  if (tree_ && !tree_->built()) return tree_->make_listed(queue, *kernels_, *control_, *blocks_, positions, softening);
  if (tree_) return tree_->walk_listed(queue, *kernels_, *control_, blocks_->listed(), softening, budget);
  return near_.enqueue_listed(queue, *kernels_, positions, blocks_->listed(), softening, budget);
}

void NbodyMember::tell_levels(Queue& queue, std::size_t present, const NbodyBlockTerms& terms, const cl::Buffer& to) {
  blocks_->tell(queue, *kernels_->blocks, block_bodies(present), terms, to);
}

void NbodyMember::end_substep(Queue& queue, std::size_t present, const NbodyBlockTerms& terms, NbodySubstep substep) {
  const NbodyBlockBodies bodies = block_bodies(present, substep != NbodySubstep::unshared);
  blocks_->end(queue, *kernels_->blocks, bodies, terms, substep == NbodySubstep::last);
}

}  // namespace orrery
