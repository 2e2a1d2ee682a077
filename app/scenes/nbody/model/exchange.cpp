#include "scenes/nbody/model/exchange.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "compute/queue/handover.hpp"

namespace orrery {
namespace {

// The buffers that the first member receives at the end of a burst: it has the positions already.
std::vector<cl::Buffer> gathered(const NbodyMember& member, std::size_t index) {
  std::vector<cl::Buffer> state = member.state(index);
  state.erase(state.begin());
  return state;
}

}  // namespace

void check_exchange(std::span<const Device> devices, Exchange exchange) {
  if (exchange == Exchange::host) return;
  for (const Device& device : devices)
    if (device.context()() != devices.front().context()())
      throw usage_error("--exchange", "direct", "host (the devices do not share a context)", device.info().name);
}

NbodyExchange::NbodyExchange(const NbodyPresence& here, const NbodyPlan& plan, const NbodyCompany& company,
                             std::size_t bodies, Precision precision, Exchange exchange)
    : members_(here.members), bodies_(bodies), bytes_(bytes_of_real4(precision)) {
  const bool direct = exchange == Exchange::direct, alone = members_.size() == 1;
  const auto handover = [&](std::size_t member, const Region& region) {
    return Handover(members_[member]->device(), members_[member]->link(), region.size(), direct);
  };
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (k > 0) queues_.emplace_back(members_[k]->device());
    if (all_move_all() || alone) continue;
    for (auto& positions : positions_) positions.push_back(handover(k, bodies_of(k)));
    if (k == 0) continue;
    std::vector<Handover>& state = state_.emplace_back();
    for (std::size_t buffers = gathered(*members_[k], 0).size(); buffers > 0; --buffers)
      state.push_back(handover(k, bodies_of(k)));
  }
  for (NbodyParcel parcel : plan.parcels) {
    if (!company.is_here(parcel.from) || !company.is_here(parcel.to)) continue;
    parcel.from = here.member_at(parcel.from);
    parcel.to = here.member_at(parcel.to);
    const auto same = std::ranges::find_if(field_, [&](const Sending& sending) {
      return sending.parcel.from == parcel.from && field_of(sending.parcel) == field_of(parcel);
    });
    if (same != field_.end())
      same->to.push_back(parcel.to);
    else
      field_.push_back({parcel, {parcel.to}, handover(parcel.from, field_of(parcel))});
  }
  if (company.ranks != nullptr) ranks_.emplace(here, plan, company, bodies, precision);
}

Region NbodyExchange::bodies_of(std::size_t member) const {
  const NbodyShare& share = members_[member]->share();
  return {share.first * bytes_, (share.end - share.first) * bytes_};
}

Region field_of(const NbodyParcel& parcel, std::size_t bodies, std::size_t bytes) {
  const std::size_t pitch = bodies * bytes;
  return {parcel.first_part * pitch + parcel.first * bytes, (parcel.end - parcel.first) * bytes, parcel.parts, pitch};
}

void NbodyExchange::fork(Queue& first) {
  trace_beside(first);
  const cl::Event begun = first.marker();
  members_[0]->link().after(begun);
  for (std::size_t k = 1; k < members_.size(); ++k) {
    const cl::Event relay = relayed(begun, context(k));
    queue(k, first).after(relay);
    members_[k]->link().after(relay);
  }
}

// Each queue has its own lane beside that of the first.
void NbodyExchange::trace_beside(Queue& first) {
  const std::optional<QueueTrace>& trace = first.profiler().trace();
  if (!trace || !trace->on() || members_.back()->link().profiler().trace()) return;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const Device& device = members_[k]->device();
    const std::string name = device.info().name + " " + std::to_string(k + 1);
    if (k > 0) queue(k, first).profiler().trace_into(trace->beside(name, device));
    members_[k]->link().profiler().trace_into(trace->beside(name + ", link", device));
  }
}

void NbodyExchange::join(Queue& first) {
  first.after(members_[0]->link().marker());
  for (std::size_t k = 1; k < members_.size(); ++k) {
    Queue& link = members_[k]->link();
    link.after(queue(k, first).marker());
    first.after(relayed(link.marker(), context(0)));
  }
  flush(first);
  for (Queue& other : queues_) other.harvest();
  for (NbodyMember* member : members_) member->link().harvest();
}

void NbodyExchange::flush(Queue& first) {
  first.flush();
  for (Queue& other : queues_) other.flush();
  for (NbodyMember* member : members_) member->link().flush();
}

// The first piece waits until all have used the last field.
void NbodyExchange::send_summed(Queue& first) {
  if (!all_move_all()) return;
  const bool none_sent = std::ranges::none_of(field_, &Sending::sent);
  std::vector<Sending*> ready;
  for (Sending& sending : field_)
    if (!sending.sent && members_[sending.parcel.from]->summed(sending.parcel.first)) ready.push_back(&sending);
  const bool due = ranks_ && ranks_->field_due();
  if (ready.empty() && !due) return;
  const bool begins = none_sent && !(ranks_ && ranks_->field_begun());
  std::vector<cl::Event> walked;
  for (std::size_t k = 0; k < members_.size(); ++k) walked.push_back(queue(k, first).marker());
  for (std::size_t k = 0; k < members_.size(); ++k)
    for (std::size_t other = 0; other < members_.size(); ++other)
      if (other == k || begins) members_[k]->link().after(relayed(walked[other], context(k)));
  send(ready);
  flush(first);
  if (!due) return;
  ranks_->send_field();
  flush(first);
}

void NbodyExchange::send_field(Queue& first) {
  if (!all_move_all()) {
    std::vector<Sending*> all;
    for (Sending& sending : field_) all.push_back(&sending);
    send(all);
    if (ranks_) flush(first);
  }
  while (ranks_ && ranks_->field_due()) ranks_->send_field();
  if (ranks_) ranks_->end_field();
  for (Sending& sending : field_) sending.sent = false;
  for (std::size_t k = 0; k < members_.size(); ++k) queue(k, first).after(members_[k]->link().marker());
  flush(first);
}

void NbodyExchange::send(std::span<Sending* const> sendings) {
  for (Sending* sending : sendings) {
    NbodyMember& from = *members_[sending->parcel.from];
    sending->handover.begin(from.link(), from.field(), field_of(sending->parcel));
    sending->sent = true;
  }
  for (Sending* sending : sendings)
    for (const std::size_t k : sending->to) {
      NbodyMember& to = *members_[k];
      sending->handover.deliver(members_[sending->parcel.from]->link(), to.link(), to.field());
    }
}

void NbodyExchange::send_positions(Queue& first, std::size_t index, std::span<const cl::Event> advanced) {
  if (all_move_all()) return;
  const bool alone = members_.size() == 1;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    members_[k]->link().after(advanced[k]);
    if (!alone) positions_[index][k].begin(members_[k]->link(), members_[k]->positions(index), bodies_of(k));
  }
  for (std::size_t k = 0; k < members_.size(); ++k)
    for (std::size_t other = 0; other < members_.size(); ++other)
      if (other != k)
        positions_[index][k].deliver(members_[k]->link(), members_[other]->link(), members_[other]->positions(index));
  if (!ranks_) return;
  flush(first);
  ranks_->send_positions(index);
}

void NbodyExchange::gather(Queue& first, std::size_t index, std::span<const cl::Event> advanced) {
  if (all_move_all()) return;
  const std::vector<cl::Buffer> to = gathered(*members_[0], index);
  members_[0]->link().after(advanced[0]);
  for (std::size_t k = 1; k < members_.size(); ++k) {
    const std::vector<cl::Buffer> from = gathered(*members_[k], index);
    members_[k]->link().after(advanced[k]);
    for (std::size_t b = 0; b < from.size(); ++b) state_[k - 1][b].begin(members_[k]->link(), from[b], bodies_of(k));
    for (std::size_t b = 0; b < from.size(); ++b)
      state_[k - 1][b].deliver(members_[k]->link(), members_[0]->link(), to[b]);
  }
  if (!ranks_) return;
  flush(first);
  ranks_->gather(index);
}

}  // namespace orrery
