// Files: screenshots, state and statistics.
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/trace_file.hpp"
#include "shell/application.hpp"

namespace orrery::shell {
namespace {

using Json = nlohmann::ordered_json;

std::string time_stamp() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", std::localtime(&now));
  return text.data();
}

// The present folder may not be ours to write.
std::string saved(const std::string& name, const std::function<void(const std::filesystem::path&)>& write) {
  try {
    write(name);
    return "Saved " + name;
  } catch (const Error&) {
    const auto path = state_folder() / name;
    write(path);
    return "Saved " + path.string();
  }
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json candidate(const TunerSnapshot& tuner, const TuneValues& values) {
  const auto found = std::ranges::find(tuner.entries, values, &TuneEntry::values);
  if (found == tuner.entries.end()) return {};
  const auto index = static_cast<std::size_t>(found - tuner.entries.begin());
  const double limit = index < tuner.limits.size() ? tuner.limits[index] : 0;
  return {{"values", tuner.space.named(values)},
          {"median_seconds", found->median},
          {"limit_seconds", limit > 0 ? Json(limit) : Json()},
          {"runs", found->seconds.size()}};
}

Json as_json(const TunerSnapshot& tuner) {
  if (tuner.space.axes.empty()) return {};
  Json states = Json::object();
  for (const TuneEntry& entry : tuner.entries) {
    Json& count = states[std::string(name_of(entry.state))];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return {{"kernel", tuner.kernel},
          {"problem", tuner.problem},
          {"running", tuner.running},
          {"complete", tuner.complete},
          {"stale", tuner.stale},
          {"states", states},
          {"default", candidate(tuner, tuner.standard)},
          {"best", candidate(tuner, tuner.best)},
          {"auto", candidate(tuner, tuner.automatic)},
          {"in_use", tuner.in_use.empty() ? Json() : Json(tuner.space.named(tuner.in_use))}};
}

Json edits_of(const EditorSnapshot& editor) {
  Json edits = {
      {"in_use", Json::array()}, {"refused", Json::array()}, {"kept", Json::array()}, {"errors", Json::array()}};
  for (const KernelFile& file : editor.files) {
    if (file.modified) edits["in_use"].push_back(file.name);
    if (file.refused) edits["refused"].push_back(file.name);
    if (file.offered) edits["kept"].push_back(file.name);
  }
  for (const CompilerMessage& message : editor.messages)
    if (message.kind == CompilerMessage::Kind::error)
      edits["errors"].push_back({{"file", message.file}, {"line", message.line}, {"text", message.text}});
  return edits;
}

}  // namespace

Image Application::read_back() const {
  const glm::ivec2 size = window_.framebuffer();
  Image image(static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y));
  std::vector<std::uint8_t> rows(image.rgb.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, size.x, size.y, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
  const std::size_t row = 3 * static_cast<std::size_t>(size.x);
  for (std::size_t y = 0; y < image.height; ++y)
    std::copy_n(rows.data() + (image.height - 1 - y) * row, row, image.rgb.data() + y * row);
  return image;
}

void Application::save_screenshot() {
  saving_.start([image = read_back()] {
    return saved("orrery-" + time_stamp() + ".png", [&](const auto& path) { write_png(path, image); });
  });
}

void Application::save_trace() {
  saving_.start([view = timeline_.exported()] {
    return saved("orrery-trace-" + time_stamp() + ".json", [&](const auto& path) { write_trace(path, view); });
  });
}

StateSection Application::window_section() const {
  const std::vector<DeviceInfo> devices = devices_.devices() != nullptr ? devices_.devices()->devices() : DeviceInfos();
  const bool parts = !devices.empty() && devices.front().parts > 1;
  StateSection section{{"scene", std::string(scene_ != nullptr ? scene_->kind().name : "")},
                       {"device", devices.empty() ? std::string() : devices.front().name},
                       {"devices", devices.size() > 1 && !parts ? list_of(devices) : std::string()},
                       {"split", std::int64_t{parts ? devices.front().parts : 1}},
                       {"width", std::int64_t{window_.size().x}},
                       {"height", std::int64_t{window_.size().y}},
                       {"vsync", options_.vsync}};
  std::string edited;
  for (const std::string& file : edited_kernels_) edited += (edited.empty() ? "" : ",") + file;
  if (!edited.empty()) section.emplace_back(edited_kernels_key, edited);
  return section;
}

State Application::state() const {
  State present{{"window", window_section()}};
  for (const auto& scene : scenes_) present[std::string(scene->kind().name)] = scene->save();
  return merged(loaded_, present);
}

// Every few seconds, so that no end of the process loses more.
void Application::keep_session() {
  if (const auto fault = sessions_.poll()) notices_.warn(*fault);
  if (devices_.devices() == nullptr || !sessions_.due(now_seconds())) return;
  using Copy = std::function<StateSection()>;
  std::vector<std::pair<std::string, Copy>> copies;
  for (const auto& scene : scenes_) copies.emplace_back(scene->kind().name, scene->copy());
  sessions_.keep(now_seconds(), [older = loaded_, window = window_section(), copies = std::move(copies)] {
    State present{{"window", window}};
    for (const auto& [name, copy] : copies) present[name] = copy();
    return merged(older, present);
  });
}

void Application::write_stats() const {
  const FrameTimes frames = clock_.whole_run();
  const SceneSnapshot seen = scene_ != nullptr ? scene_->snapshot() : SceneSnapshot{};
  OpenDevices* const open = devices_.devices();
  Json document = {
      {"device", open != nullptr ? Json(names_of(open->devices())) : Json()},
      {"interop", open != nullptr && open->sharing().shared ? "shared" : "copied"},
      {"interop_reason", open != nullptr ? open->sharing().reason : "no device"},
      {"bytes_copied_per_frame", seen.bytes_copied},
      {"frames", clock_.count()},
      {"frame_ms", {{"p50", frames.p50_ms}, {"p95", frames.p95_ms}, {"p99", frames.p99_ms}, {"max", frames.max_ms}}},
      {"kernels", Json::array()},
      {"scene", seen.name},
      {"renderer", window_.renderer()},
      {"first_frame_seconds", first_frame_},
      {"first_picture_seconds", first_picture_},
      {"kernel_edits", edits_of(editor_.snapshot())}};
  document["left_session"] = sessions_.left() ? Json(sessions_.left()->file().string()) : Json();
  document["tuner"] = as_json(tuner_.snapshot());
  if (scene_ != nullptr) scene_->add_statistics(document);
  std::vector<KernelStatistics> kernels;
  if (open != nullptr) {
    kernels = open->queue().profiler().statistics();
    name_sources(kernels, open->queue(), open->programs());
  }
  for (const KernelStatistics& kernel : kernels)
    document["kernels"].push_back({{"name", kernel.name},
                                   {"file", kernel.file},
                                   {"modified", kernel.modified},
                                   {"launches", kernel.launches},
                                   {"median_us", number_or_null(kernel.median_us)},
                                   {"p90_us", number_or_null(kernel.p90_us)},
                                   {"p99_us", number_or_null(kernel.p99_us)},
                                   {"spread", number_or_null(kernel.spread)},
                                   {"first_launches", kernel.first_launches},
                                   {"untimed", kernel.untimed},
                                   {"throttled", kernel.is_throttled()},
                                   {"noisy", kernel.is_noisy()},
                                   {"operations_per_second", number_or_null(kernel.operations_per_second)},
                                   {"bytes_per_second", number_or_null(kernel.bytes_per_second)}});
  write_file(options_.stats, document.dump(2) + "\n");
}

// One that cannot be written costs none of the others.
void Application::write_files_on_leaving() {
  std::exception_ptr first;
  const auto write = [&](bool wanted, auto&& file) {
    try {
      if (wanted) file();
    } catch (const std::exception& error) {
      log(Level::error, error.what());
      if (!first) first = std::current_exception();
    }
  };
  write(!options_.stats.empty(), [&] { write_stats(); });
  const TimelineView seen =
      options_.trace.empty() ? TimelineView{} : timeline_.timeline().view();  // of the same moment
  write(!options_.save_state.empty(), [&] {
    devices_.copy_to_host();
    write_state(options_.save_state, state());
  });
  write(!options_.trace.empty(), [&] { write_trace(options_.trace, seen); });
  if (first) std::rethrow_exception(first);
}

}  // namespace orrery::shell
