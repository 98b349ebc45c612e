#include "runtime/sources/torchscript/interpret/operator_caller.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "runtime/sources/torchscript/interpret/holders.h"

namespace onnxport::torchscript {
namespace {

// Operators that change their list or dict.
constexpr std::array<std::string_view, 15> kChanging = {
    "aten::Delete", "aten::_set_item", "aten::add_",       "aten::append", "aten::clear",
    "aten::extend", "aten::insert",    "aten::mul_",       "aten::pop",    "aten::popitem",
    "aten::remove", "aten::reverse",   "aten::setdefault", "aten::sort",   "aten::update"};

constexpr uint64_t kBytesForTraced = 2048;  // memory of a value, its call, its ONNX nodes and their types

}  // namespace

Value OperatorCaller::Call(const std::string& op, CallArguments arguments, const Expr& expr) {
  // First, so that a failure below is reported at this line.
  LocateAt(expr.offset, &run_);
  CountTraced();
  for (const Value& value : arguments.positional) {
    if (!IsUsable(value, "an argument of " + op, &run_)) return Reported("");
  }
  for (const auto& [name, value] : arguments.keywords) {
    if (!IsUsable(value, "an argument of " + op, &run_)) return Reported("");
  }
  // Before the call, because it may read a list that is empty only while a loop is traced.
  scans_.NoteCall(op, arguments);
  if (!MayChange(op, arguments, expr.offset)) return Reported("");
  if (op == "aten::chunk") return Chunk(op, std::move(arguments));
  return operators_.Call(op, std::move(arguments.positional), std::move(arguments.keywords));
}

bool OperatorCaller::MayChange(const std::string& op, const CallArguments& arguments, Offset at) {
  const auto* cell = arguments.positional.empty() ? nullptr : arguments.positional[0].As<CellPtr>();
  return !cell || !std::ranges::binary_search(kChanging, op) || CheckTies(**cell, at, &run_);
}

Value OperatorCaller::Truth(Value value, const Expr& expr) {
  if (!value.As<Tensor>() && !value.As<int64_t>()) return value;
  return Call("aten::Bool", {{std::move(value)}, {}}, expr);
}

// The number of chunks does not depend on the size, unless the size is smaller. A trace may unpack them.
Value OperatorCaller::Chunk(const std::string& op, CallArguments arguments) {
  const int64_t* known = arguments.positional.size() > 1 ? arguments.positional[1].As<int64_t>() : nullptr;
  const int64_t count = known ? *known : 0;
  Value result = operators_.Call(op, std::move(arguments.positional), std::move(arguments.keywords));
  const auto* cell = result.As<CellPtr>();
  if (cell && (*cell)->is_dynamic()) chunks_[(*cell)->sequence] = count;
  return result;
}

std::optional<int64_t> OperatorCaller::ChunksOf(const Cell& list) const {
  const auto found = chunks_.find(list.sequence);
  return found == chunks_.end() ? std::nullopt : std::optional(found->second);
}

// Values of undone regions are still counted, because they stay in the tracer.
void OperatorCaller::CountTraced() {
  const size_t now = run_.tracer().source().values.size();
  if (now > counted_) traced_.Add((now - counted_) * kBytesForTraced);
  counted_ = now;
}

}  // namespace onnxport::torchscript
