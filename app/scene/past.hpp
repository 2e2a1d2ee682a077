/// The past of a running simulation: states of some moments, from which all others are recomputed. Moments are thinned
/// to the memory limit; the beginning stays, and moments where settings changed stay longest. Continuing differently
/// from an earlier moment makes a branch; the previous continuation is kept until memory runs out. Plain values; one
/// thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace orrery {

/// Memory for the states of a past, in bytes.
inline constexpr std::size_t most_past_bytes = std::size_t{512} << 20;

template <class State, class Settings>
class Past {
 public:
  struct Moment {
    std::int64_t step = 0;
    double time = 0;
    std::shared_ptr<const State> state;
    Settings settings;         ///< in force from this moment
    bool changes = false;      ///< other settings were in force before
    bool interrupted = false;  ///< steps up to the next moment cannot be recomputed
    std::size_t bytes = 0;
  };
  using Moments = std::vector<Moment>;

  explicit Past(std::size_t most_bytes = most_past_bytes) : most_bytes_(most_bytes) {}

  /// The moments in the order of their steps.
  const Moments& moments() const { return moments_; }
  /// The moments that followed before the last branching; empty where there was none.
  const Moments& other_branch() const { return other_; }
  /// The step at which the branches part; nothing with a single branch.
  std::optional<std::int64_t> fork() const { return other_.empty() ? std::nullopt : std::optional(fork_); }
  std::size_t bytes() const { return bytes_of(moments_) + bytes_of(other_); }
  void clear() {
    moments_.clear();
    other_.clear();
  }
  /// Notes that the simulation goes on at this step on a device that rounds differently: earlier steps cannot be
  /// recomputed.
  void interrupt(std::int64_t step) {
    const Moment* const last = before(step);
    for (Moments* moments : {&moments_, &other_})
      for (Moment& moment : *moments) moment.interrupted |= &moment != last;
  }

  /// Adds a moment; at a known step, takes only its changed settings.
  void add(Moment moment) {
    const auto at = first_from(moment.step);
    if (at != moments_.end() && at->step == moment.step) {
      if (moment.changes) at->settings = std::move(moment.settings), at->changes = true;
      return;
    }
    moments_.insert(at, std::move(moment));
    thin();
  }
  /// Notes that settings change at this step without a kept state: steps between the adjacent moments are lost.
  void lose(std::int64_t step) {
    if (const auto next = first_behind(step); next != moments_.begin()) std::prev(next)->interrupted = true;
  }
  /// The last moment at or before this step, or null.
  const Moment* before(std::int64_t step) const {
    const auto next = first_behind(step);
    return next == moments_.begin() ? nullptr : &*std::prev(next);
  }
  /// The moment nearest to this step, or null.
  static const Moment* nearest(const Moments& moments, std::int64_t step) {
    const auto later = first_behind(moments, step);
    const Moment* const earlier = later == moments.begin() ? nullptr : &*std::prev(later);
    if (later == moments.end()) return earlier;
    return earlier == nullptr || later->step - step < step - earlier->step ? &*later : earlier;
  }
  const Moment* nearest(std::int64_t step) const { return nearest(moments_, step); }
  /// The moments on both sides of this step, if the steps between them can be recomputed; else nulls.
  static std::pair<const Moment*, const Moment*> around(const Moments& moments, std::int64_t step) {
    const auto to = first_behind(moments, step);
    if (to == moments.begin() || to == moments.end()) return {};
    const Moment& from = *std::prev(to);
    if (from.step == step || from.interrupted) return {};
    return {&from, &*to};
  }
  /// The nearest step that can be recomputed. Needs a moment.
  std::int64_t reachable(std::int64_t step) const {
    const Moment* const from = before(step);
    return from == nullptr || (from->interrupted && from->step != step) ? nearest(step)->step : step;
  }

  /// Continues at this step, with other settings than followed it (`otherwise`) or the same. Moments computed
  /// differently become the other branch.
  void branch(std::int64_t step, bool otherwise) {
    auto cut = first_behind(step);
    while (cut != moments_.end() && !otherwise && !cut->changes) ++cut;
    if (cut == moments_.end()) return;
    fork_ = step;
    other_.assign(std::make_move_iterator(cut), std::make_move_iterator(moments_.end()));
    moments_.erase(cut, moments_.end());
    if (otherwise && !moments_.empty() && moments_.back().step == step) other_.insert(other_.begin(), moments_.back());
  }
  /// Replaces the state at this step by one that was edited by hand or restored; the simulation continues from it.
  void change(Moment moment) {
    branch(moment.step, true);
    const auto at = first_from(moment.step);
    const bool known = at != moments_.end() && at->step == moment.step;
    moment.changes = true;
    if (known)
      *at = std::move(moment);
    else
      moments_.insert(at, std::move(moment));
    thin();
  }
  /// Swaps the branches.
  void switch_branch() {
    if (other_.empty()) return;
    const bool parts_at_moment = other_.front().step == fork_;
    auto cut = parts_at_moment ? first_from(fork_) : first_behind(fork_);
    if (!parts_at_moment && cut != moments_.begin() && std::prev(cut)->step == fork_ && std::prev(cut)->changes) --cut;
    Moments present(std::make_move_iterator(cut), std::make_move_iterator(moments_.end()));
    moments_.erase(cut, moments_.end());
    std::ranges::move(other_, std::back_inserter(moments_));
    other_ = std::move(present);
  }

 private:
  static std::size_t bytes_of(const Moments& moments) {
    std::size_t sum = 0;
    for (const Moment& moment : moments) sum += moment.bytes;
    return sum;
  }
  typename Moments::iterator first_behind(std::int64_t step) {
    return std::ranges::upper_bound(moments_, step, {}, &Moment::step);
  }
  static typename Moments::const_iterator first_behind(const Moments& moments, std::int64_t step) {
    return std::ranges::upper_bound(moments, step, {}, &Moment::step);
  }
  typename Moments::const_iterator first_behind(std::int64_t step) const { return first_behind(moments_, step); }
  typename Moments::iterator first_from(std::int64_t step) {
    return std::ranges::lower_bound(moments_, step, {}, &Moment::step);
  }
  // Drops the moment whose loss moves the fewest steps further from a state: with equal intervals, every second one.
  void thin() {
    if (bytes() > most_bytes_) other_.clear();
    constexpr std::size_t most_moments = 1024;
    while ((bytes_of(moments_) > most_bytes_ || moments_.size() > most_moments) && moments_.size() > 2) {
      const auto cost = [](const Moment& moment) {
        constexpr std::int64_t worth_of_change = 8;
        const std::int64_t interval = (&moment + 1)->step - (&moment - 1)->step;
        return moment.changes ? worth_of_change * interval : interval;
      };
      const auto gone = std::min_element(moments_.begin() + 1, moments_.end() - 1,
                                         [&](const Moment& a, const Moment& b) { return cost(a) < cost(b); });
      std::prev(gone)->interrupted |= gone->changes || gone->interrupted;
      moments_.erase(gone);
    }
  }

  std::size_t most_bytes_;
  Moments moments_, other_;
  std::int64_t fork_ = 0;
};

}  // namespace orrery
