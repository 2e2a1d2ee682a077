/// The n-body scene: bodies under their own gravity, seen from a turntable camera.
#pragma once

#include <memory>
#include <optional>

#include "scene/gliding_range.hpp"
#include "scene/orbit_view.hpp"
#include "scene/scene.hpp"
#include "scene/sketch.hpp"
#include "scenes/nbody/panels/panels.hpp"
#include "scenes/nbody/window/look.hpp"
#include "scenes/nbody/window/renderer.hpp"
#include "scenes/nbody/window/running.hpp"

namespace orrery {

class NbodyScene final : public Scene {
 public:
  explicit NbodyScene(const SceneKind& kind);
  ~NbodyScene() override { runner_.record().cancel_reading(); }

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
  ComparisonJob comparison(const ChangedParameters& changed) const override;

  StateSection choices() const override;
  StateSection defaults() const override;
  std::shared_ptr<const void> moment() const override { return runner_.last_state(); }
  void return_to(const std::shared_ptr<const void>& moment) override {
    runner_.return_to(std::static_pointer_cast<const NbodyState>(moment));
  }
  StateSection view_keys() const override { return view_.keys(); }
  std::vector<ParameterView> view_parameters() const override { return camera_parameters(); }
  std::vector<std::pair<std::string, Value>> save() const override;
  std::function<std::vector<std::pair<std::string, Value>>()> copy() const override;
  bool awaits_copy() const override { return runner_.awaits_backup(); }
  void take_content(std::shared_ptr<void> content) override {
    runner_.record().reading = std::static_pointer_cast<BodyReading>(content);
  }
  std::vector<std::string> load(const std::vector<std::pair<std::string, Value>>& state) override;
  void add_statistics(nlohmann::ordered_json& document) const override;

 private:
  static constexpr std::int64_t nobody = -1;

  std::vector<std::pair<std::string, Value>> saved_settings() const;
  std::optional<std::uint32_t> followed() const;
  std::int64_t bodies() const;
  /// The simulation's bodies have been published.
  bool runs() const;
  /// "reading stars.npy: 43 %"; empty where no file is being read.
  std::string reading() const;
  std::shared_ptr<BodyReading> read_at_once(const NbodySettings& settings);
  void cancel_reading();
  /// Null before the bodies are known.
  Surface* front() const;
  const BodyNumbers* numbers() const;
  bool is_unset(std::string_view parameter) const;
  void follow(std::int64_t body, std::optional<glm::vec3> place = std::nullopt);
  void follow_checked(std::int64_t body);
  void take_picked();
  std::optional<glm::dvec3> place_of_followed() const;

  void apply_own(const command::SceneCommand& command);
  void set_parameter(const std::string& name, const Value& value);
  void start_from(const std::string& initial);
  void go_home();
  void meet(const PreparedNbody& bodies);
  void follow_sketch();
  void follow_range(double seconds);
  void describe_cells(NbodySnapshot& nbody) const;
  BodyPicture picture(const Viewport& viewport) const;
  void let_go_of_picture();
  LogSpread quantity() const;

  StepRunner<RunningNbody> runner_;
  NbodyLook look_;
  OrbitView view_;
  double home_distance_ = 6;
  std::int64_t seen_ = 0;                  // generation of bodies
  Sketch<NbodyStart, BodySketch> sketch_;  // until the simulation has published its bodies …
  struct DrawnSketch {
    std::int64_t serial = 0;
    std::unique_ptr<Surface> surface;
  };
  std::optional<DrawnSketch> drawn_sketch_;  // … and where it is drawn from
  GlidingRange range_;                       // of the palette, in logarithms
  std::optional<BodyPicture> held_;          // look and camera of it stay until other bodies are there
  std::int64_t picked_of_ = -1;              // generation of bodies that the pick under way searches
  std::optional<glm::vec3> picked_place_;    // of the followed body
  bool fp64_ = true;
  std::optional<DeviceClass> device_class_;  // of the device that is attached
  std::size_t bytes_copied_ = 0;
  std::unique_ptr<BodyRenderer> renderer_;
  std::shared_ptr<ui::NbodyUi> ui_ = std::make_shared<ui::NbodyUi>();
};

}  // namespace orrery
