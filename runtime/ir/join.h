// Joins the types of the two sides of a branch, or of the iterations of a loop.
#ifndef ONNXPORT_RUNTIME_IR_JOIN_H_
#define ONNXPORT_RUNTIME_IR_JOIN_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// Keeps equal dimensions and contents; others become unknown: float32[2, s0] and float32[3, s0] become float32[?, s0].
// Returns nothing if kind, dtype or rank differ; *why_not then says why.
std::optional<Value> Join(const Value& a, const Value& b, std::string* why_not);

// Returns true if a value of type `b` fits the declared type `a`, which means that their join is `a`. A loop that
// declared float32[?, 3] accepts float32[2, 3] in its next iteration. A loop that declared float32[2, 3] does not
// accept float32[?, 3], and must be traced again with a wider type (trace/loops.cc).
bool Fits(const Value& b, const Value& a);

// The type of a host number; nothing for another host value.
std::optional<Value> TypeOfNumber(const Arg& number);

// The arguments of Instruction::kSequenceEmpty. The elements of the sequence have the dtype of `element`, and its sizes
// that are numbers.
std::vector<Arg> EmptySequenceOf(const Value& element);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_JOIN_H_
