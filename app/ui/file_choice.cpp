#include "ui/file_choice.hpp"

#include <algorithm>
#include <array>

#include "base/printable.hpp"

namespace orrery::ui {
namespace fs = std::filesystem;

void FileChoice::ask(FileQuestion question, const std::string& folder, command::Commands& commands) {
  question_ = std::move(question);
  text_ = question_.saves ? question_.name : std::string();
  all_files_ = false;
  answer_.clear();
  list(folder_.empty() ? folder : folder_, command::ListFolder::How::nearest, commands);
}

std::optional<std::string> FileChoice::take_answer(std::string_view id) {
  if (answer_.empty() || question_.id != id) return std::nullopt;
  return std::exchange(answer_, {});
}

FolderView FileChoice::view() const {
  FolderView view{.order = order_, .descending = descending_};
  if (!question_.saves && (step_ == Step::choosing || step_ == Step::arriving)) view.containing = text_;
  if (!all_files_) view.extensions = question_.extensions;
  return view;
}

void FileChoice::sort_by(FolderOrder order) {
  descending_ = order == order_ ? !descending_ : order != FolderOrder::name;  // the newest and the largest first
  order_ = order;
}

const std::vector<std::uint32_t>& FileChoice::follow(const FilesSnapshot& files, command::Commands& commands) {
  if (!is_open()) return shown_;
  const bool is_new = listing_ != files.listing;
  listing_ = files.listing;
  if (listing_ && is_new) folder_ = listing_->path.string();
  find_shown(is_new);
  if (step_ == Step::arriving && listing_) {
    step_ = Step::choosing;
    if (listing_->fault.empty()) accept(commands);
  }
  return shown_;
}

void FileChoice::find_shown(bool is_new) {
  const FolderView wanted = view();
  std::string key = std::to_string(static_cast<int>(wanted.order)) + (wanted.descending ? "-" : "+") +
                    (all_files_ ? "*" : ".") + std::string(wanted.containing);
  if (is_new || key != shown_for_) {
    shown_ = listing_ ? entries_shown(*listing_, wanted) : std::vector<std::uint32_t>();
    shown_for_ = std::move(key);
    const bool gone = marked_ && std::ranges::find(shown_, *marked_) == shown_.end();
    if (gone || !wanted.containing.empty()) marked_.reset();
    // Enter takes what is typed, or the first that has it.
    if (!wanted.containing.empty() && !shown_.empty()) {
      const auto named = [&](std::uint32_t i) { return listing_->entries[i].name == text_; };
      const auto exact = std::ranges::find_if(shown_, named);
      marked_ = exact != shown_.end() ? *exact : shown_.front();
    }
  }
}

void FileChoice::list(const std::string& folder, command::ListFolder::How how, command::Commands& commands) {
  folder_ = folder;
  fault_.clear();
  marked_.reset();
  listing_.reset();
  shown_.clear();
  step_ = Step::choosing;
  commands.emplace_back(command::ListFolder{folder, how});
}

void FileChoice::enter(const std::string& folder, command::Commands& commands, command::ListFolder::How how) {
  if (!question_.saves) text_.clear();
  list(folder, how, commands);
}

void FileChoice::enter_parent(command::Commands& commands) {
  const fs::path folder = fs::path(folder_).lexically_normal();
  enter((folder.has_filename() ? folder : folder.parent_path()).parent_path().string(), commands);
}

void FileChoice::type(std::string text, command::Commands& commands) {
  if (text == text_) return;
  text_ = std::move(text);
  fault_.clear();
  if (question_.saves) marked_.reset();
  constexpr std::array separators{'/', static_cast<char>(fs::path::preferred_separator)};
  const std::size_t slash = text_.find_last_of(separators.data(), std::string::npos, separators.size());
  if (step_ != Step::choosing || slash == std::string::npos) return;
  const std::string folder = text_.substr(0, slash + 1), rest = text_.substr(slash + 1);
  list(typed_path(folder, folder_).string(), command::ListFolder::How::as_it_is, commands);
  text_ = rest;
}

void FileChoice::complete(command::Commands& commands) {
  if (listing_ && step_ == Step::choosing) type(completed(*listing_, shown_, text_), commands);
}

void FileChoice::mark(std::uint32_t entry) {
  marked_ = entry;
  fault_.clear();
  if (question_.saves && listing_ && !listing_->entries.at(entry).is_folder) text_ = listing_->entries[entry].name;
}

void FileChoice::move_mark(int rows) {
  if (shown_.empty() || step_ != Step::choosing) return;
  const auto count = static_cast<int>(shown_.size());
  int row = rows > 0 ? -1 : count;
  if (marked_) row = static_cast<int>(std::ranges::find(shown_, *marked_) - shown_.begin());
  mark(shown_[static_cast<std::size_t>(std::clamp(row + rows, 0, count - 1))]);
  moved_ = true;
}

void FileChoice::name_new_folder() {
  if (step_ != Step::choosing || !listing_) return;
  set_aside_ = std::exchange(text_, {});
  fault_.clear();
  step_ = Step::naming;
}

void FileChoice::make_folder(command::Commands& commands) {
  const std::string name = text_;
  if (is_blank(name)) return fault_ = "Type the name of the new folder", void();
  text_ = question_.saves ? set_aside_ : std::string();
  list(typed_path(name, folder_).string(), command::ListFolder::How::made, commands);
}

void FileChoice::accept(command::Commands& commands) {
  fault_.clear();
  if (step_ == Step::overwriting) return answer(text_);
  if (step_ == Step::naming) return make_folder(commands);
  if (step_ != Step::choosing) return;
  if (text_ == "~" || text_ == "..") return type(text_ + "/", commands);
  if (!listing_) {
    step_ = Step::arriving;
    return;
  }
  find_shown(false);  // the last letters may have come with the key
  const FolderEntry* const marked = marked_ ? &listing_->entries.at(*marked_) : nullptr;
  const bool by_mark = marked != nullptr && (!question_.saves || marked->is_folder);
  take_name(by_mark ? marked->name : text_, commands);
}

void FileChoice::take_name(const std::string& name, command::Commands& commands) {
  if (name.empty())
    return fault_ = question_.saves ? "Type a name for the file" : "Choose a file or type its name", void();
  const FolderEntry* const entry = find_entry(*listing_, name);
  if (entry != nullptr && entry->is_folder) {
    if (text_ == name) text_.clear();
    return enter((fs::path(folder_) / name).string(), commands);
  }
  if (!question_.saves) {
    if (entry != nullptr) return answer(name);
    return fault_ = "There is no file " + in_quotes(name) + " in this folder", void();
  }
  text_ = name;
  if (!question_.extensions.empty() && !has_extension(name, question_.extensions))
    text_ += question_.extensions.front();
  if (find_entry(*listing_, text_) == nullptr) return answer(text_);
  step_ = Step::overwriting;
}

void FileChoice::answer(const std::string& name) {
  answer_ = (fs::path(folder_) / name).string();
  step_ = Step::closed;
}

void FileChoice::step_back() {
  fault_.clear();
  if (step_ == Step::naming) text_ = std::exchange(set_aside_, {});
  step_ = step_ == Step::naming || step_ == Step::overwriting ? Step::choosing : Step::closed;
}

}  // namespace orrery::ui
