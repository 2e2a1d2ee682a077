# What orrery.exe has and other systems' programs have not: a manifest, an icon, and the size of its stacks, which is
# that of all threads (base/platform/threads.hpp).
set(windows_package ${CMAKE_CURRENT_LIST_DIR})
enable_language(RC)
target_sources(orrery PRIVATE ${windows_package}/orrery.rc)
find_program(ORRERY_RSVG rsvg-convert)
find_program(ORRERY_PYTHON python3)
if(ORRERY_RSVG AND ORRERY_PYTHON)
  set(icon ${CMAKE_BINARY_DIR}/orrery.ico)
  add_custom_command(OUTPUT ${icon} DEPENDS ${PROJECT_SOURCE_DIR}/assets/icon.svg ${windows_package}/icon.py VERBATIM
    COMMAND ${ORRERY_PYTHON} -B ${windows_package}/icon.py ${ORRERY_RSVG} ${PROJECT_SOURCE_DIR}/assets/icon.svg ${icon})
  set_source_files_properties(${windows_package}/orrery.rc PROPERTIES OBJECT_DEPENDS "${icon};${windows_package}/orrery.manifest"
    COMPILE_DEFINITIONS ORRERY_ICON INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR})
endif()
set(stack_bytes 67108864)
target_link_options(orrery PRIVATE -Wl,--stack,${stack_bytes})

# Beside the program, as in the package.
file(GLOB libraries ${CMAKE_FIND_ROOT_PATH}/bin/*.dll)
set(libraries ${libraries} PARENT_SCOPE)
add_custom_command(TARGET orrery POST_BUILD VERBATIM
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${libraries} $<TARGET_FILE_DIR:orrery>)
