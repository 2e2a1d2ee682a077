/// The contents of a folder, for a person who chooses a file in it. Any thread; listing waits for the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct FolderEntry {
  std::string name;
  bool is_folder = false;
  std::uint64_t bytes = 0;    ///< of a file
  std::int64_t modified = 0;  ///< seconds since 1970; 0: unknown
};

struct FolderListing {
  std::filesystem::path path;
  std::vector<FolderEntry> entries;
  bool cut = false;   ///< there are more entries than a listing has
  std::string fault;  ///< why it could not be listed, one sentence; empty where it was
};
/// Never throws.
FolderListing list_folder(const std::filesystem::path& path);

enum class FolderOrder { name, size, modified };
/// What of a listing is shown, and in which order.
struct FolderView {
  FolderOrder order = FolderOrder::name;
  bool descending = false;
  std::string_view containing = {};              ///< in the name, of any case
  std::span<const std::string> extensions = {};  ///< ".csv", of files; none: all files
};
/// The numbers of the entries that are shown. Folders come first; 2 is before 10; names that begin with a dot are left
/// out, unless `containing` begins with one.
std::vector<std::uint32_t> entries_shown(const FolderListing& listing, const FolderView& view);
/// The entry of that name, or nullptr.
const FolderEntry* find_entry(const FolderListing& listing, std::string_view name);
/// `typed`, continued as far as all shown names that begin so agree.
std::string completed(const FolderListing& listing, std::span<const std::uint32_t> shown, std::string_view typed);
bool has_extension(std::string_view name, std::span<const std::string> extensions);

/// A path as it is typed, while `folder` is shown: "~" is the home folder.
std::filesystem::path typed_path(std::string_view typed, const std::filesystem::path& folder);

/// Creates an empty file folder/STEM.EXTENSION, or with "-2" … behind the stem where that exists, and returns its path:
/// what is then written there overwrites nothing. Makes the folder. Throws an Error that names the file and the reason.
std::filesystem::path claim_free_name(const std::filesystem::path& folder, const std::string& stem,
                                      const std::string& extension);

}  // namespace orrery
