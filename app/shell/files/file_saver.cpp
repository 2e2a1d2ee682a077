#include "shell/files/file_saver.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/folder.hpp"
#include "base/files/path.hpp"
#include "base/files/trace_file.hpp"
#include "base/log.hpp"

namespace orrery::shell {
namespace {

namespace fs = std::filesystem;

constexpr double finish_timeout = 60;  // seconds

std::string time_stamp() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", std::localtime(&now));
  return text.data();
}

/// "orrery-momentum-p" for "Momentum |p|".
std::string stem_of(const std::string& title) {
  std::string name = "orrery-";
  for (const char c : title) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain)
      name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    else if (name.back() != '-')
      name += '-';
  }
  if (name.back() == '-') name.pop_back();
  return name;
}

// Claims the name first, so that nothing is overwritten; removes the file if it stays empty.
SavedFile saved_in(const fs::path& folder, const std::string& stem, const char* extension,
                   const std::function<void(const fs::path&)>& write) {
  const fs::path path = claim_free_name(folder, stem + "-" + time_stamp(), extension);
  try {
    write(path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(path, ignored);
    throw;
  }
  return {path};
}

// Saves into the user's pictures folder, or into the state folder if that is not writable.
SavedFile saved(const std::string& stem, const char* extension, const std::function<void(const fs::path&)>& write) {
  try {
    return saved_in(pictures_folder(), stem, extension, write);
  } catch (const Error&) {
    return saved_in(state_folder(), stem, extension, write);
  }
}

}  // namespace

fs::path new_picture_name(const std::string& stem, const char* extension) {
  const std::string name = stem + "-" + time_stamp();
  try {
    return claim_free_name(pictures_folder(), name, extension);
  } catch (const Error&) {
    return claim_free_name(state_folder(), name, extension);
  }
}

void FileSaver::save_screenshot(Image image, StateSource state) {
  const fs::path file = std::exchange(screenshot_file_, {});
  start(file, [image = std::move(image), state = std::move(state), to = file] {
    PictureState carried = state ? picture_state(state()) : PictureState();
    const auto write = [&](const fs::path& path) {
      write_png(path, image, carried.texts, std::move(carried.attachment));
    };
    SavedFile file{to};
    to.empty() ? void(file = saved("orrery", ".png", write)) : write(to);
    file.left_out = carried.left_out;
    return file;
  });
}

void FileSaver::save_table(const std::string& title, std::string text) {
  start({}, [stem = stem_of(title), text = std::move(text)] {
    return saved(stem, ".csv", [&](const auto& path) { write_file(path, text); });
  });
}

void FileSaver::save_plot(const std::string& title, Image image) {
  start({}, [stem = stem_of(title), image = std::move(image)] {
    return saved(stem, ".png", [&](const auto& path) { write_png(path, image, {}); });
  });
}

void FileSaver::save_trace(TimelineView view) {
  start({}, [view = std::move(view)] {
    return saved("orrery-trace", ".json", [&](const auto& path) { write_trace(path, view); });
  });
}

void FileSaver::save_state(fs::path path, StateSource state, bool is_document) {
  progress_ = std::make_shared<ReadingProgress>(path, "saving");
  start(path, [path, state = std::move(state), is_document, progress = progress_] {
    write_state(path, state(), [&](double part) { progress->tell(part); });
    return SavedFile{path, is_document};
  });
}

void FileSaver::save_of_scene(fs::path path, SceneWriter write) {
  progress_ = std::make_shared<ReadingProgress>(path, "saving");
  start(path, [path, write = std::move(write), progress = progress_] {
    write(path, [&](double part) { progress->tell(part); });
    return SavedFile{path};
  });
}

void FileSaver::start(const fs::path& path, std::function<SavedFile()> save) {
  std::function<SavedFile()> told = [path, save = std::move(save)] {
    try {
      return save();
    } catch (const std::exception& error) {
      SavedFile file{path};
      file.fault = as_error(error);
      return file;
    }
  };
  if (saving_.busy()) return waiting_.push_back(std::move(told));
  saving_.start(std::move(told));
}

std::optional<SavedFile> FileSaver::poll() {
  std::optional<SavedFile> done = saving_.poll();
  if (!saving_.busy() && !waiting_.empty()) {
    saving_.start(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  return done;
}

void FileSaver::finish() {
  for (const double began = now_seconds(); saving_.busy() && now_seconds() - began < finish_timeout;) {
    const auto done = poll();
    if (done && done->fault) log(Level::error, done->fault->what());
    if (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace orrery::shell
