#include <cstring>
#include <random>

#include "compute/tuning/device_tune_target.hpp"
#include "scenes/mandelbrot/checks/tune_targets.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {
namespace {

// A size that is no multiple of any work-group.
Size size_for(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? Size{1279, 719} : Size{3839, 2159};
}

class PublishTarget : public ElementTarget {
 public:
  explicit PublishTarget(ProgramLibrary& programs)
      : ElementTarget(programs.device(), 2, publish_tune_subject(), size_for(programs.device().info()).pixels()),
        size_(size_for(device().info())),
        kernel_(programs.build({"mandelbrot_publish.cl", {{"DETAIL", "0"}}})->kernel("publish")),
        buffer_(device().buffer(size_.pixels() * sizeof(Cell))) {
    std::mt19937 random(1);
    std::uniform_int_distribution<std::uint32_t> n(0, 1000);
    std::uniform_real_distribution<float> fraction(0, 1);
    for (std::size_t k = 0; k < size_.pixels(); ++k)
      cells_.push_back(k % 7 == 0 ? Cell{Cell::proved_interior, 0} : Cell{n(random), fraction(random)});
    queue().write_blocking<Cell>(buffer_, cells_);
    kernel_.setArg(0, size_.width);
    kernel_.setArg(1, size_.height);
    kernel_.setArg(2, cl_uint{0});
    kernel_.setArg(3, buffer_);
    kernel_.setArg(4, add_output("the picture", size_.pixels() * sizeof(float)));
  }
  ~PublishTarget() override { end_check(); }

  void prepare_reference() override {}
  void launch(const ElementGroup& group) override {
    queue().launch(launch::publish, kernel_, publishing(group, size_));
  }

 protected:
  const cl::Kernel& kernel() const override { return kernel_; }

  std::string judge(const TuneValues&, std::span<const std::byte> content) override {
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      float value = 0;
      std::memcpy(&value, content.data() + k * sizeof value, sizeof value);
      const Cell& cell = cells_[k];
      const bool right = cell.n == Cell::undecided ? is_unknown(value)
                         : cell.interior()         ? is_interior(value)
                                                   : value == static_cast<float>(cell.n) + cell.f;
      if (!right)
        return "pixel (" + std::to_string(k % size_.width) + ", " + std::to_string(k / size_.width) +
               ") differs from its cell";
    }
    return {};
  }

 private:
  Size size_;
  cl::Kernel kernel_;
  cl::Buffer buffer_;
  std::vector<Cell> cells_;
};

}  // namespace

TuneSubject publish_tune_subject() {
  return {.kernel = std::string(tuned_publish),
          .problem = std::string(any_elements),
          .files = {"mandelbrot_publish.cl"},
          .work = 0,
          .unit = "pixels"};
}

std::unique_ptr<TuneTarget> publish_tune_target(ProgramLibrary& programs) {
  return std::make_unique<PublishTarget>(programs);
}

}  // namespace orrery::mandelbrot
