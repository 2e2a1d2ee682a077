/// A folder in which several jobs make the frames of one film: frame-00001.png, …; film.toml describes the film.
///
/// It has no locks: files appear whole, and two jobs that make the same file make the same bytes. Others may write to
/// the folder: links in it are neither followed nor written through.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/state_text.hpp"

namespace orrery {

/// Frames first … last, counted from 1; empty if first > last.
struct FrameRange {
  int first = 1, last = 0;
  int count() const { return last < first ? 0 : last - first + 1; }
  bool operator==(const FrameRange&) const = default;
};

/// "A:B" means frames A … B, "I/N" the I-th of N parts of all frames, which differ by one frame at most. Throws a usage
/// Error that names --frames.
FrameRange parse_frame_range(const std::string& text, int frames);
/// "3, 17:18, 250": the form of --frames; after `most` ranges, "…".
std::string ranges_text(const std::vector<FrameRange>& ranges, std::size_t most = 12);

/// Facts about the whole film in film.toml, beside the look of its frames.
struct FilmFacts {
  int frames = 0;
  double frames_per_second = 30;
  std::uint32_t width = 0, height = 0;
};

std::filesystem::path frame_file(const std::filesystem::path& folder, int number);
std::filesystem::path key_file(const std::filesystem::path& folder, int number);
/// Claims the folder for the film, or checks that it belongs to it. `look` has texts only. Throws a usage Error that
/// names the first difference to another film. Removes the unfinished frames of killed runs. Returns the device of the
/// run that made the folder; other devices' frames may differ in the last bits.
std::string claim_film_folder(const std::filesystem::path& folder, const FilmFacts& facts, const StateSection& look,
                              const std::string& device);
/// Throws a usage Error for a folder without a sound film.toml.
FilmFacts read_film_folder(const std::filesystem::path& folder);
/// The frames that are missing or damaged.
std::vector<FrameRange> missing_frames(const std::filesystem::path& folder, const FilmFacts& film);

}  // namespace orrery
