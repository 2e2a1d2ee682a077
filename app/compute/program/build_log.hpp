/// What a compiler has to say of a kernel's source, line by line, whoever's compiler it is.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Of a place in a file, or of none where the compiler names none.
struct CompilerMessage {
  enum class Kind { error, warning, note };
  Kind kind = Kind::error;
  std::string file;  ///< as in the kernel folder; empty when unknown
  int line = 0;      ///< from 1; 0: of the whole program
  int column = 0;    ///< from 1; 0: unknown
  std::string text;

  bool operator==(const CompilerMessage&) const = default;
};

/// Understands clang's lines, which PoCL, NVIDIA, Intel, AMD's newer and Mesa's drivers write (`file:12:5: error: …`,
/// `<program source>:12:5: …`, `1:12:5: …`), EDG's (`"file", line 12: error: …`, `file(12): error: …`), `line 12: …`,
/// and errors without a place (`ptxas error : …`). Where a compiler names no file of `files`, a message is of
/// `program`, the file that was built. Each message once; a few hundred at the most.
std::vector<CompilerMessage> parse_build_log(std::string_view log, const std::string& program,
                                             const std::set<std::string>& files);

/// NVIDIA's compiler goes by neither #line nor file names: `<kernel>:149:11`. The log with places as the #line
/// directives of `source` have them: `force.clh:12:11`.
std::string with_named_places(std::string_view log, std::string_view source);

}  // namespace orrery
