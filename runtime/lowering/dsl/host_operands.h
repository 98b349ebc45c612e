// Converts Vals to operands of Python's operators on host values.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_HOST_OPERANDS_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_HOST_OPERANDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "runtime/base/host_value.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

// Nothing for a dtype, a list or a tensor.
inline std::optional<host::Value> HostOf(const Val& val) {
  if (val.is_none()) return host::Value();
  if (val.is_bool()) return val.AsBool();
  if (val.is_int()) return val.AsInt();
  if (val.is_float()) return val.AsFloat();
  return val.is_text() ? std::optional<host::Value>(val.AsText()) : std::nullopt;
}

inline Val ValOf(host::Value value) {
  if (value.index() == 0) return {};
  if (const bool* b = std::get_if<bool>(&value)) return *b;
  if (const int64_t* i = std::get_if<int64_t>(&value)) return *i;
  if (const double* d = std::get_if<double>(&value)) return *d;
  return std::get<std::string>(std::move(value));
}

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_HOST_OPERANDS_H_
