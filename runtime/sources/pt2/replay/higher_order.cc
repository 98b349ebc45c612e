// The higher-order operators that torch.export writes: calls with blocks, which become If and Loop or are made in line.
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/sources/pt2/op_name.h"
#include "runtime/sources/pt2/replay/operands.h"
#include "runtime/sources/pt2/replay/player.h"
#include "runtime/sources/pt2/replay/refused_operators.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

}  // namespace

Args Player::PlayHigherOrder(const ir::Node& call) {
  struct Form {
    std::string_view op;
    size_t graphs;
    size_t lists;  // of operands; 0: they stand alone
    Args (Player::*play)(const ir::Node& call);
  };
  static constexpr Form kForms[] = {
      {"higher_order::associative_scan", 1, 2, &Player::PlayAssociativeScan},
      {"higher_order::cond", 2, 1, &Player::PlayCond},
      {"higher_order::hints_wrapper", 1, 0, &Player::PlayBody},
      {"higher_order::invoke_quant", 1, 0, &Player::PlayBody},
      {"higher_order::invoke_subgraph", 1, 0, &Player::PlayBody},
      {"higher_order::map_impl", 1, 2, &Player::PlayMap},
      {"higher_order::print", 0, 0, &Player::PlayPrint},
      {"higher_order::run_const_graph", 1, 0, &Player::PlayBody},
      {"higher_order::scan", 1, 3, &Player::PlayScan},
      {"higher_order::strict_mode", 1, 0, &Player::PlayBody},
      {"higher_order::tag_activation_checkpoint", 1, 0, &Player::PlayBody},
      {"higher_order::while_loop", 2, 2, &Player::PlayWhile},
      {"higher_order::with_effects", 0, 0, &Player::PlayEffects},
      {"higher_order::wrap", 1, 0, &Player::PlayBody},
      {"higher_order::wrap_activation_checkpoint", 1, 0, &Player::PlayBody},
      {"higher_order::wrap_with_autocast", 1, 0, &Player::PlayWithAutocast},
      {"higher_order::wrap_with_set_grad_enabled", 1, 0, &Player::PlayBody},
  };
  const auto form = std::ranges::find(kForms, call.op.text(), &Form::op);
  if (form == std::end(kForms)) return Fail(call, WhyRefused(call.op));
  const Args operands = OperandsOf(call);
  const auto is_list = [](const Arg& arg) { return arg.list() != nullptr; };
  const bool lists = form->lists == 0 || (operands.size() == form->lists && std::ranges::all_of(operands, is_list));
  if (call.blocks.size() != form->graphs || !lists) return Fail(call, "has other arguments than those known here");

  Args results = (this->*form->play)(call);
  if (results.size() != call.outputs.size()) return Fail(call, "has a graph with another number of results");
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueId id = call.outputs[i];
    if (id != ValueId::kNone && results[i].value() && !at_once_)
      tracer_.HoldTo(call.op, queue_.value(id), *results[i].value());
  }
  return results;
}

Args Player::Fail(const ir::Node& call, const std::string& reason) {
  return Args(call.outputs.size(), Arg{tracer_.Fail(call.op, reason)});
}

Args Player::Play(const ir::Block& block, const Args& inputs) {
  const ir::LocationId here = tracer_.location();
  // One that drops what it is given is another graph than the operator means.
  if (inputs.size() > block.inputs.size()) {
    tracer_.Fail("", "a graph is given " + std::to_string(inputs.size()) + " values and takes " +
                         std::to_string(block.inputs.size()));
  }
  for (size_t i = 0; i < block.inputs.size(); ++i) {
    if (block.inputs[i] == ValueId::kNone) continue;
    ArgOf(block.inputs[i]) =
        i < inputs.size() ? inputs[i] : Arg{tracer_.Fail("", "a graph takes more values than it is given")};
  }
  Play(CallsOf(block));
  tracer_.SetLocation(here);
  return Present(block.outputs);
}

// ---- the operators ----

Args Player::PlayBody(const ir::Node& call) {
  return Play(call.blocks[0], Present(FirstOf(OperandsOf(call), call.blocks[0].inputs.size())));
}

// (device, dtype, enabled, cache, graph, operands)
Args Player::PlayWithAutocast(const ir::Node& call) {
  const bool* enabled = call.inputs.size() > 2 ? std::get_if<bool>(&call.inputs[2].v) : nullptr;
  if (enabled == nullptr) return Fail(call, "has other arguments than those known here");
  const bool before = std::exchange(autocast_, *enabled);
  Args results = PlayBody(call);
  autocast_ = before;
  return results;
}

Args Player::PlayPrint(const ir::Node& call) {
  tracer_.Remark("what the program prints is left out");
  return Args(call.outputs.size());
}

// Calls in a row: each takes a token from the one before. The operator stands among the arguments, as a word.
Args Player::PlayEffects(const ir::Node& call) {
  for (const Arg& arg : call.inputs) {
    const ir::Word* word = std::get_if<ir::Word>(&arg.v);
    const ir::Operator op = word != nullptr ? OperatorOf(word->text) : ir::Operator();
    if (op == "higher_order::print") return PlayPrint(call);
    if (IsAssertion(op)) return Args(call.outputs.size());
  }
  return Fail(call, WhyRefused(call.op));
}

Args Player::PlayCond(const ir::Node& call) {
  const Args operands = Present(*OperandsOf(call)[0].list());
  const Arg condition = AsCondition(Present(call.inputs[0]));
  if (const bool* known = std::get_if<bool>(&condition.v)) return Play(call.blocks[*known ? 0 : 1], operands);
  if (condition.value() == nullptr) return Fail(call, "has a condition that is no bool");
  std::array<trace::Region, 2> sides;
  std::array<Args, 2> ends;
  for (size_t side = 0; side < sides.size(); ++side) {
    tracer_.Begin();
    ends[side] = Play(call.blocks[side], operands);
    sides[side] = tracer_.End();
  }
  if (ends[0].size() != ends[1].size()) return Fail(call, "has graphs with different numbers of results");
  ir::IfSpec spec{.condition = condition};
  for (size_t i = 0; i < ends[0].size(); ++i) spec.results.push_back({ends[0][i], ends[1][i]});
  return tracer_.If(std::move(spec), std::move(sides[0]), std::move(sides[1]));
}

Args Player::PlayWhile(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args captured = Present(*lists[1].list());
  const Args initial = Present(*lists[0].list());
  if (call.blocks[0].outputs.size() != 1) return Fail(call, "has a condition that gives no one bool");
  if (call.blocks[1].outputs.size() != initial.size()) return Fail(call, "has a body that gives not what it carries");
  const auto goes_on = [&](const Args& carried) {
    const Arg truth = Play(call.blocks[0], Concat(carried, captured)).at(0);
    return IsBool(truth) ? AsCondition(truth) : Fail(call, "has a condition that gives no bool")[0];
  };
  ir::LoopSpec loop = Carrying(initial);
  loop.condition = goes_on(initial);
  return PlayLoop(call, loop, [&](const Args& carried, ir::LoopSpec* round) {
    const Args next = Play(call.blocks[1], Concat(carried, captured));
    round->next_condition = goes_on(next);
    SetNext(next, round);
  });
}

Args Player::PlayScan(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = Present(*lists[1].list());
  const Args captured = Present(*lists[2].list());
  ir::LoopSpec loop = Carrying(Present(*lists[0].list()));
  loop.trip_count = Iterations(xs);
  return PlayLoop(call, loop, [&](const Args& carried, ir::LoopSpec* round) {
    const Args elements = ElementsOf(xs, {round->iteration});
    const Args ends = Play(call.blocks[0], Concat(Concat(carried, elements), captured));
    if (ends.size() < carried.size()) tracer_.Fail(call.op, "has a graph that gives not what it carries");
    SetNext(ends, round);
    round->scans.assign(ends.begin() + static_cast<std::ptrdiff_t>(std::min(carried.size(), ends.size())), ends.end());
  });
}

Args Player::PlayMap(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = Present(*lists[0].list());
  const Args captured = Present(*lists[1].list());
  return PlayRows(call, Iterations(xs), xs,
                  [&](const Args& elements) { return Play(call.blocks[0], Concat(elements, captured)); });
}

// ---- calls that they are made of ----

Arg Player::CallOne(const ir::Operator& op, Args args) {
  const Args results = tracer_.Call(op, std::move(args));
  return results.size() == 1 ? results[0] : Arg();
}

// Or what is not known after a failure.
bool Player::IsBool(const Arg& arg) const {
  if (arg.value() == nullptr) return std::holds_alternative<bool>(arg.v);
  const ir::Value type = tracer_.TypeOf(*arg.value());
  return type.dtype == ir::DType::kBool || type.dtype == ir::DType::kUndefined;
}

Arg Player::AsCondition(Arg arg) {
  const bool tensor = arg.value() != nullptr && tracer_.TypeOf(*arg.value()).kind == ir::ValueKind::kTensor;
  return tensor ? CallOne("aten::item", {std::move(arg)}) : arg;
}

Arg Player::Iterations(const Args& tensors) {
  if (tensors.empty()) return {tracer_.Fail("", "a loop over no tensor")};
  return CallOne("aten::sym_size.int", {tensors[0], {int64_t{0}}});
}

Args Player::Range(const Args& tensors, int64_t start, int64_t end, int64_t step) {
  Args ranges;
  for (const Arg& tensor : tensors) {
    ranges.push_back(CallOne("aten::slice.Tensor", {tensor, {int64_t{0}}, {start}, {end}, {step}}));
  }
  return ranges;
}

Args Player::ElementsOf(const Args& tensors, const Arg& index) {
  Args elements;
  for (const Arg& tensor : tensors) {
    elements.push_back(CallOne("aten::select.int", {tensor, {int64_t{0}}, index}));
  }
  return elements;
}

}  // namespace onnxport::pt2
