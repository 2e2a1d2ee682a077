#include "base/files/trace_file.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

// Nanoseconds as microseconds, exactly.
std::string microseconds(std::int64_t nanoseconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                static_cast<long long>(nanoseconds % 1000));
  return text.data();
}

int process_of(LaneKind kind) { return kind == LaneKind::queue ? 2 : kind == LaneKind::gl ? 3 : 1; }

std::string text_of(const std::array<std::uint32_t, 2>& size) {
  return std::to_string(size[0]) + (size[1] > 1 ? " × " + std::to_string(size[1]) : "");
}

void write_names(std::ostream& stream, const TimelineView& view) {
  for (const auto& [process, name] : {std::pair(1, "Orrery"), std::pair(2, "OpenCL"), std::pair(3, "OpenGL")})
    stream << Json{{"ph", "M"}, {"pid", process}, {"name", "process_name"}, {"args", {{"name", name}}}} << ",\n";
  for (std::size_t lane = 0; lane < view.lanes.size(); ++lane) {
    const int process = process_of(view.lanes[lane].kind);
    stream << Json{{"ph", "M"},
                   {"pid", process},
                   {"tid", lane},
                   {"name", "thread_name"},
                   {"args", {{"name", view.lanes[lane].name}}}}
           << ",\n"
           << Json{{"ph", "M"},
                   {"pid", process},
                   {"tid", lane},
                   {"name", "thread_sort_index"},
                   {"args", {{"sort_index", lane}}}}
           << ",\n";
  }
}

void write_span(std::ostream& stream, const TimelineView& view, const TimelineSpan& span, std::int64_t zero) {
  const TimelineLane& lane = view.lanes[span.lane];
  stream << R"({"ph":"X","pid":)" << process_of(lane.kind) << R"(,"tid":)" << span.lane << R"(,"name":)"
         << Json(view.names[span.name]) << R"(,"ts":)" << microseconds(span.start - zero) << R"(,"dur":)"
         << microseconds(span.end - span.start) << R"(,"args":{"frame":)" << span.frame;
  if (lane.kind == LaneKind::queue)
    stream << R"(,"queued_to_submitted_us":)" << microseconds(span.submitted - span.queued)
           << R"(,"submitted_to_running_us":)" << microseconds(span.start - span.submitted);
  if (span.global[0] > 0) stream << R"(,"global":)" << Json(text_of(span.global));
  if (span.local[0] > 0) stream << R"(,"local":)" << Json(text_of(span.local));
  stream << "}}";
}

Json about(const TimelineView& view) {
  Json lanes = Json::array();
  for (const TimelineLane& lane : view.lanes)
    lanes.push_back({{"name", lane.name},
                     {"clock_error_us", lane.clock_known ? Json(static_cast<double>(lane.clock_error) * 1e-3) : Json()},
                     {"untimed", lane.untimed}});
  return {{"program", "Orrery " ORRERY_VERSION}, {"older_spans_lost", view.lost}, {"lanes", std::move(lanes)}};
}

}  // namespace

void write_trace(std::ostream& stream, const TimelineView& view) {
  std::int64_t zero = view.spans.empty() ? 0 : view.spans.front().start;
  for (const TimelineSpan& span : view.spans) zero = std::min(zero, span.queued);
  stream << R"({"displayTimeUnit":"ms","otherData":)" << about(view) << ",\n\"traceEvents\":[\n";
  write_names(stream, view);
  for (const TimelineSpan& span : view.spans) {
    write_span(stream, view, span, zero);
    stream << ",\n";
  }
  stream << R"({"ph":"M","pid":1,"name":"process_labels","args":{"labels":"Orrery"}})"
         << "\n]}\n";
}

void write_trace(const std::filesystem::path& path, const TimelineView& view) {
  write_file(path, [&](std::ostream& stream) { write_trace(stream, view); });
}

}  // namespace orrery
