#include "scenes/mandelbrot/numbers/view_file.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/toml_text.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"
#include "compute/program/kernel_sources.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/numbers/toml_value.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::int64_t largest_side = 65536;
constexpr FileKind view_kind{"a view", 4 << 20};

class Reader {
 public:
  Reader(const std::string& text, const std::filesystem::path& path, const View& present,
         std::span<Parameter> parameters)
      : path_(path), parameters_(parameters), document_(parse_toml(text, path.string())) {
    result_.view = present;
    result_.view.turn = {};
    result_.view.formula = {};
  }

  ViewFile read() {
    if (document_.empty())
      throw usage_error("there is no view", {}, "expected center, span or another key of a view",
                        path_.string() + ":1:1");
    for (const auto& [key, node] : document_) take(key.str(), node);
    if (document_.contains("x") || document_.contains("y")) place_ranges();
    if (const toml::node* span = document_.get("span")) {
      at_place(place_of(path_, *span), [&] { check(result_.view); });
    }
    return result_;
  }

 private:
  struct Interval {
    Decimal low, high;
    Decimal middle() const { return (low + high) * 0.5; }
    Decimal length() const { return high - low; }
  };

  void take(std::string_view key, const toml::node& node) {
    if (key == "x" || key == "y") return;
    if (key == "center") return take_center(node);
    if (key == "span") {
      result_.view.span = decimal_of(path_, "span", node);
      return;
    }
    at_place(place_of(path_, node), [&] {
      if (key == "size") return take_size(node);
      std::vector<Parameter> further = further_parameters(result_.view);
      Parameter* parameter = find(further, key);
      if (parameter == nullptr) parameter = find(parameters_, key);
      if (parameter == nullptr) throw usage_error("unknown key", std::string(key), {});
      const Value value = value_of(path_, key, node);
      const auto* text = std::get_if<std::string>(&value);
      text != nullptr ? parameter->assign_text(*text) : parameter->assign(value);
    });
  }

  void take_center(const toml::node& node) {
    if (const auto* name = node.as_string()) {
      const Turn turn = result_.view.turn;
      at_place(place_of(path_, node), [&] { result_.view = find_location(name->get()).view; });
      result_.view.turn = turn;
      if (const toml::node* span = document_.get("span")) result_.view.span = decimal_of(path_, "span", *span);
      return;
    }
    const toml::array& pair = pair_of("center", node);
    result_.view.re = decimal_of(path_, "center", pair[0]);
    result_.view.im = decimal_of(path_, "center", pair[1]);
  }

  void take_size(const toml::node& node) {
    if (const auto* text = node.as_string()) {
      result_.size = parse_size(text->get());
      return;
    }
    const toml::array& pair = pair_of("size", node);
    const auto side = [&](std::size_t i) {
      return pair[i].is_integer() ? std::to_string(pair[i].as_integer()->get()) : std::string("?");
    };
    result_.size = parse_size(side(0) + "x" + side(1));
  }

  const toml::array& pair_of(std::string_view key, const toml::node& node) const {
    const toml::array* pair = node.as_array();
    if (pair == nullptr || pair->size() != 2) {
      throw usage_error(std::string(key) + ": expected an array of two values", {}, {}, place_of(path_, node));
    }
    return *pair;
  }

  std::optional<Interval> interval(std::string_view key) const {
    const toml::node* node = document_.get(key);
    if (node == nullptr) return std::nullopt;
    const toml::array& pair = pair_of(key, *node);
    const Interval range{decimal_of(path_, key, pair[0]), decimal_of(path_, key, pair[1])};
    if (!(range.low < range.high)) {
      throw usage_error(std::string(key), "[" + range.low.text() + ", " + range.high.text() + "]",
                        "two numbers, the smaller one first", place_of(path_, *node));
    }
    return range;
  }

  void place_ranges() {
    View& view = result_.view;
    if (!document_.contains("center")) view.re = view.im = Decimal(0.0);
    const std::optional<Interval> x = interval("x"), y = interval("y");
    if (x) {
      view.re = view.re + x->middle();
      view.span = x->length();
    }
    if (!y) return;
    view.im = view.im + y->middle();
    const double height_of_width = ratio(y->length(), view.span);
    if (x) result_.shape = height_of_width;
    if (!result_.size) {
      constexpr double width = 1280;
      result_.size =
          Size{1280, static_cast<std::uint32_t>(std::clamp(std::round(width * height_of_width), 1.0, 65536.0))};
    } else if (std::abs(1.0 * result_.size->height / result_.size->width - height_of_width) > 0.01 * height_of_width) {
      throw usage_error("x, y and size disagree: pixels are square, but y spans " + y->length().text(), {},
                        "change size or y", place_of(path_, *document_.get("y")));
    }
  }

  std::filesystem::path path_;
  std::span<Parameter> parameters_;
  toml::table document_;
  ViewFile result_;
};

ViewFile read_texts(const std::filesystem::path& path, const View& present, std::span<Parameter> parameters) {
  const ImageTexts texts = read_png_texts(path);
  const auto center = texts.find("center"), span = texts.find("span"), size = texts.find("size");
  if (center == texts.end() || span == texts.end())
    throw usage_error("there is no view in " + in_quotes(path.string()), {}, "expected a .png file that Orrery wrote");
  ViewFile file{.view = present};
  at_place(path.string(), [&] {
    file.view = parse_place(center->second + " " + span->second, present, 1).view;
    if (size != texts.end()) file.size = parse_size(size->second);
    file.view.formula = {};
    std::vector<Parameter> further = further_parameters(file.view);
    for (const auto& [name, text] : texts) {
      Parameter* parameter = find(further, name);
      if (parameter == nullptr) parameter = find(parameters, name);
      if (parameter != nullptr) parameter->assign_text(text);
    }
  });
  return file;
}

ViewFile read_place(const std::filesystem::path& path, const std::string& text, const View& present,
                    std::span<Parameter> parameters, double aspect) {
  ViewFile file;
  at_place(path.string(), [&] {
    Place place = parse_place(text, present, aspect);
    file = {.view = place.view, .height = place.height, .notes = std::move(place.notes)};
    Parameter* iterations = find(parameters, "iterations");
    if (iterations != nullptr && place.iterations) iterations->assign(std::int64_t{*place.iterations});
  });
  return file;
}

// ---- Fraktaler 3

bool is_of_fraktaler3(const toml::table& document) {
  return document["program"].value_or(std::string()).starts_with("fraktaler-3");
}

/// Its keys as lines of a place. A missing key has its default (fraktaler-3 3.1, param.cc); `reflect` is Kalles
/// Fraktaler's ImagPointsUp, and the stretch is counted in hundredths of an octave.
std::string fraktaler3_lines(const std::filesystem::path& path, const toml::table& document) {
  std::string power = "2";
  const toml::array* const formulas = document["formula"].as_array();
  for (std::size_t i = 0; formulas != nullptr && i < formulas->size(); ++i) {
    const toml::table* const formula = (*formulas)[i].as_table();
    if (formula == nullptr) continue;
    for (const auto& entry : *formula) {
      const toml::key& key = entry.first;  // a lambda cannot capture a binding in clang 14
      const toml::node& node = entry.second;
      const auto refuse = [&](const char* drawn) {
        throw usage_error("formula." + std::string(key.str()), shortest(node.value_or(1.0)), drawn,
                          place_of(path, node));
      };
      if (key.str() != "power" && node.value_or(false)) refuse("z^d + c, because Orrery draws no other formula");
      if (key.str() == "power" && formulas->size() > 1 && node.value_or(2.0) != 2) refuse("2 for alternating formulas");
      if (key.str() == "power") power = shortest(node.value_or(2.0));
    }
  }
  if (document["transform"]["exponential_map"].value_or(false))
    throw usage_error("transform.exponential_map", "true", "false", path.string());
  const auto text = [&](std::string_view part, std::string_view key, const char* usual) {
    const auto node = document[part][key];
    if (const auto* words = node.as_string()) return words->get();
    return node.is_number() ? shortest(node.value_or(0.0)) : std::string(usual);
  };
  std::string lines = "Re: " + text("location", "real", "0") + "\nIm: " + text("location", "imag", "0") +
                      "\nZoom: " + text("location", "zoom", "1") +
                      "\nIterations: " + text("bailout", "iterations", "1024");
  lines += "\nRotateAngle: " + text("transform", "rotate", "0") +
           "\nStretchAmount: " + shortest(document["transform"]["stretch_amount"].value_or(0.0) / 100) +
           "\nStretchAngle: " + text("transform", "stretch_angle", "0") + "\nPower: " + power;
  return lines + "\nImagPointsUp: " + (document["transform"]["reflect"].value_or(false) ? "1" : "0");
}

std::string as_toml(const ParameterInfo& info, const Value& value) {
  const bool text = std::holds_alternative<std::string>(value) || value_text(info, value) == "auto";
  if (const auto* on = std::get_if<bool>(&value)) return *on ? "true" : "false";
  return text ? "\"" + value_text(info, value) + "\"" : value_text(info, value);
}

}  // namespace

ViewFile read_view(const std::filesystem::path& path, const View& present, std::span<Parameter> parameters,
                   double aspect) {
  if (path.extension() == ".png") return read_texts(path, present, parameters);
  const std::string text = read_file(path, view_kind);
  if (path.extension() != ".toml") return read_place(path, text, present, parameters, aspect);
  if (const toml::table document = parse_toml(text, path.string()); is_of_fraktaler3(document))
    return read_place(path, fraktaler3_lines(path, document), present, parameters, aspect);
  return parse_view(text, path.string(), present, parameters);
}

std::string contents_of(const ViewFile& file) {
  return file.notes.empty() ? std::string() : "A place (" + joined(file.notes, "; ") + ")";
}

ViewFile parse_view(const std::string& text, const std::string& name, const View& present,
                    std::span<Parameter> parameters) {
  return Reader(text, name, present, parameters).read();
}

void write_view(const std::filesystem::path& path, const View& view, std::span<const Parameter> parameters,
                double aspect, std::uint32_t limit) {
  if (path.extension() == ".kfr") return write_file(path, kfr_text(view, aspect, limit));
  std::string text = place_text(view, 0);
  for (const Parameter& parameter : parameters)
    text += std::string(parameter.info().name) + " = " + as_toml(parameter.info(), parameter.value()) + "\n";
  write_file(path, text);
}

StateSection view_section(View view) {
  StateSection section;
  add_values(section, orrery::mandelbrot::parameters(view));
  return section;
}

ImageTexts view_texts(const View& view, Size size, std::span<const Parameter> parameters) {
  ImageTexts texts{{"Software", "Orrery " ORRERY_VERSION},
                   {"center", view.re.text() + " " + view.im.text()},
                   {"span", view.span.text()},
                   {"size", std::to_string(size.width) + "x" + std::to_string(size.height)}};
  for (const auto& [key, value] : told_further(view)) texts[key] = value;
  for (const Parameter& parameter : parameters)
    texts[std::string(parameter.info().name)] = value_text(parameter.info(), parameter.value());
  std::string edited;  // set for a picture by edited kernels
  for (const auto& [file, text] : kernel_sources()->edits()) edited += (edited.empty() ? "" : ", ") + file;
  if (!edited.empty()) texts["modified-kernels"] = edited;
  StateSection section = view_section(view);
  add_values(section, parameters);
  texts.merge(state_texts({{"window", {{std::string(shown_scene_key), "mandelbrot"}}}, {"mandelbrot", section}}));
  return texts;
}

Size parse_size(std::string_view text) {
  const auto fits = [](std::int64_t side) { return side >= 1 && side <= largest_side; };
  if (const auto sides = typed_size("--size", text); sides && std::ranges::all_of(*sides, fits))
    return {static_cast<std::uint32_t>((*sides)[0]), static_cast<std::uint32_t>((*sides)[1])};
  throw usage_error("--size", std::string(text), "WIDTHxHEIGHT, each from 1 to 65536 pixels");
}

}  // namespace orrery::mandelbrot
