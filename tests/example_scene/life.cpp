// Conway's Life: the smallest scene, and the recipe for others. All of it is in this folder and in the scene list.
#include <algorithm>
#include <array>

#include "base/work/background.hpp"
#include "render/gl.hpp"
#include "scene/parameter_table.hpp"
#include "scene/scene.hpp"
#include "ui/format.hpp"
#include "ui/scene_panels.hpp"

namespace orrery {
namespace {

struct Settings {
  std::int64_t side = 256, seed = 1;
  double density = 0.3, speed = 30;
};

std::vector<Parameter> parameters(Settings& s) {
  return {{{.name = "side", .label = "Side", .unit = "cells", .help = "of the square", .minimum = 8, .maximum = 4096},
           &s.side},
          {{.name = "density", .label = "Density", .help = "of living cells at first", .maximum = 1}, &s.density},
          {{.name = "speed", .label = "Speed", .unit = "1/s", .help = "generations", .minimum = 1, .maximum = 1000},
           &s.speed},
          {{.name = "seed", .label = "Seed", .help = "of the random numbers", .maximum = 1e9}, &s.seed}};
}

// ---- panels: they read plain values and return commands

class Panels final : public ui::ScenePanels {
 public:
  Panels(bool paused, std::int64_t generation) : paused_(paused), generation_(generation) {}
  void buttons(const ui::Panel& panel) const override {
    const std::string label = (paused_ ? "Continue from " : "Pause at ") + ui::grouped(generation_) + "###pause";
    if (ui::toggle(panel, label.c_str(), paused_, -1, "Space")) panel.send(command::TogglePaused{});
  }

 private:
  bool paused_;
  std::int64_t generation_;
};

// ---- the scene

class Life final : public Scene {
 public:
  explicit Life(const SceneKind& kind) : Scene(kind) {}

  void apply(const command::Command& command) override {
    const auto* set = std::get_if<command::SetParameter>(&command);
    if (set != nullptr && table_.assign(set->name, set->value) && set->name != "speed") restart(0);
    if (std::holds_alternative<command::TogglePaused>(command)) paused_ = !paused_;
    if (std::holds_alternative<command::Reset>(command)) restart(0);
  }

  void update(double, double frame, const Viewport&) override {
    if (context_ == nullptr) return;
    if (auto built = building_->poll()) program_ = *built, restart(wanted_);
    if (!program_ || !surface_->idle()) return;
    if (!paused_) due_ += std::min(frame, 0.1) * table_.settings().speed;
    while (due_ >= 1) ++wanted_, due_ -= 1;
    const auto side = static_cast<cl_uint>(table_.settings().side);
    const Range range{cl::NDRange(side, side)};
    for (std::int64_t k = 0; k < 100 && generation_ < wanted_; ++k, ++generation_) {
      cl::Kernel step = program_->kernel("life_step");
      step.setArg(0, cells_[0]), step.setArg(1, cells_[1]), step.setArg(2, side);
      context_->queue.launch("life_step", step, range);
      std::swap(cells_[0], cells_[1]);
    }
    if (std::exchange(published_, generation_) == generation_) return;
    {
      const Surface::Lease lease = surface_->lease(context_->queue);
      context_->queue.copy(cells_[0], lease.buffer(), surface_->bytes());
    }
    context_->queue.flush();
    arriving_ = true;
  }

  void draw(const Viewport& viewport) override {
    if (!surface_) return;
    if (!texture_) texture_ = gl::make_texture(), framebuffer_ = gl::make_framebuffer();
    const auto side = static_cast<GLsizei>(table_.settings().side);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    if (arriving_ && surface_->arrived()) {
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, surface_->gl_buffer());
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, side, side, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, nullptr);
      glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
      surface_->drawn();
      arriving_ = false, shown_ = side;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.name());
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.name(), 0);
    const glm::ivec2 low = viewport.origin, high = low + glm::ivec2(std::min(viewport.size.x, viewport.size.y));
    if (shown_ > 0)
      glBlitFramebuffer(0, 0, shown_, shown_, low.x, low.y, high.x, high.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
  }

  SceneSnapshot snapshot() const override {
    SceneSnapshot snapshot;
    snapshot.name = kind().name;
    snapshot.parameters = table();
    if (building_ && building_->busy()) snapshot.status = "building kernels";
    snapshot.panels = std::make_shared<Panels>(paused_, generation_);
    return snapshot;
  }

  void attach(ComputeContext& context) override {
    context_ = &context;
    building_.emplace().start([&library = context.programs] { return library.build({"life.cl", {}}); });
  }
  bool leave(Leaving how) override {
    if (how == Leaving::in_order || how == Leaving::files_only) return true;
    building_.reset(), program_.reset(), surface_.reset(), cells_ = {}, context_ = nullptr;
    return true;
  }

  std::vector<ParameterView> table() const override { return table_.views(); }
  SceneCopy copy() const override {
    StateSection state = table_.save();
    state.insert(state.end(), {{"generation", wanted_}, {"paused", paused_}});
    return [state] { return state; };
  }
  std::vector<std::string> load(const StateSection& state, std::shared_ptr<void>) override {
    StateSection others = table_.load(state);
    paused_ = take_key<bool>(others, "paused").value_or(paused_);
    if (!state.empty()) restart(take_key<std::int64_t>(others, "generation").value_or(0));
    return keys_of(others);
  }

 private:
  void restart(std::int64_t wanted) {
    wanted_ = wanted, generation_ = 0, published_ = -1;
    if (!program_) return;
    const auto side = static_cast<cl_uint>(table_.settings().side);
    const std::size_t bytes = sizeof(cl_uint) * side * side;
    for (cl::Buffer& cells : cells_) cells = cl::Buffer(context_->device.context(), CL_MEM_READ_WRITE, bytes);
    if (!surface_ || surface_->bytes() != bytes)
      surface_ = context_->surfaces.make(bytes, context_->queue), arriving_ = false;
    cl::Kernel seed = program_->kernel("life_seed");
    seed.setArg(0, cells_[0]), seed.setArg(1, side), seed.setArg(2, static_cast<cl_uint>(table_.settings().seed));
    seed.setArg(3, static_cast<cl_float>(table_.settings().density));
    context_->queue.launch("life_seed", seed, {cl::NDRange(side, side)});
  }

  ParameterTable<Settings> table_;
  bool paused_ = false, arriving_ = false;
  std::int64_t generation_ = 0, wanted_ = 0, published_ = -1;
  double due_ = 0;  // generations
  ComputeContext* context_ = nullptr;
  std::optional<Background<std::shared_ptr<const Program>>> building_;
  std::shared_ptr<const Program> program_;
  std::array<cl::Buffer, 2> cells_;
  std::unique_ptr<Surface> surface_;
  gl::Texture texture_;
  gl::Framebuffer framebuffer_;
  GLsizei shown_ = 0;  // side of the texture
};

std::unique_ptr<Scene> make(const SceneKind& kind) { return std::make_unique<Life>(kind); }

}  // namespace

const SceneKind& life_kind() {
  static const std::array keys{KeyBinding{Key::space, {}, "Space", "Pause or continue", command::TogglePaused{}},
                               KeyBinding{key('R'), {}, "R", "Restart", command::Reset{}}};
  static const SceneKind kind{.name = "life", .title = "Life", .about = {}, .keys = keys, .make = make};
  return kind;
}

}  // namespace orrery
