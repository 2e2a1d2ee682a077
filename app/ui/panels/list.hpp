/// Every panel, one function each. All but the overlays are drawn into the column, from top to bottom, on one of its
/// faces.
#pragma once

#include "ui/scene_panels.hpp"

namespace orrery::ui {

/// How busy the device is, and why it is not busier. Above the sections that measure.
void device_use(const Panel& panel, const WindowSnapshot& snapshot);
/// Offers more steps per frame, below that row, where the device would compute more and the motion stays smooth.
void burst_advice(const Panel& panel, const WindowSnapshot& snapshot);
/// The presets of the scene, and a row that saves the present scene as one of them.
void gallery_panel(const Panel& panel, std::span<const Card> presets, bool open_at_first);
void device_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);
void parameters_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first);
void tuning_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);
void tuner_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);
void kernels_panel(const Panel& panel, const SceneSnapshot& scene, const EditorSnapshot& editor, bool open_at_first);
/// In it: the files that are edited, or were, each with a click that restores it.
void edited_kernels(const Panel& panel, const EditorSnapshot& editor);
void roofline_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first);
void compare_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);
/// Opens the timeline's drawer, and tells of its lanes …
void timeline_panel(const Panel& panel, const SceneSnapshot& scene);
/// … which it draws below the picture.
void timeline_drawer(const Panel& panel, const WindowSnapshot& snapshot, const Rect& area);
/// The keyframes of the scene's camera path on a strip below the picture: its height at scale 1, 0 while there are
/// none.
float path_strip_height(const PathView& path);
void path_strip(const Panel& panel, const PathView& path, const Rect& area);
void frames_panel(const Panel& panel, const WindowSnapshot& snapshot, bool open_at_first);

/// Scale and colours of the panels themselves.
void look_panel(const Panel& panel, bool open_at_first);

/// The tours that can be taken; a list of them is in the help page as well.
void tours_panel(const Panel& panel, std::span<const TourEntry> tours, bool open_at_first);
void tour_list(const Panel& panel, std::span<const TourEntry> tours);

/// Beside the picture or below it.
void editor_pane(const Panel& panel, const EditorSnapshot& editor, const Rect& area);

/// Over the picture.
/// Questions wait here for an answer: the session that ended unexpectedly, a change that ruined the run, a larger
/// scale.
void offers(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void modified_pill(const Panel& panel, const EditorSnapshot& editor, const Rect& picture);
/// A step of a tour, and what is offered after the last one; their height is the state's tour.height.
void tour_card(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void tour_end_offer(const Panel& panel, const TourSnapshot& tour, const Rect& picture);
void fault_banner(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void passing_notice(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void status_pill(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
/// In its lower left corner: what colours, lengths and the moment mean.
void picture_legend(const Panel& panel, const PictureLegend& legend, const Rect& picture);
/// Over everything, while a file is being asked for.
void file_dialog(const Panel& panel, const FilesSnapshot& files);
/// Over everything, until the user has decided whether the file is loaded.
void file_preview(const Panel& panel, const FilePreview& preview);
/// The drop-down of the button "File".
void file_menu(const Panel& panel, const WindowSnapshot& snapshot, float width);
/// At the first start: the few keys and gestures to begin with.
void first_hint(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);
void help_page(const Panel& panel, const WindowSnapshot& snapshot);
/// In it: the pages that have all words of the search, with their parts, and the text of a page.
void manual_list(const Panel& panel, const std::vector<ManualPage>& pages);
void manual_text(const Panel& panel, const std::vector<ManualPage>& pages, const ManualPage& page);
/// The search for actions, parameters and places by name.
void search_pane(const Panel& panel, const WindowSnapshot& snapshot, const Rect& picture);

/// Instead of everything else.
void no_device_page(const Panel& panel, const WindowSnapshot& snapshot);

/// The tuning panel shows it, too.
inline constexpr std::string_view burst_parameter = "burst";

}  // namespace orrery::ui
