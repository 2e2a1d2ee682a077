/// Films made by many machines, each a part of the frames, in a shared folder.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace orrery::cli {

struct FilmParts {
  std::string frames;   ///< frames of a part, see parse_frame_range(); empty: all, without a shared folder
  std::string cluster;  ///< job script to print instead of the film; empty: none
  std::string jobs;     ///< parts in that script; empty: suits the film
};

/// --frames, --cluster and --jobs; `usual_jobs` describes the default of --jobs.
void add_film_parts(CLI::App& app, FilmParts& parts, std::string_view usual_jobs);
/// Throws a usage Error for wrong values or combinations.
void check_film_parts(const FilmParts& parts);

struct FilmScript {
  std::string_view command;    ///< orrery's command that makes the film …
  const Arguments& arguments;  ///< … from these arguments
  std::filesystem::path out;
  int frames = 1;
  std::int64_t suiting_jobs = 1;
};
/// Prints the script named by parts.cluster. Throws a usage Error for names that it cannot contain.
void print_film_script(const FilmParts& parts, const FilmScript& script);

}  // namespace orrery::cli
