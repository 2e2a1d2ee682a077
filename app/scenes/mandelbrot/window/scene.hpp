/// The Mandelbrot scene: a view that moves under the hand, its picture computed in the background, its colours.
#pragma once

#include <memory>

#include "base/files/image.hpp"
#include "base/work/background.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/drawing/painter.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "scenes/mandelbrot/pictures/engine.hpp"
#include "scenes/mandelbrot/window/anchor.hpp"
#include "scenes/mandelbrot/window/cursor_readout.hpp"
#include "scenes/mandelbrot/window/delay.hpp"
#include "scenes/mandelbrot/window/display.hpp"
#include "scenes/mandelbrot/window/exporter.hpp"
#include "scenes/mandelbrot/window/finder.hpp"
#include "scenes/mandelbrot/window/flat_view.hpp"
#include "scenes/mandelbrot/window/live_proof.hpp"
#include "scenes/mandelbrot/window/places.hpp"
#include "scenes/mandelbrot/window/view_motion.hpp"

namespace orrery {

class MandelbrotScene final : public Scene {
 public:
  explicit MandelbrotScene(const SceneKind& kind);

  void pointer(const PointerEvent& event) override;
  void scroll(const ScrollEvent& event) override;
  void apply(const command::Command& command) override;
  void update(double seconds, double frame, const Viewport& viewport) override;
  void feed(double seconds) override { engine_.feed(seconds); }
  void draw(const Viewport& viewport) override;
  bool shows_picture() const override { return painter_ && painter_->octaves_behind(); }
  bool has_sketch_coming() const override { return shipped_.busy(); }
  News news(const Viewport& viewport) const override;
  SceneSnapshot snapshot() const override;

  void leave(Leaving how) override;
  void attach(ComputeContext& context) override;
  bool compiling() const override { return engine_.compiling(); }
  void give_up_files() override { exporter_.leave(); }
  bool can_give_up() const override { return engine_.can_give_up(); }
  ComparisonJob comparison(const ChangedParameters& changed) const override;

  StateSection choices() const override;
  StateSection view_keys() const override;
  std::vector<std::pair<std::string, Value>> save() const override;
  std::vector<std::string> load(const std::vector<std::pair<std::string, Value>>& state) override;

  void add_statistics(nlohmann::ordered_json& document) const override;

 private:
  /// All that a person can set, bound to the structs given.
  struct Settings {
    MandelbrotSettings picture;
    mandelbrot::ColorSettings colors;
    MandelbrotDisplay display;
    std::vector<Parameter> of_picture();  ///< without what concerns the window or the device alone
    std::vector<Parameter> bound();
  };
  Settings settings() const { return {settings_, colors_, display_}; }
  void take(const Settings& settings);
  double aspect() const { return 1.0 * size_.width / size_.height; }
  void fly_to(const std::string& text);
  void fly_to_place(const std::string& id);
  void fly_to_numbered(int number);
  std::string span_text() const;
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
  void apply_own(const command::SceneCommand& command);
  void set_parameter(const std::string& name, const Value& value);
  void give_up();
  void edit_view(const command::EditView& edit);
  void set_turn(const std::string& name, const Value& value);
  std::optional<double> angle_of_pointer() const;
  void follow_turn();
  mandelbrot::View reach_of_motion() const;
  void follow_equalization(double frame);
  void fit_first_view();
  void begin_drawing();
  void take_shipped_picture();
  void end_box();
  bool pointer_in_picture() const;
  std::optional<glm::vec2> julia_point() const;
  std::optional<AnchorInPicture> anchor() const;
  std::vector<glm::vec2> marks() const;
  MandelbrotPainter::Scenery scenery() const;
  void gather_anchors();
  void find_copy();
  void fly_to_copy(command::FlyToCopy::Where where);
  void describe_cursor();
  void follow_values();

  MandelbrotSettings settings_;
  mandelbrot::ColorSettings colors_;
  MandelbrotDisplay display_;
  double cycled_ = 0;  // what cycling adds to the palette's offset
  mandelbrot::Equalization equalization_, equalization_from_, equalization_to_;  // shown; and on the way between
  double equalized_part_ = 0;
  mandelbrot::PictureEngine engine_;
  ViewMotion motion_;
  MandelbrotDelay delay_;
  double seconds_ = 0, drawn_at_ = 0;  // of this frame, and of the last one that was drawn
  std::unique_ptr<MandelbrotPainter> painter_;
  std::unique_ptr<MandelbrotPlaces> places_;
  Background<PngFile> shipped_;  // the picture of the default view, being read
  MandelbrotExporter exporter_;
  ComputeContext* context_ = nullptr;
  mandelbrot::Size size_{1280, 720};

  glm::vec2 pointer_{0, 0};
  bool pointer_inside_ = false;
  bool panning_ = false;
  struct TurnedHand {
    std::optional<double> angle;  // of the pointer around the middle, in degrees, where it was known first
    mandelbrot::Turn from;
  };
  std::optional<TurnedHand> turning_;
  std::vector<Anchor> anchors_;  // the named locations, and the copy that was found
  CopyFinder finder_;
  double marks_left_ = 0;  // seconds for which rings are shown: since the hand moved, or something was found
  std::optional<Box> box_;

  std::string cursor_, cursor_place_, cursor_value_;
  glm::vec2 cursor_at_{-1, -1};
  mandelbrot::View cursor_view_;
  std::uint64_t cursor_serial_ = 0;
  int cursor_exponent_ = 0;
  std::unique_ptr<CursorReadout> cursor_readout_;
  std::unique_ptr<MandelbrotProof> proof_;
  std::unique_ptr<FlatView> flat_;
  std::shared_ptr<const ColoredValues> colored_;  // of the last finished picture …
  std::uint64_t colored_of_ = 0;                  // … its serial number …
  mandelbrot::ColorSettings colored_in_;          // … and the colours
  std::shared_ptr<const std::vector<PaletteSwatch>> palettes_;
  DeviceInfo device_;
  std::optional<ViewRefusal> refused_;  // what was typed last
  std::string refusal_;                 // of settings that suited another device
  std::size_t bytes_copied_ = 0;
  std::shared_ptr<ui::MandelbrotUi> ui_ = std::make_shared<ui::MandelbrotUi>();
};

}  // namespace orrery
