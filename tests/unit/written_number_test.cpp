/// Written numbers have one value, or two possible ones.
#include "base/written_number.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/text.hpp"

using namespace orrery;

namespace {

constexpr auto none = std::nullopt;

std::optional<double> value(const std::optional<std::string>& plain) { return plain ? parse_real(*plain) : none; }

void expect(const char* text, std::optional<double> with_point, std::optional<double> with_comma) {
  const WrittenNumber number = read_written_number(text);
  EXPECT_EQ(value(number.with_point), with_point) << text;
  EXPECT_EQ(value(number.with_comma), with_comma) << text;
}

}  // namespace

TEST(WrittenNumbers, WithoutMarksHaveOneValue) {
  for (const char* text : {"12", "+12", "1.2e1", "1.2E+1", "120D-1", "12."})
    EXPECT_EQ(value(read_written_number(text).with_point), 12) << text;
  expect("0", 0, 0);
  expect("-12", -12, -12);
  expect("\u221212", -12, -12);
  expect("1e-5", 1e-5, 1e-5);
  expect("1d\u22125", 1e-5, 1e-5);
  EXPECT_TRUE(std::signbit(*value(read_written_number("-0").with_point)));
}

TEST(WrittenNumbers, HaveADecimalPointOrADecimalComma) {
  expect("1.5", 1.5, none);
  expect("1,5", none, 1.5);
  expect(".5", 0.5, none);
  expect(",5", none, 0.5);
  expect("0.125", 0.125, none);
  expect("0,125", none, 0.125);
  expect("1234,567", none, 1234.567);
  expect("1.234e3", 1234, none);
  expect("1,234", 1234, 1.234);
  expect("1.234", 1.234, 1234);
  EXPECT_TRUE(read_written_number("-1,234").has_two_meanings());
  EXPECT_FALSE(read_written_number("1,5").has_two_meanings());
  EXPECT_FALSE(read_written_number("7").has_two_meanings());
}

TEST(WrittenNumbers, MayHaveGroupsOfThreeDigits) {
  expect("1,234.5", 1234.5, none);
  expect("1.234,5", none, 1234.5);
  expect("1,234,567", 1234567, none);
  expect("12\u202f345\u202f678", 12345678, 12345678);
  expect("1\u00a0234,5", none, 1234.5);
  expect("1'234.5", 1234.5, none);
  expect("1\u2019234", 1234, 1234);
  expect("1 234 567,5", none, 1234567.5);
}

TEST(WrittenNumbers, ExponentsAreRaised) {
  EXPECT_EQ(superscript(17), "¹⁷");
  EXPECT_EQ(superscript(-2034), "⁻²⁰³⁴");
  EXPECT_EQ(superscript(0), "⁰");
}

TEST(WrittenNumbers, SizesHaveACross) {
  constexpr std::array expected{std::int64_t{1920}, std::int64_t{1080}};
  for (const char* text : {"1920x1080", "1920X1080", "1920×1080", "1,920 × 1,080", " 1 920x1 080 "})
    EXPECT_EQ(typed_size("--size", text), expected) << text;
  for (const char* text : {"", "x", "1920", "1920x", "x1080", "1920xx1080", "1.5x2", "2x3x4", "1920*1080"})
    EXPECT_EQ(typed_size("--size", text), std::nullopt) << text;
}

TEST(WrittenNumbers, AreRefusedInOtherForms) {
  for (const char* text :
       {"",          "-",    "+-1",  "--1",   "nan",        "inf",      "0x10",         "1e",        "e5",
        ".",         ",",    "1..2", "1,2,3", "1.2.3",      "1,23,456", "1234,567,890", "1,234'567", "1 23",
        "1,234.5,6", "'123", "123'", "1'23",  "12,345e3.5", "1.5x",     "one"})
    EXPECT_FALSE(read_written_number(text).is_number()) << text;
}
