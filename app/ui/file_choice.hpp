/// A question for a file: the typed text, the marked entry and the answer. panels/file_dialog.cpp draws it.
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
  std::string_view id;    ///< id of the asker, which takes the answer
  std::string title;      ///< "Open a file"
  std::string verb;       ///< label of the button: "Open"
  bool saves = false;     ///< the file may be a new one; an existing one is replaced after another question
  std::string name = {};  ///< the proposed name
  /// Extensions of the listed files; none: all files. A saved file without one of them gets the first one.
  std::vector<std::string> extensions = {};
  std::string kinds = {};  ///< the extensions in words
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
  /// Returns the chosen path, once, to the asker with that id.
  std::optional<std::string> take_answer(std::string_view id);
  /// Drops an answer that was not taken.
  void drop_answer() { answer_.clear(); }

  bool is_open() const { return step_ != Step::closed; }
  Step step() const { return step_; }
  const FileQuestion& question() const { return question_; }
  const std::string& folder() const { return folder_; }
  const std::string& text() const { return text_; }
  const std::string& fault() const { return fault_; }
  std::optional<std::uint32_t> marked() const { return marked_; }
  /// True once after the mark has moved, so that it is scrolled into view.
  bool take_moved() { return std::exchange(moved_, false); }

  FolderView view() const;
  void sort_by(FolderOrder order);
  bool shows_all_files() const { return all_files_; }
  void show_all_files(bool all) { all_files_ = all, marked_.reset(); }

  /// Each frame, before it is drawn. Returns the entries to be shown.
  const std::vector<std::uint32_t>& follow(const FilesSnapshot& files, command::Commands& commands);
  /// Changes the text. A folder typed to its "/" is entered.
  void type(std::string text, command::Commands& commands);
  /// Completes the text as far as it is unambiguous.
  void complete(command::Commands& commands);
  void mark(std::uint32_t entry);
  /// Moves the mark by a number of rows.
  void move_mark(int rows);
  void enter(const std::string& folder, command::Commands& commands,
             command::ListFolder::How how = command::ListFolder::How::as_it_is);
  void enter_parent(command::Commands& commands);
  void name_new_folder();
  /// Does what Enter does.
  void accept(command::Commands& commands);
  /// Does what Esc does: goes one step back; closes from the first step.
  void step_back();

 private:
  void list(const std::string& folder, command::ListFolder::How how, command::Commands& commands);
  void find_shown(bool is_new);
  void take_name(const std::string& name, command::Commands& commands);
  void make_folder(command::Commands& commands);
  void answer(const std::string& name);

  Step step_ = Step::closed;
  FileQuestion question_;
  std::string folder_;     ///< the shown or requested folder
  std::string text_;       ///< the typed text
  std::string set_aside_;  ///< the text typed before the naming of a new folder
  std::string fault_;
  std::string answer_;                   ///< a path; empty: none
  std::optional<std::uint32_t> marked_;  ///< an entry
  bool moved_ = false;                   ///< the mark was moved by a key
  FolderOrder order_ = FolderOrder::name;
  bool descending_ = false, all_files_ = false;
  std::shared_ptr<const FolderListing> listing_;
  std::vector<std::uint32_t> shown_;
  std::string shown_for_;  ///< the view that they are of
};

}  // namespace orrery::ui
