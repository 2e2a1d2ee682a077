# Programs for Windows, by Debian's mingw-w64, with what libraries.sh has put into build/windows-libraries.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
get_filename_component(libraries ${CMAKE_CURRENT_LIST_DIR}/../../../build/windows-libraries ABSOLUTE)

# Nothing of this system but programs that run here.
set(CMAKE_FIND_ROOT_PATH ${libraries})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/lib/pkgconfig)

set(FETCHCONTENT_FULLY_DISCONNECTED ON CACHE BOOL "")
foreach(package glfw imgui googletest)
  string(REPLACE "googletest" "gtest" name ${package})
  string(REPLACE "glfw" "glfw3" name ${name})
  string(TOUPPER ${name} name)
  set(FETCHCONTENT_SOURCE_DIR_${name} ${libraries}/sources/${package} CACHE PATH "")
endforeach()

# The compiler's own libraries go into the program.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a OUTPUT_VARIABLE gomp OUTPUT_STRIP_TRAILING_WHITESPACE)
set(OpenMP_gomp_LIBRARY ${gomp} CACHE FILEPATH "")
