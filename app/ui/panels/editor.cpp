// The kernel editor: a pane beside or below the picture, and what other panels say of edited kernels.
#include <algorithm>

#include "base/text.hpp"
#include "ui/compiler_messages.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"

namespace orrery::ui {
namespace {

const KernelFile* find(const EditorSnapshot& editor, const std::string& name) {
  const auto found = std::ranges::find(editor.files, name, &KernelFile::name);
  return found == editor.files.end() ? nullptr : &*found;
}

bool is_dirty(const EditorUi& ui, const EditorSnapshot& editor) { return editor.text && ui.text != *editor.text; }

/// Keeps what is typed when another file is shown, and when the saved text changes elsewhere.
void follow_text(EditorUi& ui, const EditorSnapshot& editor) {
  if (!editor.text) return;
  if (ui.file != editor.open) {
    if (!ui.file.empty() && !ui.text.empty()) ui.drafts[ui.file] = ui.text;
    ui.file = editor.open;
    const auto draft = ui.drafts.find(ui.file);
    ui.text = draft == ui.drafts.end() ? *editor.text : draft->second;
    ui.elsewhere = false;
    ui.revision = editor.revision;
    ui.code = {.jump = ui.code.jump};
  } else if (ui.revision != editor.revision) {
    // A draft goes its own way; what was as saved follows.
    const auto draft = ui.drafts.find(ui.file);
    const bool typed = draft != ui.drafts.end() && draft->second != ui.text;
    ui.elsewhere = typed && ui.text != *editor.text;
    if (!ui.elsewhere) ui.text = *editor.text;
    ui.revision = editor.revision;
  }
  if (!ui.elsewhere && !is_dirty(ui, editor)) ui.drafts[ui.file] = ui.text;
}

struct State {
  std::string text;
  Color color = palette::dim;
};

State state_of(const KernelFile& file, bool dirty) {
  if (file.building) return {"building …", palette::accent};
  if (file.refused)
    return {file.modified ? "does not build; the previous edit keeps running"
                          : "does not build; the original keeps running",
            palette::error};
  if (dirty) return {"not saved", palette::accent};
  if (!file.unkept.empty()) return {"running, but not saved on disk", palette::warning};
  if (file.modified) return {"modified, running", palette::warning};
  return {"original", palette::dim};
}

void file_choice(const Panel& panel, const EditorSnapshot& editor, float width) {
  ImGui::BeginGroup();
  ImGui::PushItemWidth(width);
  if (ImGui::BeginCombo("##file", editor.open.c_str(), ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge)) {
    for (const KernelFile& file : editor.files) {
      const Color color = file.refused                    ? palette::error
                          : file.modified || file.offered ? palette::warning
                                                          : palette::text;
      ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(color));
      if (ImGui::Selectable(file.name.c_str(), file.name == editor.open)) panel.send(command::ShowKernel{file.name});
      ImGui::PopStyleColor();
    }
    ImGui::EndCombo();
  }
  ImGui::PopItemWidth();
  ImGui::EndGroup();
  const ImVec2 high = ImGui::GetItemRectMax();
  draw_arrow(*ImGui::GetWindowDrawList(), {high.x - ImGui::GetFrameHeight() / 2, high.y - ImGui::GetFrameHeight() / 2},
             panel.px(4), ImGuiDir_Down, palette::dim);
  hint(panel, "Choose a kernel file. Edited copies are saved in " + editor.folder);
}

void save(const Panel& panel, EditorUi& ui) {
  ui.drafts[ui.file] = ui.text;
  ui.elsewhere = false;
  panel.send(command::SaveKernel{ui.file, ui.text});
}

void header(const Panel& panel, const EditorSnapshot& editor, EditorUi& ui) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, all = ImGui::GetContentRegionAvail().x;
  const float left = ImGui::GetCursorPosX(), save_width = panel.px(56), restore = panel.px(112), open = panel.px(104),
              close = ImGui::GetFrameHeight();
  const float buttons = save_width + restore + open + close + 3 * gap;
  const float choice = std::clamp(all - buttons - panel.px(190), panel.px(120), panel.px(240));
  const KernelFile* file = find(editor, editor.open);
  const bool dirty = ui.file == editor.open && is_dirty(ui, editor);
  file_choice(panel, editor, choice);
  ImGui::SameLine(0, panel.px(10));
  const State state = file != nullptr ? state_of(*file, dirty) : State{"reading …"};
  ImGui::AlignTextToFramePadding();
  const float room = left + all - buttons - panel.px(10) - ImGui::GetCursorPosX();
  ImGui::TextColored(state.color, "%s", fitted(state.text, room).c_str());
  hint(panel, file != nullptr && !file->unkept.empty() ? file->unkept : state.text);
  ImGui::SameLine(left + all - buttons);
  const bool changed = file != nullptr && (file->modified || file->refused || dirty);
  if (button(panel, "Save", save_width, "Build and run the kernel   (Ctrl+S)", ui.file == editor.open) ||
      std::exchange(ui.save, false))
    save(panel, ui);
  ImGui::SameLine(0, gap);
  if (button(panel, "Restore original", restore,
             "Run the installed file again; your copy stays on disk with a ~ after its name", changed)) {
    if (dirty && editor.original) ui.text = *editor.original;
    ui.drafts[ui.file] = ui.text;
    panel.send(command::RestoreKernel{editor.open});
  }
  ImGui::SameLine(0, gap);
  if (button(panel, "Open in editor", open,
             "Open the file in your own editor ($VISUAL, $EDITOR or the desktop's); saving there also builds it",
             !dirty))
    panel.send(command::OpenKernelElsewhere{editor.open});
  ImGui::SameLine(0, gap);
  if (button(panel, "×##close", close, "Close the editor   (E)")) panel.send(command::ShowKernel{});
}

void offer(const Panel& panel, const KernelFile& file) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(palette::warning, "A copy edited in an earlier session exists.");
  ImGui::SameLine();
  if (button(panel, "Use it", panel.px(64), "Build and run this copy")) panel.send(command::UseKeptKernel{file.name});
  ImGui::SameLine();
  if (button(panel, "Discard", panel.px(64), "Rename the copy, with a ~ after its name"))
    panel.send(command::RestoreKernel{file.name});
}

void conflict(const Panel& panel, const EditorSnapshot& editor, EditorUi& ui) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(palette::warning, "The file was also changed on disk.");
  ImGui::SameLine();
  if (button(panel, "Use disk", panel.px(76), "Use the version on disk and lose my edits")) {
    ui.text = *editor.text;
    ui.elsewhere = false;
  }
  ImGui::SameLine();
  if (button(panel, "Keep mine", panel.px(76), "Keep my edits until I save them")) ui.elsewhere = false;
}

void text(const Panel& panel, const EditorSnapshot& editor, EditorUi& ui) {
  if (ui.compared != ui.text && editor.original) {
    ui.compared = ui.text;
    ui.changed = changed_lines(*editor.original, ui.text);
  }
  const float below = messages_height(panel, editor.messages), gap = below > 0 ? ImGui::GetStyle().ItemSpacing.y : 0;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float height = std::max(room.y - below - gap, panel.px(40));
  code_text(panel, "code", ui.text, ui.code, {marks_of(editor.messages, editor.open), ui.changed}, {room.x, height});
  if (below <= 0) return;
  if (const CompilerMessage* clicked = compiler_messages(panel, editor.messages, below);
      clicked != nullptr && !clicked->file.empty()) {
    panel.send(command::ShowKernel{clicked->file});
    ui.code.jump = std::max(1, clicked->line);
  }
}

/// "nbody_gather.cl", what is the matter with it, and one click that mends it.
void edit_row(const Panel& panel, const KernelFile& file) {
  ImGui::PushID(file.name.c_str());
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, all = ImGui::GetContentRegionAvail().x;
  const float left = ImGui::GetCursorPosX(), wide = panel.px(60), narrow = panel.px(40);
  const float buttons = file.offered ? narrow + wide + gap : wide;
  const State state = file.offered ? State{"saved, not in use", palette::warning} : state_of(file, false);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(state.color, "%s", fitted(file.name, all - buttons - panel.px(8)).c_str());
  hint(panel, file.name + ": " + state.text);
  if (ImGui::IsItemClicked()) panel.send(command::ShowKernel{file.name});
  ImGui::SameLine(left + all - buttons);
  if (file.offered) {
    if (button(panel, "Use", narrow, "Build and run the copy that you edited in an earlier session"))
      panel.send(command::UseKeptKernel{file.name});
    ImGui::SameLine(0, gap);
  }
  if (button(panel, file.offered ? "Discard" : "Restore", wide,
             file.offered ? "Rename the copy, with a ~ after its name" : "Run the installed file again"))
    panel.send(command::RestoreKernel{file.name});
  ImGui::PopID();
}

}  // namespace

void editor_pane(const Panel& panel, const EditorSnapshot& editor, const Rect& area) {
  EditorUi& ui = panel.state.editor;
  follow_text(ui, editor);
  const StillWindow window(
      "##editor",
      {.at = {area.x, area.y}, .size = {area.width, area.height}, .rounded = false, .flags = beside_picture});
  if (!window) return;
  header(panel, editor, ui);
  if (const KernelFile* file = find(editor, editor.open); file != nullptr && file->offered) offer(panel, *file);
  if (ui.elsewhere) conflict(panel, editor, ui);
  if (ui.file == editor.open)
    text(panel, editor, ui);
  else
    ImGui::TextColored(palette::dim, "reading …");
}

void edited_kernels(const Panel& panel, const EditorSnapshot& editor) {
  for (const KernelFile& file : editor.files)
    if (file.modified || file.refused || file.offered) edit_row(panel, file);
}

void modified_pill(const Panel& panel, const EditorSnapshot& editor, const Rect& picture) {
  const std::string names = editor.modified_names();
  if (names.empty() || picture.width < panel.px(120)) return;
  const StillWindow window("##modified", {.at = {picture.x + picture.width - panel.px(12), picture.y + panel.px(12)},
                                          .pivot = {1, 0},
                                          .color = Color{palette::window.rgb, 0.85F},
                                          .padding = ImVec2{panel.px(10), panel.px(5)},
                                          .flags = over_picture | ImGuiWindowFlags_NoBringToFrontOnFocus});
  if (!window) return;
  ImGui::TextColored(palette::warning, "%s", fitted("modified: " + names, picture.width - panel.px(60)).c_str());
  hint(panel, "Edited kernels compute this picture. Click to list them");
  const auto first = std::ranges::find(editor.files, true, &KernelFile::modified);
  if (ImGui::IsItemClicked() && first != editor.files.end()) panel.send(command::ShowKernel{first->name});
}

}  // namespace orrery::ui
