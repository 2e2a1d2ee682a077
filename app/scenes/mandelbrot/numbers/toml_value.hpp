/// Shared readers of TOML files of views: numbers of any length, and errors with their place.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/parameter.hpp"

namespace orrery::mandelbrot {

/// "views.toml:3:5"
std::string place_of(const std::filesystem::path& path, const toml::node& node);
/// A number, or a text that holds one.
Decimal decimal_of(const std::filesystem::path& path, std::string_view key, const toml::node& node);
/// Throws a usage Error for arrays, tables and dates.
Value value_of(const std::filesystem::path& path, std::string_view key, const toml::node& node);
/// Runs `use` and adds the place to an Error that it throws.
template <class F>
void at_place(const std::string& place, F&& use) {
  try {
    use();
  } catch (const Error& error) {
    ErrorDetails details = error.details();
    if (details.where.empty()) details.where = place;
    throw Error(error.fault(), std::move(details));
  }
}

}  // namespace orrery::mandelbrot
