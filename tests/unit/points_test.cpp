/// Points for other programs: names of frames, and headers for their readers.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files/exr_stream.hpp"
#include "base/points/ply.hpp"
#include "base/points/point_format.hpp"
#include "base/points/point_series.hpp"
#include "base/points/xyz.hpp"
#include "scratch.hpp"

using namespace orrery;

namespace {

bool is_series(const std::string& out) {
  try {
    check_series(out, 5);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return false;
  }
}

/// Two points; `numbers` outlives the frame.
PointFrame two_points(const std::vector<double>& numbers) {
  PointFrame frame{.count = 2};
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz"})
    frame.columns.push_back({name, &numbers[frame.columns.size()], 6});
  return frame;
}

}  // namespace

TEST(Points, FramesHaveNamesWithOneNumber) {
  for (const char* name : {"%d.npy", "a-%06d.csv", "a/%01d.vtp", "%018d.ply", "all.xyz", "all.gsd", "part-%d.xyz"})
    EXPECT_TRUE(is_series(name)) << name;
  for (const char* name :
       {"", "a.npy", "%s.npy", "%d%d.npy", "%%d.npy", "%6d.npy", "%-6d.npy", "%019d.npy", "%0x1d.npy", "%d.doc", "%d"})
    EXPECT_FALSE(is_series(name)) << name;
  EXPECT_EQ(frame_name("a-%06d.npy", 12), "a-000012.npy");
  EXPECT_EQ(frame_name("a-%d.npy", 12), "a-12.npy");
  EXPECT_EQ(frame_name("a-%02d.npy", 1234), "a-1234.npy");
  EXPECT_NO_THROW(check_series("a%s.npy", 0)) << "without frames it is a name as any other";
  EXPECT_THROW(check_series("a-%06d.npy", 0), Error) << "one file would have the name of many";
}

TEST(Points, TheNextFrameIsAtAMultipleOfTheInterval) {
  EXPECT_EQ(next_frame(0, 5, 100), 5);
  EXPECT_EQ(next_frame(5, 5, 100), 10);
  EXPECT_EQ(next_frame(7, 5, 9), 9);
  EXPECT_EQ(next_frame(7, 0, 9), 9);
}

TEST(Points, NumbersThatAreNotFiniteAreNotWritten) {
  std::vector<double> numbers(12, 0.5);
  numbers[8] = std::numeric_limits<double>::quiet_NaN();
  const auto path = scratch("not_finite.xyz");
  PointSeries series(path.string(), 1);
  try {
    series.keep(two_points(numbers));
    ADD_FAILURE() << "kept it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("z of point 2 became nan at step 0"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Points, EveryFormatWritesPointsWithoutMass) {
  const std::vector<double> numbers(12, 0.5);
  for (const PointFormat& format : point_formats()) {
    if (format.extension == ".tipsy") continue;  // always has a mass
    std::ostringstream out;
    EXPECT_NO_THROW(format.write(out, two_points(numbers), {})) << format.extension;
    EXPECT_GT(out.view().size(), 12U) << format.extension;
  }
}

TEST(Points, XyzNamesItsColumns) {
  const XyzLayout layout =
      parse_xyz_layout("12\r\nLattice=\"1 0 0 0 1 0 0 0 1\" properties=\"id:I:1:pos:R:3:dipole:R:2\" \r\n1 2", "a.xyz");
  EXPECT_EQ(layout.count, 12U);
  EXPECT_EQ(layout.names, (std::vector<std::string>{"id", "pos_x", "pos_y", "pos_z", "dipole.1", "dipole.2"}));
  EXPECT_EQ(parse_xyz_layout("2\n\nH 0 0 0 1\n", "b.xyz").names,
            (std::vector<std::string>{"species", "x", "y", "z", "column_5"}));
}

TEST(Points, PlyNamesItsFields) {
  const std::string header =
      "ply\r\nformat binary_big_endian 1.0\r\nelement vertex 2\r\nproperty uchar red\r\nproperty float32 x\r\n"
      "property double y\r\nend_header\r\n";
  const PlyLayout layout = parse_ply_layout(header, header.size() + 26, "a.ply");
  EXPECT_EQ(layout.count, 2U);
  EXPECT_EQ(layout.row_bytes, 13U);
  EXPECT_EQ(layout.begin, header.size());
  ASSERT_EQ(layout.fields.size(), 3U);
  EXPECT_EQ(layout.fields[2].offset, 5U);
  EXPECT_EQ(layout.fields[1].type.order, std::endian::big);
  EXPECT_THROW(parse_ply_layout(header, header.size() + 25, "a.ply"), Error);
}

TEST(Points, AnExrOfOnePixelHasTheBytesOfTheFormat) {
  std::ostringstream out;
  ExrStream exr(out, 1, 1, {"nu"});
  exr.write_row(std::vector<float>{1.5F});
  const std::string bytes = out.str();
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x76\x2f\x31\x01\x02\x04\0\0", 8));
  EXPECT_EQ(bytes.substr(bytes.size() - 12), std::string("\0\0\0\0\x04\0\0\0\0\0\xc0\x3f", 12));
}
