#include "base/files/manual.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/printable.hpp"

namespace orrery::markdown {
namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; }
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

/// The text between two signs if `text` begins with the first; else empty.
std::string_view enclosed(std::string_view text, std::string_view open, std::string_view close) {
  if (!text.starts_with(open)) return {};
  const std::size_t begin = open.size(), end = text.find(close, begin);
  return end == std::string_view::npos || text[begin] == ' ' ? std::string_view() : text.substr(begin, end - begin);
}

Line parse_line(std::string_view text) {
  constexpr std::array styles{std::pair{std::string_view("`"), Word::Style::code},
                              std::pair{std::string_view("**"), Word::Style::strong},
                              std::pair{std::string_view("*"), Word::Style::slanted}};
  Line line;
  bool open = false, glued = false;  // the next letter belongs to the last word; no space came before it
  const auto add = [&](std::string_view run, const Word& like) {
    for (const char letter : run) {
      if (letter == ' ') {
        open = glued = false;
        continue;
      }
      if (!open) line.push_back({{}, like.style, like.link, glued});
      line.back().text += letter;
      open = glued = true;
    }
  };
  const auto take = [&](std::string_view run, const Word& like, std::size_t bytes) {
    open = false;
    add(run, like);
    open = false;
    text.remove_prefix(bytes);
  };
  while (!text.empty()) {
    const auto style =
        std::ranges::find_if(styles, [&](const auto& each) { return !enclosed(text, each.first, each.first).empty(); });
    const std::string_view label = enclosed(text, "[", "](");
    const std::string_view target = enclosed(text.substr(label.empty() ? 0 : label.size() + 2), "(", ")");
    if (style != styles.end()) {
      const std::string_view run = enclosed(text, style->first, style->first);
      take(run, {{}, style->second}, run.size() + 2 * style->first.size());
    } else if (!label.empty() && !target.empty()) {
      take(label, {{}, Word::Style::plain, std::string(target)}, label.size() + target.size() + 4);
    } else {
      add(text.substr(0, 1), {});
      text.remove_prefix(1);
    }
  }
  return line;
}

/// The cells of "| a | b |"; \| is no border.
std::vector<Line> parse_row(std::string_view text) {
  std::vector<std::string> cells(1);
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] == '|')
      cells.emplace_back();
    else if (!text.substr(k).starts_with("\\|"))
      cells.back() += text[k];
    else
      cells.back() += text[++k];
  }
  if (is_blank(cells.back())) cells.pop_back();  // after the last border
  std::vector<Line> row;
  for (const std::string& cell : cells) row.push_back(parse_line(cell));
  return row;
}

/// Lines of text, as wide as a terminal.
std::vector<std::string> wrapped(const Line& line, std::size_t width) {
  std::vector<std::string> rows(1);
  for (const Placed& each :
       in_rows(line, static_cast<float>(width), 1, [](const Word&, std::string_view text) { return width_of(text); })) {
    rows.resize(static_cast<std::size_t>(each.row) + 1);
    rows.back().append(static_cast<std::size_t>(each.x) - width_of(rows.back()), ' ');
    rows.back() += each.text;
  }
  return rows;
}

std::string table_text(const Block& table, std::size_t width) {
  const std::vector<std::size_t> widths = column_widths(table, width);
  std::string text;
  for (const auto& row : table.rows) {
    std::vector<std::string> lines;
    for (std::size_t i = 0, x = 0; i < row.size(); x += widths[i++] + column_gap) {
      const std::vector<std::string> cell = wrapped(row[i], widths[i]);
      lines.resize(std::max(lines.size(), cell.size()));
      for (std::size_t j = 0; j < cell.size(); ++j)
        if (!cell[j].empty()) lines[j].append(x - width_of(lines[j]), ' ').append(cell[j]);
    }
    for (const std::string& line : lines) text += line + "\n";
    if (&row != &table.rows.front() || widths.empty()) continue;
    for (const std::size_t column : widths) text += std::string(column, '-') + std::string(column_gap, ' ');
    text.replace(text.size() - column_gap, column_gap, "\n");
  }
  return text;
}

}  // namespace

Page parse(std::string_view text) {
  Page page;
  std::string words;  // words of the last block, which the next line continues
  const auto begin = [&](Block block, std::string_view first) {
    if (!words.empty()) page.back().line = parse_line(words);
    words = first;
    if (block.kind != Block::Kind::paragraph || !first.empty()) page.push_back(std::move(block));
  };
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    if (line.starts_with("```")) {
      begin({.kind = Block::Kind::code}, {});
      while (std::getline(lines, line) && !line.starts_with("```")) page.back().code += line + "\n";
    } else if (line.empty() || line.starts_with("<!--") || line.starts_with("![")) {
      begin({}, {});
    } else if (level > 0) {
      begin({.kind = Block::Kind::heading, .level = static_cast<int>(level)}, line.substr(level));
      begin({}, {});
    } else if (line.starts_with('|')) {
      if (!words.empty() || page.empty() || page.back().kind != Block::Kind::table)
        begin({.kind = Block::Kind::table}, {});
      if (!line.starts_with("|---")) page.back().rows.push_back(parse_row(line));
    } else if (line.starts_with("- ")) {
      begin({.kind = Block::Kind::item}, line.substr(2));
    } else if (words.empty()) {
      begin({}, line);
    } else {
      words += " " + line;
    }
  }
  begin({}, {});
  return page;
}

std::string text_of(const Line& line) {
  std::string text;
  for (const Word& word : line) text += (text.empty() || word.glued ? "" : " ") + word.text;
  return text;
}

std::string text_of(const Block& block) {
  std::string text = block.code + text_of(block.line);
  for (const auto& row : block.rows)
    for (const Line& cell : row) text += text_of(cell) + "\n";
  return text;
}

std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char letter : heading) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == ' ') anchor += '-';
    if (letter == '-' || letter == '_' || byte >= 0x80 || std::isalnum(byte) != 0)
      anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
  }
  return anchor;
}

std::vector<Placed> in_rows(const Line& line, float width, float space,
                            const std::function<float(const Word&, std::string_view)>& measure) {
  std::vector<Placed> placed;
  float x = 0;
  int row = 0;
  for (auto word = line.begin(); word != line.end(); ++word) {
    if (!word->glued) {  // a row breaks only before a word that is not glued
      float together = 0;
      auto next = word;
      do together += measure(*next, next->text);
      while (++next != line.end() && next->glued);
      if (x > 0) x += space;
      if (x > 0 && x + together > width) x = 0, ++row;
    }
    for (std::string_view rest = word->text; !rest.empty();) {
      std::size_t fits = rest.size();
      while (fits > 1 && (x + measure(*word, rest.substr(0, fits)) > width ||
                          (fits < rest.size() && !begins_character(rest[fits]))))
        --fits;
      while (fits < rest.size() && !begins_character(rest[fits])) ++fits;
      placed.push_back({&*word, rest.substr(0, fits), x, row});
      x += measure(*word, rest.substr(0, fits));
      rest.remove_prefix(fits);
      if (!rest.empty()) x = 0, ++row;
    }
  }
  return placed;
}

std::vector<std::size_t> column_widths(const Block& table, std::size_t width) {
  constexpr std::size_t narrowest = 8;
  std::vector<std::size_t> widths;
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(1);
      widths[i] = std::max(widths[i], width_of(text_of(row[i])));
    }
  const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), column_gap * (widths.size() - 1)); };
  while (!widths.empty() && total() > width && std::ranges::max(widths) > narrowest)
    --*std::ranges::max_element(widths);
  return widths;
}

std::string plain_text(const Page& page, std::size_t width) {
  std::string text;
  for (const Block& block : page) {
    const bool item = block.kind == Block::Kind::item;
    const bool goes_on = item && &block != &page.front() && (&block)[-1].kind == Block::Kind::item;
    if (!text.empty() && !goes_on) text += "\n";
    if (block.kind == Block::Kind::table) text += table_text(block, width);
    if (!block.line.empty()) {
      const std::vector<std::string> rows = wrapped(block.line, width - (item ? 2 : 0));
      for (std::size_t k = 0; k < rows.size(); ++k) text += (item ? k == 0 ? "- " : "  " : "") + rows[k] + "\n";
    }
    if (block.level == 1 || block.level == 2)
      text += std::string(width_of(text_of(block.line)), block.level == 1 ? '=' : '-') + "\n";
    std::istringstream lines(block.code);
    for (std::string line; std::getline(lines, line);) text += (line.empty() ? "" : "    ") + line + "\n";
  }
  return text;
}

}  // namespace orrery::markdown

namespace orrery {
namespace {

ManualPage read_page(const std::string& file) {
  markdown::Page content = markdown::parse(read_file(asset_folder() / "manual" / file));
  std::string title = content.empty() ? std::string() : markdown::text_of(content.front().line);
  return {file.substr(0, file.rfind('.')), std::move(title), std::move(content)};
}

std::vector<ManualPage> read_pages() {
  std::vector<ManualPage> pages;
  try {
    pages.push_back(read_page("index.md"));
    const markdown::Page index = pages.front().content;
    for (const markdown::Block& block : index)
      for (const auto& row : block.rows)
        if (!row.empty() && !row.front().empty() && !row.front().front().link.empty())
          pages.push_back(read_page(row.front().front().link));
  } catch (const Error&) {  // a page that cannot be read ends the list
  }
  return pages;
}

}  // namespace

const std::vector<ManualPage>& manual_pages() {
  static const std::vector<ManualPage> pages = read_pages();
  return pages;
}

}  // namespace orrery
