#include "compute/tuning/tuning_store.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/kept_file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"

namespace orrery {
namespace fs = std::filesystem;

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

fs::path TuningStore::default_path() {
  const fs::path folder = state_folder();
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

namespace {

constexpr std::int64_t format = 1;

// ---- reading: any deviation is an error with its line

Error broken(const toml::node& node, const std::string& what) {
  return usage_error(what, {}, {}, place_of({}, node.source()));
}

template <class T>
T get(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) throw broken(table, "the key " + std::string(key) + " is missing");
  // Real numbers are refused here: toml++ 3.3 would convert them, even out of range.
  const bool right = !std::is_same_v<T, std::int64_t> || node->is_integer();
  if (const auto value = right ? node->value<T>() : std::nullopt) return *value;
  throw broken(*node, std::string(key) + " has the wrong type");
}

const toml::array& array_of(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr || !node->is_array())
    throw broken(node != nullptr ? *node : table, "the list " + std::string(key) + " is missing");
  return *node->as_array();
}

const toml::table& as_table(const toml::node& node) {
  if (!node.is_table()) throw broken(node, "expected a table");
  return *node.as_table();
}

NamedTuneValues values_of(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) throw broken(table, "the key " + std::string(key) + " is missing");
  NamedTuneValues values;
  for (const auto& [axis, value] : as_table(*node)) {
    const auto text = value.value<std::string>();
    if (!text) throw broken(value, "expected a text in quotes");
    if (!is_bare_key(axis.str())) throw broken(value, "expected the name of an axis");
    values[std::string(axis.str())] = *text;
  }
  return values;
}

StoredCandidate candidate_of(const toml::table& table) {
  StoredCandidate candidate{.values = values_of(table, "values")};
  const auto state = tune_state(get<std::string>(table, "state"));
  if (!state) throw broken(table, "unknown state");
  candidate.state = *state;
  candidate.reason = table["reason"].value_or(std::string());
  candidate.keeps_bits = get<bool>(table, "keeps_bits");
  for (const toml::node& seconds : array_of(table, "seconds")) {
    const auto value = seconds.value<double>();
    if (!value || !(*value > 0) || *value > 1e6) throw broken(seconds, "expected a time in seconds");
    candidate.seconds.push_back(*value);
  }
  return candidate;
}

StoredSweep sweep_of(const toml::table& table) {
  StoredSweep sweep;
  sweep.of = {get<std::string>(table, "platform"), get<std::string>(table, "device"),
              get<std::string>(table, "driver"),   get<std::string>(table, "kernel"),
              get<std::string>(table, "problem"),  get<std::string>(table, "source")};
  for (const toml::node& file : array_of(table, "files")) {
    const auto name = file.value<std::string>();
    // Accepts only names of files in the kernel folder.
    if (!name || fs::path(*name).filename() != *name) throw broken(file, "expected the name of a kernel file");
    sweep.files.push_back(*name);
  }
  sweep.measured = get<std::string>(table, "measured");
  sweep.complete = get<bool>(table, "complete");
  sweep.host_times = get<bool>(table, "host_times");
  sweep.work = get<double>(table, "work");
  sweep.standard = values_of(table, "default");
  sweep.best = values_of(table, "best");
  sweep.choice = values_of(table, "auto");
  for (const toml::node& each : array_of(table, "candidate")) sweep.candidates.push_back(candidate_of(as_table(each)));
  return sweep;
}

}  // namespace

std::vector<StoredSweep> parse_sweeps(const std::string& text) {
  const toml::table document = parse_toml(text, {});
  if (get<std::int64_t>(document, "format") != format) throw broken(document, "the file has another format version");
  std::vector<StoredSweep> sweeps;
  for (const toml::node& each : array_of(document, "sweep")) sweeps.push_back(sweep_of(as_table(each)));
  return sweeps;
}

namespace {

// ---- writing

toml::table as_toml(const NamedTuneValues& values) {
  toml::table table;
  for (const auto& [axis, value] : values) table.insert_or_assign(axis, value);
  table.is_inline(true);
  return table;
}

toml::table as_toml(const StoredCandidate& candidate) {
  toml::array seconds;
  for (const double value : candidate.seconds) seconds.push_back(value);
  toml::table table{{"values", as_toml(candidate.values)},
                    {"state", name_of(candidate.state)},
                    {"keeps_bits", candidate.keeps_bits},
                    {"seconds", std::move(seconds)}};
  if (!candidate.reason.empty()) table.insert_or_assign("reason", candidate.reason);
  return table;
}

toml::table as_toml(const StoredSweep& sweep) {
  toml::array candidates, files;
  for (const StoredCandidate& candidate : sweep.candidates) candidates.push_back(as_toml(candidate));
  for (const std::string& file : sweep.files) files.push_back(file);
  return toml::table{{"platform", sweep.of.platform},
                     {"device", sweep.of.device},
                     {"driver", sweep.of.driver},
                     {"kernel", sweep.of.kernel},
                     {"problem", sweep.of.problem},
                     {"source", sweep.of.source},
                     {"files", std::move(files)},
                     {"measured", sweep.measured},
                     {"complete", sweep.complete},
                     {"host_times", sweep.host_times},
                     {"work", sweep.work},
                     {"default", as_toml(sweep.standard)},
                     {"best", as_toml(sweep.best)},
                     {"auto", as_toml(sweep.choice)},
                     {"candidate", std::move(candidates)}};
}

}  // namespace

TuningStore TuningStore::load(const fs::path& path, std::vector<std::string>& messages) {
  TuningStore store;
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return store;
  try {
    store.sweeps_ = parse_sweeps(read_file(path, {"measured sweeps", 64 << 20}));
  } catch (const Error& fault) {
    messages.push_back(path.string() + " cannot be used: " + fault.what() + "; " + set_aside(path));
  }
  return store;
}

void TuningStore::save(const fs::path& path) const { write_file(path, sweeps_text(sweeps_)); }

std::string sweeps_text(std::span<const StoredSweep> stored) {
  toml::array sweeps;
  for (const StoredSweep& sweep : stored) sweeps.push_back(as_toml(sweep));
  return "# Results of orrery tune; \"auto\" uses them while device, driver and kernel are the same.\n" +
         toml_text(toml::table{{"format", format}, {"sweep", std::move(sweeps)}}) + "\n";
}

}  // namespace orrery
