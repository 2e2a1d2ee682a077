/// Films whose frames many machines make, each a part of them, in a folder that they share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace orrery::cli {

struct FilmParts {
  std::string frames;  ///< of a part, as parse_frame_range() takes them; empty: all, and not in a folder that is shared
  std::string cluster;  ///< the job script that is wanted instead of the film; empty: none
  std::string jobs;     ///< parts in that script; empty: as many as suit the film
};

/// --frames, --cluster and --jobs; `usual_jobs` says how many those are without the last one.
void add_film_parts(CLI::App& app, FilmParts& parts, std::string_view usual_jobs);
/// Throws a usage Error for values that are wrong, or mean nothing together.
void check_film_parts(const FilmParts& parts);

struct FilmScript {
  std::string_view command;    ///< of orrery's, which makes the film …
  const Arguments& arguments;  ///< … from these
  std::filesystem::path out;
  int frames = 1;
  std::int64_t suiting_jobs = 1;
};
/// Prints the script that parts.cluster names. Throws a usage Error for names that it cannot hold.
void print_film_script(const FilmParts& parts, const FilmScript& script);

}  // namespace orrery::cli
