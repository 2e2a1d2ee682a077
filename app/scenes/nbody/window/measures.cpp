#include "scenes/nbody/window/measures.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/statistics.hpp"
#include "compute/queue/event_time.hpp"
#include "scene/history.hpp"

namespace orrery {

BodyWatch::BodyWatch(const Device& device, Queue& queue)
    : row_(device, queue, bytes_of_real4(Precision::double_), HostMirror::Mapping::queued) {}

bool BodyWatch::is_seen(const NbodySimulation& simulation) const {
  if (!is_there(simulation)) return true;
  return seen_ && seen_->body == *body_ && seen_->step == simulation.clock().step;
}

void BodyWatch::begin(Queue& queue, const NbodySimulation& simulation) {
  if (!is_there(simulation)) return;
  precision_ = simulation.precision();
  const std::size_t bytes = bytes_of_real4(precision_);
  read_ = queue.read(simulation.buffers().positions, row_.data_for(queue), bytes, bytes * *body_);
  queue.flush();
  coming_ = Seen{*body_, simulation.clock().step, {}};
}

void BodyWatch::collect() {
  if (!under_way() || !arrived()) return;
  for (std::size_t axis = 0; axis < 3; ++axis)
    coming_->place[axis] =
        precision_ == Precision::double_ ? row_.as<double>(4)[axis] : double{row_.as<float>(4)[axis]};
  seen_ = std::exchange(coming_, {});
}

void ForceErrorMapping::begin(ForceErrorMap& map, Queue& queue, const NbodySimulation& simulation,
                              const NbodyPull& pull) {
  const std::int64_t step = simulation.clock().step;
  if (map.under_way() || (step_ == step && map.errors()() != nullptr)) return;
  map.begin(queue, simulation, pull);
  step_ = step;
}

double ForceErrorMapping::enqueue_slice(ForceErrorMap& map, Queue& queue, double budget) const {
  return wanted_ && map.under_way() ? map.enqueue_slice(queue, budget) : 0;
}

// ---- sampled errors

namespace {

constexpr double most_share = 0.02;  // share of the device's time

constexpr std::size_t most_recent = 4096;  // bodies: a thousandth of them are four

ErrorPercentiles percentiles_of(std::vector<double> errors) {
  std::ranges::sort(errors);
  const auto below = [&](double part) { return quantile_of_sorted(errors, part); };
  return {below(0.5), below(0.9), below(0.99), below(0.999), below(1)};
}

}  // namespace

void ForceErrorMonitor::begin(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation,
                              const NbodyPull& pull, double seconds, double budget) {
  if (under_way() || seconds - began_ < sample.seconds(queue).value_or(0) / most_share) return;
  sample_ = Sample::under_way;
  began_ = seconds;
  sample.begin(draw_++, pull);
  sample.enqueue_slice(queue, simulation, budget);
}

bool ForceErrorMonitor::go_on(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation,
                              double budget) {
  return !under_way() || sample.enqueue_slice(queue, simulation, budget);
}

void ForceErrorMonitor::collect(const ForceErrorSample& sample, SampledErrors& errors) {
  if (!under_way() || !sample.enqueued() || !sample.arrived()) return;
  forget();
  const AccelerationError error = sample.error();
  errors.spread = error.spread;
  std::vector<double>& recent = errors.recent;
  recent.insert(recent.end(), error.all.begin(), error.all.end());
  if (recent.size() > most_recent)
    recent.erase(recent.begin(), recent.end() - static_cast<std::ptrdiff_t>(most_recent));
  errors.percentiles = percentiles_of(recent);
  AccelerationErrors& history = errors.history;
  if (!history.time.empty() && history.time.back() == error.clock.time) return;
  make_room({&history.time, &history.median, &history.p99});
  history.time.push_back(error.clock.time);
  history.median.push_back(error.median);
  history.p99.push_back(error.p99);
}

// ---- the cost of accuracy

namespace {

struct MeasurementCancelled {};

}  // namespace

void AccuracyMeasurement::start(const DeviceInfo& device, const NbodySettings& settings,
                                std::shared_ptr<const NbodyState> state) {
  if (running()) return;
  run_ = std::make_shared<Run>();
  work_.start([run = run_, device, settings, state = std::move(state)]() -> std::optional<SurveyedCosts> {
    const auto between = [&run](double done) {
      if (run->stop) throw MeasurementCancelled();
      run->done = done;
    };
    try {
      ProgramLibrary programs{Device(device)};
      if (state) return survey_accuracy(programs, settings, state->bodies, between);
      return survey_accuracy(programs, settings, fresh_bodies(start_of(settings, device)), between);
    } catch (const MeasurementCancelled&) {
      return {};
    }
  });
}

void AccuracyMeasurement::poll() {
  try {
    auto done = work_.poll();
    if (!done || !*done) return;
    SurveyedCosts& found = **done;
    result_ = {.errors = std::move(found.errors),
               .quadrupole = std::move(found.quadrupole),
               .monopole = std::move(found.monopole),
               .all_pairs = std::move(found.all_pairs),
               .fault = {}};
  } catch (const Error& error) {
    result_ = {};
    result_.fault = error.what();
  }
}

AccuracyCosts AccuracyMeasurement::result() const {
  AccuracyCosts result = result_;
  result.running = running();
  result.progress = run_->done;
  return result;
}

// ---- transfers

namespace {

constexpr std::int64_t longest_burst = 256;
constexpr int kinds_of_burst = 9;             // 1, 2, 4 … 256
constexpr std::size_t fewest = 3, most = 24;  // bursts of a kind that are timed …
constexpr double enough_seconds = 0.1;        // … until they have taken so long
constexpr double too_long = 1.5;              // seconds of a burst: a longer one is not tried

}  // namespace

void NbodySweep::start(std::string no_sharing) {
  result_ = {};
  result_.running = true;
  result_.no_sharing = std::move(no_sharing);
  for (std::int64_t burst = 1; burst <= longest_burst; burst *= 2) result_.bursts.push_back(static_cast<double>(burst));
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  result_.copied.assign(result_.bursts.size(), unknown);
  result_.shared = result_.copied;
  shared_ = result_.no_sharing.empty();
  burst_ = 1;
  rest();
}

void NbodySweep::cancel() {
  result_.running = false;
  stretches_.clear();
}

void NbodySweep::add(cl::Event begin, cl::Event end) {
  if (running()) stretches_.emplace_back(std::move(begin), std::move(end));
}

void NbodySweep::rest() {
  warm_ = false;
  seconds_.clear();
  stretches_.clear();
}

void NbodySweep::finish_burst(double upload_seconds) {
  double seconds = upload_seconds;
  for (const auto& [begin, end] : stretches_) {
    const auto stretch = seconds_between(begin, end);
    if (!stretch) {
      result_.fault = "the driver reports no times";
      return cancel();
    }
    seconds += *stretch;
  }
  if (!std::exchange(warm_, true)) return;
  seconds_.push_back(seconds);
  const double all = std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
  if (seconds_.size() < fewest || (seconds_.size() < most && all < enough_seconds)) return;
  std::vector<double>& rates = shared_ ? result_.shared : result_.copied;
  const auto place = static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(burst_)));
  const double typical = median(seconds_);
  if (typical > 0) rates[place] = static_cast<double>(burst_) / typical;
  next_burst(typical);
}

void NbodySweep::next_burst(double burst_seconds) {
  rest();
  burst_ *= 2;
  if (burst_ > longest_burst || 2 * burst_seconds > too_long) next_form();
  const int forms = result_.no_sharing.empty() ? 2 : 1;
  const int before = forms == 2 && !shared_ ? kinds_of_burst : 0;
  const int done = before + std::countr_zero(static_cast<std::uint64_t>(burst_));
  result_.progress = running() ? static_cast<double>(done) / (forms * kinds_of_burst) : 1;
}

void NbodySweep::next_form() {
  burst_ = 1;
  if (!shared_) return cancel();
  shared_ = false;
}

}  // namespace orrery
