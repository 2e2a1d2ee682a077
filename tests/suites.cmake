# A CTest test for each suite of a GoogleTest program: one process per test case would spend more time on starting the
# OpenCL driver than on testing. Run after linking, as cmake -D PROGRAM=… -D PREFIX=… -D OUTPUT=… -P suites.cmake.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[A-Za-z][^ \n]*\\." suites "${listed}")
set(script "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "^\n|\\.$" "" suite "${suite}")
  string(APPEND script "add_test([==[${PREFIX}/${suite}]==] [==[${PROGRAM}]==] --gtest_brief=1 [==[--gtest_filter=${suite}.*]==])\n"
    "set_tests_properties([==[${PREFIX}/${suite}]==] PROPERTIES LABELS ${PREFIX} TIMEOUT 900)\n")
  # The longest suites begin first, so that no test runs alone at the end.
  if(suite MATCHES "^(ui_panels|Killed|PlansOfWorlds|ParticleWorlds|MandelbrotPassage|MandelbrotDetail|MandelbrotViews)$")
    string(APPEND script "set_tests_properties([==[${PREFIX}/${suite}]==] PROPERTIES COST 100)\n")
  endif()
endforeach()
file(WRITE ${OUTPUT} "${script}")
