#include "compute/program/build_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>

#include "base/text.hpp"

namespace orrery {
namespace {

using Kind = CompilerMessage::Kind;

constexpr std::size_t most_messages = 200;
constexpr std::string_view blanks = " \t\r";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Cuts off the number at the end of `text` and returns it.
std::optional<int> take_number(std::string_view& text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  int number = 0;
  const auto end = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (begin == text.size() || end.ec != std::errc()) return std::nullopt;
  text.remove_suffix(text.size() - begin);
  return number;
}

bool take_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

struct Place {
  std::string_view file;
  int line = 0, column = 0;
};

/// The place before "error:": `file:12:5`, `file:12`, `"file", line 12`, `file(12)`, `file(12,5)`, `line 12`.
Place place_of(std::string_view head) {
  head = trimmed(head, " \t\r:;,");
  std::string_view rest = head;
  const bool bracketed = take_end(rest, ")");
  const auto last = take_number(rest);
  if (!last) return {head, 0, 0};
  if (bracketed) {
    if (take_end(rest, "(")) return {rest, *last, 0};
    const bool both = take_end(rest, ",");
    const auto line = take_number(rest);
    return both && line && take_end(rest, "(") ? Place{rest, *line, *last} : Place{head, 0, 0};
  }
  if (rest.find("ptx") != std::string_view::npos) return {head, 0, 0};  // a line of the assembler
  if (take_end(rest, "line ")) return {trimmed(rest, " \t\",:"), *last, 0};
  if (rest.empty()) return {rest, *last, 0};
  if (!take_end(rest, ":")) return {head, 0, 0};
  std::string_view before = rest;
  if (const auto line = take_number(before); line && (before.empty() || take_end(before, ":"))) {
    // "1:12": Intel's compiler names files by numbers.
    const bool has_file = !before.empty();
    return has_file ? Place{before, *line, *last} : Place{rest, *last, 0};
  }
  return {rest, *last, 0};
}

struct Leading {
  Place place;
  std::string text;
};

/// PoCL's order: "error: file:12:5: …"; for macros "error: file:12:5 <Spelling=other:3:1>: …".
std::optional<Leading> leading_place(std::string_view text) {
  constexpr std::string_view spelling = " <Spelling=";
  const auto end = text.find(": ");
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view head = text.substr(0, end);
  std::string macro;
  if (const auto at = head.find(spelling); at != std::string_view::npos && head.ends_with('>')) {
    macro =
        " (a macro of " + std::string(head.substr(at + spelling.size(), head.size() - at - spelling.size() - 1)) + ")";
    head = head.substr(0, at);
  }
  const Place place = place_of(head);
  if (place.line == 0 || place.file.empty() || place.file.find(' ') != std::string_view::npos) return std::nullopt;
  return Leading{place, std::string(trimmed(text.substr(end + 1))) + macro};
}

std::string file_of(std::string_view named, const std::string& program, const std::set<std::string>& files) {
  named = trimmed(named, " \t\"'");
  if (const auto slash = named.find_last_of("/\\"); slash != std::string_view::npos) named.remove_prefix(slash + 1);
  const std::string file(named);
  return files.contains(file) ? file : program;
}

struct Found {
  Kind kind;
  std::size_t at, end;  // range of the word and its colon
};

bool stands_alone(std::string_view line, std::size_t at) {
  return at == 0 || blanks.find(line[at - 1]) != std::string_view::npos || line[at - 1] == ':' || line[at - 1] == ';';
}

/// The first word like "error:" in the line; also "error :".
std::optional<Found> kind_in(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, Kind>, 5> words{{{"fatal error", Kind::error},
                                                                    {"error", Kind::error},
                                                                    {"warning", Kind::warning},
                                                                    {"note", Kind::note},
                                                                    {"remark", Kind::note}}};
  std::optional<Found> first;
  for (const auto& [word, kind] : words) {
    for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
      const auto colon = line.find_first_not_of(blanks, at + word.size());
      if (colon == std::string_view::npos || line[colon] != ':' || !stands_alone(line, at)) continue;
      if (!first || at < first->at) first = Found{kind, at, colon + 1};
      break;
    }
  }
  return first;
}

/// "line 12: …" without a word for its kind.
std::optional<CompilerMessage> bare_line(std::string_view line, const std::string& program) {
  constexpr std::string_view word = "line ";
  if (!line.starts_with(word)) return std::nullopt;
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view number = line.substr(word.size(), colon - word.size());
  if (const auto comma = number.find(','); comma != std::string_view::npos) number = number.substr(0, comma);
  const auto at = take_number(number);
  const std::string_view text = trimmed(line.substr(colon + 1));
  if (!at || !number.empty() || text.empty()) return std::nullopt;
  return CompilerMessage{Kind::error, program, *at, 0, std::string(text)};
}

std::optional<CompilerMessage> parse_line(std::string_view line, const std::string& program,
                                          const std::set<std::string>& files) {
  line = trimmed(line);
  const auto found = kind_in(line);
  if (!found) return bare_line(line, program);
  const std::string_view text = trimmed(line.substr(found->end));
  if (text.empty()) return std::nullopt;
  // Intel's compiler counts the instructions of each kernel in remarks.
  if (found->kind == Kind::note && text.starts_with("<unknown>:0:0")) return std::nullopt;
  if (const auto leading = leading_place(text)) {
    const Place& at = leading->place;
    return CompilerMessage{found->kind, file_of(at.file, program, files), at.line, at.column, leading->text};
  }
  const Place place = place_of(line.substr(0, found->at));
  if (place.line == 0) {
    const bool is_source =
        place.file.find_first_of("=;(){}/*") != std::string_view::npos;  // quoted source below a message
    return is_source ? std::nullopt : std::optional(CompilerMessage{found->kind, {}, 0, 0, std::string(text)});
  }
  return CompilerMessage{found->kind, file_of(place.file, program, files), place.line, place.column, std::string(text)};
}

}  // namespace

std::vector<CompilerMessage> parse_build_log(std::string_view log, const std::string& program,
                                             const std::set<std::string>& files) {
  std::vector<CompilerMessage> messages;
  std::istringstream lines{std::string(log)};
  for (std::string line; messages.size() < most_messages && std::getline(lines, line);)
    if (auto message = parse_line(line, program, files))
      if (std::ranges::find(messages, *message) == messages.end()) messages.push_back(std::move(*message));
  return messages;
}

namespace {

/// The place according to the directives above a line of the source; nothing without directives.
std::optional<std::string> named_place(std::string_view source, int wanted) {
  std::string file;
  int number = 0, physical = 0;
  std::istringstream lines{std::string(source)};
  for (std::string line; std::getline(lines, line);) {
    ++physical;
    ++number;
    if (physical == wanted) break;
    std::istringstream words(line);
    std::string word, name;
    int next = 0;
    if (!(words >> word >> next >> name) || word != "#line" || name.size() < 2) continue;
    number = next - 1;
    file = name.substr(1, name.size() - 2);
  }
  if (physical != wanted || file.empty()) return std::nullopt;
  return file + ":" + std::to_string(number);
}

}  // namespace

std::string with_named_places(std::string_view log, std::string_view source) {
  constexpr std::string_view unnamed = "<kernel>:";
  std::string result;
  while (true) {
    const auto at = log.find(unnamed);
    result += log.substr(0, at);
    if (at == std::string_view::npos) return result;
    log.remove_prefix(at);
    int line = 0;
    const char* const digits = log.data() + unnamed.size();
    const auto end = std::from_chars(digits, log.data() + log.size(), line);
    const auto place = end.ec == std::errc() ? named_place(source, line) : std::nullopt;
    const auto length = place ? static_cast<std::size_t>(end.ptr - log.data()) : unnamed.size();
    result += place ? *place : std::string(unnamed);
    log.remove_prefix(length);
  }
}

}  // namespace orrery
