// Types that hold what either of two sides gives.
#ifndef ONNXPORT_RUNTIME_TRACE_JOIN_H_
#define ONNXPORT_RUNTIME_TRACE_JOIN_H_

#include <optional>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

// Equal dimensions and contents stay, others become unknown. Nothing when kind, dtype or rank differ; *why_not says.
std::optional<ir::Value> Join(const ir::Value& a, const ir::Value& b, std::string* why_not);

// Whether a value of type `b` may stand where `a` was declared: the join is `a`.
bool Fits(const ir::Value& b, const ir::Value& a);

// The type of a host number; nothing for another host value.
std::optional<ir::Value> TypeOfNumber(const ir::Arg& number);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_JOIN_H_
