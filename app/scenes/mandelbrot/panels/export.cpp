#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/files/path.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/parameter_widget.hpp"
#include "ui/text_input.hpp"

namespace orrery::ui {
namespace {

constexpr double largest_side = 65536, most_samples = 4096, longest_film = 1e5, highest_rate = 240, widest_span = 1000;

bool size_rows(const Panel& panel, ExportForm& form) {
  const auto side = [&](std::string_view name, std::string_view label, std::int64_t& value) {
    return Parameter({.name = name, .label = label, .help = "in pixels", .minimum = 1, .maximum = largest_side},
                     &value);
  };
  std::array size{side("export-width", "Width", form.width), side("export-height", "Height", form.height)};
  std::array samples{Parameter({.name = "export-samples",
                                .label = "Samples",
                                .help = "samples per pixel, averaged in colour",
                                .minimum = 1,
                                .maximum = most_samples},
                               &form.samples)};
  const bool size_refused = form_row(panel, "Size", "Width and height in pixels", size);
  return form_row(panel, "Samples", "Samples per pixel, averaged in colour", samples) || size_refused;
}

void path_row(const Panel& panel, const char* label, const std::string& help, FileQuestion question,
              std::string& path) {
  const float browse = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::PushID(label);
  label_row(panel, label, help + ". A name without a folder is saved in " + pictures_folder().string());
  ImGui::SetNextItemWidth(-browse - gap);
  text_input("##path", path);
  if (!path.empty()) hint(panel, "Will be saved as " + among_pictures(path).string());
  ImGui::SameLine(0, gap);
  question.name = std::filesystem::path(path).filename().string();
  if (auto chosen = browse_button(panel, std::move(question), browse)) path = std::move(*chosen);
  ImGui::PopID();
}

Decimal last_span(const MandelbrotSnapshot& view) { return Decimal::parse(view.span, "the span"); }

/// The film's first frame has this span: unless it is set, the frame shows the whole set.
Decimal first_span(const MandelbrotSnapshot& view, const ExportForm& form) {
  const Decimal whole(3.0), last = last_span(view);
  return form.from_span.value_or(last < whole ? whole : (last * 2).significant(2));
}

bool film_rows(const Panel& panel, const MandelbrotSnapshot& view, ExportForm& form) {
  const Decimal shown = first_span(view, form);
  Decimal from = shown;
  constexpr std::string_view least_span = "1e-99990";
  std::array span{Parameter({.name = "film-span",
                             .label = "From span",
                             .help = "span of the first frame",
                             .maximum = widest_span,
                             .least = least_span},
                            &from)};
  const auto time = [](std::string_view name, std::string_view label, std::string_view help, double most,
                       double& value) {
    return Parameter({.name = name, .label = label, .help = help, .maximum = most, .above_minimum = true}, &value);
  };
  std::array times{time("film-seconds", "Seconds", "duration in seconds", longest_film, form.seconds),
                   time("film-rate", "Rate", "frames per second", highest_rate, form.rate)};
  bool refused = form_row(panel, "From span", "Span of the first frame; the film ends at the present view", span);
  if (from != shown) form.from_span = from;
  if (!refused && !(last_span(view) < from)) {
    refused = true;
    refusal(panel,
            "Expected more than the span of the last frame (present view), " + last_span(view).significant(4).text());
  }
  return form_row(panel, "Seconds, rate", "Duration in seconds, and frames per second", times) || refused;
}

std::string time_left(double seconds) {
  if (!(seconds > 0)) return {};
  constexpr double minute = 60, hour = 3600;
  const auto [unit, name] = seconds < 2 * minute ? std::pair{1.0, " s"}
                            : seconds < 2 * hour ? std::pair{minute, " min"}
                                                 : std::pair{hour, " h"};
  return number(std::ceil(seconds / unit)) + name + " left";
}

/// "23 %, 40 s left"
std::string how_far(const ExportSnapshot& exported) {
  const std::string left = time_left(exported.seconds_left);
  return percent(exported.progress) + (left.empty() ? "" : ", " + left);
}

void progress(const Panel& panel, const ExportSnapshot& exported) {
  split_line(panel, "Saving " + exported.what, palette::text, how_far(exported), palette::text);
  if (!exported.detail.empty()) line_of_text(panel, capitalised(exported.detail), palette::dim);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.px(3)};
  ImGui::Dummy(size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float share = static_cast<float>(std::clamp(exported.progress, 0.0, 1.0));
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(palette::field), size.y / 2);
  list.AddRectFilled(at, {at.x + size.x * share, at.y + size.y}, packed(palette::accent), size.y / 2);
  if (button(panel, "Cancel", -FLT_MIN, "Cancel; nothing is saved")) panel.send_to_scene(command::CancelExport{});
}

/// Two lines in the picture show what the export will hold of it, where that is less high; it is as wide.
void frame_in_picture(const Panel& panel, const ExportForm& form) {
  constexpr float pixels = 2;  // of the height, by which shapes count as equal
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Rect picture = picture_area(panel.state, display.x, display.y, panel.fonts.scale);
  const float height = picture.width * static_cast<float>(form.height) / static_cast<float>(form.width);
  const float above = (picture.height - height) / 2;
  if (std::abs(above) < pixels) return;
  const WithFont small(panel.fonts.small);
  line_of_text(panel, above > 0 ? "The lines frame the saved picture" : "The saved picture shows more above and below",
               palette::dim);
  if (above < 0) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float thick = std::max(1.0F, panel.px(1));
  for (const float y : {picture.y + above, picture.y + picture.height - above}) {
    const ImVec2 low{picture.x, std::round(y) - thick}, high{picture.x + picture.width, std::round(y) + thick};
    list.PushClipRect(low, high);
    list.AddRectFilled(low, {high.x, high.y - thick}, IM_COL32(0, 0, 0, 200));
    list.AddRectFilled({low.x, low.y + thick}, high, IM_COL32(255, 255, 255, 200));
    list.PopClipRect();
  }
}

command::ExportPicture picture_of(const ExportForm& form) {
  return {form.picture_file, form.width, form.height, form.samples};
}

command::ExportFilm film_of(const MandelbrotSnapshot& view, const ExportForm& form) {
  const std::string from = first_span(view, form).text();
  return {form.film_file, form.width, form.height, form.samples, from, form.seconds, form.rate};
}

}  // namespace

void export_panel(const Panel& panel, const MandelbrotSnapshot& view, ExportForm& form, bool open_at_first) {
  const ExportSnapshot& exported = view.exported;
  const bool busy = !exported.what.empty();
  const std::string summary = busy ? exported.what + "   " + percent(exported.progress) : std::string();
  constexpr const char* title = "Export";
  if (busy && !form.was_busy) panel.state.sections.revealed = title;  // as the search may do in another scene
  form.was_busy = busy;
  if (!section(panel, title, summary, open_at_first)) return;
  if (busy) return progress(panel, exported);
  const bool size_refused = size_rows(panel, form);
  frame_in_picture(panel, form);
  path_row(panel, "Picture",
           "File: .png (contains the view), .ppm, .npy (values of ν, one sample per pixel) or .exr (ν and distances)",
           {.id = "picture",
            .title = "Choose the file of the picture",
            .verb = "Choose",
            .saves = true,
            .extensions = {".png", ".ppm", ".npy", ".exr"},
            .kinds = "Pictures: .png (contains the view), .ppm, .npy (values of ν) or .exr (ν and distances)"},
           form.picture_file);
  if (button(panel, "Save picture", -FLT_MIN, "Save a picture of the present view in the background",
             !form.picture_file.empty() && !size_refused))
    panel.send_to_scene(picture_of(form));
  path_row(panel, "Film", "File: .mp4 and others (needs ffmpeg), or a folder for numbered pictures",
           {.id = "film",
            .title = "Choose the file of the film",
            .verb = "Choose",
            .saves = true,
            .extensions = {".mp4", ".mkv", ".webm", ".mov", ".avi", ".gif"},
            .kinds = "Films: .mp4, .mkv, .webm, .mov, .avi, .gif"},
           form.film_file);
  const bool film_refused = film_rows(panel, view, form) || size_refused;
  if (button(panel, "Save film", -FLT_MIN, "Save a zoom film that ends at the present view",
             !form.film_file.empty() && !film_refused))
    panel.send_to_scene(film_of(view, form));
  if (!exported.result.empty()) wrapped_text(exported.result, exported.failed ? palette::error : palette::dim);
}

void export_entries(SearchEntries& entries, const MandelbrotSnapshot& view, const ExportForm& form) {
  const ExportSnapshot& exported = view.exported;
  if (!exported.what.empty()) {
    entries.push_back({.kind = "Action",
                       .title = "Cancel saving " + exported.what,
                       .detail = how_far(exported),
                       .command = command::of_scene(command::CancelExport{})});
    return;
  }
  const std::string size = std::to_string(form.width) + " × " + std::to_string(form.height);
  if (!form.picture_file.empty())
    entries.push_back({.kind = "Action",
                       .title = "Save picture",
                       .detail = form.picture_file + ", " + size,
                       .command = command::of_scene(picture_of(form))});
  if (!form.film_file.empty())
    entries.push_back({.kind = "Action",
                       .title = "Save film",
                       .detail = form.film_file + ", " + size + ", " + number(form.seconds) + " s",
                       .command = command::of_scene(film_of(view, form))});
}

}  // namespace orrery::ui
