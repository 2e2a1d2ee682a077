/// The ceilings' kernels with a few work-items, for Oclgrind to watch: results are checked, rates are not.
#include <gtest/gtest.h>

#include "base/files/path.hpp"
#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

using namespace orrery;

namespace {

constexpr std::size_t group = 4, items = 3 * group, lanes = 2, chains = 3;

class ceilings : public testing::Test {
 protected:
  const Device device{choose_device(enumerate_devices(), "")};
  Queue queue{device};
  const cl::Buffer results = device.buffer(items * sizeof(cl_float));

  cl::Kernel kernel(const char* entry, bool contiguous = false) {
    ProgramSpec spec{"ceilings.cl", {{"LANES", std::to_string(lanes)}, {"CHAINS", std::to_string(chains)}}};
    if (contiguous) spec.definitions["CONTIGUOUS"] = "1";
    cl::Kernel kernel = ProgramLibrary(device, kernel_folder(), {}).build(spec)->kernel(entry);
    kernel.setArg(0, results);
    return kernel;
  }
  std::vector<float> run(const cl::Kernel& kernel) {
    queue.launch("ceiling", kernel, {cl::NDRange(items), cl::NDRange(group)});
    return queue.read_blocking<float>(results, items);
  }
};

TEST_F(ceilings, ChainsEndWhereTheyMust) {
  cl::Kernel adds = kernel("multiply_adds");
  adds.setArg(1, cl_uint{2});
  adds.setArg(2, cl_float{0.5});
  adds.setArg(3, cl_float{1});
  for (const float sum : run(adds)) EXPECT_NEAR(sum, 2 * lanes * chains, 1e-5);
  cl::Kernel roots = kernel("roots");
  roots.setArg(1, cl_uint{2});
  for (const float sum : run(roots)) EXPECT_NEAR(sum, lanes * chains, 1e-2);
}

TEST_F(ceilings, MemoryIsReadOnceAndWhole) {
  constexpr std::size_t count = 5 * items + 7;  // no multiple of a work-group
  std::vector<cl_float4> ones(count, cl_float4{{1, 1, 1, 1}});
  const cl::Buffer data = device.buffer(count * sizeof(cl_float4));
  queue.write_blocking(data, std::span<const cl_float4>(ones));
  for (const bool contiguous : {false, true}) {
    cl::Kernel read = kernel("read_all", contiguous);
    read.setArg(1, data);
    read.setArg(2, static_cast<cl_uint>(count));
    float total = 0;
    for (const float sum : run(read)) total += sum;
    EXPECT_EQ(total, 4.0F * count);
  }
}

TEST_F(ceilings, ACopyEndsAtTheLastElement) {
  constexpr std::size_t count = items - 1;
  const std::vector<cl_float4> ones(count, cl_float4{{1, 2, 3, 4}});
  const cl::Buffer from = device.buffer(count * sizeof(cl_float4)), to = device.buffer(count * sizeof(cl_float4));
  queue.write_blocking(from, std::span<const cl_float4>(ones));
  cl::Kernel copy = kernel("copy_all");
  copy.setArg(0, to);
  copy.setArg(1, from);
  copy.setArg(2, static_cast<cl_uint>(count));
  queue.launch("copy", copy, {cl::NDRange(items), cl::NDRange(group)});
  EXPECT_EQ(queue.read_blocking<cl_float4>(to, count).back().s[3], 4);
}

TEST_F(ceilings, TheLocalTileIsReadWithinItself) {
  cl::Kernel local = kernel("read_local");
  local.setArg(1, cl_uint{2});
  local.setArg(2, cl::Local(group * sizeof(cl_float4)));
  for (const float sum : run(local)) EXPECT_EQ(sum, 4 * 2 * 16);
}

}  // namespace
