#include "scenes/nbody/bodies/cohort.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery {

Cohorts cohorts_of(std::string_view initial, std::size_t bodies) {
  Cohorts cohorts;
  for (const BodyPart& part : parts_of(initial, bodies)) cohorts.push_back({part.first});
  if (cohorts.empty()) cohorts.emplace_back();
  return cohorts;
}

void follow(const BodyEdit& edit, std::size_t bodies, double time, Cohorts& cohorts) {
  if (std::holds_alternative<BodyChanged>(edit)) return;
  const auto* const removed = std::get_if<BodyRemoved>(&edit);
  if (removed == nullptr) return void(cohorts.push_back({bodies, time}));
  for (Cohort& each : cohorts) each.first -= each.first > removed->index ? 1 : 0;
}

std::vector<BodyPart> parts_of(const Cohorts& cohorts, std::string_view initial, std::size_t bodies) {
  const auto added = std::ranges::find_if(cohorts, [](const Cohort& each) { return each.born.has_value(); });
  const InitialInfo* const info = find_initial(initial);
  const std::size_t fixed = info != nullptr ? static_cast<std::size_t>(info->fixed_bodies) : 0;
  const std::vector<BodyPart> named =
      parts_of(initial, std::max(fixed, added == cohorts.end() ? bodies : added->first));
  std::vector<BodyPart> parts;
  bool follows_single = false;
  for (std::size_t k = 0; k < cohorts.size(); ++k) {
    const Cohort& own = cohorts[k];
    const std::size_t end = k + 1 < cohorts.size() ? cohorts[k + 1].first : bodies;
    if (end <= own.first) continue;
    const bool single = own.born && end == own.first + 1;
    if (single && std::exchange(follows_single, single)) {
      parts.back().name = "added bodies";
      continue;
    }
    follows_single = single;
    parts.push_back({.name = single             ? "added body"
                             : own.born         ? "added at t = " + brief(*own.born)
                             : k < named.size() ? named[k].name
                                                : "from the beginning",
                     .first = own.first});
  }
  return parts.size() > 1 ? parts : std::vector<BodyPart>();
}

std::string text_of(const Cohorts& cohorts) {
  std::string text;
  for (const Cohort& each : cohorts) {
    if (!text.empty()) text += ' ';
    text += std::to_string(each.first);
    if (each.born) text += "@" + shortest(*each.born);
  }
  return text;
}

Cohorts parse_cohorts(std::string_view text, std::string_view key) {
  Cohorts cohorts;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t at = word.find('@');
    const auto first = parse_integer(std::string_view(word).substr(0, at));
    const auto born = at == word.npos ? std::optional<double>() : parse_real(std::string_view(word).substr(at + 1));
    const bool is_timed = at == word.npos || (born && std::isfinite(*born));
    const auto least = cohorts.empty() ? std::int64_t{0} : static_cast<std::int64_t>(cohorts.back().first);
    const bool is_ordered = first && *first >= least && (!cohorts.empty() || *first == 0);
    if (!is_timed || !is_ordered || *first > static_cast<std::int64_t>(most_in_a_set))
      throw usage_error(std::string(key), word, "indices of bodies that ascend from 0, each with @ and a time or not");
    cohorts.push_back({static_cast<std::size_t>(*first), born});
  }
  if (cohorts.empty()) throw usage_error(std::string(key), std::string(text), "the index 0 first");
  return cohorts;
}

}  // namespace orrery
