/// Backups of a running simulation on the host, in case its device is lost: they are read into reused pinned memory and
/// made into a state on a worker thread.
///
/// Backups are made about every second and take a twentieth of the time at most, except for sizes where this would put
/// them more than four seconds apart. Window thread; only rescue() waits, for the worker thread and never for the
/// device.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <optional>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/work/abandon.hpp"
#include "base/work/background.hpp"
#include "compute/device/opencl.hpp"

namespace orrery {

template <class State>
struct Backup {
  std::shared_ptr<const State> state;
  std::size_t not_finite = 0;  ///< elements of the state with numbers that are not finite
};

/// A simulation between two bursts, as backups see it.
template <class S>
concept BackupSource = requires(S& source, const S& constant, typename S::Download& download,
                                const typename S::Download& arrived, const typename S::State& state) {
                         typename S::State;
                         {
                           constant.fits(arrived)
                           } -> std::same_as<bool>;  // the download's memory is of the right size
                         { source.make_download() } -> std::same_as<std::unique_ptr<typename S::Download>>;
                         source.begin(download);  // enqueues the reads
                         { arrived.complete() } -> std::same_as<bool>;
                         { arrived.arrived() } -> std::same_as<bool>;
                         { arrived.seconds() } -> std::convertible_to<double>;
                         { S::backup_of(arrived) } -> std::same_as<Backup<typename S::State>>;  // on a worker thread
                         { S::text_of(state) } -> std::convertible_to<std::string>;             // "900 bodies"
                       };

template <BackupSource Source>
class Backups {
 public:
  using State = typename Source::State;
  using Download = typename Source::Download;

  /// Enqueues the reads of the present moment, between bursts; nothing where a backup is under way. Throws Error.
  void begin(Source source, double now) {
    if (busy()) return;
    if (!download_ || !source.fits(*download_)) {
      download_.reset();
      download_ = source.make_download();
      interval_ = shortest_interval;
    }
    begun_ = now;
    source.begin(*download_);
    reading_ = Reading::wanted;
  }
  bool busy() const { return reading_ != Reading::none || making_.busy(); }
  /// True when another backup is worth its cost.
  bool due(double now) const { return !busy() && now - begun_ >= interval_; }
  /// Seconds between two backups, which grow with the cost of the last one.
  double interval() const { return interval_; }

  /// A backup that has arrived, once. Throws what the worker thread threw.
  std::optional<Backup<State>> poll() {
    if (reading_ != Reading::none && download_->complete()) make();
    std::optional<Made> made = making_.poll();
    if (!made) return {};
    constexpr double least_pause = 20, shortest_pause = 2;  // unit: cost of a backup
    constexpr double longest_wanted = 4;                    // seconds; a crash then loses ten at most
    const double longest = std::max(longest_wanted, shortest_pause * made->seconds);
    const double wanted = std::clamp(least_pause * made->seconds, shortest_interval, longest);
    const double before = std::exchange(interval_, wanted);
    if (interval_ > 2 * before)
      log(Level::warning, "a backup of " + Source::text_of(*made->backup.state) + " is made every " +
                              std::to_string(std::lround(interval_)) + " s: more often would slow them down");
    return std::move(made->backup);
  }
  /// poll() for a failed device: waits for a backup that has been read, and drops one that has not.
  std::optional<Backup<State>> rescue() noexcept {
    try {
      if (reading_ == Reading::wanted && download_->arrived()) make();
      reading_ = Reading::none;
      while (making_.busy()) {
        if (auto made = making_.poll()) return std::move(made->backup);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    } catch (const std::exception& error) {
      log(Level::warning, as_error(error).what());
    }
    return {};
  }
  /// Drops the backup under way.
  void forget() {
    if (reading_ == Reading::wanted) reading_ = Reading::unwanted;
    making_.forget();
  }
  /// Takes an obsolete state and frees it on the worker thread, because freeing takes long.
  void retire(std::shared_ptr<const State> old) { retired_ = std::move(old); }
  /// Abandons the memory of a device that does not answer.
  void abandon() { orrery::abandon(download_); }

 private:
  enum class Reading { none, wanted, unwanted };
  struct Made {
    Backup<State> backup;
    double seconds;  // spent by the device and the worker
  };
  static constexpr double shortest_interval = 0.8;  // seconds

  void make() {
    if (std::exchange(reading_, Reading::none) == Reading::unwanted) return;
    making_.start([download = download_.get(), retired = std::move(retired_)]() mutable {
      retired.reset();
      const double began = now_seconds();
      Backup<State> backup = Source::backup_of(*download);
      return Made{std::move(backup), download->seconds() + now_seconds() - began};
    });
  }

  std::unique_ptr<Download> download_;
  Background<Made> making_;
  std::shared_ptr<const State> retired_;
  Reading reading_ = Reading::none;
  double begun_ = -1e9;
  double interval_ = 0;
};

}  // namespace orrery
