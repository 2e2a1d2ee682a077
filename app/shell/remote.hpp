/// A program that drives the window (--remote): requests are lines of JSON on standard input, answers are lines on
/// standard output. The manual's page remote.md describes them.
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
  std::string id;                 ///< JSON text, repeated in the answer
  std::string what;               ///< "set", "get" …
  std::string name, value, file;  ///< texts; empty: none
  bool on = true;
};

class Remote {
 public:
  explicit Remote(bool wanted);

  /// The next request. Answers invalid lines itself.
  std::optional<RemoteRequest> next();
  /// True when the input has ended and no request is left.
  bool ended() const;

  void answer(const RemoteRequest& request, nlohmann::ordered_json result) const;
  void refuse(const RemoteRequest& request, const std::string& sentence) const;

  /// Delays the answer until the file has been saved.
  void await(const RemoteRequest& request) { awaited_.push_back(request); }
  bool awaits(const std::filesystem::path& file) const;
  /// Answers the request that awaits the file, with success or failure; false: none awaits it.
  bool saved(const SavedFile& file);

  /// Starts or stops reporting each picture of a new moment.
  void watch(bool on) { watches_ = on; }
  void follow(const SceneStatus::Simulation& simulation);

 private:
  struct Input;
  std::shared_ptr<Input> input_;  // null: no input is read
  std::vector<RemoteRequest> awaited_;
  bool watches_ = false;
  std::pair<std::int64_t, std::int64_t> seen_{-1, -1};  // last reported picture and step
};

}  // namespace orrery::shell
