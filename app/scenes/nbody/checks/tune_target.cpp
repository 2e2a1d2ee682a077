#include <cstring>

#include "compute/program/arguments.hpp"
#include "compute/tuning/device_tune_target.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/field_check.hpp"
#include "scenes/nbody/checks/tune_targets.hpp"
#include "scenes/nbody/model/force.hpp"

namespace orrery {

// Equal masses would hide a kernel that takes the wrong one.
Bodies tuning_bodies(std::size_t count, Precision precision) {
  Bodies bodies = make_bodies("plummer", static_cast<std::int64_t>(count), 0, 1);
  for (std::size_t i = 0; i < count; ++i) bodies[i].mass *= (1 + static_cast<double>(i % 7)) / 4;
  if (precision == Precision::double_) return bodies;
  for (Body& b : bodies)
    for (double* number : {&b.mass, &b.x, &b.y, &b.z}) *number = static_cast<double>(static_cast<float>(*number));
  return bodies;
}

namespace {

class NbodyTuneTarget;

class NbodyTuneRun : public TuneRun {
 public:
  NbodyTuneRun(NbodyTuneTarget& target, NbodyKernels kernels, NbodyForce force)
      : target_(target), kernels_(std::move(kernels)), force_(std::move(force)) {}
  void begin() override { force_.begin(false); }
  bool enqueue(double budget) override;
  std::optional<Times> poll() override;

 private:
  NbodyTuneTarget& target_;
  NbodyKernels kernels_;
  NbodyForce force_;
};

class NbodyTuneTarget : public DeviceTuneTarget {
 public:
  NbodyTuneTarget(ProgramLibrary& programs, Precision precision, std::size_t bodies)
      : DeviceTuneTarget(programs.device()),
        programs_(programs),
        precision_(precision),
        bodies_(tuning_bodies(bodies, precision)),
        division_(parts_of(bodies)),
        standard_(nbody_tune_standard(device().info(), precision, bodies)),
        space_(nbody_tune_space(device().info(), standard_)),
        positions_(device().buffer(bodies * bytes_of_real4(precision))) {
    subject_ = nbody_tune_subject(precision, bodies);
    add_output("the sums", division_.count * bodies * bytes_of_real4(precision));
    precision == Precision::double_ ? upload<cl_double4, cl_double>() : upload<cl_float4, cl_float>();
  }

  ~NbodyTuneTarget() override { end_check(); }

  const TuneSubject& subject() const override { return subject_; }
  const TuneSpace& space() const override { return space_; }
  TuneValues standard() const override { return nbody_tune_values(space_, standard_); }

  // The pair kernel chooses its own tile: 0, for which gather takes the usual one.
  TuneValues canonical(TuneValues values) const override {
    constexpr std::size_t tile_axis = 2;
    const bool pairs = variant_of(values).forces == Forces::pairs;
    if (pairs) values[tile_axis] = 0;
    if (!pairs && values[tile_axis] == 0) values[tile_axis] = 128;
    return values;
  }
  bool keeps_bits(const TuneValues& values) const override {
    const NbodyVariant variant = variant_of(values);
    return variant.forces == standard_.forces && variant.lanes == standard_.lanes;
  }
  std::string refuse(const TuneValues& values) const override {
    return nbody_refusal(device().info(), variant_of(values), bodies_.size());
  }

  void prepare_reference() override { reference_.emplace(bodies_, precision_, tuning_softening); }

  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override {
    const NbodyVariant variant = variant_of(values);
    NbodyKernels kernels(programs_, variant, bodies_.size());
    NbodyForce force(device(), bodies_.size(), precision_);
    force.use(variant, whole_field(bodies_.size()), output(0));
    return std::make_unique<NbodyTuneRun>(*this, std::move(kernels), std::move(force));
  }

  bool enqueue(NbodyForce& force, NbodyKernels& kernels, double budget) {
    timer().time([&] {
      for (double spent = 0; !force.complete() && spent < budget;)
        spent += force.enqueue(queue(), kernels, positions_, tuning_softening, budget - spent);
    });
    return force.complete();
  }
  std::optional<TuneRun::Times> poll() { return timer().poll(); }

 protected:
  std::string judge(const TuneValues& values, std::span<const std::byte> content) override {
    std::string fault = reference_->fault(precision_ == Precision::double_ ? accelerations<double>(content)
                                                                           : accelerations<float>(content));
    if (!fault.empty()) return fault;
    if (standard_sums_.empty()) {
      standard_sums_.assign(content.begin(), content.end());
    } else if (keeps_bits(values) && std::memcmp(standard_sums_.data(), content.data(), content.size()) != 0) {
      return "the sums are not bit-identical to the standard's, although only work-group, tile and unrolling changed";
    }
    return {};
  }

 private:
  NbodyVariant variant_of(const TuneValues& values) const { return nbody_variant_of(space_, values, standard_); }

  template <class Real4, class Real>
  void upload() {
    std::vector<Real4> positions;
    for (const Body& b : bodies_) positions.push_back({{Real(b.x), Real(b.y), Real(b.z), Real(b.mass)}});
    queue().write_blocking(positions_, std::span<const Real4>(positions));
  }

  // The parts are added in their order; rows of real4 without the potential.
  template <class Real>
  std::vector<std::array<double, 3>> accelerations(std::span<const std::byte> content) const {
    std::vector<std::array<double, 3>> result(bodies_.size());
    for (std::size_t part = 0; part < division_.count; ++part)
      for (std::size_t i = 0; i < bodies_.size(); ++i) {
        std::array<Real, 4> row;
        std::memcpy(row.data(), content.data() + (part * bodies_.size() + i) * sizeof row, sizeof row);
        for (std::size_t k = 0; k < 3; ++k) result[i][k] += static_cast<double>(row[k]);
      }
    return result;
  }

  ProgramLibrary& programs_;
  Precision precision_;
  Bodies bodies_;
  NbodyParts division_;
  NbodyVariant standard_;
  TuneSpace space_;
  TuneSubject subject_;
  cl::Buffer positions_;
  std::optional<FieldReference> reference_;
  std::vector<std::byte> standard_sums_;
};

bool NbodyTuneRun::enqueue(double budget) { return target_.enqueue(force_, kernels_, budget); }
std::optional<TuneRun::Times> NbodyTuneRun::poll() { return target_.poll(); }

}  // namespace

std::unique_ptr<TuneTarget> nbody_tune_target(ProgramLibrary& programs, Precision precision, std::size_t bodies) {
  return std::make_unique<NbodyTuneTarget>(programs, precision, bodies);
}

}  // namespace orrery
