#include "runtime/lowering/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/lowering/build/args.h"
#include "runtime/lowering/build/constants.h"

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

// The kind of a number computed in this dtype.
Results::Kind Results::KindOfNumber(DType dtype) {
  if (dtype == DType::kBool) return Kind::kBool;
  return ir::IsFloat(dtype) ? Kind::kFloat : Kind::kInt;
}

ValueKind Results::ValueKindOf(Kind kind) {
  if (kind == Kind::kBool) return ValueKind::kBool;
  return kind == Kind::kFloat ? ValueKind::kFloat : ValueKind::kInt;
}

// Returns a host number with the kind that the schema states.
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

void Results::Publish(const Vals& given, ValueId first, Lowerer::Made* made) {
  first_ = first;
  const bool sequence =
      given.size() == 1 && given[0].is_tensor() && emitter_.value(given[0].AsTensor().id).kind == ValueKind::kSequence;
  if (sequence && StatesElements()) {
    made->results = {Elements(given[0].AsTensor().id)};
  } else {
    made->results = All(given);
  }
  for (size_t i = 0; i < made_.size(); ++i) {
    state_.bindings.Bind(ir::After(first, i), lowering::Tensor{&emitter_, made_[i]});
  }
  made->values = std::move(values_);
}

std::vector<ir::Arg> Results::All(const Vals& given) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op_);
  std::vector<ir::Arg> results;
  results.reserve(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const bool in_schema = schema != nullptr && i < schema->results.size();
    results.push_back(One(given[i], in_schema ? KindOf(schema->results[i].type) : Kind::kAny));
  }
  if (stated_ != nullptr && next_ < stated_->size()) {
    Contradict(fmt::format("{} results where the source has {}", next_, stated_->size()));
  }
  return results;
}

const ir::Value* Results::NextStated() {
  return stated_ != nullptr && next_ < stated_->size() ? (*stated_)[next_++] : nullptr;
}

// The source states the number of elements, but not their sizes.
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
    if (wanted == Kind::kAny && !emitter_.facts().IsNumber(made)) wanted = Kind::kTensor;
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
  // As a tensor it has a higher priority in type promotion than as a number.
  if (emitter_.facts().IsNumber(made)) made = emitter_.Add("Identity", {{made}});
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
  emitter_.facts().MarkNumber(made);
  emitter_.sizes().Remember(made);
  const ValueKind kind = type.kind;
  type = emitter_.value(made);
  type.kind = kind;
  return Add(std::move(type), made, stated);
}

ir::Arg Results::Add(ir::Value type, ValueId made, const ir::Value* stated) {
  const ValueId id = ir::After(first_, values_.size());
  type.name = stated != nullptr ? stated->name : "";
  type.strides.reset();
  values_.push_back(std::move(type));
  made_.push_back(made);
  return {id};
}

}  // namespace onnxport::lowering
