#include "base/files/folder.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/platform/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_entries = 100'000;
constexpr int most_counted = 10'000;  // most files of one stem

bool is_within_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }  // in UTF-8
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::int64_t seconds_of(fs::file_time_type time) {
  using namespace std::chrono;
  // The two clocks differ by a constant; compilers lack a common function for it.
  const auto system =
      system_clock::now() + duration_cast<system_clock::duration>(time - fs::file_time_type::clock::now());
  return round<seconds>(system.time_since_epoch()).count();
}

FolderEntry entry_of(const fs::directory_entry& found) {
  std::error_code error;
  FolderEntry entry{found.path().filename().string(), found.is_directory(error)};
  if (!entry.is_folder)
    if (const std::uintmax_t bytes = found.file_size(error); !error) entry.bytes = bytes;
  if (const auto time = found.last_write_time(error); !error) entry.modified = seconds_of(time);
  return entry;
}

// Compares digits as numbers; names that differ only in case as bytes.
bool comes_before(std::string_view a, std::string_view b) {
  std::size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (is_digit(a[i]) && is_digit(b[k])) {
      const auto number = [](std::string_view text, std::size_t& at) {
        while (at < text.size() && text[at] == '0') ++at;
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return text.substr(begin, at - begin);
      };
      const std::string_view left = number(a, i), right = number(b, k);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      continue;
    }
    const int left = std::tolower(static_cast<unsigned char>(a[i])),
              right = std::tolower(static_cast<unsigned char>(b[k]));
    if (left != right) return left < right;
    ++i, ++k;
  }
  if (i < a.size() || k < b.size()) return i == a.size();
  return a < b;
}

std::string fault_of(const fs::path& path, const std::error_code& error) {
  const std::string name = in_quotes(path.string());
  if (error == std::errc::no_such_file_or_directory) return "There is no folder " + name;
  if (error == std::errc::permission_denied) return "You have no permission to read the folder " + name;
  if (error == std::errc::not_a_directory) return name + " is not a folder";
  return "The folder " + name + " cannot be read: " + error.message();
}

}  // namespace

FolderListing list_folder(const fs::path& path) {
  FolderListing listing{path, {}, false, {}};
  std::error_code error;
  try {
    for (auto each = fs::directory_iterator(path, error); !error && each != fs::directory_iterator();
         each.increment(error)) {
      if (listing.entries.size() == most_entries) {
        listing.cut = true;
        break;
      }
      listing.entries.push_back(entry_of(*each));
    }
    if (error) listing.fault = fault_of(path, error);
  } catch (const std::exception& thrown) {
    listing.fault = "The folder " + in_quotes(path.string()) + " cannot be read: " + thrown.what();
  }
  return listing;
}

bool has_extension(std::string_view name, std::span<const std::string> extensions) {
  const std::string small = lower_case(name);
  return std::ranges::any_of(extensions, [&](const std::string& each) { return small.ends_with(each); });
}

std::vector<std::uint32_t> entries_shown(const FolderListing& listing, const FolderView& view) {
  const std::string part = lower_case(view.containing);
  std::vector<std::uint32_t> shown;
  for (std::size_t i = 0; i < listing.entries.size(); ++i) {
    const FolderEntry& entry = listing.entries[i];
    const bool hidden = entry.name.starts_with('.') && !part.starts_with('.');
    const bool of_kind = entry.is_folder || view.extensions.empty() || has_extension(entry.name, view.extensions);
    if (!hidden && of_kind && lower_case(entry.name).find(part) != std::string::npos)
      shown.push_back(static_cast<std::uint32_t>(i));
  }
  std::ranges::sort(shown, [&](std::uint32_t left, std::uint32_t right) {
    const FolderEntry &a = listing.entries[left], &b = listing.entries[right];
    if (a.is_folder != b.is_folder) return a.is_folder;
    const bool by_size = view.order == FolderOrder::size && a.bytes != b.bytes;
    const bool by_time = view.order == FolderOrder::modified && a.modified != b.modified;
    const bool ascending = by_size   ? a.bytes < b.bytes
                           : by_time ? a.modified < b.modified
                                     : comes_before(a.name, b.name);
    return view.descending ? !ascending && left != right : ascending;
  });
  return shown;
}

const FolderEntry* find_entry(const FolderListing& listing, std::string_view name) {
  const auto found = std::ranges::find(listing.entries, name, &FolderEntry::name);
  return found == listing.entries.end() ? nullptr : &*found;
}

std::string completed(const FolderListing& listing, std::span<const std::uint32_t> shown, std::string_view typed) {
  const std::string begin = lower_case(typed);
  std::string common;
  bool any = false;
  for (const std::uint32_t i : shown) {
    const FolderEntry& entry = listing.entries[i];
    if (!lower_case(entry.name).starts_with(begin)) continue;
    const std::string name = entry.is_folder ? entry.name + "/" : entry.name;
    if (!std::exchange(any, true)) {
      common = name;
      continue;
    }
    auto same = static_cast<std::size_t>(std::ranges::mismatch(common, name).in1 - common.begin());
    while (same < common.size() && is_within_character(common[same])) --same;
    common.resize(same);
  }
  return any && common.size() >= typed.size() ? common : std::string(typed);
}

fs::path typed_path(std::string_view typed, const fs::path& folder) {
  const bool in_home = typed == "~" || typed.starts_with("~/");
  const std::string_view rest = in_home ? typed.substr(std::min<std::size_t>(2, typed.size())) : typed;
  const fs::path path = ((in_home ? user_home() : folder) / rest).lexically_normal();
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

fs::path claim_free_name(const fs::path& folder, const std::string& stem, const std::string& extension) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  fs::path path;
  for (int count = 1; count <= most_counted; ++count) {
    path = folder / (stem + (count > 1 ? "-" + std::to_string(count) : "") + extension);
    errno = 0;
    if (platform::create_new(path)) return path;
    if (errno != EEXIST) break;
  }
  throw Error(Fault::failure, {"cannot write", path.string(), {}, {}, std::strerror(errno), {}});
}

}  // namespace orrery
