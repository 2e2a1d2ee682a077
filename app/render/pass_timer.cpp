#include "render/pass_timer.hpp"

#include <algorithm>
#include <utility>

namespace orrery::gl {
namespace {

Handle<free_query> make_query() {
  GLuint name = 0;
  glGenQueries(1, &name);
  return Handle<free_query>(name);
}

// Some drivers have the call but no clock.
bool has_clock() {
  GLint bits = 0;
  glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
  return bits > 0;
}

std::int64_t result_of(const Handle<free_query>& query) {
  GLuint64 time = 0;
  glGetQueryObjectui64v(query.name(), GL_QUERY_RESULT, &time);
  return static_cast<std::int64_t>(time);
}

bool is_there(const Handle<free_query>& query) {
  GLint available = GL_FALSE;
  glGetQueryObjectiv(query.name(), GL_QUERY_RESULT_AVAILABLE, &available);
  return available == GL_TRUE;
}

}  // namespace

void free_query(GLuint name) { glDeleteQueries(1, &name); }

PassTimer::PassTimer(Timeline& timeline)
    : timeline_(timeline), lane_(timeline.lane("OpenGL", LaneKind::gl)), tells_times_(has_clock()) {
  timeline_.state_of(lane_).clock_known = false;
}

void PassTimer::next(std::string_view name) {
  end();
  if (!tells_times_ || count_ == ring_.size()) {
    if (timeline_.recording()) ++timeline_.state_of(lane_).untimed;
    return;
  }
  Slot& slot = ring_[(first_ + count_) % ring_.size()];
  if (!slot.begin) slot.begin = make_query(), slot.end = make_query();
  slot.frame = timeline_.frame();
  slot.name = timeline_.name(name);
  glQueryCounter(slot.begin.name(), GL_TIMESTAMP);
  open_ = true;
}

void PassTimer::end() {
  if (!std::exchange(open_, false)) return;
  glQueryCounter(ring_[(first_ + count_) % ring_.size()].end.name(), GL_TIMESTAMP);
  ++count_;
}

void PassTimer::collect() {
  follow_busy();
  if (count_ == 0) return;
  if (timeline_.recording()) compare_clocks();
  while (count_ > 0 && take(ring_[first_])) {
    first_ = (first_ + 1) % ring_.size();
    --count_;
  }
}

void PassTimer::follow_busy() {
  constexpr std::int64_t interval = 1'000'000'000;
  const std::int64_t now = now_nanoseconds();
  if (now - summed_from_ < interval) return;
  busy_ = static_cast<double>(std::exchange(sum_, 0)) / static_cast<double>(now - std::exchange(summed_from_, now));
}

bool PassTimer::take(const Slot& slot) {
  if (!is_there(slot.end) || !is_there(slot.begin)) return false;
  const std::int64_t begin = result_of(slot.begin), end = result_of(slot.end), offset = clock_.offset();
  if (begin <= 0 || end < begin) {
    if (timeline_.recording()) ++timeline_.state_of(lane_).untimed;
    return true;
  }
  sum_ += end - begin;
  if (!timeline_.recording() || !clock_.known()) return true;
  timeline_.add({.queued = begin + offset,
                 .submitted = begin + offset,
                 .start = begin + offset,
                 .end = end + offset,
                 .frame = slot.frame,
                 .name = slot.name,
                 .lane = lane_});
  return true;
}

// Compares the clocks from time to time.
void PassTimer::compare_clocks() {
  constexpr std::int64_t interval = 250'000'000;
  const std::int64_t before = now_nanoseconds();
  if (clock_.known() && before - compared_ < interval) return;
  compared_ = before;
  GLint64 time = 0;
  glGetInteger64v(GL_TIMESTAMP, &time);
  const std::int64_t after = now_nanoseconds();
  clock_.observe(after, before - time, after - time);
  TimelineLane& lane = timeline_.state_of(lane_);
  lane.clock_known = true;
  lane.clock_error = clock_.error();
}

void WorkTimer::begin() {
  if (stage_ != Stage::idle) return;
  if (!begin_) begin_ = make_query(), end_ = make_query();
  stage_ = Stage::open;
  began_ = now_seconds();
  glQueryCounter(begin_.name(), GL_TIMESTAMP);
}

void WorkTimer::end(double amount) {
  if (stage_ != Stage::open) return;
  glQueryCounter(end_.name(), GL_TIMESTAMP);
  measured_ = {amount, now_seconds() - began_};
  stage_ = Stage::under_way;
}

std::optional<WorkTimer::Measured> WorkTimer::take() {
  if (stage_ != Stage::under_way || !is_there(end_) || !is_there(begin_)) return std::nullopt;
  stage_ = Stage::idle;
  const std::int64_t nanoseconds = result_of(end_) - result_of(begin_);
  measured_.seconds += 1e-9 * static_cast<double>(std::max<std::int64_t>(nanoseconds, 0));
  return measured_;
}

}  // namespace orrery::gl
