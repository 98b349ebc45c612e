// Operators, opsets and targets that this build knows.
#ifndef ONNXPORT_OPERATORS_H_
#define ONNXPORT_OPERATORS_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport {

// Opsets that models can be exported to, both ends inclusive: 7 to the newest of the linked ONNX.
struct OpsetRange {
  int first;
  int last;
};
OpsetRange SupportedOpsets();

// An overload at a range of opsets that have one rule for it.
struct OperatorSupport {
  std::string_view name;  // "aten::softmax.int"
  OpsetRange opsets;
  std::string_view spec;  // "spec/aten/norm.yaml:12", or a text: its values are computed during the export
  std::string refusal;    // why no call of it can be exported at these opsets; empty: calls can be exported
};

// Returns them sorted by name and opset. (A call may still be refused for its arguments.)
std::vector<OperatorSupport> ListOperators();

// Returns operators that the user may have meant: "rellu" -> {"aten::relu", ...}. `wanted` is none of `operators`. The
// results have no overloads. The nearest one comes first, and there are at most five. Namespaces are ignored, because
// users often name their operator after the one that it replaces.
std::vector<std::string_view> NearestOperators(std::string_view wanted, const std::vector<OperatorSupport>& operators);

// A target that ExportOptions::target may name.
struct TargetInfo {
  std::string_view name;    // "ort-cpu"
  std::string_view title;   // "ONNX Runtime on CPU"
  OpsetRange opsets;        // the opsets that it takes
  std::string_view source;  // where the facts come from, with the release
  std::string_view date;    // the day of the facts: "2026-11-26"
};
// Returns them sorted by name.
std::vector<TargetInfo> ListTargets();

// An operator that ExportOptions::keep may name.
struct KeptOperator {
  std::string_view name;         // "Attention"
  int since;                     // the first opset with it
  std::string_view in_place_of;  // the smaller operators that it replaces: "silu(a) * b"
};
std::vector<KeptOperator> ListKeptOperators();

// Return arrays of objects, one a line: [{"name": "aten::relu", "first_opset": 7, "last_opset": 28, "spec": ...}, ...].
// "refusal" is left out where it is empty.
std::string ToJson(const std::vector<OperatorSupport>& operators);
std::string ToJson(const std::vector<TargetInfo>& targets);
std::string ToJson(const std::vector<KeptOperator>& operators);

// The simplifications that can be left out, in the order in which they run.
std::vector<std::string> PassNames();

}  // namespace onnxport

#endif  // ONNXPORT_OPERATORS_H_
