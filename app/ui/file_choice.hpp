/// The file that a person is being asked for: what is typed, marked and answered. panels/file_dialog.cpp draws it.
///
/// Folders are listed by the shell on a worker thread: command::ListFolder asks for it, FilesSnapshot has the answer.
/// Window thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/command.hpp"
#include "protocol/files_snapshot.hpp"

namespace orrery::ui {

struct FileQuestion {
  std::string_view id;    ///< of who asks, and takes the answer
  std::string title;      ///< "Open a file"
  std::string verb;       ///< of the button: "Open"
  bool saves = false;     ///< the file may be a new one; an existing one is replaced after another question
  std::string name = {};  ///< that is proposed
  /// Of the files that are listed; none: all. A saved file whose name has none of them gets the first one.
  std::vector<std::string> extensions = {};
  std::string kinds = {};  ///< the same in words
};
/// The ids of the two questions that the window asks.
inline constexpr std::string_view open_question = "open", save_question = "save";

class FileChoice {
 public:
  enum class Step {
    closed,
    choosing,
    arriving,    ///< the folder of a typed path is being listed
    naming,      ///< a new folder
    overwriting  ///< the file exists
  };
  /// Begins in the folder of the last answer, or where there is none, in `folder`.
  void ask(FileQuestion question, const std::string& folder, command::Commands& commands);
  void close() { step_ = Step::closed; }
  /// The path that was chosen, once, for who has asked with that id.
  std::optional<std::string> take_answer(std::string_view id);
  /// An answer that nobody has taken counts no longer.
  void drop_answer() { answer_.clear(); }

  bool is_open() const { return step_ != Step::closed; }
  Step step() const { return step_; }
  const FileQuestion& question() const { return question_; }
  const std::string& folder() const { return folder_; }
  const std::string& text() const { return text_; }
  const std::string& fault() const { return fault_; }
  std::optional<std::uint32_t> marked() const { return marked_; }
  /// The mark is another one, once: it is to be seen.
  bool take_moved() { return std::exchange(moved_, false); }

  FolderView view() const;
  void sort_by(FolderOrder order);
  bool shows_all_files() const { return all_files_; }
  void show_all_files(bool all) { all_files_ = all, marked_.reset(); }

  /// Each frame, before it is drawn. Returns the entries to be shown.
  const std::vector<std::uint32_t>& follow(const FilesSnapshot& files, command::Commands& commands);
  /// The text is another one. A folder that is typed to its "/" is entered.
  void type(std::string text, command::Commands& commands);
  /// Continues the text as far as it is certain.
  void complete(command::Commands& commands);
  void mark(std::uint32_t entry);
  /// Marks the entry so many rows further.
  void move_mark(int rows);
  void enter(const std::string& folder, command::Commands& commands,
             command::ListFolder::How how = command::ListFolder::How::as_it_is);
  void enter_parent(command::Commands& commands);
  void name_new_folder();
  /// As Enter does.
  void accept(command::Commands& commands);
  /// As Esc does: one step back, at last closed.
  void step_back();

 private:
  void list(const std::string& folder, command::ListFolder::How how, command::Commands& commands);
  void find_shown(bool is_new);
  void take_name(const std::string& name, command::Commands& commands);
  void make_folder(command::Commands& commands);
  void answer(const std::string& name);

  Step step_ = Step::closed;
  FileQuestion question_;
  std::string folder_;     ///< that is shown, or asked for
  std::string text_;       ///< as typed
  std::string set_aside_;  ///< what was typed before a new folder is named
  std::string fault_;
  std::string answer_;                   ///< a path; empty: none
  std::optional<std::uint32_t> marked_;  ///< an entry
  bool moved_ = false;                   ///< by a key
  FolderOrder order_ = FolderOrder::name;
  bool descending_ = false, all_files_ = false;
  std::shared_ptr<const FolderListing> listing_;
  std::vector<std::uint32_t> shown_;
  std::string shown_for_;  ///< the view that they are of
};

}  // namespace orrery::ui
