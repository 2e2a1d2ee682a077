/// Whether a device shares buffers with the window's GL context, asked and then tried; surfaces of either form.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interop/surface.hpp"

namespace orrery {

/// The context properties that name the window's GL context and display to OpenCL, without the final zero.
using GlShareProperties = std::vector<cl_context_properties>;

/// The first question, clGetGLContextInfoKHR with the live context: does it name this device? Creates nothing.
SharingReport ask_sharing(const DeviceInfo& info, const GlShareProperties& properties);

struct OpenedDevice {
  Device device;
  SharingReport sharing;
};

/// Opens a device for this window. It shares when `allowed`, the first question names it and a tiny
/// acquire–write–release–read-back succeeds; a sentinel file makes the start after a crash in that trial use copies.
/// Throws when the device cannot be opened at all. Window thread, GL context current.
OpenedDevice open_for_window(const DeviceInfo& info, const GlShareProperties& properties, bool allowed);

/// Borrows the device, which must live longer.
std::unique_ptr<SurfaceFactory> make_surface_factory(const Device& device, const SharingReport& report);

}  // namespace orrery
