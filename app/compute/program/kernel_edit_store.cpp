#include "compute/program/kernel_edit_store.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/files/path.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

using Edits = KernelSources::Edits;

/// The files whose texts differ.
std::set<std::string> changes(const Edits& from, const Edits& to) {
  std::set<std::string> files;
  for (const auto& [file, text] : to)
    if (const auto old = from.find(file); old == from.end() || old->second != text) files.insert(file);
  for (const auto& [file, text] : from)
    if (!to.contains(file)) files.insert(file);
  return files;
}

/// The first line that contains `first` and later `second`; 0 if there is none.
int line_with(const std::string& text, const std::string& first, const std::string& second) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto at = line.find(first);
    if (at != std::string::npos && line.find(second, at) != std::string::npos) return number;
  }
  return 0;
}

void append(std::vector<CompilerMessage>& messages, std::vector<CompilerMessage> more) {
  for (CompilerMessage& message : more)
    if (std::ranges::find(messages, message) == messages.end()) messages.push_back(std::move(message));
}

class Trial {
 public:
  Trial(const KernelSources& present, const KernelSources& candidate, const std::set<std::string>& changed,
        KernelTrial& result)
      : present_(present), candidate_(candidate), changed_(changed), result_(result) {}

  /// The changed files that do not build in the programs of this device.
  std::set<std::string> build_all(ProgramLibrary& programs) {
    std::set<std::string> faulty;
    for (const ProgramSpec& spec : programs.built()) {
      const std::set<std::string> parts = parts_of(spec.source);
      std::set<std::string> concerned;
      std::ranges::set_intersection(parts, changed_, std::inserter(concerned, concerned.end()));
      if (!concerned.empty() && !builds(programs, spec, parts)) faulty.merge(concerned);
    }
    return faulty;
  }

 private:
  /// The first #include of a file that cannot be read; 0 if there is none.
  int line_of_missing_file(const std::string& text) const {
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const auto file = included_file(line);
      if (!file) continue;
      try {
        (void)candidate_.text(*file);
      } catch (const Error&) {  // the build has reported the reason
        return number;
      }
    }
    return 0;
  }

  /// The files of both versions: an edit may change an #include.
  std::set<std::string> parts_of(const std::string& file) const {
    std::set<std::string> parts;
    for (const KernelSources* sources : {&present_, &candidate_}) {
      try {
        for (std::string& part : sources->parts(file)) parts.insert(std::move(part));
      } catch (const Error&) {  // the build reports the missing file
        parts.insert(file);
      }
    }
    return parts;
  }

  bool builds(ProgramLibrary& programs, const ProgramSpec& spec, const std::set<std::string>& parts) {
    try {
      const auto fresh = programs.build(spec, candidate_);
      check_replaceable(*programs.build(spec, present_), *fresh);
      note(fresh->log, spec.source, parts);
      return true;
    } catch (const Error& error) {
      const std::string& log = error.details().log;
      note(log, spec.source, parts);
      const bool explained = std::ranges::any_of(parse_build_log(log, spec.source, parts), [](const auto& message) {
        return message.kind == CompilerMessage::Kind::error;
      });
      if (!explained) append(result_.messages, {of(error, spec.source)});
      return false;
    }
  }

  void note(const std::string& log, const std::string& program, const std::set<std::string>& parts) {
    if (log.empty()) return;
    append(result_.messages, parse_build_log(log, program, parts));
    if (result_.log.find(log) == std::string::npos) result_.log += log + "\n";
  }

  /// An error that no compiler reported: a changed kernel, or a missing file.
  CompilerMessage of(const Error& error, const std::string& program) const {
    CompilerMessage message{CompilerMessage::Kind::error, program, 0, 0, error.what()};
    std::istringstream words(error.details().what);  // "the kernel gather takes 9 arguments"
    std::string the, kernel, name;
    words >> the >> kernel >> name;
    for (const std::string& file : changed_) {
      const std::string text = candidate_.text(file);
      const int line = kernel == "kernel" ? line_with(text, "kernel ", name + "(") : line_of_missing_file(text);
      if (line > 0) return {CompilerMessage::Kind::error, file, line, 0, error.what()};
    }
    return message;
  }

  const KernelSources& present_;
  const KernelSources& candidate_;
  const std::set<std::string>& changed_;
  KernelTrial& result_;
};

bool is_kernel_file(const fs::path& path) { return path.extension() == ".cl" || path.extension() == ".clh"; }

std::vector<fs::path> kernel_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored))
    if (is_kernel_file(entry.path())) files.push_back(entry.path());
  return files;
}

}  // namespace

fs::path KernelEditStore::default_folder() {
  const fs::path data = data_folder();
  return data.empty() ? fs::path() : data / "kernels";
}

std::vector<std::string> KernelEditStore::files() const {
  std::set<std::string> names;
  for (const fs::path& file : kernel_files(originals_)) names.insert(file.filename().string());
  return {names.begin(), names.end()};
}

KernelSources::Edits KernelEditStore::read() const {
  KernelSources::Edits edits;
  if (folder_.empty()) return edits;
  for (const std::string& file : files()) {
    std::error_code ignored;
    if (!fs::exists(folder_ / file, ignored)) continue;
    try {
      std::string text = read_file(folder_ / file, kernel_kind);
      if (text.find('\0') == std::string::npos && text != read_file(original_of(file), kernel_kind))
        edits[file] = std::move(text);
    } catch (const Error&) {  // it was removed in between, is not readable, or is not a kernel
    }
  }
  return edits;
}

fs::path KernelEditStore::original_of(const std::string& file) const { return find_below(originals_, file); }

fs::path KernelEditStore::checked_path(const std::string& file) const {
  const std::vector<std::string> known = files();
  if (!std::ranges::binary_search(known, file)) throw failure("there is no kernel file " + file);
  if (folder_.empty())
    throw failure("the edited " + file + " cannot be saved", "there is no folder that can be written to");
  return folder_ / file;
}

void KernelEditStore::write(const std::string& file, const std::string& text) const {
  const fs::path path = checked_path(file);
  std::error_code ignored;  // a fault of the folder is reported when writing to it
  fs::create_directories(folder_, ignored);
  write_file(path, text);
}

void KernelEditStore::remove(const std::string& file) const {
  const fs::path path = checked_path(file);
  std::error_code error;
  if (!fs::exists(path, error)) return;
  fs::rename(path, path.string() + "~", error);
  if (error) throw failure("cannot remove " + path.string() + ": " + error.message());
}

fs::path KernelEditStore::copy_of(const std::string& file) const {
  fs::path path = checked_path(file);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) write(file, read_file(original_of(file), kernel_kind));
  return path;
}

fs::file_time_type KernelEditStore::newest_original() const {
  auto newest = fs::file_time_type::min();  // the default is in the year 2174, the epoch of libstdc++
  std::error_code ignored;
  for (const fs::path& file : kernel_files(originals_)) newest = std::max(newest, fs::last_write_time(file, ignored));
  return newest;
}

// Other files may build without a faulty one: repeated until all remaining files build.
KernelTrial try_kernels(std::span<ProgramLibrary* const> devices, const KernelSources& present, const Edits& wanted) {
  for (ProgramLibrary* programs : devices) programs->forget_others();
  KernelTrial result;
  Edits edits = wanted;
  for (;;) {
    result.accepted = std::make_shared<const KernelSources>(present.folder(), edits);
    const std::set<std::string> changed = changes(present.edits(), edits);
    std::set<std::string> faulty;
    Trial trial(present, *result.accepted, changed, result);
    for (ProgramLibrary* programs : devices) faulty.merge(trial.build_all(*programs));
    if (faulty.empty()) return result;
    for (const std::string& file : faulty) {
      const auto tried = wanted.find(file), before = present.edits().find(file);
      result.refused[file] = tried != wanted.end() ? tried->second : present.text(file);
      if (before != present.edits().end())
        edits[file] = before->second;
      else
        edits.erase(file);
    }
  }
}

}  // namespace orrery
