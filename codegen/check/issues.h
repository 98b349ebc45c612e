// Collects mistakes found at each opset, and reports each once with the opsets that have it.
#ifndef ONNXPORT_CODEGEN_CHECK_ISSUES_H_
#define ONNXPORT_CODEGEN_CHECK_ISSUES_H_

#include <map>
#include <set>
#include <string>

#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// Mistakes are merged by place and text. If three overloads at nineteen opsets have one, it is one line: "... at opset
// 7 to 12".
class Issues {
 public:
  // "{what} at opset 13 to 25{more}".
  void Add(const Place& place, int opset, const std::string& what, const std::string& more = "");
  bool empty() const { return opsets_.empty(); }

  // `all` are the opsets that were checked. A mistake at each of them is reported without opsets.
  void Report(const std::set<int>& all, Diagnostics* diagnostics) const;

 private:
  struct Key {
    int line;
    int column;
    std::string what;
    std::string more;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::set<int>> opsets_;
  std::map<Key, Place> places_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_ISSUES_H_
