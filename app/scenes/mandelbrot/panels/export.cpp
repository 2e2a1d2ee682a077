#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "base/files/path.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr std::int64_t largest_side = 65536;
constexpr std::int64_t most_samples = 4096;

void number_field(const char* id, std::int64_t& value, std::int64_t most, float width) {
  ImGui::SetNextItemWidth(width);
  number_input(id, value);
  value = std::clamp<std::int64_t>(value, 1, most);
}

void size_row(const Panel& panel, MandelbrotUi& ui) {
  label_row(panel, "Size", "Width and height in pixels, each up to 65536");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
  number_field("##width", ui.width, largest_side, width);
  ImGui::SameLine(0, gap);
  number_field("##height", ui.height, largest_side, -FLT_MIN);
  label_row(panel, "Samples", "Samples per pixel, averaged in colour");
  number_field("##samples", ui.samples, most_samples, -FLT_MIN);
}

void path_row(const Panel& panel, const char* label, const std::string& help, FileQuestion question,
              std::string& path) {
  const float browse = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::PushID(label);
  label_row(panel, label, help + ". A name without a folder is in " + pictures_folder().string());
  ImGui::SetNextItemWidth(-browse - gap);
  text_input("##path", path);
  if (!path.empty()) hint(panel, "Will be saved as " + among_pictures(path).string());
  ImGui::SameLine(0, gap);
  question.name = std::filesystem::path(path).filename().string();
  if (auto chosen = browse_button(panel, std::move(question), browse)) path = std::move(*chosen);
  ImGui::PopID();
}

void film_rows(const Panel& panel, MandelbrotUi& ui) {
  label_row(panel, "From span", "Span of the first frame; the film ends at the present view");
  text_input("##span", ui.film_span);
  label_row(panel, "Seconds, rate", "Duration in seconds, and frames per second");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
  number_field("##seconds", ui.film_seconds, 100000, width);
  ImGui::SameLine(0, gap);
  number_field("##rate", ui.film_rate, 240, -FLT_MIN);
}

void progress(const Panel& panel, const ExportSnapshot& exported) {
  const std::string left = exported.detail.empty() ? "Saving " + exported.what : exported.detail;
  split_line(panel, left, palette::text, percent(exported.progress), palette::text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.px(3)};
  ImGui::Dummy(size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float share = static_cast<float>(std::clamp(exported.progress, 0.0, 1.0));
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(palette::field), size.y / 2);
  list.AddRectFilled(at, {at.x + size.x * share, at.y + size.y}, packed(palette::accent), size.y / 2);
  if (button(panel, "Cancel", -FLT_MIN, "Cancel; nothing is saved")) panel.send_to_scene(command::CancelExport{});
}

}  // namespace

void export_panel(const Panel& panel, const MandelbrotSnapshot& view, MandelbrotUi& ui, bool open_at_first) {
  const ExportSnapshot& exported = view.exported;
  const bool busy = !exported.what.empty();
  if (!section(panel, "Export", busy ? percent(exported.progress) : std::string(), open_at_first)) return;
  if (busy) return progress(panel, exported);
  size_row(panel, ui);
  path_row(panel, "Picture", "File: .png (contains the view), .ppm, or .npy (values of ν, one sample per pixel)",
           {.id = "picture",
            .title = "Choose the file of the picture",
            .verb = "Choose",
            .saves = true,
            .extensions = {".png", ".ppm", ".npy"},
            .kinds = "Pictures: .png (contains the view), .ppm, or .npy (values of ν)"},
           ui.picture_file);
  if (button(panel, "Save picture", -FLT_MIN, "Save a picture of the present view in the background",
             !ui.picture_file.empty()))
    panel.send_to_scene(command::ExportPicture{ui.picture_file, ui.width, ui.height, ui.samples});
  path_row(panel, "Film", "File: .mp4 and others (needs ffmpeg), or a folder for numbered pictures",
           {.id = "film",
            .title = "Choose the file of the film",
            .verb = "Choose",
            .saves = true,
            .extensions = {".mp4", ".mkv", ".webm", ".mov", ".avi", ".gif"},
            .kinds = "Films: .mp4, .mkv, .webm, .mov, .avi, .gif"},
           ui.film_file);
  film_rows(panel, ui);
  if (button(panel, "Save film", -FLT_MIN, "Save a zoom film that ends at the present view", !ui.film_file.empty()))
    panel.send_to_scene(command::ExportFilm{ui.film_file, ui.width, ui.height, ui.samples, ui.film_span,
                                            static_cast<double>(ui.film_seconds), static_cast<double>(ui.film_rate)});
  if (!exported.result.empty()) wrapped_text(exported.result, exported.failed ? palette::error : palette::dim);
}

}  // namespace orrery::ui
