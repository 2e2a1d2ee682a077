#include "scenes/nbody/model/crew.hpp"

#include <algorithm>
#include <utility>

namespace orrery {

void NbodyCrew::use(NbodyPresence here, const NbodyPlan& plan, const NbodyCompany& company, std::size_t bodies,
                    Precision precision, Exchange exchange) {
  members_ = here.members;
  exchange_.reset();
  landmarks_.clear();
  if (members_.size() < 2 && company.ranks == nullptr) return;
  landmarks_.resize(members_.size());
  exchange_.emplace(std::move(here), plan, company, bodies, precision, exchange);
}

void NbodyCrew::begin_slice(Queue& first, bool begins) {
  if (exchange_ && begins) exchange_->fork(first);
  for (auto& events : landmarks_) std::erase_if(events, is_complete);
}

void NbodyCrew::end_slice(Queue& first) {
  if (!exchange_) return;
  set_landmarks(first);
  exchange_->join(first);
  joined_ = first.marker();
}

void NbodyCrew::wait() const {
  if (joined_() != nullptr) joined_.wait();
}

void NbodyCrew::begin_force(bool with_potential, bool again) {
  for (NbodyMember* member : members_) member->begin_force(with_potential, again);
}

bool NbodyCrew::force_complete() const {
  return std::ranges::all_of(members_, [](const NbodyMember* member) { return member->force_complete(); });
}

double NbodyCrew::force_progress() const {
  double least = 1;
  for (const NbodyMember* member : members_) least = std::min(least, member->force_progress());
  return least;
}

double NbodyCrew::enqueue_force(Queue& first, const NbodyFieldTerms& terms) {
  double longest = 0;
  each(first, [&](NbodyMember& member, Queue& own) {
    if (member.force_complete()) return;
    longest = std::max(longest, member.enqueue_force(own, terms));
    if (exchange_ && member.force_complete()) member.sum_parts(own, terms);
  });
  send_field(first);
  return longest;
}

double NbodyCrew::enqueue_listed(Queue& first, const NbodyFieldTerms& terms, NbodySubstep substep) {
  const bool shared = substep == NbodySubstep::shared;
  double longest = 0;
  each(first, [&](NbodyMember& member, Queue& own) {
    if (member.force_complete()) return;
    longest = std::max(longest, member.enqueue_listed(own, terms));
    if (shared && member.force_complete()) member.sum_parts(own, terms);
  });
  if (shared) send_field(first);
  return longest;
}

void NbodyCrew::send_field(Queue& first) {
  if (!exchange_) return;
  exchange_->send_summed(first);
  if (!force_complete()) return;
  set_landmarks(first);
  exchange_->send_field(first);
  each(first, [](NbodyMember& member, Queue& own) { member.complete_field(own); });
}

void NbodyCrew::end_field(Queue& first) {
  each(first, [](NbodyMember& member, Queue& own) { member.end_field(own); });
}

void NbodyCrew::begin_control(std::int64_t draw) {
  for (NbodyMember* member : members_) member->begin_control(draw);
}

double NbodyCrew::enqueue_control(Queue& first, const NbodyFieldTerms& terms) {
  double longest = 0;
  each(first, [&](NbodyMember& member, Queue& own) {
    if (!member.control_complete()) longest = std::max(longest, member.enqueue_control(own, terms));
  });
  return longest;
}

bool NbodyCrew::control_complete() const {
  return std::ranges::all_of(members_, [](const NbodyMember* member) { return member->control_complete(); });
}

std::vector<cl::Event> NbodyCrew::markers(Queue& first) {
  std::vector<cl::Event> all;
  if (exchange_) each(first, [&](NbodyMember&, Queue& own) { all.push_back(own.marker()); });
  return all;
}

void NbodyCrew::send_positions(Queue& first, std::size_t index, std::span<const cl::Event> advanced) {
  if (exchange_) exchange_->send_positions(first, index, advanced);
}

void NbodyCrew::gather(Queue& first, std::size_t index, std::span<const cl::Event> advanced) {
  if (exchange_) exchange_->gather(first, index, advanced);
}

void NbodyCrew::set_landmarks(Queue& first) {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    landmarks_[k].push_back(queue(k, first).marker());
    landmarks_[k].push_back(members_[k]->link().marker());
  }
}

std::vector<const NbodyMember*> NbodyCrew::behind() const {
  std::vector<std::ptrdiff_t> missing;
  for (const auto& events : landmarks_)
    missing.push_back(std::ranges::count_if(events, [](const cl::Event& event) { return !is_complete(event); }));
  std::vector<const NbodyMember*> result;
  if (missing.empty() || std::ranges::min(missing) == std::ranges::max(missing)) return result;
  for (std::size_t k = 0; k < missing.size(); ++k)
    if (missing[k] == std::ranges::max(missing)) result.push_back(members_[k]);
  return result;
}

}  // namespace orrery
