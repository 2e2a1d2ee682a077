#include "scenes/nbody/window/transfer_sweep.hpp"

#include <bit>
#include <limits>
#include <numeric>

#include "base/statistics.hpp"
#include "compute/queue/event_time.hpp"

namespace orrery {
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
