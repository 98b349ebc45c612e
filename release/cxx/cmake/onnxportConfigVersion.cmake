# Read by find_package(onnxport VERSION): before 1.0, a version fits those that ask for the same second number.
set(PACKAGE_VERSION "@VERSION@")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _onnxport_series "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _onnxport_wanted "${PACKAGE_FIND_VERSION}")
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION
   AND (NOT _onnxport_wanted OR _onnxport_wanted STREQUAL _onnxport_series))
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
