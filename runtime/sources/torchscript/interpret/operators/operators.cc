#include "runtime/sources/torchscript/interpret/operators/operators.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/sources/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/sources/torchscript/interpret/operators/aten_call.h"
#include "runtime/sources/torchscript/interpret/operators/custom_call.h"
#include "runtime/sources/torchscript/interpret/operators/overloads.h"
#include "runtime/sources/torchscript/interpret/quantized/quantized.h"

namespace onnxport::torchscript {
namespace {

using Rows = std::unordered_map<std::string_view, std::vector<BuiltinRow>>;

// In the order in which they are tried. Lists of known length come before those of unknown length, which would turn any
// list into a sequence: `xs.insert(0, x)` of a known list is executed at once.
std::vector<std::span<const BuiltinRow>> ComputedFamilies() {
  return {ArithmeticBuiltins(),  ComparisonBuiltins(),  MathBuiltins(),   ExtremeBuiltins(),
          ConversionBuiltins(),  FormattingBuiltins(),  StringBuiltins(), LetterBuiltins(),
          ListBuiltins(),        WholeListBuiltins(),   DictBuiltins(),   SearchBuiltins(),
          DynamicListBuiltins(), StackedListBuiltins(), TensorBuiltins(), TensorPairBuiltins(),
          DTypeBuiltins(),       MakeTensorBuiltins(),  OtherBuiltins()};
}

// All functions for an operator, in the order in which they are tried. Those of quantized tensors come first, because
// `x.dtype` differs from that of the float tensor that represents x.
const Rows& AllRows() {
  static const auto& table = *[] {
    auto* rows = new Rows();
    std::vector<std::span<const BuiltinRow>> families = {QuantizedTensorBuiltins(), QuantizedLayerBuiltins(),
                                                         QuantizedNamespace()};
    for (const auto family : ComputedFamilies()) families.push_back(family);
    families.push_back(RefusedBuiltins());
    for (const auto family : families) {
      for (const BuiltinRow& row : family) (*rows)[row.op].push_back(row);
    }
    return rows;
  }();
  return table;
}

// The first row under `name` that takes the call.
std::optional<Value> CallRows(std::string_view name, const CallSite& site) {
  const auto found = AllRows().find(name);
  if (found == AllRows().end()) return std::nullopt;
  for (const BuiltinRow& row : found->second) {
    if (!site.keywords.empty() && !row.takes_keywords) continue;
    if (std::optional<Value> value = row.function(site)) return value;
  }
  return std::nullopt;
}

std::string_view NamespaceOf(std::string_view op) { return op.substr(0, op.find("::") + 2); }

}  // namespace

struct Operators::State {
  const Program* program;
  trace::Tracer* tracer;
  Heap* heap;
  Grids* grids;
  Overloads overloads;
  RequiresGrad requires_grad = {};

  CallSite SiteOf(const std::string& op, ValueList& args, Keywords& keywords) {
    return {program, tracer, heap, &requires_grad, grids, op, args, keywords};
  }

  // The rows first, because they handle lists, texts and numbers. Any other call is on tensors. As in LibTorch, the
  // tensors decide which operator it is.
  Value Run(const CallSite& site) {
    if (std::optional<Value> value = CallRows(site.op, site)) return *std::move(value);
    if (std::optional<Value> value = CallRows(NamespaceOf(site.op), site)) return *std::move(value);
    if (!overloads.Has(site.op) && tracer->IsCustomNode(site.op)) return CustomCall(site);
    const Grid* grid = grids->First(site.args, site.keywords);
    if (grid == nullptr) return CallAten(site, &overloads);
    return CallOnGrid(site, *grid, [this](const std::string& op, ValueList args, Keywords keywords) {
      return CallAten(SiteOf(op, args, keywords), &overloads);
    });
  }
};

Operators::Operators(const Program* program, trace::Tracer* tracer, Heap* heap, Grids* grids)
    : state_(new State{program, tracer, heap, grids, Overloads(tracer)}) {}
Operators::~Operators() = default;

std::set<std::string_view> ComputedOperators() {
  std::set<std::string_view> names;
  for (const auto family : ComputedFamilies()) {
    for (const BuiltinRow& row : family) names.insert(row.op);
  }
  return names;
}

void Operators::NoteWeight(ir::ValueId id, bool requires_grad) { state_->requires_grad[id].insert(requires_grad); }

Value Operators::Call(const std::string& op, ValueList args, Keywords keywords) {
  const CallSite site = state_->SiteOf(op, args, keywords);
  try {
    WrapNumbers(site);
    Value result = state_->Run(site);
    RemarkFloat64(site, result);
    return result;
  } catch (const Refusal& refusal) {
    if (IsRaised(refusal)) throw;
    if (refusal.kind() != Refusal::Kind::kReported) state_->tracer->Fail(op, refusal.reason());
    return Reported(refusal.what());
  }
}

}  // namespace onnxport::torchscript
