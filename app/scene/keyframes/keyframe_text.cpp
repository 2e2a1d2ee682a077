#include "scene/keyframes/keyframe_text.hpp"

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery::keyframes {
namespace {

std::string place_of(std::size_t k) { return "keyframe " + std::to_string(k + 1); }

// "dt | softening"
std::string names_of_followers(std::span<const Parameter> rows) {
  std::vector<std::string_view> names;
  for (const Parameter& row : rows)
    if (can_follow_path(row.info(), row.value())) names.push_back(row.info().name);
  return joined(names, " | ");
}

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

bool takes(const ParameterView& row, double value) try {
  check_value(row.info, row.value, value);
  return can_follow_path(row.info, row.value);
} catch (const Error&) {
  return false;
}

std::vector<RowValue> values_of(const std::vector<std::string>& rows, std::span<const ParameterView> present) {
  std::vector<RowValue> values;
  for (const ParameterView& each : present)
    if (const auto* value = std::get_if<double>(&each.value);
        value && std::ranges::find(rows, each.info.name) != rows.end())
      values.push_back({std::string(each.info.name), *value});
  std::ranges::sort(values, {}, &RowValue::row);
  return values;
}

std::vector<RowValue> take_values(std::vector<std::string>& words, std::size_t k) {
  const auto first = std::ranges::find_if(words, [](const std::string& word) { return word.find('=') != word.npos; });
  std::vector<RowValue> values;
  for (auto word = first; word != words.end(); ++word) {
    const std::size_t equals = word->find('=');
    const std::string row = word->substr(0, equals);
    const auto value = equals != word->npos ? parse_real(std::string_view(*word).substr(equals + 1)) : std::nullopt;
    if (!value || row.empty())
      throw usage_error("value of " + place_of(k), *word, "NAME=NUMBER, as in softening=0.05", "--camera-path");
    if (std::ranges::find(values, row, &RowValue::row) != values.end())
      throw usage_error("value of " + place_of(k), *word, "one value of " + row, "--camera-path");
    values.push_back({row, *value});
  }
  words.erase(first, words.end());
  std::ranges::sort(values, {}, &RowValue::row);
  return values;
}

void check_values(const std::vector<RowValue>& values, std::size_t k, std::span<const Parameter> rows) {
  for (const RowValue& each : values) {
    const auto row = std::ranges::find(rows, each.row, [](const Parameter& row) { return row.info().name; });
    if (row == rows.end() && each.row.find('/') != each.row.npos) continue;
    if (row == rows.end() || !can_follow_path(row->info(), row->value()))
      throw usage_error("row of " + place_of(k), each.row, names_of_followers(rows), "--camera-path");
    try {
      check_value(row->info(), row->value(), each.value);
    } catch (const Error& error) {
      throw usage_error(each.row + " of " + place_of(k), shortest(each.value), error.details().advice, "--camera-path");
    }
  }
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

std::string values_text(const std::vector<RowValue>& values) {
  std::string text;
  for (const RowValue& each : values) text += " " + each.row + "=" + shortest(each.value);
  return text;
}

}  // namespace orrery::keyframes
