/// The particles scene: a world under laws that the user may type, seen from a turntable camera.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "scene/orbit_scene.hpp"
#include "scenes/particles/panels/panels.hpp"
#include "scenes/particles/window/renderer.hpp"
#include "scenes/particles/window/running.hpp"

namespace orrery {

struct ParticlesSceneParts {
  using Running = RunningParticles;
  using Look = ParticlesLook;
  using Picture = ParticlesPicture;
  using Renderer = ParticlesRenderer;
  using Start = ParticlesStart;
  using Drawn = ParticlesSketch;
  static constexpr std::string_view object = "particle";
  static std::vector<Parameter> bound(ParticlesSettings& settings, bool fp64) { return parameters(settings, fp64); }
  // A periodic box has eight corners; all else is inside.
  static std::size_t count(const ParticlesState& state) {
    return state.world->box.periodic() ? 8 : state.moment.position.size();
  }
  static glm::dvec3 place(const ParticlesState& state, std::size_t k) {
    if (const auto& box = state.world->box; box.periodic()) {
      const particles::Vector& size = *box.lengths;
      return {size[0] * ((k & 1) != 0 ? 0.5 : -0.5), size[1] * ((k & 2) != 0 ? 0.5 : -0.5),
              size[2] * ((k & 4) != 0 ? 0.5 : -0.5)};
    }
    const particles::Vector& p = state.moment.position[k];
    return {p[0], p[1], p[2]};
  }
  static StateSection with_moment(StateSection section, const std::shared_ptr<const ParticlesState>& state);
};

class ParticlesScene final : public OrbitScene<ParticlesSceneParts> {
 public:
  explicit ParticlesScene(const SceneKind& kind);

  void draw(const Viewport& viewport) override;
  SceneStatus status() const override;
  SceneSnapshot snapshot() const override;
  SceneWriter points_writer() const;
  std::vector<std::string> load(const StateSection& state, std::shared_ptr<void> content) override;

 private:
  void apply_own(const command::Command& command) override;
  void choose(const std::string& name, ParticlesSettings settings) override;
  void choose_own(const std::string& name, const Value& value) override;
  std::optional<std::pair<ParticlesSettings, ParticlesLook>> defaults_at_present() const override;
  bool is_awaited(std::string_view row) const override;
  void complete(std::vector<ParameterView>& rows) const override;
  void begin_frame() override;
  void ask_for_sketch() override;
  void meet_sketch() override;
  void meet_simulation() override;
  void move_view(double frame) override;
  void go_home() override;
  void return_from(const ParticlesPicture& before) override;
  ParticlesPicture picture(const Viewport& viewport) const override;
  std::optional<WantedRange> wanted_range() const override;
  /// The longest burst whose motion from picture to picture is small.
  std::int64_t smooth_burst() const;
  void follow(std::int64_t particle) override { follow(particle, {}); }

  void follow(std::int64_t particle, std::optional<SeenParticle> seen);
  ParticlesSnapshot shown() const;
  void set_laws(const std::optional<EditedLaws>& laws, bool other_world);
  void give_laws(const EditedLaws& laws);
  /// The laws, if they differ from the world's own.
  std::optional<EditedLaws> changed_laws() const;
  void open(const std::string& world);
  void meet(const std::string& name, const particles::World& world);
  const SeenWorld* world() const;
  /// The running world, or with `other` the world of this name.
  std::shared_ptr<const particles::World> world_to_be(const std::string& name, bool other) const;
  void with_running(const std::function<void(RunningParticles&)>& action);
  std::vector<particles::SolidShape> shapes_of(const particles::World& world) const;
  void describe(ParticlesSnapshot& view) const;

  RunningParticles::Terms given_look_;    // overrides the world's suggestions
  std::optional<EditedLaws> given_laws_;  // laws for the world that is being prepared
  std::optional<SeenParticle> followed_;  // as last drawn
  std::optional<glm::dvec3> place_;       // its place in the last frame
  std::int64_t looked_at_ = -1;           // picture in which it was read
  std::shared_ptr<ui::ParticlesUi> ui_ = std::make_shared<ui::ParticlesUi>();
};

}  // namespace orrery
