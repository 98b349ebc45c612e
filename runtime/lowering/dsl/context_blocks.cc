// If, Loop and SequenceMap for the bodies of specs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/ir/join.h"
#include "runtime/ir/until_settled.h"
#include "runtime/lowering/build/args.h"
#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/control_flow.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;

ir::Value TypeOf(const Emitter& emitter, const Val& value) {
  if (value.is_tensor()) {
    ir::Value type = emitter.value(value.AsTensor().id);
    type.contents.reset();
    return type;
  }
  if (!value.is_number()) throw Refusal(fmt::format("{} cannot pass through a branch or loop", value.ToString()));
  return {.name = {},
          .kind = ir::ValueKind::kTensor,
          .dtype = DefaultDType(value),
          .dims = ir::Dims{},
          .contents = {},
          .strides = {}};
}

// A number takes the dtype of the value with which it is joined.
ir::Value TypeOfBoth(const Emitter& emitter, const Val& a, const Val& b) {
  ir::Value left = TypeOf(emitter, a);
  ir::Value right = TypeOf(emitter, b);
  if (a.is_number() && b.is_tensor()) left.dtype = right.dtype;
  if (b.is_number() && a.is_tensor()) right.dtype = left.dtype;
  if (left.dims && right.dims && left.dims->size() != right.dims->size()) left.dims.reset();
  std::string why_not;
  if (const auto joined = ir::Join(left, right, &why_not)) return *joined;
  throw Refusal(Code::kBranchesDiffer, fmt::format("the branches of an If give {} and {}", a.ToString(), b.ToString()));
}

Vals Tensors(Context* context, const std::vector<ValueId>& ids) {
  Vals out;
  for (const ValueId id : ids) out.push_back(Tensor{&context->emitter(), id});
  return out;
}

// Loops with so few rounds are unrolled, because more is known once the index is known. Unrolled rounds take half as
// long at 3 x 3 matrices, and as long from 8 x 8 on. Also, some runtimes have no Loop.
constexpr int64_t kRoundsInLine = 8;
constexpr size_t kNodesInLine = 256;

bool IsInLine(const Val& trip_count, const Val& condition, size_t nodes_of_round) {
  const bool goes_on = condition.is_none() || (condition.is_bool() && condition.AsBool());
  return goes_on && trip_count.is_int() && trip_count.AsInt() > 0 && trip_count.AsInt() <= kRoundsInLine &&
         static_cast<size_t>(trip_count.AsInt()) * nodes_of_round <= kNodesInLine;
}

void CheckCarried(const Vals& carried, const Vals& next) {
  if (next.size() == carried.size()) return;
  throw Refusal(Code::kLoopDoesNotFit,
                fmt::format("a loop carries {} values, its body gives {}", carried.size(), next.size()));
}

// The type that fits the value before and after a round.
ir::Value JoinedRounds(const Emitter& emitter, const ir::Value& type, const Val& before, const Val& after) {
  std::string why_not;
  const auto joined = ir::Join(type, TypeOf(emitter, after), &why_not);
  if (joined && joined->dims.has_value() == type.dims.has_value()) return *joined;
  throw Refusal(Code::kLoopDoesNotFit,
                fmt::format("a loop carries {}, which its body makes {}", before.ToString(), after.ToString()));
}

// Joins the types of the carried values with those after a round. Returns true if a size became unknown.
bool Widen(const Emitter& emitter, const Vals& inside, const Vals& next, std::vector<ir::Value>* types) {
  bool wider = false;
  for (size_t k = 0; k < types->size(); ++k) {
    if (!next[k].is_tensor()) continue;
    ir::Value joined = JoinedRounds(emitter, (*types)[k], inside[k], next[k]);
    for (size_t d = 0; joined.dims && d < joined.dims->size(); ++d) {
      wider = wider || (*joined.dims)[d].is_unknown() != (*(*types)[k].dims)[d].is_unknown();
    }
    (*types)[k] = std::move(joined);
  }
  return wider;
}

Val AsTensorOf(Emitter* emitter, const Val& value, DType dtype) {
  return value.is_tensor() ? value : Val(Tensor{emitter, emitter->Constant(value, dtype)});
}

}  // namespace

Vals Context::if_op(const Val& condition, FunctionRef<Vals()> then, FunctionRef<Vals()> otherwise) {
  if (!condition.is_tensor()) return condition ? then() : otherwise();
  const auto trace = [&](FunctionRef<Vals()> branch) {
    emitter_->blocks().Begin();
    Vals results = branch();
    return std::pair(emitter_->blocks().End(), std::move(results));
  };
  auto [yes, yes_results] = trace(then);
  auto [no, no_results] = trace(otherwise);
  if (yes_results.size() != no_results.size()) {
    throw Refusal(Code::kBranchesDiffer,
                  fmt::format("the branches of an If give {} and {} results", yes_results.size(), no_results.size()));
  }
  ir::IfSpec spec{.condition = ToArg(condition)};
  for (size_t i = 0; i < yes_results.size(); ++i) {
    const Val& a = yes_results[i];
    const Val& b = no_results[i];
    spec.results.push_back({ToArg(a), ToArg(b), TypeOfBoth(*emitter_, a, b)});
  }
  return Tensors(this, EmitIf(emitter_, spec, std::move(yes), std::move(no)));
}

Vals Context::loop(const Val& trip_count, const Vals& carried, FunctionRef<Val(const Vals& carried)> go_on,
                   FunctionRef<LoopStep(const Val& i, const Vals& carried)> body) {
  if (std::ranges::any_of(carried, &Val::is_none)) return loop_of_present(trip_count, carried, go_on, body);
  const Val first = go_on ? go_on(carried) : Val();
  // Only a trace of the body shows which sizes each carried value keeps. The first trace uses the initial sizes. If a
  // size changed, the body is traced again without it.
  std::vector<ir::Value> types;
  for (const Val& value : carried) types.push_back(TypeOf(*emitter_, value));
  const auto round = [&]() -> std::optional<Vals> {
    emitter_->blocks().Begin();
    ir::LoopSpec spec{.trip_count = ToArg(trip_count), .condition = ToArg(first)};
    spec.iteration = emitter_->blocks().AddInput(TypeOf(*emitter_, 0));
    Vals inside;
    for (size_t k = 0; k < types.size(); ++k) {
      spec.carried.push_back({ToArg(carried[k]), emitter_->blocks().AddInput(types[k]), {}});
      inside.push_back(Tensor{emitter_, spec.carried[k].inside});
    }
    LoopStep step = body(Tensor{emitter_, spec.iteration}, inside);
    CheckCarried(carried, step.next);
    if (Widen(*emitter_, inside, step.next, &types)) {
      emitter_->blocks().End();
      return std::nullopt;
    }
    if (go_on) spec.next_condition = ToArg(go_on(step.next));
    for (size_t k = 0; k < types.size(); ++k) spec.carried[k].next = ToArg(step.next[k]);
    for (const Val& scan : step.scans) spec.scans.push_back(ToArg(scan));
    ir::Block made = emitter_->blocks().End();
    if (IsInLine(trip_count, first, made.nodes.size())) return rounds_in_line(trip_count.AsInt(), carried, body);
    return Tensors(this, EmitLoop(emitter_, std::move(spec), std::move(made)));
  };
  if (auto results = ir::UntilSettled(round)) return *std::move(results);
  throw Refusal(Code::kLoopDoesNotFit, "the sizes of what a loop carries do not settle");
}

Vals Context::loop_of_present(const Val& trip_count, const Vals& carried, FunctionRef<Val(const Vals& carried)> go_on,
                              FunctionRef<LoopStep(const Val& i, const Vals& carried)> body) {
  // The carried values, with None where it was; after them the others, as results of scans.
  const auto with_none = [&carried](const Vals& present) {
    Vals all;
    auto next = present.begin();
    for (const Val& value : carried) all.push_back(value.is_none() ? Val() : *next++);
    all.insert(all.end(), next, present.end());
    return all;
  };
  Vals present;
  std::ranges::copy_if(carried, std::back_inserter(present), [](const Val& value) { return !value.is_none(); });
  const auto ask = [&](const Vals& inside) { return go_on(with_none(inside)); };
  FunctionRef<Val(const Vals&)> goes_on;
  if (go_on) goes_on = ask;
  const auto round = [&](const Val& i, const Vals& inside) {
    LoopStep step = body(i, with_none(inside));
    CheckCarried(carried, step.next);
    Vals next;
    for (size_t k = 0; k < carried.size(); ++k) {
      if (carried[k].is_none() != step.next[k].is_none())
        throw Refusal(Code::kLoopDoesNotFit, fmt::format("a loop carries {}, which its body makes {}",
                                                         carried[k].ToString(), step.next[k].ToString()));
      if (!carried[k].is_none()) next.push_back(step.next[k]);
    }
    step.next = std::move(next);
    return step;
  };
  return with_none(loop(trip_count, present, goes_on, round));
}

Vals Context::rounds_in_line(int64_t count, const Vals& carried,
                             FunctionRef<LoopStep(const Val& i, const Vals& carried)> body) {
  Vals now;
  for (const Val& value : carried) now.push_back(AsTensorOf(emitter_, value, TypeOf(*emitter_, value).dtype));
  std::vector<Vals> scans;
  for (int64_t i = 0; i < count; ++i) {
    LoopStep step = body(Tensor{emitter_, emitter_->Constant(Val(i), DType::kInt64)}, now);
    CheckCarried(carried, step.next);
    for (size_t k = 0; k < now.size(); ++k) {
      const Val next = AsTensorOf(emitter_, step.next[k], dtype(now[k]).AsDType());
      JoinedRounds(*emitter_, TypeOf(*emitter_, now[k]), now[k], next);
      now[k] = next;
    }
    scans.resize(step.scans.size());
    for (size_t k = 0; k < scans.size(); ++k) scans[k].push_back(op("Unsqueeze", {step.scans[k]}, {{"axes", Vals{0}}}));
  }
  for (const Vals& rows : scans) now.push_back(op("Concat", {Splat(rows)}, {{"axis", 0}}));
  return now;
}

Val Context::map(const Val& list, FunctionRef<Val(const Val&)> f) {
  if (!is_sequence(list)) return Map(list, f);
  constexpr int kLoopSequencesOpset = 13;
  if (opset() < kLoopSequencesOpset) {
    throw Refusal(
        fmt::format("opset {} has no loop over a list of unknown length; opset {} has", opset(), kLoopSequencesOpset));
  }
  // A Loop works at every opset. Unlike in SequenceMap, outer values that f uses need not be listed.
  emitter_->blocks().Begin();
  const DType dtype = TypeOf(*emitter_, f(op("SequenceAt", {list, 0}))).dtype;  // only to get the type of f's result
  emitter_->blocks().End();
  const Val none = op("SequenceEmpty", {}, {{"dtype", static_cast<int64_t>(dtype)}});
  return loop(op("SequenceLength", {list}), {none}, {}, [&](const Val& i, const Vals& made) -> LoopStep {
    return {{op("SequenceInsert", {made[0], f(op("SequenceAt", {list, i}))})}, {}};
  })[0];
}

}  // namespace onnxport::lowering
