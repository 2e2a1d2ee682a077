/// The manual's Markdown: the parts of a page, and their display in a terminal.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/files/manual.hpp"

using namespace orrery;
using markdown::Block, markdown::Word;

TEST(markdown, a_page_is_headings_paragraphs_lists_tables_and_code) {
  const markdown::Page page = markdown::parse(
      "# Title\n\nOne line\nand the next.\n\n<!-- a comment -->\n![a picture](x.png)\n- first\n  goes on\n- second\n\n"
      "| a | b |\n|---|---|\n| `x\\|y` | |\n\n```sh\n# no heading\n\n| no table |\n```\n## Part\n");
  ASSERT_EQ(page.size(), 7U);
  EXPECT_EQ(page[0].kind, Block::Kind::heading);
  EXPECT_EQ(page[0].level, 1);
  EXPECT_EQ(text_of(page[1].line), "One line and the next.");
  EXPECT_EQ(page[2].kind, Block::Kind::item);
  EXPECT_EQ(text_of(page[2].line), "first goes on");
  EXPECT_EQ(page[4].kind, Block::Kind::table);
  ASSERT_EQ(page[4].rows.size(), 2U);
  EXPECT_EQ(text_of(page[4].rows[1][0]), "x|y");
  EXPECT_EQ(page[5].code, "# no heading\n\n| no table |\n");
  EXPECT_EQ(page[6].level, 2);
}

TEST(markdown, a_line_is_words_of_a_style) {
  const markdown::Page page = markdown::parse("Press **Ctrl P**, see [n-body](n-body.md#the-tree): 2 * 3, *x* `a*b*c`");
  const markdown::Line& line = page.at(0).line;
  EXPECT_EQ(text_of(line), "Press Ctrl P, see n-body: 2 * 3, x a*b*c");
  ASSERT_EQ(line.size(), 12U);
  EXPECT_EQ(line[1].text, "Ctrl");
  EXPECT_EQ(line[2].style, Word::Style::strong);
  EXPECT_EQ(line[3].text, ",");
  EXPECT_TRUE(line[3].glued);
  EXPECT_EQ(line[5].link, "n-body.md#the-tree");
  EXPECT_EQ(line[10].style, Word::Style::slanted);
  EXPECT_EQ(line[11].style, Word::Style::code);
}

TEST(markdown, what_is_glued_stays_in_a_row) {
  const markdown::Page page = markdown::parse("one (`two`) abcdef");
  const auto rows = in_rows(page.at(0).line, 5, 1, [](const Word&, std::string_view text) { return text.size(); });
  std::string text;
  for (const markdown::Placed& each : rows) text += std::to_string(each.row) + std::string(each.text) + " ";
  EXPECT_EQ(text, "0one 1( 1two 1) 2abcde 3f ");
}

TEST(markdown, signs_without_an_end_are_text) {
  for (const char* text : {"a ` b", "a ** b", "*a", "[a", "[a](b", "[](b)", "`", "**", "|", "# ", "- ", "```"})
    EXPECT_NO_THROW(plain_text(markdown::parse(text), 80)) << text;
  EXPECT_EQ(text_of(markdown::parse("5 * 3 ` [x] 2")[0].line), "5 * 3 ` [x] 2");
}

TEST(markdown, a_terminal_shows_lines_that_fit) {
  const markdown::Page page = markdown::parse(
      "# Ωmega\n\n- one two three four\n\n| key | meaning |\n|---|---|\n| a-long-name | some words that need lines |\n\n"
      "```\n  code stays\n```\n");
  EXPECT_EQ(plain_text(page, 18),
            "Ωmega\n=====\n\n- one two three\n  four\n\nkey       meaning\n--------  --------\n"
            "a-long-n  some\name       words\n          that\n          need\n          lines\n\n      code stays\n");
}

TEST(markdown, anchors_are_those_of_web_pages) {
  EXPECT_EQ(markdown::anchor_of("Report a fault"), "report-a-fault");
  EXPECT_EQ(markdown::anchor_of("What's new, 2026?"), "whats-new-2026");
}

TEST(markdown, the_manual_fits_a_terminal_but_for_code) {
  ASSERT_GT(manual_pages().size(), 12U);
  EXPECT_EQ(manual_pages().front().name, "index");
  for (const ManualPage& page : manual_pages()) {
    EXPECT_FALSE(page.title.empty()) << page.name;
    std::istringstream lines(plain_text(page.content, 80));
    for (std::string line; std::getline(lines, line);) {
      const auto width =
          std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; });
      EXPECT_TRUE(width <= 80 || line.starts_with("    ")) << page.name << ": " << line;
    }
  }
}
