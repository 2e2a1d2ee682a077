# Run by CPack between installing into its own folder and packing that: completes what the kind of package needs.
cmake_policy(VERSION 3.25)
file(GLOB program ${CPACK_TEMPORARY_DIRECTORY}/bin/orrery ${CPACK_TEMPORARY_DIRECTORY}/usr/bin/orrery)
get_filename_component(prefix ${program} DIRECTORY)
get_filename_component(prefix ${prefix} DIRECTORY)

if(CPACK_GENERATOR STREQUAL "DEB")
  file(WRITE ${prefix}/share/doc/orrery/changelog.Debian "${CPACK_ORRERY_CHANGES}")
  execute_process(COMMAND gzip -9n ${prefix}/share/man/man1/orrery.1 ${prefix}/share/doc/orrery/changelog.Debian
    COMMAND_ERROR_IS_FATAL ANY)
  # Where Debian's python3 finds modules of packages; it starts the program of the same prefix.
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/../python/orrery DESTINATION ${prefix}/lib/python3/dist-packages
    PATTERN __pycache__ EXCLUDE)
  # Fonts that packages bring, on which this one depends.
  file(GLOB fonts ${prefix}/share/orrery/assets/fonts/*.ttf)
  foreach(font IN LISTS fonts)
    get_filename_component(name ${font} NAME)
    file(GLOB_RECURSE found /usr/share/fonts/${name})
    foreach(place IN LISTS found)
      execute_process(COMMAND dpkg-query -S ${place} OUTPUT_VARIABLE owner ERROR_QUIET)
      if(owner MATCHES "^fonts-(roboto-unhinted|dejavu-core|dejavu-mono):")
        file(REMOVE ${font})
        string(REGEX REPLACE "^/usr/share/" "../../../" place ${place})
        file(CREATE_LINK ${place} ${font} SYMBOLIC)
        break()
      endif()
    endforeach()
  endforeach()
else()
  execute_process(COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/bundle.sh ${prefix} COMMAND_ERROR_IS_FATAL ANY)
endif()
