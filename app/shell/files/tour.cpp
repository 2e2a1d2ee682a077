#include "shell/files/tour.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "shell/files/document.hpp"

namespace orrery::shell {
namespace {

namespace fs = std::filesystem;

constexpr FileKind tour_kind{"a tour", std::uint64_t{1} << 20};
constexpr std::size_t most_tour_steps = 100, longest_caption = 1000, longest_tour_title = 100;
constexpr double most_tour_seconds = 3600;

class TourReader {
 public:
  TourReader(SceneKinds kinds, const std::string& file) : kinds_(kinds), file_(file), trial_(make_scenes(kinds)) {}

  Tour read(const toml::table& document) {
    Tour tour;
    know(document, {"title", "about", "step"});
    tour.title = text(document, "title", longest_tour_title, true);
    tour.about = text(document, "about", longest_caption, false);
    const toml::array* const steps = document["step"].as_array();
    if (steps == nullptr || steps->empty() || steps->size() > most_tour_steps)
      throw usage_error("the number of steps", std::to_string(steps == nullptr ? 0 : steps->size()),
                        "1 to " + std::to_string(most_tour_steps) + " tables [[step]]", place(document));
    for (const toml::node& step : *steps) {
      const toml::table* const table = step.as_table();
      if (table == nullptr) throw usage_error("a step", {}, "expected a table [[step]]", place(step));
      tour.steps.push_back(read_step(*table, tour.steps.empty() ? TourStep() : tour.steps.back()));
    }
    return tour;
  }

 private:
  std::string place(const toml::node& node) const { return place_of(file_, node.source()); }

  void know(const toml::table& table, std::vector<std::string> known) const {
    for (const auto& [key, node] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      for (const std::string& each : known)
        if (is_misspelt(key.str(), each))
          throw usage_error("unknown key " + in_quotes(key.str()) + "; did you mean " + each + "?", {}, {},
                            place_of(file_, key.source()));
      throw usage_error("a key", std::string(key.str()), "one of " + joined(known, " | "),
                        place_of(file_, key.source()));
    }
  }

  std::string text(const toml::table& table, const char* key, std::size_t longest, bool needed) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr && needed)
      throw usage_error("the key " + std::string(key) + " is missing", {}, "expected a text in quotes", place(table));
    if (node == nullptr) return {};
    const auto* value = node->as_string();
    if (value == nullptr || (needed && is_blank(value->get())) || value->get().size() > longest)
      throw usage_error(key, {}, "expected a text of 1 to " + std::to_string(longest) + " bytes", place(*node));
    return value->get();
  }

  bool flag(const toml::table& table, const char* key) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) return false;
    if (const auto* value = node->as_boolean()) return value->get();
    throw usage_error(key, {}, "expected true or false", place(*node));
  }

  double seconds(const toml::table& table) const {
    const toml::node* const node = table.get("seconds");
    if (node == nullptr) return 0;
    const auto value = node->value<double>();
    if (!node->is_number() || !value || !(*value >= 1 && *value <= most_tour_seconds))
      throw usage_error("seconds", value ? shortest(*value) : std::string(), "a number from 1 to 3600", place(*node));
    return *value;
  }

  std::string scene(const toml::table& table, const TourStep& before) const {
    const toml::node* const node = table.get("scene");
    if (node == nullptr && !before.scene.empty()) return before.scene;
    const std::string name = text(table, "scene", longest_tour_title, true);
    if (find_kind(kinds_, name) == nullptr)
      throw usage_error("scene", name, names_of(kinds_, &SceneKind::name), place(*node));
    return name;
  }

  TourStep read_step(const toml::table& table, const TourStep& before) {
    std::vector<std::string> known{"caption", "scene", "seconds", "restart", "look_at"};
    for (const SceneKind* kind : kinds_) known.emplace_back(kind->name);
    know(table, known);
    TourStep step;
    step.caption = text(table, "caption", longest_caption, true);
    step.scene = scene(table, before);
    step.seconds = seconds(table);
    step.restart = flag(table, "restart");
    step.look_at = text(table, "look_at", longest_tour_title, false);
    step.state = before.state;
    for (const SceneKind* kind : kinds_)
      if (const toml::node* const node = table.get(kind->name)) {
        const toml::table* const keys = node->as_table();
        if (keys == nullptr) throw usage_error(std::string(kind->name), {}, "expected a table", place(*node));
        step.state = merged(step.state, {{std::string(kind->name), section_of(*kind, *keys)}});
      }
    for (const auto& [name, section] : step.state) try {
        find_scene(trial_, name)->load(section);
      } catch (const Error& error) {
        refuse(error, table);
      }
    return step;
  }

  /// Tries each key alone, so that an error has its position.
  StateSection section_of(const SceneKind& kind, const toml::table& keys) const {
    StateSection section;
    const std::unique_ptr<Scene> trial = kind.make(kind);
    for (const auto& [key, node] : keys) {
      StateSection one{{std::string(key.str()), state_value(file_, key.str(), node)}};
      try {
        if (!trial->load(one).empty())
          throw usage_error("the scene " + std::string(kind.name) + " has no key", std::string(key.str()), {},
                            place_of(file_, key.source()));
      } catch (const Error& error) {
        refuse(error, node);
      }
      section.push_back(std::move(one.front()));
    }
    return section;
  }

  [[noreturn]] void refuse(const Error& error, const toml::node& at) const {
    ErrorDetails details = error.details();
    if (details.where.empty()) details.where = place(at);
    throw Error(error.fault(), std::move(details));
  }

  SceneKinds kinds_;
  const std::string& file_;
  Scenes trial_;
};

fs::path tour_folder() { return asset_folder() / "tours"; }

}  // namespace

Tour parse_tour(SceneKinds kinds, const std::string& text, const std::string& file) {
  return TourReader(kinds, file).read(parse_toml(text, file));
}

Tour read_tour(SceneKinds kinds, const fs::path& path) {
  return parse_tour(kinds, read_file(path, tour_kind), path.string());
}

TourStep beginning_of(const Tour& tour, const Scenes& scenes) {
  TourStep first = tour.steps.front();
  for (const auto& [name, section] : tour.steps.back().state)
    if (Scene* const scene = find_scene(scenes, name)) {
      scene->apply(command::ResetCamera{});
      first.state[name] = merged({{name, scene->untouched()}}, first.state)[name];
    }
  return first;
}

std::vector<TourEntry> known_tours() {
  std::vector<TourEntry> tours;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(tour_folder(), ignored)) {
    if (file.path().extension() != ".toml") continue;
    try {
      const toml::table document = parse_toml(read_file(file.path(), tour_kind), file.path().string());
      tours.push_back(
          {file.path().string(), document["title"].value_or(std::string()), document["about"].value_or(std::string())});
    } catch (const std::exception&) {  // skipped: opening it reports the error
    }
  }
  std::ranges::sort(tours, {}, &TourEntry::file);
  return tours;
}

fs::path find_tour(const std::string& name_or_path) {
  const fs::path path(name_or_path);
  std::error_code ignored;
  if (path.extension() == ".toml" || fs::is_regular_file(path, ignored)) return path;
  std::string names;
  for (const TourEntry& tour : known_tours()) {
    const std::string name = fs::path(tour.file).stem().string();
    if (name == name_or_path) return tour.file;
    names += (names.empty() ? "" : " | ") + name;
  }
  throw usage_error("--tour", name_or_path, names + ", or a .toml file");
}

void TourGuide::begin(Tour tour, Before before, double now) {
  if (auto* walk = std::get_if<Walk>(&phase_)) before = std::move(walk->before);
  phase_ = Walk{std::move(tour), std::move(before), 0, now};
}

const TourStep* TourGuide::go(int direction, double now) {
  auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr) return nullptr;
  const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(walk->at) + direction;
  if (to < 0 || to >= std::ssize(walk->tour.steps)) return nullptr;
  walk->at = static_cast<std::size_t>(to);
  walk->since = now;
  return &walk->tour.steps[walk->at];
}

void TourGuide::touched(double now) {
  if (auto* walk = std::get_if<Walk>(&phase_)) walk->since = now;
}

bool TourGuide::due(double now) const {
  const auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr || walk->at + 1 >= walk->tour.steps.size()) return false;
  const double seconds = walk->tour.steps[walk->at].seconds;
  return seconds > 0 && now - walk->since >= seconds;
}

void TourGuide::close() {
  auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr) return;
  phase_ = Left{std::move(walk->before), walk->tour.steps.back().state};
}

std::optional<std::pair<StateTables, std::string>> TourGuide::leave(bool back) {
  const auto* left = std::get_if<Left>(&phase_);
  if (left == nullptr) return std::nullopt;
  const Left end = *left;
  phase_ = {};
  if (!back || !end.before.state) return std::nullopt;
  StateTables state = end.before.state();
  std::erase_if(state, [&](const auto& table) { return !end.changed.contains(table.first); });
  return std::pair(std::move(state), end.before.scene);
}

TourSnapshot TourGuide::snapshot(double now) const {
  TourSnapshot seen;
  seen.left = offers();
  const auto* walk = std::get_if<Walk>(&phase_);
  if (walk == nullptr) return seen;
  const TourStep& step = walk->tour.steps[walk->at];
  seen.title = walk->tour.title;
  seen.caption = step.caption;
  seen.step = walk->at;
  seen.steps = walk->tour.steps.size();
  seen.look_at = step.look_at;
  const bool last = walk->at + 1 == walk->tour.steps.size();
  if (step.seconds > 0 && !last) seen.wait = std::clamp((now - walk->since) / step.seconds, 0.0, 1.0);
  return seen;
}

}  // namespace orrery::shell
