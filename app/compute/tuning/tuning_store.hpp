/// What sweeps have found, kept in a file: for each platform, device, driver, kernel source and class of problems.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "compute/device/device_info.hpp"
#include "compute/tuning/sweep.hpp"

namespace orrery {

/// What a result is of.
struct TuneIdentity {
  std::string platform, device, driver;
  std::string kernel, problem;  ///< see TuneSubject
  std::string source;           ///< source_hash() of the kernel's files
  bool operator==(const TuneIdentity&) const = default;

  /// The same question, whatever driver and source answered it.
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
  std::string measured;            ///< when: "2026-11-21"
  bool complete = false;           ///< nothing was left to try
  bool host_times = false;
  double work = 0;  ///< of one run, see TuneSubject
  NamedTuneValues standard = {}, best = {};
  NamedTuneValues choice = {};  ///< what "auto" takes
  std::vector<StoredCandidate> candidates = {};
};

/// The sweep as it is now; `space` has names for all of its values.
StoredSweep stored(const Sweep& sweep, const TuneSubject& subject, const TuneSpace& space, TuneIdentity of);
/// What a sweep of this space can go on from.
KnownEntries known_entries(const StoredSweep& stored, const TuneSpace& space);

/// A value; any thread, one at a time.
class TuningStore {
 public:
  /// <state folder>/tuning.toml; empty where there is no such folder.
  static std::filesystem::path default_path();
  /// Nothing where there is no file. A file that cannot be read as one of these is set aside under another name, and
  /// `messages` says where it is wrong.
  static TuningStore load(const std::filesystem::path& path, std::vector<std::string>& messages);
  /// Written beside and renamed: on failure, which throws Error, the old file is whole.
  void save(const std::filesystem::path& path) const;

  const std::vector<StoredSweep>& sweeps() const { return sweeps_; }
  const StoredSweep* find(const TuneIdentity& of) const;
  /// Of the same question by another driver or source; null where there is none.
  const StoredSweep* stale(const TuneIdentity& of) const;
  /// In place of what there is of the same question.
  void put(StoredSweep sweep);

 private:
  std::vector<StoredSweep> sweeps_;
};

/// Why it cannot be used for `of`, of the same question: "another driver (535.1)".
std::string staleness(const StoredSweep& stored, const TuneIdentity& of);

}  // namespace orrery
