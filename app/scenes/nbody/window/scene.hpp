/// The n-body scene: bodies under their own gravity, seen from a turntable camera.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "scene/orbit_scene.hpp"
#include "scenes/nbody/bodies/dense_part.hpp"
#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/panels/panels.hpp"
#include "scenes/nbody/window/hands.hpp"
#include "scenes/nbody/window/look.hpp"
#include "scenes/nbody/window/portrait.hpp"
#include "scenes/nbody/window/renderer.hpp"
#include "scenes/nbody/window/running.hpp"

namespace orrery {

struct NbodySceneParts {
  using Running = RunningNbody;
  using Look = NbodyLook;
  using Picture = BodyPicture;
  using Renderer = BodyRenderer;
  using Start = NbodyStart;
  using Drawn = BodySketch;
  static constexpr std::string_view object = "body";
  static std::vector<Parameter> bound(NbodySettings& settings, bool fp64);
  static std::size_t count(const NbodyState& state) { return state.bodies.size(); }
  static glm::dvec3 place(const NbodyState& state, std::size_t k) {
    return {state.bodies[k].x, state.bodies[k].y, state.bodies[k].z};
  }
  static StateSection with_moment(StateSection section, const std::shared_ptr<const NbodyState>& state);
};

class NbodyScene final : public OrbitScene<NbodySceneParts> {
 public:
  explicit NbodyScene(const SceneKind& kind);
  ~NbodyScene() override { runner_.record().cancel_reading(); }

  void input(const SceneInput& input) override;
  void draw(const Viewport& viewport) override;
  SceneStatus status() const override;
  std::shared_ptr<const StateEdit> take_edit() override;
  News news(const Viewport& viewport) const override;
  SceneSnapshot snapshot() const override;
  std::vector<std::string> load(const StateSection& state, std::shared_ptr<void> content) override;
  ComparisonJob comparison(const ChangedParameters& changed) const;
  SceneWriter past_writer() const;
  SceneWriter points_writer() const;

 private:
  void apply_own(const command::Command& command) override;
  void choose(const std::string& name, NbodySettings settings) override;
  std::optional<std::pair<NbodySettings, NbodyLook>> defaults_at_present() const override;
  bool is_awaited(std::string_view row) const override;
  void complete(std::vector<ParameterView>& rows) const override;
  void begin_frame() override;
  void ask_for_sketch() override;
  void meet_sketch() override;
  void meet_simulation() override;
  void move_view(double frame) override { view_.move(followed() ? place_of_followed() : place_of_part(frame), frame); }
  void go_home() override;
  void return_from(const BodyPicture& before) override { home_distance_ = before.home_distance; }
  BodyPicture picture(const Viewport& viewport) const override;
  std::optional<WantedRange> wanted_range() const override;
  /// The longest burst whose motion from picture to picture is small.
  std::int64_t smooth_burst() const;
  void follow(std::int64_t body) override { follow(body, std::nullopt); }

  void follow(std::int64_t body, std::optional<glm::vec3> place);
  /// "reading stars.npy: 43 %"; empty where no file is being read.
  std::string reading() const;
  std::shared_ptr<BodyReading> read_at_once(const NbodySettings& settings);
  void cancel_reading();
  const BodyNumbers* numbers() const;
  /// Null unless the bodies were changed by hand.
  const Cohorts* cohorts() const;
  std::vector<BodyPart> parts() const;
  std::vector<BodyPicture::Part> coloured_parts(const std::string& quantity) const;
  void take_picked();
  void look_for_crowd(const RunningNbody& running);
  std::optional<glm::dvec3> place_of_followed() const;
  void start_from(const std::string& initial);
  void wants_home_in(const std::string& initial, const std::string& units);
  void describe_cells(NbodySnapshot& nbody) const;
  void describe_units(NbodySnapshot& nbody) const;
  void describe_colors(NbodySnapshot& nbody) const;
  LogSpread quantity() const;
  void go_to(const command::GoToStep& to);
  void follow_moment();
  void follow_ghost();
  void chase(const NbodyGlimpse& glimpse, Sketch<NbodyGlimpse, BodySketch>& sketch, std::optional<DrawnSketch>& drawn);
  std::int64_t shown_step() const;
  PastView past() const;

  void look_for_part();
  std::optional<glm::dvec3> place_of_part(double frame);

  // ---- hands
  void do_by_hand(const command::SceneCommand& own);
  HandSight sight() const { return {view_.camera(), view_.size()}; }
  HandMeasure measure(std::string_view object) const;
  void drop(const command::DropObject& dropped);
  void follow_hands();
  void change_bodies(const BodyEdit& edit);
  void take_changed();
  std::optional<FlightPlan> flight() const;
  void describe_hands(NbodySnapshot& nbody) const;
  void look_at_followed();
  void follow_survivor();
  NbodySnapshot::Followed describe_followed() const;

  double home_distance_ = 6;
  std::string home_units_{no_units};       // units of the camera's home view
  std::int64_t crowd_of_ = -1;             // generation of the compared bodies
  bool softened_ = false;                  // their forces have been softened since the last comparison
  Background<std::string> crowd_;          // the comparison: see crowd_among
  std::int64_t picked_of_ = -1;            // generation of bodies that the pick under way searches …
  bool picked_by_hand_ = false;            // … true: for a hand
  std::optional<glm::vec3> picked_place_;  // picked place of the followed body
  BodyPortraits portraits_;                // of the followed body
  std::string part_ = "none";              // part that the camera follows; see NbodyLook
  Background<std::optional<DensePart>> part_search_;
  std::shared_ptr<const NbodyState> part_of_;  // state that was searched last
  struct FoundPart {
    DensePart part;
    double time = 0;
    std::optional<glm::dvec3> place;  // the camera follows it, and glides when another part becomes the densest
  };
  std::optional<FoundPart> found_part_;
  Hands hands_;
  FlightForecast forecast_;
  std::optional<command::SceneCommand> key_of_hands_;   // waits until an edit has been made
  std::deque<std::shared_ptr<const StateEdit>> edits_;  // edits that the window has yet to note
  std::vector<BodyEdit> changed_;                       // edits from the shown bodies to the next ones
  /// A moment that the user goes to, and its preview.
  struct Approach {
    std::int64_t step = 0;
    bool arrives = false;  // it is being computed
    NbodyGlimpse glimpse;
  };
  std::optional<Approach> approach_;
  Sketch<NbodyGlimpse, BodySketch> moment_;  // sketch of its glimpse
  Sketch<NbodyGlimpse, BodySketch> ghost_;   // sketch of the other branch …
  std::optional<DrawnSketch> drawn_ghost_;   // … and its surface
  std::shared_ptr<ui::NbodyUi> ui_ = std::make_shared<ui::NbodyUi>();
};

}  // namespace orrery
