#include "shell/tools/stats_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "compute/device/device_list.hpp"
#include "shell/tools/kernel_table.hpp"

namespace orrery::shell {
namespace {

using Json = nlohmann::ordered_json;

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

void write_stats(const std::filesystem::path& path, const RunStats& stats) {
  const bool measured = stats.measured_seconds > 0;
  const FrameTimes frames = measured ? stats.clock.latest(stats.measured_seconds) : stats.clock.whole_run();
  const double seconds = measured ? stats.measured_seconds : std::numeric_limits<double>::max();
  const SceneSnapshot seen = stats.scene != nullptr ? stats.scene->snapshot() : SceneSnapshot{};
  OpenDevices* const open = stats.devices;
  Json document = {
      {"device", open != nullptr ? Json(names_of(open->devices())) : Json()},
      {"interop", open != nullptr && open->sharing().shared ? "shared" : "copied"},
      {"interop_reason", open != nullptr ? open->sharing().reason : "no device"},
      {"bytes_copied_per_frame", seen.bytes_copied},
      {"frames", stats.clock.counted()},
      {"frame_ms", {{"p50", frames.p50_ms}, {"p95", frames.p95_ms}, {"p99", frames.p99_ms}, {"max", frames.max_ms}}},
      {"pictures_per_second", stats.clock.pictures_per_second(seconds)},
      {"kernels", Json::array()},
      {"scene", seen.name},
      {"renderer", stats.renderer},
      {"first_frame_seconds", stats.clock.first_frame()},
      {"first_picture_seconds", stats.clock.first_picture()},
      {"kernels_built_seconds", stats.clock.first_running() ? Json(*stats.clock.first_running()) : Json()},
      {"kernel_edits", edits_of(stats.editor)}};
  document["left_session"] = stats.left_session.empty() ? Json() : Json(stats.left_session.string());
  document["tuner"] = as_json(stats.tuner);
  if (seen.add_statistics) seen.add_statistics(document);
  const auto kernels = open != nullptr ? kernel_statistics(*open) : std::vector<KernelStatistics>();
  document["device_busy"] = number_or_null(use_told_by(kernels).busy());
  document["opengl_busy"] = number_or_null(stats.drawing);
  for (const KernelStatistics& kernel : kernels)
    document["kernels"].push_back({{"name", kernel.name},
                                   {"file", kernel.file},
                                   {"modified", kernel.modified},
                                   {"launches", kernel.launches},
                                   {"busy", number_or_null(kernel.busy_share)},
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
  write_file(path, document.dump(2) + "\n");
}

}  // namespace orrery::shell
