/// The files that a person can open or save: what the file dialog and the list of recent files show. Plain values.
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

/// A folder that the dialog offers at its left.
struct NamedFolder {
  std::string title, path;
};

/// A file of which something was assumed, for the person who decides whether it is loaded.
struct FilePreview {
  std::string name;      ///< of the file, without its folder
  std::string contents;  ///< "600 bodies"
  std::string assumed;   ///< "6 of 9 columns read; mass missing: 1 each"
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< the first ones
  std::size_t files = 1;                       ///< that were dropped together and can become one
};

struct FilesSnapshot {
  std::shared_ptr<const FolderListing> listing;  ///< the last one that was asked for; null until it is there
  std::string trouble;                           ///< why the last new folder could not be made
  std::vector<RecentFile> recent;                ///< the newest first
  std::vector<NamedFolder> places;
  std::vector<std::string> openable;  ///< ".csv": extensions of what can be opened
  std::string openable_text;          ///< the same in words
  bool keeps_past = false;            ///< of the scene's simulation, which can be saved
  std::string document;               ///< the state file that was opened or saved last; empty: none
  std::optional<FilePreview> preview = {};
};

}  // namespace orrery
