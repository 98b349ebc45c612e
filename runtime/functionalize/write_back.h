// How a write to a view reaches its base.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_WRITE_BACK_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_WRITE_BACK_H_

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/functionalize/builder.h"
#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

// The view has all elements of its base in the base's order (`view`, `alias`, `detach` ...).
bool KeepsOrder(const std::string& op);

// The base's new value when its view `node`, result number `output`, becomes `part`. `base` is the base's present
// value. Nothing, with the reason in *why_not, when the write cannot be expressed.
std::optional<ir::ValueId> WriteBack(Builder* builder, const ir::Node& node, size_t output, ir::ValueId base,
                                     ir::ValueId part, std::string* why_not);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_WRITE_BACK_H_
