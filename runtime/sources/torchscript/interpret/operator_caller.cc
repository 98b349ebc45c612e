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

Value OperatorCaller::Chunk(const std::string& op, CallArguments arguments) {
  const ValueList& given = arguments.positional;
  const int64_t* count = given.size() > 1 ? given[1].As<int64_t>() : nullptr;
  const bool is_plain = count && arguments.keywords.empty();
  ChunkCall call;
  if (is_plain) call = {given[0], *count, given.size() > 2 ? given[2] : Value{int64_t{0}}};
  Value result = operators_.Call(op, std::move(arguments.positional), std::move(arguments.keywords));
  const auto* cell = result.As<CellPtr>();
  if (is_plain && cell && (*cell)->is_dynamic()) chunks_[(*cell)->sequence] = std::move(call);
  return result;
}

// The number of chunks does not depend on the size, unless the size is smaller; PyTorch refuses to unpack those. Pieces
// of a Split have known sizes, and elements of a sequence have none.
std::optional<ValueList> OperatorCaller::Chunks(const Cell& list, int64_t count, const Expr& expr) {
  const auto found = chunks_.find(list.sequence);
  if (found == chunks_.end() || found->second.count != count) return std::nullopt;
  const ChunkCall made = found->second;
  const auto call = [&](const char* op, const Value& a, const Value& b) { return Call(op, {{a, b}, {}}, expr); };
  const Value size = call("aten::size", made.tensor, made.axis);
  const Value each = call("aten::floordiv", call("aten::add", size, {count - 1}), {count});
  ValueList sizes(static_cast<size_t>(count - 1), each);
  sizes.push_back(call("aten::sub", size, call("aten::mul", each, {count - 1})));
  const Value pieces =
      Call("aten::split_with_sizes", {{made.tensor, {run_.EditHeap().NewList(std::move(sizes))}, made.axis}, {}}, expr);
  const auto* cell = pieces.As<CellPtr>();
  return cell ? (*cell)->items : ValueList(static_cast<size_t>(count), Reported(""));
}

// Values of undone regions are still counted, because they stay in the tracer.
void OperatorCaller::CountTraced() {
  const size_t now = run_.tracer().source().values.size();
  if (now > counted_) traced_.Add((now - counted_) * kBytesForTraced);
  counted_ = now;
}

}  // namespace onnxport::torchscript
