#include "shell/files/file_saver.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>

#include "base/error.hpp"
#include "base/files/file.hpp"
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

/// "orrery-momentum-p-20261124-231600", of "Momentum |p|".
std::string file_name(const std::string& title) {
  std::string name = "orrery-";
  for (const char c : title) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain)
      name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    else if (name.back() != '-')
      name += '-';
  }
  return name + (name.back() == '-' ? "" : "-") + time_stamp();
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

void FileSaver::save_table(const std::string& title, std::string text) {
  saving_.start([name = file_name(title), text = std::move(text)] {
    return saved(name + ".csv", [&](const auto& path) { write_file(path, text); });
  });
}

void FileSaver::save_plot(const std::string& title, Image image) {
  saving_.start([name = file_name(title), image = std::move(image)] {
    return saved(name + ".png", [&](const auto& path) { write_png(path, image, {}); });
  });
}

void FileSaver::save_trace(TimelineView view) {
  saving_.start([view = std::move(view)] {
    return saved("orrery-trace-" + time_stamp() + ".json", [&](const auto& path) { write_trace(path, view); });
  });
}

}  // namespace orrery::shell
