/// Queues of one device see the completed work of the others.
#include <gtest/gtest.h>

#include <vector>

#include "bench.hpp"
#include "compute/queue/queue.hpp"

using namespace orrery;

// Intel's CPU runtime returns from a blocking write as soon as it has copied the data.
TEST(Queues, ABlockingWriteIsDoneForOtherQueues) {
  constexpr cl_uint rounds = 2000;
  const Device device(choose_device(enumerate_devices(), ""));
  const cl::Buffer buffer = device.buffer(sizeof(cl_uint));
  Queue reader(device);
  cl_uint overtaken = 0;
  for (cl_uint round = 1; round <= rounds; ++round) {
    for (const cl_uint value : {~round, round}) Queue(device).write_blocking(buffer, std::span(&value, 1));
    overtaken += reader.read_blocking<cl_uint>(buffer, 1).front() == round ? 0 : 1;
  }
  EXPECT_EQ(overtaken, 0u) << "of " << rounds;
}
