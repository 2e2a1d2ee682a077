#include "cli/film_parts.hpp"

#include <algorithm>
#include <cstdio>

#include "base/error.hpp"
#include "base/shell_word.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"

namespace orrery::cli {
namespace {

constexpr std::int64_t most_jobs = 1000;  // Slurm's default limit of an array

std::int64_t jobs_of(const std::string& text) {
  const auto number = typed_integer("--jobs", text);
  if (!number || *number < 1 || *number > most_jobs)
    throw usage_error("--jobs", text, "a whole number from 1 to " + std::to_string(most_jobs));
  return *number;
}

// Refuses control characters: line breaks cannot be quoted in the script's here-documents.
std::string script_word(const std::string& word) {
  if (std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    throw usage_error("an argument of the script for --cluster", word, "a text without control characters");
  return shell_word(word);
}

// Prevents a leading dash, which programs in the script would read as an option.
std::string script_path(const std::filesystem::path& path) {
  const std::string text = path.string();
  return script_word(text.starts_with('-') ? "./" + text : text);
}

// The command's arguments without those that the script adds.
std::string words_for_script(const Arguments& arguments) {
  std::string words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i].substr(0, arguments[i].find('='));
    if (option == "--cluster" || option == "--jobs" || option == "--out") {
      if (option == arguments[i]) ++i;
      continue;
    }
    words += " " + script_word(arguments[i]);
  }
  return words;
}

}  // namespace

void add_film_parts(CLI::App& app, FilmParts& parts, std::string_view usual_jobs) {
  app.add_option("--frames", parts.frames,
                 "makes only frames A to B of the film, counted from 1, or part I of N; --out is then a "
                 "folder that several runs can share; existing frames are not made again; orrery film join "
                 "joins them to a film")
      ->type_name("A:B|I/N");
  app.add_option("--cluster", parts.cluster,
                 "prints a script that computes the film on a cluster, in parts and with logs, and joins it: slurm")
      ->type_name("NAME");
  app.add_option(
         "--jobs", parts.jobs,
         "parts of the film in that script (1 to " + grouped(most_jobs) + "); default " + std::string(usual_jobs))
      ->type_name("N");
}

void check_film_parts(const FilmParts& parts) {
  if (!parts.cluster.empty() && parts.cluster != "slurm") throw usage_error("--cluster", parts.cluster, "slurm");
  if (!parts.cluster.empty() && !parts.frames.empty())
    throw usage_error("--frames", parts.frames, "no value together with --cluster, whose script chooses the frames");
  if (parts.jobs.empty()) return;
  if (parts.cluster.empty()) throw usage_error("--jobs", parts.jobs, "--cluster slurm together with it");
  (void)jobs_of(parts.jobs);
}

void print_film_script(const FilmParts& parts, const FilmScript& script) {
  const std::int64_t wanted = parts.jobs.empty() ? script.suiting_jobs : jobs_of(parts.jobs);
  const std::string jobs = std::to_string(std::min<std::int64_t>(wanted, script.frames));
  std::filesystem::path folder = script.out, out = script.out;
  if (script.out.has_extension()) {
    folder.replace_extension();
  } else {
    out += ".mp4";
  }
  if (folder.string().find('\\') != std::string::npos)
    throw usage_error("--out with --cluster", script.out.string(),
                      "a name without a backslash, which sbatch interprets");
  std::printf(R"(#!/bin/bash
# A film of %d frames, made by orrery in %s jobs of a Slurm cluster. Run this where sbatch is, in a folder that all nodes
# share; its arguments are given to sbatch: bash FILE --partition=gpu --gres=gpu:1
# Run it again after a failure: existing frames are not made again.
set -eu
export ORRERY=${ORRERY:-orrery}  # the program on the nodes
export FOLDER=%s
logs=${FOLDER//[%%]/%%%%}/logs  # to sbatch, a per cent sign begins a number of the job
mkdir -p "$FOLDER/logs"
frames=$(sbatch --parsable --job-name=orrery-frames --array=1-%s --requeue --open-mode=append \
  --output="$logs/part-%%a.log" "$@" <<'PART'
#!/bin/bash
exec "$ORRERY" %s%s \
  --out "$FOLDER" --frames "$SLURM_ARRAY_TASK_ID/%s"
PART
)
film=$(sbatch --parsable --job-name=orrery-join --dependency="afterany:${frames%%%%;*}" \
  --output="$logs/join.log" "$@" <<'JOIN'
#!/bin/bash
exec "$ORRERY" film join "$FOLDER" --out %s
JOIN
)
echo "The frames are job ${frames%%%%;*}, the film is job ${film%%%%;*}; the logs are in $FOLDER/logs"
)",
              script.frames, jobs.c_str(), script_path(folder).c_str(), jobs.c_str(),
              std::string(script.command).c_str(), words_for_script(script.arguments).c_str(), jobs.c_str(),
              script_path(out).c_str());
}

}  // namespace orrery::cli
