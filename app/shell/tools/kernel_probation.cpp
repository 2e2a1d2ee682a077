#include "shell/tools/kernel_probation.hpp"

#include <utility>

#include "base/log.hpp"

namespace orrery::shell {

constexpr double proving_seconds = 3;  // that new kernels must run without a fault

void KernelProbation::begin(std::shared_ptr<const KernelSources> before, double now) {
  trial_ = Trial{now, std::move(before), fault_};
}

std::shared_ptr<const KernelSources> KernelProbation::judge(const KernelSources& present,
                                                            const std::string& scene_fault, bool compiling,
                                                            double now) {
  fault_ = scene_fault;
  if (!trial_) return nullptr;
  if (scene_fault.empty() || scene_fault == trial_->fault_before) {
    if (!compiling && now - trial_->since > proving_seconds) trial_.reset();
    return nullptr;
  }
  auto before = trial_->before;
  Edits failed = present.edits();
  std::erase_if(failed, [&](const auto& edit) {
    const auto known = before->edits().find(edit.first);
    return known != before->edits().end() && known->second == edit.second;
  });
  take_back(failed, scene_fault);
  return before;
}

void KernelProbation::take_back(const Edits& edits, const std::string& reason) {
  for (const auto& [file, text] : edits) {
    taken_back_[file] = text;
    messages_.push_back({CompilerMessage::Kind::error, file, 0, 0, reason});
    log(Level::warning, line_of(messages_.back()));
  }
  trial_.reset();
}

void KernelProbation::forgive(const std::string& file) {
  taken_back_.erase(file);
  std::erase_if(messages_, [&](const CompilerMessage& message) { return message.file == file; });
}

std::string line_of(const CompilerMessage& message) {
  std::string place = message.file;
  if (message.line > 0) place += ":" + std::to_string(message.line);
  if (message.column > 0) place += ":" + std::to_string(message.column);
  const char* kind = message.kind == CompilerMessage::Kind::error     ? "error: "
                     : message.kind == CompilerMessage::Kind::warning ? "warning: "
                                                                      : "note: ";
  return (place.empty() ? "" : place + ": ") + kind + message.text;
}

}  // namespace orrery::shell
