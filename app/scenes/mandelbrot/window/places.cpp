#include "scenes/mandelbrot/window/places.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

constexpr const char* title_key = "Title";
constexpr int uploads_per_frame = 3;

fs::path bookmark_folder() {
  const fs::path state = state_folder();
  return state.empty() ? fs::path() : state / "places";
}

fs::path file_of(const std::string& id) { return bookmark_folder() / (id + ".png"); }

/// Names count up, so that they sort by creation.
std::string next_id() {
  std::error_code ignored;
  for (int number = 1;; ++number) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
    if (!fs::exists(file_of("place-" + digits), ignored)) return "place-" + digits;
  }
}

}  // namespace

MandelbrotPlaces::MandelbrotPlaces() : cards_(std::make_shared<Cards>()) {
  reading_.start([] { return std::make_shared<std::vector<Entry>>(read_all()); });
}

std::vector<MandelbrotPlaces::Entry> MandelbrotPlaces::read_all() {
  std::vector<Entry> entries;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(bookmark_folder(), ignored)) {
    if (file.path().extension() != ".png") continue;
    try {
      PngFile png = read_png(file.path());
      const std::string title = png.texts.contains(title_key) ? png.texts[title_key] : file.path().stem().string();
      entries.push_back({{.id = file.path().stem().string(), .title = title, .text = png.texts["span"], .own = true},
                         std::move(png.image),
                         std::move(png.texts),
                         {}});
    } catch (const Error& error) {  // not a bookmark
      log(Level::warning, error.what());
    }
  }
  std::ranges::sort(entries, std::ranges::greater{}, [](const Entry& entry) { return entry.card.id; });
  for (const mandelbrot::Location& location : mandelbrot::locations()) {
    Entry entry{{.id = location.name, .title = location.title, .text = location.text}, {}, {}, {}};
    const fs::path picture = asset_folder() / "pictures" / "places" / (location.name + ".png");
    if (fs::exists(picture, ignored)) entry.picture = read_png(picture).image;
    entries.push_back(std::move(entry));
  }
  return entries;
}

void MandelbrotPlaces::update() {
  if (auto read = reading_.poll()) {
    for (Entry& entry : **read) entries_.push_back(std::move(entry));
    refresh_cards();
  }
  int uploaded = 0;
  for (Entry& entry : entries_)
    if (entry.picture.width > 0 && uploaded++ < uploads_per_frame) upload(entry);
  if (uploaded > 0) refresh_cards();
}

void MandelbrotPlaces::upload(Entry& entry) {
  entry.texture = gl::picture_texture(entry.picture);
  entry.card.texture = entry.texture.name();
  entry.picture = {};
}

void MandelbrotPlaces::refresh_cards() {
  auto cards = std::make_shared<Cards>();
  for (const Entry& entry : entries_) cards->push_back(entry.card);
  cards_ = std::move(cards);
}

std::optional<ImageTexts> MandelbrotPlaces::bookmark(const std::string& id) const {
  for (const Entry& entry : entries_)
    if (entry.card.id == id && entry.card.own) return entry.texts;
  return std::nullopt;
}

void MandelbrotPlaces::add(std::string title, Image picture, ImageTexts texts) {
  const fs::path folder = bookmark_folder();
  if (folder.empty()) throw failure("there is no folder for bookmarks", "set XDG_STATE_HOME to a writable folder");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw failure("cannot create " + folder.string() + ": " + error.message());
  texts[title_key] = title;
  const std::string id = next_id();
  write_png(file_of(id), picture, texts);  // small enough to be written within a frame
  entries_.insert(entries_.begin(), Entry{{.id = id, .title = std::move(title), .text = texts["span"], .own = true},
                                          std::move(picture),
                                          std::move(texts),
                                          {}});
  refresh_cards();
}

void MandelbrotPlaces::remove(const std::string& id) {
  const auto found = std::ranges::find_if(entries_, [&](const Entry& e) { return e.card.id == id && e.card.own; });
  if (found == entries_.end()) return;
  std::error_code error;
  fs::remove(file_of(id), error);
  if (error) throw failure("cannot remove " + file_of(id).string() + ": " + error.message());
  entries_.erase(found);
  refresh_cards();
}

}  // namespace orrery
