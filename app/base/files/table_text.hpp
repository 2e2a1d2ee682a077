/// Tables in texts that other programs and people write: .csv, .tsv, columns between blanks.
///
/// The text is UTF-8, or UTF-16 with a byte order mark. Separators are commas, semicolons, tabs, "|" or blanks; cells
/// may have double quotes. Blank lines and comments, which begin with #, % or //, are skipped; the names of the columns
/// are in the first line, or in the last comment before the numbers. Numbers have a decimal point or a decimal comma,
/// the same in the whole file: an ambiguous number waits until another number decides, or is refused with both
/// meanings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace orrery {

/// A place in a text, for messages: "stars.csv:3:5".
struct TextPlace {
  std::string_view file;
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // in characters, from 1

  std::string text() const;
};

/// How the cells of a column are read.
struct TableColumn {
  enum class Cells { ignored, words, numbers, numbers_from_0 };
  std::string name;  ///< name in messages
  Cells cells = Cells::ignored;
};

/// Takes the rows of a table as they are read.
class TableRows {
 public:
  virtual ~TableRows() = default;
  /// The requirement in messages: "columns named x, y, z".
  virtual std::string expected() const = 0;
  /// The number of known names; a line without any is no header.
  virtual std::size_t known(std::span<const std::string> names) const = 0;
  /// The names of that many columns without a header; none: unknown.
  virtual std::vector<std::string> usual_names(std::size_t columns) const = 0;
  /// Called once, before the rows. Throws a usage Error for a table that cannot be taken.
  virtual std::vector<TableColumn> begin(std::span<const std::string> names, bool has_header,
                                         const TextPlace& header) = 0;
  /// Takes a number and a word for each column; 0 and "" if missing.
  virtual void row(std::span<const double> numbers, std::span<const std::string_view> words,
                   const TextPlace& place) = 0;
  /// Replaces an ambiguous number of an earlier row.
  virtual void amend(std::size_t row, std::size_t column, double number) = 0;
};

/// Reads a table whose bytes come in arbitrary pieces. One thread at a time. All throw usage Errors with file, line and
/// column.
class TableText {
 public:
  /// `name` stands for the text in messages, `line` is its first line; both arguments outlive this.
  TableText(std::string_view name, TableRows& rows, std::size_t line = 1) : place_{name, line}, rows_(rows) {}

  void add(std::string_view bytes);
  /// Call once, after the last piece.
  void finish();

  bool has_begun() const { return !columns_.empty(); }
  std::size_t rows() const { return row_; }
  /// "decimal comma, grouped digits": unusual notation of the numbers; empty: none.
  std::string understood() const;

 private:
  struct Cell {
    std::string_view text;
    std::size_t begin = 0;  // place in the line
    bool is_quoted = false;
  };
  struct Comment {
    std::string text;
    std::size_t line = 0;
  };
  /// A number whose digits may be grouped.
  struct Late {
    std::size_t row = 0, column = 0;
    TextPlace place;
    std::string text;
  };

  static std::optional<std::size_t> split(std::string_view line, char separator, std::vector<Cell>& cells);
  std::vector<std::string> names_in(std::string_view line, char separator) const;

  std::string_view decoded(std::string_view bytes);
  void decode_utf16(std::string_view bytes);
  void add_lines(std::string_view lines);
  void add_line(std::string_view line);
  void begin(std::string_view line);
  bool begin_with_names(std::string_view line, std::size_t number, std::size_t columns);
  bool begin_with_numbers(std::string_view line);
  void begin(const std::vector<std::string>& names, bool has_header, std::size_t line);
  bool take_plain_numbers(std::string_view line);
  void add_row(std::string_view line);
  double number_of(const Cell& cell, std::size_t column, std::string_view line);
  void settle_late();
  void take_decimal(char decimal, const Cell& cell, std::size_t column, std::string_view line);
  bool is_allowed(double value, std::size_t column) const;
  Error bad_number(std::size_t column, std::string_view text, const TextPlace& place) const;
  TextPlace place_of(std::string_view line, std::size_t at) const;

  enum class Encoding { unknown, utf8, utf16_little, utf16_big };
  Encoding encoding_ = Encoding::unknown;
  std::string undecoded_, decoded_;  // an incomplete character; the last piece
  bool after_return_ = false;        // the last character was \r, and a \n after it belongs to it
  std::string rest_;                 // an incomplete last line

  TextPlace place_;
  TableRows& rows_;
  std::string separators_ = ";\t,| ";  // candidates; a first line like sep=; leaves one
  std::optional<Comment> comment_;
  char separator_ = ',';
  std::vector<TableColumn> columns_;
  std::vector<Cell> cells_;
  std::vector<double> numbers_;
  std::vector<std::string_view> words_;
  std::size_t row_ = 0;

  char decimal_ = 0;             // proved by a number; 0: not yet
  std::string decimal_example_;  // that number, and its line
  bool has_groups_ = false;      // a number has proved that the other mark separates groups
  std::vector<Late> late_;
};

}  // namespace orrery
