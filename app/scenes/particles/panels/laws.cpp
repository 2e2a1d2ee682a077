// The laws of the particles scene: their sliders in the column, and the text of one of them beside or below the
// picture.
#include <imgui.h>

#include <algorithm>

#include "base/text.hpp"
#include "scenes/particles/panels/command.hpp"
#include "scenes/particles/panels/panels.hpp"
#include "ui/code_text.hpp"
#include "ui/compiler_messages.hpp"
#include "ui/format.hpp"
#include "ui/parameter_widget.hpp"

namespace orrery::ui {
namespace {

constexpr double typing_pause = 0.3;  // seconds without a key, after which what is typed is tried
constexpr ImGuiWindowFlags pane = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                  ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;

const LawView* find(const ParticlesSnapshot& view, const std::string& name) {
  const auto found = std::ranges::find(view.laws, name, &LawView::name);
  return found == view.laws.end() ? nullptr : &*found;
}

void show(ParticlesUi& ui, const LawView& law, std::uint64_t revision) {
  ui.law = law.name;
  ui.text = ui.sent = law.text;
  ui.revision = revision;
  ui.code = {.jump = ui.code.jump};
}

void send_text(const Panel& panel, ParticlesUi& ui) {
  if (ui.text == ui.sent) return;
  ui.sent = ui.text;
  panel.send_to_scene(command::EditLaw{ui.law, ui.text});
}

/// Another law than the one that is being typed, whose text is sent first.
void change_to(const Panel& panel, ParticlesUi& ui, const LawView& law) {
  send_text(panel, ui);
  show(ui, law, law.revision);
}

/// A law that is there, and its text: typed on, or another one.
const LawView* follow(ParticlesUi& ui, const ParticlesSnapshot& view) {
  const LawView* law = find(view, ui.law);
  if (law == nullptr && !view.laws.empty()) law = &view.laws.front();
  if (law == nullptr) return nullptr;
  if (law->name != ui.law || law->revision != ui.revision) show(ui, *law, law->revision);
  return law;
}

struct State {
  std::string text;
  Color color;
};

State state_of(const ParticlesSnapshot& view, const LawView& law, const ParticlesUi& ui) {
  if (ui.text != ui.sent) return {"typing …", palette::accent};
  if (law.building) return {"building …", palette::accent};
  if (!law.refused.empty()) return {"refused; the previous law stays active", palette::error};
  if (view.law_seconds > 0) return {"runs, " + duration(view.law_seconds * 1e6) + " after the last key", palette::good};
  return {"runs", palette::good};
}

void ready_menu(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui) {
  if (!ImGui::BeginPopup("##ready")) return;
  const auto entry = [&](const std::string& title, const std::string& name) {
    if (!list_entry(panel, title, false)) return;
    send_text(panel, ui);
    panel.send_to_scene(command::AddLaw{name});
  };
  entry("Empty law", {});
  for (const NamedEntry& law : view.ready_laws) entry(law.title, law.name);
  ImGui::EndPopup();
}

void add_button(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui, float width) {
  if (button(panel, "Add a law", width, "Add an empty or a built-in law and edit its text"))
    ImGui::OpenPopup("##ready");
  ready_menu(panel, view, ui);
}

void law_row(const Panel& panel, ParticlesUi& ui, const LawView& law, bool several) {
  ImGui::PushID(law.name.c_str());
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, all = ImGui::GetContentRegionAvail().x,
              left = ImGui::GetCursorPosX();
  const float edit = panel.px(52), remove = ImGui::GetFrameHeight();
  const bool removable = law.pair && several;
  const float buttons = edit + (removable ? remove + gap : 0);
  ImGui::AlignTextToFramePadding();
  const Color ink = !law.refused.empty() ? palette::error : law.building ? palette::accent : palette::text;
  ImGui::TextColored(ink, "%s", fitted(law.title, all - buttons - panel.px(8)).c_str());
  hint(panel, law.refused.empty()
                  ? "energy " + number(law.energy) + (law.can_reset ? "\nChanged: double-click to reset the law" : "")
                  : law.refused);
  bool reset = resets(panel, law.can_reset);
  if (ImGui::BeginPopup("##parameter")) {
    const auto enabled = law.can_reset ? 0 : ImGuiSelectableFlags_Disabled;
    if (ImGui::Selectable("Reset the law", false, enabled)) reset = true;
    ImGui::EndPopup();
  }
  if (reset && law.can_reset) panel.send_to_scene(command::ResetLaw{law.name});
  ImGui::SameLine(left + all - buttons);
  const bool open = ui.open && ui.law == law.name;
  if (toggle(panel, "Edit", open, edit, "Edit the text of the law; edits take effect at once   (L)")) {
    ui.open = !open;
    if (!open) change_to(panel, ui, law);
  }
  if (removable) {
    ImGui::SameLine(0, gap);
    if (button(panel, "×##remove", remove, "Remove this law")) panel.send_to_scene(command::RemoveLaw{law.name});
  }
  for (const ParameterView& each : law.numbers) parameter_row(panel, each);
  ImGui::PopID();
}

void law_choice(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui, const LawView& shown, float width) {
  ImGui::PushItemWidth(width);
  if (ImGui::BeginCombo("##law", shown.title.c_str(), ImGuiComboFlags_NoArrowButton)) {
    for (const LawView& law : view.laws)
      if (list_entry(panel, law.title, law.name == ui.law)) change_to(panel, ui, law);
    ImGui::EndCombo();
  }
  ImGui::PopItemWidth();
  const ImVec2 high = ImGui::GetItemRectMax();
  draw_arrow(*ImGui::GetWindowDrawList(), {high.x - ImGui::GetFrameHeight() / 2, high.y - ImGui::GetFrameHeight() / 2},
             panel.px(4), ImGuiDir_Down, palette::dim);
}

constexpr const char* pair_help =
    "Add to energy; the force follows from it. If the law also adds to dEdR, it is checked. Available: r2, r, "
    "invR, delta, body1, body2, position1, position2, isExcluded, the law's parameters, and for each column of the "
    "particles mass1, mass2, charge1, charge2 …";
constexpr const char* group_help =
    "Add to energy; the forces follow from it. If the law also adds to force1, force2 …, it is checked. Available: "
    "position1, position2 …, body1 …, the law's parameters, and the columns of particles and groups";

void header(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui, const LawView& law) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, all = ImGui::GetContentRegionAvail().x,
              left = ImGui::GetCursorPosX();
  const float add = panel.px(84), reset = panel.px(56), close = ImGui::GetFrameHeight(),
              buttons = reset + add + close + 2 * gap;
  law_choice(panel, view, ui, law, panel.px(170));
  ImGui::SameLine(0, panel.px(10));
  ImGui::AlignTextToFramePadding();
  const State state = state_of(view, law, ui);
  const float room = left + all - buttons - panel.px(10) - ImGui::GetCursorPosX();
  ImGui::TextColored(state.color, "%s", fitted(state.text, room).c_str());
  hint(panel, law.refused.empty() ? state.text : law.refused);
  ImGui::SameLine(left + all - buttons);
  if (button(panel, "Reset", reset, "Restore the original text and parameters of the law", law.can_reset))
    panel.send_to_scene(command::ResetLaw{law.name});
  ImGui::SameLine(0, gap);
  add_button(panel, view, ui, add);
  ImGui::SameLine(0, gap);
  if (button(panel, "×##close", close, "Close the editor   (L)")) ui.open = false;
}

/// True if a message names the line of the error.
bool names_a_line(const LawView& law) {
  return std::ranges::any_of(law.messages, [](const CompilerMessage& message) { return message.line > 0; });
}

void offer_parameter(const Panel& panel, const LawView& law) {
  const std::string label = "Make " + law.unknown + " a parameter";
  if (button(panel, label.c_str(), 0, "Add a slider from 0 to 10 to the law"))
    panel.send_to_scene(command::AddLawParameter{law.name, law.unknown});
}

void text(const Panel& panel, ParticlesUi& ui, const LawView& law) {
  const bool refused = !law.refused.empty() && ui.text == ui.sent;
  const std::vector<CompilerMessage> none;
  const auto& messages = refused ? law.messages : none;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float below = refused && !names_a_line(law) ? 2 * line : messages_height(panel, messages);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const std::string help = wrapped(law.pair ? pair_help : group_help, room.x);
  const float gap = ImGui::GetStyle().ItemSpacing.y, small = ImGui::CalcTextSize(help.c_str()).y + gap;
  const bool offers = refused && !law.unknown.empty();
  const float offer = offers ? ImGui::GetFrameHeightWithSpacing() : 0;
  const float height = std::max(room.y - below - offer - small - 2 * gap, panel.px(40));
  if (code_text(panel, "law", ui.text, ui.code, {marks_of(messages, law.name)}, {room.x, height}))
    ui.typed_at = ImGui::GetTime();
  if (ui.text != ui.sent && ImGui::GetTime() - ui.typed_at > typing_pause) send_text(panel, ui);
  if (refused && !names_a_line(law))
    notice(panel, law.refused, palette::error);
  else if (below > 0)
    if (const CompilerMessage* clicked = compiler_messages(panel, messages, below))
      ui.code.jump = std::max(1, clicked->line);
  if (offers) offer_parameter(panel, law);
  const WithFont font(panel.fonts.small);
  ImGui::TextColored(palette::dim, "%s", help.c_str());
}

}  // namespace

void ParticlesUi::begin(const std::string& name) {
  open = true;
  law = name;
  text = sent = {};
  revision = 0;  // its text is to be taken
  code = {.jump = 1};
}

void laws_panel(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui, bool open_at_first) {
  std::string names;
  for (const LawView& law : view.laws) names += (names.empty() ? "" : ", ") + law.title;
  if (!section(panel, "Laws", names, open_at_first)) return;
  if (view.laws.empty()) line_of_text(panel, "no laws: particles move in straight lines", palette::dim);
  for (const LawView& law : view.laws) law_row(panel, ui, law, true);
  add_button(panel, view, ui, -FLT_MIN);
}

void law_pane(const Panel& panel, const ParticlesSnapshot& view, ParticlesUi& ui, const Rect& area) {
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  if (ImGui::Begin("##laws", nullptr, pane)) {
    if (const LawView* law = follow(ui, view)) {
      header(panel, view, ui, *law);
      text(panel, ui, *law);
    } else {
      add_button(panel, view, ui, panel.px(84));
    }
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace orrery::ui
