/// Keys: no two bindings of one scene conflict. manual_test.cpp compares them with the manual's list.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scene/scene_kind.hpp"
#include "shell/scene_commands.hpp"

using namespace orrery;

namespace {

bool is_complete(const KeyBinding& binding) { return binding.shown.empty() == binding.help.empty(); }

std::string pressed(const KeyBinding& binding) {
  return std::to_string(static_cast<int>(binding.key)) + (binding.modifiers.control ? " control" : "") +
         (binding.modifiers.alt ? " alt" : "") + (binding.modifiers.shift ? " shift" : "");
}

}  // namespace

TEST(key_bindings, no_key_of_a_scene_means_two_things) {
  for (const SceneKind* kind : scene_kinds()) {
    std::set<std::string> seen;
    for (const KeyBindings keys : {shell::window_keys(), kind->keys})
      for (const KeyBinding& each : keys) {
        const bool is_new = !each.action || seen.insert(pressed(each)).second;
        EXPECT_TRUE(is_new) << kind->name << ": " << each.shown;
        EXPECT_EQ(each.action.has_value(), each.key != Key::none) << kind->name << ": " << each.shown;
        EXPECT_TRUE(is_complete(each)) << kind->name << ": " << each.shown;
      }
  }
}

TEST(key_bindings, a_key_is_found_with_its_modifiers_only) {
  const KeyBindings keys = shell::window_keys();
  ASSERT_NE(find_binding(keys, key('Q'), with_control), nullptr);
  EXPECT_EQ(find_binding(keys, key('Q'), {}), nullptr);
  EXPECT_EQ(find_binding(keys, key('D'), with_control), nullptr);
  EXPECT_NE(find_binding(keys, key('D'), {.shift = true}), nullptr);
  EXPECT_NE(find_binding(keys, key('C'), with_control_and_shift), nullptr);
  const auto panels = [&](Modifiers held) {
    return std::get<command::SaveScreenshot>(*find_binding(keys, Key::f12, held)->action).panels;
  };
  EXPECT_FALSE(panels({}));
  EXPECT_TRUE(panels(with_shift));
  EXPECT_FALSE(panels(with_control));
  EXPECT_EQ(find_binding(keys, key('C'), with_control), nullptr) << "Shift counts together with Control";
  EXPECT_EQ(find_binding(keys, Key::none, {}), nullptr) << "gestures are no keys";
}

// The labels of a Russian keyboard.
TEST(key_bindings, a_list_names_what_is_printed_on_a_key) {
  const OtherLetters russian{{'Z', "я"}, {'T', "е"}, {'[', "х"}, {']', "ъ"}};
  EXPECT_EQ(shown_on(russian, "T"), "T (е)");
  EXPECT_EQ(shown_on(russian, "Ctrl+Shift+Z"), "Ctrl+Shift+Z (я)");
  EXPECT_EQ(shown_on(russian, "[ and ]"), "[ (х) and ] (ъ)");
  for (const char* key : {"Tab", "F12", "Z1"}) EXPECT_EQ(shown_on(russian, key), key);
  EXPECT_EQ(shown_on({}, "Ctrl+Z"), "Ctrl+Z");
}
