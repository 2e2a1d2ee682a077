// Edited kernels: their copies on disk, their place among the sources, and their trial before use.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/work/external_editor.hpp"
#include "compute/program/kernel_edit_store.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/tuned.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;
using Edits = KernelSources::Edits;

constexpr auto fill_source =
    "#include \"value.clh\"\nkernel void fill_with(global float* a) { a[get_global_id(0)] = VALUE; }\n";
constexpr auto other_source = "kernel void other(global float* a) { a[0] = 7; }\n";

struct KernelFolder : testing::Test {
  fs::path folder = scratch("originals"), mine = scratch("mine") / "kernels";
  KernelEditStore store{folder, mine};
  KernelFolder() {
    fs::create_directories(folder);
    write_file(folder / "fill.cl", fill_source);
    write_file(folder / "other.cl", other_source);
    write_file(folder / "value.clh", "#define VALUE 3.0f\n");
  }
  ~KernelFolder() override {
    fs::remove_all(folder);
    fs::remove_all(mine.parent_path());
  }
};

using EditStore = KernelFolder;

TEST_F(EditStore, KeepsCopiesAndLeavesTheOriginalsAlone) {
  EXPECT_EQ(store.files(), (std::vector<std::string>{"fill.cl", "other.cl", "value.clh"}));
  EXPECT_TRUE(store.read().empty()) << "not even a folder yet";
  store.write("value.clh", "#define VALUE 4.0f\n");
  EXPECT_EQ(store.read(), (Edits{{"value.clh", "#define VALUE 4.0f\n"}}));
  EXPECT_EQ(read_file(folder / "value.clh"), "#define VALUE 3.0f\n");
  for (const auto& entry : fs::directory_iterator(mine))
    EXPECT_EQ(entry.path().filename(), "value.clh") << "nothing half-written";
}

TEST_F(EditStore, RestoringMovesTheCopyAside) {
  store.write("value.clh", "#define VALUE 4.0f\n");
  store.remove("value.clh");
  EXPECT_TRUE(store.read().empty());
  EXPECT_EQ(read_file(mine / "value.clh~"), "#define VALUE 4.0f\n");
  EXPECT_NO_THROW(store.remove("value.clh")) << "there is nothing to restore";
}

TEST_F(EditStore, ACopyEqualToItsOriginalIsNoEdit) {
  EXPECT_EQ(store.copy_of("fill.cl"), mine / "fill.cl");
  EXPECT_EQ(read_file(mine / "fill.cl"), fill_source) << "for another editor to open";
  EXPECT_TRUE(store.read().empty());
  write_file(mine / "fill.cl", "changed there");
  EXPECT_EQ(read_file(store.copy_of("fill.cl")), "changed there");
}

TEST_F(EditStore, WritesOnlyIntoItsFolder) {
  EXPECT_THROW(store.write("../escape.cl", ""), Error);
  EXPECT_THROW(store.write("new.cl", ""), Error);
  EXPECT_THROW(store.copy_of("/etc/passwd"), Error);
  fs::create_directories(mine);
  write_file(mine / "stranger.cl", "kernel void k() {}");
  write_file(mine / "other.cl", std::string("a\0b", 3));
  EXPECT_TRUE(store.read().empty()) << "neither is a copy of a kernel";
}

TEST_F(EditStore, SaysWhyACopyCannotBeKept) {
  EXPECT_THROW(KernelEditStore(folder, {}).write("fill.cl", "x"), Error);
  EXPECT_TRUE(KernelEditStore(folder, {}).read().empty());
  fs::create_directories(mine.parent_path());
  write_file(mine, "a file where the folder ought to be");
  try {
    store.write("fill.cl", "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("fill.cl"), std::string::npos) << error.what();
  }
  EXPECT_THROW(KernelEditStore(folder, "/proc/self").write("fill.cl", "x"), Error) << "the folder is not writable";
}

using Sources = KernelFolder;

TEST_F(Sources, AnEditTakesThePlaceOfItsFileWhereverItIsIncluded) {
  const KernelSources plain(folder), edited(folder, {{"value.clh", "#define VALUE 4.0f\n"}});
  EXPECT_NE(edited.expanded("fill.cl").find("VALUE 4.0f"), std::string::npos);
  EXPECT_NE(plain.expanded("fill.cl").find("VALUE 3.0f"), std::string::npos);
  EXPECT_EQ(edited.expanded("other.cl"), plain.expanded("other.cl"));
  EXPECT_EQ(edited.parts("fill.cl"), (std::vector<std::string>{"fill.cl", "value.clh"}));
}

TEST_F(Sources, TheHashOfAnEditDiffersFromTheOriginals) {
  const std::vector<std::string> fill{"fill.cl"}, other{"other.cl"};
  const KernelSources plain(folder), edited(folder, {{"value.clh", "#define VALUE 4.0f\n"}});
  EXPECT_NE(source_hash(plain, fill), source_hash(edited, fill));
  EXPECT_EQ(source_hash(plain, other), source_hash(edited, other));
}

TEST_F(Sources, TuningBelongsToTheRunningSource) {
  const std::vector<std::string> fill{"fill.cl"};
  const KernelSources plain(folder), edited(folder, {{"value.clh", "#define VALUE 4.0f\n"}});
  DeviceInfo device;
  device.name = "Some GPU";
  StoredSweep sweep{.of = {}, .files = fill, .measured = {}};
  sweep.of.device = device.name;
  sweep.of.kernel = "fill";
  sweep.of.source = source_hash(plain, fill);
  sweep.choice = {{"unroll", "4"}};
  TuningStore tuning;
  tuning.put(sweep);
  EXPECT_TRUE(TunedChoices(tuning, plain).find(device, "fill", {}));
  EXPECT_FALSE(TunedChoices(tuning, edited).find(device, "fill", {}));
}

struct OnDevice : KernelFolder {
  Device device{choose_device(enumerate_devices(), "")};
  ProgramLibrary programs{device, KernelSources(folder), {}};
  std::vector<ProgramLibrary*> devices{&programs};
  const ProgramSpec fill{"fill.cl", {}}, other{"other.cl", {}};

  OnDevice() {
    (void)programs.build(fill);
    (void)programs.build(other);
  }
  KernelTrial tried(const Edits& wanted, const Edits& in_use = {}) {
    return try_kernels(devices, KernelSources(folder, in_use), wanted);
  }
  float value_of(const KernelSources& sources) {
    Queue queue(device);
    const cl::Buffer buffer = device.buffer(sizeof(float));
    cl::Kernel kernel = programs.build(fill, sources)->kernel("fill_with");
    kernel.setArg(0, buffer);
    queue.launch("fill", kernel, {cl::NDRange(1)});
    return queue.read_blocking<float>(buffer, 1).front();
  }
};

using Trial = OnDevice;

TEST_F(Trial, AHeaderThatBuildsIsAcceptedWithAllThatIncludeIt) {
  const KernelTrial trial = tried({{"value.clh", "#define VALUE 4.0f\n"}});
  EXPECT_TRUE(trial.refused.empty());
  EXPECT_TRUE(trial.accepted->is_edited("value.clh"));
  EXPECT_EQ(value_of(*trial.accepted), 4);
  EXPECT_EQ(value_of(KernelSources(folder)), 3) << "restored";
}

TEST_F(Trial, AnErrorNamesTheEditedLine) {
  const KernelTrial trial = tried({{"value.clh", "\n\n#define VALUE 4.0f\nthis is wrong;\n"}});
  EXPECT_EQ(trial.accepted->edits(), Edits{});
  ASSERT_EQ(trial.refused.size(), 1U);
  ASSERT_FALSE(trial.messages.empty());
  EXPECT_EQ(trial.messages.front().file, "value.clh");
  EXPECT_EQ(trial.messages.front().line, 4);
}

TEST_F(Trial, ABrokenEditDoesNotStopTheOthers) {
  const std::string seven = "kernel void other(global float* a) { a[0] = 77; }\n";
  const KernelTrial trial = tried({{"value.clh", "wrong"}, {"other.cl", seven}});
  EXPECT_EQ(trial.accepted->edits(), (Edits{{"other.cl", seven}}));
  EXPECT_EQ(trial.refused, (Edits{{"value.clh", "wrong"}}));
}

TEST_F(Trial, TheLastGoodEditStays) {
  const Edits good{{"value.clh", "#define VALUE 5.0f\n"}};
  (void)programs.build(fill, KernelSources(folder, good));
  const KernelTrial trial = tried({{"value.clh", "wrong"}}, good);
  EXPECT_EQ(trial.accepted->edits(), good);
  EXPECT_EQ(trial.refused.size(), 1U);
}

TEST_F(Trial, AKernelMustKeepItsNameAndArguments) {
  const KernelTrial renamed = tried({{"other.cl", "\nkernel void another(global float* a) { a[0] = 7; }\n"}});
  EXPECT_EQ(renamed.refused.size(), 1U);
  ASSERT_EQ(renamed.messages.size(), 1U);
  EXPECT_NE(renamed.messages[0].text.find("the kernel other is missing"), std::string::npos);
  const KernelTrial more = tried({{"other.cl", "\n\nkernel void other(global float* a, float b) { a[0] = b; }\n"}});
  ASSERT_EQ(more.messages.size(), 1U);
  EXPECT_EQ(more.messages[0].file, "other.cl");
  EXPECT_EQ(more.messages[0].line, 3);
  EXPECT_EQ(more.refused.size(), 1U);
}

TEST_F(Trial, AMissingIncludeIsAnErrorOfItsLine) {
  const KernelTrial trial = tried({{"value.clh", "#define VALUE 1\n#include \"nowhere.clh\"\n"}});
  ASSERT_EQ(trial.messages.size(), 1U);
  EXPECT_EQ(trial.messages[0].file, "value.clh");
  EXPECT_EQ(trial.messages[0].line, 2);
}

TEST_F(Trial, ProgramsNameTheirOrigin) {
  const auto original = programs.build(fill),
             edited = programs.build(fill, KernelSources(folder, {{"value.clh", "#define VALUE 9\n"}}));
  EXPECT_FALSE(programs.origin_of(original->handle())->edited);
  EXPECT_TRUE(programs.origin_of(edited->handle())->edited);
  EXPECT_EQ(programs.origin_of(edited->handle())->file, "fill.cl");
  EXPECT_EQ(programs.built(), (std::vector{fill, other})) << "of the sources in use";
}

TEST(Editor, ACommandIsSplitIntoWordsWithoutAShell) {
  EXPECT_EQ(words_of("  code  --wait "), (std::vector<std::string>{"code", "--wait"}));
  EXPECT_EQ(words_of("'/opt/my editor/run' \"a b\" c\\ d ''"),
            (std::vector<std::string>{"/opt/my editor/run", "a b", "c d", ""}));
  EXPECT_EQ(words_of("gedit; rm -rf $HOME"), (std::vector<std::string>{"gedit;", "rm", "-rf", "$HOME"}));
  EXPECT_TRUE(words_of("gedit 'unended").empty());
  EXPECT_TRUE(words_of("").empty());
}

TEST(Editor, AnEditorThatNeedsATerminalIsNotStarted) {
  EXPECT_EQ(editor_command({"/usr/bin/code --wait", "vim"}).front(), "/usr/bin/code");
  EXPECT_EQ(editor_command({"vim", "kate"}).front(), "kate");
  EXPECT_EQ(editor_command({"vim -g"}).front(), "vim");
  EXPECT_EQ(editor_command({"emacs"}).front(), "emacs");
  for (const char* terminal : {"vim", "nano", "emacs -nw", "emacsclient -t", "", "gedit 'unended"})
    EXPECT_EQ(editor_command({terminal}), editor_command({})) << terminal;
}

}  // namespace
}  // namespace orrery
