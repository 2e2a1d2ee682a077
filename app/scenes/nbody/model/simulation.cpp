#include "scenes/nbody/model/simulation.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/platform/parallel.hpp"
#include "base/text.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/program/arguments.hpp"
#include "compute/queue/answering.hpp"
#include "compute/queue/event_time.hpp"

namespace orrery {
namespace {

constexpr double worth_beginning = 0.25;  // share of a slice: with less left, nothing more is enqueued

using Rows = std::vector<std::vector<std::byte>>;

template <class Real>
void put(std::vector<std::byte>& row, std::size_t body, const std::array<double, 4>& values) {
  const std::array<Real, 4> quad{static_cast<Real>(values[0]), static_cast<Real>(values[1]),
                                 static_cast<Real>(values[2]), static_cast<Real>(values[3])};
  std::memcpy(row.data() + body * sizeof quad, quad.data(), sizeof quad);
}

// The rounding error of a double as a float; −0 of −0.
double rest(double value) { return value == 0 ? value : value - static_cast<double>(static_cast<float>(value)); }

template <class Real>
void put_body(Rows& rows, std::size_t k, const Body& b) {
  put<Real>(rows[0], k, {b.x, b.y, b.z, b.mass});
  put<Real>(rows[1], k, {b.vx, b.vy, b.vz, 0});
  if (rows.size() == 2) return;
  put<Real>(rows[2], k, {rest(b.x), rest(b.y), rest(b.z), 0});
  put<Real>(rows[3], k, {rest(b.vx), rest(b.vy), rest(b.vz), 0});
}

// Fills `rows` with these bodies and reuses its memory.
void fill_rows(Rows& rows, std::span<const Body> bodies, Precision precision) {
  rows.resize(precision == Precision::mixed ? 4 : 2);
  for (std::vector<std::byte>& row : rows) row.resize(bodies.size() * bytes_of_real4(precision));
  in_parallel(bodies.size(), [&](std::size_t begin, std::size_t end) {
    if (precision == Precision::double_)
      for (std::size_t k = begin; k < end; ++k) put_body<cl_double>(rows, k, bodies[k]);
    else
      for (std::size_t k = begin; k < end; ++k) put_body<cl_float>(rows, k, bodies[k]);
  });
}

template <class Real4>
Bodies bodies_from(std::span<const Real4> positions, std::span<const Real4> velocities) {
  Bodies bodies(positions.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& x = positions[i].s;
    const auto& v = velocities[i].s;
    bodies[i] = {x[3], x[0], x[1], x[2], v[0], v[1], v[2]};
  }
  return bodies;
}

void add(Bodies& bodies, const Bodies& rests) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (double Body::*of : {&Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz})
      bodies[i].*of += rests[i].*of;
}

// The speeds of the devices of all processes, in the order of the ranks; equal on each process.
std::vector<double> speeds_of_all(const NbodyCompany& company, const std::vector<double>& speeds) {
  if (company.ranks == nullptr) return speeds;
  std::string own;
  for (const double speed : speeds) own += digits17(speed) + " ";
  std::vector<double> all;
  for (const std::string& text : company.ranks->all(own)) {
    std::istringstream numbers(text);
    for (std::string number; numbers >> number;) all.push_back(parse_real(number).value_or(1));
  }
  return all;
}

// Checks that the first device of each process has bodies.
void check_ranks(const NbodyCompany& company, const NbodyPlan& plan, std::size_t bodies) {
  if (company.ranks == nullptr) return;
  for (std::size_t k = 0; k < plan.shares.size(); ++k)
    if (plan.shares[k].empty() && (k == 0 || company.rank_of[k] != company.rank_of[k - 1]))
      throw usage_error(
          "--bodies", std::to_string(bodies),
          "more bodies or fewer ranks (" + company.ranks->name(company.rank_of[k]) + " would have no share of them)");
}

}  // namespace

NbodySimulation::NbodySimulation(const Device& device, const Bodies& bodies, Precision precision, NbodyClock clock)
    : NbodySimulation(std::span<const Device>(&device, 1), bodies, precision, clock) {}

NbodySimulation::NbodySimulation(std::span<const Device> devices, const Bodies& bodies, Precision precision,
                                 NbodyClock clock, Exchange exchange, NbodyCompany company)
    : NbodySimulation(devices, {bodies.size(), sources_of(bodies)}, precision, std::move(clock), exchange,
                      std::move(company)) {
  write_bodies(bodies);
}

NbodySimulation::NbodySimulation(std::span<const Device> devices, const NbodyCount& count, Precision precision,
                                 NbodyClock clock, Exchange exchange, NbodyCompany company)
    : precision_(precision),
      count_(count.bodies),
      sources_(count.sources),
      exchange_way_(exchange),
      company_(std::move(company)),
      clock_(clock) {
  check_exchange(devices, exchange);
  for (const Device& device : devices) members_.emplace_back(device, count_, precision);
}

void NbodySimulation::use(NbodyKernels kernels) {
  std::vector<NbodyKernels> one;
  one.push_back(std::move(kernels));
  use(std::move(one));
}

void NbodySimulation::use(std::vector<NbodyKernels> kernels) {
  std::vector<double> speeds;
  for (const NbodyKernels& each : kernels) speeds.push_back(each.speed);
  const NbodyVariant& variant = kernels.front().variant;
  const NbodyPlan plan = nbody_plan(count_, variant.forces, speeds_of_all(company_, speeds),
                                    {variant.tree.group, sources_, variant.individual});
  check_ranks(company_, plan, count_);
  const std::span<const NbodyShare> shares = std::span(plan.shares).subspan(company_.first_here(), members_.size());
  const bool moved = !std::ranges::equal(shares, members_, [](const NbodyShare& share, const NbodyMember& member) {
    return share.first == member.share().first && share.end == member.share().end;
  });
  const bool alone = members_.size() == 1 && company_.ranks == nullptr;
  for (std::size_t k = 0; k < members_.size(); ++k) members_[k].use(std::move(kernels[k]), shares[k], alone);
  if (!individual()) blocks_ = {};
  share_out(plan);
  if (moved) spread();
}

void NbodySimulation::set_accuracy(const TreeAccuracy& accuracy, double wanted_error, std::span<const double> errors) {
  for (NbodyMember& member : members_) member.set_accuracy(accuracy, wanted_error, errors);
  field_pull_.reset();
}

namespace {

// The tree that a memory belongs to; no other tree can use it.
std::string text_of_tree(const NbodyVariant& variant, double wanted_error) {
  return "force error " + shortest(wanted_error) + ", " + (variant.quadrupole ? "quadrupole" : "monopole") + ", leaf " +
         std::to_string(variant.tree.leaf) + ", group " + std::to_string(variant.tree.group);
}

}  // namespace

bool NbodySimulation::resume_tree(const TreeAccuracy& accuracy, double wanted_error, const TreeMemory& memory) {
  if (kernels().variant.forces != Forces::tree || memory.of != text_of_tree(kernels().variant, wanted_error))
    return false;
  for (NbodyMember& member : members_)
    if (!member.resume_tree(accuracy, wanted_error, memory)) return false;
  field_pull_.reset();
  return true;
}

void NbodySimulation::read_tree(Queue& queue, TreeMemory& into, std::vector<cl::Event>& reads) const {
  into = {};
  const TreeControl* control = state().control();
  if (control == nullptr) return;
  into.of = text_of_tree(kernels().variant, control->wanted());
  control->read(queue, into, reads);
}

NbodyExact NbodySimulation::exact(Queue& queue) const {
  NbodyExact exact = exact_terms(queue);
  for (const cl::Buffer& buffer : state().state(present_))
    exact.rows.push_back(queue.read_blocking<std::byte>(buffer, count_ * bytes_of_real4(precision_)));
  return exact;
}

void NbodySimulation::read_row(Queue& queue, std::size_t row, std::size_t offset, std::span<std::byte> into) const {
  queue.read_into(state().state(present_).at(row), into, offset);
}

NbodyExact NbodySimulation::exact_terms(Queue& queue) const {
  const NbodyPull pull = field_pull_.value_or(NbodyPull{});
  NbodyExact exact{.softening = pull.softening, .gravity = pull.gravity};
  if (const TreeControl* control = state().control()) {
    exact.accuracy = control->accuracy(queue);
    exact.wanted_error = control->wanted();
    exact.errors = control->remembered(queue);
  }
  return exact;
}

void NbodySimulation::restore(const NbodyExact& exact) {
  crew_.wait();
  Queue queue(members_.front().device());
  const std::vector<cl::Buffer> state = members_.front().state(present_);
  for (std::size_t b = 0; b < state.size(); ++b)
    queue.write_blocking(state[b], std::span<const std::byte>(exact.rows[b]));
  for (NbodyMember& member : members_)
    if (TreeControl* control = member.control()) control->restore(exact.accuracy, exact.wanted_error, exact.errors);
  spread();
  field_pull_ = {exact.softening, exact.gravity};
  field_potential_ = true;
}

// Works piece by piece, because the rows of all bodies would double the memory.
void NbodySimulation::write_bodies(const Bodies& bodies) {
  constexpr std::size_t piece = std::size_t{1} << 18;
  Queue queue(members_.front().device());
  Rows rows;
  for (std::size_t first = 0; first < bodies.size(); first += piece) {
    fill_rows(rows, std::span(bodies).subspan(first, std::min(piece, bodies.size() - first)), precision_);
    write_rows(queue, rows, first);
  }
}

// Writes the rows of the bodies from `first` on.
void NbodySimulation::write_rows(Queue& queue, std::span<const std::vector<std::byte>> rows, std::size_t first) {
  const std::array<cl::Buffer, 4> buffers{state().positions(present_), state().velocities(),
                                          state().position_corrections(present_), state().velocity_corrections()};
  for (std::size_t b = 0; b < rows.size(); ++b)
    queue.write_blocking(buffers[b], std::span<const std::byte>(rows[b]), first * bytes_of_real4(precision_));
}

void NbodySimulation::set_rows(std::span<const std::vector<std::byte>> rows) {
  if (rows.empty()) return;
  Queue queue(members_.front().device());
  write_rows(queue, rows, 0);
  spread();
  field_pull_.reset();
}

void NbodySimulation::finish(Queue& queue) const {
  for (;;) {
    try {
      return queue.finish();
    } catch (const DeviceSilent&) {
      if (company_.ranks == nullptr || !company_.ranks->waits_for_others()) throw;
    }
  }
}

void NbodySimulation::share_out(const NbodyPlan& plan) {
  NbodyPresence here;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (members_[k].share().empty()) continue;
    here.places.push_back(company_.first_here() + k);
    here.members.push_back(&members_[k]);
  }
  crew_.use(std::move(here), plan, company_, count_, precision_, exchange_way_);
}

// Copies the whole state from the first device to the others.
void NbodySimulation::spread() {
  if (crew_.alone()) return;
  crew_.wait();
  Queue from(members_.front().device());
  for (const NbodyMember* member : crew_.members()) {
    if (member == &state()) continue;
    Queue to(member->device());
    const std::vector<cl::Buffer> target = member->state(present_);
    for (std::size_t b = 0; const cl::Buffer& buffer : state().state(present_)) {
      const auto bytes = from.read_blocking<std::byte>(buffer, count_ * bytes_of_real4(precision_));
      to.write_blocking(target[b++], std::span<const std::byte>(bytes));
    }
  }
}

void NbodySimulation::begin_burst(const Burst& burst) {
  burst_ = burst;
  const bool same_field = field_pull_ == NbodyPull{burst.softening, burst.gravity};
  const bool needs_potential = burst.steps == 0 ? burst.potential : individual() && block_terms(burst).by_potential();
  const bool known = same_field && (field_potential_ || !needs_potential);
  const bool needed = burst.steps == 0 || substep(0).kick != 0;
  opened_ = 0;
  forces_planned_ = burst.steps * integrator().evaluations();
  if (!known && needed) ++forces_planned_;
  if (burst.steps > 0 && !integrator().uses_field_after(integrator().count - 1)) ++forces_planned_;
  forces_done_ = 0;
  begun_ = false;
  burst_from_ = clock_;
  set_clock(burst.steps);
  if (individual() && burst.steps > 0)
    blocks_.begin({block_terms(burst), burst_from_.step, burst.steps, burst.potential});
  if (!known && needed)
    begin_force(same_field);
  else
    stage_ = burst.steps == 0 ? Stage::done : individual() ? Stage::blocks : Stage::open;
}

NbodyBlockTerms NbodySimulation::block_terms(const Burst& burst) const {
  return {burst.dt, burst.accuracy, burst.softening, burst.gravity};
}

void NbodySimulation::tell_levels(Queue& queue, const cl::Buffer& to) {
  members_.front().tell_levels(queue, present_, block_terms(burst_), to);
}

std::int64_t NbodySimulation::substeps_of_burst() const {
  return burst_.steps * static_cast<std::int64_t>(integrator().count);
}

// The field at the end of a burst is published.
bool NbodySimulation::uses_field_after(std::int64_t index) const {
  return index + 1 == substeps_of_burst() ||
         integrator().uses_field_after(static_cast<std::size_t>(index) % integrator().count);
}

bool NbodySimulation::ends_step(std::int64_t index) const {
  return (index + 1) % static_cast<std::int64_t>(integrator().count) == 0;
}

const Substep& NbodySimulation::substep(std::int64_t index) const {
  return integrator().substeps()[static_cast<std::size_t>(index) % integrator().count];
}

void NbodySimulation::set_clock(std::int64_t steps) {
  clock_ = burst_from_;
  clock_.step += steps;
  clock_.time += static_cast<double>(steps) * burst_.dt;
}

// The last evaluation must not have begun yet, so that it can include the potential.
void NbodySimulation::shorten_burst() {
  if (stage_ == Stage::done) return;
  const auto substeps = static_cast<std::int64_t>(integrator().count);
  const std::int64_t steps =
      individual() && burst_.steps > 0 ? blocks_.shorten() : opened_ / substeps + 1;  // with one more substep
  if (steps >= burst_.steps) return;
  forces_planned_ -= (burst_.steps - steps) * integrator().evaluations();
  burst_.steps = steps;
  set_clock(steps);
}

bool NbodySimulation::enqueue_slice(Queue& queue, double budget) {
  slice_seconds_ = 0;
  if (stage_ == Stage::done) return true;
  const DriverCall watched(queue.device());  // also covers user events and their callbacks
  crew_.begin_slice(queue, !std::exchange(begun_, true));
  double left = budget;
  while (stage_ != Stage::done && (left == budget || left > worth_beginning * budget)) {
    if (stage_ == Stage::open) {
      left -= enqueue_advance(queue, false, true);
    } else if (stage_ == Stage::blocks) {
      const double seconds = enqueue_blocks(queue, left);
      if (seconds == 0) break;
      left -= seconds;
    } else if (stage_ == Stage::control) {
      left -= enqueue_control(queue, left);
    } else {
      left -= enqueue_force(queue, left);
      if (crew_.force_complete()) left -= enqueue_field_end(queue);
    }
  }
  slice_seconds_ = budget - left;
  if (individual()) blocks_.end_slice(queue, crew_);
  crew_.end_slice(queue);
  return stage_ == Stage::done;
}

void NbodySimulation::begin_force(bool again) {
  const bool last = opened_ == substeps_of_burst();
  const bool with_potential = (burst_.potential && last) || (individual() && block_terms(burst_).by_potential());
  crew_.begin_force(with_potential, again);
  stage_ = Stage::force;
}

double NbodySimulation::enqueue_force(Queue& queue, double budget) {
  return crew_.enqueue_force(queue, field_terms(budget));
}

double NbodySimulation::enqueue_field_end(Queue& queue) {
  ++forces_done_;
  crew_.end_field(queue);
  if (individual()) {
    const double seconds = enqueue_advance(queue, true, false);
    if (burst_.steps > 0) stage_ = Stage::blocks;
    return seconds;
  }
  const auto draw = control_due();
  if (!draw) return enqueue_advance(queue, true, opened_ < substeps_of_burst());
  crew_.begin_control(*draw);
  stage_ = Stage::control;
  return 0;
}

double NbodySimulation::enqueue_blocks(Queue& queue, double budget) {
  const double seconds = blocks_.enqueue(queue, crew_, present_, budget);
  if (!blocks_.done()) return seconds;
  stage_ = Stage::done;
  field_pull_ = {burst_.softening, burst_.gravity};
  field_potential_ = burst_.potential || block_terms(burst_).by_potential();
  return seconds;
}

// Due for the first field of every `interval` steps, independent of bursts.
std::optional<std::int64_t> NbodySimulation::control_due() const {
  if (!crew_.holds_error() || opened_ == 0) return {};
  const auto count = static_cast<std::int64_t>(integrator().count), index = opened_ - 1;
  for (std::int64_t earlier = 0; earlier < index % count; ++earlier)
    if (integrator().uses_field_after(static_cast<std::size_t>(earlier))) return {};
  if (!integrator().uses_field_after(static_cast<std::size_t>(index % count))) return {};
  const std::int64_t step = burst_from_.step + index / count;
  if (step % TreeControl::interval != 0) return {};
  return step / TreeControl::interval;
}

double NbodySimulation::enqueue_control(Queue& queue, double budget) {
  const double seconds = crew_.enqueue_control(queue, field_terms(budget));
  if (!crew_.control_complete()) return seconds;
  return seconds + enqueue_advance(queue, true, opened_ < substeps_of_burst());
}

std::vector<std::size_t> NbodySimulation::behind() const {
  std::vector<std::size_t> result;
  for (const NbodyMember* member : crew_.behind()) result.push_back(static_cast<std::size_t>(member - members_.data()));
  return result;
}

// If the next kick needs no field, the positions are not sent, and the next substep moves them in place: the other
// buffer may still be read.
double NbodySimulation::enqueue_advance(Queue& queue, bool closes, bool opens) {
  const bool in_place = !opens || (!closes && opened_ > 0);
  const std::size_t from = present_, to = in_place ? present_ : 1 - present_;
  const double close_kick = opened_ > 0 ? burst_.dt * substep(opened_ - 1).kick_after : 0;
  const Substep next = opens ? substep(opened_) : Substep{};
  const NbodyAdvance step{.from = from,
                          .to = to,
                          .closes = closes,
                          .opens = opens,
                          .close_kick = close_kick,
                          .open_kick = burst_.dt * next.kick,
                          .drift = burst_.dt * next.drift,
                          .pull = {burst_.softening, burst_.gravity}};
  const bool evaluates = opens && uses_field_after(opened_);
  const bool touches = opens && ends_step(opened_) && kernels().contact && burst_.touch.radius > 0;
  crew_.each(queue, [&](NbodyMember& member, Queue& own) {
    member.enqueue_advance(own, step);
    if (touches) member.enqueue_contacts(own, to, burst_.touch, burst_.dt < 0);
  });
  const std::vector<cl::Event> advanced = crew_.markers(queue);
  if (evaluates) crew_.send_positions(queue, to, advanced);
  if (!opens) crew_.gather(queue, to, advanced);
  present_ = to;
  field_pull_.reset();
  if (opens) {
    ++opened_;
    stage_ = Stage::open;
    if (evaluates) begin_force(false);
  } else {
    stage_ = Stage::done;
    field_pull_ = {burst_.softening, burst_.gravity};
    field_potential_ = burst_.potential;
  }
  return launch_seconds;
}

double NbodySimulation::burst_progress() const {
  if (stage_ == Stage::blocks) return blocks_.progress();
  if (stage_ == Stage::done || forces_planned_ == 0) return 1;
  const double part = stage_ == Stage::force ? crew_.force_progress() : 0;
  return (static_cast<double>(forces_done_) + part) / static_cast<double>(forces_planned_);
}

double NbodySimulation::burst_work() const {
  const auto n = static_cast<double>(count_);
  const auto sources = static_cast<double>(kernels().variant.forces == Forces::gather ? sources_ : count_);
  const double of_blocks = static_cast<double>(burst_.steps) * blocks_.evaluations_per_step() * sources;
  return std::max(static_cast<double>(forces_planned_) * n * sources, of_blocks);
}

void run_burst(NbodySimulation& simulation, Queue& queue, const Burst& burst, const std::function<void()>& between,
               double slice) {
  simulation.begin_burst(burst);
  while (!simulation.burst_enqueued()) {
    simulation.enqueue_slice(queue, slice);
    simulation.finish(queue);
    if (between) between();
  }
}

std::vector<std::vector<std::byte>> rows_of(const Bodies& bodies, Precision precision) {
  Rows rows;
  fill_rows(rows, bodies, precision);
  return rows;
}

namespace {

template <class Real4>
NbodyCount count_in(const NbodyExact& exact) {
  const std::size_t count = exact.rows[0].size() / sizeof(Real4);
  std::size_t end = count;
  for (; end > 1; --end) {
    std::array<Real4, 2> last;
    for (std::size_t row = 0; row < last.size(); ++row)
      std::memcpy(&last[row], exact.rows[row].data() + (end - 1) * sizeof(Real4), sizeof(Real4));
    if (pulls({.mass = last[0].s[3], .vx = last[1].s[0]})) break;
  }
  return {count, end};
}

}  // namespace

NbodyCount count_of(const NbodyExact& exact, Precision precision) {
  return precision == Precision::double_ ? count_in<cl_double4>(exact) : count_in<cl_float4>(exact);
}

Bodies bodies_of(const Device& device, Queue& queue, const NbodySimulation& simulation) {
  NbodyDownload download(device, queue, simulation.bodies(), simulation.precision());
  download.begin(queue, simulation);
  queue.finish();
  return download.bodies();
}

namespace {

template <class Real4>
std::vector<std::array<double, 3>> accelerations_as(Queue& queue, const NbodySimulation& simulation) {
  std::vector<std::array<double, 3>> result;
  for (const Real4& a : queue.read_blocking<Real4>(simulation.buffers().accelerations, simulation.bodies()))
    result.push_back({a.s[0], a.s[1], a.s[2]});
  return result;
}

}  // namespace

std::vector<std::array<double, 3>> accelerations_of(Queue& queue, const NbodySimulation& simulation) {
  return simulation.precision() == Precision::double_ ? accelerations_as<cl_double4>(queue, simulation)
                                                      : accelerations_as<cl_float4>(queue, simulation);
}

NbodyDownload::NbodyDownload(const Device& device, Queue& queue, std::size_t bodies, Precision precision)
    : count_(bodies),
      precision_(precision),
      positions_(device, queue, count_ * bytes_of_real4(precision_), HostMirror::Mapping::queued),
      velocities_(device, queue, positions_.size(), HostMirror::Mapping::queued) {
  if (precision_ != Precision::mixed) return;
  position_corrections_.emplace(device, queue, positions_.size(), HostMirror::Mapping::queued);
  velocity_corrections_.emplace(device, queue, positions_.size(), HostMirror::Mapping::queued);
}

void NbodyDownload::begin(Queue& queue, const NbodySimulation& simulation) {
  const auto read = [&](const cl::Buffer& from, HostMirror& to) {
    reads_.push_back(queue.read(from, to.data_for(queue), to.size()));
  };
  clock_ = simulation.clock();
  reads_.clear();
  read(simulation.buffers().positions, positions_);
  read(simulation.buffers().velocities, velocities_);
  simulation.read_tree(queue, tree_, reads_);
  if (!position_corrections_) return;
  read(simulation.corrections().positions, *position_corrections_);
  read(simulation.corrections().velocities, *velocity_corrections_);
}

bool NbodyDownload::complete() const { return std::ranges::all_of(reads_, is_complete); }

bool NbodyDownload::arrived() const { return std::ranges::all_of(reads_, has_succeeded); }

double NbodyDownload::seconds() const { return seconds_of_transfers(reads_, positions_.size()); }

Bodies NbodyDownload::bodies() const {
  if (precision_ == Precision::double_)
    return bodies_from(positions_.as<cl_double4>(count_), velocities_.as<cl_double4>(count_));
  Bodies bodies = bodies_from(positions_.as<cl_float4>(count_), velocities_.as<cl_float4>(count_));
  if (position_corrections_)
    add(bodies,
        bodies_from(position_corrections_->as<cl_float4>(count_), velocity_corrections_->as<cl_float4>(count_)));
  return bodies;
}

std::vector<std::vector<std::byte>> NbodyDownload::mixed_rows() const {
  std::vector<std::vector<std::byte>> rows;
  if (!position_corrections_) return rows;
  for (const HostMirror* each : {&positions_, &velocities_, &*position_corrections_, &*velocity_corrections_}) {
    const auto bytes = each->as<std::byte>(each->size());
    rows.emplace_back(bytes.begin(), bytes.end());
  }
  return rows;
}

}  // namespace orrery
