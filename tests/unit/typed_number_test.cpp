/// Typed numbers: unambiguous ones are read, ambiguous ones are refused with both meanings.
#include "base/written_number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/parameter.hpp"
#include "base/philox.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

using Case = std::pair<const char*, const char*>;

std::string refusal(std::string_view typed, NumberKind kind) {
  try {
    return "taken for " + plain_number("--x", typed, kind);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(TypedNumber, OneMeaningIsUnderstood) {
  for (const auto& [typed, meant] : {Case{"0,75", "0.75"},
                                     {"\u22120,75", "-0.75"},
                                     {"-1,401155189092", "-1.401155189092"},
                                     {"0,125", "0.125"},
                                     {"1234,567", "1234.567"},
                                     {"1.234,5", "1234.5"},
                                     {"1,234.5", "1234.5"},
                                     {"1,234,567", "1234567"},
                                     {"1.234.567", "1234567"},
                                     {"1 234,5", "1234.5"},
                                     {"200\u00a0000", "200000"},
                                     {"12\u202f345,6", "12345.6"},
                                     {"12'345.6", "12345.6"},
                                     {"12\u2019345", "12345"},

                                     {"1,5e-3", "1.5e-3"},
                                     {"\u22121,234e5", "-1.234e5"},
                                     {" 7 ", "7"},
                                     {"\u202f24\u00a0", "24"},
                                     {",5", ".5"},
                                     {"+3", "3"},
                                     {"1.234", "1.234"}})
    EXPECT_EQ(plain_number("--x", typed), meant);
  for (const auto& [typed, meant] : {Case{"200,000", "200000"},
                                     {"200 000", "200000"},
                                     {"1,234,567", "1234567"},
                                     {"4096", "4096"},
                                     {"-1\u00a0000", "-1000"},
                                     {"1.5e3", "1.5e3"}})
    EXPECT_EQ(plain_number("--x", typed, NumberKind::whole), meant);
}

TEST(TypedNumber, TwoMeaningsAreRefusedWithBoth) {
  EXPECT_EQ(refusal("1,234", NumberKind::real), "--x: expected either 1.234 or 1234, got \"1,234\"");
  EXPECT_EQ(refusal("\u22121,234", NumberKind::real), "--x: expected either -1.234 or -1234, got \"\u22121,234\"");
  EXPECT_EQ(refusal("200.000", NumberKind::whole), "--x: expected either 200 or 200000, got \"200.000\"");
}

TEST(TypedNumber, TextThatIsNoNumberIsUnchanged) {
  for (const char* typed : {"", "-", "one", "1,2,3", "1.2.3", "12,34,567", "1 2", "5 3", "1 234 56", "- 5", "1,2.3,4",
                            "0,123,456", "e5", ",", "1 ,5"})
    for (const NumberKind kind : {NumberKind::real, NumberKind::whole})
      EXPECT_EQ(plain_number("--x", typed, kind), typed);
}

// Each notation of a number is read as that number and never as another.
TEST(TypedNumber, NoNumberIsTakenForAnother) {
  constexpr int trials = 2000;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    const PhiloxBlock random = philox4x32({trial, 0, 0, 0}, {7, 0});
    const std::string digits = std::to_string(random[0] % 100000000), fraction = std::to_string(random[1] % 1000000);
    constexpr std::array<const char*, 6> groups{"", ",", ".", " ", "\u202f", "'"};
    const std::string group = groups[random[2] % groups.size()], point = random[3] % 2 == 0 ? "." : ",";
    if (group == point) continue;
    std::string grouped;
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (i > 0 && (digits.size() - i) % 3 == 0) grouped += group;
      grouped.push_back(digits[i]);
    }
    const auto real = parse_real(digits + "." + fraction), whole = parse_real(digits);
    try {
      EXPECT_EQ(typed_real("x", grouped + point + fraction), real) << grouped << point << fraction;
    } catch (const Error&) {
      EXPECT_EQ(point, ",");  // the point may group three digits
      EXPECT_EQ(fraction.size(), 3U);
    }
    try {
      const bool one_point = std::ranges::count(grouped, '.') == 1;
      EXPECT_EQ(typed_real("x", grouped), one_point ? parse_real(grouped) : whole) << grouped;
    } catch (const Error&) {
      EXPECT_EQ(group, ",");
    }
  }
}

TEST(TypedNumber, ParametersAndDecimalsReadIt) {
  double real = 0;
  std::int64_t whole = 0;
  Parameter({.name = "softening", .maximum = 10}, &real).assign_text("0,02");
  Parameter({.name = "bodies", .maximum = 1e9}, &whole).assign_text("200,000");
  EXPECT_EQ(real, 0.02);
  EXPECT_EQ(whole, 200000);
  EXPECT_EQ(Decimal::parse("\u22121,40115518909205060052382", "re").text(), "-1.40115518909205060052382");
  EXPECT_EQ(refusal_of({.name = "dt", .maximum = 1e4}, 0.1, "1,234"), "Expected either 1.234 or 1234, got 1,234");
  EXPECT_EQ(typed_integer("x", "1e6"), 1000000);
  EXPECT_EQ(typed_integer("x", "1.5"), std::nullopt);
}

}  // namespace
}  // namespace orrery
