#include "shell/window/screen.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "base/files/path.hpp"
#include "shell/window/system_fonts.hpp"
#include "ui/clipboard.hpp"

namespace orrery::shell {
namespace {

// Beside the executable's other resources; see app/dependencies.cmake.
std::filesystem::path font_folder() {
  std::error_code ignored;
  for (const auto& folder : {executable_folder() / "fonts", asset_folder() / "fonts"})
    if (std::filesystem::is_directory(folder, ignored)) return folder;
  return {};
}

int number_of(PointerButton button) {
  return button == PointerButton::left    ? GLFW_MOUSE_BUTTON_LEFT
         : button == PointerButton::right ? GLFW_MOUSE_BUTTON_RIGHT
                                          : GLFW_MOUSE_BUTTON_MIDDLE;
}

template <class... F>
struct OneOf : F... {
  using F::operator()...;
};
template <class... F>
OneOf(F...) -> OneOf<F...>;

bool overlap(const PixelBox& a, const PixelBox& b) {
  return a.from.x < b.to.x && b.from.x < a.to.x && a.from.y < b.to.y && b.from.y < a.to.y;
}

}  // namespace

ImGuiLayer::ImGuiLayer(Window& window) : window_(window) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window_.handle(), false);  // input comes from take()
  ImGui_ImplOpenGL3_Init("#version 430 core");
  follow_look();
}

ImGuiLayer::~ImGuiLayer() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void ImGuiLayer::set_look(const ui::Look& look) {
  chosen_scale_ = look.scale;
  chosen_theme_ = look.theme;
}

void ImGuiLayer::follow_look() {
  constexpr float most = 5;  // largest scale whose glyphs fit into a texture
  const float scale = std::min(most, chosen_scale_ * window_.scale());
  const std::size_t before = looked_for_.size();
  looked_for_.merge(std::exchange(ui::missing_characters(), {}));
  if (looked_for_.size() > before) system_fonts_ = system_fonts_for(looked_for_);
  if (scale != scale_ || theme_ != chosen_theme_) ui::apply_theme(scale, chosen_theme_);
  theme_ = chosen_theme_;
  if (scale == std::exchange(scale_, scale) && looked_for_.size() == before) return;
  load_fonts();
}

void ImGuiLayer::load_fonts() {
  fonts_ = ui::load_fonts(font_folder(), scale_, system_fonts_);
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void ImGuiLayer::take(const std::vector<InputEvent>& events) {
  GLFWwindow* const window = window_.handle();
  const auto modifiers = [](Modifiers m) {
    return (m.shift ? GLFW_MOD_SHIFT : 0) | (m.control ? GLFW_MOD_CONTROL : 0) | (m.alt ? GLFW_MOD_ALT : 0);
  };
  const auto hand_over = OneOf{
      [&](const MouseMove& move) {
        mouse_ = move.at;
#if IMGUI_VERSION_NUM >= 18700
        ImGui_ImplGlfw_CursorPosCallback(window, move.at.x, move.at.y);
#endif
      },
      [&](const MouseInside& mouse) { ImGui_ImplGlfw_CursorEnterCallback(window, mouse.inside); },
      [&](const MouseButton& event) {
        buttons_[static_cast<std::size_t>(event.button)] = event.pressed;
        ImGui_ImplGlfw_MouseButtonCallback(window, number_of(event.button), event.pressed ? GLFW_PRESS : GLFW_RELEASE,
                                           modifiers(event.modifiers));
      },
      [&](const MouseWheel& wheel) { ImGui_ImplGlfw_ScrollCallback(window, wheel.across, wheel.steps); },
      [&](const KeyEvent& event) {
        using enum KeyEvent::What;
        // Tab moves between fields; if no field has the keyboard, it changes the scene.
        const bool is_tab = event.key == Key::tab || event.key == Key::back_tab;
        if (is_tab && event.what != released && !has_keyboard() && !keyboard_) return;
        if (event.key == key('V') && event.modifiers.control && event.what != released)
          ui::note_missing_characters(ui::clipboard_text());
        const int action = event.what == released ? GLFW_RELEASE : event.what == repeated ? GLFW_REPEAT : GLFW_PRESS;
        const auto tell = [&](int code) {
          ImGui_ImplGlfw_KeyCallback(window, code, event.scancode, action, modifiers(event.modifiers));
        };
#if IMGUI_VERSION_NUM < 18700
        // Dear ImGui's Tab only reaches fields.
        if (is_tab && keyboard_ && !has_keyboard()) return tell(event.modifiers.shift ? GLFW_KEY_UP : GLFW_KEY_DOWN);
        // Later versions find the letters of the layout themselves.
        const bool letter = event.key >= key('A') && event.key <= key('Z') && static_cast<int>(event.key) != event.code;
        if (letter && (event.modifiers.control || event.what == released)) {
          tell(static_cast<int>(event.key));
          if (event.what != released) return;
        }
#endif
        tell(event.code);
      },
      [&](const Character& character) {
        ui::note_missing_character(character.code_point);
        ImGui_ImplGlfw_CharCallback(window, character.code_point);
      },
      [&](const Focus& focus) { ImGui_ImplGlfw_WindowFocusCallback(window, focus.gained); },
      [](const FileDrop&) {}};
  for (const InputEvent& event : events) std::visit(hand_over, event);
}

void ImGuiLayer::begin() {
  if (std::exchange(begun_, true)) return;
  follow_look();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
  if (mouse_ && ImGui::IsMousePosValid(&io.MousePos)) io.MousePos = {float(mouse_->x), float(mouse_->y)};
  for (std::size_t k = 0; k < buttons_.size(); ++k)
    io.MouseDown[number_of(static_cast<PointerButton>(k))] = buttons_[k];
#endif
  // A list handles the arrows, Enter and Esc; panels handle keys only if wanted.
  list_open_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const bool leads = list_open_ || keyboard_;
  io.ConfigFlags = leads ? io.ConfigFlags | ImGuiConfigFlags_NavEnableKeyboard
                         : io.ConfigFlags & ~ImGuiConfigFlags_NavEnableKeyboard;
#if IMGUI_VERSION_NUM < 18700
  // Dear ImGui only chooses with Space.
  if (leads && io.KeysDown[GLFW_KEY_ENTER]) io.NavInputs[ImGuiNavInput_Activate] = 1;
#endif
  ImGui::NewFrame();
}

void ImGuiLayer::end() {
  begun_ = false;
  ImGui::Render();
}

void ImGuiLayer::draw() const { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

void ImGuiLayer::draw(ImDrawList& drawing, const ui::Rect& area, glm::vec2 pixels_per_unit) const {
  ImDrawData data;
  data.DisplayPos = {area.x, area.y};
  data.DisplaySize = {area.width, area.height};
  data.FramebufferScale = {pixels_per_unit.x, pixels_per_unit.y};
  data.TotalVtxCount = drawing.VtxBuffer.Size;
  data.TotalIdxCount = drawing.IdxBuffer.Size;
  data.Valid = true;
#if IMGUI_VERSION_NUM >= 18960
  data.CmdLists.push_back(&drawing);
  data.CmdListsCount = 1;
#else
  ImDrawList* lists[] = {&drawing};
  data.CmdLists = lists;
  data.CmdListsCount = 1;
#endif
#if IMGUI_VERSION_NUM >= 19200
  data.Textures = &ImGui::GetPlatformIO().Textures;
#endif
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

std::vector<PixelBox> ImGuiLayer::drawn_parts() const {
  const ImDrawData& data = *ImGui::GetDrawData();
  const glm::vec2 scale(data.FramebufferScale.x, data.FramebufferScale.y);
  const glm::vec2 corner(data.DisplayPos.x, data.DisplayPos.y), size(data.DisplaySize.x, data.DisplaySize.y);
  std::vector<PixelBox> parts;
  for (int k = 0; k < data.CmdListsCount; ++k) {
    const ImDrawList& list = *data.CmdLists[k];
    for (const ImDrawCmd& drawn : list.CmdBuffer) {
      glm::vec2 low(drawn.ClipRect.z, drawn.ClipRect.w), high(drawn.ClipRect.x, drawn.ClipRect.y);
      for (unsigned i = 0; i < drawn.ElemCount; ++i) {
        const ImDrawVert& vertex =
            list.VtxBuffer[static_cast<int>(drawn.VtxOffset + list.IdxBuffer[static_cast<int>(drawn.IdxOffset + i)])];
        low = glm::min(low, glm::vec2(vertex.pos.x, vertex.pos.y));
        high = glm::max(high, glm::vec2(vertex.pos.x, vertex.pos.y));
      }
      low = (glm::max(low, glm::vec2(drawn.ClipRect.x, drawn.ClipRect.y)) - corner) * scale;
      high = (glm::min(high, glm::vec2(drawn.ClipRect.z, drawn.ClipRect.w)) - corner) * scale;
      const float height = size.y * scale.y;
      const glm::vec2 from(low.x, height - high.y), to(high.x, height - low.y);
      parts.push_back({glm::max(glm::ivec2(glm::floor(from)) - 1, glm::ivec2(0)),
                       glm::min(glm::ivec2(glm::ceil(to)) + 1, glm::ivec2(size * scale))});
    }
  }
  return parts;
}

glm::vec2 ImGuiLayer::pointer() const { return {ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y}; }
bool ImGuiLayer::has_pointer() const { return ImGui::GetIO().WantCaptureMouse; }
bool ImGuiLayer::holds_item() const { return ImGui::IsAnyItemActive(); }

// Dear ImGui still wants text in the frame after a field has closed.
bool ImGuiLayer::has_keyboard() const {
  return (ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive()) || list_open_;
}

std::vector<PixelBox> apart(std::vector<PixelBox> boxes) {
  std::vector<PixelBox> result;
  while (!boxes.empty()) {
    PixelBox box = boxes.back();
    boxes.pop_back();
    if (box.from.x >= box.to.x || box.from.y >= box.to.y) continue;
    const auto touched = std::ranges::find_if(result, [&](const PixelBox& other) { return overlap(box, other); });
    if (touched == result.end()) {
      result.push_back(box);
      continue;
    }
    boxes.push_back({glm::min(box.from, touched->from), glm::max(box.to, touched->to)});
    result.erase(touched);
  }
  return result;
}

void KeptPanels::begin(glm::ivec2 size, const std::vector<PixelBox>& parts) {
  picture_.bind(size);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  parts_ = apart(parts);
}

bool KeptPanels::show(glm::ivec2 size) const {
  if (picture_.size() != size) return false;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, size.x, size.y);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_SCISSOR_TEST);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, picture_.texture());
  lay_over_.use();
  lay_over_.set("panels", 0);
  for (const PixelBox& part : parts_) {
    glScissor(part.from.x, part.from.y, part.to.x - part.from.x, part.to.y - part.from.y);
    triangle_.draw();
  }
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  return true;
}

Viewport Screen::viewport(const ui::UiState& ui, bool panels) const {
  const glm::ivec2 framebuffer = window_.framebuffer();
  const glm::vec2 size = window_.size();
  const glm::vec2 pixels_per_unit = glm::vec2(framebuffer) / glm::max(size, glm::vec2(1));
  const ui::Rect area = ui::picture_area(ui, size.x, size.y, imgui_.scale(), panels);
  const glm::ivec2 origin = glm::vec2(area.x, size.y - area.y - area.height) * pixels_per_unit;
  const glm::ivec2 extent = glm::vec2(area.width, area.height) * pixels_per_unit;
  const ui::Motion motion = ui.look.motion;
  return {.origin = origin,
          .size = glm::max(extent, glm::ivec2(1)),
          .framebuffer = framebuffer,
          .scale = imgui_.scale(),
          .calm = motion == ui::Motion::reduced || (motion == ui::Motion::of_desktop && window_.calm())};
}

void Screen::draw_scene(Scene* scene, const Viewport& view) {
  const gl::PassTimer::Pass pass(passes_, "clear");
  drawn_ = view.framebuffer;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0.02F, 0.02F, 0.03F, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  Viewport timed = view;
  timed.passes = &passes_;
  if (scene != nullptr) scene->draw(timed);
}

void Screen::draw_panels(const WindowSnapshot& seen, ui::UiState& ui, command::Commands& commands,
                         const Viewport& view) {
  ui::draw_ui(seen, ui, imgui_.fonts(), commands);
  imgui_.end();
  const gl::PassTimer::Pass pass(passes_, "panels");
  if (kept_panels_) {
    kept_panels_->begin(view.framebuffer, imgui_.drawn_parts());
    imgui_.draw();
    kept_panels_->show(view.framebuffer);
    return;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  imgui_.draw();
}

bool Screen::draw_panels_again(const Viewport& view) {
  const gl::PassTimer::Pass pass(passes_, "panels");
  return kept_panels_ && kept_panels_->show(view.framebuffer);
}

Image Screen::read_back() const {
  glReadBuffer(GL_BACK);
  return gl::read_picture(window_.framebuffer());
}

Image Screen::picture_of(ImDrawList& drawing, const ui::Rect& area) const {
  const glm::vec2 pixels_per_unit =
      glm::vec2(window_.framebuffer()) / glm::max(glm::vec2(window_.size()), glm::vec2(1));
  const glm::ivec2 size = glm::max(glm::ivec2(glm::vec2(area.width, area.height) * pixels_per_unit), glm::ivec2(1));
  gl::RenderTarget picture(GL_RGBA8);
  picture.bind(size);
  imgui_.draw(drawing, area, pixels_per_unit);
  Image image = gl::read_picture(size);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return image;
}

}  // namespace orrery::shell
