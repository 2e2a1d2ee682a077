#include "shell/files/controls_file.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "base/log.hpp"

namespace orrery::shell {

ControlsFile::ControlsFile() {
  if (const char* file = std::getenv("ORRERY_CONTROLS")) file_ = file;
}

void ControlsFile::follow(const ui::ControlList& seen, const std::string& preparing) {
  if (!wanted() || (seen.places == places_ && seen.clicks == clicks_ && preparing == preparing_)) return;
  places_ = seen.places;
  clicks_ = seen.clicks;
  preparing_ = preparing;
  nlohmann::json places = nlohmann::json::object();
  for (const auto& [name, place] : seen.places) places[name] = {place.x, place.y, place.width, place.height};
  try {
    write_file(file_, nlohmann::json{{"clicks", clicks_}, {"places", places}, {"preparing", preparing_}}.dump());
  } catch (const std::exception& error) {
    log(Level::warning, error.what());
    file_.clear();
  }
}

}  // namespace orrery::shell
