/// A TOML table that is read key by key: what is of the wrong type, and what nobody asks for, is an error that says
/// where.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenes/particles/world/world.hpp"
#include "scenes/particles/world/world_limits.hpp"

namespace orrery::particles {

/// Borrows table and path. All throw a usage Error with file, line and column.
class TomlTable {
 public:
  TomlTable(const toml::table& table, const std::filesystem::path& path) : table_(table), path_(path) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* get(std::string_view key);
  double number(std::string_view key, double otherwise);
  double number(std::string_view key);  ///< must be there
  /// Three numbers of 0 or more, or one for all.
  std::optional<Vector> sizes(std::string_view key);
  /// Of a range that has no upper end: from `least` on, or above it.
  double number_from(std::string_view key, double otherwise, double least);
  double number_above(std::string_view key, double otherwise, double limit);
  std::int64_t integer(std::string_view key, std::int64_t otherwise);
  bool flag(std::string_view key, bool otherwise);
  std::string text(std::string_view key, const std::string& otherwise);
  std::string text(std::string_view key);
  /// A text for people, on one line.
  std::string title(std::string_view key, const std::string& otherwise, std::size_t longest = longest_title);
  /// A text that is a name; see name_fault().
  std::string name(std::string_view key);
  /// Throws where the key itself, which stands for a name, cannot be one. `who` tells what it names: "a column".
  void check_key(const std::string& key, const std::string& who) const;
  /// Three numbers, or one for all.
  std::optional<Vector> vector(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  /// Of numbers, each row as long as `width`.
  std::vector<std::vector<double>> rows(std::string_view key, std::size_t width);
  std::vector<double> numbers(std::string_view key);
  std::vector<TomlTable> tables(std::string_view key);
  std::optional<TomlTable> table(std::string_view key);
  /// Keys that nobody has asked for, in the order of the file.
  std::vector<std::string> rest() const;
  /// Throws when there are any.
  void finish() const;

  std::string place() const;
  std::string place(std::string_view key) const;
  [[noreturn]] void refuse(std::string_view key, const std::string& what, const std::string& value,
                           const std::string& allowed) const;
  /// A particle's number, of so many particles; `who` names it at `key`: "a bond".
  std::uint32_t particle(std::string_view key, const std::string& who, double number, std::size_t particles) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  double number_of(std::string_view key, const toml::node& node) const;
  [[noreturn]] void missing(std::string_view key, const char* kind) const;

  const toml::table& table_;
  const std::filesystem::path& path_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace orrery::particles
