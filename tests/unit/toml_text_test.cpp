/// Values written as TOML are read back unchanged.
#include "base/files/toml_text.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

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

std::string refusal(const std::string& text) {
  try {
    parse_toml(text, "mine.toml");
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t k = 0; k < times; ++k) text += part;
  return text;
}

// Each kind of nesting, to the last allowed level and one more.
TEST(TomlDepth, IsRefusedBeforeItIsParsed) {
  const auto nested = [](const std::string& before, const std::string& opens, const std::string& within,
                         const std::string& closes, std::size_t depth, const std::string& after) {
    return before + repeated(opens, depth) + within + repeated(closes, depth) + after;
  };
  for (const std::size_t more : {std::size_t{0}, std::size_t{1}, std::size_t{100'000}}) {
    const std::size_t depth = most_toml_depth - 1 + more;
    for (const std::string& text : {
             nested("", "a.", "a = 1", "", depth, "\n"),
             nested("[", "a.", "a", "", depth, "]\n"),
             nested("[[", "a.", "a", "", depth, "]]\nb = 1\n").substr(0, more > 0 ? std::string::npos : 0),
             nested("", "\"a.b\".", "'a.b'= 1", "", depth, "\n"),
             nested("a = ", "[", "1", "]", depth, "\n"),
             nested("a = [", "[\n", "1", "\n], ", depth - 1, "]\n"),
             nested("a = ", "{b=", "1", "}", depth, "\n"),
             nested("[x]\ny = {b = 1, ", "a.", "c = '.'", "", depth - 2, "}\n"),
             nested("s = \"\"\"\n\\\"\"\" . \"\"\"\"\"\nt = '''a''''\n# '''\n", "a.", "a = 1", "", depth, "\n"),
         }) {
      const std::string message = refusal(text);
      EXPECT_EQ(message.find("nested too deeply") != std::string::npos, more > 0) << text.substr(0, 100) << message;
      EXPECT_EQ(message.empty(), more == 0) << text.substr(0, 100) << message;
    }
  }
  EXPECT_NE(refusal("a = 1\n[b]\n" + repeated("c.", 64) + "d = 1").find("mine.toml:3:"), std::string::npos);
}

TEST(TomlDepth, DotsOutsideOfKeysAddNoDepth) {
  EXPECT_EQ(refusal("a = " + std::string(1, '"') + repeated(".", 1000) + "\"\nb = '" + repeated("[{.", 1000) + "'"),
            "");
  EXPECT_EQ(refusal("# " + repeated("a.[{", 1000) + "\na = 1"), "");
  EXPECT_EQ(refusal("a = [" + repeated("1.5, 2020-01-01T00:00:00.5, ", 1000) + "]"), "");
  EXPECT_EQ(refusal(repeated("[[a.b]]\nc.d = 1.5\n", 1000)), "");
  EXPECT_EQ(refusal("a = [" + repeated("{b.c = 1, d = [1.5]}, ", 1000) + "]"), "");
  EXPECT_EQ(refusal("a = \"\"\"" + repeated(".\\\"[\"\"", 1000) + "\"\"\""), "");
}

TEST(TomlText, SeveralLinesStayLegible) {
  EXPECT_NE(toml_text(toml::table{{"bodies", "mass,x\n1,0\n"}}).find("mass,x\n1,0\n"), std::string::npos);
}

TEST(TomlText, KeysOfLettersDigitsDashesAndUnderscoresAreBare) {
  for (const char* key : {"a", "work-group", "A_1", "0"}) EXPECT_TRUE(is_bare_key(key)) << key;
  for (const char* key : {"", "a b", "a'b", "a.b", "\xc3\xa9"}) EXPECT_FALSE(is_bare_key(key)) << key;
}

}  // namespace
}  // namespace orrery
