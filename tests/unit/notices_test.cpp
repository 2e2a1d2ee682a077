#include "shell/window/notices.hpp"

#include <gtest/gtest.h>

namespace orrery::shell {
namespace {

TEST(Notices, stay_when_the_time_of_an_earlier_one_is_over) {
  Notices notices;
  notices.show("Copied the command line");
  notices.show("Loaded view.toml", "view.toml");
  notices.pass("Copied the command line");  // requested in the previous frame
  EXPECT_EQ(notices.notice().text, "Loaded view.toml");
  EXPECT_EQ(notices.notice().file, "view.toml");
  notices.pass("Loaded view.toml");
  EXPECT_EQ(notices.notice().text, "");
}

}  // namespace
}  // namespace orrery::shell
