#include "scenes/nbody/headless/archiving.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace orrery::cli {

Archiving::Archiving(std::string file, std::int64_t every) : file_(std::move(file)), every_(every) {}

void Archiving::continue_behind(const std::string& from, const ArchiveEntry& entry) {
  std::error_code none;
  if (file_.empty() || !std::filesystem::equivalent(file_, from, none)) return;
  whole_ = entry.end();
  last_ = entry.step;
}

bool Archiving::due(std::int64_t step, std::int64_t steps) const {
  constexpr std::int64_t states = 200;
  if (file_.empty() || (last_ && step <= *last_)) return false;
  const std::int64_t every = every_ > 0 ? every_ : std::max<std::int64_t>(1, steps / states);
  return !last_ || step == steps || step / every > *last_ / every;
}

void Archiving::keep(const NbodyRunState& state) {
  if (!writer_ && whole_)
    writer_.emplace(file_, *whole_);
  else if (!writer_)
    writer_.emplace(file_);
  writer_->append(state);
  last_ = state.clock.step;
}

void Archiving::finish() {
  if (writer_) writer_->finish();
}

}  // namespace orrery::cli
