#include "runtime/lowering/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/lowering/constants.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/emitter.h"
#include "runtime/lowering/stated_dims.h"
#include "runtime/lowering/tensor.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

std::string TypeText(const ir::Value& value) {
  std::string dims;
  if (value.dims) {
    for (const ir::Dim& dim : *value.dims) dims += (dims.empty() ? "" : ", ") + dim.ToString();
  }
  return fmt::format("{}[{}]", ir::Name(value.dtype), value.dims ? dims : "*");
}

struct Binder {
  const ir::Graph& aten;
  const ir::Node& call;
  Emitter& emitter;
  Bindings& bindings;

  [[noreturn]] void Contradiction(const ir::Value& made, const ir::Value& stated, std::string_view what) const {
    const DispatchRow* row = FindRow(call.op, emitter.opset());
    throw Refusal(fmt::format("internal error: {} gives {}, the source says {}: {}; please report it",
                              row ? row->spec : "the host evaluator", TypeText(made), TypeText(stated), what));
  }

  void CheckDims(const ir::Value& made, const ir::Value& stated) const {
    if (!made.dims || !stated.dims) return;
    if (made.dims->size() != stated.dims->size()) Contradiction(made, stated, "the ranks differ");
    for (size_t i = 0; i < made.dims->size(); ++i) {
      const ir::Dim& is = (*made.dims)[i];
      const ir::Dim& should = (*stated.dims)[i];
      if (!is.is_number() || should.is_unknown()) continue;
      if (should.is_number() && should.number() != is.number()) {
        Contradiction(made, stated, fmt::format("dimension {} differs", i));
      }
      if (should.is_symbolic() && !AgreesWith(should, is.number(), aten.ranges)) {
        throw Refusal(fmt::format("dimension {} of the result is `{}`, which must stay free, but would be fixed at {}",
                                  i, should.ToString(), is.number()));
      }
    }
  }

  void BindTensor(ValueId source, ValueId made) const {
    const ir::Value& stated = aten.value(source);
    const ir::Value& value = emitter.value(made);
    if (stated.dtype != DType::kUndefined && stated.dtype != value.dtype) {
      Contradiction(value, stated, "the dtypes differ");
    }
    CheckDims(value, stated);
    emitter.Refine(made, stated);
    bindings.Bind(source, Tensor{nullptr, made});
  }

  // A size that the source states is what was computed, as far as both are known.
  void CheckSize(ValueId source, const std::optional<ir::Dim>& made) const {
    const auto& contents = aten.value(source).contents;
    if (!made || !contents || contents->size() != 1) return;
    const ir::Range difference = AssumedBounds(*made - contents->front(), aten.ranges);
    if ((difference.min && *difference.min > 0) || (difference.max && *difference.max < 0)) {
      throw Refusal(fmt::format("internal error: {} is {}, the source says {}; please report it", call.op,
                                made->ToString(), contents->front().ToString()));
    }
  }

  void BindHostTensor(ValueId source, ValueId made, DType dtype) const {
    const ir::Value& value = emitter.value(made);
    if (value.dims && !value.dims->empty()) {
      throw Refusal(fmt::format("{} is no single number", TypeText(value)));
    }
    const ValueId id = emitter.Cast(made, dtype);
    if (dtype == DType::kInt64 && value.contents && value.contents->size() == 1)
      CheckSize(source, value.contents->front());
    ir::Value stated;
    stated.contents = aten.value(source).contents;
    emitter.Refine(id, stated);
    emitter.MarkNumber(id);
    emitter.sizes().Remember(id);
    bindings.Bind(source, Tensor{nullptr, id});
  }

  void BindOne(ValueId source, const Val& result) const {
    if (source == ValueId::kNone) return;
    const ir::Value& stated = aten.value(source);
    if (result.is_none()) {
      bindings.BindMissing(source, fmt::format("result `{}` of {} is not exported", stated.name, call.op));
      return;
    }
    if (!result.is_tensor()) return BindHost(source, stated, result);
    const ValueId made = result.AsTensor().id;
    switch (stated.kind) {
      case ValueKind::kInt:
        return BindHostTensor(source, made, DType::kInt64);
      case ValueKind::kFloat:
        return BindHostTensor(source, made, DType::kFloat64);
      case ValueKind::kBool:
        return BindHostTensor(source, made, DType::kBool);
      default:
        return BindTensor(source, made);
    }
  }

  // Numbers stay numbers unless the source has a tensor there.
  void BindHost(ValueId source, const ir::Value& stated, const Val& result) const {
    if (stated.kind == ValueKind::kInt && result.is_int()) CheckSize(source, ir::Dim(result.AsInt()));
    if (stated.kind != ValueKind::kTensor) return bindings.Bind(source, result);
    if (!result.is_number()) throw Refusal(fmt::format("{} is no tensor", result.ToString()));
    const DType dtype = stated.dtype == DType::kUndefined ? DefaultDType(result) : stated.dtype;
    BindTensor(source, emitter.Constant(result, dtype));
  }

  bool IsSequence(const Val& result) const {
    return result.is_tensor() && emitter.value(result.AsTensor().id).kind == ValueKind::kSequence;
  }

  // The source knows how many elements there are, whatever sizes they have.
  void BindElements(ValueId sequence) const {
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      if (call.outputs[i] == ValueId::kNone) continue;
      const ValueId index = emitter.Constant(Val(static_cast<int64_t>(i)), DType::kInt64);
      BindTensor(call.outputs[i], emitter.Add("SequenceAt", {{sequence}, {index}}));
    }
  }

  bool OutputsAreTensors() const {
    return !call.outputs.empty() && std::ranges::all_of(call.outputs, [&](ValueId id) {
      return id == ValueId::kNone || aten.value(id).kind == ValueKind::kTensor;
    });
  }

  // A list result: one value of kind list, or its elements one by one.
  void BindAll(const Vals& results) const {
    if (results.size() == 1 && IsSequence(results[0]) && OutputsAreTensors())
      return BindElements(results[0].AsTensor().id);
    if (results.size() != 1 || !results[0].is_list()) return BindEach(results);
    const bool one = call.outputs.size() == 1 && call.outputs[0] != ValueId::kNone;
    if (one && aten.value(call.outputs[0]).kind == ValueKind::kList) return bindings.Bind(call.outputs[0], results[0]);
    BindEach(results[0].AsList());
  }

  void BindEach(const Vals& results) const {
    if (results.size() < call.outputs.size()) {
      throw Refusal(
          fmt::format("internal error: {} results where the source has {}", results.size(), call.outputs.size()));
    }
    for (size_t i = 0; i < call.outputs.size(); ++i) BindOne(call.outputs[i], results[i]);
  }
};

}  // namespace

void BindResults(const ir::Graph& aten, const ir::Node& call, const Vals& results, Emitter* emitter,
                 Bindings* bindings) {
  Binder{aten, call, *emitter, *bindings}.BindAll(results);
}

}  // namespace onnxport::lowering
