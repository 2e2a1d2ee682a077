/// Messages of OpenCL compilers, line by line, in a common form.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A message about a place in a file, or about the whole program.
struct CompilerMessage {
  enum class Kind { error, warning, note };
  Kind kind = Kind::error;
  std::string file;  ///< name in the kernel folder; empty: unknown
  int line = 0;      ///< from 1; 0: the whole program
  int column = 0;    ///< from 1; 0: unknown
  std::string text;

  bool operator==(const CompilerMessage&) const = default;
};

/// Understands the formats of clang, which PoCL, NVIDIA, Intel, and newer drivers of AMD and Mesa use (`file:12:5:
/// error: …`, `<program source>:12:5: …`, `1:12:5: …`), of EDG (`"file", line 12: error: …`, `file(12): error: …`),
/// `line 12: …`, and errors without a place (`ptxas error : …`). Messages without a file of `files` belong to
/// `program`, the file that was built. Repeated messages are removed; there are at most a few hundred.
std::vector<CompilerMessage> parse_build_log(std::string_view log, const std::string& program,
                                             const std::set<std::string>& files);

/// NVIDIA's compiler ignores #line directives and file names: `<kernel>:149:11`. Returns the log with the places of the
/// #line directives of `source`: `force.clh:12:11`.
std::string with_named_places(std::string_view log, std::string_view source);

}  // namespace orrery
