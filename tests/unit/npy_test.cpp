#include "base/files/npy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

std::string file_of(std::string header, std::string_view data, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  for (std::size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + std::string(data);
}

void expect_refused(const std::string& bytes, const std::string& mentions) {
  try {
    (void)parse_npy(bytes, "bad.npy");
    FAIL() << "accepted, although: " << mentions;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_NE(std::string(error.what()).find(mentions), std::string::npos) << error.what();
  }
}

const std::string eight(8, '\0');

TEST(Npy, ReadsBackWhatItWrote) {
  const NpyArray written{{2, 3}, {0, -1.5, 1e-300, 3.0e300, 0.1, -0.0}};
  write_npy(scratch("round.npy"), written);
  const NpyArray read = read_npy(scratch("round.npy"));
  EXPECT_EQ(read.shape, written.shape);
  EXPECT_EQ(read.values, written.values);
  EXPECT_TRUE(std::signbit(read.values[5]));
}

TEST(Npy, WritesWhatNumpySaveWrites) {
  write_npy(scratch("bytes.npy"), NpyArray{{1}, {1.0}});
  const std::string bytes = read_file(scratch("bytes.npy"), {"an array", 1 << 20, false});
  ASSERT_EQ(bytes.size(), 128u + 8u);  // the header is padded to a multiple of 64
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(bytes.substr(10, 58), "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } ");
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(bytes.substr(128), std::string("\0\0\0\0\0\0\xf0\x3f", 8));
}

TEST(Npy, ReadsAnyOrderOfKeysAndTheLaterVersions) {
  const std::string header = "{\"shape\":(1,1),\"descr\":\"<f8\",\"fortran_order\":False}\n";
  EXPECT_EQ(parse_npy(file_of(header, eight, 1), "a").shape, (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(parse_npy(file_of(header, eight, 2), "a").columns(), 1u);
}

TEST(Npy, ReadsAnEmptyArray) {
  EXPECT_TRUE(
      parse_npy(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 7), }", ""), "a").values.empty());
}

TEST(Npy, RefusesUnsupportedArrays) {
  expect_refused("mass,x,y,z\n", "not a .npy file");
  expect_refused("\x93NUMPY\1", "ends in its header");
  expect_refused(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", eight), "<f4");
  expect_refused(file_of("{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }", eight), ">f8");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': True, 'shape': (1,), }", eight), "fortran_order");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1), }", eight), "3");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", eight), "dimensions");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False}", eight), "the keys descr, fortran_order and shape");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'x': 1}", eight), "got \"x\"");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", eight), "byte");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x", eight), "after");
  expect_refused(file_of("{'descr': '<f8", eight), "a closing quote");
}

TEST(Npy, RefusesDataOfAnotherSizeThanItsShape) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  expect_refused(file_of(header, eight), "expected 16 bytes by its shape, got \"8 bytes\"");
  expect_refused(file_of(header, eight + eight + "x"), "got \"17 bytes\"");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", eight),
                 "an extent that fits memory");
  expect_refused(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", eight),
                 "a smaller extent");
}

TEST(Npy, ReportsTheLayoutOfOtherArrays) {
  const std::string header =
      "{'descr': [('id', '<u2'), (('a title', 'pos'), '>f4', (3,)), ('', '|V2'), ('name', '<U2')], 'fortran_order': "
      "False, 'shape': (2,), }";
  const std::string bytes = file_of(header, std::string(2 * 24, '\0'));
  const NpyLayout layout = parse_npy_layout(bytes, bytes.size(), "a");
  EXPECT_TRUE(layout.is_structured);
  EXPECT_EQ(layout.item_bytes, 24U);
  ASSERT_EQ(layout.fields.size(), 4U);
  EXPECT_EQ(layout.fields[1].name, "pos");
  EXPECT_EQ(layout.fields[1].offset, 2U);
  EXPECT_EQ(layout.fields[1].count, 3U);
  EXPECT_TRUE(layout.fields[1].type.is_number());
  EXPECT_FALSE(layout.fields[3].type.is_number());
}

TEST(Npy, ReadsNumbersOfAllTypes) {
  const auto number = [](std::string_view bytes, char kind, std::endian order = std::endian::little) {
    return npy_number(bytes.data(), {{}, kind, bytes.size(), order});
  };
  EXPECT_EQ(number({"\xFE\xFF", 2}, 'i'), -2);
  EXPECT_EQ(number({"\xFF\xFE", 2}, 'u', std::endian::big), 65534);
  EXPECT_EQ(number({"\x80", 1}, 'i'), -128);
  EXPECT_EQ(number({"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8}, 'i'), -1);
  EXPECT_EQ(number({"\x3F\x80\0\0", 4}, 'f', std::endian::big), 1);
  EXPECT_EQ(number({"\0\x3C", 2}, 'f'), 1);
  EXPECT_EQ(number({"\1\0", 2}, 'f'), 0x1p-24);
  EXPECT_EQ(number({"\xFF\xFB", 2}, 'f'), -65504);
  EXPECT_EQ(number({"\0\xFC", 2}, 'f'), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(number({"\1\x7C", 2}, 'f')));
}

}  // namespace
}  // namespace orrery
