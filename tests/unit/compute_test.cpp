#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>

#include "base/clock.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/measure/ceilings.hpp"
#include "compute/program/compiler.hpp"
#include "compute/program/program.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

DeviceInfo made_up(int platform, int device, std::string name, DeviceClass device_class, unsigned units, unsigned mhz) {
  DeviceInfo info;
  info.id = {platform, device};
  info.name = std::move(name);
  info.device_class = device_class;
  info.compute_units = units;
  info.clock_mhz = mhz;
  info.preferred_float_width = 8;
  info.max_work_group = 1024;
  info.max_work_items = {512, 512, 64};
  info.local_bytes = 48 << 10;
  return info;
}

std::vector<PlatformInfo> machine() {
  DeviceInfo broken = made_up(1, 1, "Broken GPU", DeviceClass::gpu, 999, 2000);
  broken.fault = "its driver has no compiler";
  return {{.name = "CPU platform",
           .vendor = {},
           .version = {},
           .devices = {made_up(0, 0, "Some CPU", DeviceClass::cpu, 8, 3000)},
           .fault = {}},
          {.name = "GPU platform",
           .vendor = {},
           .version = {},
           .devices = {made_up(1, 0, "Fast GPU", DeviceClass::gpu, 100, 1500), broken},
           .fault = {}},
          {.name = "Empty", .vendor = {}, .version = {}, .devices = {}, .fault = "its driver crashed"}};
}

TEST(ChooseDevice, TakesTheFastestUsableOneByDefault) {
  EXPECT_EQ(choose_device(machine(), "").name, "Fast GPU");
  EXPECT_EQ(ranked_devices(machine()).size(), 2U) << "a broken device is not usable";
}

TEST(ChooseDevice, TakesIndicesAndPartsOfNames) {
  EXPECT_EQ(choose_device(machine(), "0:0").name, "Some CPU");
  EXPECT_EQ(choose_device(machine(), "cpu").name, "Some CPU");
  EXPECT_THROW(choose_device(machine(), "0:1"), Error);
  EXPECT_THROW(choose_device(machine(), "1:1"), Error) << "broken";
  try {
    choose_device(machine(), "Radeon");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    const std::string message = error.what();
    EXPECT_NE(message.find("expected one of: 0:0 Some CPU, 1:0 Fast GPU"), std::string::npos) << message;
    EXPECT_NE(message.find("got \"Radeon\""), std::string::npos) << message;
  }
}

TEST(ChooseDevice, ADeviceThatReportsNoClockIsNotTheSlowestOfAll) {
  std::vector<PlatformInfo> two = machine();
  two[0].devices.front().clock_mhz = 0;
  two[0].devices.push_back(made_up(0, 1, "Old CPU", DeviceClass::cpu, 8, 400));
  EXPECT_EQ(ranked_devices(two).at(1).name, "Some CPU");
}

TEST(DriverNotice, WarnsOfPoclsRaceOnlyForDevicesOnOtherMachines) {
  const char* here = "OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-skylake-avx512";
  const char* there = "OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu HSTR: pocl-remote: pthread";
  EXPECT_EQ(driver_notice("OpenCL 3.0 PoCL 6.0+debian  Linux, Release", here), "");
  EXPECT_NE(driver_notice("OpenCL 3.0 PoCL 6.0+debian  Linux, REMOTE", there).find("PoCL 6.0"), std::string::npos);
  EXPECT_NE(driver_notice("OpenCL 3.0 PoCL 7.2-RC1  Linux, REMOTE", there), "");
  EXPECT_EQ(driver_notice("OpenCL 3.0 PoCL 7.3  Linux, REMOTE", there), "");
  EXPECT_EQ(driver_notice("OpenCL 3.0 PoCL 12.0  Linux, REMOTE", there), "");
  EXPECT_EQ(driver_notice("OpenCL 3.0 of somebody", there), "");
}

TEST(ChooseDevice, SaysHowToInstallAMissingDriver) {
  try {
    choose_device({}, "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::failure);
    for (const char* vendor : {"NVIDIA", "AMD", "Intel", "pocl"})
      EXPECT_NE(std::string(error.what()).find(vendor), std::string::npos) << vendor;
  }
}

TEST(WorkGroup, IsRefusedWithTheLimitThatItBreaks) {
  const DeviceInfo device = made_up(0, 0, "Some GPU", DeviceClass::gpu, 1, 1);
  EXPECT_NO_THROW(check_work_group(0, device));
  EXPECT_NO_THROW(check_work_group(512, device));
  try {
    check_work_group(513, device);
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("expected a whole number from 1 to 512"), std::string::npos) << message;
    EXPECT_NE(message.find("or auto, got \"513\""), std::string::npos) << message;
  }
  EXPECT_THROW(check_work_group(512, device, 128), Error) << "512 tiles of 128 bytes exceed 48 KiB";
  EXPECT_NO_THROW(check_work_group(384, device, 128));
}

// The following tests run on any device (at least PoCL).
struct OnDevice : testing::Test {
  fs::path folder = scratch("programs");
  Device device{choose_device(enumerate_devices(), "")};
  OnDevice() { fs::create_directories(folder / "cache"); }
  ~OnDevice() override { fs::remove_all(folder); }

  void save(const std::string& name, const std::string& text) const { write_file(folder / name, text); }
  ProgramLibrary library() const { return {device, folder, folder / "cache"}; }
};

// A compiler process returns binaries, so that the binaries of every driver are cached.
struct WithCompiler : OnDevice {
  WithCompiler() {
    platform::set_variable("ORRERY_COMPILER", "child");
    use_compiler(std::make_shared<Compiler>(ORRERY_PROGRAM, std::vector<std::string>{compiling_command}));
  }
  ~WithCompiler() override {
    use_compiler(nullptr);
    platform::set_variable("ORRERY_COMPILER", "");
  }
};

std::vector<float> run_fill(const Device& device, const Program& program, std::size_t count) {
  Queue queue(device);
  const cl::Buffer buffer = device.buffer(count * sizeof(float));
  cl::Kernel kernel = program.kernel("fill_with");
  kernel.setArg(0, buffer);
  queue.launch("fill_with", kernel, {cl::NDRange(count)}, static_cast<double>(count));
  queue.finish();
  EXPECT_EQ(queue.profiler().statistics().front().launches, 1U);
  return queue.read_blocking<float>(buffer, count);
}

constexpr auto fill_source =
    "#include \"value.clh\"\nkernel void fill_with(global float* a) { a[get_global_id(0)] = VALUE + ADDED; }\n";

TEST_F(OnDevice, LaunchesCountWhetherTheyHaveAnEventOrNot) {
  save("fill.cl", fill_source);
  save("value.clh", "#define VALUE 3.0f\n");
  const auto program = library().build({"fill.cl", {{"ADDED", "0.5f"}}});
  Queue queue(device);
  cl::Kernel kernel = program->kernel("fill_with");
  const cl::Buffer number = device.buffer(sizeof(float));
  kernel.setArg(0, number);
  constexpr int launches = 2 + 64;
  for (int k = 0; k < launches; ++k) {
    queue.launch("fill_with", kernel, {cl::NDRange(1)}, 1);
    if (k < 2) queue.finish();  // the second launch shows that the kernel is short
  }
  queue.finish();
  EXPECT_EQ(queue.profiler().statistics().front().launches, std::uint64_t{launches});
}

TEST_F(OnDevice, ATracedLaunchHasASpanBetweenEnqueueingAndItsEnd) {
  save("fill.cl", fill_source);
  save("value.clh", "#define VALUE 3.0f\n");
  const auto program = library().build({"fill.cl", {{"ADDED", "0.5f"}}});
  Timeline timeline;
  timeline.record(true);
  Queue queue(device);
  queue.profiler().trace_into(QueueTrace(timeline, "a queue", device));
  cl::Kernel kernel = program->kernel("fill_with");
  const cl::Buffer numbers = device.buffer(1024 * sizeof(float));
  kernel.setArg(0, numbers);
  std::vector<std::array<std::int64_t, 2>> host;  // before the launch, after its end
  for (int k = 0; k < 50; ++k) {
    const std::int64_t before = now_nanoseconds();
    queue.launch("fill_with", kernel, {cl::NDRange(1024), cl::NDRange(64)}, 1);
    queue.finish();
    host.push_back({before, now_nanoseconds()});
  }
  timeline.record(false);
  queue.launch("fill_with", kernel, {cl::NDRange(1024), cl::NDRange(64)}, 1);
  queue.finish();
  const TimelineView view = timeline.view();
  ASSERT_EQ(view.spans.size(), host.size());
  const std::int64_t error = view.lanes[view.spans.front().lane].clock_error;
  std::int64_t last_end = 0;
  for (std::size_t k = 0; k < host.size(); ++k) {
    const TimelineSpan& span = view.spans[k];
    EXPECT_GE(span.queued, host[k][0] - error);
    EXPECT_LE(span.queued, span.submitted);
    EXPECT_LE(span.submitted, span.start);
    EXPECT_LT(span.start, span.end);
    EXPECT_LE(span.end, host[k][1] + error);
    EXPECT_GE(span.start, last_end);
    last_end = span.end;
    EXPECT_EQ(span.global, (std::array<std::uint32_t, 2>{1024, 0}));
    EXPECT_EQ(span.local, (std::array<std::uint32_t, 2>{64, 0}));
  }
}

TEST_F(WithCompiler, AProgramComesFromTheCacheUntilAnIncludeChanges) {
  save("fill.cl", fill_source);
  save("value.clh", "#define VALUE 3.0f\n");
  const ProgramSpec spec{"fill.cl", {{"ADDED", "0.5f"}}};
  EXPECT_FALSE(library().build(spec)->from_cache);
  {
    ProgramLibrary again = library();
    const auto program = again.build(spec);
    EXPECT_TRUE(program->from_cache);
    EXPECT_EQ(run_fill(device, *program, 5), std::vector<float>(5, 3.5F));
    EXPECT_EQ(again.build(spec), program) << "one build serves everybody";
  }
  save("value.clh", "#define VALUE 4.0f\n");
  ProgramLibrary changed = library();
  EXPECT_FALSE(changed.build(spec)->from_cache);
  EXPECT_EQ(run_fill(device, *changed.build(spec), 1), std::vector<float>{4.5F});
}

TEST_F(WithCompiler, EachBuildIsToldWithItsOptionsAndItsLog) {
  save("fill.cl", fill_source);
  save("value.clh", "#define VALUE 3.0f\n");
  save("bad.cl", "kernel void k(global float* a) { a[0] = undeclared; }\n");
  std::vector<BuildRecord> told;
  const auto build = [&](const ProgramSpec& spec) {
    ProgramLibrary fresh = library();
    fresh.watch_builds([&](const BuildRecord& record) { told.push_back(record); });
    (void)fresh.build(spec);
    (void)fresh.build(spec);
  };
  build({"fill.cl", {{"ADDED", "0.5f"}}});
  build({"fill.cl", {{"ADDED", "0.5f"}}});
  EXPECT_THROW(build({"bad.cl", {}}), Error);
  ASSERT_EQ(told.size(), 3U) << "what a library has is not built again";
  EXPECT_FALSE(told[0].from_cache);
  EXPECT_TRUE(told[1].from_cache);
  EXPECT_NE(told[0].options.find("-D ADDED=0.5f"), std::string::npos);
  EXPECT_TRUE(told[0].fault.empty());
  EXPECT_NE(told[2].log.find("undeclared"), std::string::npos);
  EXPECT_NE(told[2].fault.find("CL_BUILD_PROGRAM_FAILURE"), std::string::npos) << told[2].fault;
}

TEST_F(OnDevice, AProgramOfPoclOnAProcessorIsLeftToPoclsCache) {
  save("fill.cl", fill_source);
  save("value.clh", "#define VALUE 3.0f\n");
  (void)library().build({"fill.cl", {{"ADDED", "0.5f"}}});
  const DeviceInfo& info = device.info();
  const bool pocl = info.platform == "Portable Computing Language" && info.device_class == DeviceClass::cpu;
  EXPECT_EQ(fs::is_empty(folder / "cache"), pocl && !is_remote(info));
}

TEST_F(WithCompiler, ADamagedCacheRebuilds) {
  save("fill.cl", fill_source);
  save("value.clh", "#define VALUE 3.0f\n");
  const ProgramSpec spec{"fill.cl", {{"ADDED", "0.0f"}}};
  (void)library().build(spec);
  for (const auto& entry : fs::directory_iterator(folder / "cache")) {
    std::string bytes = read_file(entry.path(), {"a compiled kernel", 64 << 20, false});
    bytes[bytes.size() - 20] = static_cast<char>(bytes[bytes.size() - 20] ^ 1);
    write_file(entry.path(), bytes);
  }
  const auto program = library().build(spec);
  EXPECT_FALSE(program->from_cache);
  EXPECT_EQ(run_fill(device, *program, 1), std::vector<float>{3.0F});
}

TEST_F(OnDevice, AFailedBuildCarriesTheCompilersLogWithFileAndLine) {
  save("bad.cl", "// a comment\nkernel void k(global float* a) { a[0] = undeclared; }\n");
  try {
    (void)library().build({"bad.cl", {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.details().code, "CL_BUILD_PROGRAM_FAILURE");
    EXPECT_NE(error.details().log.find("bad.cl:2"), std::string::npos) << error.details().log;
  }
}

TEST_F(OnDevice, CeilingsCountOnlyCompletedWork) {
  for (const char* name : {"ceilings.cl", "share.clh", "precision.clh"})
    fs::copy_file(find_below(kernel_folder(), name), folder / name);
  ProgramLibrary right = library();
  const Ceilings ceilings = measure_ceilings(right);
  for (const double each : {ceilings.multiply_adds, ceilings.roots, ceilings.read_bytes, ceilings.copy_bytes,
                            ceilings.local_bytes, ceilings.launch_seconds, ceilings.launch_interval})
    EXPECT_GT(each, 0);
  // A kernel that omits half of its work must not count as fast.
  std::string source = read_file(folder / "ceilings.cl");
  const std::string all = "i += share.stride) sum";
  ASSERT_NE(source.find(all), std::string::npos);
  source.replace(source.find(all), all.size(), "i += 2 * share.stride) sum");
  save("ceilings.cl", source);
  ProgramLibrary wrong = library();
  EXPECT_THROW(measure_ceilings(wrong), Error);
}

TEST_F(OnDevice, ABufferBeyondTheLimitIsRefusedWithTheLimit) {
  try {
    (void)device.buffer(device.info().allocation_bytes + 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the largest is"), std::string::npos);
  }
}

TEST_F(OnDevice, PinnedMemoryReceivesTheContentsOfDeviceMemory) {
  Queue queue(device);
  const std::vector<int> numbers{3, 1, 4, 1, 5};
  const cl::Buffer buffer = device.buffer(sizeof(int) * numbers.size());
  queue.write_blocking<int>(buffer, numbers);
  HostMirror mirror(device, queue, sizeof(int) * numbers.size());
  const cl::Event event = queue.read(buffer, mirror.data(), mirror.size());
  queue.finish();
  EXPECT_TRUE(is_complete(event));
  EXPECT_TRUE(std::ranges::equal(mirror.as<int>(numbers.size()), numbers));
}

TEST_F(OnDevice, PinnedMemoryCanBeAllocatedWhileTheDeviceIsBusy) {
  Queue queue(device);
  const std::vector<int> numbers{3, 1, 4, 1, 5};
  const cl::Buffer buffer = device.buffer(sizeof(int) * numbers.size());
  queue.write_blocking<int>(buffer, numbers);
  cl::UserEvent gate(device.context());
  const std::vector<cl::Event> busy{gate};
  queue.handle().enqueueBarrierWithWaitList(&busy);
  auto making = std::async(std::launch::async, [&] {
    return HostMirror(device, queue, sizeof(int) * numbers.size(), HostMirror::Mapping::queued);
  });
  const bool at_once = making.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
  gate.setStatus(CL_COMPLETE);
  HostMirror mirror = making.get();
  EXPECT_TRUE(at_once);
  const cl::Event event = queue.read(buffer, mirror.data(), mirror.size());
  queue.finish();
  EXPECT_TRUE(std::ranges::equal(mirror.as<int>(numbers.size()), numbers));
}

TEST_F(OnDevice, LegalWorkGroupsStayBelowTheDevicesLimit) {
  save("fill.cl", fill_source);
  save("value.clh", "#define VALUE 3.0f\n");
  ProgramLibrary programs = library();
  const auto program = programs.build({"fill.cl", {{"ADDED", "0.0f"}}});
  const WorkGroupLimits limits = work_group_limits(program->kernel("fill_with"), device, "fill_with", 64);
  ASSERT_FALSE(limits.legal.empty());
  EXPECT_TRUE(std::ranges::is_sorted(limits.legal));
  EXPECT_LE(limits.legal.back(), device.info().max_work_group);
  EXPECT_EQ(limits.legal.front(), 1U);
}

}  // namespace
}  // namespace orrery
