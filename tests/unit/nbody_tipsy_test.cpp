/// Tipsy files against bytes composed by hand, in both byte orders, and invalid headers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scratch.hpp"

using namespace orrery;

namespace {

enum class Order { big, little };

/// Writes numbers byte by byte, most significant byte first or last.
class Bytes {
 public:
  explicit Bytes(Order order) : order_(order) {}
  Bytes& number(std::uint64_t bits, int size) {
    for (int i = 0; i < size; ++i) {
      const int place = order_ == Order::big ? size - 1 - i : i;
      text_ += static_cast<char>(bits >> (8 * place) & 0xff);
    }
    return *this;
  }
  Bytes& integer(std::int32_t value) { return number(static_cast<std::uint32_t>(value), 4); }
  Bytes& real(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    return number(bits, 4);
  }
  Bytes& header(std::int32_t bodies, std::int32_t gas, std::int32_t dark, std::int32_t star,
                std::int32_t dimensions = 3) {
    number(0x3ff8000000000000, 8);  // the double 1.5
    return integer(bodies).integer(dimensions).integer(gas).integer(dark).integer(star).integer(0);
  }
  Bytes& reals(std::initializer_list<float> values) {
    for (const float value : values) real(value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  Order order_;
  std::string text_;
};

std::string one_of_each(Order order) {
  return Bytes(order)
      .header(3, 1, 1, 1)
      .reals({1, 2, 3, 4, 5, 6, 7, 100, 101, 102, 103, 104})              // gas: …, rho, temp, hsmooth, metals, phi
      .reals({0.5F, -2, 0.25F, 0, -5, 6.5F, 7, 200, 201})                 // dark: …, eps, phi
      .reals({0, 0, 1e-30F, 3e30F, 0, 0, -1.0F / 3, 300, 301, 302, 303})  // star: …, metals, tform, eps, phi
      .text();
}

const Bodies the_three{
    {1, 2, 3, 4, 5, 6, 7},
    {0.5, -2, 0.25, 0, -5, 6.5, 7},
    {0, 0, static_cast<double>(1e-30F), static_cast<double>(3e30F), 0, 0, static_cast<double>(-1.0F / 3)}};

std::string tipsy_refusal(const std::string& bytes) {
  try {
    (void)parse_tipsy(bytes, "stars.tipsy");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

std::string dark_body(float mass, float x) {
  return Bytes(Order::big).header(1, 0, 1, 0).reals({mass, x, 0, 0, 0, 0, 0, 0, 0}).text();
}

}  // namespace

TEST(NbodyTipsy, ReadsEitherByteOrder) {
  EXPECT_EQ(parse_tipsy(one_of_each(Order::big), "stars.tipsy"), the_three);
  EXPECT_EQ(parse_tipsy(one_of_each(Order::little), "stars.tipsy"), the_three);
}

TEST(NbodyTipsy, WritesStandardDarkParticles) {
  const std::string expected = Bytes(Order::big)
                                   .header(2, 0, 2, 0)
                                   .reals({1, 2, 3, 4, 5, 6, 7, 0.25F, 0})
                                   .reals({0.1F, -2, 0.25F, 0, -5, 6.5F, 7, 0.25F, 0})
                                   .text();
  const auto path = scratch("standard.tipsy");
  write_bodies(path, {{1, 2, 3, 4, 5, 6, 7}, {0.1, -2, 0.25, 0, -5, 6.5, 7}}, {.time = 1.5, .softening = 0.25});
  EXPECT_EQ(read_file(path, {"bodies", 1000, false}), expected);
  std::filesystem::remove(path);
}

TEST(NbodyTipsy, GivesBackFloatsExactly) {
  const auto path = scratch("bodies.tipsy");
  write_bodies(path, the_three, {.time = 2, .softening = 0.5});
  EXPECT_EQ(read_bodies(path), the_three);
  EXPECT_EQ(std::filesystem::file_size(path), 32U + 3 * 36);
  // Other numbers are rounded to the nearest float: the relative error is at most 2^-24.
  write_bodies(path, {{0.1, 1.0 / 3, -1e-3, 1e9 + 1, 0, 0, 0}});
  const Body back = read_bodies(path).front();
  EXPECT_NEAR(back.mass, 0.1, 0.1 * 0x1p-24);
  EXPECT_NEAR(back.x, 1.0 / 3, 0x1p-24 / 3);
  EXPECT_NEAR(back.z, 1e9 + 1, 1e9 * 0x1p-24);
  EXPECT_NE(back.mass, 0.1);
  std::filesystem::remove(path);
}

TEST(NbodyTipsy, RefusesToWriteNumbersBeyondFloats) {
  const auto path = scratch("large.tipsy");
  try {
    write_bodies(path, {{1, 0, 0, 0, 0, 0, 0}, {1, 1e300, 0, 0, 0, 0, 0}});
    ADD_FAILURE() << "wrote it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("x of point 2 is 1e+300"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(NbodyTipsy, RefusesHeadersThatDoNotFitTheFile) {
  for (const Order order : {Order::big, Order::little}) {
    const std::string good = one_of_each(order);
    EXPECT_NE(tipsy_refusal(good.substr(0, good.size() - 1)).find("159 bytes"), std::string::npos) << "cut off";
    EXPECT_NE(tipsy_refusal(good + '\0').find("161 bytes"), std::string::npos) << "too long";
    EXPECT_NE(tipsy_refusal(good.substr(0, 32)).find("160 bytes for the 3 bodies"), std::string::npos);
    EXPECT_NE(tipsy_refusal(good.substr(0, 31)).find("a header of 32 bytes"), std::string::npos);
    const auto header = [&](auto... numbers) { return tipsy_refusal(Bytes(order).header(numbers...).text()); };
    EXPECT_NE(header(2147483647, 0, 2147483647, 0).find("expected 77309411324 bytes"), std::string::npos);
    EXPECT_NE(header(-1, 0, 0, -1).find("star particles: expected 0 or more, got \"-1\""), std::string::npos);
    EXPECT_NE(header(-1, 0, 0, -1).find("byte 24"), std::string::npos);
    EXPECT_NE(header(0, -2147483647, 2147483647, 0).find("gas particles: expected 0 or more, got \"-2147483647\""),
              std::string::npos);
    EXPECT_NE(header(5, 1, 1, 1).find("number of bodies: expected 3"), std::string::npos);
    // A sum of counts that wraps round in 32 bits.
    EXPECT_NE(header(0, 2147483647, 2147483647, 2).find("number of bodies: expected 4294967296"), std::string::npos);
    EXPECT_NE(header(0, 0, 0, 0).find("no bodies"), std::string::npos);
    EXPECT_NE(header(1, 0, 1, 0, 2).find("three dimensions"), std::string::npos);
  }
  EXPECT_NE(tipsy_refusal("").find("a header of 32 bytes"), std::string::npos);
  EXPECT_NE(tipsy_refusal(std::string(200, 'x')).find("three dimensions"), std::string::npos);
}

TEST(NbodyTipsy, RefusesInvalidBodies) {
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(tipsy_refusal(dark_body(1, 2)), "accepted");
  EXPECT_NE(tipsy_refusal(dark_body(-1, 0)).find("mass: expected a finite number of 0 or more, got \"-1\""),
            std::string::npos);
  EXPECT_NE(tipsy_refusal(dark_body(-1, 0)).find("byte 32, body 1"), std::string::npos);
  EXPECT_NE(tipsy_refusal(dark_body(std::nanf(""), 0)).find("mass: expected"), std::string::npos);
  EXPECT_NE(tipsy_refusal(dark_body(infinite, 0)).find("mass: expected"), std::string::npos);
  EXPECT_NE(tipsy_refusal(dark_body(1, infinite)).find("coordinate"), std::string::npos);
}

TEST(NbodyFile, RefusesEndlessAndTooLargeFiles) {
  const auto link = scratch("endless.csv");
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/dev/zero", link);
  EXPECT_THROW((void)read_bodies(link), Error);
  std::filesystem::remove(link);
  const auto sparse = scratch("sparse.npy");
  write_file(sparse, "\x93NUMPY");
  std::filesystem::resize_file(sparse, std::uintmax_t{1} << 40);
  try {
    (void)read_bodies(sparse);
    ADD_FAILURE() << "read it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("too large"), std::string::npos) << error.what();
  }
  std::filesystem::remove(sparse);
  EXPECT_THROW((void)read_bodies(scratch("nowhere.tipsy")), Error);
}
