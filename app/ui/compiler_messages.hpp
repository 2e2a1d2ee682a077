/// Messages of a compiler about a text: lines below it, and marks in it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compute/program/build_log.hpp"
#include "ui/code_text.hpp"

namespace orrery::ui {

/// Marks of the messages about `file`. Notes are left out, here and below.
std::vector<CodeMark> marks_of(std::span<const CompilerMessage> messages, const std::string& file);
/// The height of the messages; 0 without messages.
float messages_height(const Panel& panel, std::span<const CompilerMessage> messages);
/// Returns the clicked message, or null.
const CompilerMessage* compiler_messages(const Panel& panel, std::span<const CompilerMessage> messages, float height);

}  // namespace orrery::ui
