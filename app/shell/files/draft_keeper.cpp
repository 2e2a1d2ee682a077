#include "shell/files/draft_keeper.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/log.hpp"
#include "compute/program/kernel_sources.hpp"

namespace orrery::shell {
namespace fs = std::filesystem;
namespace {

constexpr double draft_interval = 2;  // seconds between two saves

fs::path folder_of(const KernelEditStore& store) { return store.folder() / "drafts"; }

// The saved text of the user's copy, or else of the installation's file.
std::string saved_text(const KernelEditStore& store, const std::string& file) {
  std::error_code ignored;
  const fs::path copy = store.folder() / file;
  return read_file(fs::exists(copy, ignored) ? copy : store.original_of(file), kernel_kind);
}

}  // namespace

std::string DraftKeeper::offer(ui::EditorUi& editor) {
  std::string names;
  if (store_.folder().empty()) return names;
  for (const std::string& file : store_.files()) {
    std::error_code ignored;
    const fs::path draft = folder_of(store_) / file;
    if (!fs::exists(draft, ignored)) continue;
    try {
      editor.drafts[file] = read_file(draft, kernel_kind);
      names += (names.empty() ? "" : ", ") + file;
    } catch (const Error& error) {
      log(Level::warning, error.what());
    }
  }
  return names;
}

// Texts in the editor; the worker thread skips the saved ones.
DraftKeeper::Drafts DraftKeeper::typed(const ui::EditorUi& editor) {
  Drafts drafts = editor.drafts;
  if (!editor.file.empty()) drafts[editor.file] = editor.text;
  return drafts;
}

std::string DraftKeeper::keep(const KernelEditStore& store, const Drafts& drafts) {
  try {
    for (const auto& [file, text] : drafts) {
      const fs::path draft = folder_of(store) / file;
      std::error_code ignored;
      if (text == saved_text(store, file)) {
        fs::remove(draft, ignored);
        continue;
      }
      if (fs::exists(draft, ignored) && read_file(draft, kernel_kind) == text) continue;
      fs::create_directories(draft.parent_path(), ignored);
      write_file(draft, text);
    }
    return {};
  } catch (const Error& error) {
    return std::string("cannot keep unsaved kernel text: ") + error.what();
  }
}

std::string DraftKeeper::follow(const ui::EditorUi& editor, double now) {
  if (store_.folder().empty()) return {};
  const auto fault = keeping_.poll();
  if (!keeping_.busy() && now - kept_at_ > draft_interval) {
    kept_at_ = now;
    if (Drafts drafts = typed(editor); !drafts.empty())
      keeping_.start([store = store_, drafts = std::move(drafts)] { return keep(store, drafts); });
  }
  if (!fault || fault->empty() || std::exchange(warned_, true)) return {};
  return *fault;
}

void DraftKeeper::leave(const ui::EditorUi& editor) {
  keeping_ = {};
  if (store_.folder().empty()) return;
  if (const Drafts drafts = typed(editor); !drafts.empty())
    if (const std::string fault = keep(store_, drafts); !fault.empty()) log(Level::warning, fault);
}

}  // namespace orrery::shell
