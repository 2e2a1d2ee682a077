/// The contents of a folder, for choosing a file. Any thread; listing waits for the disk.
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
  std::uint64_t bytes = 0;    ///< size of a file
  std::int64_t modified = 0;  ///< seconds since 1970; 0: unknown
};

struct FolderListing {
  std::filesystem::path path;
  std::vector<FolderEntry> entries;
  bool cut = false;   ///< the listing is truncated
  std::string fault;  ///< why it could not be listed, one sentence; empty: listed
};
/// Lists a folder. Never throws.
FolderListing list_folder(const std::filesystem::path& path);

enum class FolderOrder { name, size, modified };
/// The filter and the order of a listing.
struct FolderView {
  FolderOrder order = FolderOrder::name;
  bool descending = false;
  std::string_view containing = {};              ///< part of the name, in any case
  std::span<const std::string> extensions = {};  ///< extensions of files, ".csv"; none: all files
};
/// The indices of the shown entries. Folders come first; 2 sorts before 10; names that begin with a dot are hidden,
/// unless `containing` begins with a dot.
std::vector<std::uint32_t> entries_shown(const FolderListing& listing, const FolderView& view);
/// The entry of that name, or nullptr.
const FolderEntry* find_entry(const FolderListing& listing, std::string_view name);
/// `typed`, completed to the common beginning of all shown names that begin with it.
std::string completed(const FolderListing& listing, std::span<const std::uint32_t> shown, std::string_view typed);
bool has_extension(std::string_view name, std::span<const std::string> extensions);

/// Resolves a typed path relative to `folder`; "~" is the home folder.
std::filesystem::path typed_path(std::string_view typed, const std::filesystem::path& folder);

/// Creates an empty file folder/STEM.EXTENSION, or one with "-2" … after the stem if that exists, and returns its path,
/// so that writing overwrites no other file. Makes the folder. Throws an Error that names the file and the reason.
std::filesystem::path claim_free_name(const std::filesystem::path& folder, const std::string& stem,
                                      const std::string& extension);

}  // namespace orrery
