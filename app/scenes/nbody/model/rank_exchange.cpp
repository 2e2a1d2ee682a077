#include "scenes/nbody/model/exchange.hpp"

#include <algorithm>
#include <map>

namespace orrery {
namespace {

// Bytes of host memory: a row for each body, and what the parcels of pairs take.
std::size_t bytes_of_memory(const NbodyPlan& plan, const NbodyCompany& company, std::size_t bodies, std::size_t bytes,
                            bool moves_all) {
  std::size_t parcels = 0;
  for (const NbodyParcel& parcel : plan.parcels)
    if (!moves_all && company.is_here(parcel.from) != company.is_here(parcel.to))
      parcels += parcel.parts * (parcel.end - parcel.first) * bytes;
  return bodies * bytes + parcels;
}

}  // namespace

std::size_t NbodyCompany::first_here() const {
  if (ranks == nullptr) return 0;
  return static_cast<std::size_t>(std::ranges::find(rank_of, ranks->rank()) - rank_of.begin());
}

NbodyRankExchange::NbodyRankExchange(const NbodyPresence& here, const NbodyPlan& plan, const NbodyCompany& company,
                                     std::size_t bodies, Precision precision)
    : ranks_(*company.ranks),
      members_(here.members),
      bodies_(bodies),
      bytes_(bytes_of_real4(precision)),
      memory_(members_.front()->device(), members_.front()->link(),
              bytes_of_memory(plan, company, bodies, bytes_, members_.front()->moves_all())) {
  std::vector<int> others;
  for (int rank = 0; rank < ranks_.count(); ++rank)
    if (rank != ranks_.rank()) others.push_back(rank);
  if (members_.front()->moves_all()) {
    for (std::size_t round = 0; round < plan.rounds.size(); ++round) {
      Round& piece = field_.emplace_back();
      for (std::size_t place = 0; place < plan.shares.size(); ++place)
        for (const TargetRange& range : plan.shares[place].targets) {
          if (range.first < plan.rounds[round].first || range.first >= plan.rounds[round].end) continue;
          const Region region = rows(range.first, std::min(range.end, bodies));
          if (company.is_here(place))
            piece.outgoing.push_back({here.member_at(place), region, region.offset, others});
          else
            piece.incoming.push_back({company.rank_of[place], region, region.offset});
        }
    }
    return;
  }
  for (std::size_t place = 0; place < plan.shares.size(); ++place) {
    const NbodyShare& share = plan.shares[place];
    if (share.empty()) continue;
    const Region region = rows(share.first, share.end);
    if (company.is_here(place)) {
      positions_.outgoing.push_back({here.member_at(place), region, region.offset, others});
      if (!ranks_.first()) state_.outgoing.push_back({here.member_at(place), region, region.offset, {0}});
    } else {
      positions_.incoming.push_back({company.rank_of[place], region, region.offset});
      if (ranks_.first()) state_.incoming.push_back({company.rank_of[place], region, region.offset, 0});
    }
  }
  Round& pairs = field_.emplace_back();
  std::size_t at = bodies * bytes_;
  for (const NbodyParcel& parcel : plan.parcels) {
    const bool from_here = company.is_here(parcel.from), to_here = company.is_here(parcel.to);
    if (from_here == to_here) continue;
    if (from_here)
      pairs.outgoing.push_back({here.member_at(parcel.from), field_of(parcel), at, {company.rank_of[parcel.to]}});
    else
      pairs.incoming.push_back({company.rank_of[parcel.from], field_of(parcel), at, here.member_at(parcel.to)});
    at += field_of(parcel).size();
  }
}

// Messages go out when the members have read their data and no write from the receiving memory is pending. A received
// message opens a gate that the members' links wait for.
void NbodyRankExchange::swap(const Round& round, const BufferOf& buffer_of) {
  if (round.outgoing.empty() && round.incoming.empty()) return;
  auto* const memory = static_cast<std::byte*>(memory_.data_for(members_.front()->link()));
  std::vector<cl::Event> ready = std::move(at_rest_);
  std::vector<Ranks::Message> messages;
  for (const Outgoing& piece : round.outgoing) {
    NbodyMember& member = *members_[piece.member];
    ready.push_back(member.link().read(buffer_of(member), memory + piece.at, piece.region));
    for (const int rank : piece.to) messages.push_back({rank, true, {memory + piece.at, piece.region.size()}});
  }
  for (const Incoming& piece : round.incoming)
    messages.push_back({piece.from, false, {memory + piece.at, piece.region.size()}});
  std::map<cl_context, cl::UserEvent> gates;
  for (NbodyMember* member : members_) {
    ready.push_back(member->link().marker());
    const cl::Context context = member->device().context();
    if (!gates.contains(context())) gates[context()] = cl::UserEvent(context);
    member->link().flush();
  }
  ranks_.swap(
      [ready = std::move(ready)] {
        for (const cl::Event& event : ready) event.wait();
      },
      std::move(messages),
      [gates](bool arrived) {
        for (const auto& [context, gate] : gates)
          cl::UserEvent(gate).setStatus(arrived ? CL_COMPLETE : CL_OUT_OF_RESOURCES);
      });
  for (std::size_t k = 0; k < members_.size(); ++k) {
    Queue& link = members_[k]->link();
    link.after(gates[members_[k]->device().context()()]);
    for (const Incoming& piece : round.incoming)
      if (piece.to.value_or(k) == k) link.write(buffer_of(*members_[k]), memory + piece.at, piece.region);
    at_rest_.push_back(link.marker());
  }
}

void NbodyRankExchange::send_positions(std::size_t index) {
  swap(positions_, [index](const NbodyMember& member) { return member.positions(index); });
}

// The first process has the positions already.
void NbodyRankExchange::gather(std::size_t index) {
  const std::size_t buffers = members_.front()->state(index).size();
  for (std::size_t b = 1; b < buffers; ++b)
    swap(state_, [index, b](const NbodyMember& member) { return member.state(index)[b]; });
}

bool NbodyRankExchange::field_due() const {
  if (sent_ == field_.size()) return false;
  if (!members_.front()->moves_all()) return true;
  return std::ranges::all_of(field_[sent_].outgoing, [&](const Outgoing& piece) {
    return members_[piece.member]->summed(piece.region.offset / bytes_);
  });
}

void NbodyRankExchange::send_field() {
  swap(field_[sent_++], [](const NbodyMember& member) { return member.field(); });
}

}  // namespace orrery
