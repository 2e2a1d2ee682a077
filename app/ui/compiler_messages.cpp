#include "ui/compiler_messages.hpp"

#include <algorithm>

#include "ui/format.hpp"

namespace orrery::ui {
namespace {

constexpr float shown_messages = 4.5F;  // lines, before they scroll

Color color_of(CompilerMessage::Kind kind) {
  if (kind == CompilerMessage::Kind::error) return palette::error;
  return kind == CompilerMessage::Kind::warning ? palette::warning : palette::dim;
}

bool is_note(const CompilerMessage& message) { return message.kind == CompilerMessage::Kind::note; }

/// True when it is clicked.
bool message_row(const Panel& panel, const CompilerMessage& message) {
  const std::string place = message.file.empty() ? std::string("the program")
                            : message.line > 0   ? message.file + ":" + std::to_string(message.line)
                                                 : message.file;
  const WithFont mono(panel.fonts.mono);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight() + panel.px(2);
  const bool clicked = clickable("##message", {width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) list.AddRectFilled(at, {at.x + width, at.y + height}, packed(palette::field));
  list.AddText({at.x, at.y}, packed(color_of(message.kind)), place.c_str());
  const float left = ImGui::CalcTextSize(place.c_str()).x + 2 * ImGui::CalcTextSize("0").x;
  list.AddText({at.x + left, at.y}, packed(palette::text), fitted(message.text, width - left).c_str());
  hint(panel, message.text);
  return clicked;
}

}  // namespace

std::vector<CodeMark> marks_of(std::span<const CompilerMessage> messages, const std::string& file) {
  std::vector<CodeMark> marks;
  for (const CompilerMessage& message : messages)
    if (message.file == file && message.line > 0 && !is_note(message))
      marks.push_back({message.line, color_of(message.kind), message.text});
  return marks;
}

float messages_height(const Panel& panel, std::span<const CompilerMessage> messages) {
  const auto count = std::ranges::count_if(messages, [](const CompilerMessage& m) { return !is_note(m); });
  if (count == 0) return 0;
  const WithFont mono(panel.fonts.mono);
  const float row = ImGui::GetTextLineHeight() + panel.px(2) + ImGui::GetStyle().ItemSpacing.y;
  return std::min(static_cast<float>(count), shown_messages) * row + panel.px(2);
}

const CompilerMessage* compiler_messages(const Panel& panel, std::span<const CompilerMessage> messages, float height) {
  const CompilerMessage* clicked = nullptr;
  if (ImGui::BeginChild("messages", {0, height}, false, ImGuiWindowFlags_NoNav)) {
    int id = 0;
    for (const CompilerMessage& message : messages) {
      if (is_note(message)) continue;
      ImGui::PushID(id++);
      if (message_row(panel, message)) clicked = &message;
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
  return clicked;
}

}  // namespace orrery::ui
