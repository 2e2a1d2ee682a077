/// What a compiler has said of a text: lines below it, and marks in it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compute/program/build_log.hpp"
#include "ui/code_text.hpp"

namespace orrery::ui {

/// Those of the file that is shown. Notes are left out, here as below.
std::vector<CodeMark> marks_of(std::span<const CompilerMessage> messages, const std::string& file);
/// That they want; 0 where there are none.
float messages_height(const Panel& panel, std::span<const CompilerMessage> messages);
/// The one that is clicked, or null.
const CompilerMessage* compiler_messages(const Panel& panel, std::span<const CompilerMessage> messages, float height);

}  // namespace orrery::ui
