/// A TOML table that is read key by key: a value of the wrong type, and a key that is never asked for, are errors with
/// a place.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// The value as text, shortened.
std::string shown(const toml::node& node);

/// Borrows table and path. All functions throw a usage Error with file, line and column.
class TomlTable {
 public:
  TomlTable(const toml::table& table, const std::filesystem::path& path) : table_(table), path_(path) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* get(std::string_view key);
  double number(std::string_view key, double otherwise);
  double number(std::string_view key);  ///< must be there
  /// Three numbers of 0 or more, or one for all three.
  std::optional<Vector> sizes(std::string_view key);
  /// A number without an upper limit: from `least` on, or above `limit`.
  double number_from(std::string_view key, double otherwise, double least);
  double number_above(std::string_view key, double otherwise, double limit);
  std::int64_t integer(std::string_view key, std::int64_t otherwise);
  bool flag(std::string_view key, bool otherwise);
  std::string text(std::string_view key, const std::string& otherwise);
  std::string text(std::string_view key);
  /// A text to be shown, on one line.
  std::string title(std::string_view key, const std::string& otherwise, std::size_t longest = longest_title);
  /// A text that is a name; see name_fault().
  std::string name(std::string_view key);
  /// Throws if the key, which serves as a name, is not a valid name. `who` is the named thing: "a column".
  void check_key(const std::string& key, const std::string& who) const;
  /// Three numbers, or one for all three.
  std::optional<Vector> vector(std::string_view key);
  /// "#rrggbb"
  std::optional<Color> color(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  /// Rows of numbers, each as long as `width`.
  std::vector<std::vector<double>> rows(std::string_view key, std::size_t width);
  std::vector<double> numbers(std::string_view key);
  std::vector<TomlTable> tables(std::string_view key);
  std::optional<TomlTable> table(std::string_view key);
  /// Keys that were not asked for, in the order of the file.
  std::vector<std::string> rest() const;
  /// Throws if there are any.
  void finish() const;

  std::string place() const;
  std::string place(std::string_view key) const;
  [[noreturn]] void refuse(std::string_view key, const std::string& what, const std::string& value,
                           const std::string& expected) const;
  /// The index of a particle below `particles`; `who` is the owner at `key`: "a bond".
  std::uint32_t particle(std::string_view key, const std::string& who, double number, std::size_t particles) const;
  const std::filesystem::path& path() const { return path_; }
  /// Runs `use`; an Error of it that has no place gets that of the key.
  template <class F>
  void at(std::string_view key, F&& use) const {
    try {
      use();
    } catch (const Error& error) {
      ErrorDetails details = error.details();
      if (details.where.empty()) details.where = place(key);
      throw Error(error.fault(), std::move(details));
    }
  }

 private:
  double number_of(std::string_view key, const toml::node& node) const;
  [[noreturn]] void missing(std::string_view key, const char* kind) const;

  const toml::table& table_;
  const std::filesystem::path& path_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace orrery::particles
