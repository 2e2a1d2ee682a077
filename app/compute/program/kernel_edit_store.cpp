#include "compute/program/kernel_edit_store.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "compute/program/kernel_sources.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

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

}  // namespace orrery
