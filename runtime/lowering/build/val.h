// A value of a spec's expression during the export: a host value, or a tensor of the graph under construction.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_VAL_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_VAL_H_

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/refusal.h"
#include "runtime/ir/dtype.h"
#include "runtime/ir/value_id.h"
#include "runtime/ir/word.h"

namespace onnxport::lowering {

using ir::DType;

class Emitter;
class Val;
using Vals = std::vector<Val>;

// A tensor of the graph under construction.
struct Tensor {
  Emitter* emitter;
  ir::ValueId id;
};

// It has one of nine kinds. Most functions query the kind, or return the value in one.
class Val {
 public:
  Val() = default;  // None
  Val(std::same_as<bool> auto b) : v_(bool{b}) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Val(T i) : v_(static_cast<int64_t>(i)) {}
  Val(double d) : v_(d) {}
  Val(const char* text);
  Val(std::string text);
  Val(DType dtype) : v_(dtype) {}
  Val(ir::Word word);
  Val(Tensor tensor) : v_(tensor) {}
  Val(Vals list);

  bool is_none() const { return std::holds_alternative<std::monostate>(v_) && shared_ == nullptr; }
  bool is_bool() const { return std::holds_alternative<bool>(v_); }
  bool is_int() const { return std::holds_alternative<int64_t>(v_); }
  bool is_float() const { return std::holds_alternative<double>(v_); }
  bool is_number() const { return is_bool() || is_int() || is_float(); }
  bool is_text() const { return shared_ != nullptr && !is_list(); }
  bool is_dtype() const { return std::holds_alternative<DType>(v_); }
  bool is_list() const { return shared_ != nullptr && std::holds_alternative<Vals>(*shared_); }
  bool is_tensor() const { return std::holds_alternative<Tensor>(v_); }

  // Each throws Refusal if the value has another kind. AsInt accepts bools and whole floats, AsFloat any number.
  bool AsBool() const;
  int64_t AsInt() const;
  double AsFloat() const;
  const std::string& AsText() const;
  DType AsDType() const;
  const Vals& AsList() const&;
  Vals AsList() &&;  // for a value that is not used after the statement
  Tensor AsTensor() const;

  // Python's truth of a host value; a tensor is true (it is present).
  explicit operator bool() const;
  // A list's element or slice; a negative index counts from the end. Throws Refusal when out of range.
  Val operator[](const Val& index) const;
  Val Slice(const Val& begin, const Val& end) const;  // None: open end

  std::string ToString() const;  // for messages

 private:
  // Nearly all are tensors and numbers, and are often copied. So a value of more than a few words is shared.
  using Shared = std::variant<std::string, ir::Word, Vals>;
  std::variant<std::monostate, bool, int64_t, double, DType, Tensor> v_;  // None if there is `shared_`
  std::shared_ptr<const Shared> shared_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_VAL_H_
