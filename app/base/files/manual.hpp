/// The manual: the pages of assets/manual, and the subset of Markdown that they use. Plain values; any thread.
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
  std::string link = {};  ///< its target; empty: no link
  bool glued = false;     ///< there is no space before it
};
using Line = std::vector<Word>;

struct Block {
  enum class Kind { heading, paragraph, item, table, code };
  Kind kind = Kind::paragraph;
  int level = 0;                             ///< level of a heading; 1: title of the page
  Line line = {};                            ///< text of a heading, a paragraph or a list item
  std::string code = {};                     ///< lines of a block of code, each with its end
  std::vector<std::vector<Line>> rows = {};  ///< rows of a table; the first has the column titles
};
using Page = std::vector<Block>;

Page parse(std::string_view text);

std::string text_of(const Line& line);
/// All text of a block, without its layout.
std::string text_of(const Block& block);
/// The anchor of a heading for links: "files-and-signals" for "Files and signals".
std::string anchor_of(std::string_view heading);

/// A word, or a part of a word longer than a row.
struct Placed {
  const Word* word;
  std::string_view text;
  float x;
  int row;
};
/// Breaks a line into rows of a width. `measure` returns the width of a text in the style of a word.
std::vector<Placed> in_rows(const Line& line, float width, float space,
                            const std::function<float(const Word&, std::string_view)>& measure);

/// The space between the columns of a table, in characters.
inline constexpr std::size_t column_gap = 2;
/// The columns of a table, in characters: the width of their text if all fit into `width`, else the widest are
/// narrowed.
std::vector<std::size_t> column_widths(const Block& table, std::size_t width);

/// Lays a page out for a terminal; lines of code stay as long as they are.
std::string plain_text(const Page& page, std::size_t width);

}  // namespace orrery::markdown

namespace orrery {

struct ManualPage {
  std::string name;   ///< name of its file and of the topic in `orrery help`: "n-body"
  std::string title;  ///< "N-body"
  markdown::Page content;
};

/// The pages in the order of links in index.md; read once. Empty without a manual.
const std::vector<ManualPage>& manual_pages();

}  // namespace orrery
