# onnxport_add_exporter(NAME SPECS FILE... (SCHEMAS FILE | OPERATORS TARGET...))
#
# An exporter with onnxport's operators and those of your specs (spec/README.md). Targets:
#
#   NAME        the command, used as `exporter` is
#   NAME_lib    the operators, for a program that links onnxport::onnxport or onnxport::torch
#
# SPECS       spec files, one family each. An operator that is claimed twice is an error that names both places, unless
#             the entry here says `override: true`.
# SCHEMAS     a text file of the operators' schemas, one a line as PyTorch prints them.
# OPERATORS   instead of it, libraries that register the operators with TORCH_LIBRARY: they are linked with LibTorch
#             (find_package(Torch) comes first) into a small program that prints their schemas. A static library whose
#             registrations the linker drops has none: take an OBJECT or SHARED library.

set(_onnxport_generator "${onnxport_ROOT_DIR}/bin/onnxport-codegen")
set(_onnxport_share "${onnxport_ROOT_DIR}/share/onnxport")

# The file with the schemas that the libraries in ARGN register, without those that onnxport knows.
function(_onnxport_registered_schemas name out)
  if(NOT TARGET torch)
    message(FATAL_ERROR "onnxport_add_exporter(${name}): OPERATORS need LibTorch: say find_package(Torch REQUIRED) before")
  endif()
  file(GLOB known "${_onnxport_share}/spec/*_schemas.txt")
  list(FILTER known EXCLUDE REGEX "/aten_schemas\\.txt$")  # LibTorch prints those itself
  set(sources "${_onnxport_share}/src/tools/schemas/print_schemas.cc" "${_onnxport_share}/src/tools/schemas/registry.cc")
  foreach(program IN ITEMS onnxport_linked_schemas ${name}_registry)
    if(NOT TARGET ${program})
      add_executable(${program} EXCLUDE_FROM_ALL ${sources})
      target_compile_features(${program} PRIVATE cxx_std_20)
      target_compile_options(${program} PRIVATE -w)
      target_include_directories(${program} PRIVATE "${_onnxport_share}/src")
      target_link_libraries(${program} PRIVATE ${TORCH_LIBRARIES})
    endif()
  endforeach()
  target_link_libraries(${name}_registry PRIVATE ${ARGN})
  list(TRANSFORM known PREPEND "--without;")
  add_custom_command(
    OUTPUT "${out}"
    COMMAND onnxport_linked_schemas > "${out}.linked"
    COMMAND ${name}_registry --without "${out}.linked" ${known} > "${out}.making"
    COMMAND "${CMAKE_COMMAND}" -E rename "${out}.making" "${out}"
    DEPENDS onnxport_linked_schemas ${name}_registry
    COMMENT "Listing the operators that ${name} registers"
    VERBATIM)
endfunction()

# Adds a run of the generator that makes the files OUTPUTS in `folder`.
function(_onnxport_generate name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "COMMENT" "OUTPUTS;ARGUMENTS;DEPENDS")
  list(TRANSFORM arg_OUTPUTS PREPEND "${folder}/")
  file(GLOB templates "${_onnxport_share}/templates/*.tpl")
  add_custom_command(
    OUTPUT ${arg_OUTPUTS}
    COMMAND "${_onnxport_generator}" ${arg_ARGUMENTS} --templates "${_onnxport_share}/templates" --out-dir "${folder}"
            --owner "${name}"
    DEPENDS "${_onnxport_generator}" ${templates} ${arg_DEPENDS}
    COMMENT "${arg_COMMENT}"
    VERBATIM)
endfunction()

function(onnxport_add_exporter name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCHEMAS" "SPECS;OPERATORS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "onnxport_add_exporter(${name}): unknown: ${arg_UNPARSED_ARGUMENTS}. There are SPECS, SCHEMAS and OPERATORS")
  endif()
  if(NOT arg_SPECS)
    message(FATAL_ERROR "onnxport_add_exporter(${name}): SPECS names no file")
  endif()
  if((arg_SCHEMAS AND arg_OPERATORS) OR NOT (arg_SCHEMAS OR arg_OPERATORS))
    message(FATAL_ERROR "onnxport_add_exporter(${name}): say with SCHEMAS or with OPERATORS which operators there are")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}_operators")
  file(MAKE_DIRECTORY "${folder}")
  if(arg_OPERATORS)
    set(schemas "${folder}/schemas.txt")
    _onnxport_registered_schemas(${name} "${schemas}" ${arg_OPERATORS})
  else()
    get_filename_component(schemas "${arg_SCHEMAS}" ABSOLUTE)
  endif()

  # The specs may use onnxport's libraries of definitions, nodes of its domains and of these files, and operators of
  # `schemas`.
  file(GLOB_RECURSE base_specs "${_onnxport_share}/spec/aten/*.yaml")
  file(GLOB base_rows "${_onnxport_share}/rows/*.json")
  file(GLOB domains "${_onnxport_share}/spec/domains/*.yaml")
  file(GLOB library_files "${_onnxport_share}/spec/lib/*.yaml")
  set(declared --aten-schemas "${schemas}")
  set(known)
  foreach(file IN LISTS domains)
    list(APPEND known --declares "${file}=${file}")
  endforeach()
  set(libraries)
  foreach(file IN LISTS library_files)
    list(APPEND libraries --library "${file}=${file}")
  endforeach()
  set(specs)
  foreach(spec IN LISTS arg_SPECS)
    get_filename_component(file "${spec}" ABSOLUTE)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "onnxport_add_exporter(${name}): there is no spec ${file}")
    endif()
    list(APPEND specs "${file}")
    list(APPEND declared --declares "${spec}=${file}")
  endforeach()
  list(APPEND known ${declared})

  set(code)
  set(merged)
  set(traits)
  foreach(spec file IN ZIP_LISTS arg_SPECS specs)
    get_filename_component(family "${spec}" NAME_WE)
    _onnxport_generate(
      ${name} "${folder}"
      OUTPUTS ${family}.gen.cc ${family}.cases.gen.cc ${family}.rows.json
      ARGUMENTS --spec "${file}" --spec-name "${spec}" ${libraries} ${known}
      DEPENDS ${specs} "${schemas}"
      COMMENT "Generating operators of ${spec}")
    list(APPEND code "${folder}/${family}.gen.cc")
    list(APPEND merged "${folder}/${family}.rows.json")
    list(APPEND traits --traits "${file}")
  endforeach()

  set(table)
  foreach(rows IN LISTS merged)
    list(APPEND table --merge "${rows}")
  endforeach()
  foreach(rows IN LISTS base_rows)
    list(APPEND table --merge-base "${rows}")
  endforeach()
  _onnxport_generate(
    ${name} "${folder}"
    OUTPUTS dispatch_table.gen.cc families.gen.cc operators.md
    ARGUMENTS ${table}
    DEPENDS ${merged}
    COMMENT "Generating the dispatch table of ${name}")
  foreach(file IN LISTS base_specs)
    list(APPEND traits --traits-base "${file}")
  endforeach()
  _onnxport_generate(
    ${name} "${folder}"
    OUTPUTS op_traits.gen.cc
    ARGUMENTS ${traits} ${known}
    DEPENDS ${specs} "${schemas}"
    COMMENT "Generating the table of operator traits of ${name}")
  _onnxport_generate(
    ${name} "${folder}"
    OUTPUTS declarations.gen.cc aten_declarations.gen.cc
    ARGUMENTS --declarations ${declared}
    DEPENDS ${specs} "${schemas}"
    COMMENT "Generating the declarations of operators of ${name}")
  foreach(file IN ITEMS dispatch_table op_traits declarations aten_declarations)
    list(APPEND code "${folder}/${file}.gen.cc")
  endforeach()

  # Objects, not an archive: nothing names the tables, they add themselves.
  add_library(${name}_lib OBJECT ${code})
  target_link_libraries(${name}_lib PUBLIC onnxport::onnxport)
  target_include_directories(${name}_lib PRIVATE "${_onnxport_share}/src")
  # They run once for each call of a model: optimising costs seconds and gains nothing.
  target_compile_options(${name}_lib PRIVATE -w -O0)
  set_target_properties(${name}_lib PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_executable(${name} $<TARGET_OBJECTS:${name}_lib>)
  target_link_libraries(${name} PRIVATE "${onnxport_ROOT_DIR}/lib/libonnxport_main.a" onnxport::onnxport)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
