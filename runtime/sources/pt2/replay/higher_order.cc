#include "runtime/sources/pt2/replay/higher_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/sources/pt2/op_name.h"
#include "runtime/sources/pt2/replay/associative_scan.h"
#include "runtime/sources/pt2/replay/operands.h"
#include "runtime/sources/pt2/replay/refused_operators.h"
#include "runtime/sources/pt2/replay/tensor_calls.h"

namespace onnxport::pt2 {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

Args HigherOrder::Make(const ir::Node& call) {
  struct Form {
    std::string_view op;
    size_t graphs;
    size_t lists;  // number of operands; 0: they are not in lists
    Args (HigherOrder::*make)(const ir::Node& call);
  };
  static constexpr Form kForms[] = {
      {"higher_order::associative_scan", 1, 2, &HigherOrder::ScanPairs},
      {"higher_order::cond", 2, 1, &HigherOrder::Cond},
      {"higher_order::hints_wrapper", 1, 0, &HigherOrder::Body},
      {"higher_order::invoke_quant", 1, 0, &HigherOrder::Body},
      {"higher_order::invoke_subgraph", 1, 0, &HigherOrder::Body},
      {"higher_order::map_impl", 1, 2, &HigherOrder::Map},
      {"higher_order::print", 0, 0, &HigherOrder::Print},
      {"higher_order::run_const_graph", 1, 0, &HigherOrder::Body},
      {"higher_order::scan", 1, 3, &HigherOrder::Scan},
      {"higher_order::strict_mode", 1, 0, &HigherOrder::Body},
      {"higher_order::tag_activation_checkpoint", 1, 0, &HigherOrder::Body},
      {"higher_order::while_loop", 2, 2, &HigherOrder::While},
      {"higher_order::with_effects", 0, 0, &HigherOrder::Effects},
      {"higher_order::wrap", 1, 0, &HigherOrder::Body},
      {"higher_order::wrap_activation_checkpoint", 1, 0, &HigherOrder::Body},
      {"higher_order::wrap_with_autocast", 1, 0, &HigherOrder::WithAutocast},
      {"higher_order::wrap_with_set_grad_enabled", 1, 0, &HigherOrder::Body},
  };
  const auto form = std::ranges::find(kForms, call.op.text(), &Form::op);
  if (form == std::end(kForms)) return Fail(call, WhyRefused(call.op));
  const Args operands = OperandsOf(call);
  const auto is_list = [](const Arg& arg) { return arg.list() != nullptr; };
  const bool lists = form->lists == 0 || (operands.size() == form->lists && std::ranges::all_of(operands, is_list));
  if (call.blocks.size() != form->graphs || !lists) return Fail(call, "has other arguments than those known here");

  Args results = (this->*form->make)(call);
  if (results.size() != call.outputs.size()) return Fail(call, "has a graph with another number of results");
  for (size_t i = 0; i < results.size(); ++i) values_.HoldTo(call, call.outputs[i], results[i]);
  return results;
}

Args HigherOrder::Fail(const ir::Node& call, const std::string& reason) {
  return Args(call.outputs.size(), Arg{tracer_.Fail(call.op, {Code::kGraphOperator, reason})});
}

Args HigherOrder::Block(const ir::Block& block, const Args& inputs) {
  const ir::LocationId here = tracer_.places().current();
  // A block that drops an input does not have the meaning that the operator requires.
  if (inputs.size() > block.inputs.size()) {
    tracer_.Fail("", "a graph is given " + std::to_string(inputs.size()) + " values and takes " +
                         std::to_string(block.inputs.size()));
  }
  for (size_t i = 0; i < block.inputs.size(); ++i) {
    if (block.inputs[i] == ValueId::kNone) continue;
    values_.Set(block.inputs[i],
                i < inputs.size() ? inputs[i] : Arg{tracer_.Fail("", "a graph takes more values than it is given")});
  }
  make_calls_(CallsOf(block));
  tracer_.places().Set(here);
  return values_.Present(block.outputs);
}

// ---- the operators ----

Args HigherOrder::Body(const ir::Node& call) {
  return Block(call.blocks[0], values_.Present(FirstOf(OperandsOf(call), call.blocks[0].inputs.size())));
}

// (device, dtype, enabled, cache, graph, operands)
Args HigherOrder::WithAutocast(const ir::Node& call) {
  const bool* enabled = call.inputs.size() > 2 ? std::get_if<bool>(&call.inputs[2].v) : nullptr;
  if (enabled == nullptr) return Fail(call, "has other arguments than those known here");
  const bool before = std::exchange(autocast_, *enabled);
  Args results = Body(call);
  autocast_ = before;
  return results;
}

Args HigherOrder::Print(const ir::Node& call) {
  tracer_.findings().Remark("what the program prints is left out");
  return Args(call.outputs.size());
}

// Calls in order: each takes a token from the previous one. The operator is among the arguments, as a word.
Args HigherOrder::Effects(const ir::Node& call) {
  for (const Arg& arg : call.inputs) {
    const ir::Word* word = std::get_if<ir::Word>(&arg.v);
    const ir::Operator op = word != nullptr ? OperatorOf(word->text) : ir::Operator();
    if (op == "higher_order::print") return Print(call);
    if (IsAssertion(op)) return Args(call.outputs.size());
  }
  return Fail(call, WhyRefused(call.op));
}

Args HigherOrder::Cond(const ir::Node& call) {
  const Args operands = values_.Present(*OperandsOf(call)[0].list());
  const Arg condition = AsCondition(&tracer_, values_.Present(call.inputs[0]));
  if (const bool* known = std::get_if<bool>(&condition.v)) return Block(call.blocks[*known ? 0 : 1], operands);
  if (condition.value() == nullptr) return Fail(call, "has a condition that is no bool");
  std::array<trace::Region, 2> sides;
  std::array<Args, 2> ends;
  for (size_t side = 0; side < sides.size(); ++side) {
    tracer_.regions().Begin();
    ends[side] = Block(call.blocks[side], operands);
    sides[side] = tracer_.regions().End();
  }
  if (ends[0].size() != ends[1].size()) return Fail(call, "has graphs with different numbers of results");
  ir::IfSpec spec{.condition = condition};
  for (size_t i = 0; i < ends[0].size(); ++i) spec.results.push_back({ends[0][i], ends[1][i]});
  return tracer_.regions().If(std::move(spec), std::move(sides[0]), std::move(sides[1]));
}

Args HigherOrder::While(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args captured = values_.Present(*lists[1].list());
  const Args initial = values_.Present(*lists[0].list());
  if (call.blocks[0].outputs.size() != 1) return Fail(call, "has a condition that gives no one bool");
  if (call.blocks[1].outputs.size() != initial.size()) return Fail(call, "has a body that gives not what it carries");
  const auto goes_on = [&](const Args& carried) {
    const Arg truth = Block(call.blocks[0], Concat(carried, captured)).at(0);
    return IsBool(tracer_, truth) ? AsCondition(&tracer_, truth) : Fail(call, "has a condition that gives no bool")[0];
  };
  ir::LoopSpec loop = Carrying(initial);
  loop.condition = goes_on(initial);
  return loops_.Repeat(call, loop, [&](const Args& carried, ir::LoopSpec* round) {
    const Args next = Block(call.blocks[1], Concat(carried, captured));
    round->next_condition = goes_on(next);
    SetNext(next, round);
  });
}

Args HigherOrder::Scan(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = values_.Present(*lists[1].list());
  const Args captured = values_.Present(*lists[2].list());
  ir::LoopSpec loop = Carrying(values_.Present(*lists[0].list()));
  loop.trip_count = Iterations(&tracer_, xs);
  return loops_.Repeat(call, loop, [&](const Args& carried, ir::LoopSpec* round) {
    const Args elements = ElementsOf(&tracer_, xs, {round->iteration});
    const Args ends = Block(call.blocks[0], Concat(Concat(carried, elements), captured));
    if (ends.size() < carried.size()) tracer_.Fail(call.op, "has a graph that gives not what it carries");
    SetNext(ends, round);
    round->scans.assign(ends.begin() + static_cast<std::ptrdiff_t>(std::min(carried.size(), ends.size())), ends.end());
  });
}

Args HigherOrder::Map(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = values_.Present(*lists[0].list());
  const Args captured = values_.Present(*lists[1].list());
  return loops_.ForEach(call, Iterations(&tracer_, xs), xs,
                        [&](const Args& elements) { return Block(call.blocks[0], Concat(elements, captured)); });
}

Args HigherOrder::ScanPairs(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = values_.Present(*lists[0].list());
  const Args captured = values_.Present(*lists[1].list());
  return AssociativeScan(&tracer_, &values_, &loops_, call, xs,
                         [&](const Args& pairs) { return Block(call.blocks[0], Concat(pairs, captured)); });
}

}  // namespace onnxport::pt2
