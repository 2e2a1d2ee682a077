#include "scenes/nbody/headless/run_state.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/body.hpp"

namespace orrery {
namespace {

constexpr std::string_view first_words = "orrery-run 1 ";
constexpr std::size_t first_line = 32;  // bytes, with its end
constexpr FileKind run_state_kind{"the state of a run", std::uint64_t{1} << 42, false};

template <class T>
T value_in(const StateSection& section, std::string_view key, const std::string& name) {
  const Value* value = value_of(section, key);
  if (value != nullptr) {
    if (const auto* exact = std::get_if<T>(value)) return *exact;
    // A whole number in TOML may be meant as a real.
    if constexpr (std::is_same_v<T, double>)
      if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  }
  throw usage_error(name + " is no state of a run: the key " + std::string(key) + " of [run] is missing or wrong", {},
                    {});
}

std::size_t rows_of(Precision precision) { return precision == Precision::mixed ? 5 : 3; }

std::string_view name_of_precision(Precision precision) {
  return precision == Precision::double_ ? "double" : precision == Precision::mixed ? "mixed" : "single";
}

}  // namespace

std::string header_of(const NbodyRunState& state) {
  const auto whole = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  StateTables tables;
  tables["nbody"] = state.settings;
  tables["run"] = {{"version", std::string(ORRERY_VERSION)},
                   {"bodies", whole(state.bodies)},
                   {"precision", std::string(name_of_precision(state.precision))},
                   {"step", state.clock.step},
                   {"time", state.clock.time},
                   {"hash", whole(state.hash)},
                   {"first-energy", state.first_energy},
                   {"softening", state.exact.softening},
                   {"tree-guard", state.exact.accuracy.guard},
                   {"tree-error", state.exact.accuracy.error},
                   {"tree-depth-error", state.exact.accuracy.depth_error},
                   {"tree-wanted-error", state.exact.wanted_error},
                   {"tree-errors", whole(state.exact.errors.size())}};
  return state_text(tables);
}

NbodyRunState state_with_header(const std::string& header, const std::string& name) {
  constexpr std::int64_t most_errors = 1 << 20;
  StateTables tables = parse_state(header, name);
  const StateSection& run = tables["run"];
  const auto real = [&](std::string_view key) { return value_in<double>(run, key, name); };
  const auto whole = [&](std::string_view key, std::int64_t most) {
    const auto number = value_in<std::int64_t>(run, key, name);
    if (number < 0 || number > most)
      throw usage_error(std::string(key), std::to_string(number), "a whole number from 0 to " + std::to_string(most),
                        name);
    return number;
  };
  NbodyRunState state;
  state.settings = tables["nbody"];
  state.bodies = static_cast<std::size_t>(whole("bodies", static_cast<std::int64_t>(most_in_a_set)));
  const auto precision = value_in<std::string>(run, "precision", name);
  state.precision = precision == "double"  ? Precision::double_
                    : precision == "mixed" ? Precision::mixed
                                           : Precision::single;
  state.clock = {whole("step", std::numeric_limits<std::int64_t>::max()), real("time")};
  state.hash = static_cast<StateHash>(whole("hash", std::numeric_limits<std::uint32_t>::max()));
  state.first_energy = real("first-energy");
  state.exact.softening = real("softening");
  state.exact.accuracy = {real("tree-guard"), real("tree-error"), real("tree-depth-error")};
  state.exact.wanted_error = real("tree-wanted-error");
  state.exact.errors.resize(static_cast<std::size_t>(whole("tree-errors", most_errors)));
  return state;
}

void allocate_rows(NbodyRunState& state) {
  const std::vector<std::byte> row(state.bodies * bytes_of_real4(state.precision));
  state.exact.rows.assign(rows_of(state.precision), row);
}

void write_run_state(std::ostream& out, const NbodyRunState& state) {
  const std::string header = header_of(state);
  std::string line = std::string(first_words) + std::to_string(header.size());
  line.resize(first_line - 1, ' ');
  out << line << '\n' << header;
  for (const std::vector<std::byte>& row : state.exact.rows)
    out.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(row.size()));
  const auto errors = std::as_bytes(std::span(state.exact.errors));
  out.write(reinterpret_cast<const char*>(errors.data()), static_cast<std::streamsize>(errors.size()));
}

void write_run_state(const std::filesystem::path& path, const NbodyRunState& state) {
  write_file(path, [&](std::ostream& out) { write_run_state(out, state); });
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

template <class Input>
NbodyRunState read_from(Input& file, const std::string& name) {
  constexpr std::size_t piece = std::size_t{1} << 20, longest_header = std::size_t{1} << 20;
  const std::string line(file.read(first_line));
  const std::size_t digits = line.find_first_not_of(' ', std::min(first_words.size(), line.size()));
  const auto length = line.starts_with(first_words) && line.size() == first_line && digits != std::string::npos
                          ? parse_integer(line.substr(digits, line.find_first_of(" \n", digits) - digits))
                          : std::nullopt;
  if (!length || *length < 0 || static_cast<std::size_t>(*length) > longest_header)
    throw usage_error("--resume", name, "a file that --state has written");
  NbodyRunState state = state_with_header(std::string(file.read(static_cast<std::size_t>(*length))), name);
  const std::size_t row = state.bodies * bytes_of_real4(state.precision);
  const std::uint64_t whole = first_line + static_cast<std::uint64_t>(*length) + rows_of(state.precision) * row +
                              state.exact.errors.size() * sizeof(float);
  if (file.bytes() != whole)
    throw usage_error(
        name + " is not whole: it has " + std::to_string(file.bytes()) + " bytes of " + std::to_string(whole), {}, {});
  const auto fill = [&](std::span<std::byte> to) {
    while (!to.empty()) {
      const std::string_view bytes = file.read(std::min(piece, to.size()));
      if (bytes.empty()) throw failure("cannot read all of " + name);
      std::ranges::copy(std::as_bytes(std::span(bytes)), to.begin());
      to = to.subspan(bytes.size());
    }
  };
  allocate_rows(state);
  for (std::vector<std::byte>& each : state.exact.rows) fill(each);
  fill(std::as_writable_bytes(std::span(state.exact.errors)));
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
