/// The manual's pages: their tables are generated from the program's, between these lines of a page:
///
///     <!-- generated: keys -->
///     <!-- end -->
///
/// With ORRERY_WRITE_MANUAL set, these tests write the pages instead of comparing them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/text.hpp"
#include "scene/scene_kind.hpp"
#include "scenes/nbody/model/integrator.hpp"
#include "scenes/particles/laws/law_tree.hpp"
#include "shell/scene_commands.hpp"

using namespace orrery;

namespace {

std::string cell(const std::string& text) { return std::regex_replace(text, std::regex("\\|"), "\\|"); }

std::string keys_of(std::string_view title, KeyBindings keys) {
  std::string table = "## " + std::string(title) + "\n\n| input | effect |\n|---|---|\n";
  for (const KeyBinding& each : keys)
    if (!each.shown.empty()) table += "| " + std::string(each.shown) + " | " + std::string(each.help) + " |\n";
  return table;
}

std::string all_keys() {
  std::string text = keys_of("Everywhere", shell::window_keys());
  for (const SceneKind* kind : scene_kinds()) text += "\n" + keys_of(kind->title, kind->keys);
  return text;
}

std::string all_integrators() {
  std::string table = "| integrator | order | force evaluations per step |\n|---|---|---|\n";
  for (const Integrator& row : integrators())
    table += "| `" + std::string(row.name) + "` | " + std::to_string(row.order) + " | " +
             std::to_string(row.evaluations()) + " |\n";
  return table;
}

std::string all_functions() {
  using particles::language::Function, particles::language::Shape;
  const auto group_of = [](const Function& function) -> std::string {
    if (function.name.starts_with("native_")) return "fast";
    if (function.shape == Shape::pair || function.shape == Shape::length || function.shape == Shape::vectors)
      return "of vectors";
    if (function.shape == Shape::question) return "true or false";
    return function.arguments == 1 ? "of one number" : function.arguments == 2 ? "of two numbers" : "of three numbers";
  };
  std::string table = "| functions | names |\n|---|---|\n";
  for (const char* group :
       {"of one number", "of two numbers", "of three numbers", "of vectors", "true or false", "fast"}) {
    std::string names;
    for (const Function& function : particles::language::functions())
      if (group_of(function) == group) names += " `" + std::string(function.name) + "`";
    table += "| " + std::string(group) + " |" + names + " |\n";
  }
  return table;
}

std::string printed(const std::string& words) {
  const auto close = [](FILE* pipe) { return pclose(pipe); };
  const std::unique_ptr<FILE, decltype(close)> pipe(popen((ORRERY_PROGRAM " " + words + " --help").c_str(), "r"));
  std::string text;
  for (int byte = 0; (byte = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(byte);
  return text;
}

/// The sections of --help as tables: a title line that ends in a colon, and below it the options, with their texts in
/// the second column.
std::vector<std::string> options_of(const std::string& help) {
  const std::regex title("(\\S.*):"), row(" {2}(--\\S+(?: \\S+)*)(?: {2,}(\\S.*))?"), more(" {20,}(\\S.*)");
  std::vector<std::string> tables;
  std::string heading;
  bool open = false;  // the lines below belong to a row
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, row)) {
      if (!heading.empty())
        tables.push_back((heading == "Options" ? "" : "### " + heading + "\n\n") + "| option | meaning |\n|---|---|\n");
      heading.clear();
      tables.back() += "| `" + cell(found[1]) + "` | " + cell(found[2]);
      if (found[2].length() > 0) tables.back() += " ";
      tables.back() += "|\n";
      open = true;
    } else if (open && std::regex_match(line, found, more)) {
      tables.back().erase(tables.back().size() - 2);  // "|\n"
      tables.back() += cell(found[1]) + " |\n";
    } else {
      open = false;
      heading = std::regex_match(line, found, title) ? found[1].str() : std::string();
    }
  }
  return tables;
}

std::string all_options() {
  std::vector<std::pair<std::string, std::string>> commands;  // heading, words
  for (const SceneKind* kind : scene_kinds())
    commands.emplace_back("The window, scene " + std::string(kind->name), "--scene " + std::string(kind->name));
  const auto add = [&](const std::string& words) { commands.emplace_back("orrery " + words, words); };
  add("devices");
  for (const SceneKind* kind : scene_kinds())
    if (kind->run != nullptr) add(std::string(kind->name));
  for (const char* words : {"picture", "film", "film join"}) add(words);
  for (const SceneKind* kind : scene_kinds())
    if (kind->bench != nullptr) add("bench " + std::string(kind->name));
  for (const char* name : {"reduce", "sort", "interop", "device", "window"}) add("bench " + std::string(name));
  for (const SceneKind* kind : scene_kinds())
    if (kind->tuning != nullptr) add("tune " + std::string(kind->name));
  add("selftest");
  std::string text;
  std::set<std::string> seen;  // lists options of several commands once
  for (const auto& [heading, words] : commands) {
    text += (text.empty() ? "## " : "\n## ") + heading + "\n";
    const std::size_t before = text.size();
    for (const std::string& table : options_of(printed(words)))
      if (seen.insert(table).second) text += "\n" + table;
    if (text.size() == before) text += "\nIts options are those of every benchmark.\n";
  }
  return text;
}

}  // namespace

TEST(manual, tables_are_those_of_the_program) {
  const std::map<std::string, std::function<std::string()>> makers{
      {"keys", all_keys}, {"integrators", all_integrators}, {"functions", all_functions}, {"options", all_options}};
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(asset_folder() / "manual")) {
    const std::string page = read_file(entry.path());
    std::string made;
    constexpr std::string_view begin = "<!-- generated: ", end = "<!-- end -->";
    std::size_t at = 0;
    for (std::size_t marker = 0; (marker = page.find(begin, at)) != std::string::npos; ++seen) {
      const std::size_t line = page.find(" -->\n", marker), stop = page.find(end, marker);
      ASSERT_NE(stop, std::string::npos) << entry.path();
      const std::string name = page.substr(marker + begin.size(), line - marker - begin.size());
      ASSERT_TRUE(makers.contains(name)) << entry.path() << ": " << name;
      made += page.substr(at, line + 5 - at) + "\n" + makers.at(name)() + "\n";
      at = stop;
    }
    made += page.substr(at);
    if (std::getenv("ORRERY_WRITE_MANUAL") != nullptr) {
      if (made != page) std::ofstream(entry.path()) << made;
    } else {
      EXPECT_EQ(made, page) << entry.path() << " differs from the program: run this test with ORRERY_WRITE_MANUAL=1";
    }
  }
  EXPECT_EQ(seen, makers.size()) << "each table is on a page";
}
