// Files that are dropped onto the window: read in the background, taken over when they are found good.
#include "base/log.hpp"
#include "shell/application.hpp"

namespace orrery::shell {

void Application::handle(const FileDrop& event) {
  if (event.paths.empty()) return;
  notices_.show("Reading " + short_name(event.paths.front()));
  dropped_.start([kinds = kinds_, paths = event.paths] { return examine_dropped(kinds, paths); });
}

void Application::follow_drops() {
  try {
    if (const auto dropped = dropped_.poll()) take(*dropped);
  } catch (const std::exception& error) {
    notices_.show(error.what());
  }
}

// Of [window] only the scene: the window stays as it is, on its device.
void Application::take(const DroppedFile& file) {
  load_scenes(file.state, scenes_);
  loaded_ = merged(loaded_, file.state);
  if (!file.scene.empty()) select_scene(file.scene);
  const bool left = sessions_.left() && sessions_.left()->state == file.path;
  std::string notice = left ? "Restored the session of " + sessions_.left()->when : "Loaded " + short_name(file.path);
  if (!file.contents.empty()) notice = file.contents + " from " + short_name(file.path);
  if (left) sessions_.go_on_from_left();
  for (const std::string& unknown : file.unknown) {
    log(Level::warning, file.path + ": unknown " + unknown + ", kept");
    notice += "; unknown " + unknown;
  }
  notices_.show(std::move(notice));
  note_edited_kernels(file.state);
}

}  // namespace orrery::shell
