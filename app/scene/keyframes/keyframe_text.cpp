#include "scene/keyframes/keyframe_text.hpp"

#include <sstream>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery::keyframes {
namespace {

std::string place_of(std::size_t k) { return "keyframe " + std::to_string(k + 1); }

}  // namespace

std::vector<std::vector<std::string>> words_of(std::string_view text) {
  std::vector<std::vector<std::string>> all;
  for (const std::string_view part : split_text(text, ';')) {
    std::istringstream stream{std::string(part)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(std::move(word));
    if (!words.empty()) all.push_back(std::move(words));
  }
  if (all.size() > most_keyframes)
    throw usage_error("--camera-path", std::to_string(all.size()) + " keyframes",
                      "at most " + std::to_string(most_keyframes));
  return all;
}

double time_of(const std::vector<std::string>& words, std::size_t k, double before) {
  const auto time = parse_real(words.front());
  if (!time || !(*time >= 0 && *time <= longest_path) || !(*time > before))
    throw usage_error("time of " + place_of(k), words.front(),
                      "seconds from 0 to " + grouped(static_cast<std::int64_t>(longest_path)) +
                          (k > 0 ? ", above " + shortest(before) : ""),
                      "--camera-path");
  return *time;
}

void assign_words(const std::vector<std::string>& words, std::size_t k, std::span<Parameter> rows, std::size_t least) {
  if (words.size() - 1 < least || words.size() - 1 > rows.size()) {
    std::string names = "time";
    for (const Parameter& row : rows) names += " " + std::string(row.info().name);
    throw usage_error("words of " + place_of(k), std::to_string(words.size()) + " words", names, "--camera-path");
  }
  for (std::size_t i = 1; i < words.size(); ++i) try {
      rows[i - 1].assign_text(words[i]);
    } catch (const Error& error) {
      throw usage_error(std::string(rows[i - 1].info().name) + " of " + place_of(k), words[i], error.details().advice,
                        "--camera-path");
    }
}

std::string words_text(std::span<const Parameter> rows) {
  std::string text;
  for (const Parameter& row : rows) text += " " + value_text(row.info(), row.value());
  return text;
}

}  // namespace orrery::keyframes
