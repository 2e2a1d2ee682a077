#include "base/files/film_folder.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/text.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

constexpr int most_film_frames = 1000000;
constexpr std::string_view device_key = "device";

fs::path description_of(const fs::path& folder) { return folder / "film.toml"; }

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(file, ignored));
}

StateSection section_of(const FilmFacts& facts, const StateSection& look) {
  StateSection section{{"frames", std::int64_t{facts.frames}},
                       {"frames-per-second", shortest(facts.frames_per_second)},
                       {"width", std::int64_t{facts.width}},
                       {"height", std::int64_t{facts.height}}};
  section.insert(section.end(), look.begin(), look.end());
  return section;
}

StateSection described(const fs::path& file) {
  const StateTables tables = parse_state(read_file(file, small_text, Links::distrusted), file.string());
  const auto film = tables.find("film");
  if (film == tables.end()) throw usage_error(file.string() + ": expected a table [film], found none", {}, {});
  return film->second;
}

std::string value_as_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return "another value";
}

// Throws for the first key whose values differ or that is missing on one side.
void require_same(const fs::path& folder, const StateSection& here, const StateSection& wanted) {
  const auto differs = [&](const std::string& key, const std::string& found, const std::string& asked) {
    throw usage_error("--out: expected a folder without another film; " + description_of(folder).string() + " has " +
                          key + " = " + found + ", not " + asked,
                      {}, {});
  };
  for (const auto& [key, value] : wanted) {
    const Value* const found = value_of(here, key);
    if (found == nullptr || *found != value)
      differs(key, found == nullptr ? "nothing" : value_as_text(*found), value_as_text(value));
  }
  for (const auto& [key, value] : here)
    if (value_of(wanted, key) == nullptr) differs(key, value_as_text(value), "nothing");
}

std::int64_t whole_number(const StateSection& film, const char* key, std::int64_t most, const fs::path& file) {
  const Value* const value = value_of(film, key);
  const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  if (number == nullptr || *number < 1 || *number > most)
    throw usage_error(key, value == nullptr ? "nothing" : value_as_text(*value),
                      "a whole number from 1 to " + std::to_string(most), file.string());
  return *number;
}

}  // namespace

FrameRange parse_frame_range(const std::string& text, int frames) {
  const std::size_t mark = text.find_first_of(":/");
  const auto number = [&](std::size_t begin, std::size_t length) {
    return parse_integer(std::string_view(text).substr(begin, length)).value_or(0);
  };
  const std::string expected = "A:B, frames A to B of 1 … " + std::to_string(frames) + ", or I/N, part I of N";
  if (mark == std::string::npos) throw usage_error("--frames", text, expected);
  const std::int64_t first = number(0, mark), second = number(mark + 1, std::string::npos);
  const std::int64_t most = text[mark] == ':' ? frames : most_film_frames;
  if (first < 1 || second < first || second > most) throw usage_error("--frames", text, expected);
  if (text[mark] == ':') return {static_cast<int>(first), static_cast<int>(second)};
  return {static_cast<int>((first - 1) * frames / second) + 1, static_cast<int>(first * frames / second)};
}

std::string ranges_text(const std::vector<FrameRange>& ranges, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, ranges.size()); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(ranges[i].first);
    if (ranges[i].count() > 1) text += ":" + std::to_string(ranges[i].last);
  }
  return ranges.size() > most ? text + ", …" : text;
}

fs::path frame_file(const fs::path& folder, int number) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits.size() < 5 ? 5 - digits.size() : 0, '0');
  return folder / ("frame-" + digits + ".png");
}

fs::path key_file(const fs::path& folder, int number) {
  return folder / "keys" / ("key-" + std::to_string(number) + ".png");
}

std::string claim_film_folder(const fs::path& folder, const FilmFacts& facts, const StateSection& look,
                              const std::string& device) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw failure("cannot create " + folder.string() + ": " + error.message());
  const fs::path file = description_of(folder);
  const StateSection wanted = section_of(facts, look);
  const fs::path keys = key_file(folder, 0).parent_path();
  if (fs::is_symlink(fs::symlink_status(keys, error)))
    throw usage_error("the folder of a film's key frames", keys.string(), "a folder, not a symbolic link");
  remove_debris_in(folder, "frame-");
  remove_debris_in(folder, "film.toml");
  remove_debris_in(keys, "key-");
  if (!is_there(file)) {
    StateSection film = wanted;
    film.emplace_back(device_key, device);
    write_file(file,
               "# A film of Orrery. `orrery film join` makes it of the frames beside this file.\n" +
                   tables_text({{"film", film}}),
               Links::distrusted);
  }
  // Reads it even after writing it: of two jobs that begin at once, the last one wins.
  StateSection here = described(file);
  const Value* const found = value_of(here, device_key);
  std::string first = found == nullptr ? std::string() : value_as_text(*found);
  std::erase_if(here, [](const auto& entry) { return entry.first == device_key; });
  require_same(folder, here, wanted);
  return first;
}

FilmFacts read_film_folder(const fs::path& folder) {
  const fs::path file = description_of(folder);
  if (!is_there(file))
    throw usage_error("the folder of a film", folder.string(),
                      "a folder with a film.toml, which orrery mandelbrot --frames writes");
  const StateSection film = described(file);
  constexpr std::int64_t most_side = 65536;
  FilmFacts facts{.frames = static_cast<int>(whole_number(film, "frames", most_film_frames, file)),
                  .width = static_cast<std::uint32_t>(whole_number(film, "width", most_side, file)),
                  .height = static_cast<std::uint32_t>(whole_number(film, "height", most_side, file))};
  const Value* const rate = value_of(film, "frames-per-second");
  const std::string text = rate == nullptr ? "nothing" : value_as_text(*rate);
  const auto number = parse_real(text);
  if (!number || !(*number > 0)) throw usage_error("frames-per-second", text, "a number above 0", file.string());
  facts.frames_per_second = *number;
  return facts;
}

std::vector<FrameRange> missing_frames(const fs::path& folder, const FilmFacts& film) {
  std::vector<FrameRange> missing;
  for (int i = 1; i <= film.frames; ++i) {
    if (is_sound_png(frame_file(folder, i), film.width, film.height)) continue;
    if (!missing.empty() && missing.back().last == i - 1) {
      missing.back().last = i;
    } else {
      missing.push_back({i, i});
    }
  }
  return missing;
}

}  // namespace orrery
