/// The contents of the file dialog and of the list of recent files. Plain values.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/folder.hpp"

namespace orrery {

/// A file that was opened or saved.
struct RecentFile {
  std::string path;
  bool missing = false;
};

/// A folder shortcut at the left of the dialog.
struct NamedFolder {
  std::string title, path;
};

/// A file whose reading assumed values; a person decides whether to load it.
struct FilePreview {
  std::string name;      ///< file name without its folder
  std::string contents;  ///< "600 bodies"
  std::string assumed;   ///< "6 of 9 columns read; mass missing: 1 each"
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< the first rows
  std::size_t files = 1;                       ///< number of files dropped together that can be merged
};

struct FilesSnapshot {
  std::shared_ptr<const FolderListing> listing;  ///< the last requested listing; null until it is ready
  std::string trouble;                           ///< why the last new folder could not be made
  std::vector<RecentFile> recent;                ///< newest first
  std::vector<NamedFolder> places;
  std::vector<std::string> openable;  ///< extensions that can be opened, ".csv"
  std::string openable_text;          ///< the same in words
  bool keeps_past = false;            ///< the scene's simulation has a past that can be saved
  std::string document;               ///< the last state file opened or saved; empty: none
  std::optional<FilePreview> preview = {};
};

}  // namespace orrery
