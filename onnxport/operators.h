// What this build can export.
#ifndef ONNXPORT_OPERATORS_H_
#define ONNXPORT_OPERATORS_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport {

// Opsets that models can be exported to, both inclusive: 7 to the newest of the ONNX that is linked in.
struct OpsetRange {
  int first;
  int last;
};
OpsetRange SupportedOpsets();

// An overload at a range of opsets that have one rule for it.
struct OperatorSupport {
  std::string_view name;  // "aten::softmax.int"
  OpsetRange opsets;
  std::string_view spec;  // "spec/aten/norm.yaml:12", or that its values are computed while exporting
  std::string refusal;    // why no call of it can be exported at these opsets; empty: calls can
};

// Sorted by name and opset. (A call may still be refused for its arguments.)
std::vector<OperatorSupport> ListOperators();

// Which of `operators` a name may have meant that is none of them: "rellu" -> {"aten::relu", ...}. Names without
// overloads, the nearest first, at most five. Namespaces do not count: an operator of the user is often named after the
// one that it does the work of.
std::vector<std::string_view> NearestOperators(std::string_view wanted, const std::vector<OperatorSupport>& operators);

// What ExportOptions::target may name.
struct TargetInfo {
  std::string_view name;    // "ort-cpu"
  std::string_view title;   // "ONNX Runtime on CPU"
  OpsetRange opsets;        // that it takes
  std::string_view source;  // where it is known from, with the release that it is of
  std::string_view date;    // when that was looked at: "2026-11-26"
};
// Sorted by name.
std::vector<TargetInfo> ListTargets();

// What ExportOptions::keep may name with effect.
struct KeptOperator {
  std::string_view name;         // "Attention"
  int since;                     // the first opset with it
  std::string_view in_place_of;  // what it stands for: "silu(a) * b"
};
std::vector<KeptOperator> ListKeptOperators();

// As arrays of objects, one a line: [{"name": "aten::relu", "first_opset": 7, "last_opset": 28, "spec": ...}, ...].
// "refusal" is there where it is not empty.
std::string ToJson(const std::vector<OperatorSupport>& operators);
std::string ToJson(const std::vector<TargetInfo>& targets);
std::string ToJson(const std::vector<KeptOperator>& operators);

// The simplifications that can be left out, in the order in which they run.
std::vector<std::string> PassNames();

}  // namespace onnxport

#endif  // ONNXPORT_OPERATORS_H_
