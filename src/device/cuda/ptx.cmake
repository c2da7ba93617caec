# PTX from C++ by clang's NVPTX target, without any CUDA toolkit: for compute capability 7.0, which drivers compile for any later GPU.
# Not for less: below sm_70 one thread of a warp that arrives at a barrier counts for all 32, and fences are not cumulative.
find_program(SOLENOID_CLANG NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14
             DOC "clang, which makes the kernels of the device cuda")
set(SOLENOID_PTX_FLAGS -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx63
    -std=c++20 -O3 -ffp-contract=off -nostdinc -nostdinc++ -Wno-unknown-cuda-version CACHE INTERNAL "")
set(SOLENOID_HAS_PTX NO CACHE INTERNAL "whether clang makes PTX")
if(SOLENOID_CLANG)
  set(trial ${CMAKE_CURRENT_BINARY_DIR}/ptx_trial.cpp)
  file(WRITE ${trial} "extern \"C\" __attribute__((global)) void trial(double* x) { x[__nvvm_read_ptx_sreg_tid_x()] *= 2; }\n")
  execute_process(COMMAND ${SOLENOID_CLANG} ${SOLENOID_PTX_FLAGS} -S ${trial} -o ${trial}.ptx RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE complaint)
  if(failed EQUAL 0)
    set(SOLENOID_HAS_PTX YES CACHE INTERNAL "whether clang makes PTX")
  endif()
endif()
if(SOLENOID_HAS_PTX)
  message(STATUS "solenoid: kernels of the device cuda by ${SOLENOID_CLANG}")
else()
  message(STATUS "solenoid: the device cuda is left out: no clang that makes PTX (tools/setup installs it)")
endif()

set(SOLENOID_PTX_FOLDER ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")

# solenoid_ptx(OUTPUT.cpp NAMESPACE FILES...): a source with the PTX of each NAME.cuda.cpp as the string NAME_ptx, or "" without clang;
# of generated NAMESPACE_NAME.cuda.cpp, too.
function(solenoid_ptx output space)
  file(GLOB headers ${PROJECT_SOURCE_DIR}/shaders/prologue.* ${SOLENOID_PTX_FOLDER}/arguments.hpp ${SOLENOID_PTX_FOLDER}/functions.hpp)
  set(made "")
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "\\.cuda\\.cpp$" "" name ${name})
    set(ptx ${output}.parts/${name}.ptx)
    list(APPEND made ${ptx})
    if(SOLENOID_HAS_PTX)
      add_custom_command(OUTPUT ${ptx}
                         COMMAND ${SOLENOID_CLANG} ${SOLENOID_PTX_FLAGS} -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/shaders -S ${file} -o ${ptx}
                         DEPENDS ${file} ${headers} COMMENT "PTX of ${name}" VERBATIM)
    endif()
  endforeach()
  file(MAKE_DIRECTORY ${output}.parts)
  set(parts "")
  if(SOLENOID_HAS_PTX)
    set(parts ${made})
  endif()
  add_custom_command(OUTPUT ${output}
                     COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSPACE=${space} "-DFILES=${made}" -DHAS_PTX=${SOLENOID_HAS_PTX}
                             -P ${SOLENOID_PTX_FOLDER}/embed_ptx.cmake
                     DEPENDS ${parts} ${SOLENOID_PTX_FOLDER}/embed_ptx.cmake COMMENT "PTX of ${space}" VERBATIM)
endfunction()
