/// A surface of two buffers: a device buffer, read into pinned host memory, and a GL buffer for upload.
#pragma once

#include "compute/queue/host_mirror.hpp"
#include "interop/surface.hpp"

namespace orrery {

class CopiedSurface final : public Surface {
 public:
  CopiedSurface(const Device& device, std::size_t bytes, Queue& queue);
  ~CopiedSurface() override { destroy_gl(); }
  std::size_t bytes_copied() const override { return bytes_; }

 private:
  void acquire(Queue&) override {}
  cl::Event release(Queue& queue) override { return queue.read(device_buffer_, mirror_.data_for(queue), bytes_); }
  void upload() override;
  const cl::Buffer& buffer() const override { return device_buffer_; }

  cl::Buffer device_buffer_;
  HostMirror mirror_;
};

class CopiedSurfaceFactory final : public SurfaceFactory {
 public:
  CopiedSurfaceFactory(const Device& device, SharingReport report) : device_(device), report_(std::move(report)) {}
  const SharingReport& report() const override { return report_; }
  std::unique_ptr<Surface> make(std::size_t bytes, Queue& queue) override {
    return std::make_unique<CopiedSurface>(device_, bytes, queue);
  }

 private:
  const Device& device_;
  SharingReport report_;
};

}  // namespace orrery
