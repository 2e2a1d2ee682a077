# What is installed, and the packages that CPack makes of it: a .deb for the Debian that this runs on, a .tar.zst that
# takes along what it needs (bundle.cmake), and a .zip for Windows. app/package.sh builds them.
#
# An installed program finds kernels/, shaders/ and assets/ under ../share/orrery from its own folder, or, on Windows,
# beside itself.
include(GNUInstallDirs)
set(package ${CMAKE_CURRENT_LIST_DIR})
set(made ${CMAKE_BINARY_DIR}/package)

# packaged_data(FOLDER): kernels, shaders and assets, as all packages have them.
function(packaged_data folder)
  install(DIRECTORY kernels shaders DESTINATION ${folder})
  install(DIRECTORY assets DESTINATION ${folder} PATTERN icon.svg EXCLUDE PATTERN pictures EXCLUDE)
  # The other pictures are README's.
  install(DIRECTORY assets/pictures/places DESTINATION ${folder}/assets/pictures)
  install(FILES assets/pictures/default-view.png DESTINATION ${folder}/assets/pictures)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/fonts DESTINATION ${folder}/assets OPTIONAL)
endfunction()

file(STRINGS ${PROJECT_SOURCE_DIR}/LICENSE license)
list(TRANSFORM license PREPEND " ")
list(TRANSFORM license REPLACE "^ $" " .")
list(JOIN license "\n" ORRERY_LICENSE)
configure_file(${package}/copyright.in ${made}/copyright @ONLY)

# What is compiled into the program, by Debian's package and by the name of fetched sources: the licences of all travel along.
function(licences folder)
  foreach(part libimgui-dev=imgui python3-glad=glad libglm-dev=glm libcli11-dev=CLI11 nlohmann-json3-dev=nlohmann_json
          libtomlplusplus-dev=tomlplusplus opencl-clhpp-headers=OpenCLHeadersCpp opencl-c-headers=OpenCLHeaders)
    string(REPLACE "=" ";" part ${part})
    list(GET part 0 debian)
    list(GET part 1 fetched)
    FetchContent_GetProperties(${fetched} SOURCE_DIR sources)
    file(GLOB texts ${sources}/LICENSE* ${sources}/COPYING* ${sources}/copying*)
    if(NOT sources OR NOT texts)
      file(GLOB texts /usr/share/doc/${debian}/copyright)
    endif()
    foreach(text IN LISTS texts)
      install(FILES ${text} DESTINATION ${folder} RENAME ${fetched}.txt)
    endforeach()
  endforeach()
endfunction()

set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
foreach(text RESOURCE_FILE_README RESOURCE_FILE_WELCOME PACKAGE_DESCRIPTION_FILE)
  set(CPACK_${text} ${PROJECT_SOURCE_DIR}/README.md)
endforeach()
if(WIN32)
  include(${package}/windows/package.cmake)
  return()
endif()

# The manual page and the completions are what the program itself prints; the icons are one drawing. Installing builds
# none of them: they are there after the target package_files.
find_program(ORRERY_PYTHON python3)
find_program(ORRERY_RSVG rsvg-convert)
set(files)
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assets/manual/*.md)
function(from_help kind file)
  add_custom_command(OUTPUT ${made}/${file} DEPENDS orrery ${package}/from_help.py ${pages} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E env ORRERY_HOME=${PROJECT_SOURCE_DIR}
      ${ORRERY_PYTHON} -B ${package}/from_help.py $<TARGET_FILE:orrery> ${kind} ${made}/${file})
  set(files ${files} ${made}/${file} PARENT_SCOPE)
endfunction()
if(ORRERY_PYTHON)
  from_help(man orrery.1)
  from_help(bash orrery.bash)
  from_help(zsh _orrery)
  from_help(fish orrery.fish)
endif()
if(ORRERY_RSVG)
  foreach(side 16 24 32 48 64 128 256 512)
    set(icon ${made}/icons/${side}x${side}/apps/orrery.png)
    get_filename_component(folder ${icon} DIRECTORY)
    add_custom_command(OUTPUT ${icon} DEPENDS ${PROJECT_SOURCE_DIR}/assets/icon.svg VERBATIM
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${ORRERY_RSVG} -w ${side} -h ${side} -o ${icon} ${PROJECT_SOURCE_DIR}/assets/icon.svg)
    list(APPEND files ${icon})
  endforeach()
endif()
add_custom_target(package_files DEPENDS ${files})

# The day of the last change, so that the same sources give the same package.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE seconds ERROR_QUIET
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(seconds)
  set(ENV{SOURCE_DATE_EPOCH} ${seconds})
endif()
string(TIMESTAMP ORRERY_DATE %Y-%m-%d UTC)
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${package}/orrery.metainfo.xml ${made}/orrery.metainfo.xml @ONLY)

# ---- what is installed

set(share ${CMAKE_INSTALL_DATADIR})
install(TARGETS orrery RUNTIME)
if(ORRERY_SHIMS)
  install(FILES ${ORRERY_SHIMS} DESTINATION lib/orrery/mpi)  # where the program looks for them
endif()
packaged_data(${share}/orrery)
install(FILES ${package}/orrery.desktop DESTINATION ${share}/applications)
install(FILES ${made}/orrery.metainfo.xml DESTINATION ${share}/metainfo RENAME org.orrery.orrery.metainfo.xml)
install(FILES ${package}/orrery-mime.xml DESTINATION ${share}/mime/packages RENAME orrery.xml)
install(FILES assets/icon.svg DESTINATION ${share}/icons/hicolor/scalable/apps RENAME orrery.svg)
install(DIRECTORY ${made}/icons/ DESTINATION ${share}/icons/hicolor OPTIONAL)
install(FILES ${made}/orrery.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES ${made}/orrery.bash DESTINATION ${share}/bash-completion/completions RENAME orrery OPTIONAL)
install(FILES ${made}/_orrery DESTINATION ${share}/zsh/vendor-completions OPTIONAL)
install(FILES ${made}/orrery.fish DESTINATION ${share}/fish/vendor_completions.d OPTIONAL)
install(FILES ${made}/copyright DESTINATION ${share}/doc/orrery)
licences(${share}/doc/orrery/licences)

# ---- packages

set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_VENDOR "The Orrery authors")
set(CPACK_PACKAGE_CONTACT "The Orrery authors <orrery@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Watch OpenCL kernels run")
set(CPACK_PACKAGE_DESCRIPTION
  "Your GPU, or any other OpenCL device, moves bodies under gravity, iterates
the Mandelbrot set, or moves particles under laws that you type. OpenGL
draws the results from the same memory. Every command also works without
a window.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME orrery-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR DEB TZST)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)
set(CPACK_PROJECT_CONFIG_FILE ${package}/generator.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${package}/bundle.cmake)

set(release debian)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release version REGEX "^VERSION_ID=")
  string(REGEX REPLACE "[^0-9.]" "" version "${version}")
  string(APPEND release ${version})
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~${release})
set(CPACK_ORRERY_CHANGES "orrery (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n  * See the page of changes: orrery help changes.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${day}\n")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What is loaded while the program runs, which shlibdeps does not see.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, fonts-roboto-unhinted, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "pocl-opencl-icd | opencl-icd, libgl1-mesa-dri, libegl1, hicolor-icon-theme, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, openmpi-bin | mpich, python3-h5py, python3-tqdm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${package}/debian/postinst ${package}/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
