#include "fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "base/error.hpp"
#include "base/files/gradient.hpp"
#include "base/files/image.hpp"
#include "base/files/state_text.hpp"
#include "base/files/toml_text.hpp"
#include "base/printable.hpp"
#include "compute/measure/ceilings_store.hpp"
#include "compute/program/build_log.hpp"
#include "compute/tuning/tuned.hpp"
#include "compute/tuning/tuning_store.hpp"
#include "compute/tuning/variant_text.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/files/run_state.hpp"
#include "scenes/nbody/model/settings.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/laws/laws.hpp"

namespace orrery::fuzz {
namespace {

enum class Says { place, nothing };

void require(bool kept, const std::string& promise) {
  if (!kept) throw std::logic_error(promise);
}

bool is_place(const std::string& where) {
  const auto digit = [&](std::size_t at) { return at < where.size() && where[at] >= '0' && where[at] <= '9'; };
  if (where.starts_with("line ")) return digit(5) && where.find(", column ") != std::string::npos;
  const std::size_t colon = where.find(':');
  const std::size_t second = where.find(':', colon == std::string::npos ? colon : colon + 1);
  return colon != std::string::npos && second != std::string::npos && digit(colon + 1) && digit(second + 1);
}

/// Returns the reader's value, or nothing if it refuses the bytes with a proper Error.
template <class Read>
auto read(Says says, Read&& reader) -> std::optional<decltype(reader())> {
  try {
    return reader();
  } catch (const Error& error) {
    require(*error.what() != '\0', "an error says something");
    require(says == Says::nothing || is_place(error.details().where), std::string("line and column: ") + error.what());
  }
  return std::nullopt;
}

void state(std::string_view bytes) {
  const auto state = read(Says::place, [&] { return parse_state(std::string(bytes), "fuzz.toml"); });
  if (!state) return;
  const std::string text = state_text(*state);
  require(state_text(parse_state(text, "again.toml")) == text, "a state that was written is read again");
}

// Assigns the keys of a session one by one, as scenes do.
void session(std::string_view bytes) {
  const auto state = read(Says::place, [&] { return parse_state(std::string(bytes), "fuzz.toml"); });
  if (!state) return;
  NbodySettings nbody;
  MandelbrotSettings mandelbrot;
  mandelbrot::ColorSettings colors;
  std::vector<Parameter> known = parameters(nbody, true);
  for (auto more : {parameters(mandelbrot), parameters(colors)}) std::ranges::move(more, std::back_inserter(known));
  for (const auto& [name, section] : *state)
    for (const auto& entry : section) {
      const std::string& key = entry.first;  // clang 14 lets no lambda have the names of a binding
      const Value& value = entry.second;
      if (Parameter* parameter = find(known, key))
        read(Says::nothing,
             [&] { return parameter->assign(value), value_text(parameter->info(), parameter->value()); });
      const auto* text = std::get_if<std::string>(&value);
      if (text != nullptr && key == "bodies-csv")
        read(Says::place, [&] { return parse_bodies_csv(*text, "bodies.csv"); });
      if (text != nullptr && key == "center-re") read(Says::nothing, [&] { return Decimal::parse(*text, key); });
    }
}

void view(std::string_view bytes) {
  MandelbrotSettings settings;
  mandelbrot::ColorSettings colors;
  std::vector<Parameter> known = parameters(settings);
  std::ranges::move(parameters(colors), std::back_inserter(known));
  read(Says::place, [&] { return mandelbrot::parse_view(std::string(bytes), "fuzz.toml", {}, known); });
}

void place(std::string_view bytes) {
  const auto found = read(Says::nothing, [&] { return mandelbrot::parse_place(bytes, {}, 16.0 / 9); });
  if (!found) return;
  const std::string text = mandelbrot::place_text(found->view, 0);
  const auto again = mandelbrot::parse_place(text, {}, 1);
  require(mandelbrot::place_text(again.view, 0) == text, "a place that was written is read again");
}

std::size_t depth_of(const toml::node& node) {
  std::size_t deepest = 0;
  if (const auto* table = node.as_table())
    for (const auto& [key, value] : *table) deepest = std::max(deepest, depth_of(value));
  if (const auto* array = node.as_array())
    for (const toml::node& value : *array) deepest = std::max(deepest, depth_of(value));
  return deepest + (node.is_table() || node.is_array() ? 1 : 0);
}

// The depth limit against toml++, which reads the fuzzer's short texts at any depth. An array of tables is one level
// of the text and two of the document.
void toml_depth(std::string_view bytes) {
  const auto document = read(Says::place, [&] { return parse_toml(bytes, "fuzz.toml"); });
  std::size_t depth = 0;
  try {
    depth = depth_of(toml::parse(bytes));
  } catch (const toml::parse_error&) {
    return require(!document, "what is no TOML is refused");
  }
  if (document)
    require(depth <= 2 * most_toml_depth + 1, "what is too deep is refused");
  else
    require(depth > most_toml_depth, "what is not too deep is read");
}

void png(std::string_view bytes) {
  const auto texts = read(Says::nothing, [&] { return parse_png_notes(bytes, "fuzz.png").texts; });
  // A picture's state is described or refused.
  const auto notes = read(Says::nothing, [&] {
    return parse_png_notes(bytes, "fuzz.png", {.keyword = state_keyword, .attachment = most_attachment});
  });
  if (notes && notes->texts.contains(state_keyword)) state(notes->texts.at(state_keyword));
  if (!texts) return;
  require(texts->size() <= 64, "texts are few");
  for (const auto& [keyword, text] : *texts) require(keyword.size() < 80 && text.size() <= 1 << 20, "a text is short");
}

void message(std::string_view bytes) {
  const std::string shown = printable(bytes);
  require(printable(shown, 10 * most_shown) == shown, "what is shown is printable");
  const Error error = usage_error(std::string(bytes), std::string(bytes), std::string(bytes), std::string(bytes));
  require(std::string_view(error.what()).find_first_of("\n\r\x1b\x07") == std::string_view::npos,
          "an error is one line");
}

void palette(std::string_view bytes) {
  read(Says::place, [&] { return parse_palette(std::string(bytes), "fuzz.toml"); });
}

void laws(std::string_view bytes) {
  read(Says::place, [&] { return particles::parse_laws(std::string(bytes), "fuzz.toml").pairs; });
}

void bodies_csv(std::string_view bytes) {
  const auto bodies = read(Says::place, [&] { return parse_bodies_csv(bytes, "fuzz.csv"); });
  if (!bodies) return;
  const std::string text = orrery::bodies_csv(*bodies);
  require(orrery::bodies_csv(parse_bodies_csv(text, "again.csv")) == text, "bodies that were written are read again");
}

void bodies_npy(std::string_view bytes) {
  read(Says::nothing, [&] { return parse_bodies(bytes, "fuzz.npy"); });
}

void bodies_npz(std::string_view bytes) {
  read(Says::nothing, [&] { return parse_bodies(bytes, "fuzz.npz"); });
}

void bodies_tipsy(std::string_view bytes) {
  read(Says::nothing, [&] { return parse_bodies(bytes, "fuzz.tipsy"); });
}

void bodies_xyz(std::string_view bytes) {
  read(Says::nothing, [&] { return parse_bodies(bytes, "fuzz.xyz"); });
}

void bodies_ply(std::string_view bytes) {
  read(Says::nothing, [&] { return parse_bodies(bytes, "fuzz.ply"); });
}

void bodies_gsd(std::string_view bytes) {
  read(Says::nothing, [&] { return parse_bodies(bytes, "fuzz.gsd"); });
}

void bodies_vtp(std::string_view bytes) {
  read(Says::nothing, [&] { return parse_bodies(bytes, "fuzz.vtp"); });
}

void run_state(std::string_view bytes) {
  const auto state = read(Says::nothing, [&] { return parse_run_state(bytes, "fuzz.state"); });
  if (!state) return;
  std::ostringstream written, again;
  write_run_state(written, *state);
  write_run_state(again, parse_run_state(written.view(), "again.state"));
  require(written.view() == again.view(), "a run's state that was written is read again");
  std::string damaged = written.str();
  char& one = damaged[bytes.size() * bytes.size() % damaged.size()];
  one = static_cast<char>(one ^ 1);
  require(!read(Says::nothing, [&] { return parse_run_state(damaged, "damaged.state"); }),
          "a run's state with a bit changed is refused");
}

void sweeps(std::string_view bytes) {
  const auto sweeps = read(Says::place, [&] { return parse_sweeps(std::string(bytes)); });
  if (!sweeps) return;
  const std::string text = sweeps_text(*sweeps);
  require(sweeps_text(parse_sweeps(text)) == text, "sweeps that were written are read again");
}

void ceilings(std::string_view bytes) {
  DeviceInfo device;
  device.platform = "p", device.name = "n", device.driver = "d";
  read(Says::place, [&] { return parse_ceilings(std::string(bytes), device).has_value(); });
}

void shipped_choices(std::string_view bytes) {
  read(Says::place, [&] { return parse_shipped_choices(std::string(bytes), "fuzz.toml"); });
}

void variants(std::string_view bytes) {
  const auto chosen = read(Says::nothing, [&] { return parse_variants(bytes); });
  if (!chosen) return;
  require(parse_variants(text_of(*chosen)) == *chosen, "variants that were written are read again");
}

void build_log(std::string_view bytes) {
  for (const CompilerMessage& message : parse_build_log(bytes, "a.cl", {"a.cl", "b.clh"}))
    require(message.line >= 0 && message.column >= 0, "a line is a number of one");
}

std::size_t times(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// Small worlds only: a file may ask for millions of particles, which are placed while it is read; the default of a
// fill is a thousand. Errors of a world as a whole have no line.
void world(std::string_view bytes) {
  if (times(bytes, "shape") > times(bytes, "count =") + times(bytes, "across =") + times(bytes, "\"list\"")) return;
  int digits = 0;
  for (const char letter : bytes) {
    const bool is_digit = letter >= '0' && letter <= '9';
    digits = is_digit || letter == '_' ? digits + 1 : letter == '.' ? -100 : 0;
    if (digits > 1) return;
  }
  const auto world = read(Says::nothing, [&] { return particles::parse_world(std::string(bytes), "fuzz.toml"); });
  if (!world) return;
  const std::string text = particles::world_text(*world);
  require(particles::world_text(particles::parse_world(text, "again.toml")) == text,
          "a world that was written is read again");
}

constexpr std::array all{Target{"state", state},
                         Target{"session", session},
                         Target{"view", view},
                         Target{"place", place},
                         Target{"toml", toml_depth},
                         Target{"png", png},
                         Target{"message", message},
                         Target{"palette", palette},
                         Target{"laws", laws},
                         Target{"bodies_csv", bodies_csv},
                         Target{"bodies_npy", bodies_npy},
                         Target{"bodies_tipsy", bodies_tipsy},
                         Target{"bodies_npz", bodies_npz},
                         Target{"bodies_xyz", bodies_xyz},
                         Target{"bodies_ply", bodies_ply},
                         Target{"bodies_gsd", bodies_gsd},
                         Target{"bodies_vtp", bodies_vtp},
                         Target{"sweeps", sweeps},
                         Target{"ceilings", ceilings},
                         Target{"shipped_choices", shipped_choices},
                         Target{"variants", variants},
                         Target{"build_log", build_log},
                         Target{"world", world},
                         Target{"law", written_law},
                         Target{"run_state", run_state}};

}  // namespace

std::span<const Target> targets() { return all; }

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Target::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace orrery::fuzz
