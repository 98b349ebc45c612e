#include "runtime/lowering/build/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {
namespace {

std::string Join(const ir::Dims& dims) {
  std::string text;
  for (const ir::Dim& dim : dims) {
    if (!text.empty()) text += ", ";
    text += dim.ToString();
  }
  return text;
}

// u0, u1 ...: sizes that depend on data. torch.export assumes nothing about them.
bool IsNumbered(const std::string& symbol, std::string_view prefix) {
  return symbol.size() > prefix.size() && symbol.starts_with(prefix) &&
         std::all_of(symbol.begin() + prefix.size(), symbol.end(), [](unsigned char c) { return std::isdigit(c); });
}

// A float of torch.export. Unlike sizes, it may be negative.
bool IsFloat(const std::string& symbol) { return IsNumbered(symbol, "zuf") || IsNumbered(symbol, "zf"); }

ir::Range StatedRange(const std::string& symbol, const ir::Ranges& ranges) {
  const auto found = ranges.find(symbol);
  if (found != ranges.end()) return found->second;
  return IsFloat(symbol) ? ir::Range{} : ir::Range{.min = 0, .max = std::nullopt};
}

}  // namespace

bool IsUnbacked(const std::string& symbol) { return IsNumbered(symbol, "u") || IsFloat(symbol); }

const ir::Value& ValueOf(const Tensor& tensor) { return tensor.emitter->value(tensor.id); }

Emitter* EmitterOf(const Val& a, const Val& b) { return (a.is_tensor() ? a : b).AsTensor().emitter; }

std::string Describe(const Tensor& tensor) {
  const ir::Value& value = ValueOf(tensor);
  std::string text = fmt::format("{}[{}]", ir::Name(value.dtype), value.dims ? Join(*value.dims) : "*");
  if (value.kind == ir::ValueKind::kSequence) text = "a list of unknown length of " + text;
  if (value.contents) text += fmt::format(" {{{}}}", Join(*value.contents));
  return text;
}

bool IsScalar(const Tensor& tensor) {
  const ir::Value& value = ValueOf(tensor);
  return value.dims && value.dims->empty();
}

std::optional<ir::Dim> SizeOf(const Val& value) {
  if (value.is_int() || value.is_bool()) return ir::Dim(value.AsInt());
  if (!value.is_tensor() || !IsScalar(value.AsTensor())) return std::nullopt;
  const auto& contents = ValueOf(value.AsTensor()).contents;
  if (!contents || contents->size() != 1 || contents->front().is_unknown()) return std::nullopt;
  return contents->front();
}

std::optional<Val> FindSize(Emitter* emitter, const ir::Dim& expression) {
  if (expression.is_number()) return Val(expression.number());
  if (const auto id = emitter->sizes().Find(expression)) return Val(Tensor{emitter, *id});
  return std::nullopt;
}

ir::Range RunBounds(const ir::Dim& dim, const ir::Ranges& ranges) {
  if (dim.is_unknown()) return {};
  ir::Ranges stated;
  for (const std::string& symbol : dim.symbols()) stated[symbol] = StatedRange(symbol, ranges);
  return dim.Bounds(stated);
}

ir::Range AssumedBounds(const ir::Dim& dim, const ir::Ranges& ranges) {
  if (dim.is_unknown()) return {};
  ir::Ranges assumed;
  for (const std::string& symbol : dim.symbols()) {
    ir::Range range = StatedRange(symbol, ranges);
    if (!IsUnbacked(symbol) && range.min && *range.min >= 0) range.min = std::max<int64_t>(*range.min, 2);
    assumed[symbol] = range;
  }
  return dim.Bounds(assumed);
}

ir::Range TrustedBounds(const ir::Dim& dim, const Emitter& emitter) {
  const bool exported = emitter.assumptions().free_sizes() == FreeSizes::kAsExported;
  return exported ? AssumedBounds(dim, emitter.graph().ranges) : RunBounds(dim, emitter.graph().ranges);
}

bool NeverEqual(const ir::Dim& a, const ir::Dim& b, const Emitter& emitter) {
  if (a.is_unknown() || b.is_unknown() || a == b) return false;
  const ir::Range difference = TrustedBounds(a - b, emitter);
  return (difference.min && *difference.min > 0) || (difference.max && *difference.max < 0);
}

}  // namespace onnxport::lowering
