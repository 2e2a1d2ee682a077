#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/panels/list.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

namespace fs = std::filesystem;

constexpr float dialog_width = 920, dialog_height = 600, side_width = 210;
constexpr float size_width = 84, time_width = 132;
constexpr int page = 10;  // rows

/// Names of files may have any bytes.
std::string shown_name(std::string_view name) { return printable(name, name.size() + 1); }

std::string time_text(std::int64_t seconds) {
  if (seconds == 0) return {};
  const auto time = static_cast<std::time_t>(seconds);
  std::array<char, 32> text{};
  const std::tm* const local = std::localtime(&time);
  if (local == nullptr || std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", local) == 0) return {};
  return text.data();
}

void draw_folder(ImVec2 at, float size, Color color) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = at.y + size * 0.18F;
  list.AddRectFilled({at.x, top}, {at.x + size * 0.45F, top + size * 0.3F}, packed(color), size * 0.08F);
  list.AddRectFilled({at.x, top + size * 0.12F}, {at.x + size, at.y + size * 0.85F}, packed(color), size * 0.08F);
}

void small_heading(const Panel& panel, const char* text) {
  const WithFont small(panel.fonts.small);
  ImGui::TextColored(palette::dim, "%s", text);
}

// ---- at the left

void recent_entry(const Panel& panel, const RecentFile& file) {
  FileChoice& choice = panel.state.choice;
  const std::string name = shown_name(fs::path(file.path).filename().string());
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::PushID(file.path.c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(file.missing ? palette::dim : palette::text));
  const std::string text =
      file.missing ? fitted(name, room - ImGui::CalcTextSize(" (missing)").x) + " (missing)" : fitted(name, room);
  if (ImGui::Selectable((text + "##recent").c_str(), false, file.missing ? ImGuiSelectableFlags_Disabled : 0)) {
    choice.type(file.path, panel.commands);
    choice.accept(panel.commands);
  }
  ImGui::PopStyleColor();
  list_control(panel, "Recent " + name);
  hint(panel, shown_name(file.path) + (file.missing ? "\nThe file is missing" : ""));
  ImGui::PopID();
}

void side(const Panel& panel, const FilesSnapshot& files) {
  FileChoice& choice = panel.state.choice;
  small_heading(panel, "FOLDERS");
  for (const NamedFolder& place : files.places) {
    if (ImGui::Selectable(place.title.c_str(), choice.folder() == place.path))
      choice.enter(place.path, panel.commands, command::ListFolder::How::nearest);
    list_control(panel, place.title);
    hint(panel, shown_name(place.path));
  }
  if (choice.question().saves || files.recent.empty()) return;
  ImGui::Dummy({1, panel.px(8)});
  small_heading(panel, "RECENT FILES");
  for (const RecentFile& file : files.recent) recent_entry(panel, file);
}

// ---- the folder

/// Its parts are buttons; those at the left are left out where there is no room.
void breadcrumbs(const Panel& panel, float width) {
  FileChoice& choice = panel.state.choice;
  std::vector<fs::path> parts;
  for (fs::path each = fs::path(choice.folder()).lexically_normal(); !each.empty(); each = each.parent_path()) {
    if (each.has_filename() || each == each.root_path()) parts.push_back(each);
    if (each == each.parent_path()) break;
  }
  const auto title = [](const fs::path& part) {
    return part.has_filename() ? shown_name(part.filename().string()) : part.string();
  };
  const float gap = panel.px(3), padding = 2 * ImGui::GetStyle().FramePadding.x;
  std::size_t count = 0;
  for (float used = 0; count < parts.size(); ++count) {
    used += ImGui::CalcTextSize(title(parts[count]).c_str()).x + padding + gap;
    if (used > width && count > 0) break;
  }
  for (std::size_t i = count; i-- > 0;) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(Color{0, 0}));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(i == 0 ? palette::text : palette::dim));
    if (ImGui::Button(fitted(title(parts[i]), width - padding).c_str()) && i > 0)
      choice.enter(parts[i].string(), panel.commands);
    ImGui::PopStyleColor(2);
    ImGui::PopID();
    if (i > 0) ImGui::SameLine(0, gap);
  }
}

void folder_row(const Panel& panel) {
  FileChoice& choice = panel.state.choice;
  const float height = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x, made = panel.px(92);
  if (arrow(panel, "##up", ImGuiDir_Left, {height, height}, "Parent folder")) choice.enter_parent(panel.commands);
  ImGui::SameLine(0, gap);
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x - made - gap;
  breadcrumbs(panel, room);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(left + room + gap);
  if (button(panel, "New folder", made, "Create a folder here", choice.step() == FileChoice::Step::choosing))
    choice.name_new_folder();
}

void order_heading(const Panel& panel, const char* label, FolderOrder order, float width, bool right) {
  FileChoice& choice = panel.state.choice;
  const FolderView view = choice.view();
  const WithFont small(panel.fonts.small);
  const ImVec2 at = ImGui::GetCursorScreenPos(), text = ImGui::CalcTextSize(label);
  if (clickable(label, {width, ImGui::GetTextLineHeight() + panel.px(6)})) choice.sort_by(order);
  list_control(panel, label);
  const bool used = view.order == order;
  const Color ink = ImGui::IsItemHovered() ? palette::accent : used ? palette::text : palette::dim;
  const float x = right ? at.x + width - text.x - panel.px(14) : at.x;
  ImGui::GetWindowDrawList()->AddText({x, at.y + panel.px(3)}, packed(ink), label);
  if (used)
    draw_arrow(*ImGui::GetWindowDrawList(), {x + text.x + panel.px(8), at.y + panel.px(3) + text.y / 2}, panel.px(3),
               view.descending ? ImGuiDir_Down : ImGuiDir_Right, ink);
}

void entry_row(const Panel& panel, const FolderEntry& entry, std::uint32_t number, float width) {
  FileChoice& choice = panel.state.choice;
  const float height = ImGui::GetTextLineHeight() + panel.px(6), icon = panel.px(14);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool marked = choice.marked() == number;
  ImGui::PushID(static_cast<int>(number));
  const bool pressed = ImGui::Selectable("##entry", marked, ImGuiSelectableFlags_AllowDoubleClick, {width, height});
  const std::string name = shown_name(entry.name);
  list_control(panel, name);
  const float name_room = width - icon - panel.px(10) - panel.px(size_width) - panel.px(time_width);
  const std::string text = fitted(name, name_room);
  if (text.size() != name.size()) hint(panel, name);
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = at.y + std::round((height - ImGui::GetTextLineHeight()) / 2);
  if (entry.is_folder) draw_folder({at.x + panel.px(2), line}, icon, palette::accent);
  list.AddText({at.x + icon + panel.px(8), line}, packed(palette::text), text.c_str());
  const auto right = [&](float end, const std::string& value) {
    list.AddText({end - ImGui::CalcTextSize(value.c_str()).x, line}, packed(palette::dim), value.c_str());
  };
  if (!entry.is_folder) right(at.x + width - panel.px(time_width), bytes_text(static_cast<double>(entry.bytes)));
  right(at.x + width - panel.px(4), time_text(entry.modified));
  if (!pressed) return;
  choice.mark(number);
  if (ImGui::IsMouseDoubleClicked(0)) choice.accept(panel.commands);
}

void entries(const Panel& panel, const FilesSnapshot& files, const std::vector<std::uint32_t>& shown) {
  const FolderListing* const listing = files.listing.get();
  const float width = ImGui::GetContentRegionAvail().x;
  if (listing == nullptr) return wrapped_text("Reading the folder …", palette::dim);
  if (!listing->fault.empty()) wrapped_text(listing->fault + ".", palette::error);
  if (shown.empty() && listing->fault.empty()) {
    const bool all = listing->entries.empty() || panel.state.choice.shows_all_files();
    wrapped_text(all ? "No files" : "No matching files", palette::dim);
  }
  FileChoice& choice = panel.state.choice;
  const float height = ImGui::GetTextLineHeight() + panel.px(6) + ImGui::GetStyle().ItemSpacing.y;
  const auto marked = choice.marked() ? std::ranges::find(shown, *choice.marked()) : shown.end();
  if (choice.take_moved() && marked != shown.end()) {
    const float at = static_cast<float>(marked - shown.begin()) * height, seen = ImGui::GetWindowHeight() - 2 * height;
    if (at < ImGui::GetScrollY()) ImGui::SetScrollY(at);
    if (at > ImGui::GetScrollY() + seen) ImGui::SetScrollY(at - seen);
  }
  ImGuiListClipper rows;
  rows.Begin(static_cast<int>(shown.size()), height);
  while (rows.Step())
    for (int row = rows.DisplayStart; row < rows.DisplayEnd; ++row) {
      const std::uint32_t number = shown[static_cast<std::size_t>(row)];
      if (number < listing->entries.size()) entry_row(panel, listing->entries[number], number, width);
    }
  if (listing->cut) wrapped_text("The folder has more files: type part of the name.", palette::warning);
}

// ---- at the bottom

int field_event(ImGuiInputTextCallbackData* data) {
  const Panel& panel = *static_cast<const Panel*>(data->UserData);
  FileChoice& choice = panel.state.choice;
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) choice.complete(panel.commands);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory)
    choice.move_mark(data->EventKey == ImGuiKey_UpArrow ? -1 : +1);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit)
    choice.type(std::string(data->Buf, static_cast<std::size_t>(data->BufTextLen)), panel.commands);
  replace_text(*data, choice.text());
  return 0;
}

void name_field(const Panel& panel) {
  FileChoice& choice = panel.state.choice;
  const bool was_empty = choice.text().empty();
  std::string text = choice.text();
  const ImGuiID id = ImGui::GetID("##name");
  if (ImGui::GetActiveID() != id && !ImGui::IsMouseDown(0)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-FLT_MIN);
  const char* const ask = choice.step() == FileChoice::Step::naming ? "name of the new folder"
                          : choice.question().saves                 ? "name or path"
                                                                    : "part of a name or path";
  text_input(
      "##name", text,
      {.flags = ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_CallbackCompletion |
                ImGuiInputTextFlags_CallbackHistory | (choice.question().saves ? ImGuiInputTextFlags_AutoSelectAll : 0),
       .hint = ask,
       .callback = field_event,
       .user = const_cast<Panel*>(&panel)});
  list_control(panel, "Name");
  if (is_pressed(ImGuiKey_PageUp)) choice.move_mark(-page);
  if (is_pressed(ImGuiKey_PageDown)) choice.move_mark(+page);
  if (was_empty && is_pressed(ImGuiKey_Backspace) && choice.step() == FileChoice::Step::choosing)
    choice.enter_parent(panel.commands);
}

void ask_to_overwrite(const Panel& panel) {
  FileChoice& choice = panel.state.choice;
  const float width = panel.px(92), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(
      palette::warning, "%s",
      fitted(in_quotes(choice.text()) + " exists already. Replace it?", room - 2 * (width + gap)).c_str());
  ImGui::SameLine(left + room - 2 * width - gap);
  if (button(panel, "Keep", width, "Choose another name   (Esc)")) choice.step_back();
  ImGui::SameLine(0, gap);
  if (button(panel, "Replace", width, "Replace the file   (Enter)")) choice.accept(panel.commands);
}

void end_row(const Panel& panel) {
  FileChoice& choice = panel.state.choice;
  if (choice.step() == FileChoice::Step::overwriting) return ask_to_overwrite(panel);
  const bool naming = choice.step() == FileChoice::Step::naming;
  const float width = panel.px(92), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  if (!naming && !choice.question().extensions.empty()) {
    if (toggle(panel, "All files", choice.shows_all_files(), width, "Also list files of other kinds"))
      choice.show_all_files(!choice.shows_all_files());
    ImGui::SameLine(0, gap);
  }
  ImGui::AlignTextToFramePadding();
  const std::string left_text = choice.fault().empty() ? "" : choice.fault() + ".";
  ImGui::TextColored(palette::error, "%s", fitted(left_text, room - 3 * (width + gap)).c_str());
  ImGui::SameLine(left + room - 2 * width - gap);
  if (button(panel, "Cancel", width, naming ? "Back to the folder   (Esc)" : "Close   (Esc)")) choice.step_back();
  ImGui::SameLine(0, gap);
  const std::string verb = naming ? "Create" : choice.question().verb;
  if (button(panel, verb.c_str(), width, verb + "   (Enter)")) choice.accept(panel.commands);
}

void dialog_contents(const Panel& panel, const FilesSnapshot& files) {
  FileChoice& choice = panel.state.choice;
  const std::vector<std::uint32_t>& shown = choice.follow(files, panel.commands);
  if (!choice.is_open()) return;
  {
    const WithFont title(panel.fonts.heading);
    ImGui::TextUnformatted(choice.question().title.c_str());
  }
  ImGui::Dummy({1, panel.px(4)});
  const float text_rows =
      ImGui::CalcTextSize(choice.question().kinds.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y;
  const float foot = 2 * ImGui::GetFrameHeightWithSpacing() + text_rows + 3 * ImGui::GetStyle().ItemSpacing.y;
  const float room = std::max(panel.px(40), ImGui::GetContentRegionAvail().y - foot);
  const float narrow = ImGui::GetContentRegionAvail().x * 0.3F;
  if (ImGui::BeginChild("places", {std::min(panel.px(side_width), narrow), room})) side(panel, files);
  ImGui::EndChild();
  ImGui::SameLine(0, panel.px(14));
  ImGui::BeginGroup();
  folder_row(panel);
  const float width = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
  order_heading(panel, "Name", FolderOrder::name, width - panel.px(size_width) - panel.px(time_width), false);
  ImGui::SameLine(0, 0);
  order_heading(panel, "Size", FolderOrder::size, panel.px(size_width), true);
  ImGui::SameLine(0, 0);
  order_heading(panel, "Modified", FolderOrder::modified, panel.px(time_width), true);
  if (ImGui::BeginChild("entries", {0, ImGui::GetContentRegionAvail().y - foot}, false,
                        ImGuiWindowFlags_AlwaysVerticalScrollbar))
    entries(panel, files, shown);
  ImGui::EndChild();
  ImGui::EndGroup();
  wrapped_text(choice.question().kinds, palette::dim);
  if (choice.step() != FileChoice::Step::overwriting) name_field(panel);
  end_row(panel);
  if (enter_pressed()) choice.accept(panel.commands);
  if (escape_pressed()) choice.step_back();
}

void open_recent(const Panel& panel, const RecentFile& file) {
  const fs::path path(file.path);
  const std::string name = shown_name(path.filename().string());
  ImGui::PushID(file.path.c_str());
  const float left = ImGui::GetCursorPosX();
  if (ImGui::Selectable("##recent", false, file.missing ? ImGuiSelectableFlags_Disabled : 0,
                        {panel.px(360), ImGui::GetTextLineHeight()}))
    panel.send(command::OpenFile{file.path});
  list_control(panel, "File/" + name);
  hint(panel, file.path);
  ImGui::SameLine(left);
  ImGui::TextColored(file.missing ? palette::dim : palette::text, "%s", fitted(name, panel.px(200)).c_str());
  ImGui::SameLine(left + panel.px(208));
  ImGui::TextColored(palette::dim, "%s",
                     fitted(file.missing ? "missing" : shown_name(path.parent_path().string()), panel.px(152)).c_str());
  ImGui::PopID();
}

void menu_entry(const Panel& panel, const char* label, const char* keys, command::Command command) {
  const float left = ImGui::GetCursorPosX();
  if (ImGui::Selectable(label, false, 0, {panel.px(360), ImGui::GetTextLineHeight()}))
    panel.commands.push_back(std::move(command));
  list_control(panel, std::string("File/") + label);
  ImGui::SameLine(left + panel.px(360) - ImGui::CalcTextSize(keys).x);
  ImGui::TextColored(palette::dim, "%s", keys);
}

}  // namespace

void file_menu(const Panel& panel, const WindowSnapshot& snapshot, float width) {
  const FilesSnapshot& files = snapshot.files;
  if (button(panel, "File", width, "Open, save, recent files")) {
    panel.send(command::LookAtRecentFiles{});
    ImGui::OpenPopup("##files");
  }
  ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMin().y - panel.px(4)}, 0, {0, 1});
  if (!ImGui::BeginPopup("##files")) return;
  menu_entry(panel, "Open …", "Ctrl+O", command::AskToOpen{});
  menu_entry(panel, "Save the state", "Ctrl+S", command::Save{});
  menu_entry(panel, "Save the state as …", "Ctrl+Shift+S", command::AskToSave{});
  if (files.keeps_past) menu_entry(panel, "Save the past as …", "", command::AskToSave{true});
  menu_entry(panel, "Save the picture", "F12", command::SaveScreenshot{});
  menu_entry(panel, "Save the window with its panels", "Shift+F12", command::SaveScreenshot{true});
  ImGui::Separator();
  menu_entry(panel, snapshot.recording ? "End the film" : "Record a film of the picture", "F9",
             command::ToggleRecording{});
  if (snapshot.film_to_here > 0 && !snapshot.recording) {
    const std::string length = number(snapshot.film_to_here, 3) + " s of film";
    menu_entry(panel, "Record the run from its beginning", length.c_str(), command::RecordFromBeginning{});
  }
  ImGui::Separator();
  small_heading(panel, files.recent.empty() ? "NO RECENT FILES" : "RECENT FILES");
  for (const RecentFile& file : files.recent) open_recent(panel, file);
  ImGui::EndPopup();
}

void file_dialog(const Panel& panel, const FilesSnapshot& files) {
  FileChoice& choice = panel.state.choice;
  if (auto path = choice.take_answer(open_question)) panel.send(command::OpenFile{std::move(*path)});
  if (auto path = choice.take_answer(save_question)) panel.send(command::SaveState{std::move(*path)});
  choice.drop_answer();  // others have had their turn in this frame
  if (!choice.is_open()) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  shade({0x05070a, 0.6F}, "##behind the dialog");
  const ImVec2 size{std::min(panel.px(dialog_width), display.x - panel.px(24)),
                    std::min(panel.px(dialog_height), display.y - panel.px(24))};
  const StillWindow window("##file dialog",
                           {.at = {std::round((display.x - size.x) / 2), std::round((display.y - size.y) / 2)},
                            .size = {std::max(1.0F, size.x), std::max(1.0F, size.y)},
                            .padding = ImVec2{panel.px(18), panel.px(14)}});
  if (!window) return;
  panel.state.controls.section = "Files";
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  dialog_contents(panel, files);
  panel.state.controls.section.clear();
}

}  // namespace orrery::ui
