// A test line says one call. A variation of it is the same call with another dtype, empty axes, special values, or
// other arguments.
#ifndef ONNXPORT_TESTS_CONFORMANCE_VARIATION_H_
#define ONNXPORT_TESTS_CONFORMANCE_VARIATION_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"
#include "tests/conformance/case.h"

namespace onnxport::conformance {

// The value for an argument that is no tensor.
struct Replacement {
  size_t argument = 0;  // its position in the schema
  ir::Arg value;
};

struct Variation {
  DType key = DType::kUndefined;    // tensors of this dtype (of any float dtype, when it is one) ...
  DType dtype = DType::kUndefined;  // ... have this one
  int64_t emptied = -1;             // axes of this size become empty
  int round = 0;                    // 0: ordinary values; others: special values mixed in, see tensors.h
  std::vector<Replacement> replaced = {};
  std::vector<size_t> scalars = {};  // tensors, by their number among the arguments, that become 0-d
};

// The dtype that a case is about: of its first float tensor, else of its first one; kUndefined without tensors.
DType KeyDType(const Case& test);

// The sizes above 1 of its first tensor with axes, each once: what can be emptied.
std::vector<int64_t> SizesOf(const Case& test);

// A tensor argument after the variation.
struct TensorPlan {
  DType dtype;
  std::vector<int64_t> shape;
  bool bounded;
  double low;
  double high;
  bool evenly;
  std::initializer_list<Value> contents;  // none: values within the bounds
};
TensorPlan PlanOf(const Value& tensor, const Variation& variation);

// The plans of all tensors among the arguments, in their order.
std::vector<TensorPlan> PlansOf(const Case& test, const Variation& variation);

// "(f32[2,3], alpha=2)": the arguments as a test line has them, `T` in the place of the dtype that varies.
std::string CallText(const Case& test, const Variation& variation);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_VARIATION_H_
