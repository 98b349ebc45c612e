// Matches names in the code of two traces that are spelled differently but mean the same.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_CODE_NAMES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_CODE_NAMES_H_

#include <string>
#include <string_view>
#include <unordered_map>

namespace onnxport::torchscript {

// "__torch__.___torch_mangle_3.Net" becomes "__torch__.Net". The numbers distinguish classes of one name in a process,
// and differ from trace to trace.
std::string WithoutMangling(std::string_view name);

// Variables of two functions. LibTorch's printer numbers temporary ones, so `x0` here may be `x2` there.
class Names {
 public:
  // If a name is defined again, its first pair stays.
  void Define(const std::string& a, const std::string& b) {
    to_.try_emplace(a, b);
    from_.try_emplace(b, a);
  }
  // A name that is no variable must be the same in both.
  bool AreOne(const std::string& a, const std::string& b) const {
    const auto to = to_.find(a);
    const auto from = from_.find(b);
    if (to == to_.end() || from == from_.end()) return to == to_.end() && from == from_.end() && a == b;
    return to->second == b && from->second == a;
  }

 private:
  std::unordered_map<std::string, std::string> to_;
  std::unordered_map<std::string, std::string> from_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_CODE_NAMES_H_
