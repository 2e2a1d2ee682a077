/// Keeps the process alive when the X server refuses a request. Xlib alone would end it, for example when a file
/// manager dies while its files are dragged over the window.
#pragma once

namespace orrery::shell {

/// Logs refusals from now on. No effect where there is no X server. Call it after the window has opened, which installs
/// a handler of its own. Main thread.
void outlive_x_errors();

}  // namespace orrery::shell
