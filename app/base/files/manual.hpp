/// The manual: the pages of assets/manual. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/markdown.hpp"

namespace orrery {

struct ManualPage {
  std::string name;   ///< of its file, and of the topic of `orrery help`: "n-body"
  std::string title;  ///< "N-body"
  markdown::Page content;
};

/// In the order in which index.md links to them; read once. Empty where a program has no manual.
const std::vector<ManualPage>& manual_pages();

}  // namespace orrery
