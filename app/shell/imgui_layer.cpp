#include "shell/imgui_layer.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <utility>

#include "base/files/path.hpp"

namespace orrery::shell {
namespace {

// Beside the executable's other resources; see app/dependencies.cmake.
std::filesystem::path font_folder() {
  std::error_code ignored;
  for (const auto& folder : {executable_folder() / "fonts", asset_folder() / "fonts"})
    if (std::filesystem::is_directory(folder, ignored)) return folder;
  return {};
}

}  // namespace

ImGuiLayer::ImGuiLayer(Window& window) : window_(window) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window_.handle(), true);
  ImGui_ImplOpenGL3_Init("#version 430 core");
  follow_scale();
}

ImGuiLayer::~ImGuiLayer() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void ImGuiLayer::follow_scale() {
  const float scale = window_.scale();
  if (scale == scale_) return;
  scale_ = scale;
  ui::apply_theme(scale_);
  fonts_ = ui::load_fonts(font_folder(), scale_);
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void ImGuiLayer::begin() {
  if (std::exchange(begun_, true)) return;
  follow_scale();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void ImGuiLayer::end() {
  begun_ = false;
  ImGui::Render();
}

void ImGuiLayer::draw() const { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

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

bool ImGuiLayer::has_pointer() const { return ImGui::GetIO().WantCaptureMouse; }
bool ImGuiLayer::has_keyboard() const { return ImGui::GetIO().WantTextInput; }
bool ImGuiLayer::holds_item() const { return ImGui::IsAnyItemActive(); }

}  // namespace orrery::shell
