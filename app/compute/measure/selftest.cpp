#include "compute/measure/selftest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {
namespace {

constexpr cl_uint count = 1'000'003;  // not a multiple of any work-group
constexpr cl_uint seed = 20261121;
constexpr std::size_t groups = 64;

cl_uint pattern(cl_uint i) { return (i + seed) * 2654435761u; }

std::vector<cl_uint> expected_values() {
  std::vector<cl_uint> values(count);
  for (cl_uint i = 0; i < count; ++i) values[i] = pattern(i);
  return values;
}

void require(const std::string& what, Difference value) {
  if (value.expected != value.found) throw WrongValue(what, std::move(value));
}

class DeviceTests {
 public:
  explicit DeviceTests(ProgramLibrary& programs)
      : device_(programs.device()),
        queue_(device_),
        group_(std::bit_floor(std::min<std::size_t>(device_.info().max_work_group, 256))),
        program_(programs.build({"selftest.cl", {{"WORK_GROUP", std::to_string(group_)}}})),
        expected_(expected_values()),
        values_(device_.buffer(count * sizeof(cl_uint))) {}

  std::string fill_and_map() {
    fill();
    void* mapped = queue_.handle().enqueueMapBuffer(values_, CL_FALSE, CL_MAP_READ, 0, count * sizeof(cl_uint));
    queue_.finish();  // notices a device that does not answer
    const std::vector<cl_uint> found(static_cast<const cl_uint*>(mapped), static_cast<const cl_uint*>(mapped) + count);
    queue_.handle().enqueueUnmapMemObject(values_, mapped);
    queue_.finish();
    for (cl_uint i = 0; i < count; ++i)
      if (found[i] != expected_[i])
        throw WrongValue("the mapped buffer differs from the values that the kernel should have written",
                         whole_difference("value " + std::to_string(i), expected_[i], found[i]));
    return "1,000,003 values";
  }

  std::string sum() {
    fill();
    const cl::Buffer sums = device_.buffer(groups * sizeof(cl_ulong));
    cl::Kernel kernel = program_->kernel("sum_values");
    reduce(kernel, "sum", sums);
    const std::vector<cl_ulong> each = queue_.read_blocking<cl_ulong>(sums, groups);
    const cl_ulong found = std::accumulate(each.begin(), each.end(), cl_ulong{0});
    const cl_ulong wanted = std::accumulate(expected_.begin(), expected_.end(), cl_ulong{0});
    require("the sum is wrong", whole_difference("the sum", wanted, found));
    return std::to_string(groups) + " groups of " + std::to_string(group_);
  }

  std::string minimum(const char* entry) {
    fill();
    const cl::Buffer result = device_.buffer(sizeof(cl_uint));
    queue_.fill(result, ~cl_uint{0}, sizeof(cl_uint));
    cl::Kernel kernel = program_->kernel(entry);
    reduce(kernel, "minimum", result);
    const cl_uint found = queue_.read_blocking<cl_uint>(result, 1).front(), wanted = std::ranges::min(expected_);
    require("the minimum is wrong", whole_difference("the minimum", wanted, found));
    return "of 1,000,003 values";
  }

  // One queue computes from one buffer to the other, a second queue reads the result; neither may overtake.
  std::string hand_over() {
    constexpr cl_uint rounds = 8;
    fill();
    Queue reader(device_);
    const std::array<cl::Buffer, 2> buffers{values_, device_.buffer(count * sizeof(cl_uint))};
    std::vector<std::vector<cl_uint>> seen(rounds, std::vector<cl_uint>(count));
    cl::Kernel kernel = program_->kernel("hand_over");
    for (cl_uint round = 0; round < rounds; ++round) {
      const cl::Buffer &from = buffers[round % 2], &to = buffers[(round + 1) % 2];
      kernel.setArg(0, from);
      kernel.setArg(1, to);
      kernel.setArg(2, count);
      queue_.launch("hand over", kernel, {round_up(count, group_), group_});
      const cl::Event computed = queue_.marker();
      queue_.flush();
      reader.after(computed);
      const cl::Event read = reader.read(to, seen[round].data(), count * sizeof(cl_uint));
      reader.flush();
      queue_.after(read);
    }
    queue_.finish();
    reader.finish();
    for (cl_uint round = 0; round < rounds; ++round)
      for (cl_uint i = 0; i < count; ++i)
        if (const cl_uint wanted = pattern((i + round + 1) % count) + round + 1; seen[round][i] != wanted)
          throw WrongValue("a queue overtook the other one, or a value is wrong, in round " + std::to_string(round + 1),
                           whole_difference("value " + std::to_string(i), wanted, seen[round][i]));
    return std::to_string(rounds) + " rounds, two queues";
  }

 private:
  void fill() {
    cl::Kernel kernel = program_->kernel("fill_pattern");
    kernel.setArg(0, values_);
    kernel.setArg(1, count);
    kernel.setArg(2, seed);
    queue_.launch("fill", kernel, {round_up(count, group_), group_});
  }

  void reduce(cl::Kernel& kernel, std::string_view name, const cl::Buffer& result) {
    kernel.setArg(0, values_);
    kernel.setArg(1, count);
    kernel.setArg(2, result);
    queue_.launch(name, kernel, {groups * group_, group_});
  }

  Device device_;
  Queue queue_;
  std::size_t group_;
  std::shared_ptr<const Program> program_;
  std::vector<cl_uint> expected_;
  cl::Buffer values_;
};

}  // namespace

Difference value_difference(std::string of, double expected, double found, int bits) {
  const double size = std::abs(expected), off = std::abs(found - expected);
  const double ulp = std::ldexp(1.0, (size > 0 ? std::ilogb(size) : -126) - (bits - 1));
  return {std::move(of), digits17(expected), digits17(found), size > 0 ? off / size : off, off / ulp};
}

Difference whole_difference(std::string of, std::uint64_t expected, std::uint64_t found) {
  const std::uint64_t off = std::max(expected, found) - std::min(expected, found);
  return {std::move(of), std::to_string(expected), std::to_string(found),
          static_cast<double>(off) / static_cast<double>(std::max<std::uint64_t>(expected, 1)),
          static_cast<double>(off)};
}

void need_doubles(const ProgramLibrary& programs, bool needed) {
  if (needed && !programs.device().info().fp64) throw NotHere{"the device has no doubles"};
}

std::vector<SelftestItem> device_selftests(ProgramLibrary& programs) {
  // Built by the first check, so that a build failure is reported there.
  const auto tests = std::make_shared<std::unique_ptr<DeviceTests>>();
  const auto with = [tests, &programs](auto check) {
    return [tests, &programs, check] {
      if (!*tests) *tests = std::make_unique<DeviceTests>(programs);
      return check(**tests);
    };
  };
  return {{"fill and map", with([](DeviceTests& t) { return t.fill_and_map(); })},
          {"parallel sum", with([](DeviceTests& t) { return t.sum(); })},
          {"minimum, local atomics", with([](DeviceTests& t) { return t.minimum("minimum_by_local_atomics"); })},
          {"minimum, global atomics", with([](DeviceTests& t) { return t.minimum("minimum_by_global_atomics"); })},
          {"double-buffer hand-over", with([](DeviceTests& t) { return t.hand_over(); })}};
}

}  // namespace orrery
