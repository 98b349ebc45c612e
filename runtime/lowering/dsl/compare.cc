// Comparisons of Vals. They are decided during the export, or throw a refusal.
#include <fmt/format.h>

#include <optional>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/builtins.h"
#include "runtime/lowering/dsl/host_operands.h"

namespace onnxport::lowering {
namespace {

[[noreturn]] void Undecided(const Val& a, const char* op, const Val& b) {
  const auto text = [](const Val& v) {
    const auto size = SizeOf(v);
    return size ? size->ToString() : v.ToString();
  };
  throw Refusal::NotDecided(fmt::format("whether {} {} {} is not known before the model runs", text(a), op, text(b)));
}

// Decides by bounds of a - b: first by stated bounds, then by assumed ones.
bool Decide(const Val& a, const char* op, const Val& b, std::optional<bool> (*answer)(const ir::Range& difference)) {
  const auto left = SizeOf(a);
  const auto right = SizeOf(b);
  if (left && right) {
    Emitter& emitter = *EmitterOf(a, b);
    const ir::Dim difference = *left - *right;
    // A stated bound holds in every run, and costs nothing. An assumption comes second, because it adds a remark: the
    // model is only right for sizes other than 0 and 1.
    if (const auto told = answer(RunBounds(difference, emitter.graph().ranges))) return *told;
    if (const auto told = answer(AssumedBounds(difference, emitter.graph().ranges));
        told && emitter.assumptions().Assume(difference)) {
      return *told;
    }
  }
  Undecided(a, op, b);
}

bool TensorEqual(const Val& a, const Val& b) {
  if (a.is_none() || b.is_none()) return false;
  // A tensor equals itself, whatever its contents are.
  if (a.is_tensor() && b.is_tensor() && a.AsTensor().id == b.AsTensor().id) return true;
  const bool comparable = (a.is_tensor() || a.is_number()) && (b.is_tensor() || b.is_number());
  if (!comparable) return false;
  return Decide(a, "==", b, [](const ir::Range& difference) -> std::optional<bool> {
    if (difference.min == 0 && difference.max == 0) return true;
    const bool differ = (difference.min && *difference.min > 0) || (difference.max && *difference.max < 0);
    return differ ? std::optional(false) : std::nullopt;
  });
}

bool TensorLess(const Val& a, const Val& b) {
  return Decide(a, "<", b, [](const ir::Range& difference) -> std::optional<bool> {
    if (difference.max && *difference.max < 0) return true;
    if (difference.min && *difference.min >= 0) return false;
    return std::nullopt;
  });
}

bool ListsEqual(const Vals& a, const Vals& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Val& a, const Val& b) {
  if (a.is_tensor() || b.is_tensor()) return TensorEqual(a, b);
  if (a.is_list() && b.is_list()) return ListsEqual(a.AsList(), b.AsList());
  if (a.is_dtype() && b.is_dtype()) return a.AsDType() == b.AsDType();
  const auto left = HostOf(a), right = HostOf(b);
  return left && right && host::Equal(*left, *right);
}

bool operator<(const Val& a, const Val& b) {
  if (a.is_tensor() || b.is_tensor()) return TensorLess(a, b);
  const auto left = HostOf(a), right = HostOf(b);
  if (!left || !right) host::RefuseOperator("<", a.ToString(), b.ToString());
  return host::Less(*left, *right);
}

bool operator<=(const Val& a, const Val& b) {
  if (a.is_tensor() || b.is_tensor()) return !TensorLess(b, a);
  const auto left = HostOf(a), right = HostOf(b);
  if (!left || !right) host::RefuseOperator("<=", a.ToString(), b.ToString());
  return host::LessEqual(*left, *right);
}

bool Contains(const Val& list, const Val& element) {
  if (const auto text = HostOf(list)) {
    const auto part = HostOf(element);
    if (!part) host::RefuseOperator("in", element.ToString(), list.ToString());
    return host::IsIn(*part, *text);
  }
  for (const Val& other : list.AsList()) {
    if (other == element) return true;
  }
  return false;
}

Val Or(const Val& a, FunctionRef<Val()> b) { return a ? a : b(); }

Val And(const Val& a, FunctionRef<Val()> b) { return a ? b() : a; }

}  // namespace onnxport::lowering
