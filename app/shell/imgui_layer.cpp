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
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool ImGuiLayer::has_pointer() const { return ImGui::GetIO().WantCaptureMouse; }
bool ImGuiLayer::has_keyboard() const { return ImGui::GetIO().WantTextInput; }

}  // namespace orrery::shell
