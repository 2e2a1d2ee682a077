/// The Mandelbrot scene: a view that follows the mouse, its picture computed in the background, and its colours.
#pragma once

#include <memory>

#include "base/files/image.hpp"
#include "base/work/background.hpp"
#include "scene/path_player.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/drawing/painter.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "scenes/mandelbrot/pictures/engine.hpp"
#include "scenes/mandelbrot/window/bifurcation.hpp"
#include "scenes/mandelbrot/window/display.hpp"
#include "scenes/mandelbrot/window/exporter.hpp"
#include "scenes/mandelbrot/window/marked_points.hpp"
#include "scenes/mandelbrot/window/places.hpp"
#include "scenes/mandelbrot/window/readback.hpp"
#include "scenes/mandelbrot/window/view_motion.hpp"
#include "scenes/mandelbrot/window/view_pose.hpp"

namespace orrery {

class MandelbrotScene final : public Scene {
 public:
  explicit MandelbrotScene(const SceneKind& kind);

  void input(const SceneInput& input) override;
  void apply(const command::Command& command) override;
  void update(double seconds, double frame, const Viewport& viewport) override;
  bool feed(double seconds) override {
    engine_.feed(seconds);
    bifurcation_.feed();
    return !engine_.complete() || !bifurcation_.complete();
  }
  void draw(const Viewport& viewport) override;
  News news(const Viewport& viewport) const override;
  SceneStatus status() const override;
  SceneSnapshot snapshot() const override;

  void attach(ComputeContext& context) override;
  bool leave(Leaving how) override;
  ComparisonJob comparison(const ChangedParameters& changed) const;

  std::vector<ParameterView> table() const override;
  SceneCopy copy() const override;
  std::vector<std::string> load(const StateSection& state, std::shared_ptr<void> content) override;

 private:
  /// All settings, bound to the given structs.
  struct Settings {
    MandelbrotSettings picture;
    mandelbrot::ColorSettings colors;
    mandelbrot::DiagramSettings diagram;
    MandelbrotDisplay display;
    std::vector<Parameter> of_picture();  ///< without those of the window or the device
    std::vector<Parameter> bound();
  };
  void take(const Settings& settings);
  double aspect() const { return 1.0 * size_.width / size_.height; }
  void fly_to(const std::string& text);
  void fly_to_place(const std::string& id);
  void fly_to_numbered(int number);
  Decimal shown_span() const;
  Decimal shown_magnification() const;
  std::string place_text() const;
  void add_bookmark(const std::string& title);
  void open_view(const std::string& path);
  void save_view(const std::string& path) const;
  void export_picture(const command::ExportPicture& wanted);
  void export_film(const command::ExportFilm& wanted);
  mandelbrot::PictureRequest request(mandelbrot::Size size, std::int64_t samples) const;
  void apply_texts(const ImageTexts& texts);
  void check_offered(const MandelbrotSettings& settings) const;
  void check_kernels(const MandelbrotSettings& settings) const;
  void point(const PointerEvent& event);
  void scroll(const ScrollEvent& event);
  void apply_own(const command::SceneCommand& command);
  void set_parameter(const std::string& name, const Value& value);
  void give_up();
  void set_view(const std::string& name, const Value& value);
  void move_to(const mandelbrot::View& wanted);
  std::optional<double> angle_of_pointer() const;
  void follow_turn();
  void follow_path(double frame, const Viewport& viewport);
  mandelbrot::View reach_of_motion() const;
  void toggle_dive();
  void fit_first_view();
  MandelbrotSnapshot described() const;
  bool waits_for_picture() const;
  bool is_complete() const;
  std::vector<ParameterView> rows() const;  ///< the table and its computed rows, as shown
  void begin_drawing();
  void take_shipped_picture();
  void end_box();
  bool pointer_in_picture() const;
  std::optional<glm::vec2> julia_point() const;
  std::optional<AnchorInPicture> anchor() const;
  std::vector<glm::vec2> marks() const;
  MandelbrotPainter::Scenery scenery() const;
  void find_copy();
  void fly_to_copy(command::FlyToCopy::Where where);
  void fly_to_doubling(std::optional<float> column, bool deeper);
  void end_pan(const PointerEvent& event);

  /// The mouse pans, turns or draws a box.
  struct TurnedHand {
    std::optional<double> angle;  // of the pointer around the middle, in degrees, where it was first known
    mandelbrot::Turn from;
  };
  struct Hand {
    glm::vec2 at{0, 0};
    bool inside = false;
    bool panning = false;
    std::optional<glm::vec2> in_diagram;  // position of a button press in it
    std::optional<TurnedHand> turning;
    std::optional<Box> box;
  };

  Settings settings_;
  ColorMotion color_motion_;
  mandelbrot::PictureEngine engine_;
  ViewMotion motion_;
  keyframes::PathPlayer<ViewPose> path_;
  MandelbrotDelay delay_;
  double seconds_ = 0, drawn_at_ = 0;  // of this frame, and of the last one that was drawn
  std::unique_ptr<MandelbrotPainter> painter_;
  std::unique_ptr<MandelbrotPlaces> places_;
  Background<PngFile> shipped_;  // the picture of the default view, being read
  MandelbrotBifurcation bifurcation_;
  MandelbrotExporter exporter_;
  ComputeContext* context_ = nullptr;
  DeviceInfo device_;
  mandelbrot::Size size_{1280, 720};
  Hand hand_;
  MarkedPoints marked_;
  std::unique_ptr<CursorReadout> cursor_;
  std::unique_ptr<MandelbrotProof> proof_;
  std::unique_ptr<FlatView> flat_;
  std::shared_ptr<const std::vector<PaletteSwatch>> palettes_;
  std::optional<Decimal> height_;  // of a file's picture, before the window's shape is known
  std::string refusal_;            // of settings for another device
  std::shared_ptr<ui::MandelbrotUi> ui_ = std::make_shared<ui::MandelbrotUi>();
};

}  // namespace orrery
