/// The surface between a model and a scene: a device buffer for OpenCL, a GL buffer for OpenGL.
///
/// Two forms behind one interface: shared (CL–GL sharing, no copy) and copied (a read into pinned memory, then an
/// upload). Models and scenes cannot distinguish them. All calls belong to the window thread, and none waits.
///
/// The life of a surface in a frame loop:
///   idle() → { Lease lease = surface.lease(queue); enqueue kernels that write lease.buffer(); } → queue.flush()
///   → arrived()? → draw from gl_buffer() → drawn() after the last draw call that reads it.
///
/// Acquiring a shared buffer makes the queue wait for OpenGL's drawing, and OpenGL for all work enqueued before the
/// release. While a queue has more work, its kernels therefore write a separate buffer, which arrived() hands over by
/// its own queue.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "compute/queue/host_mirror.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// The form of a device's surfaces in this window, its reason, and its cost.
struct SharingReport {
  bool shared = false;
  std::string reason;  ///< one line, for display
};

class Surface {
 public:
  virtual ~Surface() = default;

  /// The destination of kernels that write a surface.
  enum class Path {
    direct,  ///< into the surface
    beside   ///< into a separate buffer if shared, then copied on the device: no waits
  };
  /// Write access for OpenCL, around as few enqueues as possible. The destructor enqueues the release (shared) or the
  /// read into host memory (copied).
  class Lease {
   public:
    Lease(Surface& surface, Queue& queue, Path path) : surface_(surface), queue_(queue) {
      surface_.acquire(queue_, path);
    }
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    const cl::Buffer& buffer() const { return surface_.buffer(); }

   private:
    Surface& surface_;
    Queue& queue_;
  };
  Lease lease(Queue& queue, Path path = Path::direct) { return {*this, queue, path}; }

  /// True if neither OpenCL writes it nor OpenGL reads it: it can be leased.
  bool idle() const;
  /// True if the content of the last lease is complete and can be drawn. Complete content is transferred once from
  /// here: the copied form uploads it, large content in parts, one per call; the shared form hands over a separate
  /// buffer.
  bool arrived();
  /// Call after issuing draw calls that read gl_buffer().
  void drawn();

  /// The GL buffer's name; owned by the surface.
  unsigned gl_buffer() const { return gl_buffer_; }
  std::size_t bytes() const { return bytes_; }
  /// Bytes that pass through host memory per publication; 0 if shared.
  virtual std::size_t bytes_copied() const = 0;

 protected:
  Surface(unsigned gl_buffer, std::size_t bytes);
  virtual void acquire(Queue& queue, Path path) = 0;
  virtual cl::Event release(Queue& queue) = 0;  // after it, the content can be handed over
  // Returns the event after which it can be drawn (null: now); nothing if a part remains for the next call.
  virtual std::optional<cl::Event> hand_over() = 0;
  virtual const cl::Buffer& buffer() const = 0;
  void destroy_gl() noexcept;

  unsigned gl_buffer_ = 0;
  std::size_t bytes_ = 0;

 private:
  cl::Event written_;
  bool handed_over_ = true;
  void* fence_ = nullptr;  // GLsync after the last draw that reads it
};

/// Makes surfaces for one device in one window.
class SurfaceFactory {
 public:
  virtual ~SurfaceFactory() = default;
  virtual const SharingReport& report() const = 0;
  virtual std::unique_ptr<Surface> make(std::size_t bytes, Queue& queue) = 0;
};

/// A pair of surfaces: the front is drawn, the back is written.
class SurfacePair {
 public:
  SurfacePair(SurfaceFactory& factory, std::size_t bytes, Queue& queue)
      : front_(factory.make(bytes, queue)), back_(factory.make(bytes, queue)) {}
  Surface& front() { return *front_; }
  Surface& back() { return *back_; }
  void flip() { front_.swap(back_); }

 private:
  std::unique_ptr<Surface> front_;
  std::unique_ptr<Surface> back_;
};

/// A surface that OpenCL never writes: host memory, uploaded when it is made.
class UploadedSurface final : public Surface {
 public:
  UploadedSurface(const void* data, std::size_t bytes);
  ~UploadedSurface() override { destroy_gl(); }
  std::size_t bytes_copied() const override { return bytes_; }

 private:
  [[noreturn]] static void refuse();
  void acquire(Queue&, Path) override { refuse(); }
  cl::Event release(Queue&) override { refuse(); }
  std::optional<cl::Event> hand_over() override { refuse(); }
  const cl::Buffer& buffer() const override { refuse(); }
};

/// A surface of two buffers: a device buffer, read into pinned host memory, and a GL buffer for upload.
class CopiedSurface final : public Surface {
 public:
  CopiedSurface(const Device& device, std::size_t bytes, Queue& queue);
  ~CopiedSurface() override { destroy_gl(); }
  std::size_t bytes_copied() const override { return bytes_; }

 private:
  void acquire(Queue&, Path) override { uploaded_ = 0; }
  cl::Event release(Queue& queue) override { return queue.read(device_buffer_, mirror_.data_for(queue), bytes_); }
  std::optional<cl::Event> hand_over() override;
  const cl::Buffer& buffer() const override { return device_buffer_; }

  cl::Buffer device_buffer_;
  HostMirror mirror_;
  std::size_t uploaded_ = 0;  // bytes
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

/// A surface of one buffer that OpenCL and OpenGL share: no data passes through the host. Only for devices accepted by
/// ask_sharing(): elsewhere the creation call itself can end the process.
class SharedSurface final : public Surface {
 public:
  SharedSurface(const Device& device, std::size_t bytes);
  ~SharedSurface() override;
  std::size_t bytes_copied() const override { return 0; }

 private:
  void acquire(Queue& queue, Path path) override;
  cl::Event release(Queue& queue) override;
  std::optional<cl::Event> hand_over() override;
  const cl::Buffer& buffer() const override { return path_ == Path::beside ? beside_ : shared_; }

  Device device_;
  cl::BufferGL shared_;
  Path path_ = Path::direct;   // path of the last lease
  cl::Buffer beside_;          // null until first written, like …
  std::optional<Queue> hand_;  // … its hand-over queue
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
