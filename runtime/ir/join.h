// Types that hold what either of two sides of a branch or loop gives.
#ifndef ONNXPORT_RUNTIME_IR_JOIN_H_
#define ONNXPORT_RUNTIME_IR_JOIN_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// Equal dimensions and contents stay, others become unknown. Nothing when kind, dtype or rank differ; *why_not says.
// float32[2, s0] and float32[3, s0] are float32[?, s0].
std::optional<Value> Join(const Value& a, const Value& b, std::string* why_not);

// Returns true if a value of type `b` may stand where `a` was declared: the join is `a`.
// A loop that declared float32[?, 3] takes float32[2, 3] in its next iteration. One that declared float32[2, 3] must be
// declared anew for float32[?, 3] (trace/loops.cc).
bool Fits(const Value& b, const Value& a);

// The type of a host number; nothing for another host value.
std::optional<Value> TypeOfNumber(const Arg& number);

// The arguments of Instruction::kSequenceEmpty for a sequence whose elements have the dtype of `element` and, as far as
// they are numbers, its sizes.
std::vector<Arg> EmptySequenceOf(const Value& element);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_JOIN_H_
