#include <glad/gl.h>

#include "base/clock.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "interop/sharing.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/device_group.hpp"
#include "shell/devices/device_commands.hpp"
#include "shell/window/window.hpp"

namespace orrery::shell {
namespace {

constexpr double softening = 0.05, dt = 1e-4;
constexpr std::size_t fewest_runs = 3, most_runs = 1001;

struct Options {
  std::string device, json;
  NbodySettings settings;
  std::int64_t longest = 256;
  double seconds = 0.5;
};

bool parse_options(const cli::Arguments& arguments, Options& options) {
  CLI::App app(
      "Steps per second of the n-body step, by steps per frame, for surfaces shared with OpenGL and for copied ones. "
      "A frame counts as published when OpenGL has read it completely.",
      "bench interop");
  cli::add_device_option(app, options.device);
  std::vector<Parameter> declared = parameters(options.settings, true);
  std::erase_if(declared, [](const Parameter& parameter) {
    const std::string_view name = parameter.info().name;
    return name != "bodies" && name != "precision" && name != "forces" && name != "work-group";
  });
  declared.push_back({{.name = "longest",
                       .label = "Longest burst",
                       .help = "longest burst; bursts are 1, 2, 4, … steps",
                       .minimum = 1,
                       .maximum = 65536},
                      &options.longest});
  declared.push_back(
      {{.name = "seconds", .label = "Seconds", .help = "measuring time per row", .minimum = 0, .maximum = 3600},
       &options.seconds});
  cli::add_parameters(app, declared);
  app.add_option("--json", options.json, "file to which the results are also written")->type_name("FILE.json");
  if (!cli::parse(app, arguments)) return false;
  cli::check_output("--json", options.json);
  return true;
}

/// Reads all of a published surface in OpenGL, the minimum of any use.
class Reader {
 public:
  explicit Reader(std::size_t bytes) : bytes_(static_cast<GLsizeiptr>(bytes)) {
    glGenBuffers(1, &copy_);
    glBindBuffer(GL_COPY_WRITE_BUFFER, copy_);
    glBufferData(GL_COPY_WRITE_BUFFER, bytes_, nullptr, GL_STREAM_COPY);
  }
  ~Reader() { glDeleteBuffers(1, &copy_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void read(const Surface& surface) {
    glBindBuffer(GL_COPY_READ_BUFFER, surface.gl_buffer());
    glBindBuffer(GL_COPY_WRITE_BUFFER, copy_);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes_);
    glFinish();
  }
  template <class T>
  std::vector<T> content(std::size_t count) const {
    std::vector<T> data(count);
    glBindBuffer(GL_COPY_WRITE_BUFFER, copy_);
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(T)), data.data());
    return data;
  }

 private:
  GLsizeiptr bytes_;
  GLuint copy_ = 0;
};

/// Publishes bodies into surfaces of one form, on one device.
class Publication {
 public:
  Publication(OpenedDevice opened, const NbodySettings& settings, const Bodies& bodies)
      : opened_(std::move(opened)),
        queue_(opened_.device),
        programs_(opened_.device),
        members_{&programs_},
        simulation_(nbody_simulation(members_, settings, bodies)),
        publisher_(programs_, simulation_.precision(), bodies.size()),
        factory_(make_surface_factory(opened_.device, opened_.sharing)),
        surfaces_(*factory_, bodies.size() * published_bytes, queue_),
        reader_(bodies.size() * published_bytes) {}

  /// Computes a burst and, where asked for, publishes it until OpenGL has read it. Returns the seconds of both.
  double frame(std::int64_t steps, bool published) {
    const double began = now_seconds();
    run_burst(simulation_, queue_, {steps, dt, softening});
    if (published) publish();
    return now_seconds() - began;
  }

  /// Throws unless OpenGL reads exactly the positions that OpenCL computed.
  void check() {
    frame(1, true);
    if (simulation_.precision() == Precision::double_) return check_as<cl_double4>();
    check_as<cl_float4>();
  }

  std::size_t bytes_copied() { return surfaces_.front().bytes_copied(); }
  const DeviceInfo& device() const { return opened_.device.info(); }
  std::size_t bodies() const { return simulation_.bodies(); }

 private:
  void publish() {
    Surface& back = surfaces_.back();
    {
      auto lease = back.lease(queue_);
      publisher_.publish(queue_, simulation_, lease.buffer());
    }
    queue_.finish();
    constexpr int most_parts = 1000;
    for (int part = 0; !back.arrived(); ++part)
      if (part == most_parts) throw failure("a published surface did not arrive");
    reader_.read(back);
    surfaces_.flip();
  }

  template <class Real4>
  void check_as() {
    const auto computed = queue_.read_blocking<Real4>(simulation_.buffers().positions, bodies());
    const auto seen = reader_.content<cl_float4>(bodies());
    for (std::size_t i = 0; i < bodies(); ++i)
      for (std::size_t k = 0; k < 4; ++k)
        if (seen[i].s[k] != static_cast<float>(computed[i].s[k]))
          throw failure("OpenGL reads another body " + std::to_string(i) + " than OpenCL computed");
  }

  OpenedDevice opened_;
  Queue queue_;
  ProgramLibrary programs_;
  std::vector<ProgramLibrary*> members_;
  NbodySimulation simulation_;
  NbodyPublisher publisher_;
  std::unique_ptr<SurfaceFactory> factory_;
  SurfacePair surfaces_;
  Reader reader_;
};

double median_of_frames(Publication& publication, std::int64_t burst, bool published, double seconds, int& runs) {
  publication.frame(burst, published);
  std::vector<double> times;
  const double until = now_seconds() + seconds;
  while (times.size() < fewest_runs || (now_seconds() < until && times.size() < most_runs))
    times.push_back(publication.frame(burst, published));
  runs = static_cast<int>(times.size());
  return median(times);
}

// The same burst without its publication bounds the rate.
cli::BenchResult row(Publication& publication, std::string_view form, std::int64_t burst, double seconds) {
  cli::BenchResult result;
  const auto n = static_cast<double>(publication.bodies()), steps = static_cast<double>(burst);
  result.name = "interop";
  result.median_seconds = median_of_frames(publication, burst, true, seconds, result.runs);
  int ignored = 0;
  const double alone = median_of_frames(publication, burst, false, seconds / 2, ignored);
  const double rate = steps / result.median_seconds;
  result.parameters = {{"surface", form},          {"bodies", publication.bodies()},
                       {"burst", burst},           {"bytes_copied", publication.bytes_copied()},
                       {"steps_per_second", rate}, {"publication_seconds", result.median_seconds - alone}};
  result.rate = n * n * rate;
  result.unit = "interactions/s";
  result.bound = n * n * steps / alone;
  result.bound_reason = "the same bursts with nothing published";
  result.note = brief(rate) + " steps/s";
  return result;
}

cli::BenchResult absent(std::string_view form, const std::string& reason) {
  cli::BenchResult result;
  result.name = "interop";
  result.parameters = {{"surface", form}};
  result.unit = "interactions/s";
  result.bound_reason = std::string(form) + " surfaces are not available here: " + reason;
  result.note = "not here: " + reason;
  return result;
}

}  // namespace

int run_bench_interop(const std::vector<std::string>& arguments) {
  Options options;
  if (!parse_options(arguments, options)) return 0;
  const DeviceInfo info = cli::open_choice(options.device);
  const Window window({480, 320}, "Orrery", false, Window::Show::no);
  const std::int64_t automatic = is_cpu(info) ? 2048 : 65536;
  const Bodies bodies = make_bodies("plummer", options.settings.bodies, automatic, 1);
  std::vector<cli::BenchResult> results;
  for (const bool shared : {true, false}) {
    const std::string_view form = shared ? "shared" : "copied";
    OpenedDevice opened = open_for_window(info, window.share_properties(), shared);
    if (shared && !opened.sharing.shared) {
      results.push_back(absent(form, opened.sharing.reason));
      continue;
    }
    Publication publication(std::move(opened), options.settings, bodies);
    publication.check();
    for (std::int64_t burst = 1; burst <= options.longest; burst *= 2)
      results.push_back(row(publication, form, burst, options.seconds));
  }
  cli::report(info, results, options.json);
  return 0;
}

}  // namespace orrery::shell
