#include <gtest/gtest.h>

#include "compute/program/build_log.hpp"

namespace orrery {
namespace {

using Kind = CompilerMessage::Kind;

const std::set<std::string> files{"nbody_gather.cl", "nbody_force.clh", "precision.clh"};

std::vector<CompilerMessage> parsed(std::string_view log) { return parse_build_log(log, "nbody_gather.cl", files); }

CompilerMessage only(std::string_view log) {
  const auto messages = parsed(log);
  EXPECT_EQ(messages.size(), 1U) << log;
  return messages.empty() ? CompilerMessage{} : messages.front();
}

// The format of PoCL 3.1.
TEST(BuildLog, PoclNamesThePlaceAfterTheWord) {
  const auto messages = parsed(
      "error: nbody_force.clh:4:1: unknown type name 'this'\n"
      "warning: nbody_gather.cl:4:8: expected ';' after top level declarator\n"
      "error: nbody_gather.cl:2:71 <Spelling=nbody_force.clh:1:15>: use of undeclared identifier 'undeclared'\n"
      "Device pthread-skylake-avx512-AMD EPYC failed to build the program");
  const std::vector<CompilerMessage> expected{
      {Kind::error, "nbody_force.clh", 4, 1, "unknown type name 'this'"},
      {Kind::warning, "nbody_gather.cl", 4, 8, "expected ';' after top level declarator"},
      {Kind::error, "nbody_gather.cl", 2, 71,
       "use of undeclared identifier 'undeclared' (a macro of nbody_force.clh:1:15)"}};
  EXPECT_EQ(messages, expected);
}

// The format of clang's own front end, with the source line and a caret below it.
TEST(BuildLog, ClangNamesFileLineAndColumn) {
  const auto messages = parsed(
      "nbody_force.clh:41:3: error: use of undeclared identifier 'undeclared'\n"
      "  undeclared = 3;  // error: so it says\n"
      "  ^\n"
      "nbody_gather.cl:12:8: warning: unused variable 'x' [-Wunused-variable]\n"
      "nbody_gather.cl:3:1: note: expanded from macro 'RUN'\n"
      "1 warning and 1 error generated.\n"
      "Device pthread-skylake-avx512 failed to build the program\n");
  const std::vector<CompilerMessage> expected{
      {Kind::error, "nbody_force.clh", 41, 3, "use of undeclared identifier 'undeclared'"},
      {Kind::warning, "nbody_gather.cl", 12, 8, "unused variable 'x' [-Wunused-variable]"},
      {Kind::note, "nbody_gather.cl", 3, 1, "expanded from macro 'RUN'"}};
  EXPECT_EQ(messages, expected);
}

TEST(BuildLog, NvidiaNamesTheKernelOrTheAssembler) {
  EXPECT_EQ(only("<kernel>:12:5: error: expected ';' after expression\n"),
            (CompilerMessage{Kind::error, "nbody_gather.cl", 12, 5, "expected ';' after expression"}));
  EXPECT_EQ(
      only("ptxas error   : Entry function 'gather' uses too much shared data (0x18000 bytes, 0xc000 max)\n"),
      (CompilerMessage{
          Kind::error, {}, 0, 0, "Entry function 'gather' uses too much shared data (0x18000 bytes, 0xc000 max)"}));
  EXPECT_EQ(only("ptxas application ptx input, line 12; error   : Unknown symbol 'foo'\n").line, 0)
      << "a line of the assembler's is none of the file's";
}

TEST(BuildLog, IntelNamesAFileByANumber) {
  const auto messages = parsed(
      "1:12:5: error: unknown type name 'flaot'\n1:13: error: and no column\nerror: backend compiler failed build.\n");
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[0], (CompilerMessage{Kind::error, "nbody_gather.cl", 12, 5, "unknown type name 'flaot'"}));
  EXPECT_EQ(messages[1], (CompilerMessage{Kind::error, "nbody_gather.cl", 13, 0, "and no column"}));
  EXPECT_EQ(messages[2], (CompilerMessage{Kind::error, {}, 0, 0, "backend compiler failed build."}));
}

TEST(BuildLog, IntelsRemarksOnTheCodeOfAKernelAreNoMessages) {
  EXPECT_TRUE(parsed("Compilation started\nCompilation done\nremark: <unknown>:0:0: 9 instructions in function\n"
                     "Kernel \"f\" was not vectorized\nDone.")
                  .empty());
}

TEST(BuildLog, AmdNamesATemporaryFile) {
  EXPECT_EQ(only("/tmp/comgr-0bd8a1/input/CompileSource:12:5: fatal error: 'nope.clh' file not found\n"),
            (CompilerMessage{Kind::error, "nbody_gather.cl", 12, 5, "'nope.clh' file not found"}));
  EXPECT_EQ(only("\"/tmp/OCL4711T1.cl\", line 12: error: identifier \"undeclared\" is undefined\n"),
            (CompilerMessage{Kind::error, "nbody_gather.cl", 12, 0, "identifier \"undeclared\" is undefined"}));
}

TEST(BuildLog, OtherCompilersAreUnderstoodInPart) {
  EXPECT_EQ(only("<program source>:12:34: error: no matching function\r\n"),
            (CompilerMessage{Kind::error, "nbody_gather.cl", 12, 34, "no matching function"}));
  EXPECT_EQ(only("C:\\kernels\\precision.clh(7): error: oops\n"),
            (CompilerMessage{Kind::error, "precision.clh", 7, 0, "oops"}));
  EXPECT_EQ(only("precision.clh(7,9): warning: hm\n"), (CompilerMessage{Kind::warning, "precision.clh", 7, 9, "hm"}));
  EXPECT_EQ(only("line 12: syntax error\n"), (CompilerMessage{Kind::error, "nbody_gather.cl", 12, 0, "syntax error"}));
  EXPECT_EQ(only("12: error: bare\n"), (CompilerMessage{Kind::error, "nbody_gather.cl", 12, 0, "bare"}));
}

TEST(BuildLog, ALogWithoutMessagesGivesNone) {
  EXPECT_TRUE(parsed("").empty());
  EXPECT_TRUE(parsed("1 error generated.\nterror: is no error\nCompilation started\n\n:\nerror:\nline : x\n").empty());
}

TEST(BuildLog, ReportsRepeatedMessagesOnceAndLimitsTheirNumber) {
  std::string log;
  for (int i = 0; i < 5; ++i) log += "nbody_gather.cl:1:1: error: again\n";
  EXPECT_EQ(parsed(log).size(), 1U);
  for (int i = 0; i < 10000; ++i) log += "nbody_gather.cl:" + std::to_string(i + 2) + ":1: error: again\n";
  EXPECT_LE(parsed(log).size(), 200U);
  EXPECT_NO_THROW(parsed("a.cl:99999999999999999999:1: error: far away\n"));
}

TEST(BuildLog, PlacesThatACompilerDoesNotNameAreThoseOfTheLineDirectives) {
  const std::string source = "#line 1 \"a.cl\"\nfirst\n#line 1 \"b.clh\"\nof b\nsecond of b\n#line 3 \"a.cl\"\nthird\n";
  const auto named = [&](const std::string& log) { return with_named_places(log, source); };
  EXPECT_EQ(named("<kernel>:2:7: error: x"), "a.cl:1:7: error: x");
  EXPECT_EQ(named("<kernel>:5:1: error: x\n<kernel>:7:2: note: y"), "b.clh:2:1: error: x\na.cl:3:2: note: y");
  EXPECT_EQ(named("<kernel>:99:1: error: x"), "<kernel>:99:1: error: x");
  EXPECT_EQ(named("<kernel>: error: x"), "<kernel>: error: x");
  EXPECT_EQ(named("a.cl:2:7: error: x"), "a.cl:2:7: error: x");
  EXPECT_EQ(with_named_places("<kernel>:1:1: error: x", "no directive"), "<kernel>:1:1: error: x");
}

}  // namespace
}  // namespace orrery
