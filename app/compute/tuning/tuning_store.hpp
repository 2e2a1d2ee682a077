/// The results of sweeps in a file: for each platform, device, driver, kernel source and problem class.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "compute/device/device_info.hpp"
#include "compute/tuning/sweep.hpp"

namespace orrery {

/// The identity of a result.
struct TuneIdentity {
  std::string platform, device, driver;
  std::string kernel, problem;  ///< see TuneSubject
  std::string source;           ///< source_hash() of the kernel's files
  bool operator==(const TuneIdentity&) const = default;

  /// True for the same question, whatever the driver and the source.
  bool same_question(const TuneIdentity& other) const;
};
TuneIdentity identity_of(const DeviceInfo& device, const TuneSubject& subject, std::string source);

struct StoredCandidate {
  NamedTuneValues values;
  TuneState state = TuneState::waiting;
  std::string reason = {};
  bool keeps_bits = true;
  std::vector<double> seconds = {};
};

struct StoredSweep {
  TuneIdentity of;
  std::vector<std::string> files;  ///< the kernel's sources
  std::string measured;            ///< the date: "2026-11-21"
  bool complete = false;           ///< nothing was left to try
  bool host_times = false;
  double work = 0;  ///< work of one run, see TuneSubject
  NamedTuneValues standard = {}, best = {};
  NamedTuneValues choice = {};  ///< the choice of "auto"
  std::vector<StoredCandidate> candidates = {};
};

/// The present state of the sweep; `space` names its values.
StoredSweep stored(const Sweep& sweep, const TuneSubject& subject, const TuneSpace& space, TuneIdentity of);
/// The candidates from which a sweep of this space can continue.
KnownEntries known_entries(const StoredSweep& stored, const TuneSpace& space);

/// A value; any thread, one at a time.
class TuningStore {
 public:
  /// <state folder>/tuning.toml; empty: no such folder.
  static std::filesystem::path default_path();
  /// An empty store if there is no file. An unreadable file is renamed, and the place of its fault is reported in
  /// `messages`.
  static TuningStore load(const std::filesystem::path& path, std::vector<std::string>& messages);
  /// Written atomically; throws an Error on failure, and the old file stays.
  void save(const std::filesystem::path& path) const;

  const std::vector<StoredSweep>& sweeps() const { return sweeps_; }
  const StoredSweep* find(const TuneIdentity& of) const;
  /// The result for the same question with another driver or source, or null.
  const StoredSweep* stale(const TuneIdentity& of) const;
  /// Replaces the result for the same question.
  void put(StoredSweep sweep);

 private:
  std::vector<StoredSweep> sweeps_;
};

/// The text of a store's file. Unreadable text throws a usage Error with line and column.
std::vector<StoredSweep> parse_sweeps(const std::string& text);
std::string sweeps_text(std::span<const StoredSweep> sweeps);

/// Why the result cannot be used for `of`, which asks the same question: "another driver (535.1)".
std::string staleness(const StoredSweep& stored, const TuneIdentity& of);

}  // namespace orrery
