/// Tests whether a device can share buffers with the window's GL context, by a query and a trial. Makes surfaces of
/// both forms.
#pragma once

#include <memory>
#include <vector>

#include "interop/surface.hpp"

namespace orrery {

/// The context properties of the window's GL context and display, without the final zero.
using GlShareProperties = std::vector<cl_context_properties>;

/// The first question: does clGetGLContextInfoKHR name this device for the live context? Creates nothing.
SharingReport ask_sharing(const DeviceInfo& info, const GlShareProperties& properties);

struct OpenedDevice {
  Device device;
  SharingReport sharing;
};

/// Opens a device for this window. It shares if `allowed`, the first question names it, and a small
/// acquire–write–release–read-back succeeds; after a crash in that trial, a sentinel file makes the next start use
/// copies. Throws an Error if the device cannot be opened. Window thread, GL context current.
OpenedDevice open_for_window(const DeviceInfo& info, const GlShareProperties& properties, bool allowed);

/// The device must outlive the factory.
std::unique_ptr<SurfaceFactory> make_surface_factory(const Device& device, const SharingReport& report);

}  // namespace orrery
