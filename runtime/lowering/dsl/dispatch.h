// The table that the generator makes: ATen overload and opset -> how to lower the call.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_DISPATCH_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_DISPATCH_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

using LowerFunction = Vals (*)(Context& context);

// One row per (overload, run of opsets with the same code).
struct DispatchRow {
  std::string_view name;  // "aten::softmax.int"
  int8_t since;           // first and last opset, inclusive
  int8_t until;
  LowerFunction function;  // null: `refusal`
  const char* refusal;     // the spec's `refuse:` text; null otherwise
  const char* spec;        // "spec/aten/norm.yaml:12"
};

// Sorted by (name, since); ranges of one name do not overlap. Defined in generated/dispatch_table.gen.cc.
std::span<const DispatchRow> DispatchTable();

// The row for an overload at an opset; null when there is none.
const DispatchRow* FindRow(std::string_view name, int opset);
// All rows of an overload (every opset range); empty when nobody claims it.
std::span<const DispatchRow> RowsOf(std::string_view name);

// Opsets the tables were made for, both inclusive (7 and libonnx's newest). Generated.
struct OpsetRange {
  int first;
  int last;
};
OpsetRange SupportedOpsets();

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_DISPATCH_H_
