#include "scenes/nbody/bodies/body_edit.hpp"

#include "base/error.hpp"
#include "base/overloaded.hpp"

namespace orrery {
namespace {

Body& existing_body(Bodies& bodies, std::uint32_t index) {
  if (index < bodies.size()) return bodies[index];
  throw usage_error("body", std::to_string(index), "a body from 0 to " + std::to_string(bodies.size() - 1));
}

}  // namespace

void edit_bodies(const BodyEdit& edit, Bodies& bodies) {
  std::visit(Overloaded{[&](const BodyAdded& added) {
                          if (bodies.size() >= most_in_a_set)
                            throw usage_error("bodies", std::to_string(bodies.size() + 1),
                                              "at most " + std::to_string(most_in_a_set) + " bodies");
                          bodies.push_back(added.body);
                        },
                        [&](const BodyRemoved& removed) {
                          (void)existing_body(bodies, removed.index);
                          if (bodies.size() == 1) throw usage_error("bodies", "0", "at least 1 body");
                          bodies.erase(bodies.begin() + removed.index);
                        },
                        [&](const BodyDuplicated& duplicated) {
                          Body copy = existing_body(bodies, duplicated.index);
                          copy.x += duplicated.shift[0], copy.y += duplicated.shift[1], copy.z += duplicated.shift[2];
                          edit_bodies(BodyAdded{copy}, bodies);
                        },
                        [&](const BodyChanged& changed) {
                          Body& body = existing_body(bodies, changed.index);
                          body.mass *= changed.mass_factor;
                          if (!changed.place) return;
                          body.x = (*changed.place)[0], body.y = (*changed.place)[1], body.z = (*changed.place)[2];
                        }},
             edit);
}

std::optional<std::uint32_t> index_after(const BodyEdit& edit, std::uint32_t index) {
  const auto* const removed = std::get_if<BodyRemoved>(&edit);
  if (removed == nullptr || index < removed->index) return index;
  return index == removed->index ? std::nullopt : std::optional(index - 1);
}

std::string text_of(const BodyEdit& edit) {
  return std::visit(
      Overloaded{
          [](const BodyAdded&) { return "Add a body"; }, [](const BodyRemoved&) { return "Remove a body"; },
          [](const BodyDuplicated&) { return "Duplicate a body"; },
          [](const BodyChanged& changed) { return changed.place ? "Move a body" : "Change the mass of a body"; }},
      edit);
}

}  // namespace orrery
