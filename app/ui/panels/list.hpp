/// Every panel, one function each. All but the overlays are drawn into the column, from top to bottom.
#pragma once

#include <array>

#include "ui/widgets.hpp"

namespace orrery::ui {

void device_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);
void parameters_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first);
void tuning_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first);
void tuner_panel(const Panel& panel, const TunerSnapshot& tuner, std::string_view scene, bool open_at_first);
void kernels_panel(const Panel& panel, const SceneSnapshot& scene, const EditorSnapshot& editor, bool open_at_first);
/// In it: the files that are edited, or were, each with a click that restores it.
void edited_kernels(const Panel& panel, const EditorSnapshot& editor);
void roofline_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first);
void compare_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);
/// Opens the timeline's drawer, and tells of its lanes …
void timeline_panel(const Panel& panel, const SceneSnapshot& scene);
/// … which it draws below the picture.
void timeline_drawer(const Panel& panel, const WindowSnapshot& snapshot, const Rect& area);
void frames_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);

/// Each scene has buttons under its tab, its state, and what it measures.
void nbody_buttons(const Panel& panel, const NbodySnapshot& nbody);
void nbody_panel(const Panel& panel, const SceneSnapshot& scene, const NbodySnapshot& nbody, bool open_at_first);
/// Among the parameters: start from a file.
void bodies_file_row(const Panel& panel);
void transfer_panel(const Panel& panel, const NbodySnapshot& nbody, bool open_at_first);
void diagnostics_panel(const Panel& panel, const NbodySnapshot& nbody, bool open_at_first);
void particles_buttons(const Panel& panel, const ParticlesSnapshot& view);
void world_panel(const Panel& panel, const ParticlesSnapshot& view, bool open_at_first);
void laws_panel(const Panel& panel, const ParticlesSnapshot& view, bool open_at_first);
void measures_panel(const Panel& panel, const ParticlesSnapshot& view, bool open_at_first);
/// The text of a law, below the picture.
void law_pane(const Panel& panel, const ParticlesSnapshot& view, const Rect& area);
void mandelbrot_buttons(const Panel& panel, const MandelbrotSnapshot& view);
void mandelbrot_panel(const Panel& panel, const SceneSnapshot& scene, const MandelbrotSnapshot& view,
                      bool open_at_first);
void colors_panel(const Panel& panel, const SceneSnapshot& scene, const MandelbrotSnapshot& view, bool open_at_first);
void places_panel(const Panel& panel, const MandelbrotSnapshot& view, bool open_at_first);
void export_panel(const Panel& panel, const MandelbrotSnapshot& view, bool open_at_first);

/// Beside the picture or below it.
void editor_pane(const Panel& panel, const EditorSnapshot& editor, const Rect& area);

/// Over the picture.
void restore_offer(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void modified_pill(const Panel& panel, const EditorSnapshot& editor, const Rect& picture);
void fault_banner(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void passing_notice(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void status_pill(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void help_page(const Panel& panel, const WindowSnapshot& snapshot);

/// Instead of everything else.
void no_device_page(const Panel& panel, const WindowSnapshot& snapshot);

/// The tuning panel shows these parameters; the scene's own panel leaves them out.
inline constexpr std::string_view burst_parameter = "burst";

/// … and the colour panel of the Mandelbrot scene these, in this order.
inline constexpr std::array<std::string_view, 10> color_parameters{"palette", "color-scale", "density", "offset",
                                                                   "cycling", "interior",    "shading", "light-angle",
                                                                   "relief",  "darkness"};
bool is_color_parameter(std::string_view name);

/// "N-body" of "nbody"
std::string_view title_of(std::string_view scene);

}  // namespace orrery::ui
