// The panels without a window: ImGui needs no display for layout and mouse input.
#include "base/files/manual.hpp"
#include "ui/format.hpp"
#include "ui/panels.hpp"
#include "ui/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <typeindex>

#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "scenes/nbody/checks/catalog.hpp"
#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/panels/panels.hpp"

namespace orrery::ui {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Settings with every kind of parameter.
struct Settings {
  std::int64_t bodies = 16384;
  std::int64_t iterations = 0;
  std::int64_t seed = 42;
  std::int64_t burst = 4;
  std::int64_t work_group = 0;
  double dt = 0.0025;
  double softening = 0.05;
  double offset = 0;
  bool trails = false;
  std::string integrator = "leapfrog";
  std::string initial = "merger";
};

std::vector<Parameter> parameters(Settings& s) {
  return {
      {{.name = "bodies", .label = "Bodies", .minimum = 1, .maximum = 16777216, .logarithmic = true}, &s.bodies},
      {{.name = "iterations",
        .label = "Iterations",
        .minimum = 10,
        .maximum = 1e9,
        .logarithmic = true,
        .automatic = true},
       &s.iterations},
      {{.name = "seed", .label = "Seed", .minimum = 0, .maximum = 9.2e18}, &s.seed},
      {{.name = "burst", .label = "Burst", .minimum = 1, .maximum = 100}, &s.burst},
      {{.name = "work-group",
        .label = "Work-group",
        .minimum = 1,
        .maximum = 4096,
        .automatic = true,
        .compared = true},
       &s.work_group},
      {{.name = "dt", .label = "Time step", .minimum = 0, .maximum = 10, .above_minimum = true, .logarithmic = true},
       &s.dt},
      {{.name = "softening", .label = "Softening", .minimum = 0, .maximum = 10, .logarithmic = true}, &s.softening},
      {{.name = "offset", .label = "Offset", .minimum = -0.5, .maximum = 0.5, .above_minimum = true}, &s.offset},
      {{.name = "trails", .label = "Trails"}, &s.trails},
      {{.name = "integrator", .label = "Integrator", .choices = {"tutorial", "leapfrog"}}, &s.integrator},
      {{.name = "initial", .label = "Initial"}, &s.initial},
  };
}

KernelStatistics kernel(std::string name) {
  KernelStatistics statistics;
  statistics.name = std::move(name);
  statistics.launches = 12345;
  statistics.first_launches = 1;
  statistics.median_us = 1830;
  statistics.p99_us = 2900;
  statistics.busy_share = 0.4;
  statistics.recent_us = {1800, 1900, 1850, std::numeric_limits<float>::quiet_NaN(), 1700};
  return statistics;
}

WindowSnapshot window() {
  WindowSnapshot w;
  DeviceInfo device;
  device.name = "A device";
  DeviceInfo broken = device;
  broken.id = {0, 1};
  broken.fault = "CL_DEVICE_NOT_AVAILABLE";
  PlatformInfo platform;
  platform.name = "A platform";
  DeviceInfo other = device;
  other.id = {0, 2};
  other.max_parts = 6;
  platform.devices = {device, broken, other};
  w.platforms = {platform};
  w.members = {other, device};
  w.device_name = "2 of A device";
  w.sharing_reason = "The device does not drive the window";
  w.scenes = {{"nbody", "N-body"}, {"mandelbrot", "Mandelbrot"}};
  w.frames.recent_ms.assign(240, 16.6F);
  w.scene.work_group = {"nbody_forces", 4096, 8, 16384, 0, 256, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}};
  w.scene.kernels = {kernel("nbody_forces"), kernel("nbody_drift")};
  return w;
}

void show(WindowSnapshot& w, NbodySnapshot nbody) { w.scene.panels = std::make_shared<NbodyPanels>(std::move(nbody)); }
void show(WindowSnapshot& w, MandelbrotSnapshot view) {
  w.scene.panels = std::make_shared<MandelbrotPanels>(std::move(view));
}

// Points of each curve. Drawing them dominates the cost of a frame: tests of clicks have few.
constexpr int many_points = 5000, more_points_than_pixels = 1000, few_points = 50;

NbodySnapshot nbody_snapshot(int points = many_points) {
  NbodySnapshot nbody;
  nbody.units.time = nbody.units.energy = nbody.units.momentum = nbody.units.angular_momentum = "G = 1";
  nbody.colors.ramp = {0, 0, 0, 255, 255, 255};
  DiagnosticsHistory& d = nbody.diagnostics;
  d.initial_total = -0.25;
  for (int i = 0; i < points; ++i)
    for (std::vector<double>* column :
         {&d.time, &d.kinetic, &d.potential, &d.total, &d.momentum, &d.angular_momentum, &d.virial,
          &nbody.force_errors.history.time, &nbody.force_errors.history.median, &nbody.force_errors.history.p99})
      column->push_back(i * 0.01);
  nbody.force_errors.asked = 5e-4;
  nbody.force_errors.percentiles = {1e-4, 3e-4, 5e-4, 9e-4, 2e-3};
  nbody.force_errors.costs.errors = {1e-2, 1e-3, 1e-4};
  nbody.force_errors.costs.quadrupole = {1, 2, 5};
  nbody.force_errors.costs.monopole = {2, 6, not_a_number};
  nbody.force_errors.costs.all_pairs = {8, 8, 8};
  nbody.state_hash = 48213907;
  nbody.members = {{2048, 2e12}, {1024, 1e12}};
  nbody.transfer.bursts = {1, 2, 4, 8};
  nbody.transfer.shared = {100, 120, not_a_number, not_a_number};
  nbody.transfer.copied = {50, 80, 110, 120};
  return nbody;
}

WindowSnapshot nbody_window(Settings& settings, int points = many_points) {
  WindowSnapshot w = window();
  w.scene.name = "nbody";
  w.scene.parameters = views(parameters(settings));
  w.scene.tuning = &nbody_tune_catalog();
  show(w, nbody_snapshot(points));
  return w;
}

MandelbrotSnapshot mandelbrot_snapshot() {
  MandelbrotSnapshot view;
  view.span = "3.5e-9";
  view.limit = 3200;
  view.can_go_back = view.can_go_forward = true;
  view.places = std::make_shared<const Cards>(
      Cards{{.id = "a", .title = "Mine", .text = "", .own = true}, {.id = "b", .title = "Feigenbaum", .text = ""}});
  return view;
}

WindowSnapshot mandelbrot_window(Settings& settings) {
  WindowSnapshot w = window();
  w.scene.name = "mandelbrot";
  w.scene.parameters = views(parameters(settings));
  w.scene.tuning = &nbody_tune_catalog();
  show(w, mandelbrot_snapshot());
  return w;
}

class Screen {
 public:
  explicit Screen(ImVec2 size = {1280, 720}, float scale = 1) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.DeltaTime = 1.0F / 60;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    apply_theme(scale);
    fonts = load_fonts({}, scale);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~Screen() { ImGui::DestroyContext(); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Draws a frame and returns its commands.
  command::Commands frame(const WindowSnapshot& snapshot) {
    command::Commands commands;
    ImGui::NewFrame();
    draw_ui(snapshot, state, fonts, commands);
    ImGui::Render();
    return commands;
  }

  void mouse(ImVec2 at, bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(at.x, at.y);
    io.AddMouseButtonEvent(0, down);
#else
    io.MousePos = at;
    io.MouseDown[0] = down;
#endif
  }

  void right_button(bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseButtonEvent(1, down);
#else
    ImGui::GetIO().MouseDown[1] = down;
#endif
  }

  void wheel(float steps) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseWheelEvent(0, steps);
#else
    ImGui::GetIO().MouseWheel = steps;
#endif
  }

  void control(bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
#else
    ImGui::GetIO().KeyCtrl = down;
#endif
  }

  command::Commands click(const WindowSnapshot& snapshot, ImVec2 at) {
    command::Commands all;
    for (bool down : {false, true, false, false}) {
      mouse(at, down);
      for (command::Command& command : frame(snapshot)) all.push_back(std::move(command));
    }
    return all;
  }

  UiState state;
  Fonts fonts;
};

struct Extent {
  ImVec2 low{1e9F, 1e9F}, high{-1e9F, -1e9F};
};

/// The extent of all that the windows with that name drew.
Extent drawn_by(const std::string& name) {
  Extent extent;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i) {
    const ImDrawList* list = data->CmdLists[i];
    if (list->_OwnerName == nullptr || std::string(list->_OwnerName).find(name) != 0) continue;
    for (const ImDrawVert& vertex : list->VtxBuffer) {
      extent.low = {std::min(extent.low.x, vertex.pos.x), std::min(extent.low.y, vertex.pos.y)};
      extent.high = {std::max(extent.high.x, vertex.pos.x), std::max(extent.high.y, vertex.pos.y)};
    }
  }
  return extent;
}

void fill_with(WindowSnapshot& w, double value) {
  NbodySnapshot nbody = nbody_snapshot();
  DiagnosticsHistory& d = nbody.diagnostics;
  for (std::vector<double>* column :
       {&d.time, &d.kinetic, &d.potential, &d.total, &d.momentum, &d.angular_momentum, &d.virial,
        &nbody.force_errors.history.time, &nbody.force_errors.history.median, &nbody.force_errors.history.p99})
    for (std::size_t i = 0; i < column->size(); i += 2) (*column)[i] = value;
  nbody.time = nbody.steps_per_second = nbody.interactions_per_second = nbody.burst_progress = value;
  nbody.colors.low = nbody.colors.high = nbody.members[0].measured_speed = value;
  w.frames.p50_ms = w.frames.p95_ms = w.frames.p99_ms = w.frames.max_ms = w.frames.frames_per_second = value;
  for (float& x : w.frames.recent_ms) x = static_cast<float>(std::min(value, 1e30));
  for (KernelStatistics& k : w.scene.kernels) k.median_us = k.p99_us = k.busy_share = value;
  show(w, std::move(nbody));
}

/// The middle of all that was drawn in exactly that colour; nothing if there is none.
std::optional<ImVec2> middle_of(ImU32 color) {
  Extent extent;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i)
    for (const ImDrawVert& vertex : data->CmdLists[i]->VtxBuffer) {
      if (vertex.col != color) continue;
      extent.low = {std::min(extent.low.x, vertex.pos.x), std::min(extent.low.y, vertex.pos.y)};
      extent.high = {std::max(extent.high.x, vertex.pos.x), std::max(extent.high.y, vertex.pos.y)};
    }
  if (extent.low.x > extent.high.x) return std::nullopt;
  return ImVec2{(extent.low.x + extent.high.x) / 2, (extent.low.y + extent.high.y) / 2};
}

/// A sweep over work-group sizes with a fast, wrong candidate and a right one.
WindowSnapshot tuned_window(Settings& settings, int points = many_points) {
  WindowSnapshot w = nbody_window(settings, points);
  TunerSnapshot& t = w.tuner;
  t.scene = "nbody";
  t.kernels = {"single"};
  t.kernel = "single";
  t.space = {{{"work-group", {1, 2, 4}}}};
  t.standard = {1};
  t.best = {4};
  t.entries = {{.values = {2}, .state = TuneState::wrong, .reason = "body 3 is off", .seconds = {0.001}},
               {.values = {4}, .state = TuneState::measured, .seconds = {0.5, 0.5}},
               {.values = {1}, .state = TuneState::rejected, .reason = "too many work-items"}};
  for (TuneEntry& entry : t.entries) entry.summarise();
  return w;
}

std::vector<command::ChooseVariant> choices_in(const command::Commands& commands) {
  std::vector<command::ChooseVariant> found;
  for (const command::Command& each : commands)
    if (const auto* choice = std::get_if<command::ChooseVariant>(&each)) found.push_back(*choice);
  return found;
}

ImVec2 middle(const Rect& place) { return {place.x + place.width / 2, place.y + place.height / 2}; }

void show_face(Screen& screen, const WindowSnapshot& snapshot, Face face) {
  screen.state.look.face = face;
  for (int i = 0; i < 3; ++i) screen.frame(snapshot);
}

/// The middle of a control on any face; draws frames.
ImVec2 middle_of(Screen& screen, const WindowSnapshot& snapshot, const std::string& control) {
  screen.state.controls.wanted = true;
  screen.frame(snapshot);
  if (!screen.state.controls.places.contains(control))
    show_face(screen, snapshot, screen.state.look.face == Face::explore ? Face::measure : Face::explore);
  const Rect place = screen.state.controls.places.at(control);
  return {place.x + place.width / 2, place.y + place.height / 2};
}

template <class Wanted>
std::vector<Wanted> those_in(const command::Commands& commands) {
  std::vector<Wanted> found;
  for (const command::Command& each : commands)
    if (const auto* wanted = std::get_if<Wanted>(&each)) found.push_back(*wanted);
  return found;
}

TEST(ui_plots, a_click_shows_one_large_and_its_buttons_save_it) {
  Settings settings;
  const WindowSnapshot w = nbody_window(settings);
  Screen screen({1280, 4000});
  screen.state.controls.wanted = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  for (const char* title : {"Conservation/Energy", "Conservation/Relative energy error", "Conservation/Momentum |p|",
                            "Conservation/Angular momentum |L|", "Conservation/Virial ratio 2K/|W|"})
    EXPECT_TRUE(screen.state.controls.places.contains(title)) << title;
  show_face(screen, w, Face::measure);
  for (const char* title :
       {"Force error/Relative force error", "Force error/Error against cost", "Force error/99.9 % below"})
    EXPECT_TRUE(screen.state.controls.places.contains(title)) << title;
  show_face(screen, w, Face::explore);
  screen.click(w, middle(screen.state.controls.places["Conservation/Energy"]));
  ASSERT_TRUE(screen.state.large_plot);
  EXPECT_EQ(screen.state.large_plot->title, "Energy");
  const Extent pane = drawn_by("##plot");
  EXPECT_GE(pane.low.x, picture_area(screen.state, 1280, 4000, 1).x);
  EXPECT_LE(pane.high.x, 1280);

  const auto tables =
      those_in<command::SaveTable>(screen.click(w, middle(screen.state.controls.places["Plot/Save CSV"])));
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].text.substr(0, tables[0].text.find('\n')),
            "Time (G = 1),Kinetic (G = 1),Potential (G = 1),Total (G = 1)");
  EXPECT_EQ(std::ranges::count(tables[0].text, '\n'), 5001);
  screen.click(w, middle(screen.state.controls.places["Plot/Save PNG"]));
  ASSERT_TRUE(screen.state.large_plot->drawing);
  EXPECT_GT(screen.state.large_plot->drawing->VtxBuffer.Size, 100);
  screen.click(w, middle(screen.state.controls.places["Plot/Close"]));
  EXPECT_FALSE(screen.state.large_plot);

  screen.click(w, middle(screen.state.controls.places["Conservation/Energy"]));
  screen.frame(mandelbrot_window(settings));
  EXPECT_FALSE(screen.state.large_plot) << "another scene has other plots";
}

TEST(ui_plots, a_value_is_copied_with_all_its_digits) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  NbodySnapshot nbody = nbody_snapshot();
  nbody.time = 1.0 / 3;
  show(w, nbody);
  Screen screen({1280, 4000});
  screen.state.controls.wanted = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  const auto copied = [&](const char* place) {
    screen.mouse(middle(screen.state.controls.places[place]), false);
    screen.frame(w);
    screen.right_button(true);
    const auto first = those_in<command::CopyValue>(screen.frame(w));
    screen.right_button(false);
    screen.frame(w);
    return first.size() == 1 ? first[0].name + ": " + first[0].text : std::to_string(first.size()) + " values";
  };
  EXPECT_EQ(copied("Simulation/Time"), "Time: 0.3333333333333333");
  EXPECT_EQ(copied("Simulation/State"), "State: 48213907");
  EXPECT_NE(copied("Conservation/Energy").find("Kinetic = "), std::string::npos);
  show_face(screen, w, Face::measure);
  EXPECT_EQ(copied("Frames/p50"), "p50: 0");
}

TEST(ui_legends, tell_what_the_tree_shows_or_why_it_does_not) {
  NbodySnapshot nbody = nbody_snapshot();
  nbody.colors.by = "depth";
  nbody.colors.low = 3;
  nbody.colors.high = 7;
  nbody.cells.wanted = true;
  nbody.forces = NbodySnapshot::Forces::of_tree;
  nbody.cells.levels = {{"1", {10, 20, 30}}, {"2", {40, 50, 60}}};
  const PictureLegend of_tree = ui::NbodyPanels(nbody).legend();
  EXPECT_EQ(of_tree.colors.by, "Cell depth (levels of an octree)");
  EXPECT_FALSE(of_tree.logarithmic) << "levels are logarithms already";
  ASSERT_EQ(of_tree.kinds.size(), 2U);
  EXPECT_EQ(of_tree.kinds[0].name, "Cells of level 1");
  EXPECT_EQ(of_tree.kinds[1].color.rgb, 0x28323cU);
  nbody.forces = NbodySnapshot::Forces::of_all_pairs;
  nbody.cells.levels.clear();
  for (const bool cells : {false, true}) {
    nbody.cells.wanted = cells;
    const PictureLegend of_pairs = ui::NbodyPanels(nbody).legend();
    ASSERT_EQ(of_pairs.kinds.size(), 1U);
    EXPECT_NE(of_pairs.kinds[0].name.find("forces are summed over all pairs"), std::string::npos);
  }
  nbody.cells.wanted = false;
  nbody.colors.by = "speed";
  EXPECT_TRUE(ui::NbodyPanels(nbody).legend().kinds.empty());
}

TEST(ui_plots, the_legend_lies_in_the_corner_of_the_picture) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  NbodySnapshot nbody = nbody_snapshot();
  nbody.colors.by = "speed";
  nbody.colors.high = 2;
  nbody.picture_height = 7;
  show(w, nbody);
  Screen screen;
  for (const bool hidden : {false, true}) {
    screen.state.hidden = hidden;
    screen.state.look.legend = false;
    for (int i = 0; i < 3; ++i) screen.frame(w);
    EXPECT_GT(drawn_by("##legend").low.x, 1e8F);
    screen.state.look.legend = true;
    for (int i = 0; i < 3; ++i) screen.frame(w);
    const Rect picture = picture_area(screen.state, 1280, 720, 1);
    const Extent legend = drawn_by("##legend");
    EXPECT_NEAR(legend.low.x, picture.x + 12, 1);
    EXPECT_EQ(picture.height, hidden ? 720 : 720 - 34) << "the past lies below it";
    EXPECT_NEAR(legend.high.y, picture.height - 12, 1);
    EXPECT_LT(legend.high.x, picture.x + 300);
    EXPECT_GT(legend.low.y, picture.height - 120);
  }
}

TEST(ui_tuner, a_wrong_candidate_is_red_and_cannot_be_chosen) {
  Screen screen({1280, 4000});
  Settings settings;
  const WindowSnapshot w = tuned_window(settings);
  show_face(screen, w, Face::measure);
  const auto wrong = middle_of(packed(palette::error, 0.85F)), right = middle_of(packed(palette::good, 1));
  ASSERT_TRUE(wrong);
  ASSERT_TRUE(right);
  EXPECT_TRUE(choices_in(screen.click(w, *wrong)).empty());
  const auto chosen = choices_in(screen.click(w, *right));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].values, (NamedTuneValues{{"work-group", "4"}}));
}

TEST(ui_tuner, a_sweep_of_another_scene_can_be_ended_and_its_candidates_are_not_offered) {
  Settings settings;
  WindowSnapshot w = tuned_window(settings);
  w.tuner.running = true;
  w.tuner.progress = 0.5;
  w.tuner.scene = "mandelbrot";
  w.tuner.seconds_left = 30;
  Screen screen({1280, 4000});
  show_face(screen, w, Face::measure);
  EXPECT_FALSE(middle_of(packed(palette::good, 1)));
  const auto sent = screen.click(w, middle_of(screen, w, "Tuner/Cancel   30 s left"));
  EXPECT_TRUE(std::ranges::any_of(
      sent, [](const command::Command& each) { return std::holds_alternative<command::CancelTuning>(each); }));
}

TEST(ui_tuner, the_plot_of_times_enlarges_and_is_saved_as_a_table) {
  Settings settings;
  const WindowSnapshot w = tuned_window(settings);
  Screen screen({1280, 4000});
  for (int i = 0; i < 3; ++i) screen.frame(w);
  screen.click(w, middle_of(screen, w, "Tuner/Enlarge"));
  ASSERT_TRUE(screen.state.large_plot);
  EXPECT_EQ(screen.state.large_plot->title, "Times of the candidates");
  const auto tables = those_in<command::SaveTable>(screen.click(w, middle_of(screen, w, "Plot/Save CSV")));
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].text,
            "work-group,median (s),lower 95 % (s),upper 95 % (s),runs,limit (s),result\n"
            "2,0.001,,,1,,wrong: body 3 is off\n"
            "4,0.5,,,2,,same bits\n");
}

TEST(ui_tuner, stale_results_are_shown_and_cannot_be_chosen) {
  Screen screen({1280, 4000});
  Settings settings;
  WindowSnapshot w = tuned_window(settings);
  w.tuner.stale = true;
  show_face(screen, w, Face::measure);
  EXPECT_FALSE(middle_of(packed(palette::good, 1)));
  const auto bar = middle_of(packed(palette::dim, 0.6F));
  ASSERT_TRUE(bar);
  EXPECT_TRUE(choices_in(screen.click(w, *bar)).empty());
}

/// Frames of 10 ms, each with a kernel of 4 ms that waited for 1 ms, and a queue without timings.
std::shared_ptr<const TimelineView> frames_of_ten_ms(int count) {
  constexpr std::int64_t ms = 1'000'000;
  Timeline timeline;
  timeline.record(true);
  const std::uint16_t queue = timeline.lane("A device", LaneKind::queue), forces = timeline.name("nbody_forces");
  timeline.state_of(timeline.lane("Another", LaneKind::queue)).untimed = 40;
  for (std::int64_t k = 0; k <= count; ++k) {
    timeline.next_frame((1 + 10 * k) * ms);
    timeline.add({.queued = (2 + 10 * k) * ms,
                  .submitted = (2 + 10 * k) * ms,
                  .start = (3 + 10 * k) * ms,
                  .end = (7 + 10 * k) * ms,
                  .global = {4096, 0},
                  .local = {64, 0},
                  .frame = timeline.frame(),
                  .name = forces,
                  .lane = queue});
  }
  return std::make_shared<const TimelineView>(timeline.view());
}

struct TimelineScreen : Screen {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  Rect picture;
  explicit TimelineScreen(int frames = 10) {
    state.timeline.open = true;
    w.timeline = frames_of_ten_ms(frames);
    picture = picture_area(state, 1280, 720, 1);
    draw(3);
  }
  void draw(int times) {
    for (int i = 0; i < times; ++i) frame(w);
  }
  /// A place in the lanes; `across`: 0 … 1 of the drawer's width.
  ImVec2 at(float across) const { return {picture.x + across * picture.width, picture.height + 90}; }
};

TEST(ui_timeline, lies_below_the_picture_and_inside_the_window) {
  TimelineScreen screen;
  EXPECT_LT(screen.picture.height, 600);
  EXPECT_GT(screen.picture.height, 360);
  const Extent drawn = drawn_by("##timeline");
  EXPECT_GE(drawn.low.x, screen.picture.x);
  EXPECT_GE(drawn.low.y, screen.picture.height);
  EXPECT_LE(drawn.high.x, 1280);
  EXPECT_LE(drawn.high.y, 720);
  EXPECT_TRUE(middle_of(packed(ink_of(screen.state.inks, "nbody_forces"), 0.9F))) << "there are bars";
}

TEST(ui_timeline, shows_the_last_whole_frames) {
  TimelineScreen screen;
  EXPECT_DOUBLE_EQ(screen.state.timeline.length, 40e6);
  EXPECT_DOUBLE_EQ(screen.state.timeline.from, 51e6) << "of ten, the last one's work is still on its way";
}

TEST(ui_timeline, the_wheel_zooms_about_the_mouse_and_a_drag_pans) {
  std::vector<double> fixed;
  for (const float across : {0.3F, 0.6F, 0.9F}) {
    TimelineScreen screen;
    const TimelineUi before = screen.state.timeline;
    screen.mouse(screen.at(across), false);
    screen.draw(2);
    screen.wheel(2);
    screen.draw(2);
    const TimelineUi& after = screen.state.timeline;
    EXPECT_TRUE(after.paused);
    EXPECT_NEAR(after.length, before.length * 0.64, 1);
    fixed.push_back((after.from - before.from) / (before.length - after.length));  // position of the fixed point
  }
  EXPECT_GT(fixed[0], 0);
  EXPECT_LT(fixed[2], 1);
  EXPECT_NEAR(fixed[1] - fixed[0], fixed[2] - fixed[1], 1e-6) << "as far apart as the mouse was";

  TimelineScreen screen;
  const double from = screen.state.timeline.from;
  for (const bool down : {false, true}) screen.mouse(screen.at(0.6F), down), screen.draw(2);
  screen.mouse(screen.at(0.5F), true);
  screen.draw(2);
  EXPECT_GT(screen.state.timeline.from, from + 1e6) << "the lanes follow the hand";
  screen.mouse(screen.at(0.5F), false);
  screen.draw(1);
  EXPECT_TRUE(screen.state.timeline.paused);
}

TEST(ui_timeline, no_zoom_leaves_the_recorded_range) {
  TimelineScreen screen;
  screen.mouse(screen.at(0.6F), false);
  screen.draw(2);
  for (const float steps : {40.0F, -80.0F, 5.0F}) {
    screen.wheel(steps);
    screen.draw(2);
    const TimelineUi& t = screen.state.timeline;
    EXPECT_GE(t.length, 1e3);
    EXPECT_LE(t.length, (t.last - t.first) * 1.001);
    EXPECT_GE(t.from + t.length, t.first);
    EXPECT_LE(t.from, t.last);
  }
}

TEST(ui_timeline, the_display_stays_while_the_mouse_is_over_it) {
  TimelineScreen screen;
  const auto first = screen.w.timeline;
  screen.mouse(screen.at(0.6F), false);
  screen.draw(2);
  screen.w.timeline = frames_of_ten_ms(30);
  screen.draw(2);
  EXPECT_EQ(screen.state.timeline.shown, first);
  screen.mouse({screen.picture.x + 400, 100}, false);
  screen.draw(2);
  EXPECT_EQ(screen.state.timeline.shown, screen.w.timeline);
}

TEST(ui_timeline, can_be_exported_paused_and_closed) {
  TimelineScreen screen;
  bool exported = false, paused = false;
  for (float x = 1270; x > 900 && screen.state.timeline.open; x -= 12) {
    for (const command::Command& each : screen.click(screen.w, {x, screen.picture.height + 22}))
      exported = exported || std::holds_alternative<command::ExportTimeline>(each);
    paused = paused || screen.state.timeline.paused;
    if (x > 1240 && !screen.state.timeline.open) screen.state.timeline.open = true, x = 1240;
  }
  EXPECT_TRUE(exported);
  EXPECT_TRUE(paused);
  screen.click(screen.w, {1258, screen.picture.height + 22});
  EXPECT_FALSE(screen.state.timeline.open);
}

TEST(ui_timeline, windows_without_room_draw_it) {
  for (const ImVec2 size : {ImVec2{64, 64}, ImVec2{480, 200}, ImVec2{2560, 1440}}) {
    Screen screen(size);
    Settings settings;
    WindowSnapshot w = nbody_window(settings);
    screen.state.timeline.open = true;
    for (const int frames : {0, 1, 3000}) {
      w.timeline = frames_of_ten_ms(frames);
      for (int i = 0; i < 3; ++i) screen.mouse({size.x - 20, size.y - 20}, false), screen.frame(w);
    }
    w.timeline.reset();
    screen.frame(w);
  }
}

TEST(ui_panels, empty_snapshots_draw) {
  Screen screen;
  WindowSnapshot w;
  EXPECT_TRUE(screen.frame(w).empty());
  w.device_name = "A device";
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty());
  show(w, MandelbrotSnapshot{});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty());
}

TEST(ui_panels, numbers_of_any_kind_draw) {
  for (double value : {0.0, -1.0, 1e308, -1e308, infinity, -infinity, not_a_number}) {
    Screen screen({1280, 4000});
    Settings settings;
    WindowSnapshot w = nbody_window(settings);
    fill_with(w, value);
    for (int i = 0; i < 3; ++i) {
      screen.mouse({170, 100.0F * static_cast<float>(i)}, false);
      screen.frame(w);
    }
  }
}

TEST(ui_panels, long_texts_and_many_kernels_stay_inside_the_column) {
  const std::string text = std::string(400, 'w') + "… ε² −1" + std::string(4000, 'w');
  Settings settings;
  for (WindowSnapshot w : {nbody_window(settings), mandelbrot_window(settings)}) {
    Screen screen({1280, 4000});
    w.device_name = w.sharing_reason = w.gl_renderer = w.scene.work_group.kernel = text;
    w.platforms[0].devices[0].name = w.platforms[0].devices[1].fault = w.members[0].name = text;
    w.scene.kernels.assign(100, kernel(text));
    if (w.scene.name == "mandelbrot") {
      MandelbrotSnapshot view = mandelbrot_snapshot();
      view.span = view.magnification = view.precision = view.warning = view.cursor = text;
      show(w, std::move(view));
    }
    for (int i = 0; i < 3; ++i) screen.frame(w);
    const Extent column = drawn_by("##column");
    EXPECT_GE(column.low.x, 0);
    EXPECT_LE(column.high.x, 340);
  }
}

TEST(ui_panels, nothing_lies_outside_the_window) {
  Settings settings;
  for (ImVec2 size : {ImVec2{1280, 720}, ImVec2{640, 360}})
    for (WindowSnapshot w : {nbody_window(settings), mandelbrot_window(settings)}) {
      Screen screen(size);
      w.scene.status = w.notice.text = w.scene.fault = std::string(300, 'x');
      w.scene.fault_log = "line\n" + std::string(3000, 'x');
      screen.state.banner.log_open = true;
      for (int i = 0; i < 4; ++i) screen.frame(w);
      const Rect picture = picture_area(screen.state, size.x, size.y, 1);
      for (const char* name : {"##status", "##notice", "##fault"}) {
        const Extent extent = drawn_by(name);
        EXPECT_GE(extent.low.x, picture.x) << name;
        EXPECT_LE(extent.high.x, size.x) << name;
        EXPECT_GE(extent.low.y, 0) << name;
        EXPECT_LE(extent.high.y, size.y) << name;
      }
    }
}

TEST(ui_panels, windows_without_room_draw) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  w.manual = &manual_pages();
  for (ImVec2 size : {ImVec2{0, 0}, ImVec2{1, 1}, ImVec2{20, 20}, ImVec2{100, 2000}, ImVec2{2000, 50}}) {
    Screen screen(size, 2);
    screen.state.help.open = true;
    for (const char* page : {"keys", "laws", "options"}) {
      screen.state.help.page = page;
      for (int i = 0; i < 3; ++i) screen.frame(w);
    }
  }
}

TEST(ui_panels, the_manual_is_searched_and_its_links_are_followed) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  w.manual = &manual_pages();
  Screen screen({1280, 720});
  screen.state.help.open = true;
  screen.state.help.search = "opening ANGLE";
  for (int i = 0; i < 2; ++i) screen.frame(w);
  screen.click(w, middle_of(screen, w, "Help/The tree"));
  EXPECT_EQ(screen.state.help.page, "n-body");
  EXPECT_EQ(screen.state.help.anchor, "the-tree");
  screen.state.help.search = "no such words";
  screen.frame(w);
  EXPECT_FALSE(screen.state.controls.places.contains("Help/N-body"));
  screen.state.help.search.clear();
  screen.state.help.page = "laws";
  for (int i = 0; i < 2; ++i) screen.frame(w);
  screen.click(w, middle_of(screen, w, "Help/world"));
  EXPECT_EQ(screen.state.help.page, "particle-worlds");
  EXPECT_TRUE(screen.state.help.open);
}

TEST(ui_panels, the_help_opens_at_the_top_of_its_page) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  w.manual = &manual_pages();
  Screen screen({1280, 720});
  screen.state.help.open = true;
  screen.state.help.page = "laws";
  screen.state.controls.wanted = true;
  const std::map<std::string, Rect>& places = screen.state.controls.places;
  const auto link = [&] {
    for (int i = 0; i < 3; ++i) screen.frame(w);
    const auto found = places.find("Help/world");
    return found == places.end() ? std::nullopt : std::optional(found->second.y);
  };
  const std::optional<float> at_first = link();
  ASSERT_TRUE(at_first);
  screen.mouse({900, 400}, false);
  screen.frame(w);
  screen.wheel(-5);
  EXPECT_NE(link(), at_first) << "scrolled";
  screen.state.help.open = false;
  screen.frame(w);
  screen.state.help.open = true;
  EXPECT_EQ(link(), at_first);
}

TEST(ui_panels, a_small_window_shows_two_rows_of_presets_and_whole_labels) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  Cards cards;
  for (int i = 0; i < 9; ++i)
    cards.push_back({.id = std::to_string(i), .title = "Preset " + std::to_string(i), .text = ""});
  w.presets = std::make_shared<const Cards>(cards);
  Screen screen({480, 320});
  screen.state.controls.wanted = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_TRUE(screen.state.controls.places.contains("Copy as command"));
  int seen = 0;
  for (const Card& card : cards) seen += screen.state.controls.places.contains("Gallery/" + card.title) ? 1 : 0;
  EXPECT_GE(seen, 6);
}

TEST(ui_panels, a_running_export_tells_its_name_and_the_time_that_is_left) {
  Settings settings;
  WindowSnapshot w = mandelbrot_window(settings);
  const auto found = [&](const std::string& title) {
    for (const SearchEntry& entry : search_entries(w))
      if (entry.title == title) return entry.detail;
    return std::string("not found");
  };
  EXPECT_EQ(found("Save film"), "mandelbrot.mp4, 3840 × 2160, 20 s");
  for (const auto& [seconds, text] :
       {std::pair{0.0, "25 %"}, {39.2, "25 %, 40 s left"}, {121.0, "25 %, 3 min left"}, {7300.0, "25 %, 3 h left"}}) {
    MandelbrotSnapshot view = mandelbrot_snapshot();
    view.exported = {
        .what = "zoom.mp4", .progress = 0.25, .seconds_left = seconds, .detail = "frame 3 of 12", .result = {}};
    show(w, view);
    EXPECT_EQ(found("Cancel saving zoom.mp4"), text);
    EXPECT_EQ(found("Save film"), "not found");
  }
}

/// The extent of all that was drawn in that colour over the scene's picture.
Extent drawn_behind(ImU32 color) {
  Extent extent;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i)
    for (const ImDrawVert& vertex : data->CmdLists[i]->VtxBuffer) {
      if (vertex.col != color || vertex.pos.x < 340) continue;
      extent.low = {std::min(extent.low.x, vertex.pos.x), std::min(extent.low.y, vertex.pos.y)};
      extent.high = {std::max(extent.high.x, vertex.pos.x), std::max(extent.high.y, vertex.pos.y)};
    }
  return extent;
}

// The picture is 940 × 1400, and the export, 16 : 9, is as wide and 528.75 high.
TEST(ui_panels, the_frame_of_the_export_is_drawn_while_its_section_is_unfolded) {
  Settings settings;
  const WindowSnapshot w = mandelbrot_window(settings);
  constexpr ImU32 light = IM_COL32(255, 255, 255, 200);
  Screen screen({1280, 1400});
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_GT(drawn_behind(light).low.x, 1e8F) << "folded: none";
  for (const char* folded : {"Places", "View", "Colour", "Parameters"})
    screen.state.look.unfolded[std::string("mandelbrot/") + folded] = false;
  screen.state.look.unfolded["mandelbrot/Export"] = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  const Extent frame = drawn_behind(light);
  EXPECT_EQ(frame.low.x, 340);
  EXPECT_EQ(frame.high.x, 1280);
  EXPECT_NEAR(frame.low.y, 700 - 528.75 / 2, 2);
  EXPECT_NEAR(frame.high.y, 700 + 528.75 / 2, 2);
}

TEST(ui_panels, windows_of_every_small_width_draw) {
  Settings settings;
  for (const float scale : {1.0F, 1.5F, 2.0F})
    for (const WindowSnapshot& w : {nbody_window(settings, more_points_than_pixels), mandelbrot_window(settings),
                                    tuned_window(settings, more_points_than_pixels)}) {
      Screen screen({1280, 720}, scale);
      for (float width = 260; width > 0; width -= scale == 1 ? 1 : 3) {
        ImGui::GetIO().DisplaySize = {width, width < 8 ? width : 3000};  // high enough for every panel to unfold
        for (const bool collapsed : {true, false}) {
          screen.state.collapsed = collapsed;
          screen.state.timeline.open = static_cast<int>(width) % 2 == 0;
          screen.frame(w);
        }
      }
    }
}

TEST(ui_panels, the_column_and_the_picture_share_the_window) {
  UiState state;
  const Rect open = picture_area(state, 1280, 720, 1);
  EXPECT_EQ(open.x, 340);
  EXPECT_EQ(open.x + open.width, 1280);
  state.collapsed = true;
  EXPECT_LT(picture_area(state, 1280, 720, 1).x, 32);
  state.hidden = true;
  EXPECT_EQ(picture_area(state, 1280, 720, 1).width, 1280);
  Settings settings;
  Screen screen;
  screen.frame(nbody_window(settings));
  EXPECT_LE(drawn_by("##column").high.x, open.x);
}

TEST(ui_panels, hidden_panels_draw_nothing_but_faults) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  Screen screen;
  screen.state.hidden = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_EQ(ImGui::GetDrawData()->TotalVtxCount, 0);
  w.scene.fault = "It broke";
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
}

TEST(ui_panels, without_a_device_the_page_tells_how_to_install_one) {
  Screen screen;
  WindowSnapshot w;
  w.installation_hints = "install a driver";
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_GT(drawn_by("##no device").high.x, 600);
  EXPECT_EQ(drawn_by("##column").high.x, -1e9F);
}

using Kinds = std::set<std::type_index>;

/// The type of a command of the window or of the scene.
std::type_index kind_of(const command::Command& command) {
  if (const auto* own = std::get_if<command::SceneCommand>(&command)) return own->content.type();
  return std::visit([](const auto& each) { return std::type_index(typeid(each)); }, command);
}

template <class... T>
Kinds kinds() {
  return {typeid(T)...};
}

/// Clicks the controls of the column until they have given every kind of command in `wanted`; returns missing kinds.
/// Half of the clicks are a little below the previous one, where an opened list would be.
Kinds not_clicked_out(const WindowSnapshot& snapshot, Kinds wanted) {
  Screen screen({1280, 3000});  // every section is in sight
  screen.state.controls.wanted = true;
  std::mt19937 random(7);
  const auto any = [&](float high) { return std::uniform_real_distribution<float>(0, high)(random); };
  ImVec2 at{0, 0};
  for (int i = 0; i < 20000 && !wanted.empty(); ++i) {
    const auto& controls = screen.state.controls.places;
    if (any(1) < 0.5F || controls.empty()) {
      at.y += any(60);
    } else {
      const Rect place =
          std::next(controls.begin(), static_cast<int>(any(1) * static_cast<float>(controls.size() - 1)))->second;
      at = {place.x + any(place.width), place.y + any(place.height)};
    }
    for (const command::Command& command : screen.click(snapshot, at)) wanted.erase(kind_of(command));
    screen.state.collapsed = screen.state.help.open = screen.state.search.open = false;
    screen.state.choice = {};
    screen.state.large_plot.reset();
  }
  return wanted;
}

TEST(ui_panels, every_action_of_the_scenes_can_be_clicked) {
  using namespace command;
  Settings settings;
  EXPECT_EQ(not_clicked_out(nbody_window(settings, few_points),
                            kinds<SelectScene, SetPaused, StepOnce, Reset, SetParameter, SetVsync, SelectDevices,
                                  ReverseTime, MeasureTransfer>()),
            Kinds());
  EXPECT_EQ(not_clicked_out(mandelbrot_window(settings), kinds<ViewBack, ViewForward, Reset, FlyToPlace>()), Kinds());
}

/// The numbers of devices in SelectDevices over all clicks on the opened list of devices.
std::set<std::size_t> selections(const WindowSnapshot& snapshot) {
  std::set<std::size_t> sizes;
  for (float y = -20; y < 200; y += 4)
    for (const float x : {24.0F, 120.0F}) {
      Screen screen({1280, 2400});
      const ImVec2 list = middle_of(screen, snapshot, "Device/Device");
      screen.click(snapshot, {120, list.y});
      for (const command::Command& command : screen.click(snapshot, {x, list.y + y}))
        if (const auto* select = std::get_if<command::SelectDevices>(&command)) sizes.insert(select->ids.size());
    }
  return sizes;
}

TEST(ui_panels, devices_are_added_to_and_removed_from_the_selection) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  EXPECT_EQ(selections(w), std::set<std::size_t>{1});  // a click removes a device or selects a single one
  w.members.pop_back();
  EXPECT_EQ(selections(w), (std::set<std::size_t>{1, 2}));
}

TEST(ui_panels, a_device_is_divided_where_it_can_be) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  w.members.pop_back();
  std::set<std::int64_t> splits;
  for (float y = -16; y < 172; y += 4) {
    Screen screen({1280, 2400});
    const ImVec2 list = middle_of(screen, w, "Device/Split");
    screen.click(w, list);
    for (const command::Command& command : screen.click(w, {list.x, list.y + y}))
      if (const auto* select = std::get_if<command::SelectDevices>(&command)) splits.insert(select->split);
  }
  EXPECT_EQ(splits, (std::set<std::int64_t>{2, 4, 6}));
}

TEST(ui_panels, the_selected_tab_asks_for_the_other_scene) {
  Settings settings;
  Screen screen;
  const command::Commands commands = screen.click(nbody_window(settings), {220, 25});
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(std::get<command::SelectScene>(commands[0]).name, "mandelbrot");
}

TEST(ui_panels, a_click_opens_a_preset_and_two_clicks_remove_a_user_preset) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  w.presets = std::make_shared<const Cards>(Cards{{.id = "a.toml", .title = "Shipped", .text = "One."},
                                                  {.id = "b.png", .title = "Mine", .text = "", .own = true}});
  Screen screen({1280, 900});
  const command::Commands chosen = screen.click(w, middle_of(screen, w, "Gallery/Shipped"));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(std::get<command::OpenFile>(chosen[0]).path, "a.toml");
  const ImVec2 cross = middle_of(screen, w, "Gallery/Remove Mine");
  EXPECT_TRUE(screen.click(w, cross).empty()) << "it asks";
  const command::Commands removed = screen.click(w, cross);
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_EQ(std::get<command::RemovePreset>(removed[0]).file, "b.png");
}

TEST(ui_panels, a_view_is_saved_as_a_preset_under_an_unused_name) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  w.presets = std::make_shared<const Cards>(Cards{{.id = "a.toml", .title = "Shipped", .text = "One."},
                                                  {.id = "b.png", .title = "Mine", .text = "", .own = true}});
  Screen screen({1280, 900});
  const ImVec2 keep = middle_of(screen, w, "Gallery/Save");
  for (const std::string name : {"", "Mine", "a/b", ".hidden", "line\nbreak"}) {
    screen.state.gallery.preset_name = name;
    EXPECT_TRUE(screen.click(w, keep).empty()) << name;
  }
  screen.state.gallery.preset_name = "Shipped";
  const command::Commands kept = screen.click(w, keep);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(std::get<command::KeepPreset>(kept[0]).name, "Shipped");
  EXPECT_TRUE(screen.state.gallery.preset_name.empty());
}

/// Random input: presses, drags, scrolls and types anywhere. Parameter::assign throws if a value leaves its range.
TEST(ui_panels, no_input_moves_a_parameter_out_of_its_range) {
  Settings settings;
  std::vector<Parameter> bound = parameters(settings);
  Screen screen({700, 900});
  std::mt19937 random(7);
  const auto any = [&](float high) { return std::uniform_real_distribution<float>(0, high)(random); };
  int changes = 0;
  for (int i = 0; i < 4000; ++i) {
    const ImVec2 at{any(1) < 0.9F ? 130 + any(200) : any(700), any(900)};
    screen.mouse(i % 3 == 0 ? at : ImVec2{any(700), ImGui::GetIO().MousePos.y}, i % 3 != 2);
    if (any(1) < 0.05F) screen.wheel(any(4) - 2);
    screen.control(any(1) < 0.2F);
    if (any(1) < 0.3F) ImGui::GetIO().AddInputCharactersUTF8(any(1) < 0.5F ? "9" : any(1) < 0.5F ? "-1e400" : "nan,");
    for (const command::Command& command :
         screen.frame(i % 500 < 250 ? nbody_window(settings, few_points) : mandelbrot_window(settings)))
      if (const auto* set = std::get_if<command::SetParameter>(&command)) {
        Parameter* parameter = find(bound, set->name);
        ASSERT_NE(parameter, nullptr) << set->name;
        ASSERT_NO_THROW(parameter->assign(set->value)) << set->name;
        ++changes;
      }
    screen.state.collapsed = screen.state.help.open = false;
    screen.state.look.face = i % 1000 < 800 ? Face::explore : Face::measure;
  }
  EXPECT_GT(changes, 20);
}

TEST(ui_panels, ctrl_click_types_a_value_and_a_refused_one_stays_to_be_mended) {
  Settings settings;
  const WindowSnapshot w = nbody_window(settings, few_points);
  Screen screen({1280, 1400});
  const ImVec2 row = middle_of(screen, w, "Parameters/Bodies");
  screen.control(true);
  screen.click(w, row);
  ASSERT_EQ(screen.state.edit.name, "bodies");
  screen.control(false);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty());
  ImGui::GetIO().AddInputCharactersUTF8("99999999999");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty()) << "sent before typing ended";
  EXPECT_TRUE(screen.click(w, {800, 600}).empty());
  EXPECT_EQ(screen.state.edit.refusal, "Expected a whole number from 1 to 16777216, got 99999999999");
  EXPECT_EQ(screen.state.edit.text, "99999999999");
  screen.click(w, {800, 600});  // a click elsewhere cancels it
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty());
  EXPECT_TRUE(screen.state.edit.name.empty());
}

TEST(ui_panels, the_export_takes_numbers_as_people_write_them_and_no_other_number_in_silence) {
  Settings settings;
  const WindowSnapshot w = mandelbrot_window(settings);
  Screen screen({1280, 1400});
  for (const char* folded : {"Places", "View", "Colours", "Parameters"})
    screen.state.look.unfolded[std::string("mandelbrot/") + folded] = false;
  screen.state.look.unfolded["mandelbrot/Export"] = true;
  const ImVec2 elsewhere{800, 600};
  const auto type = [&](const std::string& field, const char* text) {
    screen.click(w, middle_of(screen, w, "Export/" + field));
    for (int i = 0; i < 3; ++i) screen.frame(w);
    ImGui::GetIO().AddInputCharactersUTF8(text);
    for (int i = 0; i < 3; ++i) screen.frame(w);
  };
  const auto enter = [&](const std::string& field, const char* text) {
    type(field, text);
    screen.click(w, elsewhere);
    return screen.state.edit.refusal;
  };
  const auto film = [&] {
    std::optional<command::ExportFilm> wanted;
    for (const auto& asked : those_in<command::SceneCommand>(screen.click(w, middle_of(screen, w, "Export/Save film"))))
      if (const auto* own = std::any_cast<command::ExportFilm>(&asked.content)) wanted = *own;
    return wanted;
  };
  for (const auto& [field, text] : {std::pair{"Width", "1 280"},
                                    {"Height", "7,20e2"},
                                    {"Samples", "4\u00a0096"},
                                    {"From span", "0,002"},
                                    {"Seconds", "2,5"},
                                    {"Rate", "\u202f24 "}})
    EXPECT_EQ(enter(field, text), "") << field;
  std::optional<command::ExportFilm> wanted = film();
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->width, 1280);
  EXPECT_EQ(wanted->height, 720);
  EXPECT_EQ(wanted->samples, 4096);
  EXPECT_EQ(wanted->span, "0.002");
  EXPECT_EQ(wanted->seconds, 2.5);
  EXPECT_EQ(wanted->frames_per_second, 24);
  for (const auto& [field, text, refusal] :
       {std::tuple{"Samples", "2.5", "Expected a whole number from 1 to 4096, got 2.5"},
        {"Samples", "2.500", "Expected either 2 or 2500, got 2.500"},
        {"Width", "70,000", "Expected a whole number from 1 to 65536, got 70000"},
        {"Height", "\u221212", "Expected a whole number from 1 to 65536, got -12"},
        {"Seconds", "1,234", "Expected either 1.234 or 1234, got 1,234"},
        {"Seconds", "0", "Expected a number above 0, at most 100000, got 0"},
        {"From span", "2.0.0", "Expected a decimal number such as -1.401155 or 3e-12, got 2.0.0"}}) {
    type(field, text);
    EXPECT_FALSE(film()) << text << ": the click that leaves the field saves nothing";
    EXPECT_EQ(screen.state.edit.refusal, refusal);
    EXPECT_FALSE(film()) << text << ": nor does the one that gives the text up";
    EXPECT_EQ(screen.state.edit.refusal, "");
  }
  ASSERT_TRUE(wanted = film());
  EXPECT_EQ(wanted->samples, 4096);
  EXPECT_EQ(wanted->width, 1280);
  EXPECT_EQ(wanted->seconds, 2.5);
}

TEST(ui_panels, a_click_leaves_a_value_and_a_double_click_types_also_where_it_is_auto) {
  Settings settings;
  const WindowSnapshot w = nbody_window(settings, few_points);
  for (const auto& [row, name] : {std::pair{"Softening", "softening"}, std::pair{"Iterations", "iterations"}}) {
    Screen screen({1280, 1400});
    const ImVec2 middle = middle_of(screen, w, std::string("Parameters/") + row), left{middle.x - 60, middle.y};
    EXPECT_TRUE(screen.click(w, left).empty()) << row;
    EXPECT_TRUE(screen.state.value_clicked) << "digits open no presets";
    EXPECT_TRUE(screen.click(w, left).empty()) << row;
    EXPECT_EQ(screen.state.edit.name, name);
    for (int i = 0; i < 3; ++i) screen.frame(w);
    ImGui::GetIO().AddInputCharactersUTF8("10");
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty());
    const auto set = those_in<command::SetParameter>(screen.click(w, {800, 600}));
    ASSERT_EQ(set.size(), 1U) << row;
    EXPECT_EQ(set[0].name, name);
  }
}

TEST(ui_panels, a_row_without_effect_is_grey_and_takes_no_input) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  const ParameterInfo info{.name = "force-error", .label = "Force error", .minimum = 1e-6, .maximum = 0.1};
  w.scene.parameters.push_back({info, 1e-3});
  for (const bool all_pairs : {true, false}) {
    NbodySnapshot nbody = nbody_snapshot(few_points);
    if (all_pairs) nbody.forces = NbodySnapshot::Forces::of_all_pairs;
    show(w, nbody);
    Screen screen({1280, 1400});
    const ImVec2 row = middle_of(screen, w, "Parameters/Force error");
    screen.control(true);
    screen.click(w, row);
    EXPECT_EQ(screen.state.edit.name, all_pairs ? "" : "force-error");
  }
}

TEST(ui_panels, an_unset_number_is_shown_as_none_and_an_empty_text_unsets_it) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  const ParameterInfo info{.name = "follow", .label = "Follow", .minimum = -1, .maximum = 1e7, .none = "none"};
  EXPECT_EQ(shown_value(info, Value(std::int64_t{-1})), "none");
  EXPECT_EQ(shown_value(info, Value(std::int64_t{0})), "0");
  EXPECT_EQ(value_text(info, Value(std::int64_t{-1})), "-1") << "in files and options";
  w.scene.parameters.push_back({info, std::int64_t{12}});
  Screen screen({1280, 1400});
  const ImVec2 row = middle_of(screen, w, "Parameters/Follow");
  screen.click(w, row);
  screen.state.edit = {"follow", ""};
  for (int i = 0; i < 3; ++i) screen.frame(w);
  const auto set = those_in<command::SetParameter>(screen.click(w, {800, 600}));
  ASSERT_EQ(set.size(), 1U);
  EXPECT_EQ(set[0].value, Value(std::int64_t{-1}));
}

TEST(ui_panels, a_section_that_is_unfolded_at_the_lower_edge_is_scrolled_to) {
  Settings settings;
  const WindowSnapshot w = nbody_window(settings, few_points);
  Screen screen;
  screen.state.controls.wanted = true;
  screen.mouse({120, 400}, false);
  for (int i = 0; i < 10; ++i) screen.wheel(-200), screen.frame(w);
  const ImVec2 heading = middle_of(screen, w, "Appearance");
  screen.click(w, heading);
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_TRUE(screen.state.controls.places.contains("Appearance/Scale"));
}

std::set<std::string> sections_on(Screen& screen, const WindowSnapshot& snapshot, Face face) {
  show_face(screen, snapshot, face);
  std::set<std::string> titles;
  for (const auto& [key, fold] : screen.state.sections.first_folds) {
    const std::string title = key.substr(key.find('/') + 1);
    if (screen.state.controls.places.contains(title)) titles.insert(title);
  }
  return titles;
}

TEST(ui_faces, each_section_is_on_one_face) {
  Settings settings;
  for (const WindowSnapshot& w : {nbody_window(settings, few_points), mandelbrot_window(settings)}) {
    Screen screen({1280, 6000});
    screen.state.controls.wanted = true;
    const std::set<std::string> explore = sections_on(screen, w, Face::explore),
                                measure = sections_on(screen, w, Face::measure);
    EXPECT_EQ(explore.size() + measure.size(), screen.state.sections.first_folds.size());
    std::set<std::string> both = explore;
    both.insert(measure.begin(), measure.end());
    EXPECT_EQ(both.size(), screen.state.sections.first_folds.size());
    EXPECT_TRUE(explore.contains("Parameters") && measure.contains("Device"));
  }
}

TEST(ui_faces, a_click_turns_the_column) {
  Settings settings;
  const WindowSnapshot w = nbody_window(settings, few_points);
  Screen screen;
  screen.click(w, middle_of(screen, w, "Measure"));
  screen.frame(w);
  EXPECT_TRUE(screen.state.controls.places.contains("Device"));
  EXPECT_FALSE(screen.state.controls.places.contains("Parameters"));
  screen.click(w, middle_of(screen, w, "Explore"));
  screen.frame(w);
  EXPECT_FALSE(screen.state.controls.places.contains("Device"));
  EXPECT_TRUE(screen.state.controls.places.contains("Gallery") || screen.state.controls.places.contains("Parameters"));
}

TEST(ui_faces, a_tour_shows_the_face_that_it_points_at_until_it_ends) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  Screen screen;
  screen.state.controls.wanted = true;
  w.tour = {.title = "A tour", .caption = "Look.", .steps = 2, .look_at = "Tuning/Work-group"};
  for (int i = 0; i < 4; ++i) screen.frame(w);
  EXPECT_TRUE(screen.state.controls.places.contains("Tuning/Work-group"));
  w.tour.look_at = "Parameters/Softening";
  w.tour.step = 1;
  for (int i = 0; i < 4; ++i) screen.frame(w);
  EXPECT_TRUE(screen.state.controls.places.contains("Parameters/Softening"));
  w.tour.look_at = "Device";
  for (int i = 0; i < 4; ++i) screen.frame(w);
  w.tour = {};
  for (int i = 0; i < 4; ++i) screen.frame(w);
  EXPECT_FALSE(screen.state.controls.places.contains("Device"));
  EXPECT_EQ(screen.state.look.face, Face::explore) << "what a person has chosen stays";
}

// At these scales the column leaves the picture less than the width of two buttons.
TEST(ui_messages, a_tour_shows_its_card_in_a_window_of_any_size) {
  for (const auto& [size, scale] : {std::pair<ImVec2, float>{{900, 600}, 1.8F}, {{640, 420}, 3}, {{1280, 720}, 1}}) {
    SCOPED_TRACE(size.x);
    Settings settings;
    WindowSnapshot w = nbody_window(settings, few_points);
    Screen screen(size, scale);
    screen.state.controls.wanted = true;
    w.tour = {.title = "A tour", .caption = "Look.", .steps = 2, .look_at = {}};
    for (int i = 0; i < 4; ++i) screen.frame(w);
    for (const char* button : {"Tour/Close", "Tour/Back", "Tour/Next"}) {
      ASSERT_TRUE(screen.state.controls.places.contains(button)) << button;
      const Rect& place = screen.state.controls.places.at(button);
      EXPECT_TRUE(place.x >= 0 && place.y >= 0 && place.x + place.width <= size.x && place.y + place.height <= size.y)
          << button;
    }
    w.tour = {};
    w.tour.left = true;
    for (int i = 0; i < 4; ++i) screen.frame(w);
    EXPECT_TRUE(screen.state.controls.places.contains("Tour/Keep this"));
  }
}

TEST(ui_faces, a_section_that_was_searched_for_is_shown_unfolded) {
  Settings settings;
  const WindowSnapshot w = nbody_window(settings, few_points);
  Screen screen;
  screen.state.controls.wanted = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  screen.state.search.open = true;
  screen.state.search.text = "compare";
  screen.frame(w);
  screen.click(w, middle_of(screen, w, "Find/Compare"));
  for (int i = 0; i < 4; ++i) screen.frame(w);
  EXPECT_TRUE(screen.state.controls.places.contains("Compare"));
  EXPECT_TRUE(screen.state.look.unfolded.at("nbody/Compare"));
}

TEST(ui_panels, parameters_of_a_group_stand_together) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  const auto row = [&](const char* label, const char* group) {
    w.scene.parameters.push_back({{.name = label, .label = label, .maximum = 10, .group = group}, 1.0});
  };
  row("First", "One"), row("Second", "Two"), row("Third", "One");
  Screen screen({1280, 4000});
  screen.state.controls.wanted = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  const auto y = [&](const std::string& label) { return screen.state.controls.places.at("Parameters/" + label).y; };
  EXPECT_LT(y("First"), y("Third"));
  EXPECT_LT(y("Third"), y("Second"));
}

TEST(ui_panels, a_number_of_a_law_stands_with_its_law_alone) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  const ParameterInfo info{.name = "morse/cutoff", .label = "Cutoff", .maximum = 10, .place = ParameterPlace::law};
  w.scene.parameters.push_back({info, 1.0});
  Screen screen({1280, 1400});
  screen.state.controls.wanted = true;
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_TRUE(screen.state.controls.places.contains("Parameters/Softening"));
  EXPECT_FALSE(screen.state.controls.places.contains("Parameters/Cutoff"));
}

TEST(ui_panels, lines_break_at_spaces_only) {
  const Screen screen;
  ImGui::NewFrame();
  EXPECT_EQ(wrapped("expected 1 to 200,000 bodies", 1), "expected\n1\nto\n200,000\nbodies");
  EXPECT_EQ(wrapped("one line\nanother", 1e6F), "one line\nanother");
  ImGui::EndFrame();
}

TEST(ui_panels, a_preview_is_answered_by_its_buttons_and_leaves_no_other_click) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings, few_points);
  Screen screen({1280, 720});
  const ImVec2 pause = middle_of(screen, w, "Pause");
  w.files.preview = {.name = "stars.csv",
                     .contents = "1,200 bodies",
                     .assumed = "mass missing: 1 each",
                     .columns = {"mass", "x", "y", "z", "vx", "vy", "vz"},
                     .rows = {{"1", "2", "3", "4", "5", "6", "7"}},
                     .files = 3};
  for (int i = 0; i < 3; ++i) screen.frame(w);
  EXPECT_TRUE(screen.click(w, pause).empty());
  EXPECT_TRUE(screen.state.controls.places.contains("Preview/mass missing: 1 each"));
  const auto answer = those_in<command::AnswerPreview>(screen.click(w, middle_of(screen, w, "Preview/Load")));
  ASSERT_EQ(answer.size(), 1U);
  EXPECT_TRUE(answer[0].load);
  const auto refused = those_in<command::AnswerPreview>(screen.click(w, middle_of(screen, w, "Preview/Cancel")));
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_FALSE(refused[0].load);
  EXPECT_EQ(those_in<command::MergeFiles>(screen.click(w, middle_of(screen, w, "Preview/Merge all 3 files"))).size(),
            1U);
}

TEST(ui_panels, a_larger_scale_waits_for_an_answer) {
  Settings settings;
  const WindowSnapshot w = nbody_window(settings, few_points);
  Screen screen({1280, 720});
  screen.state.offers.larger_scale = 1.5F;
  screen.frame(w);
  for (const auto& [label, larger] : {std::pair{"Use 150 %", true}, {"Keep 100 %", false}}) {
    const auto answer = those_in<command::AnswerScale>(screen.click(w, middle_of(screen, w, label)));
    ASSERT_EQ(answer.size(), 1U) << label;
    EXPECT_EQ(answer[0].larger, larger);
  }
}

TEST(ui_panels, a_failure_stays_until_it_is_dismissed) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  w.failures = {{"Could not open small.toml", "it is no state"}, {"Cannot write \"a.png\"", {}}};
  Screen screen;
  screen.state.controls.wanted = true;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty());
  ImGui::GetIO().DeltaTime = 60;
  EXPECT_TRUE(screen.frame(w).empty());
  ImGui::GetIO().DeltaTime = 1.0F / 60;
  EXPECT_TRUE(screen.state.controls.places.contains("Could not open small.toml"));
  const auto dismissed = those_in<command::DismissFault>(screen.click(w, middle_of(screen, w, "Dismiss")));
  ASSERT_EQ(dismissed.size(), 1U);
  EXPECT_EQ(dismissed[0].title, "Cannot write \"a.png\"") << "the last of that name";
}

TEST(ui_panels, a_notice_passes_by_itself) {
  Settings settings;
  WindowSnapshot w = nbody_window(settings);
  w.notice.text = "Saved";
  Screen screen;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(screen.frame(w).empty());
  ImGui::GetIO().DeltaTime = 5;
  const command::Commands commands = screen.frame(w);
  ASSERT_EQ(commands.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<command::DismissMessage>(commands[0]));
  EXPECT_EQ(std::get<command::DismissMessage>(commands[0]).notice, "Saved");
}

}  // namespace
}  // namespace orrery::ui
