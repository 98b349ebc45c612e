// The names of an operator's tests, for --test_filter.
#ifndef ONNXPORT_TESTS_CONFORMANCE_SUITE_NAME_H_
#define ONNXPORT_TESTS_CONFORMANCE_SUITE_NAME_H_

#include <string>
#include <string_view>

namespace onnxport::conformance {

// "aten::add.Tensor" -> "aten_add_Tensor"
inline std::string SuiteName(std::string_view overload) {
  std::string name(overload);
  for (char& c : name) {
    if (c == ':' || c == '.') c = '_';
  }
  if (const size_t at = name.find("__"); at != std::string::npos) name.erase(at, 1);
  return name;
}

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_SUITE_NAME_H_
