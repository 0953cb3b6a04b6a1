# Installs BUILD below WORK, then builds and runs the consumer against it; with ROUNDTRIP_FOLDER
# the consumer adds that source tree as a subdirectory instead, and builds GOAL of it.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WORK} OUTPUT_VARIABLE out
                  ERROR_VARIABLE err RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: ${result}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(expect part)
  if(NOT out MATCHES "${part}")
    message(FATAL_ERROR "expected ${part}, found:\n${out}")
  endif()
endfunction()

set(consumer ${CMAKE_CURRENT_LIST_DIR})
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
if(ROUNDTRIP_FOLDER)
  run(${CMAKE_COMMAND} -G Ninja -S ${consumer} -B build -DROUNDTRIP_FOLDER=${ROUNDTRIP_FOLDER}
      -DROUNDTRIP_WEB=OFF -DCMAKE_BUILD_TYPE=Release)
  run(${CMAKE_COMMAND} --build build --target ${GOAL})
  if(GOAL STREQUAL "predict")
    run(build/predict ${ROUNDTRIP_FOLDER}/models/mhd-small/calibrators.json)
    expect("predicted error 0\\.00[345]")
  endif()
  return()
endif()

set(prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
set(models ${prefix}/share/roundtrip/models)
run(${CMAKE_COMMAND} -G Ninja -S ${consumer} -B build -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build build)
run(build/predict ${models}/mhd-small/calibrators.json)
expect("predicted error 0\\.00[345]")
run(build/open_bundle ${models}/mhd-small)
expect("contexts 2")

# The installed program, from a folder that has nothing of ours: models, presets, reader.
run(${prefix}/bin/roundtrip list)
expect("${models}/mhd-small")
run(${prefix}/bin/roundtrip config mhd-small)
expect("\\[denoiser\\]")
run(${prefix}/bin/roundtrip generate linear_gaussian --out data --train 1 --valid 0 --test 0)
run(${prefix}/bin/roundtrip inspect data)
foreach(file man/man1/roundtrip.1 bash-completion/completions/roundtrip
        zsh/site-functions/_roundtrip)
  file(READ ${prefix}/share/${file} out)
  expect("generate")
endforeach()
