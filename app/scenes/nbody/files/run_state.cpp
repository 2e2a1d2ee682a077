#include "scenes/nbody/files/run_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <future>
#include <limits>
#include <sstream>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/platform/heap.hpp"
#include "base/platform/threads.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {
namespace {

constexpr std::string_view first_word = "orrery-run ";
constexpr std::int64_t format_of_window = 3, newest_format = 4;
constexpr std::string_view checksum_name = "xxh64";
constexpr std::size_t piece = std::size_t{4} << 20;  // bytes read or written at once: fit in a cache
constexpr FileKind run_state_kind{"the state of a run", std::uint64_t{1} << 42, false};

// Any difference from these lines is an error, because the checksum does not cover them. `checksum`: its digits in
// older formats, else its name.
std::string first_line(std::int64_t format, std::size_t header, const std::string& checksum) {
  constexpr std::size_t length_of_first_format = 32, length = 64;  // bytes, with the end
  std::string line = std::string(first_word) + std::to_string(format) + " " + std::to_string(header);
  if (format > 1) line += " " + checksum;
  line.resize((format > 1 ? length : length_of_first_format) - 1, ' ');
  return line + "\n";
}
std::string last_line(const std::string& checksum) { return std::string(checksum_name) + " " + checksum + "\n"; }

Error no_run_state(const std::string& name, const std::string& reason) {
  return usage_error(name + " is not a state of a run: " + reason, {}, {});
}

template <class T>
T value_in(const StateSection& section, std::string_view key, const std::string& name) {
  const Value* value = value_of(section, key);
  if (value != nullptr) {
    if (const auto* exact = std::get_if<T>(value)) return *exact;
    // A whole number in TOML may be meant as a real.
    if constexpr (std::is_same_v<T, double>)
      if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  }
  throw no_run_state(name, "the key " + std::string(key) + " of [run] is missing or wrong");
}

// Older files may lack these keys; they were written with the defaults.
constexpr std::array<std::string_view, 3> younger_keys{"date", "units", "gravity"};

void require_keys(const StateSection& section, const std::string& table, const StateSection& known,
                  const std::string& name) {
  for (const auto& [key, value] : known)
    if (value_of(section, key) == nullptr && std::ranges::find(younger_keys, key) == younger_keys.end())
      throw no_run_state(name, "the key " + key + " of " + table + " is missing");
  for (const auto& [key, value] : section)
    if (value_of(known, key) == nullptr) throw no_run_state(name, "the key " + key + " of " + table + " is unknown");
}

NbodySettings settings_of(const StateSection& section, const std::string& name) {
  NbodySettings settings;
  std::vector<Parameter> declared = parameters(settings, true);
  StateSection known;
  add_values(known, declared);
  require_keys(section, "[nbody]", known, name);
  try {
    for (const auto& [key, value] : section) find(declared, key)->assign(value);
    check_variant(settings);
  } catch (const Error& error) {
    ErrorDetails details = error.details();
    details.where = name;
    throw Error(error.fault(), std::move(details));
  }
  return settings;
}

// "0.1.0": this version or an earlier one.
bool is_known_version(const std::string& version) {
  const auto numbers = [](std::string_view text) {
    std::vector<std::int64_t> parts;
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min(text.find('.', from), text.size());
      parts.push_back(parse_integer(text.substr(from, end - from)).value_or(-1));
      from = end + 1;
    }
    return parts;
  };
  const std::vector<std::int64_t> parts = numbers(version);
  return std::ranges::min(parts) >= 0 && parts <= numbers(ORRERY_VERSION);
}

std::size_t rows_of(const NbodyRunState& state) {
  return (state.precision == Precision::mixed ? 4 : 2) + (state.of_window ? 0 : 1);
}

std::string_view bytes_of(const auto& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string header_of(const NbodyRunState& state) {
  const auto whole = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  StateSection run{{"version", std::string(ORRERY_VERSION)},
                   {"bodies", whole(state.bodies)},
                   {"precision", std::string(name_of(state.precision))},
                   {"step", state.clock.step},
                   {"time", state.clock.time}};
  if (state.of_window)
    run.insert(run.end(), {{"cohorts", state.clock.edited() ? text_of(*state.clock.cohorts) : std::string()},
                           {"interrupted", state.of_window->interrupted},
                           {"device", state.of_window->device},
                           {"tree-memory", text_of(state.of_window->tree)}});
  else
    run.insert(run.end(), {{"hash", whole(state.hash)},
                           {"first-energy", state.first_energy},
                           {"softening", state.exact.softening},
                           {"tree-guard", state.exact.accuracy.guard},
                           {"tree-error", state.exact.accuracy.error},
                           {"tree-depth-error", state.exact.accuracy.depth_error},
                           {"tree-wanted-error", state.exact.wanted_error},
                           {"tree-errors", whole(state.exact.errors.size())}});
  return state_text({{"nbody", state.settings}, {"run", std::move(run)}});
}

namespace {

// The header has some values twice, which is the only check for damage in version 1. A window may have changed the time
// step during the run.
void check_agreement(const NbodyRunState& state, const NbodySettings& settings, const std::string& name) {
  const double time = static_cast<double>(state.clock.step) * settings.dt;
  constexpr double rounding = 1e-6;  // relative error of sums over many steps
  if (!state.of_window && std::abs(state.clock.time - time) > rounding * std::abs(time))
    throw no_run_state(name, "its time is not that of its steps");
  const bool soft_alike = state.of_window || state.exact.softening == settings.softening;
  if (!soft_alike || state.bodies != static_cast<std::size_t>(settings.bodies) ||
      name_of(state.precision) != settings.precision)
    throw no_run_state(name, "[run] and [nbody] differ in their bodies, softening or precision");
}

// Reads the numbers of [run] and checks their ranges.
class RunTable {
 public:
  RunTable(const StateSection& run, const std::string& name) : run_(run), name_(name) {}
  static constexpr double none = std::numeric_limits<double>::lowest();
  double real(std::string_view key, double least) const {
    const auto number = value_in<double>(run_, key, name_);
    if (!std::isfinite(number) || number < least)
      throw usage_error(std::string(key), shortest(number), least < 0 ? "a finite number" : "a number from 0 on",
                        name_);
    return number;
  }
  std::int64_t whole(std::string_view key, std::int64_t most) const {
    const auto number = value_in<std::int64_t>(run_, key, name_);
    if (number < 0 || number > most)
      throw usage_error(std::string(key), std::to_string(number), "a whole number from 0 to " + std::to_string(most),
                        name_);
    return number;
  }
  template <class T>
  T value(std::string_view key) const {
    return value_in<T>(run_, key, name_);
  }

 private:
  const StateSection& run_;
  const std::string& name_;
};

void read_moment_of_window(const RunTable& run, NbodyRunState& state) {
  if (const auto cohorts = run.value<std::string>("cohorts"); !cohorts.empty())
    state.clock.cohorts = std::make_shared<const Cohorts>(parse_cohorts(cohorts, "cohorts"));
  state.of_window = WindowMoment{.tree = parse_tree_memory(run.value<std::string>("tree-memory"), "tree-memory"),
                                 .device = run.value<std::string>("device"),
                                 .interrupted = run.value<bool>("interrupted")};
}

void read_field(const RunTable& run, NbodyRunState& state) {
  constexpr std::int64_t most_errors = 1 << 20, largest_hash = 99'999'999;
  state.hash = static_cast<StateHash>(run.whole("hash", largest_hash));
  state.first_energy = run.real("first-energy", RunTable::none);
  state.exact.softening = run.real("softening", 0);
  state.exact.accuracy = {run.real("tree-guard", 0), run.real("tree-error", 0), run.real("tree-depth-error", 0)};
  state.exact.wanted_error = run.real("tree-wanted-error", 0);
  state.exact.errors.resize(static_cast<std::size_t>(run.whole("tree-errors", most_errors)));
}

}  // namespace

NbodyRunState state_with_header(const std::string& header, const std::string& name) {
  StateTables tables = parse_state(header, name);
  for (const char* table : {"nbody", "run"})
    if (!tables.contains(table)) throw no_run_state(name, "the table [" + std::string(table) + "] is missing");
  for (const auto& [table, section] : tables)
    if (table != "nbody" && table != "run") throw no_run_state(name, "the table [" + table + "] is unknown");
  NbodyRunState state;
  if (value_of(tables["run"], "interrupted") != nullptr) state.of_window = WindowMoment{};
  require_keys(tables["run"], "[run]", parse_state(header_of(state), name)["run"], name);
  const RunTable run(tables["run"], name);
  if (const auto version = run.value<std::string>("version"); !is_known_version(version))
    throw usage_error("version", version, ORRERY_VERSION " or an older one", name);
  state.settings = tables["nbody"];
  state.bodies = static_cast<std::size_t>(run.whole("bodies", static_cast<std::int64_t>(most_in_a_set)));
  const auto precision = run.value<std::string>("precision");
  for (const Precision each : {Precision::single, Precision::mixed, Precision::double_})
    if (name_of(each) == precision) state.precision = each;
  if (name_of(state.precision) != precision) throw usage_error("precision", precision, "single | mixed | double", name);
  state.clock = {run.whole("step", std::numeric_limits<std::int64_t>::max()), run.real("time", RunTable::none)};
  state.of_window ? read_moment_of_window(run, state) : read_field(run, state);
  const NbodySettings settings = settings_of(state.settings, name);
  check_agreement(state, settings, name);
  state.exact.gravity = gravity_of(settings);
  return state;
}

namespace {

// Four numbers a body, as the device has them.
template <class Real>
std::array<double, 4> quad_of(const std::vector<std::byte>& row, std::size_t body) {
  std::array<Real, 4> values;
  std::memcpy(values.data(), row.data() + body * sizeof values, sizeof values);
  return {double{values[0]}, double{values[1]}, double{values[2]}, double{values[3]}};
}

template <class Real>
Bodies bodies_of_rows(const NbodyRunState& state) {
  const auto& rows = state.exact.rows;
  Bodies bodies(state.bodies);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    std::array<double, 4> x = quad_of<Real>(rows[0], k), v = quad_of<Real>(rows[1], k);
    const double mass = x[3];
    if (state.precision == Precision::mixed) {
      const auto& dx_row = rows[rows.size() - 2];
      const auto& dv_row = rows[rows.size() - 1];
      const std::array<double, 4> dx = quad_of<Real>(dx_row, k), dv = quad_of<Real>(dv_row, k);
      for (std::size_t axis = 0; axis < 3; ++axis) x[axis] += dx[axis], v[axis] += dv[axis];
    }
    bodies[k] = {mass, x[0], x[1], x[2], v[0], v[1], v[2]};
  }
  return bodies;
}

}  // namespace

Bodies bodies_of(const NbodyRunState& state) {
  return state.precision == Precision::double_ ? bodies_of_rows<double>(state) : bodies_of_rows<float>(state);
}

void allocate_rows(NbodyRunState& state) {
  state.exact.rows.resize(rows_of(state));
  const std::size_t bytes = state.bodies * bytes_of_real4(state.precision);
  for (std::vector<std::byte>& row : state.exact.rows) reserve_at_once(row, bytes), row.resize(bytes);
}

namespace {

/// Bytes on their way into a file, and their checksum.
class ProvedOutput {
 public:
  explicit ProvedOutput(std::ostream& out) : out_(out) {}
  void write(std::string_view bytes) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
      const std::string_view next = bytes.substr(0, piece);
      checksum_.add(next);
      out_.write(next.data(), static_cast<std::streamsize>(next.size()));
    }
  }
  std::string checksum() const { return checksum_.text(); }

 private:
  std::ostream& out_;
  Xxh64 checksum_;
};

// Writes each piece while the next one is read.
void copy_rows(const NbodyRunState& state, const RowSource& rows, ProvedOutput& to) {
  const std::size_t bytes = state.bodies * bytes_of_real4(state.precision);
  std::array<std::vector<std::byte>, 2> pieces;
  std::future<void> writing;
  for (std::size_t row = 0; row < rows_of(state); ++row)
    for (std::size_t offset = 0; offset < bytes; offset += piece) {
      std::vector<std::byte>& next = pieces[0];
      next.resize(std::min(piece, bytes - offset));
      rows(row, offset, next);
      if (writing.valid()) writing.get();
      std::swap(pieces[0], pieces[1]);
      writing = std::async(std::launch::async, [&to, &written = pieces[1]] {
        give_signal_stack();
        to.write(bytes_of(written));
      });
    }
  if (writing.valid()) writing.get();
}

}  // namespace

void write_run_state(std::ostream& out, const NbodyRunState& state, const RowSource& rows) {
  const std::string header = header_of(state);
  out << first_line(newest_format, header.size(), std::string(checksum_name));
  ProvedOutput proved(out);
  proved.write(header);
  for (const std::vector<std::byte>& row : state.exact.rows) proved.write(bytes_of(row));
  if (rows) copy_rows(state, rows, proved);
  proved.write(bytes_of(state.exact.errors));
  out << last_line(proved.checksum());
}

void write_run_state(const std::filesystem::path& path, const NbodyRunState& state, const RowSource& rows) {
  write_file(path, [&](std::ostream& out) { write_run_state(out, state, rows); });
}

namespace {

/// Bytes in memory, as InputFile reads them.
class InputBytes {
 public:
  explicit InputBytes(std::string_view bytes) : bytes_(bytes.size()), rest_(bytes) {}
  std::string_view read(std::size_t most) {
    const std::string_view next = rest_.substr(0, most);
    rest_.remove_prefix(next.size());
    return next;
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t bytes_;
  std::string_view rest_;
};

struct FirstLine {
  std::int64_t format = 0;
  std::size_t header = 0, bytes = 0;
  std::string checksum;
};

template <class Input>
FirstLine read_first_line(Input& file, const std::string& name) {
  constexpr std::int64_t longest_header = 1 << 20;
  constexpr std::size_t shortest_line = 32;
  std::string line(file.read(shortest_line));
  const auto word = [&line](std::size_t number) {
    std::istringstream words(line);
    std::string found;
    for (std::size_t k = 0; k <= number; ++k) found.clear(), words >> found;
    return found;
  };
  if (!line.starts_with(first_word)) throw usage_error("--resume", name, "a file written by --state");
  const std::int64_t format = parse_integer(word(1)).value_or(0), header = parse_integer(word(2)).value_or(-1);
  if (format < 1 || format > newest_format)
    throw no_run_state(name,
                       "expected a format from 1 to " + std::to_string(newest_format) + ", got " + in_quotes(word(1)));
  if (format > 1) line += file.read(shortest_line);
  FirstLine first{format, static_cast<std::size_t>(std::max<std::int64_t>(header, 0)), line.size(), word(3)};
  const bool is_named = format < newest_format || first.checksum == checksum_name;
  if (header < 0 || header > longest_header || !is_named || line != first_line(format, first.header, first.checksum))
    throw no_run_state(name, "its first line is damaged");
  return first;
}

/// The rest of a file of some format, and its checksum.
template <class Input>
class ProvedInput {
 public:
  ProvedInput(Input& file, const std::string& name, FirstLine first)
      : file_(file), name_(name), first_(std::move(first)), header_(file.read(first_.header)) {
    add(header_);
  }

  const std::string& header() const { return header_; }
  bool has_last_line() const { return first_.format >= newest_format; }
  /// Throws if the file's length is not that of the lines, the header and `others` bytes.
  void require(std::uint64_t others) const {
    const std::uint64_t whole = first_.bytes + std::uint64_t{first_.header} + others +
                                (has_last_line() ? last_line(checksum_.text()).size() : 0);
    if (file_.bytes() == whole) return;
    throw usage_error(name_ + " has the wrong size: expected " + std::to_string(whole) + " bytes, got " +
                          std::to_string(file_.bytes()),
                      {}, {});
  }
  void fill(std::span<std::byte> to) {
    while (!to.empty()) {
      const std::string_view bytes = file_.read(std::min(piece, to.size()));
      if (bytes.empty()) throw failure("cannot read all of " + name_);
      add(bytes);
      std::ranges::copy(std::as_bytes(std::span(bytes)), to.begin());
      to = to.subspan(bytes.size());
    }
  }
  /// False for version 1. Throws if the checksum differs.
  bool is_proved() {
    if (first_.format == 1) return false;
    const std::string found = has_last_line() ? checksum_.text() : old_checksum_.text();
    const std::string told = has_last_line() ? last_line(found) : found;
    const std::string line(has_last_line() ? file_.read(told.size()) : std::string_view(first_.checksum));
    if (line != told)
      throw failure(name_ + " is damaged: its checksum is " + found + ", but its " +
                    (has_last_line() ? "last" : "first") + " line says " + in_quotes(std::string(trimmed(line))));
    return true;
  }

 private:
  void add(std::string_view bytes) { has_last_line() ? checksum_.add(bytes) : old_checksum_.add(bytes); }

  Input& file_;
  const std::string& name_;
  FirstLine first_;
  std::string header_;
  Xxh64 checksum_;
  Fnv1a old_checksum_;
};

template <class Input>
NbodyRunState read_from(Input& file, const std::string& name) {
  const FirstLine first = read_first_line(file, name);
  ProvedInput input(file, name, first);
  NbodyRunState state = state_with_header(input.header(), name);
  const std::size_t row = state.bodies * bytes_of_real4(state.precision);
  input.require(rows_of(state) * row + state.exact.errors.size() * sizeof(float));
  allocate_rows(state);
  for (std::vector<std::byte>& each : state.exact.rows) input.fill(each);
  input.fill(std::as_writable_bytes(std::span(state.exact.errors)));
  if (!input.has_last_line() && state.of_window.has_value() != (first.format == format_of_window))
    throw no_run_state(name, "its format does not match its content");
  state.is_proved = input.is_proved();
  return state;
}

}  // namespace
NbodyRunState read_run_state(const std::filesystem::path& path) {
  InputFile file(path, run_state_kind);
  return read_from(file, path.string());
}

NbodyRunState parse_run_state(std::string_view bytes, const std::string& name) {
  InputBytes input(bytes);
  return read_from(input, name);
}

}  // namespace orrery
