#include "shell/files/file_opener.hpp"

#include <utility>

#include "base/printable.hpp"

namespace orrery::shell {

void FileOpener::open(SceneKinds kinds, std::vector<std::string> paths) {
  cancel();
  name_ = paths.size() == 1 ? printable(short_name(paths.front())) : std::to_string(paths.size()) + " files";
  progress_ = std::make_shared<ReadingProgress>(paths.front());
  opening_.start([kinds, paths = std::move(paths), progress = progress_] {
    return examine_dropped(kinds, paths, [&](double part) { progress->tell(part); });
  });
}

void FileOpener::bring_back(std::function<DroppedFile()> work) {
  cancel();
  opening_.start(std::move(work));
}

void FileOpener::cancel() {
  if (progress_) progress_->cancel();
  progress_.reset();
  opening_.forget();
}

}  // namespace orrery::shell
