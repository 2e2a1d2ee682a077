/// Bodies in files: exact both ways, and every mistake is named with its place.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scratch.hpp"

using namespace orrery;

namespace {

struct TemporaryFile {
  explicit TemporaryFile(const char* name) : path(scratch(name)) {}
  ~TemporaryFile() { std::filesystem::remove(path); }
  std::filesystem::path path;
};

const Bodies awkward{{1, 0.1, -1.0 / 3, 1e-300, -0.0, 5e-324, std::numeric_limits<double>::max()},
                     {0, 1 + 0x1p-52, 2, 3, 4, 5, 6}};

std::string refusal(std::string_view csv) {
  try {
    (void)parse_bodies_csv(csv, "stars.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

constexpr std::string_view header = "mass,x,y,z,vx,vy,vz\n";
std::string with_header(std::string_view rows) { return std::string(header) + std::string(rows); }

}  // namespace

TEST(NbodyFile, CsvGivesBackTheSameBits) {
  const TemporaryFile file("orrery_bodies_test.csv");
  write_bodies(file.path, awkward);
  EXPECT_EQ(read_bodies(file.path), awkward);
}

TEST(NbodyFile, NpyGivesBackTheSameBits) {
  const TemporaryFile file("orrery_bodies_test.npy");
  write_bodies(file.path, awkward);
  EXPECT_EQ(read_bodies(file.path), awkward);
}

TEST(NbodyFile, CsvHasSeventeenDigitsAndTheHeader) {
  const TemporaryFile file("orrery_digits_test.csv");
  write_bodies(file.path, {{0.1, 1, 0, 0, 0, 0, 0}});
  EXPECT_EQ(read_file(file.path).substr(0, header.size() + 20), with_header("0.10000000000000001,"));
}

TEST(NbodyFile, AcceptsSpacesAndOtherLineEnds) {
  EXPECT_EQ(parse_bodies_csv("mass,x,y,z,vx,vy,vz\r\n 1, 2,3 ,4,5,6,7\r\n", "stars.csv").front(),
            (Body{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(parse_bodies_csv(with_header("1,2,3,4,5,6,7"), "stars.csv").size(), 1U);
}

TEST(NbodyFile, NamesLineColumnAndValue) {
  const std::string message = refusal(with_header("1,2,3,4,5,6,7\n1,2,three,4,5,6,7\n"));
  EXPECT_NE(message.find("stars.csv:3:5"), std::string::npos) << message;
  EXPECT_NE(message.find("\"three\""), std::string::npos) << message;
}

TEST(NbodyFile, RefusesWhatIsNoBody) {
  EXPECT_NE(refusal(with_header("nan,2,3,4,5,6,7")).find(":2:1"), std::string::npos);
  EXPECT_NE(refusal(with_header("1,inf,3,4,5,6,7")).find(":2:3"), std::string::npos);
  EXPECT_NE(refusal(with_header("-1,2,3,4,5,6,7")).find("\"-1\""), std::string::npos);
  EXPECT_NE(refusal(with_header("1,2,3,4,5,6")).find(":2:"), std::string::npos);
  EXPECT_NE(refusal(with_header("1,2,3,4,5,6,7,8")).find(":2:13"), std::string::npos);
  EXPECT_NE(refusal(with_header("1,2,3,,5,6,7")).find(":2:7: z: expected a finite number, got \"(empty)\""),
            std::string::npos);
  EXPECT_NE(refusal(with_header("1,2,3,4,5,6,7\n\n1,2,3,4,5,6,7\n")).find(":3:1"), std::string::npos);
  EXPECT_NE(refusal(with_header("1e999,2,3,4,5,6,7")).find(":2:1"), std::string::npos);
  EXPECT_NE(refusal("").find("stars.csv"), std::string::npos);
  EXPECT_NE(refusal(header).find("no bodies"), std::string::npos);
  EXPECT_NE(refusal("x,y,z\n1,2,3\n").find(":1:1"), std::string::npos);
}

TEST(NbodyFile, RefusesOtherKinds) {
  EXPECT_THROW(check_bodies_extension("bodies.txt"), Error);
  EXPECT_NO_THROW(check_bodies_extension("bodies.csv"));
}

TEST(NbodyDiagnosticsRow, HasTheColumnsInTheirOrder) {
  NbodyDiagnostics row;
  row.step = 3;
  row.time = 0.5;
  row.kinetic = 1;
  row.potential = -4;
  row.momentum = {1, 2, 3};
  row.angular_momentum = {4, 5, 6};
  row.hash = 48213907;
  EXPECT_EQ(csv_header_of_diagnostics(), "step,time,kinetic,potential,total,px,py,pz,lx,ly,lz,virial,hash");
  EXPECT_EQ(csv_row(row), "3,0.5,1,-4,-3,1,2,3,4,5,6,0.5,48213907");
}
