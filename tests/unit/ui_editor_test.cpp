// The kernel editor's pane without a window: its state and its commands.
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "ui/panels.hpp"

#include "scenes/nbody/panels/panels.hpp"

namespace orrery::ui {
namespace {

using Changes = std::vector<bool>;

TEST(ChangedLines, AreThoseMissingInTheOriginal) {
  EXPECT_EQ(changed_lines("a\nb\nc", "a\nb\nc"), (Changes{false, false, false}));
  EXPECT_EQ(changed_lines("a\nb\nc\nd", "a\nx\nc\ny"), (Changes{false, true, false, true}))
      << "not all between two edits";
  EXPECT_EQ(changed_lines("a\nc", "a\nb\nc"), (Changes{false, true, false}));
  EXPECT_EQ(changed_lines("a\nb\nc", "a\nc"), (Changes{false, true})) << "behind what was left out";
  EXPECT_EQ(changed_lines("a\nb", "a"), (Changes{true})) << "the last line, where nothing is behind";
  EXPECT_EQ(changed_lines("", "a\nb"), (Changes{true, true}));
  EXPECT_EQ(changed_lines("a\nb", ""), (Changes{true}));
}

struct Pane : testing::Test {
  WindowSnapshot window;
  UiState state;
  Fonts fonts;
  command::Commands sent;

  Pane() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 720};
    io.DeltaTime = 1.0F / 60;
    apply_theme(1);
    fonts = load_fonts({}, 1);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    window.device_name = "A device";
    window.scenes = {{"nbody", "N-body"}};
    window.scene.name = "nbody";
    window.scene.panels = std::make_shared<NbodyPanels>(NbodySnapshot{});
    window.editor.files.resize(2);
    window.editor.files[0].name = "a.cl";
    window.editor.files[1].name = "b.cl";
    show("a.cl", "one\ntwo\n");
    frame();
  }
  ~Pane() override { ImGui::DestroyContext(); }

  void show(const std::string& file, const std::string& text) {
    window.editor.open = file;
    window.editor.text = window.editor.original = std::make_shared<const std::string>(text);
    ++window.editor.revision;
  }
  void frame() {
    ImGui::NewFrame();
    draw_ui(window, state, fonts, sent);
    ImGui::Render();
  }
  template <class Command>
  const Command* last() const {
    for (auto command = sent.rbegin(); command != sent.rend(); ++command)
      if (const auto* found = std::get_if<Command>(&*command)) return found;
    return nullptr;
  }
};

TEST_F(Pane, ShowsTheTextAndSavesTypedText) {
  EXPECT_EQ(state.editor.text, "one\ntwo\n");
  state.editor.text = "one\nTWO\n";
  state.editor.save = true;
  frame();
  const auto* saved = last<command::SaveKernel>();
  ASSERT_NE(saved, nullptr);
  EXPECT_EQ(saved->file, "a.cl");
  EXPECT_EQ(saved->text, "one\nTWO\n");
  EXPECT_EQ(state.editor.changed, (Changes{false, true, false}));
}

TEST_F(Pane, EditsSurviveALookAtAnotherFile) {
  state.editor.text = "typed";
  frame();
  show("b.cl", "another");
  frame();
  EXPECT_EQ(state.editor.text, "another");
  show("a.cl", "one\ntwo\n");
  frame();
  EXPECT_EQ(state.editor.text, "typed");
}

TEST_F(Pane, AFileThatIsSavedElsewhereIsTakenUnlessSomethingWasTyped) {
  show("a.cl", "saved elsewhere");
  frame();
  EXPECT_EQ(state.editor.text, "saved elsewhere");
  state.editor.text = "typed";
  frame();
  show("a.cl", "saved again");
  frame();
  EXPECT_EQ(state.editor.text, "typed") << "typed text is kept";
  EXPECT_TRUE(state.editor.elsewhere);
}

TEST_F(Pane, TakesItsPlaceFromThePicture) {
  const Rect picture = picture_area(state, 1280, 720, 1), editor = editor_area(state, 1280, 720, 1);
  EXPECT_EQ(picture.height + editor.height, 720) << "below it where there is no room beside it";
  EXPECT_EQ(picture.y + picture.height, editor.y);
  const Rect wide = picture_area(state, 2560, 1440, 1), beside = editor_area(state, 2560, 1440, 1);
  EXPECT_EQ(wide.x + wide.width, beside.x);
  EXPECT_EQ(beside.x + beside.width, 2560);
  window.editor.open.clear();
  frame();
  const Rect whole = picture_area(state, 1280, 720, 1), past = editor_area(state, 1280, 720, 1);
  EXPECT_EQ(whole.height + past.height, 720);
  EXPECT_EQ(past.height, 34) << "the strip of the past comes back";
}

TEST_F(Pane, MessagesOfAnyLineAreDrawn) {
  using Kind = CompilerMessage::Kind;
  window.editor.messages = {{Kind::error, "a.cl", 2, 1, "wrong"},
                            {Kind::error, "a.cl", 99, 1, "beyond"},
                            {Kind::error, {}, 0, 0, "nowhere"},
                            {Kind::warning, "b.cl", 1, 0, "hm"}};
  window.editor.files[0].refused = window.editor.files[1].modified = true;
  state.editor.code.jump = 99;
  for (int i = 0; i < 4; ++i) frame();
  EXPECT_EQ(state.editor.text, "one\ntwo\n");
  EXPECT_EQ(window.editor.modified_names(), "b.cl");
}

}  // namespace
}  // namespace orrery::ui
