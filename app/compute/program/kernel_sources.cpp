#include "compute/program/kernel_sources.hpp"

#include <mutex>
#include <set>
#include <sstream>

#include "base/files/path.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

// #line makes the compiler's messages refer to the files.
void expand(const KernelSources& sources, const std::string& file, std::set<std::string>& seen, std::string& text) {
  if (!seen.insert(file).second) return;
  std::istringstream lines(sources.text(file));
  text += "#line 1 \"" + file + "\"\n";
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (const auto included = included_file(line)) {
      expand(sources, *included, seen, text);
      text += "#line " + std::to_string(number + 1) + " \"" + file + "\"\n";
    } else {
      text += line + "\n";
    }
  }
}

struct SourcesInUse {
  std::mutex mutex;
  std::shared_ptr<const KernelSources> sources;
};

SourcesInUse& sources_in_use() {
  static SourcesInUse sources;
  return sources;
}

}  // namespace

std::optional<std::string> included_file(std::string_view line) {
  const auto start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || line.substr(start, 8) != "#include") return std::nullopt;
  const auto open = line.find('"', start);
  const auto close = open == std::string_view::npos ? open : line.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(open + 1, close - open - 1));
}

KernelSources::KernelSources(std::filesystem::path folder, Edits edits)
    : folder_(std::move(folder)), edits_(std::move(edits)) {}

std::string KernelSources::text(const std::string& file) const {
  const auto edit = edits_.find(file);
  return edit != edits_.end() ? edit->second : read_file(find_below(folder_, file), kernel_kind);
}

std::string KernelSources::expanded(const std::string& file) const {
  std::set<std::string> seen;
  std::string text;
  expand(*this, file, seen, text);
  return text;
}

std::vector<std::string> KernelSources::parts(const std::string& file) const {
  std::set<std::string> seen;
  std::string text;
  expand(*this, file, seen, text);
  return {seen.begin(), seen.end()};
}

std::string source_hash(const KernelSources& sources, std::span<const std::string> files) {
  std::set<std::string> seen;
  std::string text;
  for (const std::string& file : files) expand(sources, file, seen, text);
  return fnv1a(text);
}

std::shared_ptr<const KernelSources> kernel_sources() {
  const std::lock_guard lock(sources_in_use().mutex);
  if (!sources_in_use().sources) sources_in_use().sources = std::make_shared<const KernelSources>(kernel_folder());
  return sources_in_use().sources;
}

void use_kernel_sources(std::shared_ptr<const KernelSources> sources) {
  const std::lock_guard lock(sources_in_use().mutex);
  sources_in_use().sources = std::move(sources);
}

}  // namespace orrery
