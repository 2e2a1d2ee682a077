#include "compute/tuning/tuning_store.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "base/files/path.hpp"

namespace orrery {
namespace {

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&now));
  return text.data();
}

}  // namespace

bool TuneIdentity::same_question(const TuneIdentity& other) const {
  return platform == other.platform && device == other.device && kernel == other.kernel && problem == other.problem;
}

TuneIdentity identity_of(const DeviceInfo& device, const TuneSubject& subject, std::string source) {
  return {device.platform, device.name, device.driver, subject.kernel, subject.problem, std::move(source)};
}

std::string staleness(const StoredSweep& stored, const TuneIdentity& of) {
  if (stored.of.driver != of.driver) return "another driver (" + stored.of.driver + ")";
  return "another kernel source";
}

StoredSweep stored(const Sweep& sweep, const TuneSubject& subject, const TuneSpace& space, TuneIdentity of) {
  StoredSweep result{.of = std::move(of),
                     .files = subject.files,
                     .measured = today(),
                     .complete = sweep.complete(),
                     .host_times = sweep.host_times(),
                     .work = subject.work,
                     .standard = space.named(sweep.standard().values)};
  if (sweep.best() != nullptr) result.best = space.named(sweep.best()->values);
  if (sweep.choice() != nullptr) result.choice = space.named(sweep.choice()->values);
  for (const TuneEntry& entry : sweep.entries())
    result.candidates.push_back(
        {space.named(entry.values), entry.state, entry.reason, entry.keeps_bits, entry.seconds});
  return result;
}

KnownEntries known_entries(const StoredSweep& stored, const TuneSpace& space) {
  KnownEntries known{{}, stored.host_times};
  for (const StoredCandidate& candidate : stored.candidates)
    if (auto values = space.values(candidate.values))
      known.entries.push_back({.values = std::move(*values),
                               .state = candidate.state,
                               .reason = candidate.reason,
                               .keeps_bits = candidate.keeps_bits,
                               .seconds = candidate.seconds});
  return known;
}

std::filesystem::path TuningStore::default_path() {
  const std::filesystem::path folder = state_folder();
  return folder.empty() ? folder : folder / "tuning.toml";
}

const StoredSweep* TuningStore::find(const TuneIdentity& of) const {
  const auto found = std::ranges::find(sweeps_, of, &StoredSweep::of);
  return found == sweeps_.end() ? nullptr : &*found;
}

const StoredSweep* TuningStore::stale(const TuneIdentity& of) const {
  const auto found = std::ranges::find_if(
      sweeps_, [&](const StoredSweep& each) { return each.of.same_question(of) && each.of != of; });
  return found == sweeps_.end() ? nullptr : &*found;
}

void TuningStore::put(StoredSweep sweep) {
  std::erase_if(sweeps_, [&](const StoredSweep& each) { return each.of.same_question(sweep.of); });
  sweeps_.push_back(std::move(sweep));
}

}  // namespace orrery
