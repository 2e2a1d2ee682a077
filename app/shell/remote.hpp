/// A program that drives the window (--remote): its requests are lines of JSON on standard input, and each is answered
/// by a line on standard output. The page remote.md of the manual describes them.
///
/// Window thread; a thread of its own reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.hpp"
#include "shell/files/file_saver.hpp"

namespace orrery::shell {

struct RemoteRequest {
  std::string id;                 ///< JSON, as it was written: the answer has it again
  std::string what;               ///< "set", "get" …
  std::string name, value, file;  ///< as texts; empty where there is none
  bool on = true;
};

class Remote {
 public:
  explicit Remote(bool wanted);

  /// The next one that has come. A line that is no request is answered here.
  std::optional<RemoteRequest> next();
  /// The input has ended, and no request is left.
  bool ended() const;

  void answer(const RemoteRequest& request, nlohmann::ordered_json result) const;
  void refuse(const RemoteRequest& request, const std::string& sentence) const;

  /// The answer follows when the file has been saved.
  void await(const RemoteRequest& request) { awaited_.push_back(request); }
  bool awaits(const std::filesystem::path& file) const;
  /// Answers who awaits the file, whether it was saved or not; false where nobody does.
  bool saved(const SavedFile& file);

  /// From now on, tells of each picture of another moment, or no more.
  void watch(bool on) { watches_ = on; }
  void follow(const SceneStatus::Simulation& simulation);

 private:
  struct Input;
  std::shared_ptr<Input> input_;  // null: nothing is read
  std::vector<RemoteRequest> awaited_;
  bool watches_ = false;
  std::pair<std::int64_t, std::int64_t> seen_{-1, -1};  // the picture and the step that were told last
};

}  // namespace orrery::shell
