// The generated tables that map an ATen overload and an opset to the code that lowers the call.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_DISPATCH_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_DISPATCH_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/linked_tables.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

using LowerFunction = Vals (*)(Context& context);

// One row per overload and range of opsets with the same code.
struct DispatchRow {
  std::string_view name;  // "aten::softmax.int"
  int8_t since;           // first and last opset, inclusive
  int8_t until;
  LowerFunction function;  // null: `refusal`
  const char* refusal;     // the spec's `refuse:` text; null otherwise
  const char* spec;        // "spec/aten/norm.yaml:12"
};

// Opsets, both inclusive.
struct OpsetRange {
  int first;
  int last;
};

// A set of operators. A user's set overrides onnxport's own for the operators in both.
struct DispatchTable {
  std::string_view owner;
  std::span<const DispatchRow> rows;  // sorted by (name, since); ranges of one name do not overlap
  OpsetRange opsets;                  // the opsets it was generated for: 7 to libonnx's newest
};
using DispatchTables = LinkedTables<DispatchTable>;

// The row for an overload at an opset; null when there is none.
const DispatchRow* FindRow(std::string_view name, int opset);
// All rows of an overload, for every range of opsets; empty if no spec claims it.
std::span<const DispatchRow> RowsOf(std::string_view name);
// If the sets of two users claim the same overload, returns the places of the first two claims; else an empty text.
std::string ClaimedTwice(std::string_view name);
// The rows of all tables that are not overridden, sorted by (name, since).
std::vector<DispatchRow> AllRows();

OpsetRange SupportedOpsets();

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_DISPATCH_H_
