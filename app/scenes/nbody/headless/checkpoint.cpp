#include "scenes/nbody/headless/checkpoint.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"

namespace orrery::cli {
namespace fs = std::filesystem;

std::string new_state_file(const char* name) {
  std::error_code none;
  const fs::path folder = state_folder().empty() ? fs::temp_directory_path(none) : state_folder();
  return folder.empty() ? std::string() : name_beside(folder / name).replace_extension(".state").string();
}

Checkpoint::Checkpoint(std::string file, bool required, std::string from)
    : file_(std::move(file)), required_(required), from_(std::move(from)) {
  std::error_code none;
  in_place_ = !from_.empty() && fs::equivalent(fs::path(file_), from_, none);
}

NbodyRunState Checkpoint::read() {
  NbodyRunState state = read_run_state(from_);
  if (state.is_proved) return state;
  std::string text = from_ + " has an older format, whose checksum covers only masses, positions and velocities";
  if (in_place_) text += "; it will be kept as " + copy_of_old();
  copies_old_ = in_place_;
  log(Level::warning, text);
  return state;
}

void Checkpoint::write(const NbodyRunState& state, const RowSource& rows) {
  if (copies_old_) {
    std::error_code error;
    fs::copy_file(from_, copy_of_old(), fs::copy_options::skip_existing, error);
    if (error) throw failure("cannot write " + copy_of_old() + ": " + error.message());
    copies_old_ = false;
  }
  write_run_state(file_, state, rows);
}

bool Checkpoint::keep(const NbodyRunState& state, const RowSource& rows) {
  bool has_rows = true;
  try {
    write(state, [&](std::size_t row, std::size_t offset, std::span<std::byte> into) {
      has_rows = false;
      rows(row, offset, into);
      has_rows = true;
    });
    kept_step_ = state.clock.step;
    return true;
  } catch (const Error& error) {
    if (required_ || !has_rows) throw;
    log(Level::warning, std::string(error.what()) + "; no state of this run is kept");
    file_.clear();
    return false;
  }
}

void Checkpoint::took(double began, double ended) {
  constexpr double interval = 2, least_pause = 20;
  due_ = ended + std::max(interval, least_pause * (ended - began));
}

std::string Checkpoint::keep_last(const NbodyRunState& state) {
  if (takes(state.clock.step)) return write(state), file_;
  std::string file = new_state_file("nbody-left");
  if (!file.empty()) write_run_state(file, state);
  return file;
}

}  // namespace orrery::cli
