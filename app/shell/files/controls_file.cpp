#include "shell/files/controls_file.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/log.hpp"
#include "base/printable.hpp"

namespace orrery::shell {

ControlsFile::ControlsFile() {
  if (const char* file = std::getenv("ORRERY_CONTROLS")) file_ = file;
}

void ControlsFile::follow(const ui::ControlList& seen, const Moment& moment) {
  if (!wanted()) return;
  nlohmann::json places = nlohmann::json::object();
  for (const auto& [name, place] : seen.places) places[name] = {place.x, place.y, place.width, place.height};
  const glm::vec2 pointer = moment.pointer;
  nlohmann::json told = {{"clicks", seen.clicks}, {"places", places}, {"pointer", {pointer.x, pointer.y}}};
  told.update({{"preparing", moment.preparing}, {"keyboard", moment.keyboard}});
  told.update({{"moving", moment.moving}, {"complete", moment.complete}});
  std::string text = told.dump();
  if (text == written_) return;
  written_ = std::move(text);
  // Readers find a whole file. It changes with each frame in which the pointer moves: it is not flushed to the disk.
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
