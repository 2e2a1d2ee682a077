/// The particles scene: a world under laws that a person may type, seen from a turntable camera.
#pragma once

#include <memory>

#include "scene/gliding_range.hpp"
#include "scene/orbit_view.hpp"
#include "scene/scene.hpp"
#include "scene/sketch.hpp"
#include "scenes/particles/panels/panels.hpp"
#include "scenes/particles/window/renderer.hpp"
#include "scenes/particles/window/running.hpp"

namespace orrery {

class ParticlesScene final : public Scene {
 public:
  explicit ParticlesScene(const SceneKind& kind);

  void pointer(const PointerEvent& event) override;
  void scroll(const ScrollEvent& event) override;
  void apply(const command::Command& command) override;
  void update(double seconds, double frame, const Viewport& viewport) override;
  void feed(double seconds) override { runner_.feed(seconds); }
  void draw(const Viewport& viewport) override;
  bool shows_picture() const override { return front() != nullptr; }
  bool has_sketch_coming() const override { return sketch_.busy(); }
  News news(const Viewport& viewport) const override;
  SceneSnapshot snapshot() const override;

  void leave(Leaving how) override;
  bool left() const override { return runner_.left(); }
  bool can_give_up() const override { return runner_.can_give_up(); }
  bool compiling() const override { return runner_.preparing(); }
  void attach(ComputeContext& context) override;

  StateSection choices() const override;
  StateSection defaults() const override;
  StateSection untouched() const override { return {{"paused", false}}; }  // the rest is the world's
  std::shared_ptr<const void> moment() const override { return runner_.last_state(); }
  void return_to(const std::shared_ptr<const void>& moment) override {
    runner_.return_to(std::static_pointer_cast<const ParticlesState>(moment));
  }
  StateSection view_keys() const override { return view_.keys(); }
  std::vector<ParameterView> view_parameters() const override { return camera_parameters(); }
  std::vector<std::pair<std::string, Value>> save() const override;
  std::function<std::vector<std::pair<std::string, Value>>()> copy() const override;
  bool awaits_copy() const override { return runner_.awaits_backup(); }
  std::vector<std::string> load(const std::vector<std::pair<std::string, Value>>& state) override;

  void add_statistics(nlohmann::ordered_json& document) const override;

 private:
  void apply_own(const command::SceneCommand& command);
  ParticlesSnapshot shown() const;
  void set_laws(const std::optional<EditedLaws>& laws, bool other_world);
  void give_laws(const EditedLaws& laws);
  void set_parameter(const std::string& name, const Value& value);
  void open(const std::string& world);
  void go_home();
  void follow_sketch();
  void meet(const std::string& name, const particles::World& world);
  void follow_range(double seconds);
  PaletteRange wanted_range() const;
  std::optional<std::uint32_t> followed() const;
  std::int64_t particles() const;
  /// The simulation's particles have been published.
  bool runs() const;
  /// Null before the particles are known.
  Surface* front() const;
  const SeenWorld* world() const;
  void with_running(const std::function<void(RunningParticles&)>& action);
  void follow(std::int64_t particle, std::optional<SeenParticle> seen = {});
  void take_seen();
  void look_at_followed(double frame);
  std::vector<particles::SolidShape> shapes_of(const particles::World& world) const;
  ParticlesPicture picture(const Viewport& viewport) const;
  void let_go_of_picture();
  void describe(ParticlesSnapshot& view) const;

  StepRunner<RunningParticles> runner_;
  ParticlesLook look_;
  std::map<std::string, Value> given_look_;  // counts more than what the world suggests
  std::optional<EditedLaws> given_laws_;     // for the world that is being prepared
  OrbitView view_;
  std::int64_t seen_ = 0;                           // generation
  Sketch<ParticlesStart, ParticlesSketch> sketch_;  // until the simulation has published its particles …
  struct DrawnSketch {
    std::int64_t serial = 0;
    std::unique_ptr<Surface> surface;
  };
  std::optional<DrawnSketch> drawn_sketch_;  // … and where it is drawn from
  GlidingRange range_;                       // of the palette
  std::optional<ParticlesPicture> held_;     // look and camera of it stay until another world is there
  std::optional<SeenParticle> followed_;     // as it was drawn last
  std::optional<glm::dvec3> place_;          // in the last frame
  std::int64_t looked_at_ = -1;              // which picture it is of
  bool fp64_ = true;
  std::size_t bytes_copied_ = 0;
  std::unique_ptr<ParticlesRenderer> renderer_;
  std::shared_ptr<ui::ParticlesUi> ui_ = std::make_shared<ui::ParticlesUi>();
};

}  // namespace orrery
