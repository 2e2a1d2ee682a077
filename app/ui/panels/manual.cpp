#include "base/files/manual.hpp"

#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

using markdown::Block, markdown::Line, markdown::Word;

constexpr float readable_width = 720, row_gap = 5;

std::vector<std::string> words_of(const std::string& typed) {
  std::istringstream words(lower_case(typed));
  return {std::istream_iterator<std::string>(words), {}};
}

/// The titles of a page and of its parts, where they have all words.
std::vector<std::string> parts_with(const std::vector<std::string>& words, const markdown::Page& page) {
  std::vector<std::string> found;
  std::string title, part;
  const auto end = [&] {
    const auto has = [&](const std::string& word) { return part.find(word) != std::string::npos; };
    if (!title.empty() && std::ranges::all_of(words, has)) found.push_back(title);
    part.clear();
  };
  for (const Block& block : page) {
    if (block.level == 1 || block.level == 2) end(), title = text_of(block.line);
    part += lower_case(text_of(block)) + "\n";
  }
  end();
  return found;
}

/// "films.md#films-on-many-machines"
void follow(HelpUi& help, std::string_view link) {
  help.page = link.substr(0, link.find(".md"));
  help.anchor = link.substr(std::min(link.find('#'), link.size() - 1) + 1);
  help.arrives = true;
}

ImFont* font_of(const Panel& panel, Word::Style style) {
  if (style == Word::Style::code) return panel.fonts.mono;
  return style == Word::Style::plain ? ImGui::GetFont() : panel.fonts.heading;
}

/// A page, as it is drawn from the cursor on.
struct PageView {
  const Panel& panel;
  const std::vector<ManualPage>& pages;
  std::vector<std::string> sought;  ///< words that are marked

  void draw_word(const markdown::Placed& word, const Rect& place, Color ink) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 low{place.x, place.y}, high{place.x + place.width, place.y + place.height};
    const std::string text = lower_case(word.text);
    if (std::ranges::any_of(sought, [&](const std::string& each) { return text.find(each) != std::string::npos; }))
      list.AddRectFilled(low, high, packed(palette::warning, 0.3F));
    const std::string_view link = word.word->link, page = link.substr(0, link.find(".md"));
    if (!link.empty() && std::ranges::find(pages, page, &ManualPage::name) != pages.end()) {
      ink = palette::accent;
      list_control(panel, word.text, place);
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high)) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        list.AddLine({low.x, high.y - panel.px(2)}, {high.x, high.y - panel.px(2)}, packed(ink));
        if (ImGui::IsMouseClicked(0)) follow(panel.state.help, link);
      }
    }
    const WithFont font(font_of(panel, word.word->style));
    note_missing_characters(word.text);
    list.AddText({low.x, low.y + std::round((place.height - ImGui::GetFontSize()) / 2)}, packed(ink), word.text.data(),
                 word.text.data() + word.text.size());
  }

  void draw(const Line& line, float width, Color ink = palette::text) const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFontSize() + panel.px(row_gap);
    const auto measure = [&](const Word& word, std::string_view text) {
      const WithFont font(font_of(panel, word.style));
      return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
    };
    int row = 0;
    for (const markdown::Placed& word : in_rows(line, width, ImGui::CalcTextSize(" ").x, measure)) {
      row = word.row;
      draw_word(word, {at.x + word.x, at.y + static_cast<float>(row) * height, measure(*word.word, word.text), height},
                ink);
    }
    ImGui::Dummy({width, static_cast<float>(row + 1) * height});
  }

  void draw_table(const Block& block, float width) const {
    const float letter = ImGui::CalcTextSize("0").x, left = ImGui::GetCursorScreenPos().x;
    const auto columns = markdown::column_widths(block, static_cast<std::size_t>(width / letter));
    for (const auto& row : block.rows) {
      const float top = ImGui::GetCursorScreenPos().y;
      float x = left, bottom = top;
      for (std::size_t i = 0; i < row.size(); ++i) {
        ImGui::SetCursorScreenPos({x, top});
        draw(row[i], static_cast<float>(columns[i]) * letter, &row == &block.rows[0] ? palette::dim : palette::text);
        bottom = std::max(bottom, ImGui::GetItemRectMax().y + panel.px(3));
        x += static_cast<float>(columns[i] + markdown::column_gap) * letter;
      }
      ImGui::GetWindowDrawList()->AddLine({left, bottom}, {x, bottom}, packed(palette::line));
      ImGui::SetCursorScreenPos({left, bottom + panel.px(3)});
    }
    ImGui::Dummy({width, 1});
  }

  void draw_code(const std::string& code, float width) const {
    const WithFont mono(panel.fonts.mono);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = panel.px(10), wrap = std::max(1.0F, width - 2 * inset);
    const std::string text = code.substr(0, code.find_last_not_of('\n') + 1);
    const Rect area{at.x, at.y, width, ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).y + 2 * inset};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + area.height}, packed(palette::code), ImGui::GetStyle().FrameRounding);
    note_missing_characters(text);
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + inset, at.y + inset}, packed(palette::text),
                 text.c_str(), nullptr, wrap);
    ImGui::Dummy({width, area.height});
    offer_copy(panel, "Example", text, area);
  }

  void draw_heading(const Block& block, float width) const {
    const HelpUi& help = panel.state.help;
    ImGui::Dummy({1, panel.px(block.level == 2 ? 12 : 4)});
    if (help.arrives && markdown::anchor_of(text_of(block.line)) == help.anchor) ImGui::SetScrollHereY(0);
    const WithFont font(panel.fonts.heading);
    draw(block.line, width, block.level == 2 ? palette::accent : palette::text);
  }

  void draw_item(const Block& block, float width) const {
    const float inset = panel.px(16);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled(
        {at.x + inset / 2, at.y + (ImGui::GetFontSize() + panel.px(row_gap)) / 2}, panel.px(2), packed(palette::dim));
    ImGui::SetCursorScreenPos({at.x + inset, at.y});
    draw(block.line, width - inset);
  }

  void draw(const Block& block) const {
    const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
    const float readable = std::min(width, panel.px(readable_width));
    if (block.kind == Block::Kind::heading) return draw_heading(block, readable);
    if (block.kind == Block::Kind::item) return draw_item(block, readable);
    if (block.kind == Block::Kind::table) return draw_table(block, width);
    if (block.kind == Block::Kind::code) return draw_code(block.code, width);
    ImGui::Dummy({1, 1});
    draw(block.line, readable);
  }
};

}  // namespace

void manual_list(const Panel& panel, const std::vector<ManualPage>& pages) {
  HelpUi& help = panel.state.help;
  const std::vector<std::string> words = words_of(help.search);
  ImGui::Indent(panel.px(6));  // within the colour behind the chosen page
  bool found = false;
  for (const ManualPage& page : pages) {
    // Without words nothing is sought: a frame does not read all pages.
    const std::vector<std::string> parts = words.empty() ? std::vector{page.title} : parts_with(words, page.content);
    if (page.name == "index" || parts.empty()) continue;
    found = true;
    if (list_entry(panel, page.title + "##" + page.name, help.page == page.name)) follow(help, page.name);
    if (words.empty()) continue;
    const WithFont small(panel.fonts.small);
    ImGui::Indent(panel.px(12));
    for (const std::string& part : parts)
      if (part != page.title &&
          list_entry(panel, fitted(part, ImGui::GetContentRegionAvail().x) + "##" + page.name, false))
        follow(help, page.name + ".md#" + markdown::anchor_of(part));
    ImGui::Unindent(panel.px(12));
  }
  if (!found) wrapped_text("No page contains these words", palette::dim);
}

void manual_text(const Panel& panel, const std::vector<ManualPage>& pages, const ManualPage& page) {
  HelpUi& help = panel.state.help;
  if (help.arrives) ImGui::SetScrollY(0);
  const PageView view{panel, pages, words_of(help.search)};
  for (const Block& block : page.content)
    if (block.level != 1) view.draw(block);  // the title stands above the page
  // A child that appears has no length to scroll through until its second frame.
  if (help.page == page.name && ImGui::GetScrollMaxY() > 0) help.arrives = false;
}

}  // namespace orrery::ui
