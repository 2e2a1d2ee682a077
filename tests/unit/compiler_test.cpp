/// Compiling in another process gives the same program, and its failures do not affect this process.
#include "compute/program/compiler.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/work/child_pipe.hpp"
#include "compute/device/device.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {
namespace {

constexpr const char* doubling = "kernel void twice(global int* x) { x[get_global_id(0)] *= FACTOR; }";

struct InAnotherProcess : testing::Test {
  Device device{choose_device(enumerate_devices(), "")};
  Compiler compiler{ORRERY_PROGRAM, {compiling_command}};
};

TEST_F(InAnotherProcess, CompiledProgramsCompute) {
  for (const int factor : {2, 3}) {
    const std::string options = "-D FACTOR=" + std::to_string(factor);
    const auto compiled = compiler.compile(device.info(), "twice.cl", options, doubling);
    ASSERT_TRUE(compiled);
    cl::Program program(device.context(), {device.handle()}, {compiled->binary});
    program.build(device.handle(), options.c_str());
    cl::Kernel kernel(program, "twice");
    const std::vector<cl_int> numbers{1, 20, -300, 4000};
    const cl::Buffer buffer = device.buffer(numbers.size() * sizeof(cl_int));
    Queue queue(device);
    queue.write_blocking<cl_int>(buffer, numbers);
    kernel.setArg(0, buffer);
    queue.launch("twice", kernel, {numbers.size(), 1});
    const auto result = queue.read_blocking<cl_int>(buffer, numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(result[k], factor * numbers[k]);
  }
}

TEST_F(InAnotherProcess, ErrorsAreTheSameAsInThisProcess) {
  try {
    (void)compiler.compile(device.info(), "bad.cl", "", "#line 7 \"bad.cl\"\nkernel void bad() { nonsense; }\n");
    FAIL() << "it was compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.details().code, "CL_BUILD_PROGRAM_FAILURE");
    EXPECT_NE(error.details().log.find("bad.cl:7"), std::string::npos) << error.details().log;
  }
  EXPECT_TRUE(compiler.compile(device.info(), "twice.cl", "-D FACTOR=2", doubling)) << "the same process goes on";
}

TEST_F(InAnotherProcess, ACompilerThatCrashesIsReportedAndTheNextOneWorks) {
  Compiler crashing{"/bin/sh", {"-c", "kill -SEGV $$"}};
  try {
    (void)crashing.compile(device.info(), "deadly.cl", "", doubling);
    FAIL() << "it was compiled";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("crashed (Segmentation fault) over deadly.cl"), std::string::npos)
        << error.what();
  }
}

TEST_F(InAnotherProcess, WithoutAChildItCompilesHere) {
  Compiler missing{"/no/such/program", {}};
  EXPECT_FALSE(missing.compile(device.info(), "twice.cl", "", doubling));
  Compiler puzzled{"/bin/false", {}};
  EXPECT_FALSE(puzzled.compile(device.info(), "twice.cl", "", doubling));
}

TEST_F(InAnotherProcess, AStoppedCompilerIsNoCrashOfOurs) {
  Compiler endless{"/bin/sleep", {"100"}};
  std::jthread stopping([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    endless.stop();
  });
  EXPECT_THROW((void)endless.compile(device.info(), "twice.cl", "", doubling), Error);
}

}  // namespace
}  // namespace orrery
