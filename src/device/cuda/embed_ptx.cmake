# cmake -DOUTPUT=file.cpp -DSPACE=namespace -DFILES=a.ptx;b.ptx -DHAS_PTX=YES -P embed_ptx.cmake: the text of each file as a string,
# a_ptx of a.ptx and of NAMESPACE_a.ptx; "" without PTX.
set(text "// Written by embed_ptx.cmake; do not edit.\nnamespace solenoid::${SPACE} {\n\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^${SPACE}_" "" name ${name})
  set(content "")
  if(HAS_PTX)
    file(READ ${file} content)
  endif()
  string(APPEND text "extern const char ${name}_ptx[];\nconst char ${name}_ptx[] = R\"ptx(${content})ptx\";\n\n")
endforeach()
string(APPEND text "}  // namespace solenoid::${SPACE}\n")
file(WRITE ${OUTPUT} "${text}")
