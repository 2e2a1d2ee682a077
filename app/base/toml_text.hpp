/// TOML as it is written: what toml++ 3.3 prints is not always read again as the same. Plain functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace orrery {

/// The document. Texts of several lines stay legible, but where quotation marks or a leading line break forbid it. Its
/// keys must be bare ones.
std::string toml_text(const toml::table& document);

/// Letters, digits, '-' and '_', at least one: what needs no quotation marks.
bool is_bare_key(std::string_view key);

}  // namespace orrery
