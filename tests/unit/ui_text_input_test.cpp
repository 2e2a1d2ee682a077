// Text fields whose text the program also changes: undo leads back to the beginning, redo to the end.
#include "ui/text_input.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace orrery::ui {
namespace {

struct TextField : testing::Test {
  std::string text;       ///< text of the field
  std::string completed;  ///< text after Tab
  bool focuses = true, hidden = false;

  TextField() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 300};
    io.DeltaTime = 1.0F / 60;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
#if IMGUI_VERSION_NUM < 18700
    for (const ImGuiKey key : {ImGuiKey_Tab, ImGuiKey_Backspace, ImGuiKey_Y, ImGuiKey_Z}) io.KeyMap[key] = key;
#endif
    begin();
  }
  ~TextField() override { ImGui::DestroyContext(); }

  void frame() {
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({300, 200});
    ImGui::Begin("window");
    if (std::exchange(focuses, false)) ImGui::SetKeyboardFocusHere();
    const auto complete = [](ImGuiInputTextCallbackData* data) {
      replace_text(*data, *static_cast<std::string*>(data->UserData));
      return 0;
    };
    if (!hidden)
      text_input("##field", text,
                 {.flags = ImGuiInputTextFlags_CallbackCompletion, .callback = complete, .user = &completed});
    ImGui::End();
    ImGui::Render();
  }
  /// Gives the field the keyboard.
  void begin() {
    focuses = true;
    for (int k = 0; k < 3; ++k) frame();
  }
  void leave() {
    hidden = true;
    for (int k = 0; k < 3; ++k) frame();
    hidden = false;
    frame();
  }
  void press(ImGuiKey key, bool control = false) {
    ImGuiIO& io = ImGui::GetIO();
    for (const bool down : {true, false}) {
#if IMGUI_VERSION_NUM < 18700
      io.KeyCtrl = down && control;
      io.KeysDown[key] = down;
#else
      if (control) io.AddKeyEvent(ImGuiMod_Ctrl, down);
      io.AddKeyEvent(key, down);
#endif
      frame();
      frame();
    }
  }
  void type(char letter) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(letter));
    frame();
    frame();
  }
  void undo() { press(ImGuiKey_Z, true); }
  void redo() { press(ImGuiKey_Y, true); }
};

TEST_F(TextField, ACompletionIsUndoneAndRedone) {
  for (const char letter : std::string("/tm")) type(letter);
  completed = "/tmp/";
  press(ImGuiKey_Tab);
  EXPECT_EQ(text, "/tmp/");
  undo();
  EXPECT_EQ(text, "/tm");
  redo();
  EXPECT_EQ(text, "/tmp/");
  text = "";  // changed by the program during typing
  frame();
  undo();
  EXPECT_EQ(text, "/tmp/");
}

TEST_F(TextField, AFieldThatBeginsWithAnotherTextHasNothingToUndo) {
  for (const char letter : std::string("a long text")) type(letter);
  leave();
  text = "b";
  begin();
  undo();
  redo();
  EXPECT_EQ(text, "b");
}

TEST_F(TextField, UndoLeadsToTheBeginningAndRedoToTheEndAfterAnyInput) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 dice(seed);
    const auto any = [&](int count) { return static_cast<int>(dice() % static_cast<unsigned>(count)); };
    const auto some_text = [&] {
      std::string made(static_cast<std::size_t>(any(12)), 'x');
      for (char& letter : made) letter = static_cast<char>('a' + any(3));
      return made;
    };
    leave();
    text = some_text() + "?";
    begin();
    const std::string first = text;
    for (int step = 0; step < 25; ++step) {
      const int what = any(6);
      if (what < 2) type(static_cast<char>('a' + any(3)));
      if (what == 2) press(ImGuiKey_Backspace);
      if (what == 3) completed = some_text(), press(ImGuiKey_Tab);
      if (what == 4) text = some_text(), frame();
      if (what == 5) undo();
    }
    for (int k = 0; k < 30; ++k) undo();
    EXPECT_EQ(text, first) << "seed " << seed;
    for (int k = 0; k < 30; ++k) redo();
    for (int k = 0; k < 30; ++k) undo();
    EXPECT_EQ(text, first) << "seed " << seed;
  }
}

}  // namespace
}  // namespace orrery::ui
