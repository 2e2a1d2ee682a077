#include "shell/files/controls_file.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/log.hpp"
#include "base/printable.hpp"
#include "ui/search.hpp"

namespace orrery::shell {
namespace {

nlohmann::json row_of(const ui::SearchEntry& entry) {
  nlohmann::json row{{"kind", entry.kind}, {"title", entry.title}, {"acts", entry.command.has_value()}};
  if (entry.parameter == nullptr) return row;
  const ParameterInfo& info = entry.parameter->info;
  const Value& value = entry.parameter->value;
  if (const auto* text = std::get_if<std::string>(&value)) row["value"] = *text;
  if (const auto* flag = std::get_if<bool>(&value)) row["value"] = *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) row["value"] = *whole;
  if (const auto* real = std::get_if<double>(&value)) row["value"] = *real;
  row.update({{"name", info.name}, {"minimum", info.minimum}, {"maximum", info.maximum}, {"auto", info.automatic}});
  row["view"] = info.place == ParameterPlace::view;
  row["choices"] = nlohmann::json::array();
  for (const Choice& choice : info.choices) row["choices"].push_back(choice.name);
  return row;
}

nlohmann::json keys_of(const WindowSnapshot& window) {
  nlohmann::json keys = nlohmann::json::array();
  const auto add = [&](KeyBindings bindings) {
    for (const KeyBinding& each : bindings)
      if (each.action)
        keys.push_back({static_cast<int>(each.key), each.modifiers.control, each.modifiers.alt, each.modifiers.shift});
  };
  add(window.keys);
  for (const SceneEntry& scene : window.scenes)
    if (scene.name == window.scene.name) add(scene.keys);
  return keys;
}

std::uint64_t launches_of(const SceneSnapshot& scene) {
  std::uint64_t launches = 0;
  for (const KernelStatistics& kernel : scene.kernels) launches += kernel.launches;
  return launches;
}

}  // namespace

void ControlsFile::Told::follow(std::vector<std::string> texts) {
  constexpr std::size_t most = 20;
  for (const std::string& text : texts)
    if (!text.empty() && std::ranges::find(shown, text) == shown.end()) last.emplace_back(++count, text);
  while (last.size() > most) last.pop_front();
  shown = std::move(texts);
}

ControlsFile::ControlsFile() {
  if (const char* file = std::getenv("ORRERY_CONTROLS")) file_ = file;
}

void ControlsFile::follow(const ui::UiState& ui, const WindowSnapshot& window, const Moment& moment) {
  if (!wanted()) return;
  notices_.follow({window.notice.text});
  faults_.follow({window.scene.fault});
  std::vector<std::string> failures;
  for (const Failure& each : window.failures) failures.push_back(each.title + ". " + each.text);
  failures_.follow(std::move(failures));
  const ui::ControlList& seen = ui.controls;
  nlohmann::json places = nlohmann::json::object();
  for (const auto& [name, place] : seen.places) places[name] = {place.x, place.y, place.width, place.height};
  const glm::vec2 pointer = moment.pointer;
  nlohmann::json told = {{"clicks", seen.clicks}, {"places", places}, {"pointer", {pointer.x, pointer.y}}};
  told.update({{"preparing", moment.preparing}, {"keyboard", moment.keyboard}, {"led", ui.keyboard}});
  told.update({{"moving", moment.moving}, {"complete", !window.scene.work.idle.empty()}});
  told.update({{"idle", window.scene.work.idle}, {"scene", window.scene.name}, {"scale", ui.look.scale}});
  told.update({{"launches", launches_of(window.scene)}, {"device", window.device_name}});
  told.update({{"undo", window.edits.undo}, {"redo", window.edits.redo}, {"left", window.left_session.when}});
  told.update({{"document", window.files.document}, {"tour", window.tour.steps}, {"keys", keys_of(window)}});
  told.update({{"notice", window.notice.text},
               {"notices", notices_.last},
               {"faults", faults_.last},
               {"failures", failures_.last},
               {"rows", nlohmann::json::array()}});
  for (const ui::SearchEntry& entry : ui::search_entries(window)) told["rows"].push_back(row_of(entry));
  std::string text = told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text == written_) return;
  written_ = std::move(text);
  // Readers find a whole file. It changes in each frame with pointer motion, so it is not flushed to the disk.
  const std::filesystem::path part = file_.string() + ".part";
  std::error_code error;
  if (std::ofstream(part) << written_ << std::flush) {
    std::filesystem::rename(part, file_, error);
  } else {
    error = std::make_error_code(std::errc::io_error);
  }
  if (!error) return;
  log(Level::warning, "cannot write " + in_quotes(file_.string()) + ": " + error.message());
  file_.clear();
}

}  // namespace orrery::shell
