#include "ui/search.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {
namespace {

// A beginning of a word counts more than the first letters of as many words.
constexpr int of_letter = 1, of_neighbour = 9, of_word_start = 8, of_beginning = 2;
constexpr int of_recent = 3;  // so that of two entries that match alike, the one that was used comes first
constexpr int unreachable = -1'000'000;

char small(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool is_of_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || (letter & 0x80) != 0; }

bool begins_word(std::string_view text, std::size_t at) {
  return is_of_word(text[at]) && (at == 0 || !is_of_word(text[at - 1]));
}

/// Scores one word. ending[k] is the best score of the letters so far, the last of which is the title's k-th. A letter
/// follows the one before it, or begins a word; only a word that is found as a whole may begin anywhere.
std::optional<int> word_score(std::string_view word, std::string_view title) {
  const auto bonus = [&](std::size_t i, std::size_t k) {
    return of_letter + (begins_word(title, k) ? of_word_start : 0) + (i == 0 && k == 0 ? of_beginning : 0);
  };
  std::vector<int> ending(title.size(), 0), whole(title.size(), 0);  // of words in pieces, and of those in one
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::vector<int> before = ending, whole_before = whole;
    int best = unreachable;  // of the letters before this one, which end before the title's k-th
    for (std::size_t k = 0; k < title.size(); ++k) {
      const bool matches = small(word[i]) == small(title[k]), begins = begins_word(title, k);
      const int apart = !begins ? unreachable : i == 0 ? 0 : best;
      const bool follows = i > 0 && k > 0;
      const int beside = follows ? before[k - 1] + of_neighbour : unreachable;
      const int anywhere = i == 0 ? 0 : follows ? whole_before[k - 1] + of_neighbour : unreachable;
      ending[k] = matches ? std::max(apart, beside) + bonus(i, k) : unreachable;
      whole[k] = matches ? anywhere + bonus(i, k) : unreachable;
      best = std::max(best, before[k]);
    }
  }
  int best = unreachable;
  for (const int score : ending) best = std::max(best, score);
  for (const int score : whole) best = std::max(best, score);
  return best > 0 ? std::optional(best) : std::nullopt;
}

bool is_same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return small(x) == small(y); });
}

/// The better of title and other name; a title counts more.
std::optional<int> score_of(const SearchEntry& entry, std::string_view typed) {
  const auto by_title = match_score(typed, entry.title);
  const auto by_other = is_same(typed, entry.also) ? match_score(typed, entry.also) : std::nullopt;
  return by_other ? std::max(by_other, by_title) : by_title;
}

/// A text that a parameter of that type could be set to: no word of its title.
bool is_like_value(const ParameterView& parameter, std::string_view text) {
  if (text.empty()) return false;
  if (std::holds_alternative<bool>(parameter.value)) return text == "on" || text == "off";
  if (std::holds_alternative<std::string>(parameter.value) && !parameter.info.decimal) return false;
  const std::string_view minus = "\u2212";
  return text == "auto" || text.starts_with(minus) ||
         std::string_view("0123456789+-.,").find(text.front()) != std::string_view::npos;
}

struct ValueMatch {
  int score;
  std::string value;
};

/// "softening 0.01", "dt=0.1": the beginning matches the parameter, the rest is its value. After the whole title, any
/// rest is. Choices are entries of their own.
std::optional<ValueMatch> match_with_value(const SearchEntry& entry, std::string_view typed) {
  if (entry.parameter == nullptr || !entry.parameter->info.choices.empty()) return std::nullopt;
  for (std::size_t at = typed.find_first_of(" =:"); at < typed.size(); at = typed.find_first_of(" =:", at + 1)) {
    const std::string_view head = trimmed(typed.substr(0, at)), value = trimmed(typed.substr(at + 1));
    const bool whole = is_same(head, entry.title) || is_same(head, entry.also);
    if (head.empty() || value.empty() || !(whole || is_like_value(*entry.parameter, value))) continue;
    if (const auto score = score_of(entry, head)) return ValueMatch{*score, std::string(value)};
  }
  return std::nullopt;
}

/// How the list names the key; a row of several keys names them all.
std::string key_text(const KeyBinding& binding) {
  if (binding.title.empty()) return std::string(binding.shown);
  const std::string held = binding.modifiers.control ? "Ctrl+" : "";
  constexpr std::array<std::pair<Key, std::string_view>, 6> names{{{Key::left, "Left"},
                                                                   {Key::right, "Right"},
                                                                   {Key::up, "Up"},
                                                                   {Key::down, "Down"},
                                                                   {key('='), "+"},
                                                                   {key('-'), "−"}}};
  const auto named = std::ranges::find(names, binding.key, [](const auto& row) { return row.first; });
  return held + (named != names.end() ? std::string(named->second) : std::string(1, static_cast<char>(binding.key)));
}

void add_parameters(SearchEntries& entries, const SceneSnapshot& scene) {
  for (const ParameterView& parameter : scene.parameters) {
    const ParameterInfo& info = parameter.info;
    if (info.label.empty()) continue;
    std::string title(info.label), also(info.name);
    if (info.place == ParameterPlace::law) std::swap(title, also);  // each law may have a parameter of that label
    entries.push_back({.kind = "Parameter",
                       .title = std::move(title),
                       .detail = shown_value(info, parameter.value),
                       .also = std::move(also),
                       .parameter = &parameter});
    if (std::holds_alternative<bool>(parameter.value))
      entries.back().command = command::ToggleParameter{std::string(info.name)};
  }
}

void add_choices(SearchEntries& entries, const SceneSnapshot& scene) {
  for (const ParameterView& parameter : scene.parameters)
    for (const Choice& choice : parameter.info.choices) {
      const std::string name(choice.name);
      entries.push_back({.kind = "Choice",
                         .title = std::string(parameter.info.label) + ": " + title_of(parameter.info, name),
                         .detail = parameter.value == Value(name) ? "chosen" : "",
                         .command = command::SetParameter{std::string(parameter.info.name), name}});
    }
}

void add_keys(SearchEntries& entries, KeyBindings keys) {
  for (const KeyBinding& each : keys)
    if (!each.title.empty() || !each.help.empty())
      entries.push_back({.kind = each.action ? "Action" : "Mouse",
                         .title = std::string(each.title.empty() ? each.help : each.title),
                         .detail = key_text(each),
                         .command = each.action});
}

/// Adds the actions that no key does.
void add_actions(SearchEntries& entries, const WindowSnapshot& snapshot) {
  entries.push_back(
      {.kind = "Action", .title = "Measure the device's peak rates", .command = command::MeasureCeilings{}});
  entries.push_back(
      {.kind = "Action", .title = "Export the timeline as a trace", .command = command::ExportTimeline{}});
  entries.push_back({.kind = "Action", .title = "Start fresh: reset all scenes", .command = command::StartFresh{}});
  if (snapshot.film_to_here > 0 && !snapshot.recording)
    entries.push_back({.kind = "Action",
                       .title = "Record the run from its beginning",
                       .detail = number(snapshot.film_to_here, 3) + " s of film",
                       .command = command::RecordFromBeginning{}});
  if (snapshot.files.keeps_past)
    entries.push_back({.kind = "Action", .title = "Save the past", .command = command::AskToSave{true}});
  entries.push_back({.kind = "Action", .title = "Dark or light theme", .command = command::ToggleTheme{}});
  entries.push_back({.kind = "Action",
                     .title = "Wait for the display between frames",
                     .detail = snapshot.vsync ? "on" : "off",
                     .command = command::SetVsync{!snapshot.vsync}});
}

void add_scenes(SearchEntries& entries, const WindowSnapshot& snapshot) {
  for (const SceneEntry& scene : snapshot.scenes)
    entries.push_back({.kind = "Scene",
                       .title = std::string(scene.title),
                       .detail = scene.name == snapshot.scene.name ? "shown" : "",
                       .command = command::SelectScene{std::string(scene.name)}});
  for (const SceneEntry& scene : snapshot.scenes)
    for (const std::string_view action : scene.name == snapshot.scene.name ? decltype(scene.actions)() : scene.actions)
      entries.push_back({.kind = "Scene",
                         .title = std::string(action),
                         .detail = "in " + std::string(scene.title),
                         .command = command::SelectScene{std::string(scene.name)}});
  for (const SceneEntry& scene : snapshot.scenes)
    for (const std::string_view parameter : scene.parameters)
      entries.push_back({.kind = "Parameter",
                         .title = std::string(parameter),
                         .detail = "in " + std::string(scene.title),
                         .command = command::SelectScene{std::string(scene.name)}});
}

void add_files(SearchEntries& entries, const WindowSnapshot& snapshot) {
  if (snapshot.presets)
    for (const Card& preset : *snapshot.presets)
      entries.push_back({.kind = "Preset", .title = preset.title, .command = command::OpenFile{preset.id}});
  for (const TourEntry& tour : snapshot.tours)
    entries.push_back({.kind = "Guided tour", .title = "Tour: " + tour.title, .command = command::OpenFile{tour.file}});
}

void add_devices(SearchEntries& entries, const WindowSnapshot& snapshot) {
  for (const PlatformInfo& platform : snapshot.platforms)
    for (const DeviceInfo& device : platform.devices) {
      if (!device.fault.empty()) continue;
      const bool used = std::ranges::find(snapshot.members, device.id, &DeviceInfo::id) != snapshot.members.end();
      entries.push_back({.kind = "Device",
                         .title = device.name,
                         .detail = used ? "in use" : platform.name,
                         .command = command::SelectDevices{{device.id}}});
    }
}

}  // namespace

SearchEntries search_entries(const WindowSnapshot& snapshot) {
  SearchEntries entries;
  add_parameters(entries, snapshot.scene);
  for (const SceneEntry& scene : snapshot.scenes)
    if (scene.name == snapshot.scene.name) add_keys(entries, scene.keys);
  add_keys(entries, snapshot.keys);
  add_actions(entries, snapshot);
  add_scenes(entries, snapshot);
  add_files(entries, snapshot);
  panels_of(snapshot.scene).search_entries(entries);
  add_choices(entries, snapshot.scene);
  add_devices(entries, snapshot);
  // Entries are grouped by kind; kinds are in the order of their first entry.
  std::vector<std::string> kinds;
  for (const SearchEntry& entry : entries)
    if (std::ranges::find(kinds, entry.kind) == kinds.end()) kinds.push_back(entry.kind);
  std::ranges::stable_sort(entries, {}, [&](const SearchEntry& e) { return std::ranges::find(kinds, e.kind); });
  return entries;
}

std::optional<int> match_score(std::string_view typed, std::string_view title) {
  int sum = 0;
  for (std::string_view rest = trimmed(typed); !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const auto score = word_score(rest.substr(0, end), title);
    if (!score) return std::nullopt;
    sum += *score;
    rest = trimmed(rest.substr(end));
  }
  return sum;
}

std::string name_of(const SearchEntry& entry) { return entry.kind + ": " + entry.title; }

std::vector<SearchMatch> ranked(std::span<const SearchEntry> entries, std::string_view typed,
                                std::span<const std::string> recent) {
  const std::string_view text = trimmed(typed);
  const auto place = [&](const SearchEntry& entry) { return std::ranges::find(recent, name_of(entry)); };
  std::vector<SearchMatch> matches;
  if (text.empty()) {
    for (const std::string& name : recent)
      if (const auto used = std::ranges::find(entries, name, name_of); used != entries.end())
        matches.push_back({.entry = &*used, .recent = true});
    for (const SearchEntry& entry : entries) matches.push_back({.entry = &entry});
    return matches;
  }
  std::vector<std::pair<int, SearchMatch>> found;
  for (const SearchEntry& entry : entries) {
    const int bonus = place(entry) != recent.end() ? of_recent : 0;
    if (const auto score = score_of(entry, text))
      found.emplace_back(*score + bonus, SearchMatch{&entry});
    else if (auto with_value = match_with_value(entry, text))
      found.emplace_back(with_value->score + bonus, SearchMatch{&entry, std::move(with_value->value)});
  }
  // Where scores are equal, the word covers more of the shorter title.
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second.entry->title.size() < b.second.entry->title.size();
  });
  for (auto& [score, match] : found) matches.push_back(std::move(match));
  return matches;
}

}  // namespace orrery::ui
