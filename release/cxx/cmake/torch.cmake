# onnxport::torch: what exports models that are in LibTorch's memory. No two releases of LibTorch can be linked for each
# other, so it is compiled here, with the one of find_package(Torch).

find_dependency(Torch)

if("${TORCH_CXX_FLAGS}" MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
  set(onnxport_FOUND FALSE)
  set(onnxport_NOT_FOUND_MESSAGE "this LibTorch has the old ABI of libstdc++, and onnxport the new one: take one for the C++11 ABI")
  return()
endif()

if(NOT TARGET onnxport_torch)
  set(_onnxport_sources "${onnxport_ROOT_DIR}/share/onnxport/src")
  file(GLOB _onnxport_torch_sources "${_onnxport_sources}/runtime/sources/torch/*.cc"
       "${_onnxport_sources}/runtime/torch/*.cc" "${_onnxport_sources}/runtime/verify/program/torch_values.cc")
  add_library(onnxport_torch STATIC EXCLUDE_FROM_ALL ${_onnxport_torch_sources})
  add_library(onnxport::torch ALIAS onnxport_torch)
  target_link_libraries(onnxport_torch PUBLIC onnxport::onnxport ${TORCH_LIBRARIES} PRIVATE ${CMAKE_DL_LIBS})
  # Before LibTorch's: that of the Python package brings an fmt of its own.
  target_include_directories(onnxport_torch BEFORE PRIVATE "${_onnxport_sources}" "${_onnxport_sources}/third_party")
  target_compile_definitions(onnxport_torch PRIVATE fmt=onnxport_fmt)
  target_compile_options(onnxport_torch PRIVATE -w)
  set_target_properties(onnxport_torch PROPERTIES POSITION_INDEPENDENT_CODE ON)
  # As LibTorch is built: else at::RecordFunction has a member more.
  set_source_files_properties("${_onnxport_sources}/runtime/sources/torch/other_threads.cc" PROPERTIES COMPILE_DEFINITIONS NDEBUG)
endif()
