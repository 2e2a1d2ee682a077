#include "base/points/point_series.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/files/growing_file.hpp"
#include "base/points/gsd.hpp"
#include "base/points/point_format.hpp"
#include "base/points/xyz.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

/// The place of the frame's number in a name: "%d" or "%06d".
struct NumberPlace {
  std::size_t begin = 0, end = 0;
  std::size_t digits = 1;
};

// Nothing if the name has another % or two of them.
std::optional<NumberPlace> number_place(const std::string& name) {
  const std::size_t begin = name.find('%'), end = name.find('d', std::min(begin, name.size()));
  if (end == name.npos || name.find('%', begin + 1) != name.npos) return std::nullopt;
  const std::string digits = name.substr(begin + 1, end - begin - 1);
  if (digits.empty()) return NumberPlace{begin, end + 1};
  constexpr std::int64_t most_digits = 18;
  const auto count = parse_integer(digits);
  if (digits.front() != '0' || !count || *count < 1 || *count > most_digits || digits.size() > 3) return std::nullopt;
  return NumberPlace{begin, end + 1, static_cast<std::size_t>(*count)};
}

std::string formats_that_hold_frames() {
  std::string names;
  for (const PointFormat& format : point_formats())
    if (format.holds_frames) names += " or FILE" + std::string(format.extension);
  return names;
}

}  // namespace

Parameter frames_parameter(std::int64_t& every) {
  return {{.name = "every",
           .label = "Steps per frame",
           .help = "steps between two frames of --out, from step 0 on: one file per frame, named with %d or "
                   "%06d, or all in one .xyz or .gsd; 0: only the last step",
           .minimum = 0,
           .maximum = 1e15},
          &every};
}

std::int64_t next_frame(std::int64_t step, std::int64_t every, std::int64_t end) {
  return every == 0 ? end : std::min(end, step + every - step % every);
}

void check_series(const std::string& out, std::int64_t every) {
  const bool numbered = find_point_format(out) != nullptr && number_place(out).has_value();
  if (every == 0 && numbered) throw usage_error("--out", out, "a name without %d, or --every N with N above 0");
  if (every == 0) return;
  if (out.empty()) throw usage_error("--every needs --out FILE", {}, {});
  const PointFormat* const format = find_point_format(out);
  const bool has_sign = out.find('%') != out.npos;
  if (format != nullptr && (has_sign ? number_place(out).has_value() : format->holds_frames)) return;
  const std::string name = "frame-%06d" + std::string(format != nullptr ? format->extension : ".npy");
  throw usage_error("--out", out,
                    "with --every a name with one %d or %06d, " + in_quotes(name) + " (" + point_extensions() + ")" +
                        formats_that_hold_frames());
}

std::string frame_name(const std::string& pattern, std::int64_t frame) {
  const auto place = number_place(pattern);
  if (!place) return pattern;
  std::string digits = std::to_string(frame);
  digits.insert(0, place->digits - std::min(place->digits, digits.size()), '0');
  return pattern.substr(0, place->begin) + digits + pattern.substr(place->end);
}

/// All frames in one file, text or GSD.
class PointSeries::Trajectory {
 public:
  explicit Trajectory(std::filesystem::path path) : path_(std::move(path)), format_(*find_point_format(path_)) {}

  void continue_from(std::int64_t begins) {
    if (format_.extension == ".gsd") return void(gsd_.emplace(path_, begins));
    const std::int64_t whole = xyz_bytes_before(path_, begins);
    if (whole == 0) throw no_frames_before(path_, begins);
    text_.emplace(path_, whole);
  }

  void append(const PointFrame& frame) {
    if (format_.extension == ".gsd") {
      gsd_ ? gsd_->append(frame) : void(gsd_.emplace(path_, frame));
      return;
    }
    std::ostringstream text;
    format_.write(text, frame, {});
    text_ ? text_->append(text.view()) : void(text_.emplace(path_, text.view()));
  }
  void finish() {
    if (gsd_) gsd_->finish();
    if (text_) text_->finish();
  }

 private:
  std::filesystem::path path_;
  const PointFormat& format_;
  std::optional<GsdFile> gsd_;
  std::optional<GrowingFile> text_;
};

PointSeries::PointSeries(std::string out, std::int64_t every, std::int64_t begins)
    : out_(std::move(out)), every_(every) {
  if (every_ == 0 || number_place(out_)) return;
  trajectory_ = std::make_unique<Trajectory>(out_);
  std::error_code none;
  if (begins > 0 && std::filesystem::is_regular_file(out_, none)) trajectory_->continue_from(begins);
}

PointSeries::~PointSeries() = default;

bool PointSeries::due(std::int64_t step) const { return every_ > 0 && step % every_ == 0 && (!last_ || step > *last_); }

void PointSeries::keep(const PointFrame& frame) {
  check_finite(frame);
  if (trajectory_)
    trajectory_->append(frame);
  else
    write_points(frame_name(out_, frame.step / every_), frame);
  if (!first_) first_ = frame.step;
  last_ = frame.step;
}

void PointSeries::finish() {
  if (trajectory_) trajectory_->finish();
}

std::string PointSeries::files() const {
  if (!last_) return {};
  if (trajectory_) return out_;
  const std::string first = frame_name(out_, *first_ / every_), last = frame_name(out_, *last_ / every_);
  return first == last ? first : first + " … " + last;
}

}  // namespace orrery
