#include "shell/files/command_line.hpp"

#include <algorithm>

namespace orrery::shell {
namespace {

// The value of a key as an option's; parameters have their own spelling: "auto".
std::string option_value(const std::vector<ParameterView>& parameters, const std::string& key, const Value& value) {
  const auto known = std::ranges::find(parameters, key, [](const ParameterView& each) { return each.info.name; });
  return value_text(known != parameters.end() ? known->info : ParameterInfo{}, value);
}

}  // namespace

std::string command_line(const Scene& scene) {
  std::string line = "orrery --scene " + shell_word(scene.kind().name);
  const auto add = [&](const std::string& word) { line += " " + shell_word(word); };
  StateSection view = scene.view_keys();
  if (scene.kind().view_arguments != nullptr)
    for (const std::string& word : scene.kind().view_arguments(view)) add(word);
  const StateSection defaults = scene.defaults();
  const std::vector<ParameterView> parameters = scene.table();
  StateSection told = scene.choices();
  std::erase_if(told, [&](const auto& entry) {
    const Value* const usual = value_of(defaults, entry.first);
    return usual != nullptr && *usual == entry.second;
  });
  std::ranges::move(view, std::back_inserter(told));
  for (const auto& [key, value] : told) {
    const std::string text = option_value(parameters, key, value);
    // An option would be read in place of a value that begins like one.
    if (text.starts_with('-')) {
      add("--" + key + "=" + text);
    } else {
      add("--" + key);
      add(text);
    }
  }
  return line;
}

}  // namespace orrery::shell
