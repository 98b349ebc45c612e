#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

#include <algorithm>
#include <utility>

#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

const Value& NoneValue() {
  static const Value& none = *new Value();
  return none;
}

// Arithmetic treats bools as ints.
ir::Arg Operand(const Value& value) {
  if (const auto* b = value.As<bool>()) return {static_cast<int64_t>(*b)};
  const std::optional<ir::Arg> arg = ToScalarArg(Plain(value));
  if (!arg) throw Refusal("arithmetic takes numbers only");
  return *arg;
}

}  // namespace

const Value& CallSite::At(size_t i) const { return i < args.size() ? args[i] : NoneValue(); }

const Value* CallSite::Keyword(std::string_view wanted) const {
  for (const auto& [name, value] : keywords) {
    if (name == wanted) return &value;
  }
  return nullptr;
}

int64_t CallSite::Int(size_t i) const {
  const Value value = Plain(At(i));
  if (const auto* number = value.As<int64_t>()) return *number;
  if (const auto* truth = value.As<bool>()) return *truth ? 1 : 0;
  throw Refusal(onnxport::Code::kArgumentIsNotKnown,
                "argument " + std::to_string(i + 1) + " is " + KindName(value, *tracer) +
                    ": an int that is known at export is needed, as a parameter with a value is (<<inputs: n=5>>)");
}

int64_t CallSite::Int(size_t i, int64_t absent) const { return i < args.size() ? Int(i) : absent; }

std::optional<int64_t> CallSite::OptionalInt(size_t i) const {
  return At(i).is_none() ? std::nullopt : std::optional<int64_t>(Int(i));
}

const std::string& CallSite::Text(size_t i) const {
  const auto* text = As<std::string>(i);
  if (text == nullptr)
    throw Refusal("argument " + std::to_string(i + 1) + " is " + KindName(At(i), *tracer) + ", not a text");
  return *text;
}

bool CallSite::Bool(size_t i, bool absent) const {
  if (i >= args.size()) return absent;
  const auto* truth = As<bool>(i);
  if (truth == nullptr)
    throw Refusal(
        onnxport::Code::kArgumentIsNotKnown,
        "argument " + std::to_string(i + 1) +
            " must be True or False, known at export, as a parameter with a value is (<<inputs: flag=true>>)");
  return *truth;
}

void CallSite::CheckUsable(ir::ValueId tensor) const {
  if (!tracer->CheckUsable(tensor)) throw Refusal::Reported("the tensor could not be computed");
}

Value CallSite::Run(const ir::Operator& run_op, std::vector<ir::Arg> run_args) const {
  const std::vector<ir::Arg> results = tracer->Call(run_op, std::move(run_args));
  if (results.empty()) return {None{}};
  const ir::ValueId* id = results[0].value();
  // A number that could not be computed would look like one known only at run time, and be refused again for that.
  if (id != nullptr && *id != ir::ValueId::kNone && tracer->IsFailed(*id))
    throw Refusal::Reported("a call before it failed");
  return FromScalarArg(results[0], *tracer);
}

Value CallSite::RunAll(const ir::Operator& run_op, std::vector<ir::Arg> run_args) const {
  return LeafValues(tracer->Call(run_op, std::move(run_args)), *tracer);
}

Value CallSite::Arithmetic(ir::Instruction instruction, std::initializer_list<Value> operands) const {
  std::vector<ir::Arg> numbers;
  for (const Value& operand : operands) numbers.push_back(Operand(operand));
  return Run(instruction, std::move(numbers));
}

std::optional<Operands> NumberOperands(const CallSite& call) {
  if (call.size() < 2 || !IsNumber(call.At(0)) || !IsNumber(call.At(1))) return std::nullopt;
  Operands operands{Plain(call.At(0)), Plain(call.At(1))};
  operands.is_known = IsKnownNumber(operands.a) && IsKnownNumber(operands.b);
  operands.has_float = operands.a.As<double>() != nullptr || operands.b.As<double>() != nullptr;
  return operands;
}

int64_t IntOf(const Value& value) {
  if (const auto* i = value.As<int64_t>()) return *i;
  return value.As<bool>() != nullptr && *value.As<bool>() ? 1 : 0;
}

void CheckItems(size_t count) {
  if (count > kMaxItems)
    throw Refusal(onnxport::Code::kValueIsTooLarge, "the list would have more than a million elements");
}

size_t ListIndex(int64_t index, size_t size) {
  const auto count = static_cast<int64_t>(size);
  const int64_t at = index < 0 ? index + count : index;
  if (at < 0 || at >= count) {
    throw Refusal::Raised("list index " + std::to_string(index) + " is out of range for a list of " +
                          std::to_string(size));
  }
  return static_cast<size_t>(at);
}

// As in Python, also for negative steps: bounds outside the list move to its end; -1 means before the first element.
std::vector<size_t> SliceIndices(std::optional<int64_t> start, std::optional<int64_t> end, int64_t step, size_t size) {
  if (step == 0) throw Refusal::Raised("slice step cannot be zero");
  const auto count = static_cast<int64_t>(size);
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? count : count - 1;
  const auto bound = [&](std::optional<int64_t> at, int64_t absent) {
    if (!at) return absent;
    return std::clamp(*at < 0 ? *at + count : *at, low, high);
  };
  const int64_t first = bound(start, step > 0 ? 0 : count - 1);
  const int64_t last = bound(end, step > 0 ? count : -1);
  std::vector<size_t> indices;
  // A step larger than the list reaches one element, so it cannot overflow.
  const int64_t stride = std::clamp(step, -count - 1, count + 1);
  for (int64_t i = first; stride > 0 ? i < last : i > last; i += stride) indices.push_back(static_cast<size_t>(i));
  return indices;
}

bool IsTensorElement(const Type& element) { return !element.Is("int") && !element.Is("float") && !element.Is("bool"); }

const CellPtr* KnownList(const CallSite& call, size_t i) {
  const CellPtr* list = AsList(call.At(i));
  return list != nullptr && !(*list)->is_dynamic() ? list : nullptr;
}

const ValueList* KnownItems(const Value& value) {
  if (const auto* tuple = value.As<TuplePtr>()) return &(*tuple)->items;
  const CellPtr* list = AsList(value);
  return list != nullptr && !(*list)->is_dynamic() ? &(*list)->items : nullptr;
}

Value NewListLike(const CallSite& call, ValueList items, const CellPtr& like) {
  return {call.heap->NewList(std::move(items), like->element)};
}

const std::string& KnownText(const CallSite& call, size_t i) {
  const std::string& text = call.Text(i);
  if (IsOpen(text))
    throw Refusal(onnxport::Code::kArgumentIsNotKnown,
                  "it looks into a text known only at run time; decide by the number that is in it");
  return text;
}

const ir::Value* TypeOfTensor(const CallSite& call, size_t i) {
  const auto* tensor = call.As<Tensor>(i);
  if (tensor == nullptr) return nullptr;
  call.CheckUsable(tensor->id);
  return &call.tracer->TypeOf(tensor->id);
}

}  // namespace onnxport::torchscript
