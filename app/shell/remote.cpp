#include "shell/remote.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "base/platform/threads.hpp"

namespace orrery::shell {
namespace {

using Json = nlohmann::ordered_json;

void say(const Json& line) {
  std::puts(line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

// Numbers and switches as option values: 0.02, on.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number()) return value.dump();
  throw usage_error("the value", value.dump(), "a text, a number, true or false");
}

std::string string_at(const Json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end()) return {};
  if (!found->is_string()) throw usage_error(key, found->dump(), "a text");
  return found->get<std::string>();
}

RemoteRequest request_of(const Json& line) {
  RemoteRequest request;
  request.id = line.contains("id") ? line["id"].dump() : "null";
  request.what = string_at(line, "do");
  request.name = string_at(line, "name");
  request.file = string_at(line, "file");
  if (const auto value = line.find("value"); value != line.end()) request.value = text_of(*value);
  if (const auto on = line.find("on"); on != line.end()) {
    if (!on->is_boolean()) throw usage_error("on", on->dump(), "true or false");
    request.on = on->get<bool>();
  }
  return request;
}

}  // namespace

struct Remote::Input {
  mutable std::mutex mutex;
  std::deque<std::string> lines;
  bool ended = false;
};

// The thread may wait for a line at exit: it is not joined and shares ownership of its output.
Remote::Remote(bool wanted) {
  if (!wanted) return;
  input_ = std::make_shared<Input>();
  std::thread([input = input_] {
    give_signal_stack();
    name_thread("remote");
    for (std::string line; std::getline(std::cin, line);) {
      const std::lock_guard lock(input->mutex);
      input->lines.push_back(std::move(line));
    }
    const std::lock_guard lock(input->mutex);
    input->ended = true;
  }).detach();
}

std::optional<RemoteRequest> Remote::next() {
  for (;;) {
    std::string text;
    {
      if (!input_) return std::nullopt;
      const std::lock_guard lock(input_->mutex);
      if (input_->lines.empty()) return std::nullopt;
      text = std::move(input_->lines.front());
      input_->lines.pop_front();
    }
    const Json line = Json::parse(text, nullptr, false);
    try {
      if (!line.is_object()) throw usage_error("the request", text, "an object of JSON in one line");
      return request_of(line);
    } catch (const Error& error) {
      say({{"id", line.is_object() && line.contains("id") ? line["id"] : Json()}, {"error", error.what()}});
    }
  }
}

bool Remote::ended() const {
  if (!input_) return false;
  const std::lock_guard lock(input_->mutex);
  return input_->ended && input_->lines.empty();
}

void Remote::answer(const RemoteRequest& request, Json result) const {
  say({{"id", Json::parse(request.id)}, {"result", std::move(result)}});
}

void Remote::refuse(const RemoteRequest& request, const std::string& sentence) const {
  say({{"id", Json::parse(request.id)}, {"error", sentence}});
}

bool Remote::awaits(const std::filesystem::path& file) const {
  return std::ranges::any_of(awaited_, [&](const RemoteRequest& each) { return each.file == file; });
}

bool Remote::saved(const SavedFile& file) {
  const auto found = std::ranges::find_if(awaited_, [&](const RemoteRequest& each) { return each.file == file.path; });
  if (found == awaited_.end()) return false;
  file.fault ? refuse(*found, file.fault->what()) : answer(*found, found->file);
  awaited_.erase(found);
  return true;
}

void Remote::follow(const SceneStatus::Simulation& simulation) {
  const std::pair now{simulation.pictures, simulation.steps};
  if (!watches_ || now == seen_) return;
  seen_ = now;
  say({{"frame", now.first}, {"step", now.second}});
}

}  // namespace orrery::shell
