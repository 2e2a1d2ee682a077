# All third-party packages: the system's if installed, else upstream's source at a pinned commit.
include(CheckCXXSourceCompiles)
include(FetchContent)
find_package(Threads REQUIRED)
if(UNIX AND NOT APPLE)
  find_path(ORRERY_GLX_HEADERS GL/glx.h REQUIRED)
  find_path(ORRERY_XRANDR_HEADERS X11/extensions/Xrandr.h REQUIRED)
endif()

# Arithmetic of any precision, for reference orbits. Neither library has CMake files.
find_path(ORRERY_MPFR_HEADERS mpfr.h REQUIRED)
find_library(ORRERY_MPFR mpfr REQUIRED)
find_library(ORRERY_GMP gmp REQUIRED)
add_library(orrery_mpfr INTERFACE)
target_include_directories(orrery_mpfr SYSTEM INTERFACE ${ORRERY_MPFR_HEADERS})
target_link_libraries(orrery_mpfr INTERFACE ${ORRERY_MPFR} ${ORRERY_GMP})

# dependency(PACKAGE REPOSITORY COMMIT [VERSION]): find_package(PACKAGE VERSION), else that commit of the repository.
function(dependency package repository commit)
  FetchContent_Declare(${package} URL https://github.com/${repository}/archive/${commit}.tar.gz SYSTEM
    FIND_PACKAGE_ARGS ${ARGN})
  FetchContent_MakeAvailable(${package})
endfunction()

# Packages built from source are limited to their libraries. Some require a CMake older than 3.5.
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
foreach(unwanted BUILD_DOCS BUILD_EXAMPLES ENABLE_OPENCL_LAYERINFO GLFW_BUILD_DOCS GLFW_BUILD_WAYLAND GLFW_INSTALL
        INSTALL_GTEST PNG_SHARED PNG_TESTS PNG_TOOLS ZLIB_BUILD_EXAMPLES)
  set(${unwanted} OFF)
endforeach()
set(SKIP_INSTALL_ALL ON) # zlib and libpng

dependency(OpenCLHeaders KhronosGroup/OpenCL-Headers 4ea6df132107e3b4b9407f903204b5522fdffcd6)        # v2024.10.24
dependency(OpenCL KhronosGroup/OpenCL-ICD-Loader 5907ac1114079de4383cecddf1c8640e3f52f92b)            # v2024.10.24
dependency(OpenCLHeadersCpp KhronosGroup/OpenCL-CLHPP c7b4aded1cab9560b226041dd962f63375a9a384)       # v2024.10.24
dependency(glfw3 glfw/glfw 7b6aead9fb88b3623e3b3725ebb42670cbe4c579 3.3)                              # 3.4
dependency(glm g-truc/glm 0af55ccecd98d4e5a8d1fad7de25ba429d60e863)                                   # 1.0.1
dependency(CLI11 CLIUtils/CLI11 6c7b07a878ad834957b98d0f9ce1dbe0cb204fc9 2.1)                         # v2.4.2
dependency(tomlplusplus marzer/tomlplusplus 30172438cee64926dc41fdd9c11fb3ba5b2ba9de 3.3)             # v3.4.0
dependency(nlohmann_json nlohmann/json 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03 3.11)                 # v3.11.3
dependency(ZLIB madler/zlib 51b7f2abdade71cd9bb0e7a373ef2610ec6f9daf)                                 # v1.3.1
if(TARGET zlibstatic)
  add_library(ZLIB::ZLIB ALIAS zlibstatic)
  get_target_property(ZLIB_INCLUDE_DIRS zlibstatic INTERFACE_INCLUDE_DIRECTORIES)
endif()
dependency(PNG pnggroup/libpng 3061454d980de7d53608f594194cfac722721d2a)                              # v1.6.58
if(TARGET png_static)
  add_library(PNG::PNG ALIAS png_static)
endif()
# Zip archives: minizip, a part of zlib's source that systems have as a library of its own.
find_path(ORRERY_MINIZIP_HEADERS minizip/zip.h)
find_library(ORRERY_MINIZIP minizip)
add_library(orrery_minizip INTERFACE)
if(ORRERY_MINIZIP_HEADERS AND ORRERY_MINIZIP)
  target_include_directories(orrery_minizip SYSTEM INTERFACE ${ORRERY_MINIZIP_HEADERS})
  target_link_libraries(orrery_minizip INTERFACE ${ORRERY_MINIZIP} ZLIB::ZLIB)
else()
  set(minizip_source ${zlib_SOURCE_DIR}/contrib/minizip)
  if(NOT EXISTS ${minizip_source}/zip.c)
    message(FATAL_ERROR "minizip is missing (Debian's libminizip-dev)")
  endif()
  add_library(orrery_minizip_built STATIC ${minizip_source}/zip.c ${minizip_source}/unzip.c ${minizip_source}/ioapi.c)
  file(COPY ${minizip_source}/zip.h ${minizip_source}/unzip.h ${minizip_source}/ioapi.h
    DESTINATION ${CMAKE_BINARY_DIR}/minizip/minizip)
  target_link_libraries(orrery_minizip_built PUBLIC ZLIB::ZLIB)
  target_include_directories(orrery_minizip INTERFACE ${CMAKE_BINARY_DIR}/minizip)
  target_link_libraries(orrery_minizip INTERFACE orrery_minizip_built)
endif()
if(ORRERY_TESTS)
  dependency(GTest google/googletest b514bdc898e2951020cbdca1304b75f5950d1f59)                        # v1.15.2
endif()

# Finds system fonts for scripts that ours lack. Without it, those scripts are not drawn.
find_package(Fontconfig QUIET)

# ImGui has no build files of its own: a system's package counts if it brings the GLFW and OpenGL 3 backends.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT FETCHCONTENT_TRY_FIND_PACKAGE_MODE STREQUAL "NEVER")
  pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui>=1.86)
endif()
if(TARGET PkgConfig::IMGUI)
  target_link_libraries(PkgConfig::IMGUI INTERFACE $<LINK_ONLY:glfw> ${CMAKE_DL_LIBS})
  set(CMAKE_REQUIRED_LIBRARIES PkgConfig::IMGUI)
  check_cxx_source_compiles("
    #include <backends/imgui_impl_glfw.h>
    #include <backends/imgui_impl_opengl3.h>
    int main() { ImGui_ImplGlfw_NewFrame(); ImGui_ImplOpenGL3_NewFrame(); }" ORRERY_IMGUI_HAS_BACKENDS)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(ORRERY_IMGUI_HAS_BACKENDS)
  add_library(orrery_imgui ALIAS PkgConfig::IMGUI)
else()
  FetchContent_Declare(imgui                                                                          # v1.92.9b
    URL https://github.com/ocornut/imgui/archive/f1cc2ae15e53a861a874c3034aae6798fde194ab.tar.gz)
  FetchContent_MakeAvailable(imgui)
  set(imgui_sources imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp misc/cpp/imgui_stdlib.cpp
    backends/imgui_impl_glfw.cpp backends/imgui_impl_opengl3.cpp)
  if(EXISTS ${imgui_SOURCE_DIR}/imgui_stacklayout.cpp) # added and called by imgui-bundle
    list(APPEND imgui_sources imgui_stacklayout.cpp)
  endif()
  list(TRANSFORM imgui_sources PREPEND ${imgui_SOURCE_DIR}/)
  add_library(orrery_imgui STATIC ${imgui_sources})
  target_include_directories(orrery_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/misc/cpp)
  target_compile_definitions(orrery_imgui PRIVATE GLFW_INCLUDE_NONE)
  target_link_libraries(orrery_imgui PRIVATE glfw ${CMAKE_DL_LIBS})
endif()

# The OpenGL loader is generated, never committed: by an installed glad 2, else by the pinned version from PyPI in a
# virtual environment inside the build folder (-DORRERY_GLAD_PYTHON=OFF selects the latter).
function(has_glad2 result python)
  execute_process(COMMAND ${python} -c "import glad, sys; sys.exit(int(glad.__version__.split('.')[0]) < 2)"
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(ORRERY_GLAD_PYTHON NAMES python3 python VALIDATOR has_glad2 DOC "A Python that has glad 2")
if(ORRERY_GLAD_PYTHON)
  set(glad_python ${ORRERY_GLAD_PYTHON})
else()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(glad_environment ${CMAKE_BINARY_DIR}/glad-python)
  set(glad_python ${glad_environment}/$<IF:$<BOOL:${WIN32}>,Scripts/python.exe,bin/python3>)
  set(glad_requirements ${CMAKE_CURRENT_LIST_DIR}/glad-requirements.txt)
  set(glad_ready ${glad_environment}/ready)
  add_custom_command(OUTPUT ${glad_ready} DEPENDS ${glad_requirements} VERBATIM COMMENT "Installing glad from PyPI"
    COMMAND ${Python3_EXECUTABLE} -m venv --clear ${glad_environment}
    COMMAND ${glad_python} -m pip install --quiet --disable-pip-version-check --require-hashes -r ${glad_requirements}
    COMMAND ${CMAKE_COMMAND} -E touch ${glad_ready})
endif()
set(glad_dir ${CMAKE_BINARY_DIR}/glad)
add_custom_command(OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h DEPENDS ${glad_ready} VERBATIM
  COMMENT "Generating the OpenGL loader"
  COMMAND ${glad_python} -m glad --reproducible --quiet --api gl:core=4.3
    --extensions GL_KHR_debug,GL_ARB_robustness --out-path ${glad_dir} c)
add_library(orrery_glad STATIC ${glad_dir}/src/gl.c)
target_include_directories(orrery_glad SYSTEM PUBLIC ${glad_dir}/include)
target_link_libraries(orrery_glad PUBLIC ${CMAKE_DL_LIBS})

# Fonts are beside the program. An unavailable font is replaced by ImGui's built-in one.
function(font name)
  set(target ${CMAKE_BINARY_DIR}/fonts/${name}.ttf)
  if(EXISTS ${target})
    return()
  endif()
  file(GLOB_RECURSE found /usr/share/fonts/${name}.ttf /usr/local/share/fonts/${name}.ttf)
  if(found)
    list(GET found 0 found)
    configure_file(${found} ${target} COPYONLY)
  elseif(ARGN)
    list(POP_FRONT ARGN url expected)
    file(DOWNLOAD ${url} ${target} TIMEOUT 60 STATUS status)
    file(SHA256 ${target} actual)
    if(NOT actual STREQUAL expected)
      message(STATUS "No font ${name}: ${status}")
      file(REMOVE ${target})
    endif()
  endif()
endfunction()
set(roboto https://raw.githubusercontent.com/googlefonts/roboto-2/v2.138/src/hinted)
font(Roboto-Regular ${roboto}/Roboto-Regular.ttf 56a45233d29f11b4dfb86d248e921939d115778f87325e7ae8cc108383d6664d)
font(Roboto-Medium ${roboto}/Roboto-Medium.ttf 2879a5ecb7fbfa13a7fc3e2cdd7fecbf73aa45e91b541dfdfa2c442eed0aac21)
font(DejaVuSansMono)
