// The tables that the generator makes: ATen overload and opset -> how to lower the call.
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

// One row per (overload, run of opsets with the same code).
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

// A set of operators. One of a user's overrides what it has in common with onnxport's own.
struct DispatchTable {
  std::string_view owner;
  std::span<const DispatchRow> rows;  // sorted by (name, since); ranges of one name do not overlap
  OpsetRange opsets;                  // that it was made for: 7 and libonnx's newest
};
using DispatchTables = LinkedTables<DispatchTable>;

// The row for an overload at an opset; null when there is none.
const DispatchRow* FindRow(std::string_view name, int opset);
// All rows of an overload (every opset range); empty when nobody claims it.
std::span<const DispatchRow> RowsOf(std::string_view name);
// Sets that users made apart may both claim an overload: the places of the first two, empty when that is not so.
std::string ClaimedTwice(std::string_view name);
// Those in force of all tables, sorted by (name, since).
std::vector<DispatchRow> AllRows();

OpsetRange SupportedOpsets();

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_DISPATCH_H_
