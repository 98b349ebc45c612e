# find_package(onnxport) provides these targets (docs/cmake.md):
#
#   onnxport::onnxport   the library: "onnxport/export.h"
#   onnxport::c          the same for C: "onnxport/c.h"
#   onnxport::torch      with COMPONENTS torch: "onnxport/torch.h", compiled here with the LibTorch of find_package(Torch)
#   onnxport_add_exporter(NAME SPECS ...)   an exporter with operators of your own (exporter.cmake)

get_filename_component(onnxport_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# The reason why the package cannot be used, in one line, which find_package shows.
set(_onnxport_refusal)
set(_onnxport_processor "${CMAKE_SYSTEM_PROCESSOR}")
string(TOLOWER "${_onnxport_processor}" _onnxport_processor)
string(REPLACE "amd64" "x86_64" _onnxport_processor "${_onnxport_processor}")
string(REPLACE "arm64" "aarch64" _onnxport_processor "${_onnxport_processor}")
if(NOT CMAKE_CXX_COMPILER_LOADED)
  set(_onnxport_refusal "the project has no C++: say project(... LANGUAGES C CXX), as the library is written in it")
elseif(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT "linux-${_onnxport_processor}" STREQUAL "@SYSTEM@")
  set(_onnxport_refusal
      "this is the package for @SYSTEM@, and the project is built for ${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}")
else()
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_QUIET TRUE)
  check_cxx_source_compiles("#include <string>
#if !defined(_GLIBCXX_RELEASE) || _GLIBCXX_RELEASE < 12 || !_GLIBCXX_USE_CXX11_ABI
#error
#endif
int main() {}" onnxport_HAS_LIBSTDCXX)
  unset(CMAKE_REQUIRED_QUIET)
  if(NOT onnxport_HAS_LIBSTDCXX)
    set(_onnxport_refusal
        "it needs libstdc++ of GCC 12 or newer with its C++11 ABI, which ${CMAKE_CXX_COMPILER} does not take")
  endif()
endif()

foreach(_onnxport_component IN LISTS onnxport_FIND_COMPONENTS)
  if(NOT _onnxport_component STREQUAL "torch")
    set(_onnxport_refusal "there is no component ${_onnxport_component}; the one that there is: torch")
  endif()
endforeach()

if(_onnxport_refusal)
  set(onnxport_FOUND FALSE)
  set(onnxport_NOT_FOUND_MESSAGE "${_onnxport_refusal}")
  return()
endif()

include(CMakeFindDependencyMacro)
find_dependency(Threads)

if(NOT TARGET onnxport::c)
  add_library(onnxport::c STATIC IMPORTED)
  set_target_properties(
    onnxport::c
    PROPERTIES IMPORTED_LOCATION "${onnxport_ROOT_DIR}/lib/libonnxport.a"
               IMPORTED_LINK_INTERFACE_LANGUAGES CXX
               INTERFACE_INCLUDE_DIRECTORIES "${onnxport_ROOT_DIR}/include"
               INTERFACE_LINK_LIBRARIES Threads::Threads)
  add_library(onnxport::onnxport INTERFACE IMPORTED)
  set_target_properties(onnxport::onnxport PROPERTIES INTERFACE_COMPILE_FEATURES cxx_std_20
                                                      INTERFACE_LINK_LIBRARIES onnxport::c)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/exporter.cmake")
if("torch" IN_LIST onnxport_FIND_COMPONENTS)
  include("${CMAKE_CURRENT_LIST_DIR}/torch.cmake")
endif()
