/// The manual: the pages of assets/manual, and the part of Markdown that they are written in. Plain values; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Headings, paragraphs, lists, tables and blocks of code; in a line **strong** and *slanted* words, `code` and links.
/// Images and comments are left out.
namespace orrery::markdown {

struct Word {
  enum class Style { plain, strong, slanted, code };
  std::string text;
  Style style = Style::plain;
  std::string link = {};  ///< its target; empty for none
  bool glued = false;     ///< there is no space before it
};
using Line = std::vector<Word>;

struct Block {
  enum class Kind { heading, paragraph, item, table, code };
  Kind kind = Kind::paragraph;
  int level = 0;                             ///< of a heading: 1 for the title of the page
  Line line = {};                            ///< of a heading, a paragraph or an item of a list
  std::string code = {};                     ///< lines of a block of code, each with its end
  std::vector<std::vector<Line>> rows = {};  ///< of a table; the first one has the titles of the columns
};
using Page = std::vector<Block>;

Page parse(std::string_view text);

std::string text_of(const Line& line);
/// All text of a block, without its layout.
std::string text_of(const Block& block);
/// By which links find a heading: "Files and signals" is "files-and-signals".
std::string anchor_of(std::string_view heading);

/// A word, or a part of one that is longer than a row.
struct Placed {
  const Word* word;
  std::string_view text;
  float x;
  int row;
};
/// Breaks a line into rows of a width. `measure` tells the width of a text in the style of a word.
std::vector<Placed> in_rows(const Line& line, float width, float space,
                            const std::function<float(const Word&, std::string_view)>& measure);

/// Between the columns of a table, in characters.
inline constexpr std::size_t column_gap = 2;
/// The columns of a table, in characters: as wide as their text where all fit into `width`, else the widest are
/// narrower.
std::vector<std::size_t> column_widths(const Block& table, std::size_t width);

/// Lays a page out for a terminal; lines of code stay as long as they are.
std::string plain_text(const Page& page, std::size_t width);

}  // namespace orrery::markdown

namespace orrery {

struct ManualPage {
  std::string name;   ///< of its file, and of the topic of `orrery help`: "n-body"
  std::string title;  ///< "N-body"
  markdown::Page content;
};

/// In the order in which index.md links to them; read once. Empty where a program has no manual.
const std::vector<ManualPage>& manual_pages();

}  // namespace orrery
