#include "shell/files/file_saver.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/trace_file.hpp"

namespace orrery::shell {
namespace {

std::string time_stamp() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", std::localtime(&now));
  return text.data();
}

// In the present folder, or in the state folder where the present one cannot be written.
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

}  // namespace

void FileSaver::save_screenshot(Image image, StateSource state) {
  saving_.start([image = std::move(image), state = std::move(state)] {
    const ImageTexts texts = state ? state_texts(state()) : ImageTexts();
    return saved("orrery-" + time_stamp() + ".png", [&](const auto& path) { write_png(path, image, texts); });
  });
}

void FileSaver::save_trace(TimelineView view) {
  saving_.start([view = std::move(view)] {
    return saved("orrery-trace-" + time_stamp() + ".json", [&](const auto& path) { write_trace(path, view); });
  });
}

}  // namespace orrery::shell
