#include "shell/files/controls_file.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "base/log.hpp"

namespace orrery::shell {

ControlsFile::ControlsFile() {
  if (const char* file = std::getenv("ORRERY_CONTROLS")) file_ = file;
}

void ControlsFile::follow(const ui::ControlList& seen) {
  if (!wanted() || (seen.places == written_ && seen.clicks == clicks_)) return;
  written_ = seen.places;
  clicks_ = seen.clicks;
  nlohmann::json places = nlohmann::json::object();
  for (const auto& [name, place] : seen.places) places[name] = {place.x, place.y, place.width, place.height};
  try {
    write_file(file_, nlohmann::json{{"clicks", clicks_}, {"places", places}}.dump());
  } catch (const std::exception& error) {
    log(Level::warning, error.what());
    file_.clear();
  }
}

}  // namespace orrery::shell
