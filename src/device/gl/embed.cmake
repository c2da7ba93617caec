# cmake -DOUTPUT=file.hpp -DFILES=a;b -P embed.cmake: the text of each file as a string, named a_b after a.b.glsl.
set(text "// Written by embed.cmake; do not edit.\n#pragma once\n\nnamespace solenoid::gl {\n\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE "\\.glsl$" "" name ${name})
  string(REPLACE "." "_" name ${name})
  file(READ ${file} content)
  string(REPLACE "\\\n" " " content "${content}")  # GLSL 4.00 does not continue lines
  string(APPEND text "inline constexpr char ${name}[] = R\"glsl(${content})glsl\";\n\n")
endforeach()
string(APPEND text "}  // namespace solenoid::gl\n")
file(WRITE ${OUTPUT} "${text}")
