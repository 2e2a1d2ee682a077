#include "shell/files/controls_file.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "base/log.hpp"

namespace orrery::shell {

ControlsFile::ControlsFile() {
  if (const char* file = std::getenv("ORRERY_CONTROLS")) file_ = file;
}

void ControlsFile::follow(const std::map<std::string, ui::Rect>& places) {
  if (!wanted() || places == written_) return;
  written_ = places;
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, place] : places) all[name] = {place.x, place.y, place.width, place.height};
  try {
    write_file(file_, all.dump());
  } catch (const std::exception& error) {
    log(Level::warning, error.what());
    file_.clear();
  }
}

}  // namespace orrery::shell
