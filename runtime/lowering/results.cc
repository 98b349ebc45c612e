#include "runtime/lowering/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/lowering/build/args.h"
#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/stated_dims.h"

namespace onnxport::lowering {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

// ---- kinds ----

Results::Kind Results::KindOf(const ir::AtenType& type) {
  switch (type.kind) {
    case ir::AtenKind::kTensor:
      return Kind::kTensor;
    case ir::AtenKind::kInt:
    case ir::AtenKind::kSymInt:
      return Kind::kInt;
    case ir::AtenKind::kFloat:
      return Kind::kFloat;
    case ir::AtenKind::kBool:
      return Kind::kBool;
    case ir::AtenKind::kScalar:
      return Kind::kScalar;
    default:
      return Kind::kAny;
  }
}

Results::Kind Results::KindOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kInt:
      return Kind::kInt;
    case ValueKind::kFloat:
      return Kind::kFloat;
    case ValueKind::kBool:
      return Kind::kBool;
    default:
      return Kind::kTensor;
  }
}

// Of a number that was computed in this dtype.
Results::Kind Results::KindOfNumber(DType dtype) {
  if (dtype == DType::kBool) return Kind::kBool;
  return ir::IsFloat(dtype) ? Kind::kFloat : Kind::kInt;
}

ValueKind Results::ValueKindOf(Kind kind) {
  if (kind == Kind::kBool) return ValueKind::kBool;
  return kind == Kind::kFloat ? ValueKind::kFloat : ValueKind::kInt;
}

// A host number where the schema says of what kind.
Val Results::AsKind(const Val& number, Kind kind) {
  if (kind == Kind::kFloat) return number.AsFloat();
  if (kind == Kind::kInt) return number.AsInt();
  if (kind == Kind::kBool) return static_cast<bool>(number);
  return number;
}

bool GivesANumber(const ir::Node& call) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  return schema != nullptr && schema->results.size() == 1 && schema->results[0].type.kind == ir::AtenKind::kScalar;
}

std::optional<Vals> KnownSizes(Emitter* emitter, const ir::StatedTypes& stated) {
  Vals found;
  for (const ir::Value* value : stated) {
    if (!value || value->kind != ValueKind::kInt || !value->contents || value->contents->size() != 1) return {};
    const ir::Dim& size = value->contents->front();
    if (size.is_number()) {
      found.push_back(size.number());
    } else if (const auto known = emitter->sizes().Find(size)) {
      found.push_back(lowering::Tensor{emitter, *known});
    } else {
      return std::nullopt;
    }
  }
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

// ---- results ----

std::vector<ir::Arg> Results::Publish(const Vals& made) {
  call_.outputs.clear();
  const bool sequence =
      made.size() == 1 && made[0].is_tensor() && emitter_.value(made[0].AsTensor().id).kind == ValueKind::kSequence;
  if (sequence && StatesElements()) return {Elements(made[0].AsTensor().id)};
  const ir::AtenSchema* schema = ir::FindAtenSchema(call_.op);
  std::vector<ir::Arg> results;
  for (size_t i = 0; i < made.size(); ++i) {
    const bool in_schema = schema != nullptr && i < schema->results.size();
    results.push_back(One(made[i], in_schema ? KindOf(schema->results[i].type) : Kind::kAny));
  }
  if (stated_ != nullptr && next_ < stated_->size()) {
    Contradict(fmt::format("{} results where the source has {}", next_, stated_->size()));
  }
  return results;
}

const ir::Value* Results::NextStated() {
  return stated_ != nullptr && next_ < stated_->size() ? (*stated_)[next_++] : nullptr;
}

// The source knows how many elements there are, whatever sizes they have.
bool Results::StatesElements() const {
  return stated_ != nullptr && !stated_->empty() && std::ranges::all_of(*stated_, [](const ir::Value* value) {
           return value == nullptr || value->kind == ValueKind::kTensor;
         });
}

ir::Arg Results::Elements(ValueId sequence) {
  ir::ArgList elements;
  for (size_t i = 0; i < stated_->size(); ++i) {
    const ValueId index = emitter_.Constant(Val(static_cast<int64_t>(i)), DType::kInt64);
    elements.push_back(Tensor(emitter_.Add("SequenceAt", {{sequence}, {index}}), NextStated()));
  }
  return {std::move(elements)};
}

ir::Arg Results::One(const Val& result, Kind wanted) {
  if (result.is_list()) {
    ir::ArgList list;
    for (const Val& element : result.AsList()) list.push_back(One(element, wanted));
    return {std::move(list)};
  }
  const ir::Value* stated = NextStated();
  if (result.is_none()) return {};
  if (stated != nullptr) wanted = KindOf(stated->kind);
  if (result.is_tensor()) {
    const ValueId made = result.AsTensor().id;
    if (emitter_.value(made).kind == ValueKind::kSequence) return Add(emitter_.value(made), made, stated);
    if (wanted == Kind::kAny && !emitter_.IsNumber(made)) wanted = Kind::kTensor;
    return wanted == Kind::kTensor ? Tensor(made, stated) : Number(made, wanted, stated);
  }
  if (wanted == Kind::kTensor && (stated != nullptr || result.is_number())) {
    if (!result.is_number()) throw Refusal(fmt::format("{} is no tensor", result.ToString()));
    const bool typed = stated != nullptr && stated->dtype != DType::kUndefined;
    return Tensor(emitter_.Constant(result, typed ? stated->dtype : DefaultDType(result)), stated);
  }
  if (stated != nullptr && result.is_int()) CheckSize(*stated, ir::Dim(result.AsInt()));
  return ToArg(result.is_number() ? AsKind(result, wanted) : result);
}

ir::Arg Results::Tensor(ValueId made, const ir::Value* stated) {
  // As a tensor it counts more in type promotion than as a number.
  if (emitter_.IsNumber(made)) made = emitter_.Add("Identity", {{made}});
  if (stated != nullptr) HoldTo(*stated, made);
  return Add(emitter_.value(made), made, stated);
}

ir::Arg Results::Number(ValueId made, Kind wanted, const ir::Value* stated) {
  if (wanted == Kind::kAny || wanted == Kind::kScalar) wanted = KindOfNumber(emitter_.value(made).dtype);
  ir::Value type;
  type.kind = ValueKindOf(wanted);
  made = AsSingle(&emitter_, lowering::Tensor{&emitter_, made}, Lowerer::State::AsTensorType(type).dtype);
  const auto known = [&] {
    const auto& contents = emitter_.value(made).contents;
    return contents && contents->size() == 1 ? contents->front() : ir::Dim();
  };
  if (stated != nullptr && wanted == Kind::kInt && !known().is_unknown()) CheckSize(*stated, known());
  if (stated != nullptr) {
    ir::Value contents;
    contents.contents = stated->contents;
    emitter_.Refine(made, contents);
  }
  if (wanted == Kind::kInt && known().is_number()) return {known().number()};
  emitter_.MarkNumber(made);
  emitter_.sizes().Remember(made);
  const ValueKind kind = type.kind;
  type = emitter_.value(made);
  type.kind = kind;
  return Add(std::move(type), made, stated);
}

ir::Arg Results::Add(ir::Value type, ValueId made, const ir::Value* stated) {
  const ValueId id = state_.AddSource(std::move(type), made, stated != nullptr ? stated->name : "");
  call_.outputs.push_back(id);
  return {id};
}

// ---- what the source states ----

// Either side may be wrong.
void Results::Contradict(const std::string& how) const {
  state_.contradicted = true;
  throw Refusal(how +
                "; the file is damaged, or this is our mistake: if torch.export wrote it as it is, please report it");
}

void Results::Contradiction(const ir::Value& made, const ir::Value& stated, std::string_view what) const {
  const DispatchRow* row = FindRow(call_.op, emitter_.opset());
  Contradict(fmt::format("{} gives {}, the source says {}: {}", row ? row->spec : "the host evaluator", TypeText(made),
                         TypeText(stated), what));
}

void Results::HoldTo(const ir::Value& stated, ValueId made) {
  const ir::Value& value = emitter_.value(made);
  if (stated.dtype != DType::kUndefined && stated.dtype != value.dtype) {
    Contradiction(value, stated, "the dtypes differ");
  }
  CheckDims(value, stated);
  emitter_.Refine(made, stated);
}

// Two expressions, by the bounds of what is in them.
bool Results::NeverEqual(const ir::Dim& a, const ir::Dim& b) const {
  if (a.is_unknown() || b.is_unknown()) return false;
  const ir::Range difference = AssumedBounds(a - b, emitter_.graph().ranges);
  return (difference.min && *difference.min > 0) || (difference.max && *difference.max < 0);
}

void Results::CheckDims(const ir::Value& made, const ir::Value& stated) const {
  if (!made.dims || !stated.dims) return;
  if (made.dims->size() != stated.dims->size()) Contradiction(made, stated, "the ranks differ");
  for (size_t i = 0; i < made.dims->size(); ++i) {
    const ir::Dim& is = (*made.dims)[i];
    const ir::Dim& should = (*stated.dims)[i];
    if (is.is_symbolic() && NeverEqual(is, should)) Contradiction(made, stated, fmt::format("dimension {} differs", i));
    if (!is.is_number() || should.is_unknown()) continue;
    if (should.is_number() && should.number() != is.number()) {
      Contradiction(made, stated, fmt::format("dimension {} differs", i));
    }
    if (should.is_symbolic() && !AgreesWith(should, is.number(), emitter_.graph().ranges)) {
      throw Refusal(fmt::format("dimension {} of the result is `{}`, which must stay free, but would be fixed at {}", i,
                                should.ToString(), is.number()));
    }
  }
}

// A size that the source states is what was computed, as far as both are known.
void Results::CheckSize(const ir::Value& stated, const ir::Dim& made) const {
  const auto& contents = stated.contents;
  if (!contents || contents->size() != 1) return;
  if (NeverEqual(made, contents->front())) {
    Contradict(fmt::format("{} is {}, the source says {}", call_.op, made.ToString(), contents->front().ToString()));
  }
}

}  // namespace onnxport::lowering
