/// A surface of one buffer that OpenCL and OpenGL share: no copy.
#pragma once

#include "interop/surface.hpp"

namespace orrery {

/// Only for devices accepted by ask_sharing(): elsewhere the creation call itself can end the process.
class SharedSurface final : public Surface {
 public:
  SharedSurface(const Device& device, std::size_t bytes);
  ~SharedSurface() override;
  std::size_t bytes_copied() const override { return 0; }

 private:
  void acquire(Queue& queue) override { queue.acquire_gl(shared_); }
  cl::Event release(Queue& queue) override { return queue.release_gl(shared_); }
  void upload() override {}
  const cl::Buffer& buffer() const override { return shared_; }

  cl::BufferGL shared_;
};

class SharedSurfaceFactory final : public SurfaceFactory {
 public:
  SharedSurfaceFactory(const Device& device, SharingReport report) : device_(device), report_(std::move(report)) {}
  const SharingReport& report() const override { return report_; }
  std::unique_ptr<Surface> make(std::size_t bytes, Queue&) override {
    return std::make_unique<SharedSurface>(device_, bytes);
  }

 private:
  const Device& device_;
  SharingReport report_;
};

}  // namespace orrery
