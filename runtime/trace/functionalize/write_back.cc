#include "runtime/trace/functionalize/write_back.h"

#include <limits>
#include <utility>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/op_traits.h"
#include "runtime/trace/functionalize/added_calls.h"
#include "runtime/trace/functionalize/views.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::Instruction;
using ir::ValueId;
using op_traits::Operand;
using Kind = Operand::Kind;

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

std::optional<int64_t> Number(const Arg& arg) {
  const int64_t* number = std::get_if<int64_t>(&arg.v);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// Evaluates the arguments of a stated call for one view. If that is not possible, a function returns nothing and says
// why.
class Evaluator {
 public:
  Evaluator(record::Recorder* recorder, const ir::Node& view, size_t output, ValueId base, std::string* why_not)
      : recorder_(recorder), view_(view), output_(output), base_(base), why_not_(why_not) {}

  // `part` is kNone if the call has none.
  std::optional<ValueId> Call(const op_traits::Call& call, ValueId part, ValueId model) {
    auto args = Arguments(call, part);
    return args ? std::optional(AddCall(recorder_, call.op, std::move(*args), model)) : std::nullopt;
  }

  std::optional<PositionedArgs> Arguments(const op_traits::Call& call, ValueId part) {
    PositionedArgs args;
    for (const Operand& operand : call.operands) {
      auto value = Value(operand, part);
      if (!value) return std::nullopt;
      args.emplace_back(static_cast<size_t>(operand.position), std::move(*value));
    }
    return args;
  }

 private:
  std::nullopt_t No(std::string why) {
    *why_not_ = std::move(why);
    return std::nullopt;
  }

  std::optional<Arg> Value(const Operand& operand, ValueId part) {
    switch (operand.kind) {
      case Kind::kBase:
        return Arg{base_};
      case Kind::kPart:
        return Arg{part};
      case Kind::kOutput:
        return Arg{static_cast<int64_t>(output_)};
      case Kind::kNumber:
        return Arg{operand.number};
      case Kind::kArgument:
        return Argument(operand.a);
      case Kind::kSizes:
        if (!recorder_->graph().value(base_).dims) return No("the base's rank is not known");
        return SizesToReshape(recorder_, base_);
      case Kind::kInversePerm:
        return InversePerm(Argument(operand.a));
      case Kind::kEnd:
        return End(Argument(operand.a), Argument(operand.b));
      case Kind::kPieceStart:
        return PieceBound(operand, output_);
      case Kind::kPieceEnd:
        return PieceBound(operand, output_ + 1);
      case Kind::kRowMajor:
        return RowMajor(Argument(operand.a));
    }
    return std::nullopt;
  }

  Arg Argument(int8_t position) const {
    return position >= 0 && static_cast<size_t>(position) < view_.inputs.size()
               ? view_.inputs[static_cast<size_t>(position)]
               : Arg();
  }

  std::optional<Arg> InversePerm(const Arg& perm) {
    const ArgList* list = perm.list();
    if (list == nullptr) return No("its axes are not known");
    ArgList inverse(list->size());
    for (size_t i = 0; i < list->size(); ++i) {
      const auto axis = Number((*list)[i]);
      if (!axis) return No("its axes are not known");
      const int64_t from_front = *axis < 0 ? *axis + static_cast<int64_t>(list->size()) : *axis;
      if (from_front < 0 || from_front >= static_cast<int64_t>(list->size())) return No("an axis is out of range");
      inverse[static_cast<size_t>(from_front)] = {static_cast<int64_t>(i)};
    }
    return Arg{std::move(inverse)};
  }

  // If a range counts from the end and reaches it, its end cannot be written: 0 would count from the front.
  std::optional<Arg> End(const Arg& start, const Arg& length) {
    const auto first = Number(start);
    const auto count = Number(length);
    if (first && count) return Arg{*first < 0 && *first + *count == 0 ? kEnd : *first + *count};
    const Arg end = AddInstruction(recorder_, Instruction::kAdd, {start, length});
    const Arg from_end = AddInstruction(recorder_, Instruction::kLt, {start, {int64_t{0}}});
    const Arg reaches = AddInstruction(recorder_, Instruction::kEq, {end, {int64_t{0}}});
    return AddInstruction(recorder_, Instruction::kIte,
                          {AddInstruction(recorder_, Instruction::kAnd, {from_end, reaches}), {kEnd}, end});
  }

  std::optional<Arg> RowMajor(const Arg& sizes) {
    const ArgList* list = sizes.list();
    if (list == nullptr) return No("its sizes are not known");
    ArgList strides(list->size());
    Arg stride{int64_t{1}};
    for (size_t i = list->size(); i-- > 0;) {
      strides[i] = stride;
      if (i > 0) stride = AddInstruction(recorder_, Instruction::kMul, {stride, (*list)[i]});
    }
    return Arg{std::move(strides)};
  }

  // The sum of the sizes of the first `count` results on the axis.
  std::optional<Arg> PieceBound(const Operand& operand, size_t count) {
    const auto& dims = recorder_->graph().value(base_).dims;
    auto axis = Number(Argument(operand.a));
    if (!dims || !axis) return No("the axis of the pieces is not known");
    if (*axis < 0) *axis += static_cast<int64_t>(dims->size());
    if (*axis < 0 || *axis >= static_cast<int64_t>(dims->size())) return No("the axis of the pieces is out of range");
    const auto usual = Number(Argument(operand.b));
    Arg bound{int64_t{0}};
    for (size_t i = 0; i < count; ++i) {
      const ValueId id = view_.outputs[i];
      const std::optional<ir::Dims> piece = id == ValueId::kNone ? std::nullopt : recorder_->graph().value(id).dims;
      const bool known = piece && static_cast<size_t>(*axis) < piece->size();
      const ir::Dim size = known ? (*piece)[static_cast<size_t>(*axis)] : ir::Dim();
      const bool last = i + 1 == view_.outputs.size();
      if (size.is_number()) {
        bound = Sum(bound, {size.number()});
      } else if (last) {
        return Arg{kEnd};
      } else if (usual) {
        bound = Sum(bound, {*usual});
      } else if (id != ValueId::kNone) {
        bound = Sum(bound, AddInstruction(recorder_, Instruction::kSymSize, {{id}, {*axis}}));
      } else {
        return No("the sizes of the pieces are not known");
      }
    }
    return bound;
  }

  Arg Sum(const Arg& a, const Arg& b) {
    const auto first = Number(a);
    const auto second = Number(b);
    if (first && second) return {*first + *second};
    return first == 0 ? b : AddInstruction(recorder_, Instruction::kAdd, {a, b});
  }

  record::Recorder* recorder_;
  const ir::Node& view_;
  size_t output_;
  ValueId base_;
  std::string* why_not_;
};

// True if they are known to be equal. Unknown sizes equal nothing.
bool SameShape(const ir::Value& a, const ir::Value& b) { return a.dims && b.dims && *a.dims == *b.dims; }

}  // namespace

std::optional<ValueId> WriteBack(record::Recorder* recorder, const ir::Node& node, size_t output, ValueId base,
                                 ValueId part, std::string* why_not) {
  const op_traits::OpTraits& traits = op_traits::TraitsOf(node.op);
  const auto no = [&](std::string why) {
    *why_not = std::move(why);
    return std::nullopt;
  };
  if (traits.write_back == nullptr) return no("a write through " + node.op.text() + " is not supported");
  const ir::Value& whole = recorder->graph().value(base);
  const ir::Value& view = recorder->graph().value(part);
  const bool same_dtype = whole.dtype == view.dtype;
  if (traits.write_back->op.empty())
    return same_dtype ? std::optional(part) : no("the view has another dtype than its base");
  if (KeepsOrder(node.op) && same_dtype && SameShape(whole, view)) return part;
  return Evaluator(recorder, node, output, base, why_not).Call(*traits.write_back, part, base);
}

std::optional<ValueId> ReadOne(record::Recorder* recorder, const ir::Node& node, size_t output, ValueId base) {
  const op_traits::Call* call = op_traits::TraitsOf(node.op).read_one;
  std::string why_not;
  if (call == nullptr) return std::nullopt;
  return Evaluator(recorder, node, output, base, &why_not).Call(*call, ValueId::kNone, node.outputs[output]);
}

std::optional<std::vector<Arg>> FunctionalInputs(record::Recorder* recorder, const ir::Node& node,
                                                 const op_traits::Call& call) {
  std::vector<bool> taken(node.inputs.size());
  for (const Operand& operand : call.operands) {
    if (operand.a >= 0 && static_cast<size_t>(operand.a) < taken.size()) taken[static_cast<size_t>(operand.a)] = true;
  }
  for (size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i] && !node.inputs[i].is_none()) return std::nullopt;
  }
  std::string why_not;
  auto given = Evaluator(recorder, node, 0, ValueId::kNone, &why_not).Arguments(call, ValueId::kNone);
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  if (!given || schema == nullptr) return std::nullopt;
  return InputsOf(*schema, std::move(*given));
}

}  // namespace onnxport::functionalize
