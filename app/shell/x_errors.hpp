/// Xlib ends the process when the X server refuses a request: when a file manager dies while its files are dragged over
/// the window, say. A window that was refused something goes on.
#pragma once

namespace orrery::shell {

/// Refusals are logged from now on. Where there is no X server, does nothing. Call it when the window is there: opening
/// one takes Xlib's handler of errors for itself. Main thread.
void outlive_x_errors();

}  // namespace orrery::shell
