#include "runtime/ir/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace onnxport::ir {
namespace {

std::string Describe(const Value& value) {
  switch (value.kind) {
    case ValueKind::kInt:
      return "an int";
    case ValueKind::kFloat:
      return "a float";
    case ValueKind::kBool:
      return "a bool";
    case ValueKind::kSequence:
      return fmt::format("a list of {} tensors", Name(value.dtype));
    default:
      return fmt::format("a {} tensor", Name(value.dtype));
  }
}

// Dims that differ become unknown.
Dims Merge(const Dims& a, const Dims& b) {
  Dims merged;
  for (size_t i = 0; i < a.size(); ++i) merged.push_back(a[i] == b[i] ? a[i] : Dim());
  return merged;
}

// Compares types: [?, 3] is the type [?, 3], although two unknown sizes are not equal as values (ir/dim.h).
template <typename Optional>
bool Same(const Optional& a, const Optional& b) {
  if (!a || !b) return !a && !b;
  const auto equal = [](const Dim& x, const Dim& y) { return x == y || (x.is_unknown() && y.is_unknown()); };
  return a->size() == b->size() && std::equal(a->begin(), a->end(), b->begin(), equal);
}

}  // namespace

std::optional<Value> Join(const Value& a, const Value& b, std::string* why_not) {
  if (a.kind != b.kind || (HoldsTensors(a.kind) && a.dtype != b.dtype)) {
    *why_not = fmt::format("{} on one side and {} on the other", Describe(a), Describe(b));
    return std::nullopt;
  }
  Value joined;
  joined.kind = a.kind;
  joined.dtype = a.dtype;
  if (a.dims && b.dims) {
    if (a.dims->size() == b.dims->size()) {
      joined.dims = Merge(*a.dims, *b.dims);
    } else if (a.kind != ValueKind::kSequence) {
      // An If of ONNX may return tensors of two ranks, but all later nodes would have no rank. Elements of a list may
      // have any.
      *why_not =
          fmt::format("a tensor of rank {} on one side and of rank {} on the other", a.dims->size(), b.dims->size());
      return std::nullopt;
    }
  }
  if (a.contents && b.contents && a.contents->size() == b.contents->size()) {
    joined.contents = Merge(*a.contents, *b.contents);
    // If all are unknown, nothing is known. Types stay comparable if there is only one form for this.
    const bool nothing =
        std::all_of(joined.contents->begin(), joined.contents->end(), [](const Dim& dim) { return dim.is_unknown(); });
    if (nothing) joined.contents.reset();
  }
  return joined;
}

bool Fits(const Value& b, const Value& a) {
  std::string why_not;
  const auto joined = Join(a, b, &why_not);
  return joined && Same(joined->dims, a.dims) && (!a.contents || Same(joined->contents, a.contents));
}

std::optional<Value> TypeOfNumber(const Arg& number) {
  Value type;
  type.dims = Dims();
  if (std::holds_alternative<bool>(number.v)) {
    type.kind = ValueKind::kBool;
    type.dtype = DType::kBool;
  } else if (const int64_t* integer = std::get_if<int64_t>(&number.v)) {
    type.kind = ValueKind::kInt;
    type.dtype = DType::kInt64;
    type.contents = Dims{Dim(*integer)};
  } else if (std::holds_alternative<double>(number.v)) {
    type.kind = ValueKind::kFloat;
    type.dtype = DType::kFloat64;
  } else {
    return std::nullopt;
  }
  return type;
}

std::vector<Arg> EmptySequenceOf(const Value& element) {
  std::vector<Arg> args = {{element.dtype}};
  if (!element.dims) return args;
  ArgList sizes;
  for (const Dim& dim : *element.dims) sizes.push_back({dim.is_number() ? dim.number() : -1});
  args.push_back({std::move(sizes)});
  return args;
}

}  // namespace onnxport::ir
