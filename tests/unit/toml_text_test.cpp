/// What is written as TOML is read again as it was.
#include "base/toml_text.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(TomlText, TextsAreReadAgainAsTheyWere) {
  for (const std::string text : {"", "plain", "it's", "'''", "two\nlines", "\nbegins with a break", "\r\nas elsewhere",
                                 "it's\ntwo", "a ''' within\nlines", "ends with a quote'\n'", "\"quoted\"\n\\",
                                 "tab\there", "bell \x07\x7f", "\xc3\xa9t\xc3\xa9\n", "\xef\xbb\xb7"}) {
    const toml::table document{{"section", toml::table{{"text", text}, {"list", toml::array{text, "other\nlines"}}}}};
    toml::table again;
    ASSERT_NO_THROW(again = toml::parse(toml_text(document))) << toml_text(document);
    EXPECT_EQ(again, document) << toml_text(document);
  }
}

TEST(TomlText, SeveralLinesStayLegible) {
  EXPECT_NE(toml_text(toml::table{{"bodies", "mass,x\n1,0\n"}}).find("mass,x\n1,0\n"), std::string::npos);
}

TEST(TomlText, BareKeys) {
  for (const char* key : {"a", "work-group", "A_1", "0"}) EXPECT_TRUE(is_bare_key(key)) << key;
  for (const char* key : {"", "a b", "a'b", "a.b", "\xc3\xa9"}) EXPECT_FALSE(is_bare_key(key)) << key;
}

}  // namespace
}  // namespace orrery
