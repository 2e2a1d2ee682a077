/// A folder in which any number of jobs make the frames of one film: frame-00001.png, …; film.toml says which film it
/// is.
///
/// Nothing in it is locked. Files appear whole, and two jobs that make the same one make the same bytes. Others may
/// write to the folder: links in it are neither followed nor written through.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/state_text.hpp"

namespace orrery {

/// Frames first … last, counted from 1; none where first is above last.
struct FrameRange {
  int first = 1, last = 0;
  int count() const { return last < first ? 0 : last - first + 1; }
  bool operator==(const FrameRange&) const = default;
};

/// "A:B" means frames A … B, "I/N" the I-th of N parts of all frames, which differ by one frame at most. Throws a usage
/// Error that names --frames.
FrameRange parse_frame_range(const std::string& text, int frames);
/// "3, 17:18, 250": as --frames takes them; of more than `most` ranges the first ones, and "…".
std::string ranges_text(const std::vector<FrameRange>& ranges, std::size_t most = 12);

/// film.toml tells this of the film as a whole, and besides how its frames look.
struct FilmFacts {
  int frames = 0;
  double frames_per_second = 30;
  std::uint32_t width = 0, height = 0;
};

std::filesystem::path frame_file(const std::filesystem::path& folder, int number);
std::filesystem::path key_file(const std::filesystem::path& folder, int number);
/// Makes the folder that of the film, or finds that it is. `look` has texts only. Throws a usage Error that names the
/// first difference if it belongs to another film. Removes the unfinished frames of killed runs. Returns the device of
/// the run that made the folder, whose frames may differ in their last bits from those of another one.
std::string claim_film_folder(const std::filesystem::path& folder, const FilmFacts& facts, const StateSection& look,
                              const std::string& device);
/// Throws a usage Error for a folder without a sound film.toml.
FilmFacts read_film_folder(const std::filesystem::path& folder);
/// Those that are not there, or damaged.
std::vector<FrameRange> missing_frames(const std::filesystem::path& folder, const FilmFacts& film);

}  // namespace orrery
