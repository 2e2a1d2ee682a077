#include "scenes/mandelbrot/numbers/toml_value.hpp"

#include "base/files/toml_text.hpp"
#include "base/text.hpp"

namespace orrery::mandelbrot {

std::string place_of(const std::filesystem::path& path, const toml::node& node) {
  return orrery::place_of(path.string(), node.source());
}

Decimal decimal_of(const std::filesystem::path& path, std::string_view key, const toml::node& node) {
  Decimal number;
  at_place(place_of(path, node), [&] {
    if (const auto* text = node.as_string()) {
      number = Decimal::parse(text->get(), key);
    } else if (const auto* real = node.as_floating_point()) {
      number = Decimal::parse(shortest(real->get()), key);  // refuses nan and inf
    } else if (const auto* whole = node.as_integer()) {
      number = Decimal::parse(std::to_string(whole->get()), key);
    } else {
      throw usage_error(std::string(key) + ": expected a number, or a number in quotes", {}, {});
    }
  });
  return number;
}

Value value_of(const std::filesystem::path& path, std::string_view key, const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  throw usage_error(std::string(key) + ": expected a boolean, a number or a text", {}, {}, place_of(path, node));
}

}  // namespace orrery::mandelbrot
