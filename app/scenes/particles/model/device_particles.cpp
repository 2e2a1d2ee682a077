#include "scenes/particles/model/device_particles.hpp"
#include "compute/program/arguments.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::particles {
namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  std::vector<To> result;
  result.reserve(values.size());
  for (const From& value : values) result.push_back(static_cast<To>(value));
  return result;
}

template <class Real4, class Element>
std::vector<Real4> vectors_with(const std::vector<Vector>& vectors, const std::vector<double>& w) {
  std::vector<Real4> result;
  result.reserve(vectors.size());
  for (std::size_t i = 0; i < vectors.size(); ++i)
    result.push_back({{static_cast<Element>(vectors[i][0]), static_cast<Element>(vectors[i][1]),
                       static_cast<Element>(vectors[i][2]), static_cast<Element>(w.empty() ? 0 : w[i])}});
  return result;
}

template <class Real4>
std::vector<Vector> vectors_of(std::span<const Real4> values) {
  std::vector<Vector> result;
  result.reserve(values.size());
  for (const Real4& v : values) result.push_back({v.s[0], v.s[1], v.s[2]});
  return result;
}

std::vector<double> inverse_masses(const std::vector<double>& masses) {
  std::vector<double> result;
  result.reserve(masses.size());
  for (const double m : masses) result.push_back(m > 0 ? 1 / m : 0);
  return result;
}

// A held particle has no mass: its force has no effect and gets the unit of a usual particle.
std::vector<cl_int> exponents_of(const std::vector<double>& masses) {
  double sum = 0, moving = 0;
  for (const double m : masses) {
    sum += m;
    moving += m > 0 ? 1 : 0;
  }
  const int usual = sum > 0 ? std::ilogb(sum / moving) : 0;
  std::vector<cl_int> result;
  result.reserve(masses.size());
  for (const double m : masses) result.push_back(m > 0 ? std::ilogb(m) : usual);
  return result;
}

std::vector<Vector> sides_of(const Box& box) {
  std::vector<Vector> sides(2, Vector{});
  if (box.periodic())
    for (std::size_t k = 0; k < 3; ++k) {
      sides[0][k] = (*box.lengths)[k];
      sides[1][k] = 1 / (*box.lengths)[k];
    }
  return sides;
}

constexpr int range_bias = 8192, most_bits = 61,
              wanted_bits = 52;   // the first two as in kernels/particles/particles.clh
constexpr double fine = 0x1p-40;  // likewise, of the rows after the third

}  // namespace

std::optional<int> better_force_exponent(std::span<const cl_int> status) {
  const auto word = [&](Status w) { return status[static_cast<std::size_t>(w)]; };
  const int found = word(Status::out_of_range), bits = found - range_bias;
  if (found == 0 || (bits <= most_bits && word(Status::well_in_range) != 0)) return std::nullopt;
  return word(Status::force_exponent) + bits - wanted_bits;
}

ProgramSpec DeviceParticles::program(const Device& device, Precision precision) {
  return {"particles_words.cl", particle_definitions(device, precision)};
}

DeviceParticles::DeviceParticles(ProgramLibrary& programs, Queue& queue, const World& world, Precision of)
    : device(programs.device()),
      precision(of),
      count(world.particles.size()),
      padded(round_up(count, block_size)),
      positions(device.buffer(count * bytes_of_wide4())),
      velocities(device.buffer(count * bytes_of_wide4())),
      references(device.buffer(count * bytes_of_wide4())),
      displacements(device.buffer(count * bytes_of_wide4())),
      forces(device.buffer(force_rows() * count * sizeof(cl_long))),
      box(device.buffer(2 * bytes_of_wide4())),
      status(device.buffer(status_bytes)),
      mass_exponents(exponents_of(world.particles.mass)),
      exponents(device.read_only(std::span<const cl_int>(mass_exponents))) {
  const auto words = programs.build(program(device, precision));
  set_words_ = words->kernel("set_words");
  clear_forces_ = words->kernel("clear_forces");
  write_state(queue, world.particles.position, world.particles.velocity, world.particles.mass);
  write_vectors(queue, box, sides_of(world.box), {});
  set_words(queue, forces, 0, 2 * force_rows() * count, 0);
  set_words(queue, displacements, 0, count * bytes_of_wide4() / sizeof(cl_uint), 0);
  set_words(queue, status, 0, static_cast<std::size_t>(Status::count), 0);
  invalidate_order(queue);
  set_status(queue, Status::force_exponent, first_force_exponent);
  queue.finish();
}

void DeviceParticles::write_state(Queue& queue, const std::vector<Vector>& at, const std::vector<Vector>& velocity,
                                  const std::vector<double>& masses) {
  write_vectors(queue, positions, at, {});
  write_vectors(queue, references, at, {});
  write_vectors(queue, velocities, velocity, inverse_masses(masses));
}

void DeviceParticles::write_vectors(Queue& queue, const cl::Buffer& to, const std::vector<Vector>& vectors,
                                    const std::vector<double>& w) {
  if (wide() == Precision::double_)
    queue.write_blocking(to, std::span<const cl_double4>(vectors_with<cl_double4, cl_double>(vectors, w)));
  else
    queue.write_blocking(to, std::span<const cl_float4>(vectors_with<cl_float4, cl_float>(vectors, w)));
}

std::vector<Vector> DeviceParticles::vectors_from(const HostMirror& mirror, std::size_t count, Precision wide) {
  return wide == Precision::double_ ? vectors_of(mirror.as<cl_double4>(count))
                                    : vectors_of(mirror.as<cl_float4>(count));
}

std::vector<Vector> DeviceParticles::read_vectors(Queue& queue, const cl::Buffer& from) const {
  return wide() == Precision::double_
             ? vectors_of(std::span<const cl_double4>(queue.read_blocking<cl_double4>(from, count)))
             : vectors_of(std::span<const cl_float4>(queue.read_blocking<cl_float4>(from, count)));
}

void DeviceParticles::set_status(Queue& queue, Status word, cl_int value) {
  set_words(queue, status, static_cast<std::size_t>(word), 1, value);
}

void DeviceParticles::invalidate_order(Queue& queue) {
  set_status(queue, Status::order_due, 1);
  set_status(queue, Status::moved_far, 1);
}

void DeviceParticles::set_words(Queue& queue, const cl::Buffer& words, std::size_t first, std::size_t number,
                                cl_int value) const {
  if (number == 0) return;
  set_arguments(set_words_, words, static_cast<cl_uint>(first), static_cast<cl_uint>(number),
                static_cast<cl_uint>(value));
  queue.launch(particles_launch::words, set_words_, elementwise(device.info(), number));
}

void DeviceParticles::clear_forces(Queue& queue) const {
  set_arguments(clear_forces_, forces, static_cast<cl_uint>(force_rows() * count), status);
  queue.launch(particles_launch::words, clear_forces_, elementwise(device.info(), force_rows() * count));
}

std::vector<Vector> DeviceParticles::read_forces(Queue& queue, int exponent) const {
  const auto fixed = queue.read_blocking<cl_long>(forces, force_rows() * count);
  std::vector<Vector> result(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double rest = force_rows() > 3 ? static_cast<double>(fixed[(k + 3) * count + i]) * fine : 0;
      result[i][k] = std::ldexp(static_cast<double>(fixed[k * count + i]) + rest, exponent + mass_exponents[i]);
    }
  return result;
}

std::map<std::string, std::string> particle_definitions(const Device& device, Precision precision) {
  std::map<std::string, std::string> definitions = precision_definitions(device, precision);
  if (precision != Precision::single) definitions["WIDE_DOUBLE"] = "1";
  return definitions;
}

std::vector<double> column_rows(const World& world, const std::vector<std::string>& names, std::size_t padded) {
  std::vector<double> rows;
  for (const std::string& name : names) {
    const std::vector<double>& values = column_of(world.particles, name);
    rows.insert(rows.end(), values.begin(), values.end());
    rows.resize(rows.size() + padded - values.size(), 0);
  }
  return rows;
}

// The buffer has at least one value, because kernels receive it even where they read none of it.
cl::Buffer real_buffer(const Device& device, Queue& queue, Precision precision, const std::vector<double>& values) {
  const std::size_t each = precision == Precision::double_ ? sizeof(cl_double) : sizeof(cl_float);
  cl::Buffer buffer = device.buffer(std::max<std::size_t>(values.size(), 1) * each);
  if (precision == Precision::double_)
    queue.write_blocking(buffer, std::span<const double>(values));
  else
    queue.write_blocking(buffer, std::span<const float>(converted<float>(values)));
  return buffer;
}

cl::Buffer uint_buffer(const Device& device, const std::vector<std::uint32_t>& values) {
  const std::vector<std::uint32_t> none{0};
  return device.read_only(std::span<const std::uint32_t>(values.empty() ? none : values));
}

void fill_reals(Queue& queue, Precision precision, const cl::Buffer& to, const std::vector<double>& values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (precision == Precision::double_)
      queue.fill<cl_double>(to, values[k], sizeof(cl_double), k * sizeof(cl_double));
    else
      queue.fill<cl_float>(to, static_cast<cl_float>(values[k]), sizeof(cl_float), k * sizeof(cl_float));
}

std::vector<double> read_reals(Queue& queue, Precision precision, const cl::Buffer& from, std::size_t count) {
  return precision == Precision::double_ ? queue.read_blocking<double>(from, count)
                                         : converted<double>(queue.read_blocking<float>(from, count));
}

}  // namespace orrery::particles
